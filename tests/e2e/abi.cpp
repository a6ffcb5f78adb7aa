// SPDX-License-Identifier: GPL-2.0
/*
 * Programs of several ABIs have a table for each ABI, as in strace: 32-bit programs, 32-bit calls
 * of 64-bit programs, and execve between them.
 */
#include "lib/live.hpp"
#include "lib/one_run.hpp"

static const Words table = { "-U", "calls,errors,name", "-S", "name" };

/* Compares two reports of one run byte by byte. */
static void check_tables(const Words &set, const Words &command)
{
	std::vector<Words> formats = { { "--format=strace" } };

	if (backend() == "bpf")
		formats.push_back({ "--format=strace", "--no-latency" });
	for (const Words &format : formats) {
		const OneRun run = count_both(table + set, command, {}, Way::ATTACHED, format);
		INFO(run);
		CHECK(run.differences == "");
		CHECK(run.ours.text == run.theirs.text);
	}
}

TEST_CASE("abi: a 32-bit program has a table of its own, with its own names")
{
	const Run run = run_iotrace({ "-e", "trace=all" }, { fixture("execs", { "-m32" }) });
	INFO(run);

	CHECK(run.end == "exit 0");
	CHECK_THAT(run.report.text,
		   ContainsSubstring("System call usage summary for 32 bit mode:\n"));
	CHECK(run.report.calls("getppid@32") == 2);
	CHECK(run.report.errors("execve@32") == 1);
	CHECK(run.report.calls("mmap2@32") > 0);
	/* strace counts an execve in the ABI of the new program, and so does iotrace. */
	for (const Words &set : { Words{ "-e", "getppid,execve,write,openat,close,mmap2,mmap" },
				  Words{ "-e", "write" }, Words{ "-e", "trace=%file" } }) {
		check_tables(set, { fixture("execs", { "-m32" }) });
		check_tables(set, { fixture("signals", { "-m32" }) });
	}
}

TEST_CASE("abi: execve from 64 to 32 bit and back is one call")
{
	const std::string e64 = fixture("execs"), e32 = fixture("execs", { "-m32" });

	for (const Words &command :
	     { Words{ e64, e32, e64, e32 }, Words{ e32, e64, e32, e64 },
	       Words{ e32, e32, e64, e64 },
	       Words{ "sh", "-c", e32 + " " + e64 + "; " + e64 + " " + e32 + " " + e32 } })
		for (const char *set : { "execve", "execve,getppid", "trace=%process", "getppid" })
			check_tables({ "-e", set }, command);
	const Run run = run_iotrace({ "-e", "execve,getppid" }, { e64, e32, e64, e32 });
	INFO(run);
	CHECK(run.report.calls("execve") + run.report.calls("execve@32") == 8);
	CHECK(run.report.errors("execve") == 2);
	CHECK(run.report.errors("execve@32") == 2);
	CHECK(run.report.calls("getppid") == 4);
	CHECK(run.report.calls("getppid@32") == 4);
}

TEST_CASE("abi: 32-bit calls of a 64-bit program are counted in their own table")
{
	check_tables({ "-e", "getppid,close" }, { fixture("mixed_abi") });
}

/* strace -c leaves out calls that none of its tables has; iotrace shows them by number. */
TEST_CASE("abi: numbers without a call are counted")
{
	const OneRun run = count_both({ "-e", "trace=all" }, { fixture("no_calls") });
	INFO(run);
	CHECK(run.end == "exit 0");
	const std::string by_strace = "; expected 0 calls, 0 errors\n";
	if (backend() == "bpf")
		CHECK(run.differences == "syscall_0x258: 3 calls, 3 errors" + by_strace +
						 "syscall_0x384@32: 3 calls, 3 errors" + by_strace +
						 "syscall_0x3e7: 3 calls, 3 errors" + by_strace +
						 "syscall_0x400002bc@x32: 2 calls, 2 errors" +
						 by_strace);
	else
		CHECK(run.differences == "");
}

TEST_CASE("abi: an attached process becomes a 32-bit program and a 64-bit one again")
{
	Puppet puppet;
	const std::string e64 = fixture("execs"), e32 = fixture("execs", { "-m32" });
	Watch watch(Words{ "-e", "getppid,execve", "-p", puppet.pids() });

	puppet.tell_only("exec " + e32 + " " + e64 + " " + e32);
	CHECK(puppet.process().wait() == "exit 0");
	const Run run = watch.end(0);
	INFO(run);
	CHECK(run.report.calls("getppid") == 2);
	CHECK(run.report.calls("getppid@32") == 4);
	CHECK(run.report.calls("execve") + run.report.calls("execve@32") == 6);
	CHECK(run.report.errors("execve") + run.report.errors("execve@32") == 3);
}

TEST_CASE("abi: a 32-bit process can be attached to")
{
	Puppet puppet(fixture("puppet", { "-m32" }));
	Watch watch(counts + Words{ "-p", puppet.pids() });

	puppet.tell("write 100");
	puppet.tell("fail 4");
	puppet.tell("fork 5");
	const Run run = watch.end();
	INFO(run);
	CHECK(run.report.calls("write@32") == 105);
	CHECK(run.report.bytes("write@32") == 315);
	CHECK(run.report.errors("close@32") == 4);
	CHECK(run.report.rows.count("write") == 0);
}
