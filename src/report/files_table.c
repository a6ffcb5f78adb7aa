// SPDX-License-Identifier: GPL-2.0
/* The table of files: one row each, however many syscalls were about it, those that took most time first. */
#include "report/files_table.h"

#include <errno.h>
#include <inttypes.h>
#include <libsmartcols/libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "base/errno_name.h"
#include "base/text.h"
#include "model/files.h"

/* What a row is made from. */
struct file_view {
	const struct file_stats *file;
	struct file_call all, write, open, sync;
	uint64_t total_ns; /* of all files */
	unsigned unknown;
};

static void cell_share(char *buf, size_t size, const struct file_view *v)
{
	if (v->unknown & UNKNOWN_LATENCY || !v->total_ns)
		snprintf(buf, size, "-");
	else
		format_fixed(buf, size, 100.0 * (double)v->all.total_ns / (double)v->total_ns, 2);
}

static void cell_time(char *buf, size_t size, const struct file_view *v)
{
	if (v->unknown & UNKNOWN_LATENCY)
		snprintf(buf, size, "-");
	else
		format_ns(buf, size, v->all.total_ns);
}

static void cell_count(char *buf, size_t size, uint64_t value)
{
	if (value)
		snprintf(buf, size, "%" PRIu64, value);
	else
		buf[0] = '\0';
}

static void cell_calls(char *buf, size_t size, const struct file_view *v)
{
	cell_count(buf, size, v->all.calls);
}

static void cell_errors(char *buf, size_t size, const struct file_view *v)
{
	cell_count(buf, size, v->all.errors);
}

static void cell_opens(char *buf, size_t size, const struct file_view *v)
{
	cell_count(buf, size, v->open.calls - v->open.errors);
}

static void cell_syncs(char *buf, size_t size, const struct file_view *v)
{
	cell_count(buf, size, v->sync.calls);
}

static void cell_writes(char *buf, size_t size, const struct file_view *v)
{
	cell_count(buf, size, v->write.calls);
}

static void cell_write_size(char *buf, size_t size, const struct file_view *v)
{
	uint64_t done = v->write.calls - v->write.errors;

	buf[0] = '\0';
	if (done)
		format_bytes(buf, size, v->write.bytes / done);
}

static void cell_newlines(char *buf, size_t size, const struct file_view *v)
{
	buf[0] = '\0';
	if (v->write.last_byte_known)
		snprintf(buf, size, "%.0f%%",
			 100.0 * (double)v->write.newlines / (double)v->write.last_byte_known);
}

/* "regular ext4 append" */
static void cell_kind(char *buf, size_t size, const struct file_view *v)
{
	const struct file_stats *f = v->file;
	bool named = f->kind == FILE_KIND_REGULAR || f->kind == FILE_KIND_DELETED ||
		     f->kind == FILE_KIND_DIRECTORY;
	char flags[32], fstype[72], name[24] = "";

	file_flags_text(flags, f->flags);
	escape_text(fstype, sizeof(fstype), f->fstype, strlen(f->fstype));
	if (f->kind == FILE_KIND_FAILED)
		format_errno(name, sizeof(name), f->err);
	snprintf(buf, size, "%s%s%s%s%s%s", *name ? name : file_kind_name(f->kind),
		 named ? " " : "", named ? fstype : "", *flags ? " " : "", flags,
		 f->is_stderr ? " stderr" : "");
}

/* "nginx[812]", "sh[5] +999" */
static void cell_users(char *buf, size_t size, const struct file_view *v)
{
	const struct file_stats *f = v->file;
	char comm[72], pid[16] = "outside"; /* of this PID namespace */

	buf[0] = '\0';
	if (!f->nr_users)
		return;
	escape_text(comm, sizeof(comm), f->users[0].comm, strlen(f->users[0].comm));
	if (f->users[0].pid)
		snprintf(pid, sizeof(pid), "%d", f->users[0].pid);
	if (f->nr_users > 1)
		snprintf(buf, size, "%s[%s] +%zu", comm, pid, f->nr_users - 1);
	else
		snprintf(buf, size, "%s[%s]", comm, pid);
}

static const struct {
	const char *heading;
	bool left;
	void (*format)(char *buf, size_t size, const struct file_view *v);
} table_columns[] = {
	{ "% time", false, cell_share },       { "time", false, cell_time },
	{ "calls", false, cell_calls },	       { "errors", false, cell_errors },
	{ "opens", false, cell_opens },	       { "writes", false, cell_writes },
	{ "B/write", false, cell_write_size }, { "newline", false, cell_newlines },
	{ "syncs", false, cell_syncs },	       { "used by", true, cell_users },
	{ "kind", true, cell_kind },
};

#define NR_COLUMNS_SHOWN (sizeof(table_columns) / sizeof(*table_columns))

static int add_row(struct libscols_table *table, const struct file_view *v)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char buf[160], *path;
	int err = line ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < NR_COLUMNS_SHOWN; i++) {
		table_columns[i].format(buf, sizeof(buf), v);
		err = scols_line_set_data(line, i, buf);
	}
	path = escape_text_dup(v->file->path, strlen(v->file->path));
	if (!err)
		err = path ? scols_line_refer_data(line, NR_COLUMNS_SHOWN, path) : -ENOMEM;
	if (err)
		free(path);
	return err;
}

static struct libscols_table *new_table(FILE *out)
{
	struct libscols_table *table = scols_new_table();
	bool failed = !table;

	for (size_t i = 0; !failed && i < NR_COLUMNS_SHOWN; i++)
		failed = !scols_table_new_column(table, table_columns[i].heading, 0,
						 table_columns[i].left ? 0 : SCOLS_FL_RIGHT);
	if (failed || !scols_table_new_column(table, "file", 0, 0) ||
	    scols_table_enable_noencoding(table, 1)) {
		scols_unref_table(table);
		return NULL;
	}
	scols_table_set_stream(table, out);
	/* The same report everywhere, whatever the terminal is like. */
	scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
	scols_table_set_termwidth(table, 65535);
	return table;
}

static int by_time(const void *x, const void *y)
{
	const struct file_view *a = x, *b = y;

	if (a->all.total_ns != b->all.total_ns)
		return b->all.total_ns > a->all.total_ns ? 1 : -1;
	if (a->all.calls != b->all.calls)
		return b->all.calls > a->all.calls ? 1 : -1;
	return strcmp(a->file->path, b->file->path);
}

/* One view to a file, in the order of the table; NULL: no memory. */
static struct file_view *make_views(const struct file_stats *files, size_t nr, unsigned unknown)
{
	struct file_view *views = calloc(nr + 1, sizeof(*views));
	uint64_t total_ns = 0;

	for (size_t i = 0; views && i < nr; i++) {
		struct file_view *v = &views[i];

		v->file = &files[i];
		v->unknown = unknown;
		file_stats_sum(&v->all, v->file, NR_SYSCALL_ACTIONS);
		file_stats_sum(&v->write, v->file, ACTION_WRITES);
		file_stats_sum(&v->open, v->file, ACTION_OPENS);
		file_stats_sum(&v->sync, v->file, ACTION_SYNCS);
		total_ns += v->all.total_ns;
	}
	for (size_t i = 0; views && i < nr; i++)
		views[i].total_ns = total_ns;
	if (views)
		qsort(views, nr, sizeof(*views), by_time);
	return views;
}

static int print_views(FILE *out, const struct file_view *views, size_t nr,
		       const struct render_options *o)
{
	size_t top = o->top_files && o->top_files < nr ? o->top_files : nr;
	struct libscols_table *table = new_table(out);
	uint64_t rest_calls = 0;
	int err = table ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < top; i++)
		err = add_row(table, &views[i]);
	if (!err)
		err = scols_print_table(table);
	scols_unref_table(table);
	for (size_t i = top; i < nr; i++)
		rest_calls += views[i].all.calls;
	if (!err && top < nr)
		fprintf(out, "and %zu more with %" PRIu64 " calls\n", nr - top, rest_calls);
	return err;
}

int render_files(FILE *out, const struct result *r, const struct render_options *o)
{
	const struct profile *p = r->profile;
	struct file_view *views = NULL;
	int err = 0;

	if (r->nr_files) {
		views = make_views(r->files, r->nr_files, p->unknown);
		err = views ? print_views(out, views, r->nr_files, o) : -ENOMEM;
	} else {
		fputs("No call was about a file.\n", out);
	}
	if (p->lost_file_calls)
		fprintf(out, "%" PRIu64 " calls are missing among the files' for want of memory\n",
			p->lost_file_calls);
	if (p->lost_file_users)
		fprintf(out, "%" PRIu64 " users of files are missing for want of memory\n",
			p->lost_file_users);
	free(views);
	return err;
}
