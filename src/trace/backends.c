// SPDX-License-Identifier: GPL-2.0
#include "trace/backends.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/message.h"

const struct collector_ops *const collectors[] = { &collector_bpf, &collector_strace, NULL };

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
		snprintf(why, size, "%s", explain_errno(-err));
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

/* Opens one of the rows from this one on. first says why the first row of all cannot be used. */
static int open_from(struct collector *c, const struct trace_options *o, size_t row,
		     const char *first)
{
	char why[512] = "";
	int err = -ENODEV;

	for (size_t i = row; collectors[i]; i++) {
		err = try_open(c, collectors[i], o, why, sizeof(why));
		if (err)
			continue;
		/* Nobody should measure with strace without knowing it, even with -q. */
		message_note("%s; using %s instead, %s", first, collectors[i]->name,
			     collectors[i]->costs);
		return 0;
	}
	message_error("%s", first);
	if (*why)
		message_error("%s", why);
	message_note("'iotrace doctor' tells what is missing");
	return err;
}

int collector__open(struct collector *c, const struct trace_options *o)
{
	char why[512];

	if (o->backend)
		return open_named(c, o);
	return try_open(c, collectors[0], o, why, sizeof(why)) ? open_from(c, o, 1, why) : 0;
}

int collector__open_next(struct collector *c, const struct trace_options *o, const char *why)
{
	size_t row = 0;

	while (collectors[row] != c->ops)
		row++;
	collector__close(c);
	if (!o->backend && collectors[row + 1])
		return open_from(c, o, row + 1, why);
	message_error("%s", why);
	return -ENODEV;
}
