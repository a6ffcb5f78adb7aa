// SPDX-License-Identifier: GPL-2.0
/*
 * What the fixes of findings gain, by the calibration: time, and what is said of it; and their
 * order.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "model/rules/rule.h"

/* If more tasks than this ran beside each other, an interval is wide because of that. */
#define BESIDE 1.2
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
		if (fix->removals[i].wait_ns.high > fix->removals[i].wait_ns.low &&
		    fix->removals[i].wait_ns.high > fix->removals[i].call.total_ns / 10)
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
	f->severity = finding_severity(f);
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

/* ---- the findings as parts of one run ---- */

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
		range_add(&sum.share, &f->list[i].gain.share);
		range_add(&sum.wall_ns, &f->list[i].gain.wall_ns);
	}
	for (size_t i = 0; i < f->nr; i++) {
		struct finding *one = &f->list[i];

		if (!one->gain.known)
			continue;
		fit(&one->gain, &sum);
		tell_cpu_share(&one->gain, p);
		one->severity = finding_severity(one);
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
	findings_merge_causes(f);
	findings_merge_alike(f);
	leave_to_processes(f);
	share_out(f, p);
	sort(f);
	for (size_t i = 0; i < f->nr; i++)
		tell_caveats(&f->list[i]);
	rule_name_groups(f, p);
}
