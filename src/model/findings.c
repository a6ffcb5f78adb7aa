// SPDX-License-Identifier: GPL-2.0
#include "model/findings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/profile_files.h"
#include "model/rules/rule.h"

/* If more files than this have alike findings, these become one. */
#define MAX_ALIKE 3
/* Text reports show this many findings and count the rest. */
#define MAX_SHOWN 5

static const struct rule *const rules[] = {
	&rule_sync_per_write, &rule_reopen_per_record, &rule_reread,
	&rule_flush_per_line, &rule_tiny_writes,       &rule_tiny_reads,
	&rule_write_errors,   &rule_short_writes,      &rule_path_storm,
};

#define NR_RULES (sizeof(rules) / sizeof(*rules))

const char *findings_id(size_t i)
{
	return i < NR_RULES ? rules[i]->id : NULL;
}

const char *severity_name(enum severity severity)
{
	static const char *const names[NR_SEVERITIES] = { "info", "low", "medium", "high" };

	return names[severity];
}

static enum severity severity_of(double share)
{
	return share >= 0.2    ? SEVERITY_HIGH
	       : share >= 0.05 ? SEVERITY_MEDIUM
	       : share >= 0.01 ? SEVERITY_LOW
			       : SEVERITY_INFO;
}

/* Do the calls' times show how much a fix would gain? */
static bool times_hold(const struct profile *p)
{
	return !(p->unknown & (UNKNOWN_LATENCY | UNKNOWN_GAINS));
}

static void free_finding(struct finding *f)
{
	free(f->path);
	free(f->evidence);
	free(f->basis);
}

static double middle(const struct range *r)
{
	return (r->low + r->high) / 2;
}

static double at_most_all(double share)
{
	return share < 1 ? share : 1;
}

/* The calls' share of the programs' busy time, without the cost of tracing. */
static double share_of_busy(const struct finding *f, const struct profile *p, uint64_t total_ns)
{
	double calls_ns = predict_calls_ns(p, (double)total_ns, f->calls);

	return calls_ns > 0 ? at_most_all(calls_ns / f->busy_ns) : 0;
}

static bool is_null_device(const struct subject *s)
{
	return s->file && s->file->kind == FILE_KIND_DEVICE && !strcmp(s->file->path, "/dev/null");
}

static void raise_severity(struct finding *f, double saved)
{
	if (!f->excused && severity_of(saved) > f->severity)
		f->severity = severity_of(saved);
}

/* Computes the share of busy time that the fix saves, and the severity from it. */
static void weigh(struct finding *f, const struct rule *rule, const struct subject *s,
		  uint64_t total_ns)
{
	struct range busy_ns = busy_or_waiting(s, f->wait_ns);
	double saved = 0;

	f->busy_ns = middle(&busy_ns);
	if (times_hold(s->profile)) {
		uint64_t stays_ns = rule->slept ? 0 : f->wait_ns;

		f->share = share_of_busy(f, s->profile, total_ns);
		total_ns -= stays_ns < total_ns ? stays_ns : total_ns;
		saved = share_of_busy(f, s->profile, total_ns);
	}
	if (f->gain.known)
		saved = middle(&f->gain.share);
	if (is_null_device(s)) {
		f->excused = true;
		f->advice = advice_text(ADVICE_DISCARDED, LANGUAGE_UNKNOWN);
	}
	raise_severity(f, saved);
	f->minor = f->severity == SEVERITY_INFO &&
		   (f->excused || (times_hold(s->profile) && busy_known(s->busy)));
}

static int apply(struct findings *f, const struct rule *rule, const struct subject *s)
{
	struct finding found = { .id = rule->id, .files = 1 }, *added;
	uint64_t total_ns = 0;

	if (!rule->judge(s, &found, &total_ns)) {
		free_finding(&found);
		return 0;
	}
	weigh(&found, rule, s, total_ns);
	if (!found.path) {
		found.path = strdup(s->file->path);
		found.kind = file_kind_name(s->file->kind);
	}
	added = found.path && found.evidence ? array_append(&f->list, &f->nr, sizeof(*added))
					     : NULL;
	if (!added) {
		free_finding(&found);
		return -ENOMEM;
	}
	*added = found;
	return 0;
}

static int by_severity(const void *x, const void *y)
{
	const struct finding *a = x, *b = y;

	if (a->severity != b->severity)
		return b->severity > a->severity ? 1 : -1;
	if (a->minor != b->minor)
		return a->minor ? 1 : -1;
	if (a->share != b->share)
		return b->share > a->share ? 1 : -1;
	return strcmp(a->path, b->path);
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

/* Does the call set the position, or read at a position of its own? */
static bool may_jump(const struct file_call *c)
{
	struct syscall_traits traits = syscall_traits_by_name(c->name);

	return (traits.positioned && traits.action == ACTION_READS) || !strcmp(c->name, "lseek") ||
	       !strcmp(c->name, "_llseek");
}

static uint64_t count_jumps(const struct file_stats *f)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < f->nr_calls; i++)
		if (may_jump(&f->calls[i]))
			nr += f->calls[i].calls;
	return nr;
}

/* Makes a file the subject. Returns false if no rule judges files of its kind. */
static bool look_at_file(struct subject *s, const struct file_stats *file)
{
	if (file->kind == FILE_KIND_OTHER || file->kind == FILE_KIND_FAILED)
		return false;
	s->file = file;
	s->busy = &file->busy;
	s->busy_ns = predict_busy_ns(s->profile, s->busy);
	file_stats_sum(&s->all, file, NR_SYSCALL_ACTIONS);
	file_stats_sum(&s->read, file, ACTION_READS);
	file_stats_sum(&s->write, file, ACTION_WRITES);
	file_stats_sum(&s->open, file, ACTION_OPENS);
	file_stats_sum(&s->close, file, ACTION_CLOSES);
	file_stats_sum(&s->sync, file, ACTION_SYNCS);
	s->jumps = count_jumps(file);
	return true;
}

/* Makes the whole run the subject. */
static void look_at_run(struct subject *s)
{
	s->file = NULL;
	s->busy = &s->profile->busy;
	s->busy_ns = predict_busy_ns(s->profile, s->busy);
}

/* ---- the same finding on many files ---- */

static bool alike(const struct finding *a, const struct finding *b)
{
	return !strcmp(a->id, b->id) && !strcmp(a->kind, b->kind) && a->advice == b->advice;
}

static void add_share(struct range *sum, const struct range *r, double weight)
{
	sum->low += r->low * weight;
	sum->high += r->high * weight;
}

/* Adds the finding "other" to f, which weighs more. weight: other's busy time per the run's. */
static void merge(struct finding *f, const struct finding *other, double weight)
{
	f->files += other->files;
	f->calls += other->calls;
	f->wait_ns += other->wait_ns;
	f->share += other->share * weight;
	f->predicted &= other->predicted;
	f->predicted_calls += other->predicted_calls;
	f->gain.known &= other->gain.known;
	add_share(&f->gain.syscall_ns, &other->gain.syscall_ns, 1);
	add_share(&f->gain.wall_ns, &other->gain.wall_ns, 1);
	add_share(&f->gain.share, &other->gain.share, weight);
}

/* Shares of one file's programs become shares of the whole run. */
static void begin_merging(struct finding *f, double weight)
{
	f->share *= weight;
	f->gain.share.low *= weight;
	f->gain.share.high *= weight;
}

static void end_merging(struct finding *f)
{
	uint64_t others = f->files - 1;

	f->share = at_most_all(f->share);
	f->gain.share.low = at_most_all(f->gain.share.low);
	f->gain.share.high = at_most_all(f->gain.share.high);
	if (f->gain.known)
		raise_severity(f, middle(&f->gain.share));
	f->minor = f->minor && f->severity == SEVERITY_INFO;
	add_text(&f->evidence, "; and the like on %" PRIu64 " more, with %" PRIu64 " calls in all",
		 others, f->calls);
}

/* Counts similar findings; *busy_ns becomes the denominator of the merged share. */
static size_t count_alike(const struct findings *f, size_t first, double *busy_ns)
{
	size_t nr = 0;

	for (size_t i = first; i < f->nr; i++) {
		if (!alike(&f->list[first], &f->list[i]))
			continue;
		*busy_ns += (double)f->list[i].wait_ns;
		if (*busy_ns < f->list[i].busy_ns)
			*busy_ns = f->list[i].busy_ns;
		nr++;
	}
	return nr;
}

/* Merges all findings like the first one into it, and removes them from the list. */
static void merge_into(struct findings *f, size_t first, double busy_ns)
{
	struct finding *one = &f->list[first];
	size_t kept = first + 1;

	begin_merging(one, one->busy_ns / busy_ns);
	for (size_t i = first + 1; i < f->nr; i++) {
		if (alike(one, &f->list[i])) {
			merge(one, &f->list[i], f->list[i].busy_ns / busy_ns);
			free_finding(&f->list[i]);
		} else {
			f->list[kept++] = f->list[i];
		}
	}
	f->nr = kept;
	one->busy_ns = busy_ns;
	end_merging(one);
}

/* run_ns: the busy time of all programs. */
static void merge_alike(struct findings *f, double run_ns)
{
	for (size_t first = 0; first < f->nr; first++) {
		double busy_ns = run_ns;

		if (count_alike(f, first, &busy_ns) > MAX_ALIKE)
			merge_into(f, first, busy_ns);
	}
}

static void sort(struct findings *f)
{
	if (f->nr)
		qsort(f->list, f->nr, sizeof(*f->list), by_severity);
}

int findings_make(struct findings *f, const struct profile *p, const struct file_stats *files,
		  size_t nr_files, uint64_t buffer_size)
{
	struct subject s = {
		.profile = p, .files = files, .nr_files = nr_files, .buffer_size = buffer_size
	};
	int err = 0;

	memset(f, 0, sizeof(*f));
	for (size_t i = 0; !err && i < nr_files; i++)
		if (look_at_file(&s, &files[i]))
			err = judge(f, &s, false);
	look_at_run(&s);
	if (!err)
		err = judge(f, &s, true);
	sort(f);
	merge_alike(f, middle(&s.busy_ns));
	sort(f);
	if (err)
		findings_free(f);
	return err;
}

/* Does any rule of this kind predict a gain for this subject? */
static bool any_predicts(const struct subject *s, bool of_run)
{
	bool predicts = false;

	for (size_t i = 0; !predicts && i < NR_RULES; i++) {
		struct finding found = { 0 };
		uint64_t total_ns = 0;

		if (rules[i]->of_run == of_run && rules[i]->judge(s, &found, &total_ns))
			predicts = found.predicted;
		free_finding(&found);
	}
	return predicts;
}

bool findings_predict_time(const struct profile *p)
{
	struct subject s = { .profile = p };
	struct file_stats *files = NULL;
	bool predicts = false;

	if (!times_hold(p) || p->unknown & UNKNOWN_FILES)
		return false;
	if (!files_by_path(p, &files, &s.nr_files)) {
		s.files = files;
		for (size_t i = 0; !predicts && i < s.nr_files; i++)
			predicts = look_at_file(&s, &files[i]) && any_predicts(&s, false);
		look_at_run(&s);
		predicts = predicts || any_predicts(&s, true);
	}
	files_free(files, s.nr_files);
	return predicts;
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
		free_finding(&f->list[i]);
	free(f->list);
	memset(f, 0, sizeof(*f));
}
