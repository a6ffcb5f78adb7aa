// SPDX-License-Identifier: GPL-2.0
/* iotrace compare: runs commands in turns, or reads captures, and tells how they differ. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "base/exit_status.h"
#include "base/limits.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/compare_args.h"
#include "cli/report_args.h"
#include "cli/symbolize.h"
#include "cli/usage.h"
#include "trace/target.h"

static int say_no_memory(void)
{
	message_error("%s", explain_errno(ENOMEM));
	return EXIT_IOTRACE;
}

/* Names the code of the captures by the files that are here. Returns 0 or -ENOMEM. */
static int name_code(struct compared_captures *captures)
{
	int err = 0;

	for (size_t i = 0; !err && i < captures->nr; i++)
		err = symbolize(&captures->list[i]->profile.stacks, false, false);
	return err;
}

/* Says so if sites are to be compared and a capture, of those from the first on, has none. */
static bool lacks_stacks(const struct compare_options *o, const struct compared_captures *captures,
			 size_t first, const char *path)
{
	for (size_t i = first; o->stacks && i < captures->nr; i++) {
		if (captures->list[i]->profile.stacks.samples)
			continue;
		usage_no_stacks(path);
		return true;
	}
	return false;
}

/* Says so if groups are to be compared and a capture, of those from the first on, has others. */
static bool lacks_groups(const struct compare_options *o, const struct compared_captures *captures,
			 size_t first, const char *path)
{
	bool wanted = o->report.render.sections == COMPARISON_GROUPS;

	for (size_t i = first; i < captures->nr; i++)
		if (report_args_lack_groups(&o->report.render, wanted, &captures->list[i]->profile,
					    path))
			return true;
	return false;
}

/* Cuts the captures from the first on, for --from and --to. False, after a message: not all. */
static bool cut(const struct compare_options *o, const struct compared_captures *captures,
		size_t first, const char *path)
{
	bool done = true;

	for (size_t i = first; done && i < captures->nr; i++)
		done = window_apply(&o->window, captures->list[i], path, o->report.render.quiet);
	return done;
}

/* Reads the captures, adds the sides of the commands, without runs as yet, and names the sides. */
static int gather(const struct compare_options *o, struct compared_captures *captures,
		  size_t *side_of)
{
	struct comparison *c = &captures->comparison;
	char why[512], name[256];

	for (size_t i = 0; i < o->nr_inputs; i++) {
		const struct compare_input *input = &o->inputs[i];
		size_t first = captures->nr;

		side_of[i] = c->nr_sides;
		if (c->nr_sides == MAX_SIDES) {
			message_error("there can be %d sides at most", MAX_SIDES);
			return EXIT_IOTRACE;
		}
		if (input->command && !comparison_add_side(c, input->text))
			return say_no_memory();
		if (input->command)
			continue;
		if (compared_captures_read(captures, input->text, why, sizeof(why))) {
			message_error("cannot read the capture '%s': %s",
				      ESCAPE_TEXT(name, input->text), why);
			return EXIT_IOTRACE;
		}
		if (!cut(o, captures, first, input->text) ||
		    lacks_stacks(o, captures, first, input->text) ||
		    lacks_groups(o, captures, first, input->text))
			return EXIT_IOTRACE;
	}
	for (size_t i = 0; i < o->nr_names && i < c->nr_sides; i++)
		if (side_rename(&c->sides[i], o->names[i]))
			return say_no_memory();
	return name_code(captures) ? say_no_memory() : 0;
}

static bool has_runs(const struct comparison *c)
{
	for (size_t i = 0; i < c->nr_sides; i++)
		if (!c->sides[i].nr_runs)
			return false;
	return true;
}

static int write_reports(struct reports *reports, struct comparison *c)
{
	bool broken = false;

	if (comparison_make(c))
		return say_no_memory();
	if (c->keys_differ)
		message_note(
			"the groups of --by are not compared, as the runs do not all have the same keys");
	if (reports__compare(reports, c, &broken))
		return EXIT_IOTRACE;
	return broken ? EXIT_BUDGET : 0;
}

/* Returns an exit status; *signal becomes what iotrace should die of. */
static int compare(const struct compare_options *o, int *signal)
{
	struct compared_captures captures = { 0 };
	struct comparison *c = &captures.comparison;
	struct reports *reports = NULL;
	size_t side_of[MAX_SIDES];
	int written, err = gather(o, &captures, side_of);

	if (!err && reports__open(&reports, &o->report, false))
		err = EXIT_IOTRACE;
	if (!err && o->trace.command)
		err = compare_run_all(o, side_of, &captures, signal);
	if (reports && has_runs(c)) {
		if (err)
			message_note("this is the comparison of the runs until then");
		written = write_reports(reports, c);
		err = err ? err : written;
	}
	reports__close(reports);
	compared_captures_free(&captures);
	return err;
}

int cmd_compare(int argc, char **argv)
{
	struct compare_options options;
	int signal = 0, err = compare_args_parse(&options, argc, argv);

	if (!err)
		err = compare(&options, &signal);
	else
		err = err > 0 ? 0 : EXIT_IOTRACE;
	compare_args_free(&options);
	if (signal)
		target_end_like(W_EXITCODE(0, signal));
	return err;
}
