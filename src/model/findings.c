// SPDX-License-Identifier: GPL-2.0
#include "model/findings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "model/rules/rule.h"

/* Text reports show this many findings and count the rest. */
#define MAX_SHOWN 5

/* The last one asks whether those before it explain a call. */
static const struct rule *const rules[] = {
	&rule_sync_per_write, &rule_reopen_per_record,
	&rule_reread,	      &rule_flush_per_line,
	&rule_tiny_writes,    &rule_tiny_reads,
	&rule_write_errors,   &rule_short_writes,
	&rule_path_storm,     &rule_tiny_copies,
	&rule_rewrite,	      &rule_futile_closes,
	&rule_delayed_writes, &rule_looks,
	&rule_msync,	      &rule_temporary,
	&rule_busy_reads,     &rule_futile_seeks,
	&rule_taken,	      &rule_processes,
	&rule_isatty,	      &rule_costly,
};

#define NR_RULES ARRAY_SIZE(rules)

const char *findings_id(size_t i)
{
	return i < NR_RULES ? rules[i]->id : NULL;
}

const char *severity_name(enum severity severity)
{
	static const char *const names[NR_SEVERITIES] = { "info", "low", "medium", "high" };

	return names[severity];
}

void finding_free(struct finding *f)
{
	free(f->path);
	free(f->evidence);
	free(f->basis);
	free(f->caveat);
	free(f->sites);
	free(f->made.groups);
}

static bool is_null_device(const struct subject *s)
{
	return s->file && s->file->kind == FILE_KIND_DEVICE && !strcmp(s->file->path, "/dev/null");
}

static int add_groups(const struct subject *s, struct finding *f)
{
	if (s->file)
		return rule_add_groups(f, s->file);
	return f->fix.syscall ? rule_add_callers(f, s->profile) : 0;
}

static int apply(struct findings *f, const struct rule *rule, const struct subject *s)
{
	struct finding found = { .id = rule->id, .files = 1, .fix.busy = *s->busy }, *added;

	found.fix.processes = s->file ? s->file->processes : 0;

	if (!rule->judge(s, &found)) {
		finding_free(&found);
		return 0;
	}
	if (is_null_device(s)) {
		found.excused = true;
		found.predicted = false;
		found.advice = advice_text(ADVICE_DISCARDED);
	}
	if (advice_is_missing(found.advice)) {
		found.excused = true;
		found.predicted = false;
	}
	if (!found.path) {
		found.path = strdup(s->file->path);
		found.kind = file_kind_name(s->file->kind);
	}
	added = found.path && found.evidence && !rule_locate(rule, s, &found) &&
				!add_groups(s, &found)
			? array_append(&f->list, &f->nr, sizeof(*added))
			: NULL;
	if (!added) {
		finding_free(&found);
		return -ENOMEM;
	}
	*added = found;
	return 0;
}

/* Applies all rules of a kind to one subject. */
static int judge(struct findings *f, const struct subject *s, bool of_run)
{
	int err = 0;

	for (size_t i = 0; !err && i < NR_RULES; i++)
		if (rules[i]->of_run == of_run)
			err = apply(f, rules[i], s);
	return err;
}

/* Counts the calls that set the position, or read at a position of their own. */
static void count_jumps(struct subject *s)
{
	s->seeks = s->jumps = 0;
	for (size_t i = 0; i < s->file->nr_calls; i++) {
		const struct file_call *c = &s->file->calls[i];
		struct syscall_traits traits = syscall_traits_by_name(c->name);

		if (traits.action == ACTION_SEEKS)
			s->seeks += c->calls;
		else if (traits.positioned && traits.action == ACTION_READS)
			s->jumps += sub_saturated(c->calls, c->sequential);
	}
	s->jumps += s->seeks;
}

/* A write that failed is nothing that a buffer gathers, and takes less time than others. */
static void split_writes(struct subject *s)
{
	s->failed = (struct file_call){ .calls = s->write.errors, .total_ns = s->write.error_ns };
	s->write.calls -= s->failed.calls;
	s->write.total_ns -= s->failed.total_ns;
	s->write.errors = s->write.error_ns = 0;
}

/* Makes a file the subject. Returns false if no rule judges files of its kind. */
static bool look_at_file(struct subject *s, const struct file_stats *file)
{
	if (file->kind == FILE_KIND_OTHER || file->kind == FILE_KIND_FAILED)
		return false;
	s->file = file;
	s->busy = &file->busy;
	file_stats_sum(&s->all, file, NR_SYSCALL_ACTIONS);
	file_stats_sum(&s->read, file, ACTION_READS);
	file_stats_sum(&s->write, file, ACTION_WRITES);
	file_stats_sum(&s->open, file, ACTION_OPENS);
	file_stats_sum(&s->close, file, ACTION_CLOSES);
	file_stats_sum(&s->sync, file, ACTION_SYNCS);
	file_stats_sum(&s->copy, file, ACTION_COPIES);
	split_writes(s);
	count_jumps(s);
	return true;
}

int findings_judge(struct findings *f, const struct profile *p, const struct file_stats *files,
		   size_t nr_files, uint64_t buffer_size)
{
	struct subject s = { .profile = p,
			     .files = files,
			     .nr_files = nr_files,
			     .buffer_size = buffer_size,
			     .found = f };
	struct alike *alike = rule_find_alike(files, nr_files);
	int err = alike ? 0 : -ENOMEM;

	memset(f, 0, sizeof(*f));
	for (size_t i = 0; !err && i < nr_files; i++) {
		s.alike = alike[i];
		if (look_at_file(&s, &files[i]))
			err = judge(f, &s, false);
	}
	free(alike);
	s.file = NULL;
	s.busy = &p->busy;
	if (!err)
		err = judge(f, &s, true);
	if (err)
		findings_free(f);
	return err;
}

size_t findings_wanted(const struct findings *f, bool asked)
{
	size_t nr = 0;

	while (nr < f->nr && (asked || !f->list[nr].minor))
		nr++;
	return nr;
}

size_t findings_shown(const struct findings *f, bool asked)
{
	size_t wanted = findings_wanted(f, asked);

	return wanted < MAX_SHOWN ? wanted : MAX_SHOWN;
}

void findings_free(struct findings *f)
{
	for (size_t i = 0; i < f->nr; i++)
		finding_free(&f->list[i]);
	free(f->list);
	memset(f, 0, sizeof(*f));
}
