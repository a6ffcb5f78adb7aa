// SPDX-License-Identifier: GPL-2.0
#include "trace/finish.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "base/message.h"
#include "model/estimate.h"
#include "model/result.h"
#include "trace/language_detect.h"

static bool predicts_time(const struct profile *p)
{
	struct result r;
	bool predicts = !result_judge(&r, p, 0) && findings_predict_time(&r.findings, p);

	result_free(&r);
	return predicts;
}

/* Lets go of what was traced. That also measures what calls cost, if somebody wants to know. */
static void release(struct profile *p, struct collector *c, const struct trace_options *o)
{
	bool wanted = o->overhead || predicts_time(p);
	int err = wanted ? -EOPNOTSUPP : 0;

	if (c->ops->release)
		err = c->ops->release(c, wanted ? &p->calibration : NULL);
	if (err && !o->quiet)
		message_note("what tracing adds to a call could not be measured: %s",
			     explain_errno(-err));
	if (o->overhead)
		p->overhead_ps = p->calibration.overhead_ps;
}

int finish_profile(struct profile *p, struct collector *c, const struct trace_options *o,
		   struct provenance *v, int status)
{
	int err = c->ops->snapshot(c, p, true);

	if (err)
		return err;
	profile_estimate(p);
	v->status = status;
	p->provenance = v;
	detect_languages(p);
	release(p, c, o);
	return 0;
}
