// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/command.h"

#include <argz.h>
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

/* strace shows this many bytes of a write, which is enough for a line. */
#define STRING_SIZE 256

extern char **environ;

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
	/* strace finds the pipe for its log there, and iotrace finds itself. */
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
	if (sscanf(text, "strace -- version %u.%u", &t->major, &t->minor) < 1) {
		snprintf(why, size, "the strace in PATH does not tell its version: is it strace?");
		return -ENOEXEC;
	}
	t->unwinds = strstr(text, "stack-trace=");
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

bool strace_prints_comms(const struct strace_tool *t)
{
	return strace_tool_is(t, 5, 15);
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
	case ACTION_EXECS: /* The window begins with one. */
		return true;
	case ACTION_FILTERS: /* A program's own filter hides calls from one of strace's. */
		return r->seccomp;
	case ACTION_FORKS: /* They tell threads from children, and programs from each other. */
		return o->no_follow || o->files;
	default:
		return false;
	}
}

/* Chooses the wanted calls, minus those that never return, plus those that the parser needs. */
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
 * Prints the numbers of the calls that are wanted, or of those that are not; names differ between
 * versions. "?" allows numbers that this strace does not know.
 */
static void print_calls(FILE *out, const struct syscall_set *set, bool wanted)
{
	static const char *const suffixes[NR_ABIS] = { "@64", "@32", "@x32" };
	const char *separator = "";

	for (int abi = 0; abi < NR_ABIS; abi++) {
		for (int nr = 0; nr < MAX_SYSCALL_NR; nr++) {
			if (set->wanted[abi][nr] != wanted)
				continue;
			fprintf(out, "%s?%d%s", separator, nr, suffixes[abi]);
			separator = ",";
		}
	}
}

/* Selects the calls that are in the log. An exclamation mark includes numbers beyond the table. */
static void add_trace(FILE *out, const struct strace_run *r, const struct trace_options *o)
{
	bool negate = is_open_ended(&o->set);
	struct syscall_set traced;

	choose_traced(&traced, r, o);
	fputs(negate ? "-etrace=!" : "-etrace=", out);
	print_calls(out, &traced, !negate);
	fputc('\0', out);
}

static bool is_decoded(const struct trace_options *o, enum iotrace_abi abi, int nr)
{
	struct syscall_traits traits = syscall_traits(abi, nr);

	if (traits.action == ACTION_FORKS)
		return o->no_follow || o->files || o->by[0];
	if (traits.action == ACTION_EXECS)
		return o->files || o->by[0];
	return o->files && o->set.wanted[abi][nr] &&
	       (syscall_uses_file(&traits) || syscall_searches(&traits));
}

/*
 * Selects the calls whose arguments are not decoded: those that are about no file, or that are not
 * counted by file, and neither make a task that has to be told from a child nor name one.
 */
static void add_raw(FILE *out, const struct trace_options *o)
{
	struct syscall_set decoded;

	for (int abi = 0; abi < NR_ABIS; abi++)
		for (int nr = 0; nr < MAX_SYSCALL_NR; nr++)
			decoded.wanted[abi][nr] = is_decoded(o, (enum iotrace_abi)abi, nr);
	if (o->files || o->no_follow || o->by[0]) {
		fputs("-eraw=!", out);
		print_calls(out, &decoded, true);
	} else {
		fputs("-eraw=all", out);
	}
	fputc('\0', out);
}

/* Adds a word of the command line, ended by a NUL. */
static void __attribute__((format(printf, 2, 3))) add(FILE *out, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vfprintf(out, fmt, args);
	va_end(args);
	fputc('\0', out);
}

static void add_pids(FILE *out, const struct strace_run *r)
{
	add(out, "-p");
	for (size_t i = 0; i < r->nr_pids; i++)
		fprintf(out, "%s%d", i ? "," : "", r->pids[i]);
	fputc('\0', out);
}

/*
 * Adds the options. Raw arguments are cheap to print, alignment is not. Addresses show the ABI.
 * Children are followed, wanted or not: strace follows them and threads alike, or neither.
 */
static void add_options(FILE *out, const struct strace_tool *t, const struct strace_run *r,
			const struct trace_options *o)
{
	add(out, "strace");
	if (r->launch)
		add(out, "-D");
	add(out, "-f");
	if (r->seccomp)
		add(out, "--seccomp-bpf");
	if (strace_prints_numbers(t))
		add(out, "-n");
	add(out, "-i");
	if (!o->no_latency)
		add(out, strace_tool_is(t, 5, 6) ? "--syscall-times=ns" : "-T");
	add(out, "-a1");
	if (o->files) {
		add(out, "-yy");
		add(out, "-s%d", STRING_SIZE);
	}
	if (r->stacks)
		add(out, "-k");
	/* A creation returns the pid of its own namespace. Of two options, the last one holds. */
	if (o->by[0])
		add(out, "--decode-pids=comm,pidns");
	else if ((o->files || o->no_follow) && strace_tool_is(t, 5, 9))
		add(out, "--pidns-translation");
	add_raw(out, o);
	/* Deaths by a signal are needed; other signals are rare. */
	add(out, "-esignal=!CHLD,URG,WINCH,CONT");
	add(out, "-o/proc/self/fd/%d", r->log_fd);
}

/* Makes one block of the words and the command's. NULL: no memory. */
static char **join(const char *words, size_t size, char *const *command)
{
	size_t nr_words = argz_count(words, size), nr = 0;
	char **argv;

	while (command && command[nr])
		nr++;
	argv = malloc((nr_words + nr + 1) * sizeof(*argv) + size);
	if (!argv)
		return NULL;
	argz_extract(memcpy(argv + nr_words + nr + 1, words, size), size, argv);
	for (size_t i = 0; i < nr; i++)
		argv[nr_words + i] = command[i];
	argv[nr_words + nr] = NULL;
	return argv;
}

char **strace_command_line(const struct strace_tool *t, const struct strace_run *r,
			   const struct trace_options *o)
{
	char *words = NULL, **argv = NULL;
	size_t size;
	FILE *out = open_memstream(&words, &size);

	if (!out)
		return NULL;
	add_options(out, t, r, o);
	add_trace(out, r, o);
	if (r->launch)
		add(out, "--");
	else
		add_pids(out, r);
	if (!fclose(out))
		argv = join(words, size, r->launch ? r->command : NULL);
	free(words);
	return argv;
}
