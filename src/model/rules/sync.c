// SPDX-License-Identifier: GPL-2.0
/* Each record is synced, by a call or by a flag of the file. */
#include <fcntl.h>
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "model/rules/rule.h"

/* The prediction commits this many records at once, with a sync that takes up to so much longer. */
#define GROUP	   100
#define GROUP_COST 3
#define BASIS	   "100 records to a commit, which takes up to 3 times as long"

/* Bytes go to the disk at 0.2 to 5 GB a second, and with large records that time stays. */
#define LARGE_RECORD 65536
#define FAST_BYTE_NS 0.2
#define SLOW_BYTE_NS 5

/* Returns the calls that remain on the file: those of files that are alike are all on the first. */
static uint64_t groups(const struct subject *s, uint64_t calls)
{
	if (s->alike.syncs <= calls)
		return div_round_up(calls, GROUP);
	return s->alike.first ? rule_least(div_round_up(s->alike.syncs, GROUP), calls) : 0;
}

/* Fewer syncs wait less, so a sync counts as if it had not slept. */
static struct removal removal_of(const struct subject *s, struct file_call *c)
{
	double remaining = (double)c->calls / GROUP, nr = (double)c->calls, low;

	if (s->alike.syncs <= c->calls)
		remaining = (double)groups(s, c->calls);
	low = nr - remaining * GROUP_COST;

	c->waits = c->wait_ns = 0;
	return (struct removal){
		.call = predict_call_cost(c),
		.nr = { low > 0 ? low : 0, nr - remaining },
		.around = AROUND_LIGHT,
	};
}

/* A commit has other calls as well: those on a journal, locks. At most, all of them go with it. */
static struct removal removal_beside(const struct subject *s, struct file_call *rest)
{
	struct removal removal = removal_of(s, rest);

	removal.nr.low = 0;
	return removal;
}

/* Returns all calls on the file except syncs, and writes that are syncs. They wait for others. */
static struct file_call others(const struct subject *s, bool flagged)
{
	struct file_call rest = s->all;

	rest.calls -= s->sync.calls + (flagged ? s->write.calls : 0);
	rest.total_ns = file_call_running_ns(&s->all) - file_call_running_ns(&s->sync) -
			(flagged ? file_call_running_ns(&s->write) : 0);
	rest.bytes = 0;
	return rest;
}

/* Leaves the time that the bytes of a large record take. */
static void keep_bytes(struct removal *r, uint64_t bytes)
{
	double ns = r->call.inside_ps / 1000;

	if (bytes < LARGE_RECORD || ns <= 0)
		return;
	r->nr.low *= fmax(1 - (double)bytes * SLOW_BYTE_NS / ns, 0);
	r->nr.high *= fmax(1 - (double)bytes * FAST_BYTE_NS / ns, 0);
}

static void predict(const struct subject *s, struct finding *f, bool flagged)
{
	struct file_call sync = s->sync, write = s->write, rest = others(s, flagged);
	struct removal removals[] = { removal_of(s, &sync), removal_beside(s, &rest),
				      removal_of(s, &write) };

	keep_bytes(&removals[0], rule_mean(s->write.bytes, s->sync.calls));
	keep_bytes(&removals[2], rule_mean_bytes(&s->write));
	rule_predict(f,
		     (sync.calls ? groups(s, sync.calls) : 0) +
			     (flagged ? div_round_up(write.calls, GROUP) : 0),
		     removals, flagged ? 3 : 2, f->wait_ns);
	f->condition = "if records may be lost";
	f->fix.doubt = "how much of the other work on the file goes with the syncs is not known";
	f->fix.doubtful_ns = rest.total_ns;
	if (sync.calls)
		rule_tell_cost(f, &sync, "sync");
	if (flagged)
		rule_tell_cost(f, &write, "write");
	f->fix.basis = BASIS;
}

/* Is it a directory that is synced with a file in it, whose name comes or goes each time? */
static bool is_synced_directory(const struct subject *s)
{
	size_t len = strlen(s->file->path);

	if (s->file->kind != FILE_KIND_DIRECTORY || s->sync.calls < MIN_CYCLES)
		return false;
	for (size_t i = 0; i < s->nr_files; i++) {
		const struct file_stats *f = &s->files[i];

		if (strncmp(f->path, s->file->path, len) != 0 || f->path[len] != '/' ||
		    strchr(f->path + len + 1, '/'))
			continue;
		if (rule_is_synced_often(s->profile, f))
			return true;
	}
	return false;
}

/* Do several threads share each sync already? */
static bool are_grouped(const struct subject *s)
{
	return s->file->by_threads && s->write.calls >= 2 * s->sync.calls;
}

static bool judge(const struct subject *s, struct finding *f)
{
	bool flagged = rule_synchronous(s) && s->write.calls >= MIN_CYCLES;
	bool directory = is_synced_directory(s), grouped = !flagged && are_grouped(s);
	char flags[32];

	if (!flagged && !directory && !rule_syncs_often(s))
		return false;
	f->calls = s->sync.calls + (flagged ? s->write.calls : 0);
	f->about = flagged ? ABOUT(WRITES) : 0;
	f->fix.total_ns = s->sync.total_ns + (flagged ? s->write.total_ns : 0);
	if (flagged)
		rule_set_text(&f->evidence, "%s writes to a file opened with %s",
			      COUNT(s->write.calls),
			      file_flags_text(flags, s->file->flags & (O_SYNC | O_DSYNC)));
	else if (directory)
		rule_set_text(&f->evidence, "%s syncs of the directory", COUNT(s->sync.calls));
	else
		rule_set_text(&f->evidence, "%s syncs to %s writes%s", COUNT(s->sync.calls),
			      COUNT(s->write.calls),
			      grouped ? "" : ": each record waits for the disk");
	f->wait_ns = s->sync.wait_ns + (flagged ? s->write.wait_ns : 0);
	if (f->wait_ns)
		rule_add_text(&f->evidence,
			      "; %.0f %% of their time was slept, as syncing is waiting",
			      100 * rule_ratio(f->wait_ns, f->fix.total_ns));
	f->commits = true;
	f->excused = grouped ||
		     rule_is_confirmed(s, f->calls > s->alike.syncs ? f->calls : s->alike.syncs);
	rule_advise(s, f, grouped ? ADVICE_GROUPED : f->excused ? ADVICE_CONFIRMED : ADVICE_SYNC);
	if (!f->excused)
		predict(s, f, flagged);
	return true;
}

const struct rule rule_sync_per_write = { "sync-per-write", false, ABOUT(SYNCS) | BY_TIME, judge };

/* Does any program tell somebody of half as many records? */
static bool are_confirmed(const struct subject *s, uint64_t records)
{
	for (size_t i = 0; i < s->nr_files; i++) {
		struct subject of_file = *s;

		of_file.file = &s->files[i];
		if ((s->files[i].kind == FILE_KIND_SOCKET || s->files[i].kind == FILE_KIND_PIPE) &&
		    rule_is_confirmed(&of_file, records))
			return true;
	}
	return false;
}

/* Judges msync(), which has no descriptor: the calls of the whole run. */
static bool judge_mapped(const struct subject *s, struct finding *f)
{
	struct file_call sync = { 0 };
	struct removal removal;

	for (size_t i = 0; i < s->profile->nr_syscalls; i++) {
		const struct syscall_stats *row = &s->profile->syscalls[i];

		if (strcmp(row->name, "msync") != 0)
			continue;
		sync.calls += row->calls;
		sync.total_ns += row->total_ns;
		sync.wait_ns += row->wait_ns;
	}
	if (sync.calls < MIN_CYCLES || sync.total_ns <= rule_whole_ns(s->profile) / 20)
		return false;
	f->path = strdup("(mapped memory)");
	f->kind = file_kind_name(FILE_KIND_REGULAR);
	f->calls = sync.calls;
	f->fix.total_ns = sync.total_ns;
	f->fix.syscall = "msync";
	f->wait_ns = sync.wait_ns;
	rule_set_text(&f->evidence, "%s syncs of mapped memory: each record waits for the disk",
		      COUNT(sync.calls));
	f->excused = are_confirmed(s, sync.calls);
	f->advice = advice_text(f->excused ? ADVICE_CONFIRMED : ADVICE_MAPPED);
	if (f->excused)
		return true;
	sync.wait_ns = 0;
	removal = removal_of(s, &sync);
	removal.nr.high = (double)(sync.calls - div_round_up(sync.calls, GROUP));
	removal.nr.low = fmax((double)sync.calls * (1 - (double)GROUP_COST / GROUP), 0);
	rule_predict(f, div_round_up(sync.calls, GROUP), &removal, 1, f->wait_ns);
	f->condition = "if records may be lost";
	rule_tell_cost(f, &sync, "sync");
	f->fix.basis = BASIS;
	return true;
}

const struct rule rule_msync = { "msync-per-record", true, ABOUT_ALL | BY_TIME, judge_mapped };
