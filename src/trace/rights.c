// SPDX-License-Identifier: GPL-2.0
#include "trace/rights.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"
#include "trace/privilege.h"

static void read_filter(struct rights *r)
{
	FILE *status = proc_open(getpid(), "status");
	char line[256];
	int filter = 0;

	if (!status)
		return;
	while (fgets(line, sizeof(line), status))
		sscanf(line, "Seccomp: %d", &filter);
	fclose(status);
	r->filtered = filter != 0;
}

void rights_look(struct rights *r)
{
	unsigned long first, outside, count;
	char line[256];

	memset(r, 0, sizeof(*r));
	r->root = geteuid() == 0;
	r->cap_bpf = privilege_has_effective(CAP_BPF) || privilege_has_effective(CAP_SYS_ADMIN);
	r->cap_perfmon =
		privilege_has_effective(CAP_PERFMON) || privilege_has_effective(CAP_SYS_ADMIN);
	r->cap_sys_ptrace = privilege_has_effective(CAP_SYS_PTRACE);
	read_filter(r);
	read_line("/proc/self/uid_map", line, sizeof(line));
	r->user_namespace = sscanf(line, "%lu %lu %lu", &first, &outside, &count) == 3 &&
			    (first || outside || count < 0xffffffff);
}

bool rights_suffice(const struct rights *r)
{
	return r->cap_bpf && r->cap_perfmon && !r->user_namespace;
}

const char *rights_advice(const struct rights *r)
{
	if (r->root && r->user_namespace)
		return "root of a user namespace has no BPF: run it in the first one";
	if (r->root)
		return "root without them, as in a container: start that with --cap-add=BPF --cap-add=PERFMON";
	return "run it with sudo, or once: sudo setcap cap_bpf,cap_perfmon+ep \"$(command -v iotrace)\"";
}

static void explain_missing(char *why, size_t size, const struct rights *r)
{
	if (r->user_namespace)
		snprintf(why, size, "%s",
			 r->root ? rights_advice(r)
				 : "a user namespace has no BPF: run it in the first one");
	else if (!r->cap_bpf && !r->cap_perfmon)
		snprintf(why, size, "CAP_BPF and CAP_PERFMON are missing: %s", rights_advice(r));
	else
		snprintf(why, size, "%s is missing: %s", r->cap_bpf ? "CAP_PERFMON" : "CAP_BPF",
			 rights_advice(r));
}

bool rights_explain(char *why, size_t size, const struct rights *r, int err)
{
	bool refused = err == -EPERM || err == -EACCES;

	why[0] = '\0';
	if (refused && !rights_suffice(r))
		explain_missing(why, size, r);
	else if ((refused || err == -ENOSYS) && r->filtered)
		snprintf(
			why, size,
			"iotrace runs under a seccomp filter, as in a container, which may be what refuses it");
	return why[0];
}
