// SPDX-License-Identifier: GPL-2.0
/* The default report as a document. A new part is a row in parts[]. */
#include <errno.h>
#include <inttypes.h>

#include "base/array.h"
#include "base/text.h"
#include "report/sheets.h"
#include "report/texts.h"

static int print_summary(FILE *out, const struct result *r, const struct render_options *o,
			 unsigned sections __attribute__((unused)))
{
	bool counted = profile_has_calls(r->profile);

	if (!counted && o->quiet)
		return 0;
	if (!counted)
		fputs("None of the selected calls was counted.\n", out);
	return render_summary(out, r->profile, o);
}

static bool shows_files(const struct result *r, const struct render_options *o)
{
	return files_asked(o) || findings_shown(&r->findings, false);
}

/* Says which files are not among the top. */
static void print_more_files(FILE *out, const struct result *r, size_t top)
{
	uint64_t calls = 0;

	if (!r->nr_files)
		fputs("No call was about a file.\n", out);
	for (size_t i = top; top && i < r->nr_files; i++) {
		struct file_call sum;

		file_stats_sum(&sum, &r->files[i], NR_SYSCALL_ACTIONS);
		calls += sum.calls;
	}
	if (top && top < r->nr_files)
		fprintf(out, "and %zu more with %" PRIu64 " calls\n", r->nr_files - top, calls);
}

/*
 * Says what the table of files lacks. Calls without a place, and users, are missing in the
 * findings, too, and are told without the table as well.
 */
static int print_files(FILE *out, const struct result *r, const struct render_options *o,
		       unsigned sections __attribute__((unused)))
{
	const struct profile *p = r->profile;
	uint64_t calls = p->misplaced_calls;
	bool shown = shows_files(r, o);

	if (shown && p->unknown & UNKNOWN_FILES) {
		fputs("Which files the calls were about is not known.\n", out);
		return 0;
	}
	if (files_asked(o))
		print_more_files(out, r, o->top_files);
	if (calls)
		fprintf(out,
			"%" PRIu64
			" call%s among those of (other), for lack of room (see --max-files)\n",
			calls, calls == 1 ? " on files is" : "s on files are");
	if (p->lost_file_users)
		fprintf(out,
			"%" PRIu64
			" users of files are missing: there was no room for them, or their process is unknown\n",
			p->lost_file_users);
	return 0;
}

/* Strace unwinds stacks only if it is told to. */
static bool lacks_stacks(const struct profile *p)
{
	return same_text(p->backend, "strace") && !(p->unknown & UNKNOWN_FILES) &&
	       !p->stacks.samples && !p->stacks.lost;
}

static int print_findings(FILE *out, const struct result *r, const struct render_options *o,
			  unsigned sections)
{
	int err;

	if (!findings_shown(&r->findings, findings_asked(o)))
		return 0;
	err = render_findings(out, r, o);
	if (lacks_stacks(r->profile))
		fputs("With --stacks, strace says where the calls come from, which takes it some 0.1 to 1 ms each.\n",
		      out);
	if (!(sections & SECTION_STACKS))
		print_missing_samples(out, &r->profile->stacks);
	return err;
}

/* The parts of a document for a terminal. Parts of the same sections stand together. */
static const struct part {
	unsigned sections;
	enum sheet_form form;
	/* Prints a text, if there is one. NULL: it is a table. 0 or -ENOMEM. */
	int (*print)(FILE *out, const struct result *r, const struct render_options *o,
		     unsigned sections);
} parts[] = {
	{ SECTION_RUN, SHEET_LIST, NULL },
	{ SECTION_SUMMARY, SHEET_TEXT, print_summary },
	{ SECTION_SUMMARY, SHEET_LINES, render_traced },
	{ SECTION_SUMMARY, SHEET_TEXT, render_programs },
	{ SECTION_INTERVALS, SHEET_TABLE, NULL },
	{ SECTION_GROUPS, SHEET_TABLE, NULL },
	{ SECTION_FILES, SHEET_TABLE, NULL },
	{ SECTION_FILES, SHEET_TEXT, print_files },
	{ SECTION_FINDINGS, SHEET_LINES, print_findings },
	{ SECTION_STACKS, SHEET_LINES, render_sites },
	{ SECTION_LATENCY | SECTION_SIZES | SECTION_ERRORS, SHEET_LINES, text_of_syscalls },
	{ SECTION_INTEGRITY | SECTION_INFLIGHT, SHEET_LINES, text_of_account },
};

static int add_text(struct document *d, const struct part *part, const struct result *r,
		    const struct render_options *o, unsigned sections)
{
	struct sheet *s = document_add(d, "");
	FILE *out = s ? open_memstream(&s->text, &s->text_len) : NULL;
	int err = out ? part->print(out, r, o, sections) : -ENOMEM;

	if (out && fclose(out) && !err)
		err = -ENOMEM;
	if (!err && !s->text_len)
		document_drop(d);
	return err;
}

static int add_tables(struct document *d, const struct part *part, const struct result *r,
		      const struct render_options *o)
{
	if (part->sections == SECTION_FILES && !shows_files(r, o))
		return 0;
	return document_of_result(d, r, o, part->sections, FOR_PEOPLE);
}

int document_for_terminal(struct document *d, const struct result *r,
			  const struct render_options *o, unsigned sections)
{
	struct render_options options = render_with_columns(o, r->profile);
	unsigned before = 0;
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_SIZE(parts); i++) {
		const struct part *part = &parts[i];
		size_t nr = d->nr_sheets;

		if (!(part->sections & sections))
			continue;
		err = part->print ? add_text(d, part, r, &options, sections)
				  : add_tables(d, part, r, &options);
		for (size_t k = nr; k < d->nr_sheets; k++) {
			d->sheets[k].form = part->form;
			d->sheets[k].titled = false;
			d->sheets[k].apart = k && before != part->sections;
			before = part->sections;
		}
	}
	return err;
}
