// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/command.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/command.h"
#include "base/proc.h"
#include "trace/target.h"

/* Since this version, -D does not change signals. */
#define MIN_MAJOR 5
#define MIN_MINOR 0

#define MAX_WORDS 32

/* strace shows this much of a write: enough for a line. */
#define STRING_SIZE 256

extern char **environ;

bool strace_version_parse(const char *text, unsigned *major, unsigned *minor)
{
	*major = *minor = 0;
	return sscanf(text, "strace -- version %u.%u", major, minor) >= 1;
}

bool strace_tool_is(const struct strace_tool *t, unsigned major, unsigned minor)
{
	return t->major > major || (t->major == major && t->minor >= minor);
}

/* Reads what `strace -V` prints, as far as it fits. Returns 0 or -errno. */
static int read_version(const char *path, char *text, size_t size)
{
	char *argv[] = { (char *)"strace", (char *)"-V", NULL };
	posix_spawn_file_actions_t actions;
	int fds[2], err;
	size_t used = 0;
	ssize_t n;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	err = -posix_spawn(&pid, path, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	while (!err && used < size - 1) {
		n = TEMP_FAILURE_RETRY(read(fds[0], text + used, size - 1 - used));
		if (n <= 0)
			break;
		used += (size_t)n;
	}
	text[used] = '\0';
	close(fds[0]);
	if (!err)
		TEMP_FAILURE_RETRY(waitpid(pid, NULL, 0));
	return err;
}

int strace_tool_find(struct strace_tool *t, char *why, size_t size)
{
	char text[4096];
	int err;

	memset(t, 0, sizeof(*t));
	/* It finds the pipe for its log there, and we find ourselves. */
	if (access("/proc/self/fd", F_OK)) {
		snprintf(
			why, size,
			"strace needs /proc, which is not mounted: 'mount -t proc proc /proc' brings it");
		return -ENOENT;
	}
	if (proc_is_foreign()) {
		snprintf(why, size, "strace: " PROC_IS_FOREIGN);
		return -ENOENT;
	}
	err = find_command("strace", &t->path);
	if (err == -ENOENT) {
		snprintf(
			why, size,
			"strace is not installed: install the package 'strace' (apt install strace, dnf install strace, pacman -S strace)");
		return err;
	}
	if (!err)
		err = read_version(t->path, text, sizeof(text));
	if (err) {
		snprintf(why, size, "strace cannot be run: %s", strerror(-err));
		return err;
	}
	if (!strace_version_parse(text, &t->major, &t->minor)) {
		snprintf(why, size, "the strace in PATH does not tell its version: is it strace?");
		return -ENOEXEC;
	}
	if (strace_tool_is(t, MIN_MAJOR, MIN_MINOR))
		return 0;
	snprintf(why, size, "strace %u.%u is too old: %d.%d or later is needed", t->major, t->minor,
		 MIN_MAJOR, MIN_MINOR);
	return -EOPNOTSUPP;
}

void strace_tool_free(struct strace_tool *t)
{
	free(t->path);
	t->path = NULL;
}

bool strace_prints_numbers(const struct strace_tool *t)
{
	return strace_tool_is(t, 5, 9);
}

/* Is every number wanted, those without a name too? */
static bool is_open_ended(const struct syscall_set *set)
{
	for (int abi = 0; abi < NR_ABIS; abi++) {
		if (!set->wanted[abi][MAX_SYSCALL_NR - 1])
			return false;
	}
	return true;
}

bool strace_wants_seccomp(const struct strace_tool *t, const struct trace_options *o)
{
	return o->seccomp && strace_tool_is(t, 5, 3) && !o->no_follow && !o->duration_ns &&
	       !is_open_ended(&o->set);
}

static void choose(struct syscall_set *set, const char *name, bool wanted)
{
	for (int abi = 0; abi < NR_ABIS; abi++) {
		int nr = syscall_number((enum iotrace_abi)abi, name);

		if (nr >= 0 && nr < MAX_SYSCALL_NR)
			set->wanted[abi][nr] = wanted;
	}
}

/* Does the parser need calls that do this, wanted or not? */
static bool is_needed(enum syscall_action action, const struct strace_run *r,
		      const struct trace_options *o)
{
	switch (action) {
	case ACTION_EXECS: /* the window begins with one */
		return true;
	case ACTION_FILTERS: /* a program's own filter hides calls from one of strace's */
		return r->seccomp;
	case ACTION_FORKS: /* threads are told from children, and programs from each other */
		return o->no_follow || o->files;
	default:
		return false;
	}
}

/* The wanted calls, minus those that never return, plus those that the parser needs. */
static void choose_traced(struct syscall_set *traced, const struct strace_run *r,
			  const struct trace_options *o)
{
	struct syscall_traits traits;
	const char *name;

	*traced = o->set;
	for (size_t i = 0; (name = syscall_known(i, &traits)); i++) {
		if (is_needed(traits.action, r, o))
			choose(traced, name, true);
		else if (traits.never_returns)
			choose(traced, name, false);
	}
	/* A call that strace interrupts when it attaches goes on under this name. */
	if (r->nr_pids)
		choose(traced, "restart_syscall", true);
}

/*
 * Uses numbers, because names differ between versions. "?" allows numbers that this strace does not
 * know, and the exclamation mark includes numbers beyond its table.
 */
char *strace_trace_expression(const struct strace_run *r, const struct trace_options *o)
{
	static const char *const suffixes[NR_ABIS] = { "@64", "@32", "@x32" };
	bool negate = is_open_ended(&o->set);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const char *separator = negate ? "trace=!" : "trace=";
	struct syscall_set traced;

	if (!out)
		return NULL;
	choose_traced(&traced, r, o);
	for (int abi = 0; abi < NR_ABIS; abi++) {
		for (int nr = 0; nr < MAX_SYSCALL_NR; nr++) {
			if (traced.wanted[abi][nr] == negate)
				continue;
			fprintf(out, "%s?%d%s", separator, nr, suffixes[abi]);
			separator = ",";
		}
	}
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static bool is_decoded(const struct trace_options *o, enum iotrace_abi abi, int nr)
{
	struct syscall_traits traits = syscall_traits(abi, nr);

	if (traits.action == ACTION_FORKS)
		return o->no_follow || o->files;
	if (traits.action == ACTION_EXECS)
		return o->files;
	return o->files && o->set.wanted[abi][nr] &&
	       (syscall_uses_file(&traits) || syscall_searches(&traits));
}

char *strace_raw_expression(const struct trace_options *o)
{
	static const char *const suffixes[NR_ABIS] = { "@64", "@32", "@x32" };
	const char *separator = "raw=!";
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (int abi = 0; abi < NR_ABIS; abi++) {
		for (int nr = 0; nr < MAX_SYSCALL_NR; nr++) {
			if (!is_decoded(o, (enum iotrace_abi)abi, nr))
				continue;
			fprintf(out, "%s?%d%s", separator, nr, suffixes[abi]);
			separator = ",";
		}
	}
	if (*separator == 'r')
		fputs("raw=all", out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/* The words of an argv. */
struct words {
	char *word[MAX_WORDS];
	size_t nr;
};

static void __attribute__((format(printf, 2, 3))) add(struct words *w, const char *fmt, ...)
{
	va_list args;

	if (w->nr == MAX_WORDS)
		return;
	va_start(args, fmt);
	if (vasprintf(&w->word[w->nr], fmt, args) < 0)
		w->word[w->nr] = NULL;
	va_end(args);
	w->nr++;
}

static void add_pids(struct words *w, const struct strace_run *r)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	for (size_t i = 0; i < r->nr_pids; i++)
		fprintf(out, "%s%d", i ? "," : "", r->pids[i]);
	if (!fclose(out)) {
		add(w, "-p");
		add(w, "%s", text);
	}
	free(text);
}

/*
 * Raw arguments are cheap to print, alignment is not; addresses show the ABI. Children are
 * followed, wanted or not: strace follows them and threads alike, or neither.
 */
static void add_options(struct words *w, const struct strace_tool *t, const struct strace_run *r,
			const struct trace_options *o, const char *raw)
{
	add(w, "strace");
	if (r->launch)
		add(w, "-D");
	add(w, "-f");
	if (r->seccomp)
		add(w, "--seccomp-bpf");
	if (strace_prints_numbers(t))
		add(w, "-n");
	add(w, "-i");
	if (!o->no_latency)
		add(w, strace_tool_is(t, 5, 6) ? "--syscall-times=ns" : "-T");
	add(w, "-a1");
	if (o->files) {
		add(w, "-yy");
		add(w, "-s%d", STRING_SIZE);
	}
	/* A creation returns the pid of its own namespace. */
	if ((o->files || o->no_follow) && strace_tool_is(t, 5, 9))
		add(w, "--pidns-translation");
	add(w, "-e%s", raw);
	/* Deaths by a signal are needed; other signals are rare. */
	add(w, "-esignal=!CHLD,URG,WINCH,CONT");
	add(w, "-o/proc/self/fd/%d", r->log_fd);
}

/* The words and the command's as one block. NULL: no memory. */
static char **join(const struct words *w, char *const *command)
{
	size_t nr = 0, size = 0;
	char **argv, *at;

	while (command && command[nr])
		nr++;
	for (size_t i = 0; i < w->nr; i++) {
		if (!w->word[i])
			return NULL;
		size += strlen(w->word[i]) + 1;
	}
	argv = malloc((w->nr + nr + 1) * sizeof(*argv) + size);
	if (!argv)
		return NULL;
	at = (char *)(argv + w->nr + nr + 1);
	for (size_t i = 0; i < w->nr; i++) {
		argv[i] = at;
		at = stpcpy(at, w->word[i]) + 1;
	}
	for (size_t i = 0; i < nr; i++)
		argv[w->nr + i] = command[i];
	argv[w->nr + nr] = NULL;
	return argv;
}

char **strace_command_line(const struct strace_tool *t, const struct strace_run *r,
			   const struct trace_options *o)
{
	char *expression = strace_trace_expression(r, o), **argv = NULL;
	char *raw = strace_raw_expression(o);
	struct words w = { .nr = 0 };

	if (!expression || !raw) {
		free(expression);
		free(raw);
		return NULL;
	}
	add_options(&w, t, r, o, raw);
	add(&w, "-e%s", expression);
	if (r->launch)
		add(&w, "--");
	else
		add_pids(&w, r);
	argv = join(&w, r->launch ? r->command : NULL);
	for (size_t i = 0; i < w.nr; i++)
		free(w.word[i]);
	free(expression);
	free(raw);
	return argv;
}
