// SPDX-License-Identifier: GPL-2.0
/*
 * Small writes to a connection, of which Nagle's algorithm (RFC 896) holds the second one back
 * until the first is acknowledged. The other side has nothing to send yet, and delays that by 40 ms
 * or more (TCP_DELACK_MIN of include/net/tcp.h). The probes measure it. Where they do not, what
 * tells it are reads that wait for so long.
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

/* Predicts the run without the time that these reads waited in vain. */
static void predict_reads(const struct subject *s, struct finding *f, double low, double high)
{
	struct removal removal = { .call = predict_call_cost(&s->write), .wait_ns = { low, high } };

	f->fix.total_ns = (uint64_t)low;
	f->wait_ns = (uint64_t)low;
	/* This waiting goes away, and is no slack. */
	f->fix.busy.slack_ns = sub_saturated(f->fix.busy.slack_ns, (uint64_t)high);
	rule_predict(f, s->write.runs, &removal, 1, f->wait_ns);
}

static void tell_writes(const struct subject *s, struct finding *f, const char *before)
{
	rule_set_text(&f->evidence, "%s writes of %s, %.1f of them before each %s",
		      COUNT(s->write.calls), BYTES(rule_mean_bytes(&s->write)),
		      rule_ratio(file_call_moved(&s->write), s->write.runs), before);
}

/* Judges by the reads. */
static bool judge_reads(const struct subject *s, struct finding *f)
{
	uint64_t delayed = count_delayed(&s->read);
	double writes = rule_ratio(file_call_moved(&s->write), s->write.runs);
	double gained = (double)delayed * DELAY_NS;

	if (delayed < MIN_DELAYS || delayed < s->write.runs / 4 || writes < 1.2 || writes > 4)
		return false;
	tell_writes(s, f, "read");
	rule_add_text(&f->evidence, "; %s reads then waited for 40 ms", COUNT(delayed));
	predict_reads(s, f, gained, gained * LATE);
	f->fix.each = "delayed read";
	f->fix.nr_each = delayed;
	f->fix.basis = "each of these reads waited for 40 to 48 ms in vain";
	return true;
}

/* Judges by what the probes have measured. */
static bool judge_measured(const struct subject *s, struct finding *f)
{
	uint64_t delays = s->all.nagle_delays, mean_ns = rule_mean(s->all.nagle_ns, delays);
	double ns = (double)s->all.nagle_ns;

	if (delays < MIN_DELAYS)
		return false;
	f->late.nr = delays;
	f->late.ns = s->all.nagle_ns;
	f->late.of = s->write.runs > delays ? s->write.runs : delays;
	/* An event loop waits for all of its connections at once, in another call. */
	f->late.paces = !predict_is_watched(s->profile) && s->read.wait_ns >= s->all.nagle_ns;
	tell_writes(s, f, "answer");
	rule_add_text(
		&f->evidence,
		"; %s of %s were held back for %s on average, until what was sent before was acknowledged",
		COUNT(delays), COUNT(f->late.of), format_ns((char[24]){ 0 }, 24, mean_ns));
	if (f->late.paces) {
		predict_reads(s, f, ns, ns);
	} else {
		struct removal removal =
			rule_removal(&s->write, rule_nr_removed(&s->write, s->write.runs));

		f->fix.total_ns = s->write.total_ns;
		rule_predict(f, s->write.runs, &removal, 1, 0);
	}
	f->fix.each = "request";
	f->fix.nr_each = delays;
	f->fix.basis = "measured from the end of each such write until the kernel sent it";
	return true;
}

static bool judge(const struct subject *s, struct finding *f)
{
	if (s->file->kind != FILE_KIND_SOCKET || strncmp(s->file->path, "tcp", 3) != 0 ||
	    !(s->profile->unknown & UNKNOWN_NAGLE ? judge_reads(s, f) : judge_measured(s, f)))
		return false;
	f->calls = s->write.calls;
	rule_advise(s, f, ADVICE_NAGLE);
	return true;
}

const struct rule rule_delayed_writes = { "delayed-writes", false, ABOUT(WRITES) | BY_TIME, judge };
