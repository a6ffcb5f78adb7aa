// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/doctor/failure.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/errno_name.h"
#include "base/text.h"
#include "trace/kernel.h"

static bool libbpf_verbose;
static char first_warning[256];
static char last_step[256]; /* The last warning that is about a program or a map. */
static int exhausted;	    /* The errno of the first one that something has run out. 0: none. */

/* Why libbpf finds no BTF is no warning of its. */
static const char why_no_btf[] = "libbpf: loading kernel BTF ";

/* One line, without the name of the speaker. */
static void keep_warning(const char *format, va_list args, enum libbpf_print_level level)
{
	char text[256], name[64];
	const char *start = text, *step;

	vsnprintf(text, sizeof(text), format, args);
	text[strcspn(text, "\n")] = '\0';
	if (!strncmp(start, "libbpf: ", 8))
		start += 8;
	if (!exhausted)
		exhausted = bpf_failure_exhausted(start);
	if (level != LIBBPF_WARN)
		return;
	if (!first_warning[0])
		snprintf(first_warning, sizeof(first_warning), "%s", start);
	bpf_failure_step(start, &step, name, sizeof(name));
	if (*step)
		snprintf(last_step, sizeof(last_step), "%s", start);
}

static int print_libbpf(enum libbpf_print_level level, const char *format, va_list args)
{
	va_list copy;

	if (level == LIBBPF_WARN || !strncmp(format, why_no_btf, strlen(why_no_btf))) {
		va_copy(copy, args);
		keep_warning(format, copy, level);
		va_end(copy);
	}
	if (libbpf_verbose)
		vfprintf(stderr, format, args);
	return 0;
}

void bpf_failure_listen(bool verbose)
{
	libbpf_verbose = verbose;
	first_warning[0] = last_step[0] = '\0';
	exhausted = 0;
	libbpf_set_print(print_libbpf);
}

void bpf_failure_step(const char *said, const char **step, char *name, size_t size)
{
	static const struct {
		const char *begins, *step;
	} steps[] = { { "prog '", "program" }, { "map '", "map" } };

	*step = "";
	name[0] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		size_t len = strlen(steps[i].begins);

		if (strncmp(said, steps[i].begins, len) != 0)
			continue;
		*step = steps[i].step;
		snprintf(name, size, "%.*s", (int)strcspn(said + len, "'"), said + len);
	}
}

/* "loading kernel BTF '/sys/kernel/btf/vmlinux': -24" */
static bool ends_in_number(const char *said, int number)
{
	const char *space = strrchr(said, ' ');

	return space && atoi(space + 1) == number;
}

int bpf_failure_exhausted(const char *said)
{
	static const int errors[] = { ENFILE, EMFILE, ENOMEM };

	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		char name[24];

		format_errno(name, sizeof(name), errors[i]);
		if (strstr(said, strerror(errors[i])) || strstr(said, name) ||
		    ends_in_number(said, -errors[i]))
			return -errors[i];
	}
	return 0;
}

const char *bpf_failure_program(void)
{
	static char name[64];
	const char *step;

	bpf_failure_step(last_step, &step, name, sizeof(name));
	return strcmp(step, "program") ? "" : name;
}

/* The step that failed, and its errno: "program 'marked_exit': Operation not permitted". */
static void tell_step(char *text, size_t size, const struct bpf_failure *f)
{
	char name[200];

	ESCAPE_TEXT(name, f->name);
	snprintf(text, size, "%s%s%s%s%s", f->step, *f->step ? " '" : "", *f->step ? name : "",
		 *f->step ? "': " : "", strerror(-f->err));
}

/* Why it failed and what to do, where that is known; otherwise where to read more. */
static void tell_cause(char *text, size_t size, const struct bpf_failure *f)
{
	static const char more[] = "-v shows all of what libbpf says";
	char said[400];

	if (rights_explain(text, size, &f->rights, f->err))
		return;
	if (limits_explain(text, size, &f->limits, -f->err))
		return;
	if (f->err == -ENOMEM && !strcmp(f->step, "map"))
		snprintf(text, size, "a smaller --max-files needs less; %s", more);
	else if (f->err == -EPERM || f->err == -EACCES)
		snprintf(text, size, "the kernel refuses it, and does not say why; %s", more);
	else if (*f->said && !*f->step)
		snprintf(text, size, "libbpf says: %s; %s", ESCAPE_TEXT(said, f->said), more);
	else
		snprintf(text, size, "%s", more);
}

void bpf_failure_explain(char *why, size_t size, const char *doing, const struct bpf_failure *f)
{
	char step[300], cause[600];

	if (f->btf != BTF_THERE) {
		snprintf(why, size,
			 "%s: " KERNEL_BTF
			 ", which describes the kernel's structures, is not there: %s",
			 doing, kernel_btf_advice(f->btf));
	} else if (f->major && (f->major < 5 || (f->major == 5 && f->minor < 15))) {
		snprintf(why, size, "%s: Linux %u.%u is too old: 5.15 or later is needed", doing,
			 f->major, f->minor);
	} else {
		tell_step(step, sizeof(step), f);
		tell_cause(cause, sizeof(cause), f);
		snprintf(why, size, "%s: %s; %s", doing, step, cause);
	}
}

/* The errno that is to blame for one that libbpf has come to. */
static int first_cause(int err)
{
	int read = 0;

	if ((err == -EINVAL || err == -ESRCH) && exhausted)
		return exhausted;
	/* It has found no BTF. */
	if (err == -ESRCH)
		read = kernel_btf_try();
	return read ? read : err;
}

void bpf_failure_examine(char *why, size_t size, const char *doing, int err)
{
	char name[64];
	struct bpf_failure f = {
		.err = first_cause(err),
		.name = name,
		.btf = kernel_btf_look(),
		.said = first_warning,
	};

	bpf_failure_step(last_step, &f.step, name, sizeof(name));
	limits_look(&f.limits);
	rights_look(&f.rights);
	kernel_version(&f.major, &f.minor);
	bpf_failure_explain(why, size, doing, &f);
}
