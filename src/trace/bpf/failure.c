// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/failure.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <linux/magic.h>
#include <unistd.h>

#include "base/text.h"
#include "trace/kernel.h"

static const char btf_path[] = "/sys/kernel/btf/vmlinux";

static bool libbpf_verbose;
static char first_warning[256];
static char last_step[256]; /* the last warning that is about a program or a map */

/* One line, without the name of the speaker. */
static void keep_warning(const char *format, va_list args)
{
	char text[256], name[64];
	const char *start = text, *step;

	vsnprintf(text, sizeof(text), format, args);
	text[strcspn(text, "\n")] = '\0';
	if (!strncmp(start, "libbpf: ", 8))
		start += 8;
	if (!first_warning[0])
		snprintf(first_warning, sizeof(first_warning), "%s", start);
	bpf_failure_step(start, &step, name, sizeof(name));
	if (*step)
		snprintf(last_step, sizeof(last_step), "%s", start);
}

static int print_libbpf(enum libbpf_print_level level, const char *format, va_list args)
{
	va_list copy;

	if (level == LIBBPF_WARN) {
		va_copy(copy, args);
		keep_warning(format, copy);
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
	libbpf_set_print(print_libbpf);
}

void bpf_failure_step(const char *said, const char **step, char *name, size_t size)
{
	static const struct {
		const char *begins, *step;
	} steps[] = { { "prog '", "program" }, { "map '", "map" } };

	*step = "";
	name[0] = '\0';
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		size_t len = strlen(steps[i].begins);

		if (strncmp(said, steps[i].begins, len) != 0)
			continue;
		*step = steps[i].step;
		snprintf(name, size, "%.*s", (int)strcspn(said + len, "'"), said + len);
	}
}

const char *bpf_failure_program(void)
{
	static char name[64];
	const char *step;

	bpf_failure_step(last_step, &step, name, sizeof(name));
	return strcmp(step, "program") ? "" : name;
}

/* The step that failed, and its errno: "program 'sys_exit': Operation not permitted". */
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
	if (f->err == -EMFILE)
		snprintf(text, size, "%lu are allowed; raise it with 'ulimit -n 1024'",
			 f->max_files);
	else if (f->err == -ENOMEM && !strcmp(f->step, "map"))
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

	if (!f->sysfs) {
		snprintf(why, size,
			 "%s: %s, which describes the kernel's structures, is not there because "
			 "/sys is not mounted: 'mount -t sysfs sysfs /sys' brings it",
			 doing, btf_path);
	} else if (!f->btf) {
		snprintf(why, size,
			 "%s: this kernel has no BTF (%s): it needs CONFIG_DEBUG_INFO_BTF=y", doing,
			 btf_path);
	} else if (f->major && (f->major < 5 || (f->major == 5 && f->minor < 15))) {
		snprintf(why, size, "%s: Linux %u.%u is too old: 5.15 or later is needed", doing,
			 f->major, f->minor);
	} else {
		tell_step(step, sizeof(step), f);
		tell_cause(cause, sizeof(cause), f);
		snprintf(why, size, "%s: %s; %s", doing, step, cause);
	}
}

/* Is sysfs mounted at /sys? */
static bool has_sysfs(void)
{
	struct statfs fs;

	return !statfs("/sys", &fs) && fs.f_type == SYSFS_MAGIC;
}

void bpf_failure_examine(char *why, size_t size, const char *doing, int err)
{
	struct rlimit files = { 0 };
	char name[64];
	struct bpf_failure f = {
		.err = err,
		.name = name,
		.btf = access(btf_path, R_OK) == 0,
		.said = first_warning,
	};

	bpf_failure_step(last_step, &f.step, name, sizeof(name));
	f.sysfs = f.btf || has_sysfs();
	rights_look(&f.rights);
	kernel_version(&f.major, &f.minor);
	getrlimit(RLIMIT_NOFILE, &files);
	f.max_files = files.rlim_cur;
	bpf_failure_explain(why, size, doing, &f);
}
