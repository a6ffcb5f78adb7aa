// SPDX-License-Identifier: GPL-2.0
#include "cli/window_args.h"

#include <errno.h>

#include "base/limits.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/usage.h"

enum { OPT_FROM = 3072, OPT_TO };

/* clang-format off */
static const struct argp_option option_table[] = {
	{"from", OPT_FROM, "SECS", 0,
	 "Report only what happened from this second of the run on, by its intervals (--interval)", 0},
	{"to", OPT_TO, "SECS", 0, "Report only what happened up to this second of the run", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};
/* clang-format on */

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct window *w = state->input;

	if (key != OPT_FROM && key != OPT_TO)
		return ARGP_ERR_UNKNOWN;
	w->given = true;
	return key == OPT_FROM ? usage_seconds("--from", arg, 0, &w->from_ns)
			       : usage_seconds("--to", arg, 1, &w->until_ns);
}

const struct argp window_argp = { .options = option_table, .parser = parse_option };

error_t window_finish(const struct window *w)
{
	if (!w->until_ns || w->from_ns < w->until_ns)
		return 0;
	return usage_error("--from must be before --to");
}

bool window_apply(const struct window *w, struct capture *c, const char *path, bool quiet)
{
	char name[256], from[32], to[32];
	struct interval_span span;
	int err;

	if (!w->given)
		return true;
	ESCAPE_TEXT(name, path);
	if (!c->intervals.nr) {
		message_error("the capture '%s' has no intervals: trace with --interval", name);
		return false;
	}
	err = intervals_cut(&c->intervals, &c->profile, w->from_ns, w->until_ns, &span);
	if (err == -ENOENT)
		message_error("the capture '%s' has no interval in that time: it ends after %s s",
			      name, format_fixed(to, sizeof(to), (double)span.end_ns / 1e9, 3));
	else if (err)
		message_error("%s", explain_errno(-err));
	if (err)
		return false;
	c->provenance.wall_ns = 0; /* It is that of the whole run. */
	if (!quiet)
		message_note("this is the run from second %s to %s, in whole intervals",
			     format_fixed(from, sizeof(from), (double)span.begin_ns / 1e9, 3),
			     format_fixed(to, sizeof(to), (double)span.end_ns / 1e9, 3));
	return true;
}
