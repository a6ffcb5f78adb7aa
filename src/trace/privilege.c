// SPDX-License-Identifier: GPL-2.0
#include "trace/privilege.h"

#include <errno.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/array.h"

/* Older headers of libcap lack these. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif
#ifndef CAP_BPF
#define CAP_BPF 39
#endif

/* Only root has these: "setcap cap_bpf,cap_perfmon+ep" does not give them. */
static const cap_value_t kept[] = { CAP_KILL, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER };
static const cap_value_t for_reading[] = { CAP_SYS_PTRACE, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH };
static const cap_value_t for_bpf[] = { CAP_BPF, CAP_PERFMON, CAP_SYS_ADMIN };

bool privilege_is_setuid(void)
{
	return getuid() != geteuid() || getgid() != getegid();
}

static bool has_flag(cap_t caps, cap_value_t cap, cap_flag_t flag)
{
	cap_flag_value_t value = CAP_CLEAR;

	return !cap_get_flag(caps, cap, flag, &value) && value == CAP_SET;
}

static bool has(cap_t caps, cap_value_t cap)
{
	return has_flag(caps, cap, CAP_PERMITTED);
}

bool privilege_has_effective(int cap)
{
	cap_t caps = cap_get_proc();
	bool effective = caps && has_flag(caps, cap, CAP_EFFECTIVE);

	cap_free(caps);
	return effective;
}

bool privilege_may_trace_all(void)
{
	return privilege_permitted() >> CAP_SYS_PTRACE & 1;
}

uint64_t privilege_permitted(void)
{
	cap_t caps = cap_get_proc();
	uint64_t permitted = 0;

	if (!caps)
		return 0;
	for (int cap = 0; cap < 64; cap++)
		permitted |= (uint64_t)has(caps, cap) << cap;
	cap_free(caps);
	return permitted;
}

/* Sets a flag for the capabilities of the list that the caller has. */
static void keep(cap_t to, cap_flag_t flag, cap_t had, const cap_value_t *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (has(had, list[i]))
			cap_set_flag(to, flag, 1, &list[i], CAP_SET);
}

int privilege_drop(int (*works)(void *arg), void *arg)
{
	const size_t nr_kept = ARRAY_SIZE(kept), nr_bpf = ARRAY_SIZE(for_bpf);
	cap_t had = cap_get_proc(), caps = cap_init();
	int err = 0;

	if (!had || !caps)
		goto fail;
	/* First make them only ineffective, to see whether reading still works. */
	keep(caps, CAP_PERMITTED, had, kept, nr_kept);
	keep(caps, CAP_EFFECTIVE, had, kept, nr_kept);
	keep(caps, CAP_PERMITTED, had, for_bpf, nr_bpf);
	if (cap_set_proc(caps))
		goto fail;
	if (works(arg))
		keep(caps, CAP_EFFECTIVE, had, for_bpf, nr_bpf);
	else
		cap_set_flag(caps, CAP_PERMITTED, nr_bpf, for_bpf, CAP_CLEAR);
	if (!cap_set_proc(caps))
		goto out;
fail:
	err = -errno;
out:
	cap_free(caps);
	cap_free(had);
	return err;
}

static int drop_all_but(const cap_value_t *list, size_t nr)
{
	cap_t had = cap_get_proc(), caps = cap_init();
	int err = 0;

	if (had && caps) {
		keep(caps, CAP_PERMITTED, had, list, nr);
		keep(caps, CAP_EFFECTIVE, had, list, nr);
	}
	if (!had || !caps || cap_set_proc(caps))
		err = -errno;
	cap_free(caps);
	cap_free(had);
	return err;
}

int privilege_drop_all_but_reading(void)
{
	return drop_all_but(for_reading, ARRAY_SIZE(for_reading));
}

int privilege_drop_all_but_bpf(void)
{
	cap_value_t cap = privilege_has_effective(CAP_BPF) ? CAP_BPF : CAP_SYS_ADMIN;

	return drop_all_but(&cap, 1);
}

int privilege_become_ordinary(void)
{
	cap_t had = cap_get_proc(), caps = cap_init();
	int err = 0;

	for (cap_value_t cap = 0; had && caps && cap < 64; cap++) {
		if (geteuid() != 0 && cap_get_ambient(cap) != 1)
			continue;
		keep(caps, CAP_PERMITTED, had, &cap, 1);
		keep(caps, CAP_EFFECTIVE, had, &cap, 1);
	}
	if (!had || !caps || cap_set_proc(caps) || prctl(PR_SET_DUMPABLE, 1))
		err = -errno;
	cap_free(caps);
	cap_free(had);
	return err;
}
