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

/* One line, without the name of the speaker. */
static void keep_warning(const char *format, va_list args)
{
	char text[256];
	const char *start = text;

	vsnprintf(text, sizeof(text), format, args);
	if (!strncmp(start, "libbpf: ", 8))
		start += 8;
	snprintf(first_warning, sizeof(first_warning), "%.*s", (int)strcspn(start, "\n"), start);
}

static int print_libbpf(enum libbpf_print_level level, const char *format, va_list args)
{
	va_list copy;

	if (level == LIBBPF_WARN && !first_warning[0]) {
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
	first_warning[0] = '\0';
	libbpf_set_print(print_libbpf);
}

static void explain_in_general(char *why, size_t size, const char *doing,
			       const struct bpf_failure *f)
{
	char said[400];

	ESCAPE_TEXT(said, f->said);
	snprintf(why, size, "%s: %s%s%s%s; -v shows all of what libbpf says", doing,
		 strerror(-f->err), said[0] ? " (" : "", said, said[0] ? ")" : "");
}

void bpf_failure_explain(char *why, size_t size, const char *doing, const struct bpf_failure *f)
{
	static const char locked_down[] = " (root, but BPF is locked down here: a container, a "
					  "user namespace, or lockdown=confidentiality)";

	if (!f->sysfs)
		snprintf(why, size,
			 "%s: %s, which describes the kernel's structures, is not there because "
			 "/sys "
			 "is not mounted: 'mount -t sysfs sysfs /sys' brings it",
			 doing, btf_path);
	else if (!f->btf)
		snprintf(why, size,
			 "%s: this kernel has no BTF (%s): it needs CONFIG_DEBUG_INFO_BTF=y", doing,
			 btf_path);
	else if (f->major && (f->major < 5 || (f->major == 5 && f->minor < 15)))
		snprintf(why, size, "%s: Linux %u.%u is too old: 5.15 or later is needed", doing,
			 f->major, f->minor);
	else if (f->err == -EPERM || f->err == -EACCES)
		snprintf(
			why, size,
			"%s: not permitted: run it with sudo, or give it CAP_BPF and CAP_PERFMON%s",
			doing, f->root ? locked_down : "");
	else if (f->err == -ENOMEM)
		snprintf(why, size,
			 "%s: not enough memory that may be locked: raise it with 'ulimit -l "
			 "unlimited'",
			 doing);
	else if (f->err == -EMFILE)
		snprintf(why, size,
			 "%s: too many open files: %lu are allowed; raise it with 'ulimit -n 1024'",
			 doing, f->max_files);
	else
		explain_in_general(why, size, doing, f);
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
	struct bpf_failure f = {
		.err = err,
		.btf = access(btf_path, R_OK) == 0,
		.root = geteuid() == 0,
		.said = first_warning,
	};

	f.sysfs = f.btf || has_sysfs();
	kernel_version(&f.major, &f.minor);
	getrlimit(RLIMIT_NOFILE, &files);
	f.max_files = files.rlim_cur;
	bpf_failure_explain(why, size, doing, &f);
}
