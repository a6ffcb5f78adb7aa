// SPDX-License-Identifier: GPL-2.0
/*
 * What the fixes of findings gain, by the calibration: time, severity, order, and what is said of
 * it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "model/rules/rule.h"

/* If more files than this have alike findings, these become one. */
#define MAX_ALIKE 3
/* Of findings of one cause, so many more are named. */
#define MAX_NAMED 2
/* If more tasks than this ran beside each other, an interval is wide because of that. */
#define BESIDE 1.2
/* A range that spans more than this factor is wide. */
#define WIDE 2.5
/* This part of what the programs concerned use of the CPU is worth being told. */
#define MUCH_CPU 0.2
/* Less CPU time than this part of the run is not worth being told. */
#define TRIFLE 0.005
/* Less than this part of one CPU's time is not worth being told of running programs. */
#define TRIFLE_WATCHED 0.001
/* A gain of less than this part of the run is lost in what one run differs from the next. */
#define SEEN_BY_TIMING 0.02
/* Processes that live for more than so many starts do work of their own. */
#define STARTS_OF_WORK 10
/* Who starts a process has no more calls of one kind for it: a look into each directory of PATH. */
#define CALLS_OF_START 10
/* Estimated times show a gain if they are off by less than this part of them. */
#define SAMPLED_WELL 0.2

/* Do the calls' times show how much a fix would gain? */
static bool times_hold(const struct profile *p)
{
	return !(p->unknown & (UNKNOWN_LATENCY | UNKNOWN_GAINS));
}

bool findings_predict_time(const struct findings *f, const struct profile *p)
{
	for (size_t i = 0; times_hold(p) && i < f->nr; i++)
		if (f->list[i].predicted)
			return true;
	return false;
}

bool findings_are_of_processes(const struct findings *f)
{
	for (size_t i = 0; i < f->nr; i++)
		if (f->list[i].fix.group)
			return true;
	return false;
}

static enum severity severity_of(double share)
{
	return share >= 0.2    ? SEVERITY_HIGH
	       : share >= 0.05 ? SEVERITY_MEDIUM
	       : share >= 0.01 ? SEVERITY_LOW
			       : SEVERITY_INFO;
}

/* Returns the figure that a range stands for: a wide one is no better than its low end. */
static double worth(const struct range *r)
{
	return r->high > WIDE * r->low ? r->low : range_middle(r);
}

/*
 * Returns the severity of CPU time that is gained where the run ends no sooner: if it is a good
 * part of what the programs concerned use, and no trifle of the run, one level below that of the
 * same elapsed time, and low at least.
 */
static enum severity severity_of_cpu(const struct gain *g)
{
	double cpu_ns = g->cpu_ns.low;
	enum severity by_run;

	if (cpu_ns < MUCH_CPU * g->tasks_ns.high || cpu_ns < TRIFLE * g->run_ns.high)
		return SEVERITY_INFO;
	by_run = severity_of(cpu_ns / g->run_ns.high);
	return by_run > SEVERITY_LOW ? by_run - 1 : SEVERITY_LOW;
}

/* What promises nothing is information. */
static enum severity severity_of_gain(const struct finding *f)
{
	enum severity wall, cpu;

	if (f->excused || !f->predicted)
		return SEVERITY_INFO;
	if (!f->gain.known)
		return severity_of(f->share);
	if (f->gain.watched)
		return f->gain.time_ns.high < TRIFLE_WATCHED * f->gain.run_ns.high
			       ? SEVERITY_INFO
			       : severity_of(worth(&f->gain.share));
	wall = f->gain.share.high < SEEN_BY_TIMING ? SEVERITY_INFO
						   : severity_of(worth(&f->gain.share));
	cpu = severity_of_cpu(&f->gain);
	return wall > cpu ? wall : cpu;
}

/*
 * Returns the calls' share of the run without tracing, which tasks beside each other share, or of
 * the time that running programs were busy.
 */
static double share_of_run(const struct finding *f, const struct profile *p)
{
	struct whole whole = predict_whole(p, &f->fix.busy, f->wait_ns);
	double total_ns = (double)f->fix.total_ns;
	double calls_ns =
		predict_calls_ns(p, total_ns, f->calls) / (whole.watched ? 1 : whole.beside);
	double run_ns = range_middle(whole.watched ? &whole.busy_ns : &whole.run_ns);

	return calls_ns < run_ns ? calls_ns / run_ns : calls_ns > 0;
}

static void give_reason(struct finding *f, const struct whole *whole)
{
	const struct fix *fix = &f->fix;

	for (size_t i = 0; i < fix->nr_removals; i++)
		if (fix->removals[i].call.error > SAMPLED_WELL)
			f->reason = "too few of the calls were timed (--sample-latency)";
	if (whole->beside > BESIDE && !whole->watched)
		f->reason = "its tasks ran beside each other";
	for (size_t i = 0; !whole->idle && i < fix->nr_removals; i++)
		if (fix->removals[i].wait_ns.high > fix->removals[i].call.total_ns / 10)
			f->reason =
				"waiting for the file goes away with the calls, but for how much of it is not known";
	if (f->gain.known && f->gain.pace)
		f->reason =
			f->gain.pace == PACE_WAITS
				? "the run waits for others or for the clock, and may end no sooner"
				: "another program takes as long, and may set the pace";
	if (f->gain.known && f->gain.has_own_work)
		f->reason = "how much of the program's own work goes with the calls is not known";
	if (f->gain.known && fix->group && !f->gain.pace)
		f->reason = "how much of what they do remains is not known";
	if (f->gain.known && fix->paced && !whole->watched)
		f->reason = fix->paced;
	if (f->gain.known && !f->reason && (double)fix->doubtful_ns > f->gain.syscall_ns.low / 2)
		f->reason = fix->doubt;
}

/* Text such as "901ns", in a buffer of the expression's own. */
#define PICOSECONDS(ps) format_ns((char[24]){ 0 }, 24, rounded((ps) / 1000))

static void tell_byte_cost(struct finding *f, const struct calibration *c,
			   const struct moved_bytes *moved)
{
	struct range ps = predict_byte_ps(c, moved);

	if (ps.high <= 0)
		return;
	rule_add_text(&f->basis, "; each byte %.2f to %.2f ns more, by ", ps.low / 1000,
		      ps.high / 1000);
	if (moved->seen_on) {
		rule_add_text(&f->basis, "the larger calls on ");
		rule_add_escaped(&f->basis, moved->seen_on);
	} else {
		rule_add_text(&f->basis, "a measurement on a file in memory");
	}
	rule_add_text(&f->basis, ", in calls of %s", BYTES(moved->buffer_size));
}

static void tell_basis(struct finding *f, const struct profile *p)
{
	const struct calibration *c = &p->calibration;
	const struct fix *fix = &f->fix;

	rule_set_text(&f->basis, "%s", "");
	for (size_t i = 0; i < fix->nr_costs; i++) {
		double ps = fix->costs[i].inside_ps;

		rule_add_text(
			&f->basis,
			"%s%s %s takes %s as measured in the kernel, %s for its caller without iotrace",
			i ? "; " : "", strchr("aeiou", *fix->costs[i].what) ? "an" : "a",
			fix->costs[i].what, PICOSECONDS(ps), PICOSECONDS(predict_bare_ps(c, ps)));
	}
	if (fix->group)
		rule_add_text(&f->basis,
			      "starting one and its end take %s without iotrace at least",
			      PICOSECONDS(1000 * predict_start_ns(p, fix->group)));
	for (size_t i = 0; i < fix->nr_removals; i++)
		if (fix->removals[i].moved.buffer_size)
			tell_byte_cost(f, c, &fix->removals[i].moved);
	if (fix->basis)
		rule_add_text(&f->basis, "%s%s", fix->nr_costs ? "; " : "", fix->basis);
}

/*
 * The program waits instead: only the CPU is free for others. Without iotrace it looks more often
 * in the same time, so the run takes as long as it did.
 */
static void gain_cpu_alone(struct gain *g, const struct fix *fix, const struct profile *p,
			   const struct whole *whole)
{
	static const struct range none = { 0, 0 };
	double measured = (double)fix->busy.user_ns + (double)fix->busy.system_ns;

	if (!g->watched)
		g->pace = PACE_WAITS;
	g->wall_ns = g->share = none;
	g->run_ns.high = fmax(g->run_ns.high, (double)p->elapsed_ns);
	g->tasks_ns.high = fmax(g->tasks_ns.high, fmin(measured * RUN_TO_RUN, g->run_ns.high));
	g->cpu_ns.high = g->tasks_ns.high;
	g->cpu_ns.low =
		fmin(fmax(g->cpu_ns.low, fix->idle_share * g->tasks_ns.low), g->cpu_ns.high);
	g->time_ns = g->cpu_ns;
	if (g->watched)
		g->share = predict_share(&g->time_ns, &whole->busy_ns);
}

/* Do these processes take so much longer than their start that they are there for their work? */
static bool is_work(const struct process_group *g, const struct profile *p)
{
	return (double)g->lives_ns > STARTS_OF_WORK * predict_start_ns(p, g) * (double)g->nr;
}

static void price_processes(struct finding *f, const struct profile *p)
{
	/* Without a calibration nothing is known of their starts. */
	f->predicted = p->calibration.process_ps && !is_work(f->fix.group, p);
	if (f->predicted || !p->calibration.process_ps)
		return;
	f->excused = true;
	f->advice = advice_text(ADVICE_OWN_WORK);
}

static void predict(struct finding *f, const struct profile *p)
{
	struct whole whole = predict_whole(p, &f->fix.busy, f->fix.wait_ns);

	whole.own_work = f->fix.own_work;
	f->gain = f->fix.group ? predict_processes(p, f->fix.group, &whole)
			       : predict_gain(p, f->fix.removals, f->fix.nr_removals, &whole);
	if (f->fix.paced && !whole.watched)
		f->gain.wall_ns.low = f->gain.share.low = 0;
	if (f->fix.idle_share > 0)
		gain_cpu_alone(&f->gain, &f->fix, p, &whole);
	give_reason(f, &whole);
	if (f->gain.known)
		tell_basis(f, p);
}

/*
 * Computes the gain, the calls' share of the run, and the severity. A rule that has set a severity
 * has found a fault, which is told even if nothing is gained.
 */
static void price(struct finding *f, const struct profile *p)
{
	bool told;

	if (f->fix.group && times_hold(p))
		price_processes(f, p);
	if (f->predicted)
		predict(f, p);
	if (times_hold(p))
		f->share = share_of_run(f, p);
	told = f->severity > SEVERITY_INFO;
	f->severity = severity_of_gain(f);
	f->minor = f->severity == SEVERITY_INFO && !told && (f->excused || times_hold(p));
}

const char *finding_each(const struct finding *f)
{
	return f->fix.each ? f->fix.each : f->fix.group ? "process" : "call";
}

uint64_t finding_each_count(const struct finding *f)
{
	uint64_t nr = f->fix.each ? f->fix.nr_each : f->calls;

	return nr ? nr : 1;
}

/* ---- the same finding on many files ---- */

static bool alike(const struct finding *a, const struct finding *b)
{
	return !strcmp(a->id, b->id) && !strcmp(a->kind, b->kind) && a->advice == b->advice;
}

static void add_range(struct range *sum, const struct range *r)
{
	sum->low += r->low;
	sum->high += r->high;
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
	add_range(&f->gain.syscall_ns, &other->gain.syscall_ns);
	/* Several programs use more of the CPU; one does not, on however many files. */
	if (f->fix.user != other->fix.user || !f->fix.user)
		add_range(&f->gain.tasks_ns, &other->gain.tasks_ns);
	add_range(&f->gain.cpu_ns, &other->gain.cpu_ns);
	f->gain.cpu_ns.high = fmin(f->gain.cpu_ns.high, f->gain.tasks_ns.high);
	f->gain.cpu_ns.low = fmin(f->gain.cpu_ns.low, f->gain.cpu_ns.high);
	add_range(&f->gain.time_ns, &other->gain.time_ns);
	add_range(&f->gain.wall_ns, &other->gain.wall_ns);
	add_range(&f->gain.share, &other->gain.share);
	f->caveats |= other->caveats;
	/* Without memory, these groups and places are missing. */
	rule_merge_groups(f, other);
	for (size_t i = 0; i < other->nr_sites; i++)
		sites_add(&f->sites, &f->nr_sites, &other->sites[i]);
}

static void end_merging(struct finding *f)
{
	uint64_t others = f->files - 1;

	f->severity = severity_of_gain(f);
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

static void merge_alike(struct findings *f)
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
	one->severity = severity_of_gain(one);
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

static void merge_causes(struct findings *f)
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

/* Scales a part of the sum down as the whole is less than that. */
static double part_of(double part, double sum, double whole)
{
	return sum > whole ? part * whole / sum : part;
}

static void scale(struct range *r, double high)
{
	r->high *= high;
	r->low = fmin(r->low, r->high);
}

static void fit(struct gain *g, const struct gain *sum)
{
	double watched = g->watched ? part_of(1, sum->share.high, 1) : 1;

	scale(&g->time_ns, watched);
	scale(&g->cpu_ns, watched);
	g->share.high = part_of(g->share.high, sum->share.high, 1);
	g->share.low = fmin(g->share.low, g->share.high);
	g->wall_ns.low = part_of(g->wall_ns.low, sum->wall_ns.low, g->run_ns.low);
	g->wall_ns.high = part_of(g->wall_ns.high, sum->wall_ns.high, g->run_ns.high);
	g->wall_ns.low = fmin(g->wall_ns.low, g->wall_ns.high);
}

static void tell_cpu_share(struct gain *g, const struct profile *p)
{
	double elapsed = p->elapsed_ns ? (double)p->elapsed_ns : 1;

	g->cpu_share = (struct range){ g->cpu_ns.low / elapsed, g->cpu_ns.high / elapsed };
}

/*
 * All findings are parts of one run: what they gain together is no more than all of it, in a short
 * run as in a long one. The same is true of the time that running programs were busy.
 */
static void share_out(struct findings *f, const struct profile *p)
{
	struct gain sum = { 0 };

	for (size_t i = 0; i < f->nr; i++) {
		if (!f->list[i].gain.known)
			continue;
		add_range(&sum.share, &f->list[i].gain.share);
		add_range(&sum.wall_ns, &f->list[i].gain.wall_ns);
	}
	for (size_t i = 0; i < f->nr; i++) {
		struct finding *one = &f->list[i];

		if (!one->gain.known)
			continue;
		fit(&one->gain, &sum);
		tell_cpu_share(&one->gain, p);
		one->severity = severity_of_gain(one);
	}
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

static void sort(struct findings *f)
{
	if (f->nr)
		qsort(f->list, f->nr, sizeof(*f->list), by_severity);
}

/* Is it what each of these processes does, or, as a small thing, what starting each takes? */
static bool goes_with(const struct finding *one, const struct finding *all)
{
	return one->fix.processes >= all->calls / 2 || (one->calls <= CALLS_OF_START * all->calls &&
							one->gain.share.high < all->gain.share.low);
}

/*
 * What each of many processes does goes away with them, and is told with them alone, so that
 * nothing is promised twice.
 */
static void leave_to_processes(struct findings *f)
{
	const struct finding *all = NULL;

	for (size_t i = 0; i < f->nr; i++)
		if (f->list[i].fix.group && f->list[i].severity > SEVERITY_INFO)
			all = &f->list[i];
	for (size_t i = 0; all && i < f->nr; i++) {
		struct finding *one = &f->list[i];

		if (one == all || !one->predicted || !goes_with(one, all))
			continue;
		one->gain.known = false;
		one->excused = true;
		one->severity = SEVERITY_INFO;
		one->minor = true;
		rule_add_text(&one->evidence, "; this goes away with the processes that do so");
	}
}

static void tell_caveats(struct finding *f)
{
	for (unsigned bit = 0; bit < NR_CAVEATS; bit++) {
		if (!(f->caveats & 1U << bit))
			continue;
		if (f->caveat)
			rule_add_text(&f->caveat, " %s", caveat_text(bit));
		else
			rule_set_text(&f->caveat, "%s", caveat_text(bit));
	}
}

void findings_price(struct findings *f, const struct profile *p)
{
	for (size_t i = 0; i < f->nr; i++)
		price(&f->list[i], p);
	sort(f);
	merge_causes(f);
	merge_alike(f);
	leave_to_processes(f);
	share_out(f, p);
	sort(f);
	for (size_t i = 0; i < f->nr; i++)
		tell_caveats(&f->list[i]);
	rule_name_groups(f, p);
}
