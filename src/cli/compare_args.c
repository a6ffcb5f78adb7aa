// SPDX-License-Identifier: GPL-2.0
#include "cli/compare_args.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

#include "base/array.h"
#include "cli/report_args.h"
#include "cli/trace_args.h"
#include "cli/usage.h"

#define DEFAULT_RUNS 10
#define MAX_RUNS     10000

enum {
	OPT_WARMUP = 2048,
	OPT_PREPARE,
	OPT_STDOUT,
	OPT_SHELL,
	OPT_SIDE_SECTION,
	OPT_SITES,
	OPT_SIDES_BY,
};

/* clang-format off */
static const struct argp_option option_table[] = {
	{"runs", 'r', "RUNS", 0,
	 "Run each command this many times traced, and as many times without iotrace, in turns (default: 10)", 0},
	{"warmup", OPT_WARMUP, "N", 0,
	 "Before that, run each command N times without measuring (default: 0)", 0},
	{"prepare", OPT_PREPARE, "CMD", 0, "Run CMD in a shell before each run", 0},
	{"stdout", OPT_STDOUT, "WHERE", 0,
	 "Have the commands write to null, the standard output that they inherit, or a FILE that is emptied before each run (default: null)", 0},
	{"shell", OPT_SHELL, NULL, 0,
	 "Run the commands in a shell, which is then among what is measured", 0},
	{"ignore-failure", 'i', NULL, 0, "Go on if a command fails", 0},
	{"name", 'n', "NAME", 0,
	 "Call the first side NAME, with another -n the second, and so on", 0},
	{"section", OPT_SIDE_SECTION, "NAME,...", 0,
	 "Report these sections: sides, summary, calls, groups, stacks, figures (default: all; csv and tsv hold one: figures; json holds all of it)", 0},
	{"stacks", OPT_SITES, NULL, 0,
	 "Find out, too, where in the code the calls come from that differ; the calls on files then cost more", 0},
	{"by", OPT_SIDES_BY, "KEY[,KEY]", 0,
	 "Compare, too, who makes the calls: by {groups}, or by two of them; groups are matched by name", 0},
	{"verbose", 'v', NULL, 0, "Show the messages of libbpf", 0},
	{"help", 'h', NULL, 0, "Print this help and exit", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};
/* clang-format on */

struct parsing {
	struct compare_options *o;
	bool done; /* The help has been printed. */
};

static error_t parse_stdout(struct compare_options *o, const char *arg)
{
	if (!*arg)
		return usage_bad_value("--stdout", arg, "null, inherit or a file");
	o->stdout_to = !strcmp(arg, "inherit") ? NULL : !strcmp(arg, "null") ? "/dev/null" : arg;
	return 0;
}

static error_t add_name(struct compare_options *o, const char *arg)
{
	if (!*arg)
		return usage_error("-n needs a name, not an empty one");
	if (o->nr_names == MAX_SIDES)
		return usage_error("there can be 26 sides at most");
	o->names[o->nr_names++] = arg;
	return 0;
}

static error_t parse_section(struct compare_options *o, const char *arg)
{
	char why[256];

	return sections_parse(&o->report.render.sections, comparison_sections, arg, why,
			      sizeof(why))
		       ? usage_error("%s", why)
		       : 0;
}

static error_t parse_by(struct compare_options *o, const char *arg)
{
	error_t err = report_args_by(&o->report.render, arg);

	if (!err && strchr(arg, ':'))
		err = usage_error(
			"--by '%.100s': a comparison shows people the 10 first groups, and "
			"csv, tsv and json all of them: leave out the number",
			arg);
	return err;
}

/* Is it a capture: named so, or a file or a pipe that nobody would execute? */
static bool is_capture(const char *text)
{
	size_t len = strlen(text);
	struct stat st;

	if (!strcmp(text, "-") || (len > 5 && !strcmp(text + len - 5, ".json")))
		return true;
	if (stat(text, &st) || S_ISDIR(st.st_mode))
		return false;
	return !S_ISREG(st.st_mode) || access(text, X_OK);
}

static error_t copy_words(struct compare_input *input, char *const *words, size_t nr)
{
	input->command = calloc(nr + 1, sizeof(*input->command));
	for (size_t i = 0; input->command && i < nr; i++) {
		input->command[i] = strdup(words[i]);
		if (!input->command[i])
			return ENOMEM;
	}
	return input->command ? 0 : ENOMEM;
}

static error_t say_not_split(const char *text, int err)
{
	return usage_error(
		"cannot split '%.150s' into words: %s", text,
		!err		      ? "there are none"
		: err == WRDE_BADVAL  ? "it uses a variable that is not set"
		: err == WRDE_BADCHAR ? "it needs a shell (--shell), for one of | & ; < > ( ) { }"
		: err == WRDE_CMDSUB  ? "it needs a shell (--shell), to run a command in it"
				      : "its quotes do not match");
}

/* Splits a command into words, as a shell does. */
static error_t split(struct compare_input *input)
{
	wordexp_t words;
	int err = wordexp(input->text, &words, WRDE_NOCMD | WRDE_UNDEF);
	error_t result;

	if (err == WRDE_NOSPACE)
		return ENOMEM;
	if (err)
		return say_not_split(input->text, err);
	result = words.we_wordc ? copy_words(input, words.we_wordv, words.we_wordc)
				: say_not_split(input->text, 0);
	wordfree(&words);
	return result;
}

static error_t add_input(struct compare_options *o, const char *text)
{
	if (o->nr_inputs == MAX_SIDES)
		return usage_error("there can be 26 sides at most");
	o->inputs[o->nr_inputs++].text = text;
	return 0;
}

static error_t split_inputs(struct compare_options *o)
{
	error_t err = 0;

	for (size_t i = 0; !err && i < o->nr_inputs; i++) {
		struct compare_input *input = &o->inputs[i];
		char *const shell[] = { (char *)"/bin/sh", (char *)"-c", (char *)input->text };

		if (!is_capture(input->text))
			err = o->shell ? copy_words(input, shell, ARRAY_SIZE(shell)) : split(input);
	}
	return err;
}

/* Refuses options of a run that a comparison has no use for. */
static error_t check_trace(const struct trace_options *o)
{
	const struct {
		bool given;
		const char *name;
	} refused[] = {
		{ o->nr_pids || o->named, "-p" },
		{ o->cgroup, "--cgroup" },
		{ o->all, "-a" },
		{ o->interval_ns, "--interval" },
		{ o->overhead, "--overhead" },
		{ o->duration_ns, "--duration" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (refused[i].given)
			return usage_error("compare runs commands to their end: it has no %s",
					   refused[i].name);
	return 0;
}

static error_t finish(struct compare_options *o)
{
	error_t err;

	if (!o->nr_inputs)
		return usage_error(
			"compare needs commands or captures: iotrace compare './before' './after'");
	if (o->nr_names > o->nr_inputs)
		return usage_error("there are more names (-n) than sides");
	err = window_finish(&o->window);
	if (!err)
		err = split_inputs(o);
	for (size_t i = 0; !err && i < o->nr_inputs && !o->trace.command; i++)
		o->trace.command = o->inputs[i].command;
	if (!err)
		err = check_trace(&o->trace);
	if (!err && o->window.given && o->trace.command)
		err = usage_error("--from and --to are about captures, not about commands to run");
	o->trace.quiet = o->report.render.quiet;
	if (o->report.render.sections == COMPARISON_STACKS)
		o->stacks = true;
	/*
	 * Nothing else here is about files: what finding them out costs would only disturb the
	 * times.
	 */
	o->trace.files = o->trace.nr_filter_paths || o->stacks;
	o->trace.stacks = o->trace.all_stacks = o->stacks;
	memcpy(o->trace.by, o->report.render.by, sizeof(o->trace.by));
	if (!err && o->trace.command)
		err = trace_args_finish(&o->trace);
	if (!err && o->report.render.sections == COMPARISON_GROUPS && !o->trace.by[0] &&
	    o->trace.command)
		err = usage_error("--section=groups needs --by");
	if (err)
		return err;
	/* Where commands have stdout, the report has stderr. */
	return report_args_finish(&o->report, o->trace.command ? &o->trace : NULL,
				  o->stdout_to ? "-" : NULL);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	struct compare_options *o = parsing->o;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->trace;
		state->child_inputs[1] = &o->report;
		state->child_inputs[2] = &o->window;
		return 0;
	case 'r':
		return usage_number("-r", arg, 1, MAX_RUNS, &o->runs);
	case OPT_WARMUP:
		return usage_number("--warmup", arg, 0, MAX_RUNS, &o->warmup);
	case OPT_PREPARE:
		o->prepare = arg;
		return 0;
	case OPT_STDOUT:
		return parse_stdout(o, arg);
	case OPT_SHELL:
		o->shell = true;
		return 0;
	case 'i':
		o->ignore_failures = true;
		return 0;
	case 'n':
		return add_name(o, arg);
	case OPT_SIDE_SECTION:
		return parse_section(o, arg);
	case OPT_SITES:
		o->stacks = true;
		return 0;
	case OPT_SIDES_BY:
		return parse_by(o, arg);
	case 'v':
		o->trace.verbose = true;
		return 0;
	case 'h':
		return usage_help(state, USAGE_HELP, &parsing->done);
	case ARGP_KEY_ARG:
		return add_input(o, arg);
	case ARGP_KEY_END:
		return parsing->done ? 0 : finish(o);
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_child children[] = {
	{ &trace_args_argp, 0, "What is traced:", 1 },
	{ &report_places_argp, 0, "What is reported:", 2 },
	{ &window_argp, 0, NULL, 2 },
	{ NULL, 0, NULL, 0 },
};

static const struct argp argp = {
	.options = option_table,
	.parser = parse_option,
	.children = children,
	.args_doc = "A B [C...]",
	.doc = "Compares commands, each in one word of the shell, or captures (-o FILE.json). "
	       "Commands are run in turns: each traced, then each without iotrace, for the wall time. "
	       "Their standard input is empty. "
	       "The first is what the others are compared with: for each figure, the ratio of the means, and whether the difference exceeds the noise, by Welch's t-test at p < 0.01.\v"
	       "  sudo iotrace compare './workloads/endl_loop -n 100000' './workloads/newline_loop -n 100000'\n"
	       "  sudo iotrace compare -r 20 ./before ./after -o table.tex -o all.json\n"
	       "  iotrace compare before.json after.json --fail-if 'ratio.write.calls>1.1'",
};

int compare_args_parse(struct compare_options *o, int argc, char **argv)
{
	struct parsing parsing = { .o = o };
	int err;

	memset(o, 0, sizeof(*o));
	o->runs = DEFAULT_RUNS;
	o->stdout_to = "/dev/null";
	report_args_init(&o->report);
	o->report.compare = true;
	err = trace_args_init(&o->trace);
	if (err)
		return err;
	err = usage_parse(&argp, "iotrace compare", argc, argv, 0, &parsing);
	/* The sides stand behind all options now, perhaps with a "--" between. */
	o->own = argv;
	o->nr_own = argc - (int)o->nr_inputs;
	if (o->nr_own > 1 && !strcmp(argv[o->nr_own - 1], "--"))
		o->nr_own--;
	if (err)
		return -err;
	return parsing.done ? 1 : 0;
}

void compare_args_free(struct compare_options *o)
{
	for (size_t i = 0; i < o->nr_inputs; i++) {
		for (char **word = o->inputs[i].command; word && *word; word++)
			free(*word);
		free(o->inputs[i].command);
	}
	report_args_free(&o->report);
	trace_args_free(&o->trace);
}
