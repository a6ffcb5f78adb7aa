// SPDX-License-Identifier: GPL-2.0
/*
 * Counts what iotrace has in the kernel, and checks that it all goes away. And builds against the
 * kernel's own types.
 */
#include "lib/one_run.hpp"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <linux/bpf.h>
#include <memory>
#include <sstream>
#include <sys/syscall.h>
#include <unistd.h>

namespace fs = std::filesystem;

/* The numbers of one BPF object, as /proc/PID/fdinfo has them: map_type, value_size, prog_id ... */
using Info = std::map<std::string, uint64_t>;

/* A command under iotrace that waits until it is told to end. */
struct Waiting {
	Pipe in, out;
	std::string report;
	std::unique_ptr<Process> iotrace;

	Waiting(const Words &options)
	{
		Spawn how;

		how.argv = iotrace_argv(options, { "sh", "-c", "echo ready; read x; exit 4" },
					&report);
		how.in = in.reader;
		how.out = out.writer;
		iotrace = std::make_unique<Process>(how);
		in.close_reader();
		out.close_writer();
		read_until(out.reader, "ready");
	}
	/* The objects that the process holds, each once. */
	std::vector<Info> objects() const
	{
		std::set<std::pair<std::string, uint64_t>> seen;
		std::vector<Info> found;

		for (const auto &file : fs::directory_iterator(
			     "/proc/" + std::to_string(iotrace->pid()) + "/fdinfo")) {
			std::istringstream lines(read_file(file.path().string()));
			Info info;

			for (std::string key, value; lines >> key && std::getline(lines, value);)
				if (value.find_first_not_of(" \t0123456789") == std::string::npos)
					info[key.substr(0, key.size() - 1)] =
						std::stoull("0" + value.substr(1));
			for (const char *kind : { "link_id", "map_id", "prog_id" }) {
				if (!info.count(kind))
					continue;
				if (seen.emplace(kind, info[kind]).second)
					found.push_back(info);
				break; // A link names its program, too.
			}
		}
		return found;
	}
};

static bool is_there(enum bpf_cmd command, uint64_t id)
{
	union bpf_attr attr = {};

	attr.prog_id = (uint32_t)id; // The id is at this place for all kinds.
	int fd = (int)syscall(SYS_bpf, command, &attr, sizeof(attr));
	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != ENOENT;
}

/* Counts the objects that still exist in the kernel. */
static int still_there(const std::vector<Info> &objects)
{
	int count = 0;

	for (const Info &object : objects) {
		if (object.count("link_id"))
			count += is_there(BPF_LINK_GET_FD_BY_ID, object.at("link_id"));
		else if (object.count("map_id"))
			count += is_there(BPF_MAP_GET_FD_BY_ID, object.at("map_id"));
		else
			count += is_there(BPF_PROG_GET_FD_BY_ID, object.at("prog_id"));
	}
	return count;
}

static int of_kind(const std::vector<Info> &objects, const std::string &kind)
{
	int count = 0;

	for (const Info &object : objects)
		count += (int)object.count(kind);
	return count;
}

/* The kernel releases them a little later than the process. */
static void check_gone(const std::vector<Info> &objects)
{
	CHECK(eventually([&] { return still_there(objects) == 0; }));
}

TEST_CASE("system: probes and maps go with iotrace")
{
	if (backend() != "bpf")
		SKIP_CASE("the strace backend has nothing in the kernel");
	for (int sig : { 0, SIGKILL, SIGTERM }) {
		Waiting w({ "-e", "all" });
		const std::vector<Info> objects = w.objects();

		CHECK(of_kind(objects, "map_id") >= 2);
		CHECK(of_kind(objects, "prog_id") >= 2);
		CHECK(of_kind(objects, "link_id") >= 2);
		CHECK(still_there(objects) == (int)objects.size());
		if (sig)
			w.iotrace->signal(sig);
		else
			write_all(w.in.writer, "go\n");
		CHECK(w.iotrace->wait() == (sig == SIGKILL   ? "SIGKILL"
					    : sig == SIGTERM ? "SIGTERM"
							     : "exit 4"));
		check_gone(objects);
	}
}

/* A second run after an iotrace that was killed: the figures contain nothing of the first. */
TEST_CASE("system: a killed iotrace does not spoil the next")
{
	Waiting killed({ "-e", "all" });

	killed.iotrace->signal(SIGKILL);
	killed.iotrace->wait();
	const Run run = run_iotrace({ "-e", "write" }, { "echo", "x" });
	INFO(run);
	CHECK(run.report.calls("write") == 1);
}

/* The part of all its maps that exists once for each CPU. */
static uint64_t bytes_per_cpu(const std::vector<Info> &objects)
{
	uint64_t sum = 0;

	for (const Info &object : objects) {
		if (!object.count("map_id"))
			continue;
		switch (object.at("map_type")) {
		case BPF_MAP_TYPE_PERCPU_HASH:
		case BPF_MAP_TYPE_PERCPU_ARRAY:
		case BPF_MAP_TYPE_LRU_PERCPU_HASH:
			sum += (object.at("value_size") + 7) / 8 * 8 * object.at("max_entries");
		}
	}
	return sum;
}

static uint64_t locked_bytes(const std::vector<Info> &objects)
{
	uint64_t sum = 0;

	for (const Info &object : objects)
		if (object.count("map_id"))
			sum += object.at("memlock");
	return sum;
}

/* The 4th figure of proc_loadavg(5), as in "0.20 0.18 0.12 1/80 11206". */
static uint64_t tasks_of_the_machine()
{
	const std::string line = read_file("/proc/loadavg");

	return std::stoull(line.substr(line.find('/') + 1));
}

TEST_CASE("system: kernel memory follows the calls selected")
{
	if (backend() != "bpf")
		SKIP_CASE("the strace backend has nothing in the kernel");
	const uint64_t nr_cpus = (uint64_t)sysconf(_SC_NPROCESSORS_CONF);
	/* There is room for twice the tasks that there are: a state, and a state with files. */
	const uint64_t now = 2 * tasks_of_the_machine(), state = 128, with_files = 2048;
	/* There are the states of 16384 tasks, and the slots of their stacks. */
	const uint64_t tasks = (5 << 19) + now * state;
	Waiting four({ "--no-files", "-e", "write,writev,openat,close" });
	Waiting all({ "--no-files", "-e", "trace=all" }), files({});
	const std::vector<Info> few = four.objects(), many = all.objects();

	CHECK(bytes_per_cpu(few) > 0);
	CHECK(bytes_per_cpu(few) < 80 << 10);
	CHECK(bytes_per_cpu(many) > bytes_per_cpu(few));
	CHECK(bytes_per_cpu(many) < 2 << 20);
	/* The kernel's own figure, which includes what is not per CPU and its book-keeping. */
	CHECK(locked_bytes(few) < nr_cpus * (80 << 10) + tasks + (256 << 10));
	CHECK(locked_bytes(many) < nr_cpus * (2 << 20) + tasks + (1 << 20));
	CHECK(locked_bytes(files.objects()) < (48 << 20) + now * with_files);
}

/* The children fixture: each child writes 3 times 2 bytes, and fails to close once. */
static void check_many_tasks()
{
	const Words set = { "-e", "write,close", "-U", "calls,errors,bytes,name" };

	for (const char *how : { "fork", "together", "chain", "orphans" }) {
		const Run run = run_iotrace(set, { fixture("children"), how, "300" });
		INFO(run);
		CHECK(run.report.calls("write") == 900);
		CHECK(run.report.errors("close") == 300);
		CHECK(run.report.in_flight == 0);
	}
	/* There is room for the files of one task: their parent. */
	const Run files = run_iotrace_to_stderr({ "-e", "write,close", "-y" },
						{ fixture("children"), "together", "300" });
	INFO(files);
	CHECK(files.report.calls("write") == 900);
	CHECK_THAT(files.err,
		   ContainsSubstring(
			   "1200 calls on files are among those of (other), for lack of room"));
	const Run threads = run_iotrace(set, { fixture("threads"), "200", "50" });
	INFO(threads);
	CHECK(threads.report.calls("write") == 200 * 50);
	CHECK(threads.report.errors("close") == 200 * 50);
}

TEST_CASE("system: a build against a generated vmlinux.h, with little room for tasks, counts the "
	  "same")
{
	if (backend() != "bpf")
		SKIP_CASE("the strace backend has no probes");
	const std::string header = temporary("vmlinux.h"), build = temporary("build");
	const Run dump = run_plain(
		{ "bpftool", "btf", "dump", "file", "/sys/kernel/btf/vmlinux", "format", "c" });
	REQUIRE(dump.end == "exit 0");
	write_file(header, dump.out);
	const Run made = run_plain({ "make", "-C", source_path(""), "VMLINUX_H=" + header,
				     "BPF_FLAGS=-DNR_STACKS=2", "CFLAGS=-O2 -DROOM_FOR_FILES=2",
				     "BUILD=" + build, build + "/iotrace" });
	INFO(made.out);
	INFO(made.err);
	REQUIRE(made.end == "exit 0");

	const std::string usual = iotrace_path();
	setenv("IOTRACE", (build + "/iotrace").c_str(), 1);
	for (const Words &each : { Words{ "sh", "-c", "ls /usr/include/linux; exit 3" },
				   Words{ fixture("mixed_abi") } }) {
		const OneRun run = count_both({ "-e", "all" }, each);
		INFO(run);
		CHECK(run.differences == "");
	}
	check_many_tasks();
	setenv("IOTRACE", usual.c_str(), 1);
}

TEST_CASE("system: without privilege it says what to do")
{
	if (backend() != "bpf")
		SKIP_CASE("the strace backend needs none");
	/* A place where an ordinary user can execute it, wherever the source tree is. */
	const std::string binary = temporary("iotrace-for-nobody");
	Spawn how;

	fs::copy_file(iotrace_path(), binary);
	how.in_child = [] {
		if (setgid(65534) || setuid(65534))
			_exit(97);
	};
	Words argv = iotrace_argv({}, { "echo", "has run" }, nullptr);
	argv[0] = binary;
	/* By default it would fall back to strace, if strace is installed. */
	if (!getenv("BACKEND") &&
	    run_plain({ binary, "--help" }).out.find("--backend") != std::string::npos)
		argv.insert(argv.begin() + 1, "--backend=bpf");
	const Run run = run_plain(argv, how);
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, ContainsSubstring("sudo"));
	CHECK(run.out == "");
}
