// SPDX-License-Identifier: GPL-2.0
#include "cli/report_args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/message.h"
#include "base/parse.h"
#include "cli/usage.h"
#include "model/groups.h"
#include "model/syscalls.h"
#include "report/picture.h"

#define DEFAULT_TOP_FILES  10
#define DEFAULT_TOP_GROUPS 10

enum {
	OPT_HISTOGRAM = 512,
	OPT_COLOR,
	OPT_FORMAT,
	OPT_SECTION,
	OPT_BUFFER_SIZE,
	OPT_FAIL_IF,
	OPT_PLOT,
	OPT_STACKS,
	OPT_WEIGHT,
	OPT_BY,
};

/* clang-format off */
/* Where reports go to, in which format: options of runs and of comparisons. */
static const struct argp_option place_options[] = {
	{"output", 'o', "FILE", 0,
	 "Write the report to FILE instead of stderr; may be repeated. Its extension names the format: .json .jsonl .csv .tsv .md .tex .adoc .folded", 0},
	{"format", OPT_FORMAT, "NAME", 0,
	 "Write the report in this format: {formats} (strace: its table alone), unless the extension of -o names another one (default: table)", 0},
	{"plot", OPT_PLOT, "FILE", 0,
	 "Draw a picture of it with gnuplot: .svg, .png or .pdf; may be repeated", 0},
	{"fail-if", OPT_FAIL_IF, "EXPR", 0,
	 "Exit with 3 if this is true: write.calls>1000, total.time-share>20%, comm.cc1.openat.calls>1000, findings.high>0, flush-per-line.calls>100; may be repeated", 0},
	{"color", OPT_COLOR, "WHEN", 0, "Use colors: auto, always or never (default: auto)", 0},
	{"quiet", 'q', NULL, 0, "Leave out notes", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

/* What the report of a run shows. */
static const struct argp_option option_table[] = {
	{"section", OPT_SECTION, "NAME,...", 0,
	 "Report these sections: {sections} (default: all that the format has, without run in the table; csv and tsv hold one: summary)", 0},
	{"summary-sort-by", 'S', "COLUMN", 0,
	 "Sort by one of these, or none: {columns} (default: busy-percent; with -w or --format=strace, time-percent)", 0},
	{"summary-columns", 'U', "COLUMN,...", 0,
	 "Show these columns: names as for -S (default: time-percent,total-time,avg-time,calls,errors,name, and except with --format=strace waits, if any call slept, total-error with --sample-latency, and cpu-time with --cpu; unless -w is given, busy-percent,busy-time,busy-avg in place of the first three, if any call waited for another program or a timer)", 0},
	{"summary-wall-clock", 'w', NULL, 0,
	 "Show strace -w's times in the table: all of it, with that of waiting for other programs and timers", 0},
	{"histogram", OPT_HISTOGRAM, "WHICH", 0,
	 "Show the histograms of all, none, or these syscalls (default: of those that have 1 % of the busy time, or 100 calls)", 0},
	{"files", 'y', "N", OPTION_ARG_OPTIONAL,
	 "Show the N files that took most time (default: 10; 0: all), and not only, if there are findings, those that they are about", 0},
	{"by", OPT_BY, "KEY[,KEY][:N]", 0,
	 "Say who makes the calls: by {groups}, or by two of them; show the N first (default: 10; 0: all)", 0},
	{"stacks", OPT_STACKS, "full", OPTION_ARG_OPTIONAL,
	 "Show where in the code all calls come from, and not only those of findings; full: with the frames of libraries{lines}", 0},
	{"weight", OPT_WEIGHT, "calls|time|bytes", 0,
	 "What the numbers of folded stacks (-o FILE.folded) are (default: calls)", 0},
	{"buffer-size", OPT_BUFFER_SIZE, "BYTES", 0,
	 "The buffer that findings predict buffered calls with (default: that of the program's language)", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};
/* clang-format on */

static error_t parse_format(struct report_options *o, const char *arg)
{
	char names[128] = "";

	for (size_t i = 0; renderers[i]; i++) {
		size_t used = strlen(names);

		if (!strcmp(arg, renderers[i]->name)) {
			o->format = renderers[i];
			return 0;
		}
		snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
			 renderers[i]->name);
	}
	return usage_bad_value("--format", arg, names);
}

static error_t parse_color(struct report_options *o, const char *arg)
{
	static const char *const names[] = { "auto", "always", "never" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(arg, names[i])) {
			o->color = (enum color_choice)i;
			return 0;
		}
	return usage_bad_value("--color", arg, "auto, always or never");
}

/* Every name must exist in some ABI, so that a typo is an error and not a missing histogram. */
static error_t parse_histogram_names(struct report_options *o, const char *arg)
{
	struct render_options *r = &o->render;
	size_t nr = 2;
	char *name, *rest;

	for (const char *c = arg; *c; c++)
		nr += *c == ',';
	free(o->histogram_text);
	free(r->histogram_names);
	o->histogram_text = strdup(arg);
	r->histogram_names = calloc(nr, sizeof(*r->histogram_names));
	if (!o->histogram_text || !r->histogram_names)
		return ENOMEM;
	nr = 0;
	rest = o->histogram_text;
	while ((name = strsep(&rest, ","))) {
		bool known = false;

		for (int abi = 0; abi < NR_ABIS; abi++)
			known = known || syscall_number((enum iotrace_abi)abi, name) >= 0;
		if (!known)
			return usage_bad_value("--histogram", name,
					       "all, none or names of syscalls");
		r->histogram_names[nr++] = name;
	}
	return 0;
}

static error_t parse_histogram(struct report_options *o, const char *arg)
{
	o->render.histogram = !strcmp(arg, "all")    ? HISTOGRAM_ALL
			      : !strcmp(arg, "none") ? HISTOGRAM_NONE
						     : HISTOGRAM_LISTED;
	return o->render.histogram == HISTOGRAM_LISTED ? parse_histogram_names(o, arg) : 0;
}

static error_t add_place(struct report_options *o, const char *path)
{
	struct report_place *place;

	if (path && !*path)
		return usage_error("-o needs the name of a file, not an empty one");
	place = array_append(&o->places, &o->nr_places, sizeof(*place));
	if (!place)
		return ENOMEM;
	place->path = path;
	return 0;
}

/* Returns what stands behind the last point of a file's name; "" if it has none. */
static const char *extension_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');

	return dot ? dot + 1 : "";
}

/* Returns the extension of a picture's file name; NULL: it is none of them. */
static const char *extension_of_picture(const char *path)
{
	size_t i = 0;

	while (gnuplot_extensions[i] && strcasecmp(extension_of(path), gnuplot_extensions[i]))
		i++;
	return gnuplot_extensions[i];
}

static error_t add_plot(struct report_options *o, const char *path)
{
	const char *extension = extension_of_picture(path);
	struct plot_place *plot;

	if (!extension)
		return usage_bad_value("--plot", path, "a file named .svg, .png or .pdf");
	plot = array_append(&o->plots, &o->nr_plots, sizeof(*plot));
	if (!plot)
		return ENOMEM;
	*plot = (struct plot_place){ path, extension };
	return 0;
}

static error_t parse_files(struct render_options *r, const char *arg)
{
	uint64_t top = DEFAULT_TOP_FILES;
	error_t err = arg ? usage_number("--files", arg, 0, SIZE_MAX, &top) : 0;

	r->files = true;
	r->top_files = top;
	return err;
}

static error_t parse_stacks(struct render_options *r, const char *arg)
{
	if (arg && strcmp(arg, "full") != 0)
		return usage_bad_value("--stacks", arg, "full");
	r->stacks = true;
	r->whole_stacks = arg != NULL;
	return 0;
}

/* Returns the bit of a key of --by; 0: there is none of this name. */
static unsigned parse_key(const char *name, size_t len)
{
	for (size_t i = 0; i < NR_GROUP_KEYS; i++)
		if (strlen(group_keys[i].name) == len && !memcmp(group_keys[i].name, name, len))
			return group_keys[i].bit;
	return 0;
}

static error_t bad_key(const char *arg)
{
	char names[128] = "";

	for (size_t i = 0; i < NR_GROUP_KEYS; i++) {
		size_t used = strlen(names);

		snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
			 group_keys[i].name);
	}
	strncat(names, ", or two of them", sizeof(names) - strlen(names) - 1);
	return usage_bad_value("--by", arg, names);
}

error_t report_args_by(struct render_options *r, const char *arg)
{
	const char *end = strchrnul(arg, ':'), *word = arg;
	uint64_t top = DEFAULT_TOP_GROUPS;
	unsigned seen = 0;
	error_t err = 0;

	memset(r->by, 0, sizeof(r->by));
	for (size_t i = 0; word <= end; i++) {
		const char *comma = memchr(word, ',', (size_t)(end - word));
		size_t len = (size_t)((comma ? comma : end) - word);
		unsigned key = parse_key(word, len);

		if (!key || key & seen || i == MAX_GROUP_KEYS)
			return bad_key(arg);
		r->by[i] = key;
		seen |= key;
		word += len + 1;
	}
	if (*end && !parse_number(&top, end + 1, 0, SIZE_MAX))
		err = usage_bad_value(
			"--by", arg,
			"one or two keys, and after a colon the number of groups to show");
	r->top_groups = top;
	return err;
}

bool report_args_lack_groups(const struct render_options *r, bool only_groups,
			     const struct profile *p, const char *path)
{
	char name[256];

	if (!(r->by[0] || only_groups) || (p->by[0] && !r->by[0]) ||
	    !memcmp(r->by, p->by, sizeof(p->by)))
		return false;
	ESCAPE_TEXT(name, path);
	if (p->by[0])
		message_error("the calls of the capture '%s' are told apart by %s%s%s", name,
			      group_key(p->by[0])->name, p->by[1] ? "," : "",
			      p->by[1] ? group_key(p->by[1])->name : "");
	else
		message_error("the capture '%s' does not say who made the calls: trace with --by",
			      name);
	return true;
}

bool report_args_ask_intervals(const struct render_options *r)
{
	return r->sections & SECTION_INTERVALS && r->sections != SECTION_ALL;
}

static error_t parse_weight(struct render_options *r, const char *arg)
{
	static const char *const names[] = { "calls", "time", "bytes" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(arg, names[i])) {
			r->weight = (enum stack_weight)i;
			return 0;
		}
	return usage_bad_value("--weight", arg, "calls, time or bytes");
}

static error_t add_budget(struct report_options *o, const char *arg)
{
	bool ratio = is_ratio_budget(arg);
	struct budget **list = ratio ? &o->ratios : &o->budgets, *budget;
	char why[700];

	budget = array_append(list, ratio ? &o->nr_ratios : &o->nr_budgets, sizeof(*budget));
	if (!budget)
		return ENOMEM;
	return budget_parse(budget, arg, why, sizeof(why)) ? usage_error("%s", why) : 0;
}

static error_t parse_place_option(int key, char *arg, struct argp_state *state)
{
	struct report_options *o = state->input;

	switch (key) {
	case 'o':
		return add_place(o, arg);
	case OPT_FORMAT:
		return parse_format(o, arg);
	case OPT_FAIL_IF:
		return add_budget(o, arg);
	case OPT_COLOR:
		return parse_color(o, arg);
	case OPT_PLOT:
		return add_plot(o, arg);
	case 'q':
		o->render.quiet = true;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

const struct argp report_places_argp = {
	.options = place_options,
	.parser = parse_place_option,
	.help_filter = help_fill_lists,
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct report_options *o = state->input;
	struct render_options *r = &o->render;
	char why[700] = "";
	int err = 0;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = o;
		return 0;
	case 'S':
		err = column_parse_sort(&r->sort, arg, why, sizeof(why));
		break;
	case 'w':
		r->wall = true;
		return 0;
	case 'U':
		err = column_parse_list(r->columns, &r->nr_columns, arg, why, sizeof(why));
		break;
	case OPT_SECTION:
		err = sections_parse(&r->sections, report_sections, arg, why, sizeof(why));
		break;
	case OPT_HISTOGRAM:
		return parse_histogram(o, arg);
	case 'y':
		return parse_files(r, arg);
	case OPT_STACKS:
		return parse_stacks(r, arg);
	case OPT_WEIGHT:
		return parse_weight(r, arg);
	case OPT_BY:
		return report_args_by(r, arg);
	case OPT_BUFFER_SIZE:
		return usage_number("--buffer-size", arg, 1, 1 << 30, &r->buffer_size);
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return err ? usage_error("%s", why) : 0;
}

/* Without a header of their own, these options stand among the others. */
static const struct argp_child children[] = {
	{ &report_places_argp, 0, NULL, 0 },
	{ NULL, 0, NULL, 0 },
};

const struct argp report_args_argp = {
	.options = option_table,
	.parser = parse_option,
	.children = children,
	.help_filter = help_fill_lists,
};

void report_args_init(struct report_options *o)
{
	memset(o, 0, sizeof(*o));
	o->render.sort = COLUMN_BY_DEFAULT;
	o->render.top_files = DEFAULT_TOP_FILES;
	o->render.top_groups = DEFAULT_TOP_GROUPS;
}

/* Returns the format that a file's extension stands for; NULL if it stands for no format. */
static const struct renderer *renderer_of_name(const char *path)
{
	for (size_t i = 0; renderers[i]; i++)
		for (size_t e = 0; e < ARRAY_SIZE(renderers[i]->extensions); e++) {
			const char *extension = renderers[i]->extensions[e];

			if (extension && !strcasecmp(extension, extension_of(path)))
				return renderers[i];
		}
	return NULL;
}

static error_t check_place(const struct report_options *o, const struct renderer *r)
{
	const struct section_name *known = o->compare ? comparison_sections : report_sections;
	unsigned sections = o->render.sections, missing = sections & ~r->sections;
	char names[128];

	if (o->compare && !render_compares(r))
		return usage_error("the format %s has one run, no comparison", r->name);
	if (!o->compare && sections != SECTION_ALL && missing)
		return usage_error("the format %s has no section %s", r->name,
				   sections_names(names, sizeof(names), known, missing));
	sections &= o->compare ? ~0u : ~(unsigned)SECTION_INTERVALS; /* They add a column. */
	/* More than one bit is set. */
	if (r->one_section && sections & (sections - 1))
		return usage_error("the format %s holds one table: choose one section, not %s",
				   r->name, sections_names(names, sizeof(names), known, sections));
	return 0;
}

/* Refuses a budget about something that is not measured. */
static error_t check_budget(const struct budget *b, const struct trace_options *o)
{
	const char *syscall = budget_syscall(b);
	char lacks_key[64] = "";
	const struct {
		bool wrong;
		const char *message;
	} rules[] = {
		{ budget_needs(b) & UNKNOWN_LATENCY && o->no_latency,
		  "--no-latency leaves out what it is about" },
		{ budget_needs(b) & UNKNOWN_CPU && !o->cpu, "CPU time is measured with --cpu" },
		{ budget_needs(b) & UNKNOWN_FILES && !o->files,
		  "files are not traced: see --no-files and -e" },
		{ budget_key(b) && budget_key(b) != o->by[0] && budget_key(b) != o->by[1],
		  lacks_key },
		{ syscall && !syscall_set_has(&o->set, syscall),
		  "this syscall is not traced: see -e" },
	};

	if (budget_key(b))
		snprintf(lacks_key, sizeof(lacks_key), "add --by=%s to tell its calls apart",
			 group_key(budget_key(b))->name);
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].wrong)
			return usage_error("--fail-if '%.200s': %s", b->text, rules[i].message);
	return 0;
}

static error_t check_budgets(const struct report_options *o, const struct trace_options *trace)
{
	const struct budget *budgets = o->compare ? o->ratios : o->budgets;
	size_t nr = o->compare ? o->nr_ratios : o->nr_budgets;
	error_t err = 0;

	for (size_t i = 0; trace && !err && i < nr; i++)
		err = check_budget(&budgets[i], trace);
	if (err)
		return err;
	if (o->compare && o->nr_budgets)
		return usage_error(
			"--fail-if '%.100s' is about one run; of a comparison there are ratios, such as 'ratio.write.calls>1.1'",
			o->budgets[0].text);
	if (!o->compare && o->nr_ratios)
		return usage_error("--fail-if '%.100s' is about a comparison: see iotrace compare",
				   o->ratios[0].text);
	return 0;
}

/* Chooses the format of a report, as its file's name or --format says. */
static error_t choose_renderer(const struct report_options *o, struct report_place *place)
{
	place->renderer = place->path ? renderer_of_name(place->path) : NULL;
	if (!place->renderer && !o->format && place->path && extension_of_picture(place->path))
		return usage_error("-o '%.200s' would be a table, no picture: --plot draws one",
				   place->path);
	place->capture = place->renderer && place->renderer->writes_captures;
	if (!place->renderer)
		place->renderer = o->format ? o->format : renderers[0];
	return check_place(o, place->renderer);
}

/* Does any of the reports, pictures and budgets show the groups of --by? */
static bool shows_groups(const struct report_options *o)
{
	bool shown = o->nr_plots;

	for (size_t i = 0; i < o->nr_places; i++)
		shown = shown || o->places[i].renderer->writes_captures ||
			render_sections(o->places[i].renderer, &o->render) & SECTION_GROUPS;
	for (size_t i = 0; i < o->nr_budgets; i++)
		shown = shown || budget_key(&o->budgets[i]);
	return shown;
}

/* Does any of the reports show what tracing added to a call? Captures hold it in all cases. */
static bool shows_overhead(const struct report_options *o)
{
	for (size_t i = 0; i < o->nr_places; i++) {
		const struct renderer *r = o->places[i].renderer;

		if (r->writes_captures ||
		    render_sections(r, &o->render) & (SECTION_RUN | SECTION_INTEGRITY))
			return true;
	}
	return false;
}

error_t report_args_finish(struct report_options *o, const struct trace_options *trace,
			   const char *path)
{
	bool used = !o->format;
	error_t err = check_budgets(o, trace);

	if (!err && !o->nr_places)
		err = add_place(o, path);
	for (size_t i = 0; !err && i < o->nr_places; i++) {
		err = choose_renderer(o, &o->places[i]);
		used = used || o->places[i].renderer == o->format;
	}
	if (!err && trace && trace->overhead && !o->compare && !shows_overhead(o))
		err = usage_error(
			"--overhead is told in the sections run and integrity, and no report here has either");
	if (!err && trace && !o->compare && !trace->interval_ns &&
	    report_args_ask_intervals(&o->render))
		err = usage_error("--section=intervals needs --interval");
	if (!err && !o->compare && o->render.by[0] && !shows_groups(o))
		err = usage_error(
			"--by is told in the section groups, and no report here has it: add --section=groups");
	if (!err && !o->compare && o->render.weight != WEIGHT_CALLS && !reports_folded_stacks(o))
		err = usage_error(
			"--weight is of folded stacks, and no report here has them: add -o FILE.folded");
	if (err || used)
		return err;
	return usage_error("--format=%s contradicts the extension of '%.80s'", o->format->name,
			   o->places[0].path);
}

void report_args_free(struct report_options *o)
{
	for (size_t i = 0; i < o->nr_budgets; i++)
		budget_free(&o->budgets[i]);
	free(o->places);
	free(o->plots);
	free(o->budgets);
	free(o->ratios);
	free(o->render.histogram_names);
	free(o->histogram_text);
	memset(o, 0, sizeof(*o));
}
