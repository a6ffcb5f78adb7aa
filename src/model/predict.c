// SPDX-License-Identifier: GPL-2.0
#include "model/predict.h"

#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "model/profile.h"
#include "model/provenance.h"

/*
 * The cost of a byte on a file system (pages, journal, copy) as a multiple of its cost in a file in
 * memory. Measured by writing calls of 4 to 64 KiB to a new file on each.
 */
static const struct {
	const char *fstype;
	struct range factor;
} file_systems[] = {
	{ "tmpfs", { 0.8, 1.6 } },
	{ "ext4", { 0.6, 2.0 } },
};

static const struct range other_file_systems = { 0.5, 3.0 };

/* A mean of fewer calls says nothing. */
#define MIN_LARGE_CALLS 20
/* The relative error of a cost that was observed on another file. */
#define SEEN_ERROR 0.25
/* The part of a call's cost that is in user space, as a multiple of the lightest call. */
#define AROUND_CALL 0.3
/* Tasks that work so much longer than the calls may do so for the calls. */
#define OWN_WORK 1.5
/*
 * The probes cost at most so many times more than in the calibrated calls, which have the caches
 * for themselves.
 */
#define PROBES_EXCEED 1.0

uint64_t file_call_running_ns(const struct file_call *c)
{
	return sub_saturated(c->total_ns, c->wait_ns);
}

double predict_inside_ps(const struct file_call *c)
{
	uint64_t nr = sub_saturated(c->calls, c->waits);

	return nr ? (double)file_call_running_ns(c) * 1000 / (double)nr : 0;
}

/*
 * The cost of the probes inside a call, and their effect on the kernel's own work, grow a little
 * with the call. The cost outside, which the probes do not see, is the same for all calls. Two
 * calibrated calls determine both. Of a call that is lighter than both, the probes are the same
 * part as of the lighter one: no difference of measured times becomes negative.
 */
double predict_bare_ps(const struct calibration *c, double inside_ps)
{
	const struct calibrated_call *light = &c->device, *heavy = &c->memory;
	double beyond, slope;

	if (!calibrated(light) || heavy->inside_ps <= light->inside_ps)
		light = heavy;
	if (inside_ps < (double)light->inside_ps)
		return inside_ps * (double)light->bare_ps / (double)light->inside_ps;
	if (inside_ps >= (double)heavy->inside_ps || light == heavy)
		return inside_ps - (double)heavy->inside_ps + (double)heavy->bare_ps;
	beyond = inside_ps - (double)light->inside_ps;
	slope = ((double)heavy->bare_ps - (double)light->bare_ps) /
		((double)heavy->inside_ps - (double)light->inside_ps);
	return (double)light->bare_ps + beyond * slope;
}

static void widen(struct range *r, double error)
{
	r->low *= 1 - error;
	r->high *= 1 + error;
}

/* The time that the probes add to such a call. */
static double added_ps(const struct calibration *c, double inside_ps)
{
	const struct calibrated_call *call = &c->memory;

	if (calibrated(&c->device) && inside_ps < (double)c->memory.inside_ps)
		call = &c->device;
	return (double)call->traced_ps - (double)call->bare_ps;
}

static struct range file_system_factor(const struct file_stats *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(file_systems); i++)
		if (!strcmp(file_systems[i].fstype, f->fstype))
			return file_systems[i].factor;
	return other_file_systems;
}

/* Returns the cost of a byte in new pages of a file in memory. */
static double calibrated_byte_ps(const struct calibration *c, uint64_t buffer_size)
{
	const struct calibrated_copy *copy = &c->copies[0];

	for (int i = 0; i < CALIBRATED_COPIES; i++)
		if (c->copies[i].bytes && c->copies[i].bytes <= buffer_size)
			copy = &c->copies[i];
	if (!copy->bytes || copy->bare_ps <= c->memory.bare_ps)
		return 0;
	return (double)(copy->bare_ps - c->memory.bare_ps) / (double)copy->bytes;
}

static double mean_bytes(const struct file_call *c)
{
	return c->calls ? (double)c->bytes / (double)c->calls : 0;
}

/* Returns what a byte costs by larger calls on another file. 0: they do not tell. */
static double seen_byte_ps(const struct file_call *small, const struct file_stats *other,
			   enum syscall_action action, uint64_t buffer_size)
{
	struct file_call large;
	double bytes, ps;

	file_stats_sum(&large, other, action);
	bytes = mean_bytes(&large);
	ps = predict_inside_ps(&large) - predict_inside_ps(small);
	if (large.calls - large.waits < MIN_LARGE_CALLS || bytes < (double)buffer_size / 2 ||
	    bytes > (double)buffer_size * 16 || bytes <= mean_bytes(small) || ps <= 0)
		return 0;
	return ps / (bytes - mean_bytes(small));
}

struct moved_bytes predict_moved_bytes(const struct file_stats *files, size_t nr_files,
				       const struct file_stats *file, enum syscall_action action,
				       uint64_t buffer_size)
{
	struct moved_bytes moved = { .buffer_size = buffer_size, .factor = { 0, 1 } };
	struct file_call small;
	double ps = 0;

	/* A read takes no new pages, and the null device does not even copy. */
	if (file_is_on_disk(file) && action == ACTION_WRITES)
		moved.factor = file_system_factor(file);
	file_stats_sum(&small, file, action);
	for (size_t i = 0; file_is_on_disk(file) && !ps && i < nr_files; i++) {
		if (!file_is_on_disk(&files[i]) || strcmp(files[i].fstype, file->fstype))
			continue;
		ps = seen_byte_ps(&small, &files[i], action, buffer_size);
		moved.seen_on = ps ? files[i].path : NULL;
		moved.seen_ps = (struct range){ ps * (1 - SEEN_ERROR), ps * (1 + SEEN_ERROR) };
	}
	return moved;
}

struct range predict_byte_ps(const struct calibration *c, const struct moved_bytes *moved)
{
	double ps = calibrated_byte_ps(c, moved->buffer_size);

	if (moved->seen_on)
		return moved->seen_ps;
	return (struct range){ ps * moved->factor.low, ps * moved->factor.high };
}

struct call_cost predict_call_cost(const struct file_call *c)
{
	struct call_cost cost = {
		.inside_ps = predict_inside_ps(c),
		.bytes = mean_bytes(c),
		.total_ns = (double)c->total_ns,
	};

	if (c->total_ns)
		cost.error = fmin(1, 2 * (double)c->error_of_total_ns / cost.total_ns);
	return cost;
}

/* Returns the part of a call's time, off by so much, that goes away with the call. */
static double removed_ps(const struct removal *r, double byte_ps, double off)
{
	return fmax(r->call.inside_ps * (1 + off) - r->call.bytes * byte_ps, 0);
}

static double lightest_ps(const struct calibration *c)
{
	return (double)(c->device.bare_ps ? c->device.bare_ps : c->memory.bare_ps);
}

/* Adds to the gain what a removal gains; wall_ns is until now what the tasks take less. */
static void add_removal(struct gain *g, const struct calibration *c, const struct removal *r,
			bool idle)
{
	struct range wait_ns = { r->wait_ns.low, idle ? r->wait_ns.low : r->wait_ns.high };
	struct range byte_ps = { 0, 0 };
	double off = r->call.error, low, high;
	struct range cpu_ns;

	/* The bytes stay: the more each of them costs, the less goes away. */
	if (r->moved.buffer_size)
		byte_ps = predict_byte_ps(c, &r->moved);
	low = removed_ps(r, byte_ps.high, -off);
	high = removed_ps(r, byte_ps.low, off);

	widen(&wait_ns, off);
	g->syscall_ns.low += r->nr.low * low / 1000 + wait_ns.low;
	g->syscall_ns.high += r->nr.high * high / 1000 + wait_ns.high;
	cpu_ns.low = r->nr.low * (predict_bare_ps(c, low) + r->around.low * lightest_ps(c)) / 1000;
	cpu_ns.high =
		r->nr.high * (predict_bare_ps(c, high) + r->around.high * lightest_ps(c)) / 1000;
	g->cpu_ns.low += cpu_ns.low;
	g->cpu_ns.high += cpu_ns.high;
	g->wall_ns.low += cpu_ns.low + wait_ns.low;
	g->wall_ns.high += cpu_ns.high + wait_ns.high;
}

/* Widens a range by what another run may differ. */
static void vary(struct range *r)
{
	r->low /= RUN_TO_RUN;
	r->high *= RUN_TO_RUN;
}

double predict_calls_ns(const struct profile *p, double total_ns, uint64_t calls)
{
	double each_ps = calls ? total_ns * 1000 / (double)calls : 0;

	if (!calls || !calibration_measured(&p->calibration))
		return total_ns;
	return (double)calls * predict_bare_ps(&p->calibration, each_ps) / 1000;
}

/* Returns the time that iotrace adds to these calls. */
static double added_ns(const struct profile *p, double total_ns, uint64_t calls)
{
	double each_ps = calls ? total_ns * 1000 / (double)calls : 0;

	return (double)calls * added_ps(&p->calibration, each_ps) / 1000;
}

/*
 * Both ends have user time and calls. The rest is time of the kernel that no counted call took: it
 * is page faults and other calls, or what the probes cost more than in the calibrated calls. The
 * high end has all of it.
 */
struct range predict_busy_ns(const struct profile *p, const struct busy *busy)
{
	double elapsed = (double)p->elapsed_ns, run = (double)busy->run_ns, user, added = 0;
	struct range r = { elapsed, elapsed };

	if (!busy_known(busy))
		return r;
	if (calibration_measured(&p->calibration))
		added = added_ns(p, run, busy->run_calls);
	user = (double)busy->user_ns -
	       (double)busy->run_calls * AROUND_CALL * lightest_ps(&p->calibration) / 1000;
	r.low = fmax(user, 0) + predict_calls_ns(p, run, busy->run_calls);
	r.high = fmax((double)busy->user_ns + (double)busy->system_ns - added, r.low);
	r.low = fmax(r.low, r.high - added * PROBES_EXCEED);
	return r;
}

/*
 * What iotrace has added to a run is what it has added to the busy time of its tasks. Those that
 * ran beside each other, and those that would have slept, lost less of it.
 */
static struct range bare_run_ns(const struct profile *p)
{
	double elapsed = (double)p->elapsed_ns, overlapping;
	double traced = (double)p->busy.user_ns + (double)p->busy.system_ns;
	struct range bare = predict_busy_ns(p, &p->busy), r = { elapsed, elapsed };

	if (!busy_known(&p->busy) || !calibration_measured(&p->calibration) || traced <= 0)
		return r;
	overlapping = traced > elapsed ? elapsed / traced : traced / elapsed;
	if (bare.high < traced)
		r.high -= (traced - bare.high) * overlapping;
	if (bare.low < traced)
		r.low -= traced - bare.low;
	r.low = fmax(r.low, r.high - traced);
	/*
	 * With few ticks the estimate may fall below the calls' own time, which the run never does.
	 */
	if (r.low < bare.low * fmin(1, elapsed / traced))
		r.low = fmin(elapsed, bare.low * fmin(1, elapsed / traced));
	r.low = fmax(r.low, elapsed / 100);
	r.high = fmax(r.high, r.low);
	return r;
}

bool predict_is_watched(const struct profile *p)
{
	return p->to_ns || (p->provenance && !p->provenance->command);
}

/* Returns the time of waiting for disks, locks and the like. 0: it is not known. */
static double waited_as_work_ns(const struct profile *p)
{
	double ns = 0;

	for (size_t i = 0; i < p->nr_syscalls && !(p->unknown & UNKNOWN_IDLE); i++)
		ns += (double)sub_saturated(p->syscalls[i].wait_ns, p->syscalls[i].idle_ns);
	return ns;
}

struct whole predict_whole(const struct profile *p, const struct busy *busy, uint64_t wait_ns)
{
	double all = (double)p->busy.user_ns + (double)p->busy.system_ns;
	double waited_ns = fmax(waited_as_work_ns(p), (double)wait_ns);
	double own = (double)busy->user_ns + (double)busy->system_ns + (double)wait_ns;
	struct whole w = { .run_ns = bare_run_ns(p),
			   .tasks_ns = predict_busy_ns(p, busy),
			   .slack_ns = (double)busy->slack_ns,
			   .others_ns = (double)busy->others_ns,
			   .beside = 1,
			   .watched = predict_is_watched(p),
			   .busy_ns = predict_busy_ns(p, &p->busy) };

	w.busy_ns.low += waited_ns;
	w.busy_ns.high += waited_ns;
	if (!busy_known(busy))
		return w;
	w.tasks_ns.low += (double)wait_ns;
	w.tasks_ns.high += (double)wait_ns;
	all += (double)wait_ns;
	w.idle = all < (double)p->elapsed_ns / 2;
	if (p->elapsed_ns)
		w.beside = fmax(1, own / (double)p->elapsed_ns);
	return w;
}

static double share(double part, double whole)
{
	return part < whole ? part / whole : 1;
}

struct range predict_share(const struct range *part, const struct range *run)
{
	struct range gained = *part;

	widen(&gained, CALIBRATION_ERROR);
	return (struct range){ share(gained.low, run->high), share(gained.high, run->low) };
}

/* No task gains more than it works, and waits in the calls concerned. */
static void fit_into_tasks(struct gain *g, const struct whole *whole)
{
	if (whole->own_work && whole->tasks_ns.high > OWN_WORK * g->wall_ns.high) {
		g->wall_ns.high = g->cpu_ns.high = whole->tasks_ns.high;
		g->has_own_work = true;
	}
	g->wall_ns.high = fmin(g->wall_ns.high, whole->tasks_ns.high);
	g->time_ns.high = g->wall_ns.high;
	g->time_ns.low = fmin(g->wall_ns.low, g->wall_ns.high);
	g->cpu_ns.high = fmin(g->cpu_ns.high, whole->tasks_ns.high);
	g->cpu_ns.low = fmin(g->cpu_ns.low, g->cpu_ns.high);
}

/*
 * What the tasks take less becomes what the run takes less. At the low end, their slack takes it
 * up, and the run still lasts as long as the longest of the other programs.
 */
static void fit_into_run(struct gain *g, const struct profile *p, const struct whole *whole)
{
	double bare = whole->run_ns.low / (double)p->elapsed_ns;
	double rest = fmax(whole->run_ns.low - whole->others_ns * bare, 0);

	/* No run gains more than it takes. */
	g->wall_ns.high = fmin(g->wall_ns.high, whole->run_ns.high);
	g->wall_ns.low = fmin(g->wall_ns.low / whole->beside, g->wall_ns.high);
	if (g->wall_ns.low > rest)
		g->pace = PACE_OTHERS;
	g->wall_ns.low = fmin(g->wall_ns.low, rest);
	/* A fifth of the gain is within what runs differ. */
	if (g->wall_ns.low > 0 && whole->slack_ns > g->wall_ns.low / 5)
		g->pace = PACE_WAITS;
	g->wall_ns.low = fmax(g->wall_ns.low - whole->slack_ns, 0);
}

static bool can_predict(const struct profile *p)
{
	return !(p->unknown & (UNKNOWN_LATENCY | UNKNOWN_GAINS)) &&
	       calibration_measured(&p->calibration);
}

/* Makes the gain of a run out of what the tasks concerned take less. */
static void end_prediction(struct gain *g, const struct profile *p, const struct whole *whole)
{
	g->known = true;
	g->watched = whole->watched;
	g->run_ns = whole->run_ns;
	g->tasks_ns = whole->tasks_ns;
	fit_into_tasks(g, whole);
	if (g->watched)
		g->wall_ns = (struct range){ 0, 0 };
	else
		fit_into_run(g, p, whole);
	g->share = g->watched ? predict_share(&g->time_ns, &whole->busy_ns)
			      : predict_share(&g->wall_ns, &whole->run_ns);
	vary(&g->syscall_ns);
	vary(&g->time_ns);
	vary(&g->cpu_ns);
	vary(&g->wall_ns);
	vary(&g->run_ns);
	/* The next run may take longer than this one, but nothing is promised for that. */
	g->run_ns.high = fmin(g->run_ns.high, (double)p->elapsed_ns);
	g->wall_ns.high = fmin(g->wall_ns.high, whole->run_ns.high);
	g->time_ns.high = fmin(g->time_ns.high, whole->tasks_ns.high);
	g->cpu_ns.high = fmin(g->cpu_ns.high, whole->tasks_ns.high);
	/* Gain and run vary together: the lower gain fits into the shortest run. */
	g->wall_ns.low = fmin(g->wall_ns.low, fmin(g->wall_ns.high, g->run_ns.low));
}

struct gain predict_gain(const struct profile *p, const struct removal *removals, size_t nr,
			 const struct whole *whole)
{
	struct gain g = { .known = false };

	if (!can_predict(p))
		return g;
	for (size_t i = 0; i < nr; i++)
		add_removal(&g, &p->calibration, &removals[i], whole->idle);
	end_prediction(&g, p, whole);
	return g;
}

double predict_start_ns(const struct profile *p, const struct process_group *group)
{
	double start_ns = (double)p->calibration.process_ps / 1000;

	return fmin(start_ns * language_starts[group->language], (double)group->least_ns);
}

/*
 * At the low end their starts go away, and what they do is still done by one of them. At the high
 * end nothing is left of them, nor of what their starter does for each.
 */
struct gain predict_processes(const struct profile *p, const struct process_group *group,
			      const struct whole *whole)
{
	struct gain g = { .known = false };

	if (!can_predict(p) || !p->calibration.process_ps)
		return g;
	g.wall_ns.low = predict_start_ns(p, group) * (double)(group->nr - 1);
	g.wall_ns.high = whole->tasks_ns.high;
	g.cpu_ns = g.wall_ns;
	g.syscall_ns.high = (double)group->busy.run_ns;
	end_prediction(&g, p, whole);
	return g;
}
