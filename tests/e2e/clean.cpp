// SPDX-License-Identifier: GPL-2.0
/*
 * However iotrace ends, nothing of it is left: no probe, no map, nothing pinned, no process, no
 * file.
 */
#include "lib/live.hpp"

#include <filesystem>
#include <fstream>
#include <linux/bpf.h>
#include <sstream>
#include <cstring>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

/* BPF objects by kind and id: "link_id", 12. */
using Objects = std::set<std::pair<std::string, uint32_t>>;

static Objects in_kernel()
{
	static const std::pair<const char *, bpf_cmd> kinds[] = {
		{ "prog_id", BPF_PROG_GET_NEXT_ID },
		{ "map_id", BPF_MAP_GET_NEXT_ID },
		{ "link_id", BPF_LINK_GET_NEXT_ID },
	};
	Objects found;

	for (const auto &[name, command] : kinds) {
		bpf_attr attr = {};

		while (syscall(SYS_bpf, command, &attr, sizeof(attr)) == 0) {
			found.emplace(name, attr.next_id);
			attr.start_id = attr.next_id;
		}
	}
	return found;
}

/*
 * BPF objects that any process holds by a descriptor: other programs may use BPF at the same time.
 */
static Objects held()
{
	std::error_code gone;
	Objects found;

	for (const auto &process : fs::directory_iterator("/proc", gone)) {
		const std::string pid = process.path().filename().string();

		if (!isdigit(pid[0]))
			continue;
		for (fs::directory_iterator file("/proc/" + pid + "/fdinfo", gone), end;
		     !gone && file != end; file.increment(gone)) {
			std::istringstream text(read_file(file->path().string()));
			uint32_t id;

			for (std::string line; std::getline(text, line);)
				for (const char *kind : { "prog_id", "map_id", "link_id" })
					if (line.find(std::string(kind) + ":") == 0) {
						std::istringstream(
							line.substr(line.find(':') + 1)) >>
							id;
						found.emplace(kind, id);
					}
		}
	}
	return found;
}

/* Paths of all that is in a directory and below. */
static std::set<std::string> files_in(const std::string &directory)
{
	std::set<std::string> found;
	std::error_code ignored;

	for (const auto &file : fs::recursive_directory_iterator(directory, ignored))
		found.insert(file.path().string());
	return found;
}

/*
 * Notes what exists before; checks at the end that nothing was added, except the files that were
 * named.
 */
class Before
{
	const Objects objects = in_kernel();
	const std::set<std::string> pinned = files_in("/sys/fs/bpf");
	std::set<std::string> files;

public:
	const std::string directory = temporary("clean");

	Before()
	{
		fs::create_directory(directory);
		files = files_in(directory);
	}
	/* The kernel objects that are new and that no process holds. */
	Objects leaked() const
	{
		Objects left;
		const Objects now = in_kernel(), owned = held();

		for (const auto &object : now)
			if (!objects.count(object) && !owned.count(object))
				left.insert(object);
		return left;
	}
	void check(const std::set<std::string> &named = {}) const
	{
		std::set<std::string> expected = files;

		for (const std::string &name : named)
			expected.insert(directory + "/" + name);
		CHECK(eventually([&] { return leaked().empty(); }));
		CHECK(files_in("/sys/fs/bpf") == pinned);
		CHECK(files_in(directory) == expected);
		for (const std::string &name : named)
			fs::remove(directory + "/" + name);
		/*
		 * Processes that it left behind are now our children; they end if they have nothing
		 * to do.
		 */
		CHECK(eventually([] {
			while (waitpid(-1, nullptr, WNOHANG) > 0)
				;
			return read_file("/proc/thread-self/children").empty();
		}));
	}
};

TEST_CASE("clean: nothing remains after a run, however it ends")
{
	const Before before;
	const std::string report = before.directory + "/report";
	const struct {
		Words options, command;
		std::string end;
		bool reported;
	} cases[] = {
		{ {}, { "true" }, "exit 0", true },
		{ {}, { "sh", "-c", "exit 9" }, "exit 9", true },
		{ {}, { "sh", "-c", "kill -9 $$" }, "SIGKILL", true },
		{ { "-e", "all" }, { fixture("children"), "orphans", "20" }, "exit 0", true },
		{ { "--duration", "0.01" }, { "sleep", "0.2" }, "exit 0", true },
		{ { "--interval", "0.01" }, { "sleep", "0.1" }, "exit 0", true },
		{ {}, { "/nonexistent/command" }, "exit 127", false },
		{ {}, { "/etc/passwd" }, "exit 126", false },
		{ { "--nonsense" }, { "true" }, "exit 125", false },
		{ { "-e", "nosuchcall" }, { "true" }, "exit 125", false },
		{ { "-p", "1", "-a" }, {}, "exit 125", false },
		{ { "-p", "4194304" }, {}, "exit 125", false },
		{ { "--help" }, {}, "exit 0", false },
	};

	for (const auto &c : cases) {
		Words argv = iotrace_argv(c.options + Words{ "-o", report }, c.command, nullptr);
		const Run run = run_plain(argv);
		INFO(run);
		CHECK(run.end == c.end);
		CHECK(exists(report) == c.reported);
		before.check(c.reported ? std::set<std::string>{ "report" }
					: std::set<std::string>{});
	}
	/* The execve fails after everything has been set up. */
	const std::string broken = temporary("broken");
	write_file(broken, "#!/nonexistent/interpreter\n");
	REQUIRE(chmod(broken.c_str(), 0755) == 0);
	const Run run = run_plain(iotrace_argv({ "-o", report }, { broken }, nullptr));
	INFO(run);
	CHECK((run.end == "exit 126" || run.end == "exit 127"));
	before.check();
}

TEST_CASE("clean: nothing remains after a signal to a run of a command")
{
	const Before before;

	for (int sig : { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGKILL, SIGSEGV, SIGABRT }) {
		const bool own_end = sig == SIGKILL || sig == SIGSEGV || sig == SIGABRT;
		INFO(strsignal(sig));
		{
			Pipe in, out;
			Spawn how;

			/* A core file, if there is one, is allowed. */
			how.argv = iotrace_argv({ "-o", before.directory + "/report" },
						{ "sh", "-c", "echo ready; read x" }, nullptr);
			how.in = in.reader;
			how.out = out.writer;
			how.directory = temporary("");
			Process iotrace(how);
			in.close_reader();
			out.close_writer();
			read_until(out.reader, "ready");
			iotrace.signal(sig);
			in.close_writer();
			const std::string end = iotrace.wait();
			CHECK(end != "exit 125");
			/* The command goes on until it reads the end of the file. */
			if (own_end) {
				std::istringstream pids(read_file("/proc/thread-self/children"));
				for (pid_t pid; pids >> pid;)
					wait_for_orphan(pid);
			}
		}
		before.check(own_end ? std::set<std::string>{} : std::set<std::string>{ "report" });
	}
}

TEST_CASE("clean: nothing remains after a signal to a run of others")
{
	BPF_ONLY("strace cannot trace a whole system");
	const Before before;

	for (int sig : { SIGINT, SIGTERM, SIGKILL, SIGSEGV }) {
		for (const Words &scope :
		     { Words{ "-a" }, Words{ "-a", "-e", "all", "--interval", "0.01" } }) {
			INFO(strsignal(sig));
			Spawn how;
			const bool reported = sig == SIGINT || sig == SIGTERM;
			{
				how.argv = iotrace_argv(
					scope + Words{ "-o", before.directory + "/report" }, {},
					nullptr);
				Watch watch({}, {}, how);
				watch.process().signal(sig);
				CHECK(watch.process().wait() == (reported	  ? "exit 0"
								 : sig == SIGKILL ? "SIGKILL"
										  : "SIGSEGV"));
			}
			/* Intervals are written as they end. */
			before.check(reported || scope.size() > 1
					     ? std::set<std::string>{ "report" }
					     : std::set<std::string>{});
		}
	}
}
