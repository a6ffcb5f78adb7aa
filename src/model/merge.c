// SPDX-License-Identifier: GPL-2.0
/* One finding in place of several: of the same habit on many files, or of one cause. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "model/rules/rule.h"

/* If more files than this have alike findings, these become one. */
#define MAX_ALIKE 3
/* Of findings of one cause, so many more are named. */
#define MAX_NAMED 2

/* ---- the same finding on many files ---- */

static bool alike(const struct finding *a, const struct finding *b)
{
	return !strcmp(a->id, b->id) && !strcmp(a->kind, b->kind) && a->advice == b->advice;
}

/* What is done again and again on several files is added up if it is the same. */
static void merge_each(struct fix *fix, const struct fix *other)
{
	if (fix->each && other->each && !strcmp(fix->each, other->each))
		fix->nr_each += other->nr_each;
	else
		fix->each = NULL;
}

/* Adds the finding "other" to f, which weighs more. */
static void merge(struct finding *f, const struct finding *other)
{
	f->files += other->files;
	f->calls += other->calls;
	f->wait_ns += other->wait_ns;
	f->share = fmin(f->share + other->share, 1);
	f->predicted &= other->predicted;
	f->predicted_calls += other->predicted_calls;
	f->gain.known &= other->gain.known;
	range_add(&f->gain.syscall_ns, &other->gain.syscall_ns);
	/* Several programs use more of the CPU; one does not, on however many files. */
	if (f->fix.user != other->fix.user || !f->fix.user)
		range_add(&f->gain.tasks_ns, &other->gain.tasks_ns);
	range_add(&f->gain.cpu_ns, &other->gain.cpu_ns);
	f->gain.cpu_ns.high = fmin(f->gain.cpu_ns.high, f->gain.tasks_ns.high);
	f->gain.cpu_ns.low = fmin(f->gain.cpu_ns.low, f->gain.cpu_ns.high);
	range_add(&f->gain.time_ns, &other->gain.time_ns);
	range_add(&f->gain.wall_ns, &other->gain.wall_ns);
	range_add(&f->gain.share, &other->gain.share);
	f->late.nr += other->late.nr;
	f->late.of += other->late.of;
	f->late.ns += other->late.ns;
	f->late.paces &= other->late.paces;
	f->caveats |= other->caveats;
	/* Without memory, these groups and places are missing. */
	rule_merge_groups(f, other);
	for (size_t i = 0; i < other->nr_sites; i++)
		sites_add(&f->sites, &f->nr_sites, &other->sites[i]);
}

static void end_merging(struct finding *f)
{
	uint64_t others = f->files - 1;

	f->severity = finding_severity(f);
	f->minor = f->minor && f->severity == SEVERITY_INFO;
	rule_add_text(&f->evidence, "; and the like on %" PRIu64 " more, with %s calls in all",
		      others, COUNT(f->calls));
}

static size_t count_alike(const struct findings *f, size_t first)
{
	size_t nr = 0;

	for (size_t i = first; i < f->nr; i++)
		nr += alike(&f->list[first], &f->list[i]);
	return nr;
}

/* Merges all findings like the first one into it, and removes them from the list. */
static void merge_into(struct findings *f, size_t first)
{
	struct finding *one = &f->list[first];
	size_t kept = first + 1;

	for (size_t i = first + 1; i < f->nr; i++) {
		if (alike(one, &f->list[i])) {
			merge(one, &f->list[i]);
			merge_each(&one->fix, &f->list[i].fix);
			finding_free(&f->list[i]);
		} else {
			f->list[kept++] = f->list[i];
		}
	}
	f->nr = kept;
	end_merging(one);
}

void findings_merge_alike(struct findings *f)
{
	for (size_t first = 0; first < f->nr; first++)
		if (count_alike(f, first) > MAX_ALIKE)
			merge_into(f, first);
}

/* ---- one cause on several files ---- */

/* Is one number about 1 to 4 times the other? */
static bool is_multiple(uint64_t a, uint64_t b)
{
	double ratio = a > b ? (double)a / (double)b : (double)b / (double)a;

	return ratio < 4.2 && fabs(ratio - round(ratio)) < 0.05 * ratio;
}

/* Does one process do both each time, as getpwuid() reads two files? */
static bool is_one_cycle(const struct finding *a, const struct finding *b)
{
	return a->predicted == b->predicted && a->fix.cycles && b->fix.cycles &&
	       a->fix.user == b->fix.user && is_multiple(a->fix.cycles, b->fix.cycles);
}

/*
 * Is this the journal or the log of that database, "/db-journal" and "/db-wal" of "/db", or is the
 * database in this directory?
 */
static bool is_companion(const struct finding *f, const struct finding *of)
{
	bool directory = !strcmp(f->kind, file_kind_name(FILE_KIND_DIRECTORY));
	const char *begins = directory ? f->path : of->path, *path = directory ? of->path : f->path;
	size_t len = strlen(begins);

	return !strncmp(path, begins, len) && path[len] == (directory ? '/' : '-');
}

/* Is it in the other one's directory? */
static bool is_below(const struct finding *f, const struct finding *of)
{
	size_t len = strlen(of->path);

	return !strncmp(f->path, of->path, len) && f->path[len] == '/';
}

/* Is it the same setting? Both ends of a pipe may have it, as tar has its blocks. */
static bool is_one_setting(const struct finding *a, const struct finding *b)
{
	return a->fix.setting && b->fix.setting && !strcmp(a->advice, b->advice);
}

static bool is_beside(const struct finding *a, const struct finding *b)
{
	const char *slash = strrchr(a->path, '/');
	size_t len = slash ? (size_t)(slash - a->path) + 1 : 0;

	return len && !strncmp(a->path, b->path, len) && !strchr(b->path + len, '/');
}

/* Whoever keeps nothing of a directory goes through it, looks at what is in it, and reads that. */
static bool is_one_walk(const struct finding *a, const struct finding *b)
{
	return a->predicted == b->predicted && a->fix.seen_before && b->fix.seen_before &&
	       a->fix.user == b->fix.user && (is_below(a, b) || is_below(b, a) || is_beside(a, b));
}

static bool is_one_commit(const struct finding *a, const struct finding *b)
{
	return a->commits && b->commits && (is_companion(a, b) || is_companion(b, a));
}

/*
 * Adds another finding of the same cause to one, which weighs more, and removes it from the list.
 * The finding of a commit is at the database.
 */
static void merge_cause(struct findings *f, struct finding *one, size_t other)
{
	struct finding *gone = &f->list[other];

	if (is_one_commit(one, gone) && is_companion(one, gone)) {
		char *path = one->path;

		one->path = gone->path;
		one->kind = gone->kind;
		gone->path = path;
	}
	merge(one, gone);
	one->severity = finding_severity(one);
	if (one->joined++ < MAX_NAMED) {
		rule_add_text(&one->evidence, "; with ");
		rule_add_escaped(&one->evidence, gone->path);
	}
	finding_free(gone);
	memmove(gone, gone + 1, (f->nr - other - 1) * sizeof(*f->list));
	f->nr--;
}

static void tell_causes(struct finding *one)
{
	if (one->joined > MAX_NAMED)
		rule_add_text(&one->evidence, "; and with %s more", COUNT(one->joined - MAX_NAMED));
	if (one->joined)
		rule_add_text(&one->evidence, ", %s calls in all", COUNT(one->calls));
}

void findings_merge_causes(struct findings *f)
{
	for (size_t i = 0; i < f->nr; i++)
		for (size_t j = i + 1; j < f->nr;)
			if (is_one_commit(&f->list[i], &f->list[j]) ||
			    is_one_walk(&f->list[i], &f->list[j]) ||
			    is_one_cycle(&f->list[i], &f->list[j]) ||
			    is_one_setting(&f->list[i], &f->list[j]))
				merge_cause(f, &f->list[i], j);
			else
				j++;
	for (size_t i = 0; i < f->nr; i++)
		tell_causes(&f->list[i]);
}
