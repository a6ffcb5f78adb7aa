// SPDX-License-Identifier: GPL-2.0
/*
 * Running or waiting: which calls slept, which were preempted, how long both took, and --cpu.
 * strace knows none of it.
 */
#include "lib/live.hpp"

#include <sstream>
#include <unistd.h>

/* The waits fixture's own account, as the kernel counts it. */
struct Switches {
	long voluntary = -1, involuntary = -1, cpu_us = -1; // Figures of the subject in its calls.
	// Voluntary switches of all processes, in all.
	long all = -1;
};

static Switches switches_of(const Run &run)
{
	std::istringstream text(run.out);
	Switches s;

	text >> s.voluntary >> s.involuntary >> s.cpu_us >> s.all;
	REQUIRE(text);
	return s;
}

static long figure(const std::string &capture, const std::string &name, const std::string &key)
{
	return std::stol(
		jq("[.syscalls[] | select(.name == \"" + name + "\") | ." + key + "] | add // 0",
		   capture));
}

/* The sum over all syscalls. */
static long total(const std::string &capture, const std::string &key)
{
	return std::stol(jq("[.syscalls[]." + key + "] | add", capture));
}

/* Checks what is so in every run. */
static void check_waits(const std::string &capture, const Switches &s)
{
	CHECK(total(capture, "waits") <= s.all);
	CHECK(total(capture, "run_ns") + total(capture, "wait_ns") == total(capture, "total_ns"));
	CHECK(total(capture, "busy_ns") + total(capture, "idle_ns") == total(capture, "total_ns"));
	CHECK(jq("all(.syscalls[]; .idle_ns <= .wait_ns)", capture) == "true");
	CHECK(jq("all(.syscalls[]; .waits <= .timed and .preempted <= .timed and "
		 "(.wait_latency | map(.count) | add // 0) == .waits and "
		 "((.waits == 0) == (.wait_ns == 0)))",
		 capture) == "true");
	/* The sum over the files is the syscall's. */
	for (const char *key : { ".waits", ".wait_ns", ".idle_ns", ".preempted" })
		CHECK(jq("([.files | group_by(.nr)[] | {key: .[0].syscall, value: (map(" +
				 std::string(key) +
				 ") | add)}] | from_entries) as $files | all(.syscalls[]; "
				 "(.name as $name | $files | has($name) | not) or $files[.name] "
				 "== " +
				 key + ")",
			 capture) == "true");
}

static const long often = 100;

/* Runs the waits fixture. The calls of a subject end in the capture. */
static Run run_subject(const Words &options, const std::string &subject, const std::string &capture,
		       long count = often)
{
	const Run run = run_iotrace(Words{ "-e", "all", "-y0", "-o", capture } + options,
				    { fixture("waits"), subject, std::to_string(count) });

	INFO(run);
	REQUIRE(run.end == "exit 0");
	return run;
}

TEST_CASE("waits: a call that sleeps once each time waits as often as the kernel has switched",
	  "[once]")
{
	const std::string capture = temporary("waits.json");
	const struct {
		const char *subject, *call;
		long waits;
		bool idle; /* It waits for another program, or a timer, to have something for it. */
	} cases[] = {
		{ "nanosleep", "clock_nanosleep", often, true },
		{ "futex", "futex", often, true },
		{ "slow-reader", "write", often - 1, false }, /* The first write finds room. */
	};

	for (const auto &c : cases) {
		const Run run = run_subject({}, c.subject, capture);
		const Switches s = switches_of(run);
		INFO(run);

		/* A task that loses its CPU for long does not have to sleep any more. */
		CHECK(s.voluntary <= c.waits);
		CHECK(s.voluntary > c.waits / 2);
		CHECK(figure(capture, c.call, "waits") == s.voluntary);
		CHECK(figure(capture, c.call, "wait_ns") > 0);
		CHECK(figure(capture, c.call, "idle_ns") ==
		      (c.idle ? figure(capture, c.call, "wait_ns") : 0));
		check_waits(capture, s);
	}
}

static std::string of_kind(const std::string &kind, const std::string &call,
			   const std::string &key = "waits")
{
	return "[.files[] | select(.kind == \"" + kind + "\" and .syscall == \"" + call +
	       "\") | ." + key + "] | add";
}

TEST_CASE("waits: who writes for a reader that sleeps does not wait, and the reader does", "[once]")
{
	const std::string capture = temporary("reader.json");

	const Run run = run_subject({}, "fast-reader", capture);
	INFO(run);
	CHECK(jq(of_kind("pipe", "write"), capture) == "0");
	CHECK(jq(of_kind("pipe", "read"), capture) == std::to_string(often));
	CHECK(jq(of_kind("pipe", "read", "idle_ns"), capture) ==
	      jq(of_kind("pipe", "read", "wait_ns"), capture));
	check_waits(capture, switches_of(run));
}

TEST_CASE("waits: a terminal, a socket and events are waited for, which is no work", "[once]")
{
	const struct {
		const char *subject, *kind;
	} cases[] = { { "terminal", "tty" }, { "socket", "socket" }, { "eventfd", "eventfd" } };

	for (const auto &c : cases)
		for (const Words &by : { Words{}, Words{ "--by=process" } }) {
			const std::string capture = temporary("reads.json");
			const Run run = run_subject(by, c.subject, capture);
			const Switches s = switches_of(run);
			INFO(run);

			CHECK(jq(of_kind(c.kind, "read"), capture) == std::to_string(often));
			CHECK(s.voluntary >= often);
			CHECK(jq(of_kind(c.kind, "read", "idle_ns"), capture) ==
			      jq(of_kind(c.kind, "read", "wait_ns"), capture));
			CHECK(jq(".groups == null or ([.groups[].syscalls[].idle_ns] | add) == "
				 "([.syscalls[].idle_ns] | add)",
				 capture) == "true");
			check_waits(capture, s);
		}
}

TEST_CASE("waits: without files, a call that only waits is told, and a read counts as work",
	  "[once]")
{
	const std::string capture = temporary("no-files.json");
	const Run run = run_iotrace({ "--no-files", "-e", "all", "-o", capture },
				    { "sh", "-c", "sleep 0.1 | cat" });
	INFO(run);
	CHECK(figure(capture, "clock_nanosleep", "idle_ns") >= 100000000);
	CHECK(figure(capture, "wait4", "idle_ns") == figure(capture, "wait4", "wait_ns"));
	CHECK(figure(capture, "read", "wait_ns") > 0);
	CHECK(figure(capture, "read", "idle_ns") == 0);
}

TEST_CASE("waits: the table has work first, and what waited below the total", "[once]")
{
	const Words command = { "sh", "-c", "sleep 0.1 | cat" };
	const std::string report = temporary("table.txt");

	run_iotrace({ "-e", "all", "-o", report }, command);
	const std::string busy = read_file(report);
	CHECK_THAT(busy, StartsWith("% busy      busy s busy us/call "));
	CHECK_THAT(busy, ContainsSubstring(" total\n") && ContainsSubstring(" waiting: "));
	CHECK(busy.find(" execve\n") < busy.find(" clock_nanosleep\n"));
	run_iotrace({ "-w", "-e", "all", "-o", report }, command);
	const std::string wall = read_file(report);
	CHECK_THAT(wall, StartsWith("% time     seconds  usecs/call "));
	CHECK(wall.find(" execve\n") > wall.find(" clock_nanosleep\n"));
	CHECK_THAT(wall, !ContainsSubstring(" waiting: "));
}

TEST_CASE("waits: a call that only works is preempted at most, and --cpu measures its work",
	  "[once]")
{
	const std::string capture = temporary("work.json");

	for (const char *subject : { "getrandom", "crowd" }) {
		const Run run = run_subject({ "--cpu" }, subject, capture, 15);
		const Switches s = switches_of(run);
		const long preempted = figure(capture, "getrandom", "preempted");
		const double cpu_us = figure(capture, "getrandom", "cpu_ns") / 1e3;
		INFO(run);

		CHECK(figure(capture, "getrandom", "waits") == 0);
		CHECK(preempted <= s.involuntary);
		CHECK(cpu_us > 0.98 * (double)s.cpu_us);
		/*
		 * A call that keeps the CPU is also charged with what a hypervisor takes meanwhile.
		 */
		if (subject == std::string("crowd")) {
			CHECK(preempted > 0);
			CHECK(cpu_us < 1.02 * (double)s.cpu_us);
		}
		CHECK(jq("all(.syscalls[]; .cpu_ns <= .total_ns)", capture) == "true");
		check_waits(capture, s);
	}
}

/* The calls of a shell command in which "$0" is an ext4 file system of its own. */
static Run run_on_ext4(const Folder &folder, const std::string &command, const std::string &capture)
{
	folder.run("truncate -s 32M image; mkfs.ext4 -q image; mkdir mnt");
	return run_iotrace({ "-e", "all", "-y0", "-o", capture },
			   { "unshare", "-m", "sh", "-ec",
			     "mount -o loop " + (folder / "image") + " $0; " + command,
			     folder / "mnt" });
}

TEST_CASE("waits: fsync on ext4 waits for the disk, and the finding says so", "[once]")
{
	const std::string capture = temporary("fsync.json");
	const Folder folder;

	if (geteuid())
		SKIP_CASE("only root mounts a file system");
	const Run run = run_on_ext4(folder, fixture("waits") + " fsync 100 $0/log", capture);
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(figure(capture, "fsync", "calls") == 100);
	CHECK(figure(capture, "fsync", "waits") > 50);
	CHECK(figure(capture, "fsync", "waits") <= switches_of(run).voluntary);
	CHECK(figure(capture, "fsync", "idle_ns") == 0);
	CHECK_THAT(jq("[.findings[] | select(.id == \"sync-per-write\") | .evidence]", capture),
		   ContainsSubstring("of their time was slept, as syncing is waiting"));
	CHECK(jq("[.findings[] | select(.id == \"sync-per-write\") | .wait_ns > 0]", capture) ==
	      "[true]");
}

TEST_CASE("waits: a page fault in the middle of a write is waited for, and a disk is work",
	  "[once]")
{
	const std::string capture = temporary("mapping.json");
	const Folder folder;

	if (geteuid())
		SKIP_CASE("only root mounts a file system");
	const Run run = run_on_ext4(folder,
				    "head -c 8M /dev/urandom > $0/data; umount $0; mount -o loop " +
					    (folder / "image") + " $0; " + fixture("waits") +
					    " mapping 100 $0/data; umount $0; mount -o loop " +
					    (folder / "image") + " $0; cat $0/data > /dev/null",
				    capture);
	INFO(run);
	CHECK(run.end == "exit 0");
	const std::string waits = jq(
		"[.files[] | select(.kind == \"memfd\" and .syscall == \"write\") | .waits] | add",
		capture);
	CHECK(std::stol(waits) > 0);
	CHECK(std::stol(waits) <= switches_of(run).voluntary);
	CHECK(std::stol(jq(of_kind("regular", "read"), capture)) > 0);
	for (const char *kind : { "memfd", "regular", "block" })
		CHECK(jq("[.files[] | select(.kind == \"" + std::string(kind) +
				 "\") | .idle_ns] | add // 0",
			 capture) == "0");
}

TEST_CASE("waits: a gain is not promised where the reader sets the pace", "[once]")
{
	const std::string capture = temporary("pace.json");

	/* The 128 lines fill the pipe, and the reader waits for that each time but the last. */
	const Run run = run_subject({}, "lines", capture, 40 * 128);
	INFO(run);
	CHECK(figure(capture, "write", "waits") == 39);
	check_waits(capture, switches_of(run));
	CHECK_THAT(jq(".findings[] | select(.kind == \"pipe\") | [.id, .evidence]", capture),
		   ContainsSubstring("\"flush-per-line\"") &&
			   ContainsSubstring(" of their time is waiting for its reader"));
	CHECK(jq("([.files[] | select(.kind == \"pipe\" and .syscall == \"write\")] | .[0]) as "
		 "$write | "
		 ".findings[] | select(.kind == \"pipe\") | .predicted_wall_saving_ns.low == 0 and "
		 ".predicted_saving_ns.high <= 1.25 * ($write.total_ns - $write.wait_ns) and "
		 ".wait_ns == $write.wait_ns",
		 capture) == "true");
}

TEST_CASE("waits: where a waiting call finds no room, waits are unknown, and all else is not",
	  "[once]")
{
	const std::string capture = temporary("numbers.json");
	const Run run = run_subject({}, "numbers", capture, 2);
	INFO(run);
	CHECK(figure(capture, "poll", "calls") == 2);
	CHECK(figure(capture, "poll", "total_ns") >= 2000000);
	CHECK(jq(".unknown", capture) == "[\"waits\",\"idle\",\"cpu\"]");
	CHECK(jq("[.syscalls[].waits] | unique", capture) == "[null]");
	CHECK(jq(".integrity.lost > 100", capture) == "true");
}

TEST_CASE("waits: strace does not know them, and refuses --cpu by name")
{
	const std::string capture = temporary("unknown.json");

	if (backend() != "strace")
		SKIP_CASE("it is about the strace backend");
	const Run run = run_iotrace({ "-o", capture }, { "sh", "-c", "echo a" });
	INFO(run);
	CHECK(jq(".unknown - [\"gains\"]", capture) == "[\"waits\",\"idle\",\"nagle\",\"cpu\"]");
	CHECK(jq("[.syscalls[] | .waits, .wait_ns, .run_ns, .idle_ns, .busy_ns, "
		 ".preempted, .cpu_ns] | unique",
		 capture) == "[null]");
	const Run refused = run_plain(
		{ iotrace_path(), "--backend=strace", "--cpu", "--", "touch", temporary("ran") });
	CHECK(refused.end == "exit 125");
	CHECK_THAT(refused.err, ContainsSubstring("strace cannot do --cpu: use eBPF"));
	CHECK(!exists(temporary("ran")));
}
