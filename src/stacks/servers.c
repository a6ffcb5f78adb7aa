// SPDX-License-Identifier: GPL-2.0
#include "stacks/servers.h"

#include <dlfcn.h>
#include <elfutils/version.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/signals.h"

#define PATIENCE_NS 10000000000ULL

/* The client calls this from time to time; a: what it has done, b: the size of a file, or 0. */
typedef int (*progress_fn)(debuginfod_client *client, long a, long b);

/* There are two threads that ask for files, one after the other. */
static atomic_bool given_up;
static _Thread_local uint64_t silent_since_ns;
static _Thread_local long received; /* Bytes, where the size of the file is known. */

bool servers_wanted(void)
{
	const char *servers = getenv("DEBUGINFOD_URLS");

	return servers && *servers && !given_up;
}

static bool signal_waits(void)
{
	struct pollfd fd = { .fd = signals_waiting_fd(), .events = POLLIN };

	return fd.fd >= 0 && poll(&fd, 1, 0) > 0;
}

/* Ends the wait for a server by returning 1. */
static int progress(debuginfod_client *client, long a, long b)
{
	uint64_t now = monotonic_ns();

	(void)client;
	/* A new file begins, or more of one has come. */
	if (a <= 1 || (b > 0 && a != received))
		silent_since_ns = now;
	received = b > 0 ? a : 0;
	if (given_up)
		return 1;
	if (signal_waits()) {
		given_up = true;
		message_note("a signal came: names are not looked for at DEBUGINFOD_URLS any more");
	} else if (now - silent_since_ns >= PATIENCE_NS) {
		given_up = true;
		message_note(
			"DEBUGINFOD_URLS: no server has answered for 10 s, so they are not asked any more");
	}
	return given_up;
}

#if _ELFUTILS_PREREQ(0, 188)

void servers_limit(Dwfl *dwfl)
{
	debuginfod_client *client = dwfl_get_debuginfod_client(dwfl);
	/* libdwfl has loaded it, for itself alone. */
	void *library = client ? dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_NOLOAD) : NULL;
	void (*set_progress)(debuginfod_client *, progress_fn) = NULL;

	if (library)
		*(void **)&set_progress = dlsym(library, "debuginfod_set_progressfn");
	if (set_progress)
		set_progress(client, progress);
	if (library)
		dlclose(library);
}

#else

void servers_limit(Dwfl *dwfl)
{
	(void)dwfl;
	(void)progress;
}

#endif
