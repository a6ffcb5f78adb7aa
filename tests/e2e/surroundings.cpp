// SPDX-License-Identifier: GPL-2.0
/*
 * iotrace where something that it usually finds is missing: open files, /sys, room for its report.
 */
#include "lib/live.hpp"

#include <csignal>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

static Spawn limited(int resource, rlim_t soft, rlim_t hard)
{
	Spawn how;

	how.in_child = [=] {
		const struct rlimit limit = { soft, hard };

		if (setrlimit(resource, &limit))
			_exit(99);
	};
	return how;
}

TEST_CASE("surroundings: iotrace raises its limit of open files, but not the command's")
{
	const Words command = { "sh", "-c", "ulimit -Sn; ulimit -Hn" };
	const Run run = run_iotrace({ "-e", "write" }, command, limited(RLIMIT_NOFILE, 12, 4096));

	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.err == "");
	CHECK(run.out == "12\n4096\n");
	CHECK(run.report.calls("write") == 2);
}

TEST_CASE("surroundings: a too low limit of open files is named")
{
	const std::string side = temporary("few-files-side-effect");

	/* Where libbpf goes on without some descriptor, it fails for another reason later. */
	for (rlim_t files : { 5, 8, 10, 12, 14 }) {
		const Run run =
			run_iotrace({}, { "touch", side }, limited(RLIMIT_NOFILE, files, files));

		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK_THAT(run.err, Catch::Contains("oo many open files"));
		CHECK_THAT(run.err, !Catch::Contains("too old"));
		CHECK(!exists(side));
		if (backend() == "bpf")
			CHECK_THAT(run.err,
				   Catch::Contains(std::to_string(files) +
						   " are allowed; raise it with 'ulimit -n"));
	}
}

TEST_CASE("surroundings: with few open files, a run is complete, or refused before it begins",
	  "[once]")
{
	const std::string side = temporary("some-files-side-effect"),
			  report = temporary("some-files-report");

	for (rlim_t files = 15; files < 75; files += 3) {
		const Run run = run_plain({ iotrace_path(), "-e", "write", "-o", report, "--",
					    "workloads/endl_loop", "-n", "40", "-o", side },
					  limited(RLIMIT_NOFILE, files, files));

		CAPTURE(files);
		INFO(run);
		if (run.end == "exit 0")
			CHECK(parse_report(read_file(report)).calls("write") == 40);
		else
			CHECK(!exists(side));
		/* strace needs fewer than eBPF does, and takes over. */
		if (files >= 24)
			CHECK(run.end == "exit 0");
		if (files >= 72)
			CHECK(run.err == "");
		unlink(side.c_str());
		unlink(report.c_str());
	}
}

TEST_CASE("surroundings: with few open files, a process is watched, or the limit is named",
	  "[once]")
{
	for (rlim_t files = 15; files < 75; files += 6) {
		Puppet puppet;
		Spawn how = limited(RLIMIT_NOFILE, files, files);
		const std::string report = temporary("watched-with-few");

		how.argv = { iotrace_path(), "-e", "write", "-o", report, "-p", puppet.pids() };
		Process iotrace(how);
		const bool watches =
			eventually([&] {
				return !iotrace.running() ||
				       iotrace.err().find("tracing has begun") != std::string::npos;
			}) &&
			iotrace.running();
		CAPTURE(files);
		if (watches) {
			puppet.tell("write 40");
			iotrace.signal(SIGINT);
		}
		const std::string end = iotrace.wait();
		INFO(iotrace.err());
		CHECK(end == (watches ? "exit 0" : "exit 125"));
		if (watches)
			CHECK(parse_report(read_file(report)).calls("write") == 40);
		else
			CHECK_THAT(iotrace.err(),
				   Catch::Contains(std::to_string(files) +
						   " are allowed; raise it with 'ulimit -n"));
		if (files >= 24)
			CHECK(watches);
	}
}

TEST_CASE("surroundings: the limit of address space is named for a capture that is too large",
	  "[once]")
{
	const std::string capture = temporary("large-capture.json"),
			  large = temporary("larger-capture.json"), list = "\"files\": [";
	const Run run = run_plain(iotrace_argv({ "-o", capture }, { "true" }, nullptr));
	std::string text = read_file(capture);
	const size_t place = text.find(list);

	INFO(run);
	REQUIRE(place != std::string::npos);
	text.insert(place + list.size(), size_t{ 200 } << 20, ' ');
	write_file(large, text);
	for (const Words &command :
	     { Words{ "report", large }, Words{ "compare", capture, large } }) {
		const rlim_t bytes = 150000 * 1024;
		const Run read = run_plain(Words{ iotrace_path() } + command,
					   limited(RLIMIT_AS, bytes, bytes));

		INFO(read);
		CHECK(read.end == "exit 125");
		CHECK_THAT(read.err,
			   Catch::Contains("larger-capture.json': Cannot allocate memory; 150000 "
					   "KiB of address space are allowed; raise it with "
					   "'ulimit -v unlimited'"));
	}
}

TEST_CASE("surroundings: a too low limit of memory is named", "[once]")
{
	const std::string side = temporary("little-memory-side-effect");
	const rlim_t bytes = 1000 * 1024;
	const Run run = run_iotrace({ "--backend=bpf" }, { "touch", side },
				    limited(RLIMIT_DATA, bytes, bytes));

	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, Catch::Contains("Cannot allocate memory; 1000 KiB are allowed; raise "
					    "it with 'ulimit -d unlimited'"));
	CHECK(!exists(side));
}

/* An empty folder over a place of iotrace's own mounts. */
static Spawn hidden(const std::string &place)
{
	Spawn how;

	how.in_child = [=] {
		if (unshare(CLONE_NEWNS) ||
		    mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) ||
		    mount("none", place.c_str(), "tmpfs", 0, nullptr))
			_exit(99);
	};
	return how;
}

TEST_CASE("surroundings: without /sys, the missing file and the way to get it are named", "[once]")
{
	const struct {
		const char *place, *advice;
	} cases[] = {
		{ "/sys", "/sys is not mounted: 'mount -t sysfs sysfs /sys' brings it" },
		{ "/sys/kernel/btf", "something else is mounted over /sys/kernel/btf" },
	};

	for (const auto &c : cases) {
		const Run run = run_iotrace({ "--backend=bpf" }, { "true" }, hidden(c.place));
		const Run doctor = run_plain({ iotrace_path(), "doctor" }, hidden(c.place));

		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK_THAT(run.err, Catch::Contains("/sys/kernel/btf/vmlinux"));
		CHECK_THAT(run.err, Catch::Contains(c.advice));
		INFO(doctor);
		CHECK_THAT(
			doctor.out,
			Catch::Contains(std::string("BTF (/sys/kernel/btf/vmlinux): ") + c.advice));
		CHECK_THAT(doctor.out, !Catch::Contains("CONFIG_DEBUG_INFO_BTF"));
	}
}

TEST_CASE("surroundings: without /proc, capabilities are still known, and strace asks for it",
	  "[once]")
{
	const Run doctor = run_plain({ iotrace_path(), "doctor" }, hidden("/proc"));
	const Run run = run_iotrace({ "--backend=strace" }, { "true" }, hidden("/proc"));

	INFO(doctor);
	CHECK_THAT(doctor.out, Catch::Contains("  ok       CAP_BPF and CAP_PERFMON\n"));
	CHECK_THAT(doctor.out, Catch::Contains("missing  strace: strace needs /proc"));
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err,
		   Catch::Contains("/proc, which is not mounted: 'mount -t proc proc /proc' "
				   "brings it"));
}

TEST_CASE("surroundings: a report that reaches the file size limit is an error, and goes to stderr "
	  "instead")
{
	const std::string path = temporary("too-large.txt");
	/* The output goes through a pipe, which has no limit. */
	const Words shell = { "sh", "-c", "(ulimit -f 0; \"$@\"; echo \"status $?\") 2>&1 | cat",
			      "sh" };
	const Run run = run_plain(
		shell + iotrace_argv({ "-e", "write", "-o", path }, { "echo", "hi" }, nullptr));
	const Report shown = parse_report(run.out);

	INFO(run);
	CHECK_THAT(run.out, Catch::Contains("status 125\n"));
	CHECK_THAT(run.out, Catch::Contains("hi\n"));
	CHECK_THAT(run.out,
		   Catch::Contains("cannot write the report to '" + path + "': File too large"));
	CHECK(shown.calls("write") == 1);
	CHECK(contradictions(shown) == "");
	CHECK(!exists(path));
}

TEST_CASE("surroundings: a picture is whole, or the file size limit is named", "[once]")
{
	for (rlim_t bytes = 1024; bytes < 200000; bytes *= 2) {
		const std::string path = temporary("cut.svg");
		Spawn how = limited(RLIMIT_FSIZE, bytes, bytes);
		const Run run = run_plain({ iotrace_path(), "--overhead", "-o", "/dev/stdout",
					    "--plot", path, "--", "true" },
					  how);

		CAPTURE(bytes);
		INFO(run);
		CHECK_THAT(run.err, Catch::Contains("could not be measured: File too large; " +
						    std::to_string(bytes) + " bytes are allowed"));
		CHECK_THAT(run.err, !Catch::Contains("Input/output error"));
		/* The script is above the first limit, and the picture below the last. */
		CHECK((bytes > 1024 || run.end == "exit 125"));
		CHECK((bytes < 100000 || run.end == "exit 0"));
		if (run.end == "exit 0") {
			CHECK_THAT(read_file(path), Catch::EndsWith("</svg>\n\n"));
		} else {
			CHECK(run.end == "exit 125");
			CHECK(!exists(path));
			CHECK_THAT(run.err, Catch::Contains(path + "': "));
		}
		unlink(path.c_str());
	}
}

TEST_CASE("surroundings: the status of a failed command wins over a report that cannot be written")
{
	const Run run =
		run_plain(iotrace_argv({ "-o", "/dev/full" }, { "sh", "-c", "exit 3" }, nullptr));
	INFO(run);
	CHECK(run.end == "exit 3");
	CHECK_THAT(run.err, Catch::Contains("No space left on device"));
	CHECK(parse_report(run.err).accounted);
}

TEST_CASE("surroundings: if one of two reports could be written, none goes to stderr")
{
	const std::string path = temporary("beside.csv");
	const Run run =
		run_plain(iotrace_argv({ "-o", "/dev/full", "-o", path }, { "true" }, nullptr));
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, !Catch::Contains("usecs/call"));
	CHECK(exists(path));
}

TEST_CASE("surroundings: the command keeps its own disposition of SIGXFSZ")
{
	const Words command = { "sh", "-c", "grep SigIgn /proc/self/status" };

	CHECK(run_iotrace({}, command).out == run_plain(command).out);
	Spawn how = limited(RLIMIT_FSIZE, 0, 0);
	const Run killed = run_plain(
		iotrace_argv({ "-o", "/dev/null" },
			     { "dd", "if=/dev/zero", "of=" + temporary("nothing"), "count=1" },
			     nullptr),
		how);
	INFO(killed);
	CHECK(killed.end == "SIGXFSZ");
}
