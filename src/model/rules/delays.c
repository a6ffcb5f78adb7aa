// SPDX-License-Identifier: GPL-2.0
/*
 * A few small writes to a connection, and then a read that waits. Nagle's algorithm (RFC 896) holds
 * the second one back until the first is acknowledged. The other side has nothing to send yet, and
 * delays that by 40 ms or more (TCP_DELACK_MIN of include/net/tcp.h).
 */
#include <string.h>

#include "base/arithmetic.h"
#include "model/rules/rule.h"

#define DELAY_NS   40000000
#define LATE	   1.2 /* The timer may be so late. */
#define MIN_DELAYS 10

/* Counts the calls that took as long as the delay, by octaves: 33 to 67 ms, or 67 to 134 ms. */
static uint64_t count_delayed(const struct file_call *c)
{
	uint32_t octave = file_latency_bucket(DELAY_NS);

	return c->latency[octave] + c->latency[octave + 1];
}

static bool judge(const struct subject *s, struct finding *f)
{
	uint64_t delayed = count_delayed(&s->read);
	double writes = rule_ratio(file_call_moved(&s->write), s->write.runs);
	double gained = (double)delayed * DELAY_NS;
	struct removal removal = { .call = predict_call_cost(&s->write) };

	if (s->file->kind != FILE_KIND_SOCKET || strncmp(s->file->path, "tcp", 3) ||
	    delayed < MIN_DELAYS || delayed < s->write.runs / 4 || writes < 1.2 || writes > 4)
		return false;
	f->calls = s->write.calls;
	f->fix.total_ns = (uint64_t)gained;
	f->wait_ns = (uint64_t)gained;
	/* This waiting goes away, and is no slack. */
	f->fix.busy.slack_ns = sub_saturated(f->fix.busy.slack_ns, (uint64_t)(gained * LATE));
	rule_set_text(
		&f->evidence,
		"%s writes of %s, %.1f of them before each read; %s reads then waited for 40 ms",
		COUNT(s->write.calls), BYTES(rule_mean_bytes(&s->write)), writes, COUNT(delayed));
	removal.wait_ns = (struct range){ gained, gained * LATE };
	rule_predict(f, s->write.runs, &removal, 1, f->wait_ns);
	f->fix.each = "delayed read";
	f->fix.nr_each = delayed;
	f->fix.basis = "each of these reads waited for 40 to 48 ms in vain";
	rule_advise(s, f, ADVICE_NAGLE);
	return true;
}

const struct rule rule_delayed_writes = { "delayed-writes", false, ABOUT(WRITES) | BY_TIME, judge };
