// SPDX-License-Identifier: GPL-2.0
/*
 * The table of files: one row each, however many syscalls were about it, those that took most time
 * first. Waits for others are not in that.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errno_name.h"
#include "base/text.h"
#include "model/abi.h"
#include "report/sheets.h"

/* Prints "ext4 append", "deleted ext4", "pipe", or the errno of a failed opening. */
static void cell_kind(char *buf, size_t size, const struct file_stats *f)
{
	/* A block device is named in one file system, but its data is in none, or another. */
	bool named = f->kind == FILE_KIND_REGULAR || f->kind == FILE_KIND_DELETED;
	const char *name = f->kind == FILE_KIND_REGULAR ? "" : file_kind_name(f->kind);
	char flags[32], fstype[72], err[24];

	file_flags_text(flags, f->flags);
	ESCAPE_TEXT(fstype, f->fstype);
	if (f->kind == FILE_KIND_FAILED)
		name = format_errno(err, sizeof(err), f->err);
	snprintf(buf, size, "%s%s%s%s%s%s", name, *name && named ? " " : "", named ? fstype : "",
		 *flags ? " " : "", flags, file_is_stderr(f) ? " stderr" : "");
}

/* Prints "nginx[812]" or "sh +999". Returns 0 or -ENOMEM. */
static int cell_users(char *buf, size_t size, const struct file_stats *f)
{
	/* Where the process is outside this PID namespace, pid keeps this text. */
	char comm[72], pid[16] = "outside";
	uint64_t others = f->more_users;
	struct file_user *users;
	size_t nr;
	int err = file_users_list(f, 1, &users, &nr);

	buf[0] = '\0';
	if (err || !nr) {
		free(users);
		return err;
	}
	ESCAPE_TEXT(comm, users[0].comm);
	if (users[0].pid)
		snprintf(pid, sizeof(pid), "%d", users[0].pid);
	for (size_t i = 0; i < nr; i++)
		others += users[i].processes;
	others -= users[0].processes > 0;
	free(users);
	if (others)
		snprintf(buf, size, "%s +%" PRIu64, comm, others);
	else
		snprintf(buf, size, "%s[%s]", comm, pid);
	return 0;
}

static void add_some(struct sheet *s, enum cell_kind kind, uint64_t value)
{
	if (value)
		sheet_number(s, kind, value);
	else
		sheet_blank(s);
}

static void add_writes(struct sheet *s, const struct file_call *writes)
{
	uint64_t moved = file_call_moved(writes);
	char buf[32];

	add_some(s, CELL_COUNT, writes->calls);
	if (moved)
		sheet_number(s, CELL_BYTES, writes->bytes / moved);
	else
		sheet_blank(s);
	if (!writes->last_byte_known) {
		sheet_blank(s);
		return;
	}
	format_fixed(buf, sizeof(buf),
		     100.0 * (double)writes->newlines / (double)writes->last_byte_known, 0);
	sheet_text(s, strcat(buf, "%"));
}

static void add_file(struct sheet *s, const struct file_stats *file, uint64_t busy_ns)
{
	struct file_call all, writes, opens, syncs;
	char buf[160];

	file_stats_sum(&all, file, NR_SYSCALL_ACTIONS);
	file_stats_sum(&writes, file, ACTION_WRITES);
	file_stats_sum(&opens, file, ACTION_OPENS);
	file_stats_sum(&syncs, file, ACTION_SYNCS);
	format_fixed(buf, sizeof(buf), 100.0 * (double)file->busy_ns / (double)busy_ns, 2);
	sheet_text(s, busy_ns ? buf : NULL);
	add_some(s, CELL_COUNT, all.calls);
	add_some(s, CELL_COUNT, all.errors);
	add_some(s, CELL_COUNT, all.waits);
	add_some(s, CELL_COUNT, opens.calls - opens.errors);
	add_writes(s, &writes);
	add_some(s, CELL_COUNT, syncs.calls);
	if (cell_users(buf, sizeof(buf), file))
		s->failed = true;
	if (*buf)
		sheet_escaped(s, buf);
	else
		sheet_blank(s);
	cell_kind(buf, sizeof(buf), file);
	sheet_escaped(s, buf);
	sheet_code(s, file->path);
}

static bool is_found(const struct findings *findings, const struct file_stats *file)
{
	for (size_t i = 0; i < findings_shown(findings, false); i++)
		if (!strcmp(findings->list[i].path, file->path) &&
		    !strcmp(findings->list[i].kind, file_kind_name(file->kind)))
			return true;
	return false;
}

void sheet_files(struct sheet *s, const struct sheet_source *source)
{
	const struct result *r = source->result;
	bool asked = files_asked(source->options);
	size_t top = asked ? source->options->top_files : 0, nr = 0;
	uint64_t busy_ns = 0;

	sheet_column(s, profile_has_idle(r->profile) ? "% busy" : "% time", false);
	SHEET_COLUMNS(s, 0, "calls", "errors", "waits", "opens", "writes", "B/write", "newline",
		      "syncs");
	SHEET_COLUMNS(s, 3, "used by", "kind", "file");
	for (size_t i = 0; i < r->nr_files; i++)
		busy_ns += r->files[i].busy_ns;
	for (size_t i = 0; i < r->nr_files && (!top || nr < top); i++) {
		if (!asked && !is_found(&r->findings, &r->files[i]))
			continue;
		add_file(s, &r->files[i], busy_ns);
		nr++;
	}
	sheet_drop_blank(s);
}

static void add_call(struct sheet *s, const struct file_stats *f, const struct file_call *c,
		     unsigned unknown)
{
	char buf[160];
	struct file_call opens;

	file_stats_sum(&opens, f, ACTION_OPENS);
	sheet_code(s, f->path);
	sheet_text(s, file_kind_name(f->kind));
	sheet_code(s, *f->fstype ? f->fstype : NULL);
	sheet_code(s, c->name);
	sheet_text(s, abi_name(c->abi));
	for (enum figure_id id = 0; id < NR_FIGURES; id++)
		if (figures[id].scope == SCOPE_BOTH)
			sheet_known(
				s, figures_known_if(figures[id].needs, c->transfers, true, unknown),
				cell_kind_of(id),
				*figure_counter(&figures[id], SCOPE_FILE, (void *)c));
	format_fixed(buf, sizeof(buf), (double)c->newlines / (double)c->last_byte_known, 4);
	sheet_text(s, c->last_byte_known ? buf : NULL);
	sheet_number(s, CELL_COUNT, opens.calls - opens.errors);
	if (cell_users(buf, sizeof(buf), f))
		s->failed = true;
	sheet_escaped(s, unknown & UNKNOWN_USERS ? NULL : buf);
}

/* The counts that files alone have are for JSON. */
void sheet_file_calls(struct sheet *s, const struct sheet_source *source)
{
	const struct result *r = source->result;

	SHEET_COLUMNS(s, 5, "path", "kind", "fstype", "syscall", "abi");
	for (enum figure_id id = 0; id < NR_FIGURES; id++)
		if (figures[id].scope == SCOPE_BOTH)
			sheet_column(s, figures[id].key, false);
	SHEET_COLUMNS(s, 0, "newline_share", "opens");
	SHEET_COLUMNS(s, 1, "users");
	for (size_t i = 0; i < r->nr_files; i++)
		for (size_t c = 0; c < r->files[i].nr_calls; c++)
			add_call(s, &r->files[i], &r->files[i].calls[c], r->profile->unknown);
}
