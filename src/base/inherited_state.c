// SPDX-License-Identifier: GPL-2.0
#include "base/inherited_state.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"

static struct rlimit open_files;
static bool raised;

/*
 * Signals whose disposition the command gets as iotrace inherited it. The first two would end
 * iotrace when it writes, and are ignored, so that a failed write is an error. The others are the C
 * library's, which uses them for its threads and hides them from sigaction(3) (nptl(7)).
 */
static const int signals[] = { SIGXFSZ, SIGPIPE, 32, 33 };
#define NR_IGNORED 2

/* The kernel's struct sigaction (include/linux/signal_types.h). */
static struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
} before[ARRAY_SIZE(signals)];
static bool looked;

static void kernel_sigaction(int sig, const struct kernel_action *new, struct kernel_action *old)
{
	syscall(SYS_rt_sigaction, sig, new, old, sizeof(old->mask));
}

void inherited_state_change(void)
{
	const struct kernel_action ignore = { .handler = SIG_IGN };
	struct rlimit wanted;

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		kernel_sigaction(signals[i], i < NR_IGNORED ? &ignore : NULL, &before[i]);
	looked = true;
	if (getrlimit(RLIMIT_NOFILE, &open_files))
		return;
	wanted = open_files;
	wanted.rlim_cur = wanted.rlim_max;
	raised = !setrlimit(RLIMIT_NOFILE, &wanted);
}

void inherited_state_put_back(void)
{
	for (size_t i = 0; looked && i < ARRAY_SIZE(signals); i++)
		kernel_sigaction(signals[i], &before[i], NULL);
	if (raised)
		setrlimit(RLIMIT_NOFILE, &open_files);
}
