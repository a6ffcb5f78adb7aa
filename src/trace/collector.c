// SPDX-License-Identifier: GPL-2.0
#include "trace/collector.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"

const struct collector_ops *const collectors[] = { &collector_bpf, &collector_strace, NULL };

/* What the second choice costs. */
static const char costs[] =
	"which stops the program twice at each traced call and costs it some 10 to 50 us each";

static int try_open(struct collector *c, const struct collector_ops *ops,
		    const struct trace_options *o, char *why, size_t size)
{
	int err;

	why[0] = '\0';
	c->ops = ops;
	err = ops->open(c, o, why, size);
	if (!err)
		return 0;
	if (!why[0])
		snprintf(why, size, "%s", strerror(-err));
	collector__close(c);
	return err;
}

static int open_named(struct collector *c, const struct trace_options *o)
{
	char why[512];
	int err;

	for (size_t i = 0; collectors[i]; i++) {
		if (strcmp(collectors[i]->name, o->backend) != 0)
			continue;
		err = try_open(c, collectors[i], o, why, sizeof(why));
		if (err)
			message_error("%s", why);
		return err;
	}
	message_error("there is no backend '%s'", o->backend);
	return -EINVAL;
}

int collector__open(struct collector *c, const struct trace_options *o)
{
	char first[512] = "", why[512] = "";
	int err = -ENODEV;

	if (o->backend)
		return open_named(c, o);
	for (size_t i = 0; collectors[i]; i++) {
		err = try_open(c, collectors[i], o, i ? why : first, sizeof(why));
		/* Even with -q: nobody should measure with strace without knowing it. */
		if (!err && i)
			message_note("%s; using %s instead, %s", first, collectors[i]->name, costs);
		if (!err)
			return 0;
	}
	message_error("%s", first);
	message_error("%s", why);
	message_note("'iotrace doctor' tells what is missing");
	return err;
}

void collector__close(struct collector *c)
{
	if (c->ops)
		c->ops->close(c);
	c->ops = NULL;
}
