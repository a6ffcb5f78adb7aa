// SPDX-License-Identifier: GPL-2.0
/* Small reads that a buffer would gather. */
#include "model/rules/rule.h"

/* If reads jump, a buffer would read bytes that nobody wants. */
static bool jumps(const struct subject *s)
{
	return s->jumps >= file_call_moved(&s->read) / 2;
}

static bool judge(const struct subject *s, struct finding *f, uint64_t *total_ns)
{
	const struct file_call *r = &s->read;
	uint64_t moved = file_call_moved(r), size = input_buffer(s);
	char bytes[24];

	if (moved < MIN_CALLS || !r->bytes || jumps(s) ||
	    (!file_is_on_disk(s->file) && s->file->kind != FILE_KIND_PIPE) ||
	    gathered_calls(s, r, size) > r->calls / 2)
		return false;
	f->calls = r->calls;
	*total_ns = r->total_ns;
	set_text(&f->evidence, "%" PRIu64 " reads of %s on average", moved,
		 format_bytes(bytes, sizeof(bytes), mean(r->bytes, moved)));
	tell_waiting(s, f, r);
	predict_gathered(s, f, r, size);
	f->advice = advice_text(ADVICE_READS, s->file->language);
	return true;
}

const struct rule rule_tiny_reads = { "tiny-reads", false, false, judge };
