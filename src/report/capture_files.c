// SPDX-License-Identifier: GPL-2.0
#include "report/capture_files.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/profile_files.h"
#include "report/json_figures.h"
#include "report/json_files.h"
#include "report/json_members.h"
#include "report/json_rows.h"
#include "report/json_prediction.h"

static void read_flags(struct file_stats *f, const struct json_node *row)
{
	struct json_node list = json_member(row, "flags");

	for (size_t i = 0, nr = json_list_size(&list); i < nr; i++) {
		struct json_node n = json_element(&list, i);
		const char *word = json_word(&n);
		uint32_t flag = word ? file_flag_parse(word) : 0;

		if (!flag)
			json_fail(&n, -EINVAL, "is no flag of an open file");
		f->flags |= flag;
	}
}

static void read_users(struct file_stats *f, const struct json_node *row)
{
	struct json_node list = json_member(row, "users");
	size_t nr = json_list_size(&list);

	if (nr > CAPTURE_USERS)
		json_fail(&list, -EINVAL, "has more than %d users", CAPTURE_USERS);
	for (size_t i = 0; i < nr && !list.reader->err; i++) {
		struct json_node n = json_element(&list, i);
		struct file_user *user = array_append(&f->users, &f->nr_users, sizeof(*user));

		if (!user) {
			json_fail(&n, -ENOMEM, "no memory");
			return;
		}
		user->pid = (pid_t)json_member_if_known(&n, "pid");
		json_member_text_into(&n, "comm", user->comm, sizeof(user->comm));
		user->calls = json_member_number(&n, "calls");
	}
	f->more_users = json_member_number(row, "more_users");
}

/* Captures of an iotrace that did not know it lack it. */
static enum language read_language(const struct json_node *row)
{
	enum language l = LANGUAGE_UNKNOWN;
	struct json_node n;
	const char *name;

	if (!json_has(row, "language"))
		return l;
	n = json_member(row, "language");
	name = json_is_none(&n) ? NULL : json_word(&n);
	if (!name)
		return l;
	l = language_parse(name);
	if (l != NR_LANGUAGES)
		return l;
	json_fail(&n, -EINVAL, "is no language that iotrace knows");
	return LANGUAGE_UNKNOWN;
}

static void read_file(struct file_stats *f, const struct json_node *row, unsigned unknown)
{
	struct json_node kind = json_member(row, "kind"), fstype = json_member(row, "fstype");
	struct json_node path = json_member(row, "path");
	const char *name = json_word(&kind);

	f->path = json_text(&path);
	f->cut = json_member_bool(row, "cut");
	f->kind = name ? file_kind_parse(name) : FILE_KIND_OTHER;
	if (f->kind == NR_FILE_KINDS) {
		json_fail(&kind, -EINVAL, "is no kind of file");
		f->kind = FILE_KIND_OTHER;
	}
	if (!json_is_none(&fstype))
		json_member_text_into(row, "fstype", f->fstype, sizeof(f->fstype));
	read_flags(f, row);
	if (json_member_bool(row, "stderr"))
		f->written_by = WRITTEN_BY_STDERR;
	else if (json_has(row, "stdout") && json_member_bool(row, "stdout"))
		f->written_by = WRITTEN_BY_STDOUT;
	f->err = (int)json_member_if_known(row, "code");
	if (!(unknown & UNKNOWN_USERS))
		read_users(f, row);
	if (json_has(row, "inodes"))
		f->inodes = json_member_known(row, "inodes", true);
	if (json_has(row, "processes"))
		f->processes = json_member_known(row, "processes", !(unknown & UNKNOWN_USERS));
	json_read_busy(&f->busy, row);
	f->language = read_language(row);
}

static void read_call(struct file_call *c, const struct json_node *row, unsigned unknown)
{
	json_member_text_into(row, "syscall", c->name, sizeof(c->name));
	c->transfers = json_member_bool(row, "transfers");
	json_read_figures(row, SCOPE_FILE, c, c->transfers, unknown);
}

/* The file of a row: that of the row before, or another one. NULL after an error. */
static struct file_stats *file_of_row(struct profile *p, const struct json_node *row)
{
	uint32_t id = (uint32_t)json_member_int(row, "file");
	struct file_stats *f = p->nr_files ? &p->files[p->nr_files - 1] : NULL;

	if (row->reader->err)
		return NULL;
	if (f && f->id == id)
		return f;
	f = array_append(&p->files, &p->nr_files, sizeof(*f));
	if (!f) {
		json_fail(row, -ENOMEM, "no memory");
		return NULL;
	}
	f->id = id;
	read_file(f, row, p->unknown);
	return f;
}

static void read_row(struct profile *p, const struct json_node *row)
{
	struct file_stats *f = file_of_row(p, row);
	enum iotrace_abi abi = json_member_abi(row);
	int nr = json_member_int(row, "nr");
	struct file_call *c;
	size_t before;

	if (!f || row->reader->err)
		return;
	before = f->nr_calls;
	c = file_stats_call(f, abi, nr);
	if (!c)
		json_fail(row, -ENOMEM, "no memory");
	else if (f->nr_calls == before)
		json_fail(row, -EINVAL, "is in the list twice");
	else
		read_call(c, row, p->unknown);
}

static int by_id(const void *x, const void *y)
{
	const struct file_stats *a = x, *b = y;

	return (a->id > b->id) - (a->id < b->id);
}

static void sort_files(struct profile *p, const struct json_node *list)
{
	if (p->nr_files)
		qsort(p->files, p->nr_files, sizeof(*p->files), by_id);
	for (size_t i = 1; i < p->nr_files; i++)
		if (p->files[i].id == p->files[i - 1].id)
			json_fail(list, -EINVAL, "the rows of a file must follow each other");
}

void capture_read_files(struct profile *p, const struct json_node *root)
{
	struct json_node list = json_member(root, LONG_LIST_FILES), missing, row;
	struct json_rows rows;
	int err = 0;

	if (json_is_none(&list)) {
		p->unknown |= UNKNOWN_FILES;
		return;
	}
	json_rows_begin(&rows, &list);
	while (json_rows_next(&rows, &row))
		read_row(p, &row);
	sort_files(p, &list);
	if (!list.reader->err)
		err = profile_check_files(p);
	if (err)
		json_fail(&list, err,
			  err == -ENOMEM ? "no memory"
					 : "the files' figures add up to more than the syscalls'");
	missing = json_member(root, "files_missing");
	p->misplaced_calls = json_member_number(&missing, "calls");
	p->lost_file_users = json_member_number(&missing, "users");
}
