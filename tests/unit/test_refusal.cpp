// SPDX-License-Identifier: GPL-2.0
extern "C" {
#include "trace/refusal.h"
}
#include "lib/catch.hpp"

#include <string>

/* Both processes belong to an ordinary user without a name, and nothing forbids tracing. */
static refusal_facts facts()
{
	refusal_facts f = {};

	f.uid = f.gid = 4000000;
	for (int i = 0; i < 3; i++)
		f.their_uids[i] = f.their_gids[i] = 4000000;
	f.same_namespace = true;
	f.ptrace_scope = -1;
	f.modules = "";
	return f;
}

static std::string explained(const refusal_facts &f)
{
	char why[400];

	refusal_explain(why, sizeof(why), &f);
	return why;
}

TEST_CASE("refusal: a refusal says whose process it is", "[refusal]")
{
	refusal_facts f = facts();

	f.their_uids[0] = f.their_uids[1] = f.their_uids[2] = 0;
	CHECK(explained(f) == "not permitted: it runs as root; use sudo");
	f.their_uids[0] = 4000000; // It is a set-user-ID program of the same user.
	CHECK(explained(f) == "not permitted: it runs as root; use sudo");
	f.their_uids[1] = f.their_uids[2] = 4000001;
	CHECK(explained(f) == "not permitted: it runs as user 4000001; use sudo");
	f = facts();
	f.their_gids[1] = 5;
	CHECK(explained(f) == "not permitted: it runs as another group; use sudo");
}

TEST_CASE("refusal: a refusal to a root without capabilities says which are missing", "[refusal]")
{
	refusal_facts f = facts();

	f.uid = f.gid = 0;
	for (int i = 0; i < 3; i++)
		f.their_uids[i] = f.their_gids[i] = 0;
	f.their_caps = 1 << 12 | 1 << 16;
	f.caps = 1 << 12;
	CHECK(explained(f) ==
	      "not permitted: it has capabilities that you have not (cap_sys_module); "
	      "CAP_SYS_PTRACE "
	      "would do, which this root does not have (a container needs --cap-add=SYS_PTRACE)");
	f.their_caps = 0xff;
	f.caps = 0;
	CHECK_THAT(explained(f),
		   Catch::Contains("(cap_chown, cap_dac_override, cap_dac_read_search, ...)"));
}

TEST_CASE("refusal: a refusal says which other rule is in the way", "[refusal]")
{
	refusal_facts f = facts();

	f.ptrace_scope = 0;
	CHECK(explained(f) == "not permitted: a security module of the kernel refuses it");
	f.modules = "lockdown,apparmor";
	CHECK(explained(f) == "not permitted: a security module of the kernel refuses it (there "
			      "are lockdown,apparmor)");
	f.ptrace_scope = 1;
	CHECK(explained(f) == "not permitted: kernel.yama.ptrace_scope is 1; use sudo");
	f.undumpable = true;
	CHECK_THAT(explained(f), Catch::Contains("it is not dumpable"));
	f.same_namespace = false;
	CHECK(explained(f) == "not permitted: it is in another user namespace; use sudo");
}

TEST_CASE("refusal: a refusal for a user who may trace all names a security module", "[refusal]")
{
	refusal_facts f = facts();

	f.may_trace_all = true;
	f.their_uids[1] = 0;
	CHECK(explained(f) == "not permitted: a security module of the kernel refuses it");
	f.ptrace_scope = 3;
	CHECK_THAT(explained(f),
		   Catch::Contains("kernel.yama.ptrace_scope is 3, which lets nobody"));
	f.same_namespace = false;
	CHECK_THAT(explained(f), Catch::Contains("a user namespace that is not below yours"));
}
