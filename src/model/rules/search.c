// SPDX-License-Identifier: GPL-2.0
/*
 * Programs look again and again at paths: at the same ones, which are there or not, or at the
 * directories of a search path in turn.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/rules/rule.h"

/* A name that is missing in this many directories is searched for. */
#define MIN_DIRECTORIES 3
/*
 * Each directory of a search path is looked into this often; git walks a tree once for .gitignore.
 * The dynamic loader tries a hundred more, for libraries of the CPU's own, but only once.
 */
#define MIN_SEARCHES 10
/* Fewer looks than this are no habit: an interpreter looks into its directories for each module. */
#define MIN_LOOKS 1000

/* So many names that are taken are tried in turn. */
#define MIN_TAKEN 10

#define LOOK_IN_VAIN "look at what is not there"

/* A path that does not exist, or that should not. */
struct missing {
	const struct file_stats *file;
	const char *path, *name; /* The path, and its part after the last slash. */
	uint64_t calls;
	uint64_t programs; /* Number of programs that looked at it. 0: not known. */
	bool searched;	   /* Its directory is looked into often. */
	/* What it is counted for. NULL: nothing. */
	const struct search *search;
	const struct again *again;
};

/* The first row that fits what is looked for tells the kind of search path. */
static const struct {
	const char *end, *part; /* What the name ends in, and what the path contains. */
	enum advice_kind advice;
} kinds[] = {
	{ ".h", "", ADVICE_HEADERS },	 { ".hpp", "", ADVICE_HEADERS },
	{ "", ".so", ADVICE_LIBRARIES }, { "", "node_modules", ADVICE_MODULES },
	{ "", "bin/", ADVICE_COMMANDS }, { "", "", ADVICE_SEARCH },
};

#define NR_KINDS ARRAY_SIZE(kinds)

/* Names of one kind that are missing in several directories. */
struct search {
	uint64_t calls;
	/* Number of names, and of directories looked into often for the name that has most. */
	size_t names, directories;
	const struct missing *most;
};

/* Paths that one program looks at again and again: in vain, or until somebody makes them. */
struct again {
	uint64_t calls, necessary;
	size_t paths;
	const struct missing *most; /* The path with most looks beyond one by each program. */
};

struct storm {
	struct missing *list; /* The paths by name. */
	size_t nr;
	struct file_call calls; /* The calls on all paths. */
	struct search searches[NR_KINDS];
	struct again again, awaited;
};

/*
 * Whether a process, a device or a control group is there by now is for each look to find out. A
 * path whose directory is not known may be another one at each look.
 */
static bool is_missing(const struct file_stats *f)
{
	return f->kind == FILE_KIND_FAILED && (f->err == ENOENT || f->err == ENOTDIR) &&
	       (f->path[0] == '/' || f->cut) && !file_is_pseudo(f);
}

static size_t directory_len(const struct missing *m)
{
	return (size_t)(m->name - m->path);
}

static int by_directory(const void *x, const void *y)
{
	const struct missing *a = x, *b = y;
	size_t a_len = directory_len(a), b_len = directory_len(b);

	return a_len != b_len ? (a_len > b_len ? 1 : -1) : memcmp(a->path, b->path, a_len);
}

static int by_name(const void *x, const void *y)
{
	const struct missing *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->path, b->path);
}

/* Somebody who wanted to make it found that the name is taken. */
static bool is_taken(const struct file_stats *f)
{
	return f->kind == FILE_KIND_FAILED && f->err == EEXIST && (f->path[0] == '/' || f->cut);
}

static int list_paths(const struct subject *s, bool (*is_one)(const struct file_stats *f),
		      struct storm *storm)
{
	storm->list = calloc(s->nr_files + 1, sizeof(*storm->list));
	if (!storm->list)
		return -ENOMEM;
	for (size_t i = 0; i < s->nr_files; i++) {
		struct missing *m = &storm->list[storm->nr];
		const struct file_stats *f = &s->files[i];
		const char *slash;

		if (!is_one(f))
			continue;
		m->file = f;
		m->path = f->path;
		slash = strrchr(m->path, '/');
		m->name = slash ? slash + 1 : m->path;
		m->programs = f->processes ? f->processes : f->nr_users + f->more_users;
		for (size_t j = 0; j < f->nr_calls; j++) {
			file_call_merge(&storm->calls, &f->calls[j]);
			m->calls += f->calls[j].calls;
		}
		storm->nr++;
	}
	return 0;
}

static void mark_searched(struct storm *storm)
{
	struct missing *list = storm->list;
	uint64_t calls = 0;
	size_t first = 0;

	qsort(list, storm->nr, sizeof(*list), by_directory);
	for (size_t i = 0; i < storm->nr; i++) {
		calls += list[i].calls;
		if (i + 1 < storm->nr && !by_directory(&list[i], &list[i + 1]))
			continue;
		for (; first <= i; first++)
			list[first].searched = calls >= MIN_SEARCHES;
		calls = 0;
	}
}

/* Returns the number of looks at a path that have to remain: one by each program. */
static uint64_t necessary(const struct missing *m)
{
	return rule_least(m->programs ? m->programs : 1, m->calls);
}

static uint64_t repeated(const struct missing *m)
{
	return m ? m->calls - necessary(m) : 0;
}

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && !strcmp(text + len - end_len, end);
}

static size_t kind_of(const struct missing *m)
{
	size_t kind = 0;

	while (!ends_in(m->name, kinds[kind].end) || !strstr(m->path, kinds[kind].part))
		kind++;
	return kind;
}

/* Collects the paths of one name if that is searched for. */
static void add_search(struct storm *storm, struct missing *paths, size_t nr)
{
	struct search *search = &storm->searches[kind_of(paths)];
	size_t directories = 0;

	for (size_t i = 0; i < nr; i++)
		directories += paths[i].searched;
	if (directories < MIN_DIRECTORIES)
		return;
	search->names++;
	if (directories > search->directories)
		search->directories = directories;
	for (size_t i = 0; i < nr; i++) {
		if (!paths[i].searched)
			continue;
		paths[i].search = search;
		search->calls += paths[i].calls;
		if (!search->most || paths[i].calls > search->most->calls)
			search->most = &paths[i];
	}
}

/* Did the path exist at times, as a database's journal does? Then each look may find it. */
static bool was_there(const struct subject *s, const struct missing *m)
{
	for (size_t i = 0; i < s->nr_files; i++)
		if (s->files[i].kind != FILE_KIND_FAILED && !strcmp(m->path, s->files[i].path))
			return true;
	return false;
}

/* Why paths are looked at again: they may be there, they will be, or they should not be. */
enum habit { HABIT_LOOKS, HABIT_WAITS, HABIT_TRIES };

/* Is it looked at so often that remembering it, or waiting for it, would save most of the looks? */
static bool is_again(const struct subject *s, const struct missing *m, enum habit habit)
{
	return m->calls >= MIN_SEARCHES && repeated(m) >= m->calls / 2 &&
	       (habit == HABIT_TRIES || was_there(s, m) == (habit == HABIT_WAITS));
}

static bool same_user(const struct missing *a, const struct missing *b)
{
	if (!a->file->nr_users || !b->file->nr_users)
		return a == b;
	return a->file->users[0].pid == b->file->users[0].pid;
}

/* Adds up the paths that are looked at again by the program that does so most of all. */
static void look_again(const struct subject *s, const struct storm *storm, enum habit habit,
		       struct again *again)
{
	for (size_t i = 0; i < storm->nr; i++)
		if (repeated(&storm->list[i]) > repeated(again->most) &&
		    is_again(s, &storm->list[i], habit))
			again->most = &storm->list[i];
	for (size_t i = 0; again->most && i < storm->nr; i++) {
		struct missing *m = &storm->list[i];

		if (!same_user(m, again->most) || !is_again(s, m, habit))
			continue;
		m->again = again;
		again->calls += m->calls;
		again->necessary += necessary(m);
		again->paths++;
	}
}

static void look_at_names(struct storm *storm)
{
	struct missing *list = storm->list;
	size_t first = 0;

	for (size_t i = 0; i < storm->nr; i++) {
		if (i + 1 < storm->nr && !strcmp(list[i + 1].name, list[first].name))
			continue;
		add_search(storm, &list[first], i + 1 - first);
		first = i + 1;
	}
}

/* Predicts that nr of these calls of the storm remain. */
static void predict(struct finding *f, const struct storm *storm, uint64_t remaining,
		    const char *call)
{
	const struct file_call *all = &storm->calls;
	double nr = rule_nr_removed(all, 0) * rule_ratio(f->calls - remaining, all->calls);
	struct removal removal = rule_removal(all, nr);

	f->kind = file_kind_name(FILE_KIND_FAILED);
	f->fix.total_ns = (uint64_t)((double)all->total_ns * rule_ratio(f->calls, all->calls));
	rule_predict(f, remaining, &removal, 1, 0);
	rule_tell_cost(f, all, call);
}

/* Returns the busy time of those who looked at a path, and if it is not known, the run's. */
static struct busy busy_of(const struct missing *m, const struct finding *f)
{
	return busy_known(&m->file->busy) ? m->file->busy : f->fix.busy;
}

/* Adds who looks at the paths of a search, or at those that are looked at again. */
static void add_groups(const struct storm *storm, const struct search *search,
		       const struct again *again, struct finding *f)
{
	int err = 0;

	for (size_t i = 0; !err && i < storm->nr; i++)
		if ((search && storm->list[i].search == search) ||
		    (again && storm->list[i].again == again))
			err = rule_add_groups(f, storm->list[i].file);
	if (!err)
		return;
	/* Without evidence it is no finding. */
	free(f->evidence);
	f->evidence = NULL;
}

static void tell_search(const struct storm *storm, const struct search *search, struct finding *f)
{
	f->calls = search->calls;
	rule_note_cycles(f, search->most->file, search->most->calls);
	f->fix.busy = busy_of(search->most, f);
	f->fix.processes = search->most->programs;
	/* An interpreter works for each look. What a compiler does belongs to what it found. */
	f->fix.own_work = language_is_interpreted(search->most->file->language);
	f->path = strdup(search->most->path);
	rule_set_text(
		&f->evidence,
		"%s looks at paths that do not exist: up to %zu directories are tried in turn for %zu name%s, such as ",
		COUNT(f->calls), search->directories, search->names, search->names == 1 ? "" : "s");
	rule_add_escaped(&f->evidence, search->most->name);
	add_groups(storm, search, NULL, f);
}

static void tell_paths(const struct storm *storm, const struct again *again, struct finding *f)
{
	const struct missing *m = again->most;

	f->calls = again->calls;
	f->fix.own_work = true;
	rule_note_cycles(f, m->file, m->calls);
	f->fix.processes = m->programs;
	f->fix.busy = busy_of(m, f);
	f->path = strdup(m->path);
	rule_set_text(&f->evidence, "%s looks at ", COUNT(f->calls));
	if (again->paths > 1)
		rule_add_text(&f->evidence, "%zu paths that do not exist, such as ", again->paths);
	rule_add_escaped(&f->evidence, m->path);
	if (again->paths == 1)
		rule_add_text(&f->evidence, ", which does not exist");
	add_groups(storm, NULL, again, f);
}

/* Does a program do next to nothing else than to look, without a pause, until it is there? */
static bool is_busy_waiting(const struct again *again)
{
	const struct busy *busy = again->most ? &again->most->file->busy : NULL;

	return busy && again->calls >= MIN_LOOKS && again->calls >= busy->run_calls / 2 &&
	       busy->sleeps < again->calls / 2;
}

static void tell_waiting(const struct storm *storm, struct finding *f)
{
	const struct again *again = &storm->awaited;

	tell_paths(storm, again, f);
	rule_add_text(&f->evidence, ", until somebody makes %s, without a pause",
		      again->paths == 1 ? "it" : "them");
	predict(f, storm, 2 * again->paths, LOOK_IN_VAIN);
	f->fix.paced = "the program then sleeps until somebody makes the path";
	/* What it does besides belongs to the loop, as a rule. */
	f->fix.idle_share = rule_ratio(again->calls, again->most->file->busy.run_calls) / 2;
	f->advice = advice_text(ADVICE_WAITS);
}

/* Reports whichever saves more: a shorter search path, or to remember what is missing. */
static bool tell(struct finding *f, const struct storm *storm)
{
	const struct again *again = &storm->again;
	size_t kind = 0;
	bool in_turn;

	for (size_t i = 1; i < NR_KINDS; i++)
		if (storm->searches[i].calls > storm->searches[kind].calls)
			kind = i;
	if (is_busy_waiting(&storm->awaited)) {
		tell_waiting(storm, f);
		return true;
	}
	in_turn = storm->searches[kind].calls > again->calls - again->necessary;
	if (in_turn && storm->searches[kind].calls >= MIN_CALLS)
		tell_search(storm, &storm->searches[kind], f);
	else if (!in_turn && again->calls >= MIN_CALLS)
		tell_paths(storm, again, f);
	else
		return false;
	predict(f, storm, in_turn ? 0 : again->necessary, LOOK_IN_VAIN);
	f->advice = advice_text(in_turn ? kinds[kind].advice : ADVICE_MISSING);
	return true;
}

static bool judge(const struct subject *s, struct finding *f)
{
	struct storm storm = { 0 };
	bool found = false;

	if (!list_paths(s, is_missing, &storm)) {
		mark_searched(&storm);
		qsort(storm.list, storm.nr, sizeof(*storm.list), by_name);
		look_at_names(&storm);
		look_again(s, &storm, HABIT_LOOKS, &storm.again);
		look_again(s, &storm, HABIT_WAITS, &storm.awaited);
		found = tell(f, &storm);
	}
	free(storm.list);
	return found;
}

/* Returns why the looks are not in vain. ADVICE_NONE: they are. */
static enum advice_kind excuse_of_looks(const struct subject *s)
{
	if (rule_is_servers(s))
		return ADVICE_SERVES;
	/* It does little else. */
	if (s->busy->sleeps >= s->all.calls / 2 && s->all.calls >= s->busy->run_calls / 2)
		return ADVICE_POLLS;
	return ADVICE_NONE;
}

/* Judges one path, which exists, and is looked at again and again. */
static bool judge_looks(const struct subject *s, struct finding *f)
{
	uint64_t programs = s->file->processes ? s->file->processes : 1;
	enum advice_kind advice;
	struct removal removal = rule_removal(&s->all, rule_nr_removed(&s->all, programs - 1));

	/* The first look of all is not among the calls. Each program may look as often. */
	if (s->file->kind != FILE_KIND_FOUND || file_is_pseudo(s->file) ||
	    s->alike.looks < MIN_LOOKS || s->all.calls < MIN_SEARCHES * programs)
		return false;
	f->calls = s->all.calls;
	rule_note_cycles(f, s->file, s->all.calls);
	f->fix.total_ns = s->all.total_ns;
	rule_set_text(&f->evidence, "looked at %s times more after it was found", COUNT(f->calls));
	advice = excuse_of_looks(s);
	f->excused = advice != ADVICE_NONE;
	f->fix.seen_before = true;
	rule_advise(s, f, f->excused ? advice : ADVICE_LOOKS);
	if (f->excused)
		return true;
	f->fix.own_work = true;
	rule_predict(f, programs - 1, &removal, 1, 0);
	rule_tell_cost(f, &s->all, "look");
	return true;
}

static void tell_taken(const struct storm *storm, const struct again *taken, struct finding *f)
{
	const struct missing *m = taken->most;

	f->calls = taken->calls;
	f->path = strdup(m->path);
	f->fix.own_work = true;
	f->fix.busy = busy_of(m, f);
	rule_note_cycles(f, m->file, m->calls);
	rule_set_text(&f->evidence,
		      "%s attempts to make a file at %zu paths that are taken, such as ",
		      COUNT(f->calls), taken->paths);
	rule_add_escaped(&f->evidence, m->path);
	add_groups(storm, NULL, taken, f);
	predict(f, storm, taken->paths, "attempt");
	f->advice = advice_text(ADVICE_TAKEN);
}

/* Judges names that are tried in turn until one is free: each file takes longer than the last. */
static bool judge_taken(const struct subject *s, struct finding *f)
{
	struct storm storm = { 0 };
	struct again taken = { 0 };
	bool found;

	if (!list_paths(s, is_taken, &storm))
		look_again(s, &storm, HABIT_TRIES, &taken);
	/* Fewer names are locks, and whoever waits for them has others to wait for. */
	found = taken.paths >= MIN_TAKEN && taken.calls >= MIN_LOOKS;
	if (found)
		tell_taken(&storm, &taken, f);
	free(storm.list);
	return found;
}

const struct rule rule_taken = { "taken-names", true, ABOUT_ALL, judge_taken };
const struct rule rule_looks = { "repeated-looks", false, ABOUT_ALL, judge_looks };
const struct rule rule_path_storm = { "path-storm", true, ABOUT_ALL, judge };
