// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/examine.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/text.h"
#include "trace/examination.h"
#include "trace/privilege.h"
#include "trace/rights.h"
#include "trace/strace/command.h"

/* Traces a child. Returns 0 or an errno. */
static int trace_child(void)
{
	pid_t pid = fork();
	int err = 0;

	if (pid < 0)
		return errno;
	if (!pid) {
		pause();
		_exit(0);
	}
	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL))
		err = errno;
	proc_signal(pid, SIGKILL);
	TEMP_FAILURE_RETRY(waitpid(pid, NULL, 0));
	return err;
}

/*
 * Tries it with the rights that strace will have, as containers may forbid it. Returns 0 or an
 * errno.
 */
static int try_ptrace(void)
{
	pid_t pid = fork();
	int status = 0;

	if (pid < 0)
		return errno;
	if (!pid)
		_exit(-privilege_become_ordinary() ?: trace_child());
	TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
	return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

void strace_find_facts(struct strace_facts *f)
{
	struct strace_tool tool;
	struct rights rights;

	memset(f, 0, sizeof(*f));
	strace_tool_find(&tool, f->why, sizeof(f->why));
	snprintf(f->path, sizeof(f->path), "%s", tool.path ? tool.path : "");
	f->major = tool.major;
	f->minor = tool.minor;
	strace_tool_free(&tool);
	f->ptrace_errno = try_ptrace();
	f->ptrace_scope = read_number("/proc/sys/kernel/yama/ptrace_scope", 0);
	rights_look(&rights);
	/* strace does not inherit the capabilities of iotrace's file. */
	f->cap_sys_ptrace =
		rights.cap_sys_ptrace && (rights.root || cap_get_ambient(CAP_SYS_PTRACE) == 1);
	f->filtered = rights.filtered;
	f->traced_by = tracer_of(getpid());
}

static void report_ptrace_scope(FILE *out, const struct strace_facts *f)
{
	static const char *const limits[] = {
		NULL,
		"-p reaches only what iotrace started: for other processes run it with sudo, or sudo sysctl kernel.yama.ptrace_scope=0",
		"only root may trace: run it with sudo, or sudo sysctl kernel.yama.ptrace_scope=0",
		"nobody may trace until the next boot, which has to set another kernel.yama.ptrace_scope",
	};

	if (f->ptrace_scope <= 0 || f->ptrace_scope > 3 ||
	    (f->ptrace_scope < 3 && f->cap_sys_ptrace))
		return;
	fprintf(out, "  limited  kernel.yama.ptrace_scope is %d: %s\n", f->ptrace_scope,
		limits[f->ptrace_scope]);
}

static void report_features(FILE *out, const struct strace_facts *f)
{
	const struct strace_tool t = { .major = f->major, .minor = f->minor };

	if (!strace_tool_is(&t, 5, 3))
		examination_limited(
			out,
			"it stops the program at all calls, wanted or not: 5.3 or later does not");
	if (!strace_tool_is(&t, 5, 6))
		examination_limited(out, "it tells times in microseconds: 5.6 or later in ns");
}

bool strace_report_facts(FILE *out, const struct strace_facts *f)
{
	bool usable = !f->why[0] && !f->ptrace_errno && !f->traced_by;
	char text[600], tool[400], advice[256];

	examination_begin(out, "strace", usable);
	ESCAPE_TEXT(text, f->path);
	snprintf(tool, sizeof(tool), "strace %u.%u (%.256s)", f->major, f->minor, text);
	ESCAPE_TEXT(text, f->why);
	examination_say(out, !f->why[0], f->why[0] ? "strace" : tool, text);
	if (!f->why[0])
		report_features(out, f);
	snprintf(
		advice, sizeof(advice), "%s; %s", strerror(f->ptrace_errno),
		f->filtered
			? "iotrace runs under a seccomp filter, as in a container: start that with --cap-add=SYS_PTRACE"
			: "the kernel refuses it, and does not say why");
	examination_say(out, !f->ptrace_errno, "ptrace(2) of a child", advice);
	snprintf(advice, sizeof(advice),
		 "process %d traces it, and what it starts can have no other tracer", f->traced_by);
	examination_say(out, !f->traced_by, "iotrace is not traced itself", advice);
	report_ptrace_scope(out, f);
	return usable;
}

bool strace_examine(FILE *out)
{
	struct strace_facts facts;

	strace_find_facts(&facts);
	return strace_report_facts(out, &facts);
}
