// SPDX-License-Identifier: GPL-2.0
#include "trace/finish.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "base/message.h"
#include "trace/calibrator.h"
#include "trace/file_sizes.h"
#include "trace/language_detect.h"

/* Returns bits of enum profile_unknown for what findings need, and the set does not have. */
static unsigned not_traced(const struct syscall_set *set)
{
	unsigned unknown = 0;

	if (!syscall_set_has(set, "read") || !syscall_set_has(set, "recvfrom"))
		unknown |= UNKNOWN_READS;
	if (!syscall_set_has(set, "fsync") || !syscall_set_has(set, "fdatasync"))
		unknown |= UNKNOWN_SYNCS;
	return unknown;
}

int finish_profile(struct profile *p, struct collector *c, const struct syscall_set *set,
		   struct provenance *v, int status)
{
	int err = c->ops->snapshot(c, p, true);

	if (err)
		return err;
	profile_estimate(p);
	p->unknown |= not_traced(set);
	v->status = status;
	p->provenance = v;
	detect_languages(p);
	file_sizes_find(p);
	return profile_group_processes(p);
}

static int calibrate_processes(struct calibration *cal)
{
	struct calibrator c;
	struct call_time time = { 0 };
	int err = calibrator_start(&c);

	if (!err)
		err = calibrator_ask(&c, CALIBRATOR_PROCESS, 0, &time);
	if (!err)
		cal->process_ps = time.ps;
	calibrator_end(&c);
	return err;
}

void finish_release(struct profile *p, struct collector *c, const struct trace_options *o,
		    const struct findings *findings)
{
	bool wanted = o->overhead || findings_predict_time(findings, p);
	int err = wanted ? -EOPNOTSUPP : 0;

	if (c->ops->release)
		err = c->ops->release(c, wanted ? &p->calibration : NULL);
	if (err && !o->quiet)
		message_note("what tracing adds to a call could not be measured: %s",
			     explain_errno(-err));
	if (o->overhead)
		p->overhead_ps = p->calibration.overhead_ps;
	if (err || !wanted || !findings_are_of_processes(findings))
		return;
	err = calibrate_processes(&p->calibration);
	if (err && !o->quiet)
		message_note("what starting a process takes could not be measured: %s",
			     explain_errno(-err));
}
