// SPDX-License-Identifier: GPL-2.0
/* What the renderers share: their list, and figures for people. */
#define _GNU_SOURCE 1 /* strerrorname_np() */
#include "render.h"

#include <inttypes.h>
#include <locale.h>
#include <string.h>

const struct renderer *const renderers[] = {
	&render_table,	  &render_strace, &render_json,	    &render_csv, &render_tsv,
	&render_markdown, &render_latex,  &render_asciidoc, NULL,
};

const char *abi_name(enum iotrace_abi abi)
{
	static const char *const names[NR_ABIS] = { "64", "32", "x32" };

	return names[abi];
}

unsigned render_sections(const struct renderer *r, const struct render_options *o)
{
	return r->sections & (o->sections ? o->sections : r->default_sections);
}

bool render_histogram_wanted(const struct render_options *o, const struct syscall_stats *s)
{
	if (o->histogram != HISTOGRAM_LISTED)
		return o->histogram == HISTOGRAM_ALL;
	for (char **name = o->histogram_names; name && *name; name++) {
		if (!strncmp(*name, s->name, sizeof(s->name)))
			return true;
	}
	return false;
}

const char *render_name(char *buf, const char *name, enum iotrace_abi abi)
{
	escape_text(buf, CELL_SIZE, name, strnlen(name, sizeof(((struct syscall_stats *)0)->name)));
	/* CELL_SIZE has no room to spare for a name of bytes that are all escaped. */
	if (abi != ABI_64)
		snprintf(buf + strlen(buf), CELL_SIZE - strlen(buf), "@%s", abi_name(abi));
	return buf;
}

size_t render_rows(const struct syscall_stats **rows, const struct profile *p, enum iotrace_abi abi,
		   enum column_id sort)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_syscalls; i++) {
		if (p->syscalls[i].abi == abi && p->syscalls[i].calls)
			rows[nr++] = &p->syscalls[i];
	}
	column_sort(rows, nr, sort);
	return nr;
}

/* value / unit, rounded half up, where value + unit might not fit. */
static uint64_t divide_rounded(uint64_t value, uint64_t unit)
{
	return value / unit + (value % unit >= unit - unit / 2);
}

/* n / 10^decimals without zeros at its end. */
static void format_decimals(char *buf, size_t size, uint64_t n, int decimals, const char *unit)
{
	for (; decimals && n % 10 == 0; decimals--)
		n /= 10;
	if (decimals == 2)
		snprintf(buf, size, "%" PRIu64 ".%02u%s", n / 100, (unsigned)(n % 100), unit);
	else if (decimals == 1)
		snprintf(buf, size, "%" PRIu64 ".%u%s", n / 10, (unsigned)(n % 10), unit);
	else
		snprintf(buf, size, "%" PRIu64 "%s", n, unit);
}

const char *format_ns(char *buf, size_t size, uint64_t ns)
{
	static const struct {
		uint64_t step; /* ns to the last digit */
		int decimals;
		const char *unit;
	} scales[] = {
		{ 10, 2, "us" },      { 100, 1, "us" },	     { 1000, 0, "us" },
		{ 10000, 2, "ms" },   { 100000, 1, "ms" },   { 1000000, 0, "ms" },
		{ 10000000, 2, "s" }, { 100000000, 1, "s" }, { 1000000000, 0, "s" },
	};
	size_t i = 0;

	if (ns < 1000) {
		snprintf(buf, size, "%" PRIu64 "ns", ns);
		return buf;
	}
	while (i < 8 && divide_rounded(ns, scales[i].step) >= 1000)
		i++;
	format_decimals(buf, size, divide_rounded(ns, scales[i].step), scales[i].decimals,
			scales[i].unit);
	return buf;
}

const char *format_bytes(char *buf, size_t size, uint64_t bytes)
{
	static const char *const units[] = { "kB", "MB", "GB", "TB", "PB", "EB" };
	uint64_t unit = 1000, n;

	if (bytes < 1000) {
		snprintf(buf, size, "%" PRIu64 " B", bytes);
		return buf;
	}
	for (size_t u = 0; u < sizeof(units) / sizeof(*units); u++, unit *= 1000) {
		n = divide_rounded(bytes, unit / 10);
		if (n < 1000) {
			snprintf(buf, size, "%u.%u %s", (unsigned)(n / 10), (unsigned)(n % 10),
				 units[u]);
			return buf;
		}
		n = divide_rounded(bytes, unit);
		if (n < 1000) {
			snprintf(buf, size, "%u %s", (unsigned)n, units[u]);
			return buf;
		}
	}
	return buf;
}

/* Results that programs never see: the kernel restarts the call, or makes EINTR or ENOTTY of them. */
static const char *kernel_errno_name(int err)
{
	static const char *const names[] = {
		"ERESTARTSYS",		 "ERESTARTNOINTR", "ERESTARTNOHAND", "ENOIOCTLCMD",
		"ERESTART_RESTARTBLOCK", "EPROBE_DEFER",   "EOPENSTALE",     "ENOPARAM",
	};
	static const char *const nfs_names[] = {
		"EBADHANDLE",  "ENOTSYNC",	  "EBADCOOKIE", "ENOTSUPP",
		"ETOOSMALL",   "ESERVERFAULT",	  "EBADTYPE",	"EJUKEBOX",
		"EIOCBQUEUED", "ERECALLCONFLICT", "ENOGRACE",
	};

	if (err >= 512 && err < 520)
		return names[err - 512];
	if (err >= 521 && err < 532)
		return nfs_names[err - 521];
	return NULL;
}

const char *format_errno(char *buf, size_t size, int err)
{
	const char *name = strerrorname_np(err);

	if (!name)
		name = kernel_errno_name(err);
	if (name)
		snprintf(buf, size, "%s", name);
	else
		snprintf(buf, size, "errno %d", err);
	return buf;
}

const char *format_fixed(char *buf, size_t size, double value, int decimals)
{
	/* The C library's own constant: nothing to fail, nothing to free. */
	locale_t before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));

	snprintf(buf, size, "%.*f", decimals, value);
	uselocale(before);
	return buf;
}
