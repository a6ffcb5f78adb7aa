// SPDX-License-Identifier: GPL-2.0
/* The names of code that come from elsewhere: of a capture, later, and of stripped programs. */
#include "lib/files.hpp"
#include "lib/iotrace.hpp"
#include "lib/stacks.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

static const Words whole_chain = { "write_line", "inlined", "lines", "main" };

// Makes "stripped" of lines.c, its debug information in "debug", and "lines" with both.
static void make_stripped()
{
	must_run({ "rm", "-f", "stripped" }); // It may be a fifo.
	compiled("lines", { "gcc", "-O2" });
	must_run({ "objcopy", "--only-keep-debug", "lines", "debug" });
	must_run({ "objcopy", "--strip-all", "lines", "stripped" });
}

// Puts the file "debug" where it is found by its build id, below a folder of the tests' folder.
static void store_by_build_id(const std::string &folder, const std::string &before,
			      const std::string &separator, const std::string &after)
{
	must_run({ "sh", "-c",
		   "id=$(readelf -n debug | sed -n 's/.*Build ID: //p') && rest=${id#??} && "
		   "name=" +
			   before + "${id%\"$rest\"}" + separator + "$rest" + after +
			   " && mkdir -p \"$(dirname \"" + folder + "/$name\")\" && cp debug \"" +
			   folder + "/$name\"" });
}

static std::string reported(Words command = {})
{
	command.insert(command.end(), { iotrace_path(), "report", temporary("capture.json"), "-o",
					temporary("again.json"), "-o", "/dev/stderr" });
	INFO(must_run(command));
	return frames_in(temporary("again.json"));
}

TEST_CASE("stacks later: report names the code of a capture by the program with debug information",
	  "[once]")
{
	make_stripped();
	CHECK(frames_told({ "./stripped", temporary("out") }).find("null:null") == 0);
	CHECK(reported().find("null:null") == 0);
	must_run({ "mv", "lines", "stripped" });
	CHECK(reported() == frames(whole_chain));
	CHECK(jq(".findings[0].sites[0].frames | map(.inlined)", temporary("again.json")) ==
	      "[false,true,false,false]");
}

TEST_CASE("stacks later: report takes no names from another program, nor from what is none",
	  "[once]")
{
	make_stripped();
	frames_told({ "./stripped", temporary("out") });
	compiled("stripped", { "gcc", "-O1" });
	CHECK(reported().find("null:null") == 0);
	write_file(temporary("stripped"), "\177ELF");
	CHECK(reported().find("null:null") == 0);
	must_run({ "rm", "stripped" });
	must_run({ "mkfifo", "stripped" });
	CHECK(reported().find("null:null") == 0);
}

TEST_CASE("stacks later: report finds debug information by build id, where systems store it",
	  "[once]")
{
	NEED_PROGRAM("bwrap");
	make_stripped();
	frames_told({ "./stripped", temporary("out") });
	must_run({ "rm", "stripped" });
	store_by_build_id("store", ".build-id/", "/", ".debug");
	CHECK(reported({ "bwrap", "--dev-bind", "/", "/", "--bind", temporary("store"),
			 "/usr/lib/debug" }) == frames(whole_chain));
}

TEST_CASE("stacks later: a run and a report ask debuginfod if DEBUGINFOD_URLS is set", "[once]")
{
	const Words server = { "env", "DEBUGINFOD_URLS=file://" + temporary("server"),
			       "DEBUGINFOD_CACHE_PATH=" + temporary("cache") };

	make_stripped();
	CHECK(frames_told({ "./stripped", temporary("out") }).find("null:null") == 0);
	store_by_build_id("server", "buildid/", "", "/debuginfo");
	CHECK(reported(server) == frames(whole_chain));
	Words run = server;
	for (const std::string &word :
	     iotrace_argv({ "--format=json", "-o", temporary("capture.json") },
			  { "./stripped", temporary("out") }, nullptr))
		run.push_back(word);
	must_run(run);
	CHECK(frames_in(temporary("capture.json")) == frames(whole_chain));
}

TEST_CASE("stacks later: what brings the lines of a program without them is told", "[once]")
{
	NEED_PROGRAM("dpkg");
	const std::string out = temporary("out");

	make_stripped();
	std::string text =
		must_run(iotrace_argv({ "-o", "/dev/stderr" }, { "./stripped", out }, nullptr));
	CHECK_THAT(text, ContainsSubstring("\n        stripped: no lines are known; build it with "
					   "-g, or set DEBUGINFOD_URLS.\n"));
	// dd is stripped, as all programs of Debian's are.
	text = must_run(
		iotrace_argv({ "-e", "all", "-o", "/dev/stderr", "-o", temporary("capture.json") },
			     { "dd", "if=/dev/zero", "of=" + out, "bs=1", "count=9000" }, nullptr));
	CHECK_THAT(text, ContainsSubstring("\n        dd: no lines are known; install "
					   "coreutils-dbgsym, or set DEBUGINFOD_URLS.\n"));
	CHECK(jq("[.findings[0].sites[0].frames[0].package]", temporary("capture.json")) ==
	      "[\"coreutils-dbgsym\"]");
}

TEST_CASE("stacks later: without libdw everything else works, and what is missing is said",
	  "[once]")
{
	const std::string build = iotrace_path() + "-without-libdw", out = temporary("out");
	const std::string capture = temporary("capture.json"),
			  program = compiled("lines", { "gcc" });
	const std::string why = "iotrace was built without libdw (elfutils)";

	CHECK(must_run({ build, "--backend=bpf", "-o", capture, "--", program, out }) == "");
	CHECK(jq("[.findings[0].id, .findings[0].calls, .stacks]", capture) ==
	      "[\"flush-per-line\",3000,null]");
	CHECK_THAT(
		must_run({ build, "--backend=bpf", "--stacks", "-o", capture, "--", program, out }),
		ContainsSubstring("which lines of code calls come from is not known: " + why));
	CHECK_THAT(run_plain({ build, "doctor" }).out, ContainsSubstring(why));
	CHECK_THAT(run_plain({ build, "--help" }).out,
		   ContainsSubstring("(lines need libdw, which this build"));
	CHECK_THAT(run_plain({ iotrace_path(), "--help" }).out, !ContainsSubstring("libdw"));
	// strace names functions, and iotrace would name the lines.
	must_run(
		{ build, "--backend=strace", "-q", "--stacks", "-o", capture, "--", program, out });
	CHECK(jq("[.findings[0].sites[0].frames | map(.function) | join(\" \")]", capture) ==
	      "[\"write_line lines main\"]");
	frames_told({ program, out });
	must_run({ build, "report", capture, "-o", temporary("again.json") });
	CHECK(jq(".findings", temporary("again.json")) == jq(".findings", capture));
}

TEST_CASE("stacks later: what a capture does not have is not reported as nothing", "[once]")
{
	const std::string out = temporary("out"), program = compiled("lines", { "gcc", "-O2" });
	const std::string capture = temporary("capture.json"), folded = temporary("a.folded");
	const struct {
		Words run, report;
		const char *message; // NULL: it is reported.
	} ways[] = {
		{ { "--no-stacks" }, { "-o", folded }, "has no stacks" },
		{ { "--no-files" }, { "--stacks" }, "has no stacks" },
		{ { "--no-latency" }, { "-o", folded, "--weight=time" }, "has no latencies" },
		{ { "--no-latency" }, { "-o", folded, "--weight=bytes" }, nullptr },
	};

	for (const auto &way : ways) {
		Words run = way.run, report = { iotrace_path(), "report", capture };

		INFO(way.run[0]);
		run.insert(run.end(), { "-o", capture });
		must_run(iotrace_argv(run, { program, out }, nullptr));
		report.insert(report.end(), way.report.begin(), way.report.end());
		const Run reported = run_plain(report);
		CHECK(reported.end == (way.message ? "exit 125" : "exit 0"));
		CHECK_THAT(reported.err, ContainsSubstring(way.message ? way.message : ""));
		CHECK((access(folded.c_str(), F_OK) == 0) == !way.message);
	}
	must_run(iotrace_argv({ "--no-stacks", "-o", capture }, { program, out }, nullptr));
	for (const char *option : { "--stacks", "--section=stacks" }) {
		const Run compared =
			run_plain({ iotrace_path(), "compare", option, capture, capture });

		CHECK(compared.end == "exit 125");
		CHECK(compared.out == "");
		CHECK_THAT(compared.err, ContainsSubstring("has no stacks"));
	}
}

TEST_CASE("stacks later: options that would have nothing to show are refused", "[once]")
{
	const struct {
		Words options;
		const char *message;
	} ways[] = {
		{ { "--section=stacks", "--no-stacks" }, "exclude --section=stacks" },
		{ { "--section=stacks", "--no-files" }, "exclude --section=stacks" },
		{ { "--weight=bytes" }, "add -o FILE.folded" },
	};

	for (const auto &way : ways) {
		const Run run = run_plain(iotrace_argv(way.options, { "true" }, nullptr));

		INFO(way.options[0]);
		CHECK(run.end == "exit 125");
		CHECK_THAT(run.err, ContainsSubstring(way.message));
	}
}

TEST_CASE("stacks later: debug information beside a program is found, whatever servers there are",
	  "[once]")
{
	make_stripped();
	frames_told({ "./stripped", temporary("out") });
	must_run({ "cp", "debug", "stripped.debug" });
	CHECK(reported() == frames(whole_chain));
	CHECK(reported({ "env", "DEBUGINFOD_URLS=file:///nowhere" }) == frames(whole_chain));
	must_run({ "rm", "stripped.debug" });
}

// A server that takes connections, and never says anything.
class SilentServer
{
	int fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

public:
	SilentServer()
	{
		sockaddr_in any = {};

		any.sin_family = AF_INET;
		any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		REQUIRE(bind(fd_, (const sockaddr *)&any, sizeof(any)) == 0);
		REQUIRE(listen(fd_, 16) == 0);
	}
	SilentServer(const SilentServer &) = delete;
	~SilentServer()
	{
		close(fd_);
	}
	std::string url() const
	{
		sockaddr_in own = {};
		socklen_t size = sizeof(own);

		getsockname(fd_, (sockaddr *)&own, &size);
		return "http://127.0.0.1:" + std::to_string(ntohs(own.sin_port));
	}
	// Waits until it is asked. Returns the connection, to be closed.
	int asked() const
	{
		pollfd fd = { fd_, POLLIN, 0 };

		REQUIRE(poll(&fd, 1, 20000) == 1);
		return accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
	}
};

TEST_CASE("stacks later: a server that does not answer costs no report", "[once]")
{
	const SilentServer server;
	const struct {
		int signal; // 0: none is sent.
		const char *note;
	} ways[] = { { 0, "no server has answered for 10 s" }, { SIGTERM, "a signal came" } };

	make_stripped();
	for (const auto &way : ways) {
		Spawn how;

		INFO(way.note);
		how.argv = iotrace_argv({ "-o", "/dev/stderr" }, { "./stripped", temporary("out") },
					nullptr);
		how.directory = temporary("");
		how.env = { "DEBUGINFOD_URLS=" + server.url(),
			    "DEBUGINFOD_CACHE_PATH=" + temporary("cache") + way.note };
		const auto begin = std::chrono::steady_clock::now();
		Process iotrace(how);
		const int connection = server.asked();
		CHECK(connection >= 0);
		if (way.signal)
			iotrace.signal(way.signal);
		CHECK(iotrace.wait() == "exit 0");
		CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
		CHECK_THAT(iotrace.err(), ContainsSubstring(way.note));
		CHECK_THAT(iotrace.err(), ContainsSubstring("flush-per-line"));
		close(connection);
	}
}
