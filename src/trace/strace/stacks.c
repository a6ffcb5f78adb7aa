// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/stacks.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "model/profile_files.h"
#include "trace/strace/code_files.h"

#define MAX_DEPTH 256 /* strace unwinds no more. */

/* More than any program has; what goes beyond is counted as lost. */
#define MAX_FRAMES 65536
#define MAX_CHAINS 32768

struct frame {
	char *text; /* Of the line that tells it. */
	unsigned number;
	struct code_frame code;
};

struct chain {
	unsigned *frames;
	size_t nr;
	bool cut;
	size_t number;
};

/* The calls of a kind from one chain. */
struct counted {
	uint32_t row;
	struct site site;
};

/* The last call of a log, and its stack as far as that has come. */
struct stack {
	bool wanted; /* The call is still to be counted. */
	struct strace_stacked call;
	unsigned frames[MAX_DEPTH];
	size_t nr_frames;
	bool cut;
};

struct strace_stacks {
	struct stack **logs;
	size_t nr_logs;
	/* Trees of tsearch(3), and what is in them. */
	void *frame_tree, *chain_tree, *counted_tree;
	struct frame **frames;
	struct chain **chains;
	struct counted **counted;
	size_t nr_frames, nr_chains, nr_counted;
	struct strace_code_files *files;
	uint64_t samples, lost;
};

struct strace_stacks *strace_stacks__new(void)
{
	struct strace_stacks *s = calloc(1, sizeof(*s));

	if (s)
		s->files = strace_code_files__new();
	if (s && s->files)
		return s;
	free(s);
	return NULL;
}

static void keep(void *node)
{
	(void)node;
}

static void free_frame(struct frame *f)
{
	free(f->text);
	free(f->code.object);
	free(f->code.function);
	free(f->code.build_id);
	free(f);
}

void strace_stacks__free(struct strace_stacks *s)
{
	if (!s)
		return;
	tdestroy(s->frame_tree, keep);
	tdestroy(s->chain_tree, keep);
	tdestroy(s->counted_tree, keep);
	for (size_t i = 0; i < s->nr_frames; i++)
		free_frame(s->frames[i]);
	for (size_t i = 0; i < s->nr_chains; i++) {
		free(s->chains[i]->frames);
		free(s->chains[i]);
	}
	for (size_t i = 0; i < s->nr_counted; i++)
		free(s->counted[i]);
	for (size_t i = 0; i < s->nr_logs; i++)
		free(s->logs[i]);
	free(s->logs);
	free(s->frames);
	free(s->chains);
	free(s->counted);
	strace_code_files__free(s->files);
	free(s);
}

int strace_stacks__add_log(struct strace_stacks *s)
{
	struct stack *stack = calloc(1, sizeof(*stack));
	struct stack **place = stack ? array_append(&s->logs, &s->nr_logs, sizeof(*place)) : NULL;

	if (!place) {
		free(stack);
		return -ENOMEM;
	}
	*place = stack;
	return 0;
}

void strace_stacks__begin(struct strace_stacks *s, int log, const struct strace_stacked *call)
{
	struct stack *stack = s->logs[log];

	stack->wanted = true;
	stack->call = *call;
	stack->nr_frames = 0;
	stack->cut = false;
}

/* ---- frames ---- */

static int compare_frames(const void *x, const void *y)
{
	const struct frame *a = x, *b = y;

	return strcmp(a->text, b->text);
}

/* Returns where the function begins: a path may have parentheses, too. NULL: there is none. */
static char *find_function(char *text)
{
	char *first = NULL;

	for (char *open = text; (open = strchr(open, '(')); open++) {
		bool there;

		if (!strncmp(open, "(deleted)", strlen("(deleted)")))
			continue;
		if (!first)
			first = open;
		*open = '\0';
		there = !access(text, F_OK);
		*open = '(';
		if (there)
			return open;
	}
	return first;
}

/* Cuts an end off a text that has it. */
static void cut_end(char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	if (len > end_len && !strcmp(text + len - end_len, end))
		text[len - end_len] = '\0';
}

/* Fills in what a line says. Returns 0, -EINVAL if that is no frame, or -ENOMEM. */
static int read_frame(struct strace_stacks *s, struct code_frame *code, char *text, pid_t tid)
{
	char *place = NULL, *function, *end;
	const struct strace_code_file *file;
	uint64_t offset;

	for (char *at = text; (at = strstr(at, ") [0x")); at++)
		place = at;
	if (strncmp(text, "> ", 2) || !place)
		return -EINVAL;
	text += 2;
	*place = '\0';
	offset = strtoull(place + strlen(") ["), &end, 0);
	function = *end == ']' && !end[1] && offset ? find_function(text) : NULL;
	if (!function)
		return -EINVAL;
	*function++ = '\0';
	cut_end(text, " (deleted)");
	end = strrchr(function, '+');
	if (end)
		*end = '\0';
	file = strace_code_files__get(s->files, text, tid);
	if (!file)
		return -ENOMEM;
	/* The number is that of the address after the call. */
	code->offset = strace_code_file_address(file, offset) - 1;
	code->object = strdup(text);
	if (*function)
		code->function = strdup(function);
	if (strace_code_file_build_id(file))
		code->build_id = strdup(strace_code_file_build_id(file));
	return code->object && (!*function || code->function) &&
			       (!strace_code_file_build_id(file) || code->build_id)
		       ? 0
		       : -ENOMEM;
}

/* Adds a frame. Returns it in *added; NULL: it is none, or there is no room. 0 or -ENOMEM. */
static int add_frame(struct strace_stacks *s, const char *text, pid_t tid, struct frame **added)
{
	struct frame *f = NULL, **place = NULL;
	char *copy = strdup(text);
	int err = copy ? 0 : -ENOMEM;

	*added = NULL;
	if (!err && s->nr_frames < MAX_FRAMES)
		f = calloc(1, sizeof(*f));
	if (f)
		f->text = strdup(text);
	if (f && f->text)
		err = read_frame(s, &f->code, copy, tid);
	if (f && f->text && !err && tsearch(f, &s->frame_tree, compare_frames)) {
		place = array_append(&s->frames, &s->nr_frames, sizeof(*place));
		if (!place)
			tdelete(f, &s->frame_tree, compare_frames);
	}
	free(copy);
	if (!place) {
		if (f)
			free_frame(f);
		return err == -EINVAL || s->nr_frames >= MAX_FRAMES ? 0 : -ENOMEM;
	}
	f->number = (unsigned)(s->nr_frames - 1);
	*added = *place = f;
	return 0;
}

int strace_stacks__frame(struct strace_stacks *s, int log, const char *text)
{
	const struct frame key = { .text = (char *)text };
	struct stack *stack = s->logs[log];
	struct frame **known, *f;
	int err = 0;

	if (!stack->wanted || stack->cut)
		return 0;
	known = tfind(&key, &s->frame_tree, compare_frames);
	if (known)
		f = *known;
	else
		err = add_frame(s, text, stack->call.tid, &f);
	if (!err && f && stack->nr_frames < MAX_DEPTH)
		stack->frames[stack->nr_frames++] = f->number;
	else
		stack->cut = true;
	return err;
}

/* ---- chains ---- */

static int compare_chains(const void *x, const void *y)
{
	const struct chain *a = x, *b = y;

	if (a->nr != b->nr)
		return a->nr < b->nr ? -1 : 1;
	if (a->cut != b->cut)
		return a->cut ? 1 : -1;
	return memcmp(a->frames, b->frames, a->nr * sizeof(*a->frames));
}

/* Returns the chain of a stack. NULL: there is no room, or no memory. */
static const struct chain *find_chain(struct strace_stacks *s, struct stack *stack)
{
	const struct chain key = { stack->frames, stack->nr_frames, stack->cut, 0 };
	struct chain **known = tfind(&key, &s->chain_tree, compare_chains), *c, **place = NULL;

	if (known)
		return *known;
	c = s->nr_chains < MAX_CHAINS ? calloc(1, sizeof(*c)) : NULL;
	if (!c)
		return NULL;
	*c = key;
	c->frames = array_copy(stack->frames, stack->nr_frames, sizeof(*c->frames));
	c->number = s->nr_chains;
	if (c->frames && tsearch(c, &s->chain_tree, compare_chains)) {
		place = array_append(&s->chains, &s->nr_chains, sizeof(*place));
		if (!place)
			tdelete(c, &s->chain_tree, compare_chains);
	}
	if (!place) {
		free(c->frames);
		free(c);
		return NULL;
	}
	return *place = c;
}

/* ---- calls ---- */

static int compare_counted(const void *x, const void *y)
{
	const struct counted *a = x, *b = y;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->site.abi != b->site.abi)
		return a->site.abi < b->site.abi ? -1 : 1;
	if (a->site.nr != b->site.nr)
		return a->site.nr < b->site.nr ? -1 : 1;
	return (a->site.stack > b->site.stack) - (a->site.stack < b->site.stack);
}

/* Returns what is counted for calls of a kind; NULL: no memory. */
static struct counted *find_counted(struct strace_stacks *s, const struct counted *key)
{
	struct counted **known = tfind(key, &s->counted_tree, compare_counted), *c, **place = NULL;

	if (known)
		return *known;
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	*c = *key;
	if (tsearch(c, &s->counted_tree, compare_counted)) {
		place = array_append(&s->counted, &s->nr_counted, sizeof(*place));
		if (!place)
			tdelete(c, &s->counted_tree, compare_counted);
	}
	if (!place) {
		free(c);
		return NULL;
	}
	return *place = c;
}

int strace_stacks__end(struct strace_stacks *s, int log)
{
	struct stack *stack = s->logs[log];
	const struct strace_stacked *call = &stack->call;
	struct counted key = { call->row, { .abi = call->abi, .nr = call->nr } }, *counted;
	const struct chain *chain = NULL;

	if (!stack->wanted)
		return 0;
	stack->wanted = false;
	if (stack->nr_frames)
		chain = find_chain(s, stack);
	if (!chain) {
		s->lost++;
		return 0;
	}
	key.site.stack = chain->number;
	counted = find_counted(s, &key);
	if (!counted)
		return -ENOMEM;
	counted->site.samples++;
	counted->site.calls++;
	counted->site.ns += (double)call->ns;
	counted->site.bytes += (double)call->bytes;
	s->samples++;
	return 0;
}

int strace_stacks__end_all(struct strace_stacks *s)
{
	int err = 0;

	for (size_t i = 0; !err && i < s->nr_logs; i++)
		err = strace_stacks__end(s, (int)i);
	return err;
}

/* ---- the profile ---- */

static int put_frames(const struct strace_stacks *s, struct stacks *to)
{
	for (size_t i = 0; i < s->nr_frames; i++) {
		struct code_frame *f = array_append(&to->frames, &to->nr_frames, sizeof(*f));
		const struct code_frame *from = &s->frames[i]->code;

		if (!f || copy_text(&f->object, from->object) ||
		    copy_text(&f->function, from->function) ||
		    copy_text(&f->build_id, from->build_id))
			return -ENOMEM;
		f->offset = from->offset;
	}
	return 0;
}

static int put_chains(const struct strace_stacks *s, struct stacks *to)
{
	for (size_t i = 0; i < s->nr_chains; i++) {
		struct call_stack *stack =
			array_append(&to->stacks, &to->nr_stacks, sizeof(*stack));

		if (stack)
			stack->frames = calloc(s->chains[i]->nr, sizeof(*stack->frames));
		if (!stack || !stack->frames)
			return -ENOMEM;
		stack->cut = s->chains[i]->cut;
		for (size_t k = 0; k < s->chains[i]->nr; k++)
			stack->frames[stack->nr++] = s->chains[i]->frames[k];
	}
	return 0;
}

static int put_site(const struct counted *c, struct profile *p)
{
	struct file_stats *f;

	if (!c->row)
		return sites_add(&p->stacks.sites, &p->stacks.nr_sites, &c->site);
	f = (struct file_stats *)profile_find_file(p, c->row);
	return f ? sites_add(&f->sites, &f->nr_sites, &c->site) : 0;
}

int strace_stacks__put(const struct strace_stacks *s, struct profile *p)
{
	int err = put_frames(s, &p->stacks);

	if (!err)
		err = put_chains(s, &p->stacks);
	for (size_t i = 0; !err && i < s->nr_counted; i++)
		err = put_site(s->counted[i], p);
	p->stacks.samples = s->samples;
	p->stacks.lost = s->lost;
	p->stacks.unnamed = true;
	return err;
}
