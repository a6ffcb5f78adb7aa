// SPDX-License-Identifier: GPL-2.0
/*
 * The probes' size: the instructions that are left of each program after the verifier has removed
 * what the options turn off, and the instructions that it went through to prove them safe.
 * golden/verifier.txt records them, so that the cost of a change is seen beside it.
 *
 * Compilers and kernels differ a little: up to a tenth more than recorded passes, less always
 * passes.
 *
 * RECORD=1 writes the record anew, and the milliseconds that each program's load took, of which
 * nothing is demanded (`make bench-programs` has made what takes them); commit it with the change
 * that is the cause.
 */
#include "lib/iotrace.hpp"

#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <fstream>
#include <iomanip>
#include <linux/bpf.h>
#include <sstream>
#include <sys/syscall.h>
#include <unistd.h>

static const char record_path[] = "tests/golden/verifier.txt";

struct Size {
	unsigned long instructions = 0, verified = 0;
	double load_ms = 0;
};

/* Sizes by mode and program. */
using Sizes = std::map<std::pair<std::string, std::string>, Size>;

/* The numbers after this word in the fdinfo of a process's descriptors. */
static std::set<unsigned> in_fdinfo(pid_t pid, const std::string &word)
{
	std::string directory = "/proc/" + std::to_string(pid) + "/fdinfo/";
	std::set<unsigned> found;
	DIR *d = opendir(directory.c_str());

	while (const dirent *entry = d ? readdir(d) : nullptr) {
		std::istringstream text(read_file(directory + entry->d_name));
		std::string name;
		unsigned value;

		for (std::string line; std::getline(text, line);) {
			std::istringstream words(line);

			if (words >> name >> value && name == word)
				found.insert(value);
		}
	}
	if (d)
		closedir(d);
	return found;
}

static bool program_info(unsigned id, bpf_prog_info &info)
{
	bpf_attr attr = {};
	int fd;

	attr.prog_id = id;
	fd = syscall(SYS_bpf, BPF_PROG_GET_FD_BY_ID, &attr, sizeof(attr));
	if (fd < 0)
		return false;
	attr = {};
	attr.info.bpf_fd = fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = reinterpret_cast<__u64>(&info);
	bool fine = syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)) == 0;
	close(fd);
	return fine;
}

/* Notes how long each of iotrace's calls of bpf(2) takes (tests/bench/starting.c). */
static std::string stopwatch()
{
	const std::string iotrace = iotrace_argv({}, {}, nullptr).front();

	return iotrace.substr(0, iotrace.rfind('/')) + "/bench/starting.so";
}

/* Adds how long the programs' loads took. */
static void read_load_times(const std::string &log, const std::string &mode, Sizes &sizes)
{
	std::istringstream lines(read_file(log));
	std::string process, what, name;
	double start, end;

	while (lines >> process >> what >> name >> start >> end) {
		const auto size = sizes.find({ mode, name });

		if (what == "load" && size != sizes.end())
			size->second.load_ms = (end - start) / 1e6;
	}
}

/* The programs of a running iotrace. */
static void measure(const std::string &mode, const Words &options, bool command, Sizes &sizes)
{
	Pipe input;
	Spawn spawn;
	std::string report;

	spawn.argv = iotrace_argv(options, command ? Words{ "cat" } : Words{}, &report);
	spawn.in = input.reader;
	const std::string log = temporary("starting.log");
	const bool record = std::getenv("RECORD");
	if (record) {
		REQUIRE(exists(stopwatch()));
		spawn.env = { "LD_PRELOAD=" + stopwatch(), "STARTING_LOG=" + log };
	}
	Process process(spawn);
	/* Programs are attached after all of them have been loaded. */
	REQUIRE(eventually([&] { return !in_fdinfo(process.pid(), "link_id:").empty(); }));
	for (unsigned id : in_fdinfo(process.pid(), "prog_id:")) {
		bpf_prog_info info = {};

		REQUIRE(program_info(id, info));
		sizes[{ mode, info.name }] = { info.xlated_prog_len / 8, info.verified_insns };
	}
	input.close_writer();
	if (!command)
		process.signal(SIGINT);
	process.wait();
	if (record)
		read_load_times(log, mode, sizes);
}

static Sizes read_record()
{
	std::ifstream file(source_path(record_path));
	std::string line, mode, program;
	Sizes sizes;

	while (std::getline(file, line)) {
		std::istringstream words(line);
		Size size;

		if (line[0] != '#' &&
		    words >> mode >> program >> size.instructions >> size.verified >> size.load_ms)
			sizes[{ mode, program }] = size;
	}
	return sizes;
}

static void write_record(const Sizes &sizes)
{
	std::ofstream file(source_path(record_path));

	file << "# mode, program, instructions, instructions that the verifier went through, ms of "
		"its load; by RECORD=1 of e2e/verifier.cpp\n"
	     << std::fixed << std::setprecision(1);
	for (const auto &[key, size] : sizes)
		file << key.first << ' ' << key.second << ' ' << size.instructions << ' '
		     << size.verified << ' ' << size.load_ms << '\n';
}

static std::string compared(const char *what, unsigned long now, unsigned long recorded)
{
	if (now <= recorded + recorded / 10 + 2)
		return "";
	return std::string(what) + " " + std::to_string(now) + ", recorded " +
	       std::to_string(recorded) + "; ";
}

TEST_CASE("verifier: the probes are no larger than recorded")
{
	Sizes sizes, record = read_record();
	std::string larger;

	if (backend() != "bpf")
		SKIP_CASE("the strace backend has no probes");
	measure("plain", { "--no-files" }, true, sizes);
	measure("files", {}, true, sizes);
	measure("no-latency", { "--no-files", "--no-latency" }, true, sizes);
	measure("trace=all", { "--no-files", "-e", "trace=all" }, true, sizes);
	measure("cpu", { "--no-files", "--cpu" }, true, sizes);
	measure("system", { "--no-files", "-a" }, false, sizes);
	measure("system-files", { "-a" }, false, sizes);
	if (std::getenv("RECORD"))
		write_record(record = sizes);
	for (const auto &[key, size] : sizes) {
		auto recorded = record.find(key);
		std::string more = recorded == record.end()
					   ? "not recorded"
					   : compared("instructions", size.instructions,
						      recorded->second.instructions) +
						     compared("verified", size.verified,
							      recorded->second.verified);

		if (!more.empty())
			larger += key.first + ", " + key.second + ": " + more + "\n";
	}
	INFO(larger);
	CHECK(larger.empty());
}
