// SPDX-License-Identifier: GPL-2.0
#include "trace/finish.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "base/message.h"
#include "trace/language_detect.h"

int finish_profile(struct profile *p, struct collector *c, struct provenance *v, int status)
{
	int err = c->ops->snapshot(c, p, true);

	if (err)
		return err;
	profile_estimate(p);
	v->status = status;
	p->provenance = v;
	detect_languages(p);
	return 0;
}

void finish_release(struct profile *p, struct collector *c, const struct trace_options *o,
		    bool calibrate)
{
	bool wanted = o->overhead || calibrate;
	int err = wanted ? -EOPNOTSUPP : 0;

	if (c->ops->release)
		err = c->ops->release(c, wanted ? &p->calibration : NULL);
	if (err && !o->quiet)
		message_note("what tracing adds to a call could not be measured: %s",
			     explain_errno(-err));
	if (o->overhead)
		p->overhead_ps = p->calibration.overhead_ps;
}
