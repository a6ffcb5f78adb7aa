// SPDX-License-Identifier: GPL-2.0
#include "report/json_files.h"

#include "base/errno_name.h"
#include "model/abi.h"
#include "report/json_figures.h"
#include "report/json_prediction.h"

static void put_flags(struct json_object *o, uint32_t flags)
{
	const char *words[NR_FILE_FLAGS + 1];

	file_flag_words(words, flags);
	json_put_words(o, "flags", (char *const *)words);
}

static void put_users(struct json_object *o, const struct file_stats *f, bool known)
{
	size_t listed = f->nr_users < CAPTURE_USERS ? f->nr_users : CAPTURE_USERS;
	json_t *list = known ? json_array() : json_null();

	for (size_t i = 0; i < listed; i++) {
		struct json_object user = json_object_new();

		json_put_text(&user, "comm", f->users[i].comm);
		json_put_number(&user, "pid", f->users[i].pid, (uint64_t)f->users[i].pid);
		json_put_number(&user, "calls", true, f->users[i].calls);
		json_append(list, &user, &o->err);
	}
	json_put(o, "users", list);
	json_put_number(o, "more_users", known, f->nr_users - listed + f->more_users);
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
	json_put_text(o, "errno", f->err ? format_errno(buf, sizeof(buf), f->err) : NULL);
	json_put_number(o, "code", f->err, (uint64_t)f->err);
	json_put_number(o, "opens", true, opens.calls - opens.errors);
	put_users(o, f, !(unknown & UNKNOWN_USERS));
	json_put_number(o, "inodes", f->inodes, f->inodes);
	json_put_number(o, "processes", !(unknown & UNKNOWN_USERS), f->processes);
	json_put_busy(o, &f->busy);
	json_put_text(o, "language", f->language ? language_name(f->language) : NULL);
}

static void put_newline_share(struct json_object *o, const struct file_call *c)
{
	json_put(o, "newline_share",
		 c->last_byte_known ? json_real((double)c->newlines / (double)c->last_byte_known)
				    : json_null());
}

static void put_call(struct json_object *o, const struct file_call *c, unsigned unknown)
{
	json_put_text(o, "syscall", c->name);
	json_put_text(o, "abi", abi_name(c->abi));
	json_put_number(o, "nr", true, (uint64_t)c->nr);
	json_put(o, "transfers", json_boolean(c->transfers));
	for (enum figure_id id = 0; id < NR_FIGURES; id++) {
		if (id == FIGURE_last_byte_known)
			put_newline_share(o, c);
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
			err = hand(to, &row);
			json_decref(row.json);
		}
	return err;
}

void json_put_files(struct json_object *o, const struct result *r)
{
	unsigned unknown = r->profile->unknown;
	struct json_object missing;

	if (unknown & UNKNOWN_FILES) {
		json_put(o, "files", json_null());
		return;
	}
	json_put(o, "files", json_array());
	missing = json_object_new();
	json_put_number(&missing, "calls", true, r->profile->misplaced_calls);
	json_put_number(&missing, "users", true, r->profile->lost_file_users);
	json_put_object(o, "files_missing", &missing);
}

static void put_range(struct json_object *o, const char *key, bool known, const struct range *r,
		      bool whole)
{
	struct json_object range = json_object_new();

	if (!known) {
		json_decref(range.json);
		json_put(o, key, json_null());
		return;
	}
	if (whole) {
		json_put_number(&range, "low", true, (uint64_t)r->low);
		json_put_number(&range, "high", true, (uint64_t)r->high);
	} else {
		json_put(&range, "low", json_real(r->low));
		json_put(&range, "high", json_real(r->high));
	}
	json_put_object(o, key, &range);
}

/* Our own words, in which text from elsewhere is escaped already. */
static void put_sentence(struct json_object *o, const char *key, const char *text)
{
	json_put(o, key, text ? json_string(text) : json_null());
}

static void put_finding(struct json_object *o, const struct finding *f, bool waits_known)
{
	json_put_text(o, "id", f->id);
	json_put_text(o, "severity", severity_name(f->severity));
	json_put_text(o, "path", f->path);
	json_put_number(o, "files", true, f->files);
	json_put_text(o, "kind", f->kind);
	json_put_number(o, "calls", true, f->calls);
	json_put_number(o, "wait_ns", waits_known, f->wait_ns);
	json_put_number(o, "predicted_calls", f->predicted, f->predicted_calls);
	put_range(o, "predicted_saving_ns", f->gain.known, &f->gain.syscall_ns, true);
	put_range(o, "predicted_wall_saving_ns", f->gain.known, &f->gain.wall_ns, true);
	put_range(o, "predicted_share", f->gain.known, &f->gain.share, false);
	put_sentence(o, "basis", f->basis);
	put_sentence(o, "reason", f->reason);
	put_sentence(o, "evidence", f->evidence);
	put_sentence(o, "advice", f->advice);
	put_sentence(o, "caveat", f->caveat);
}

void json_put_findings(struct json_object *o, const struct result *r)
{
	json_t *list = r->profile->unknown & UNKNOWN_FILES ? json_null() : json_array();
	bool waits_known = !(r->profile->unknown & (UNKNOWN_LATENCY | UNKNOWN_WAITS));

	for (size_t i = 0; i < r->findings.nr; i++) {
		struct json_object finding = json_object_new();

		put_finding(&finding, &r->findings.list[i], waits_known);
		json_append(list, &finding, &o->err);
	}
	json_put(o, "findings", list);
}
