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
/* These end a process that writes; here a failed write is an error, whatever was written to. */
static const int of_writes[] = { SIGXFSZ, SIGPIPE };
static struct sigaction before[ARRAY_SIZE(of_writes)];
static bool raised, ignored;
/*
 * Two signals are the C library's, which gives them to its threads and does not let anybody else at
 * them (nptl(7)). Ignored ones would be so in the command, too.
 */
#define FIRST_INTERNAL 32
static bool internal_ignored[2];

/* The kernel's struct sigaction: include/linux/signal_types.h */
struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static int kernel_sigaction(int sig, const struct kernel_action *new, struct kernel_action *old)
{
	return (int)syscall(SYS_rt_sigaction, sig, new, old, sizeof(old->mask));
}

static void look_at_internal(void)
{
	for (int i = 0; i < 2; i++) {
		struct kernel_action now = { 0 };

		internal_ignored[i] =
			!kernel_sigaction(FIRST_INTERNAL + i, NULL, &now) && now.handler == SIG_IGN;
	}
}

static void put_back_internal(void)
{
	const struct kernel_action ignore = { .handler = SIG_IGN };

	for (int i = 0; i < 2; i++)
		if (internal_ignored[i])
			kernel_sigaction(FIRST_INTERNAL + i, &ignore, NULL);
}

void inherited_state_change(void)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct rlimit wanted;

	look_at_internal();
	for (size_t i = 0; i < ARRAY_SIZE(of_writes); i++)
		sigaction(of_writes[i], &ignore, &before[i]);
	ignored = true;
	if (getrlimit(RLIMIT_NOFILE, &open_files))
		return;
	wanted = open_files;
	wanted.rlim_cur = wanted.rlim_max;
	raised = !setrlimit(RLIMIT_NOFILE, &wanted);
}

void inherited_state_put_back(void)
{
	put_back_internal();
	for (size_t i = 0; ignored && i < ARRAY_SIZE(of_writes); i++)
		sigaction(of_writes[i], &before[i], NULL);
	if (raised)
		setrlimit(RLIMIT_NOFILE, &open_files);
}
