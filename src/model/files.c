// SPDX-License-Identifier: GPL-2.0
#include "model/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "model/figures.h"
#include "model/histogram.h"

static const char *const kind_names[NR_FILE_KINDS] = {
	[FILE_KIND_OTHER] = "other",	 [FILE_KIND_INVALID] = "invalid",
	[FILE_KIND_FAILED] = "failed",	 [FILE_KIND_FOUND] = "found",
	[FILE_KIND_REGULAR] = "regular", [FILE_KIND_DIRECTORY] = "directory",
	[FILE_KIND_PIPE] = "pipe",	 [FILE_KIND_SOCKET] = "socket",
	[FILE_KIND_TTY] = "tty",	 [FILE_KIND_DEVICE] = "device",
	[FILE_KIND_BLOCK] = "block",	 [FILE_KIND_EVENTFD] = "eventfd",
	[FILE_KIND_MEMFD] = "memfd",	 [FILE_KIND_ANON] = "anon",
	[FILE_KIND_DELETED] = "deleted",
};

const char *file_kind_name(enum file_kind kind)
{
	return kind_names[kind];
}

enum file_kind file_kind_parse(const char *name)
{
	int kind = 0;

	while (kind < NR_FILE_KINDS && strcmp(kind_names[kind], name))
		kind++;
	return (enum file_kind)kind;
}

/* Documentation/admin-guide/devices.txt of the kernel has the numbers. */
enum file_kind file_kind_of_device(uint32_t major)
{
	bool terminal = major == 4 || major == 5 || (major >= 136 && major <= 143) ||
			major == 204 || major == 229;

	return terminal ? FILE_KIND_TTY : FILE_KIND_DEVICE;
}

/* O_SYNC is two bits, and one of them is O_DSYNC, so it must come first. */
static const struct {
	uint32_t flag;
	const char *word;
} flag_words[NR_FILE_FLAGS] = {
	{ O_APPEND, "append" },
	{ O_SYNC, "sync" },
	{ O_DSYNC, "dsync" },
	{ O_DIRECT, "direct" },
};

void file_flag_words(const char *words[NR_FILE_FLAGS + 1], uint32_t flags)
{
	size_t nr = 0;

	for (size_t i = 0; i < NR_FILE_FLAGS; i++) {
		if ((flags & flag_words[i].flag) != flag_words[i].flag)
			continue;
		flags &= ~flag_words[i].flag;
		words[nr++] = flag_words[i].word;
	}
	words[nr] = NULL;
}

const char *file_flags_text(char *buf, uint32_t flags)
{
	const char *words[NR_FILE_FLAGS + 1];
	char *end = buf;

	file_flag_words(words, flags);
	*buf = '\0';
	for (size_t i = 0; words[i]; i++)
		end += sprintf(end, "%s%s", i ? "," : "", words[i]);
	return buf;
}

uint32_t file_flag_parse(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(flag_words); i++)
		if (!strcmp(flag_words[i].word, word))
			return flag_words[i].flag;
	return 0;
}

bool file_is_on_disk(const struct file_stats *f)
{
	return f->kind == FILE_KIND_REGULAR || f->kind == FILE_KIND_DELETED ||
	       f->kind == FILE_KIND_BLOCK;
}

/* The names of /proc/filesystems, or the beginning of them that fits into a row. */
static const char *const pseudo_fstypes[] = {
	"proc",	      "sysfs",	    "cgroup", "cgroup2",  "debugfs",	"tracefs", "configfs",
	"securityfs", "bpf",	    "devpts", "efivarfs", "selinuxfs",	"smackfs", "binfmt_misc",
	"fusectl",    "rpc_pipefs", "nfsd",   "resctrl",  "functionfs",
};

/* Looks where these are mounted, for paths of which no more is known. */
static bool is_pseudo_path(const char *path)
{
	static const char *const roots[] = { "/proc", "/sys", "/dev" };

	if (!strncmp(path, "/dev/shm/", strlen("/dev/shm/")))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(roots); i++) {
		size_t len = strlen(roots[i]);

		if (!strncmp(path, roots[i], len) && (path[len] == '/' || !path[len]))
			return true;
	}
	return false;
}

bool file_is_pseudo(const struct file_stats *f)
{
	if (!*f->fstype)
		return is_pseudo_path(f->path);
	for (size_t i = 0; i < ARRAY_SIZE(pseudo_fstypes); i++)
		if (!strcmp(f->fstype, pseudo_fstypes[i]))
			return true;
	return false;
}

bool file_is_stdout(const struct file_stats *f)
{
	return f->written_by == WRITTEN_BY_STDOUT;
}

bool file_is_stderr(const struct file_stats *f)
{
	return f->written_by == WRITTEN_BY_STDERR;
}

bool file_is_both_outputs(const struct file_stats *f)
{
	return f->written_by & WRITTEN_BY_STDOUT && f->written_by & WRITTEN_BY_STDERR;
}

struct file_call *file_stats_call(struct file_stats *f, enum iotrace_abi abi, int nr)
{
	struct file_call *call;
	size_t at = 0;

	while (at < f->nr_calls &&
	       (f->calls[at].abi < abi || (f->calls[at].abi == abi && f->calls[at].nr < nr)))
		at++;
	if (at < f->nr_calls && f->calls[at].abi == abi && f->calls[at].nr == nr)
		return &f->calls[at];
	call = array_insert(&f->calls, &f->nr_calls, at, sizeof(*call));
	if (call) {
		call->abi = abi;
		call->nr = nr;
	}
	return call;
}

int file_stats_merge_user(struct file_stats *f, const struct file_user *added)
{
	struct file_user *user;

	for (size_t i = 0; i < f->nr_users; i++) {
		user = &f->users[i];
		if (user->pid != added->pid ||
		    memcmp(user->comm, added->comm, sizeof(user->comm) - 1) != 0)
			continue;
		user->calls += added->calls;
		/* Where ids are not known, they may be the same ones. */
		if (user->processes < added->processes)
			user->processes = added->processes;
		return 0;
	}
	user = array_append(&f->users, &f->nr_users, sizeof(*user));
	if (!user)
		return -ENOMEM;
	*user = *added;
	user->comm[sizeof(user->comm) - 1] = '\0';
	return 0;
}

int file_stats_add_user(struct file_stats *f, pid_t pid, const char comm[16], uint64_t calls)
{
	struct file_user user = { .pid = pid, .calls = calls, .processes = 1 };

	memcpy(user.comm, comm, sizeof(user.comm));
	return file_stats_merge_user(f, &user);
}

static int users_by_name(const void *x, const void *y)
{
	const struct file_user *a = x, *b = y;

	return strcmp(a->comm, b->comm);
}

static int users_by_calls(const void *x, const void *y)
{
	const struct file_user *a = x, *b = y;

	if (a->calls != b->calls)
		return a->calls < b->calls ? 1 : -1;
	return users_by_name(x, y) ?: (a->pid > b->pid) - (a->pid < b->pid);
}

int file_users_list(const struct file_stats *f, size_t most, struct file_user **users, size_t *nr)
{
	struct file_user *list = array_copy(f->users, f->nr_users, sizeof(*f->users));

	*users = list;
	*nr = 0;
	if (!list)
		return -ENOMEM;
	qsort(list, f->nr_users, sizeof(*list), users_by_name);
	for (size_t i = 0; i < f->nr_users; i++) {
		if (!*nr || f->nr_users <= most || users_by_name(&list[*nr - 1], &list[i])) {
			list[(*nr)++] = list[i];
			continue;
		}
		list[*nr - 1].pid = 0;
		list[*nr - 1].calls += list[i].calls;
		list[*nr - 1].processes += list[i].processes;
	}
	qsort(list, *nr, sizeof(*list), users_by_calls);
	return 0;
}

void file_call_merge(struct file_call *dst, const struct file_call *src)
{
	figures_add(SCOPE_FILE, dst, src);
}

void file_stats_free(struct file_stats *f)
{
	free(f->path);
	free(f->calls);
	free(f->users);
	free(f->groups);
	free(f->sites);
	memset(f, 0, sizeof(*f));
}

int file_stats_copy(struct file_stats *dst, const struct file_stats *src)
{
	*dst = *src;
	dst->path = src->path ? strdup(src->path) : NULL;
	dst->calls = array_copy(src->calls, src->nr_calls, sizeof(*src->calls));
	dst->users = array_copy(src->users, src->nr_users, sizeof(*src->users));
	dst->groups = array_copy(src->groups, src->nr_groups, sizeof(*src->groups));
	dst->sites = array_copy(src->sites, src->nr_sites, sizeof(*src->sites));
	if ((src->path && !dst->path) || !dst->calls || !dst->users || !dst->groups ||
	    !dst->sites) {
		file_stats_free(dst);
		return -ENOMEM;
	}
	return 0;
}

void file_stats_sum(struct file_call *sum, const struct file_stats *f, enum syscall_action action)
{
	memset(sum, 0, sizeof(*sum));
	for (size_t i = 0; i < f->nr_calls; i++) {
		const struct file_call *c = &f->calls[i];

		if (action == NR_SYSCALL_ACTIONS ||
		    syscall_traits_by_name(c->name).action == action)
			file_call_merge(sum, c);
	}
	figures_fit(SCOPE_FILE, sum);
}

uint64_t file_call_moved(const struct file_call *c)
{
	uint64_t sized = histogram_total(c->sizes, SIZE_BUCKETS);

	/* The first bucket is that of no bytes. */
	return sized ? sized - c->sizes[0] : sub_saturated(c->calls, c->errors);
}

void files_free(struct file_stats *files, size_t nr_files)
{
	for (size_t i = 0; i < nr_files; i++)
		file_stats_free(&files[i]);
	free(files);
}

static int by_time(const void *x, const void *y)
{
	const struct file_stats *a = x, *b = y;

	if (a->busy_ns != b->busy_ns)
		return b->busy_ns > a->busy_ns ? 1 : -1;
	if (a->total_calls != b->total_calls)
		return b->total_calls > a->total_calls ? 1 : -1;
	return strcmp(a->path, b->path);
}

void files_sort(struct file_stats *files, size_t nr_files)
{
	qsort(files, nr_files, sizeof(*files), by_time);
}

/* Finds the beginning of the last name before end. */
static size_t name_before(const char *names, size_t end)
{
	size_t start = end - 1; /* The NUL that ends the name. */

	while (start > 0 && names[start - 1])
		start--;
	return start;
}

char *file_path_from_names(const char *names, size_t len, bool cut, bool detached)
{
	char *path = malloc(len + 5), *out = path;

	if (!path)
		return NULL;
	if (cut)
		out = stpcpy(out, "...");
	if (!len && !detached)
		out = stpcpy(out, "/");
	for (size_t end = len; end > 0; end = name_before(names, end)) {
		size_t start = name_before(names, end);

		if (!detached || end != len)
			*out++ = '/';
		out = mempcpy(out, names + start, end - start - 1);
	}
	*out = '\0';
	return path;
}

int file_call_sites(struct site **sites, size_t *nr, const struct file_stats *file,
		    const struct file_call *c)
{
	struct site all = { .calls = 0 };
	int err = 0;

	for (size_t i = 0; i < file->nr_sites; i++) {
		if (file->sites[i].abi != c->abi || file->sites[i].nr != c->nr)
			continue;
		all.calls += file->sites[i].calls;
		all.ns += file->sites[i].ns;
		all.bytes += file->sites[i].bytes;
	}
	for (size_t i = 0; !err && i < file->nr_sites; i++) {
		struct site site = file->sites[i];

		if (site.abi != c->abi || site.nr != c->nr)
			continue;
		site_scale(&site, &all, c->calls, c->total_ns, c->bytes);
		err = sites_add(sites, nr, &site);
	}
	return err;
}
