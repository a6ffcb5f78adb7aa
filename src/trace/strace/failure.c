// SPDX-License-Identifier: GPL-2.0
/* Says what is wrong if strace cannot trace. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/proc.h"
#include "base/text.h"
#include "trace/strace/state.h"

void strace_advise(char *buf, size_t size, const char *said)
{
	int scope = read_number("/proc/sys/kernel/yama/ptrace_scope", 0);

	*buf = '\0';
	if (!strstr(said, "not permitted"))
		return;
	if (tracer_of(getpid()))
		snprintf(buf, size,
			 " (iotrace is being traced itself, and a process has one tracer only)");
	else if (scope == 3)
		snprintf(buf, size, " (kernel.yama.ptrace_scope is 3: no process may be traced)");
	else if (scope && geteuid() != 0)
		snprintf(buf, size, " (kernel.yama.ptrace_scope is %d: run it with sudo)", scope);
	else
		snprintf(buf, size, " ('iotrace doctor' tells what is missing)");
}

int strace_say_failed(struct strace_state *s, const char *what)
{
	char said[512], text[600], advice[128];

	strace_reader__said(s->reader, said, sizeof(said));
	strace_advise(advice, sizeof(advice), said);
	if (said[0])
		message_error("%s: strace says: %s%s", what, ESCAPE_TEXT(text, said), advice);
	else
		message_error("%s: strace has ended without saying why", what);
	return 1;
}
