// SPDX-License-Identifier: GPL-2.0
/* Writes that fail, and writes that are cut short. */
#include <errno.h>

#include "base/errno_name.h"
#include "model/rules/rule.h"

#define MIN_ERRORS 10

/* The most frequent errno of the run's writes, because errnos are not counted per file. */
static int most_frequent_errno(const struct profile *p)
{
	uint64_t most = 0;
	int err = 0;

	for (size_t i = 0; i < p->nr_syscalls; i++) {
		const struct syscall_stats *c = &p->syscalls[i];

		for (size_t j = 0;
		     syscall_traits_by_name(c->name).action == ACTION_WRITES && j < c->nr_errnos;
		     j++) {
			if (c->errnos[j].count <= most)
				continue;
			most = c->errnos[j].count;
			err = c->errnos[j].err;
		}
	}
	return err;
}

static bool judge_errors(const struct subject *s, struct finding *f, uint64_t *total_ns)
{
	int err = most_frequent_errno(s->profile);
	char name[24];

	if (s->write.errors < MIN_ERRORS || s->file->kind == FILE_KIND_INVALID)
		return false;
	f->calls = s->write.errors;
	*total_ns = mean(s->write.total_ns, s->write.calls) * s->write.errors;
	set_text(&f->evidence, "%" PRIu64 " of %" PRIu64 " writes failed%s%s", s->write.errors,
		 s->write.calls, err ? "; most frequent of all writes: " : "",
		 err ? format_errno(name, sizeof(name), err) : "");
	f->advice = advice_text(err == EAGAIN  ? ADVICE_FULL
				: err == EPIPE ? ADVICE_GONE
					       : ADVICE_FAILED,
				s->file->language);
	f->severity = err == EAGAIN || err == EPIPE || err == EINTR ? SEVERITY_INFO : SEVERITY_LOW;
	return true;
}

static bool judge_short_writes(const struct subject *s, struct finding *f, uint64_t *total_ns)
{
	if (s->write.cut_short < MIN_CYCLES || s->file->kind == FILE_KIND_TTY)
		return false;
	f->calls = s->write.cut_short;
	*total_ns = mean(s->write.total_ns, s->write.calls) * s->write.cut_short;
	set_text(&f->evidence, "%" PRIu64 " of %" PRIu64 " writes wrote less than they were given",
		 s->write.cut_short, s->write.calls);
	f->advice = advice_text(ADVICE_CUT_SHORT, s->file->language);
	return true;
}

const struct rule rule_write_errors = { "write-errors", false, false, judge_errors };
const struct rule rule_short_writes = { "short-writes", false, false, judge_short_writes };
