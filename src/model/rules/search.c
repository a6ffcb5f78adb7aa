// SPDX-License-Identifier: GPL-2.0
/* Paths that do not exist, looked at again and again: the same ones, or the directories of a search path in turn. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/rules/rule.h"

/* A name that is missing in so many directories is searched for. */
#define MIN_DIRECTORIES 3

/* A path that does not exist. */
struct missing {
	const char *path, *name; /* the name is what follows the last slash */
	uint64_t calls;
};

struct search {
	struct missing *list; /* by name */
	size_t nr;
	struct file_call calls;	   /* all of them */
	uint64_t searched;	   /* calls for names that are missing in several directories */
	size_t names, directories; /* how many names, and the most directories of one */
	const struct missing *most, *most_searched;
};

static bool is_missing(const struct file_stats *f)
{
	return f->kind == FILE_KIND_FAILED && (f->err == ENOENT || f->err == ENOTDIR);
}

static int by_name(const void *x, const void *y)
{
	const struct missing *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->path, b->path);
}

/* 0 or -ENOMEM. */
static int list_missing(const struct subject *s, struct search *search)
{
	search->list = calloc(s->nr_files + 1, sizeof(*search->list));
	if (!search->list)
		return -ENOMEM;
	for (size_t i = 0; i < s->nr_files; i++) {
		struct missing *m = &search->list[search->nr];
		const char *slash;

		if (!is_missing(&s->files[i]))
			continue;
		m->path = s->files[i].path;
		slash = strrchr(m->path, '/');
		m->name = slash ? slash + 1 : m->path;
		for (size_t j = 0; j < s->files[i].nr_calls; j++) {
			file_call_merge(&search->calls, &s->files[i].calls[j]);
			m->calls += s->files[i].calls[j].calls;
		}
		search->nr++;
	}
	qsort(search->list, search->nr, sizeof(*search->list), by_name);
	return 0;
}

static const struct missing *more_calls(const struct missing *a, const struct missing *b)
{
	return !a || b->calls > a->calls ? b : a;
}

/* The paths of one name: from the first to before the end. */
static void look_at_name(struct search *search, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		search->most = more_calls(search->most, &search->list[i]);
	if (end - first < MIN_DIRECTORIES)
		return;
	search->names++;
	if (end - first > search->directories)
		search->directories = end - first;
	for (size_t i = first; i < end; i++) {
		search->searched += search->list[i].calls;
		search->most_searched = more_calls(search->most_searched, &search->list[i]);
	}
}

static void look_at_names(struct search *search)
{
	size_t first = 0;

	for (size_t i = 1; i <= search->nr; i++) {
		if (i < search->nr && !strcmp(search->list[i].name, search->list[first].name))
			continue;
		look_at_name(search, first, i);
		first = i;
	}
}

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && !strcmp(text + len - end_len, end);
}

/* What the directories of a search are a list of, by what is looked for; the first row that fits. */
static const struct {
	const char *end, *part; /* of the name; in it or in the directory */
	const char *advice;
} searches[] = {
	{ ".h", "",
	  "The compiler tries the directories of its search path in turn. Give it fewer -I, and "
	  "those first that have most of the files." },
	{ ".hpp", "",
	  "The compiler tries the directories of its search path in turn. Give it fewer -I, and "
	  "those first that have most of the files." },
	{ "", ".so",
	  "The libraries' directories are tried in turn. Shorten LD_LIBRARY_PATH or the program's "
	  "RUNPATH, or put those first that have most of the libraries." },
	{ ".py", "",
	  "The directories of sys.path are tried in turn. Shorten PYTHONPATH, or put those first "
	  "that have most of the modules." },
	{ "", "node_modules",
	  "The node_modules of all parent directories are tried in turn. Name the file in "
	  "require(), or install the module nearer to who needs it." },
};

static const char *advise_search(const struct missing *m)
{
	for (size_t i = 0; i < sizeof(searches) / sizeof(*searches); i++)
		if (ends_in(m->name, searches[i].end) && strstr(m->path, searches[i].part))
			return searches[i].advice;
	return "The directories of a search path are tried in turn. Shorten it, put those first "
	       "that "
	       "have most of the files, or remember which files are missing.";
}

/* Predicts that of these calls, which are some of the search, so many remain. */
static void predict(const struct subject *s, struct finding *f, const struct search *search,
		    uint64_t calls, uint64_t remaining)
{
	double nr = nr_removed(&search->calls, 0) * ratio(calls - remaining, search->calls.calls);
	struct removal removal = { .call = &search->calls, .nr = { nr, nr } };
	struct range whole_ns = busy_or_waiting(s, 0);

	f->predicted = true;
	f->predicted_calls = remaining;
	f->gain = predict_gain(s->profile, &removal, 1, &whole_ns);
	if (f->gain.known)
		tell_cost(s, f, &search->calls, "a look at what is not there");
}

static bool tell(const struct subject *s, struct finding *f, uint64_t *total_ns,
		 const struct search *search)
{
	bool in_turn = search->searched > search->calls.calls / 2;
	const struct missing *m = in_turn ? search->most_searched : search->most;
	uint64_t calls = in_turn ? search->searched : m ? m->calls : 0;
	char *name;

	if (calls < MIN_CALLS)
		return false;
	f->calls = calls;
	f->path = strdup(m->path);
	f->kind = file_kind_name(FILE_KIND_FAILED);
	*total_ns = (uint64_t)((double)search->calls.total_ns * ratio(calls, search->calls.calls));
	name = escape_text_dup(in_turn ? m->name : m->path, strlen(in_turn ? m->name : m->path));
	if (in_turn)
		set_text(&f->evidence,
			 "%" PRIu64 " looks at paths that do not exist: up to %zu directories are "
			 "tried in turn for %zu name%s, such as %s",
			 calls, search->directories, search->names, search->names == 1 ? "" : "s",
			 name ? name : "?");
	else
		set_text(&f->evidence, "%" PRIu64 " looks at %s, which does not exist", calls,
			 name ? name : "?");
	free(name);
	predict(s, f, search, calls, in_turn ? 0 : 1);
	f->advice = in_turn ? advise_search(m)
			    : "The program looks for the same path again and again. Remember that "
			      "it is missing, or watch its directory with inotify.";
	return true;
}

static bool judge(const struct subject *s, struct finding *f, uint64_t *total_ns)
{
	struct search search = { 0 };
	bool found = false;

	if (!list_missing(s, &search)) {
		look_at_names(&search);
		found = tell(s, f, total_ns, &search);
	}
	free(search.list);
	return found;
}

const struct rule rule_path_storm = { "path-storm", true, false, judge };
