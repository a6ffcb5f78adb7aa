// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/errno_name.h"
#include "model/profile_files.h"
#include "report/json_figures.h"
#include "report/json_file.h"
#include "report/json_members.h"
#include "report/json_sections.h"

/* The most users of a file that are listed. The others are only counted. */
#define CAPTURE_USERS 4
/* The same of groups. */
#define CAPTURE_GROUPS 4

/* ---- writing ---- */

static void put_flags(struct json_object *o, uint32_t flags)
{
	const char *words[NR_FILE_FLAGS + 1];

	file_flag_words(words, flags);
	json_put_words(o, "flags", (char *const *)words);
}

static void put_users(struct json_object *o, const struct file_stats *f, bool known)
{
	json_t *list = known ? json_array() : json_null();
	struct file_user *users;
	size_t nr, listed;
	int err = file_users_list(f, CAPTURE_USERS, &users, &nr);

	listed = nr < CAPTURE_USERS ? nr : CAPTURE_USERS;
	for (size_t i = 0; i < listed; i++) {
		struct json_object user = json_object_new();

		json_put_text(&user, "comm", users[i].comm);
		json_put_number(&user, "pid", users[i].pid, (uint64_t)users[i].pid);
		json_put_number(&user, "processes", true, users[i].processes);
		json_put_number(&user, "calls", true, users[i].calls);
		json_append(list, &user, &o->err);
	}
	free(users);
	if (err)
		o->err = err;
	json_put(o, "users", list);
	json_put_number(o, "more_users", known, nr - listed + f->more_users);
}

/* Puts the groups (--by) that made most of the calls. */
static void put_groups(struct json_object *o, const struct file_stats *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->nr_groups && i < CAPTURE_GROUPS; i++) {
		struct json_object group = json_object_new();

		json_put_number(&group, "id", true, f->groups[i].id);
		json_put_number(&group, "calls", true, f->groups[i].calls);
		json_append(list, &group, &o->err);
	}
	json_put(o, "groups", list);
}

/* Writes the members that all rows of a file share. */
static void put_file(struct json_object *o, const struct file_stats *f, unsigned unknown)
{
	struct file_call opens;
	char buf[24];

	file_stats_sum(&opens, f, ACTION_OPENS);
	json_put_number(o, "file", true, f->id);
	json_put_text(o, "path", f->path);
	json_put(o, "cut", json_boolean(f->cut));
	json_put_text(o, "kind", file_kind_name(f->kind));
	json_put_text(o, "fstype", *f->fstype ? f->fstype : NULL);
	put_flags(o, f->flags);
	json_put(o, "stderr", json_boolean(file_is_stderr(f)));
	json_put(o, "stdout", json_boolean(file_is_stdout(f)));
	json_put(o, "both_outputs", json_boolean(file_is_both_outputs(f)));
	json_put_text(o, "errno", f->err ? format_errno(buf, sizeof(buf), f->err) : NULL);
	json_put_number(o, "code", f->err, (uint64_t)f->err);
	json_put_number(o, "size", f->size, f->size);
	json_put_number(o, "opens", true, opens.calls - opens.errors);
	put_users(o, f, !(unknown & UNKNOWN_USERS));
	if (f->nr_groups)
		put_groups(o, f);
	json_put_number(o, "inodes", f->inodes, f->inodes);
	json_put_number(o, "processes", !(unknown & UNKNOWN_USERS), f->processes);
	json_put_busy(o, &f->busy);
	json_put_text(o, "language", f->language ? languages[f->language].name : NULL);
	json_put_text(o, "logger", f->logger ? loggers[f->logger].name : NULL);
	json_put(o, "by_threads", json_boolean(f->by_threads));
}

static void put_call(struct json_object *o, const struct file_call *c, unsigned unknown)
{
	json_put_call(o, "syscall", c->name, c->abi, c->nr);
	json_put(o, "transfers", json_boolean(c->transfers));
	for (enum figure_id id = 0; id < NR_FIGURES; id++) {
		if (id == FIGURE_last_byte_known)
			json_put_real(o, "newline_share",
				      (double)c->newlines / (double)c->last_byte_known);
		if (figures[id].scope & SCOPE_FILE)
			json_put_figure(o, id, SCOPE_FILE, c, c->transfers, unknown);
	}
	for (enum histogram_id id = 0; id < NR_HISTOGRAMS; id++)
		if (figure_histograms[id].scope & SCOPE_FILE)
			json_put_figure_histogram(o, id, SCOPE_FILE, c, c->transfers, unknown);
}

int json_each_file_row(const void *result, int (*hand)(void *to, struct json_object *row), void *to)
{
	const struct result *r = result;
	unsigned unknown = r->profile->unknown;
	int err = 0;

	for (size_t i = 0; i < r->nr_files; i++)
		for (size_t c = 0; !err && c < r->files[i].nr_calls; c++) {
			struct json_object row = json_object_new();

			put_file(&row, &r->files[i], unknown);
			put_call(&row, &r->files[i].calls[c], unknown);
			if (r->profile->stacks.samples)
				json_put_sites(&row, &r->files[i], &r->files[i].calls[c]);
			err = hand(to, &row);
			json_decref(row.json);
		}
	return err;
}

void json_put_files(struct json_object *o, const struct result *r)
{
	struct json_object missing;

	if (r->profile->unknown & UNKNOWN_FILES) {
		json_put(o, "files", json_null());
		return;
	}
	json_put(o, "files", json_array());
	missing = json_object_new();
	json_put_number(&missing, "calls", true, r->profile->misplaced_calls);
	json_put_number(&missing, "users", true, r->profile->lost_file_users);
	json_put_object(o, "files_missing", true, &missing);
}

/* ---- reading ---- */

static void read_flags(struct file_stats *f, const struct json_node *row)
{
	struct json_node list = json_member(row, "flags");

	json_for_each (n, &list) {
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

	if (json_list_size(&list) > CAPTURE_USERS)
		json_fail(&list, -EINVAL, "has more than %d users", CAPTURE_USERS);
	json_for_each (n, &list) {
		struct file_user *user = array_append(&f->users, &f->nr_users, sizeof(*user));

		if (!user) {
			json_fail(&n, -ENOMEM, "no memory");
			return;
		}
		user->pid = (pid_t)json_member_if_known(&n, "pid");
		json_member_text_into(&n, "comm", user->comm, sizeof(user->comm));
		user->calls = json_member_number(&n, "calls");
		user->processes = 1; /* Older captures lack it. */
		if (json_has(&n, "processes"))
			user->processes = json_member_number(&n, "processes");
	}
	f->more_users = json_member_number(row, "more_users");
}

static void read_groups(struct file_stats *f, const struct json_node *row)
{
	struct json_node list = json_optional(row, "groups"); /* Older captures lack it. */

	if (json_is_none(&list))
		return;
	if (json_list_size(&list) > CAPTURE_GROUPS)
		json_fail(&list, -EINVAL, "has more than %d groups", CAPTURE_GROUPS);
	json_for_each (n, &list) {
		struct json_node id = json_member(&n, "id");
		struct file_group group = {
			(uint32_t)json_number_within(&id, GROUP_OTHER, UINT32_MAX),
			json_member_number(&n, "calls"),
		};

		if (file_groups_append(&f->groups, &f->nr_groups, &group, 1))
			json_fail(&n, -ENOMEM, "no memory");
	}
}

static enum logger read_logger(const struct json_node *row)
{
	struct json_node n = json_optional(row, "logger");
	const char *name = json_is_none(&n) ? NULL : json_word(&n);
	enum logger l = name ? logger_parse(name) : LOGGER_NONE;

	if (l != NR_LOGGERS)
		return l;
	json_fail(&n, -EINVAL, "is no logger that iotrace knows");
	return LOGGER_NONE;
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
	else if (json_has(row, "both_outputs") && json_member_bool(row, "both_outputs"))
		f->written_by = WRITTEN_BY_STDOUT | WRITTEN_BY_STDERR;
	f->err = (int)json_member_if_known(row, "code");
	if (json_has(row, "size")) /* Older captures lack it. */
		f->size = json_member_if_known(row, "size");
	if (!(unknown & UNKNOWN_USERS))
		read_users(f, row);
	read_groups(f, row);
	f->inodes = json_member_if_there(row, "inodes");
	if (json_has(row, "processes"))
		f->processes = json_member_known(row, "processes", !(unknown & UNKNOWN_USERS));
	json_read_busy(&f->busy, row);
	f->language = json_member_language(row);
	f->logger = read_logger(row);
	f->by_threads = json_has(row, "by_threads") && json_member_bool(row, "by_threads");
}

static void read_call(struct file_call *c, const struct json_node *row, unsigned unknown)
{
	json_member_text_into(row, "syscall", c->name, sizeof(c->name));
	c->transfers = json_member_bool(row, "transfers");
	json_read_figures(row, SCOPE_FILE, c, c->transfers, unknown);
}

/* Returns the file of a row: that of the row before, or another one. NULL after an error. */
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
	p->unknown |= json_figures_lacking(row, SCOPE_FILE);
	before = f->nr_calls;
	c = file_stats_call(f, abi, nr);
	if (!c)
		json_fail(row, -ENOMEM, "no memory");
	else if (f->nr_calls == before)
		json_fail(row, -EINVAL, "is in the list twice");
	else
		read_call(c, row, p->unknown);
	if (c)
		json_read_sites(f, row, c, &p->stacks);
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

void json_read_files(struct profile *p, const struct json_node *root)
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
