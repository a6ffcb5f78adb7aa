// SPDX-License-Identifier: GPL-2.0
/* -y: which files the calls are about. */
#include "lib/live.hpp"

/*
 * The calls and bytes of each syscall are the sum over all files. sync(), and what makes processes,
 * is about none, and so are looks at a path that exists.
 */
static void check_sums(const std::string &capture)
{
	const std::string on_files =
		" | test(\"^(sync$|v?fork$|clone|access|stat|newfstatat|readlink|getcwd|mkdir)\") | "
		"not)";

	for (const char *figure : { "calls", "errors", "bytes" }) {
		const std::string key = figure;

		CAPTURE(key);
		CHECK(jq("[.syscalls[] | select(.name" + on_files + " | {key: .name, value: ." +
				 key + "}] | from_entries",
			 capture) ==
		      jq("[.files | map(select(.syscall" + on_files +
				 ") | group_by(.nr) | .[] | {key: .[0].syscall, value: (map(." +
				 key +
				 ") | if .[0] == null then null else add end)}] | from_entries",
			 capture));
	}
	/* All users of a file that are listed have made all calls on it. */
	CHECK(jq("[.files | map(select(.more_users == 0 and .kind != \"other\" and .kind != "
		 "\"invalid\")) | group_by(.file)[] | select((map(.calls) | add) != (.[0].users | "
		 "map(.calls) | add)) | {path: .[0].path, users: .[0].users}]",
		 capture) == "[]");
}

/* Four processes at the same time make this many files each, in folders of their own. */
static const char creators[] =
	"for c in 1 2 3 4; do (mkdir -p $0/$c; i=0; while [ $i -lt $1 ]; do echo x > $0/$c/$i; "
	"i=$((i + 1)); done) & done; wait";

TEST_CASE("files: the sum over the files is the summary, however many files there are")
{
	const std::string capture = temporary("creators.json");

	const int each = backend() == "bpf" ? 20000 : 3000;

	for (const Words &options : { Words{}, Words{ "--max-files=100" } }) {
		const Folder folder;
		const Run run = run_with_files(
			options, { "sh", "-c", creators, folder / "", std::to_string(each) },
			capture);

		CHECK(run.end == "exit 0");
		CHECK(jq("[.syscalls[] | select(.name == \"write\") | .calls]", capture) ==
		      "[" + std::to_string(4 * each) + "]");
		CHECK(jq("[.files[] | select(.path == \"(other)\" and .syscall == \"write\") | "
			 ".calls > " +
				 std::to_string(4 * each - 10000) + "]",
			 capture) == "[true]");
		check_sums(capture);
		check_replay(capture);
	}
}

/* The calls of a syscall that are those of a file's row, and those of (other). */
static std::string placed_and_not(const std::string &syscall, const std::string &folder,
				  const std::string &capture)
{
	const std::string of_syscall = ".files[] | select(.syscall == \"" + syscall + "\" and ";

	return jq("[([" + of_syscall + "(.path | startswith(\"" + folder +
			  "\"))) | .calls] | add // 0), ([" + of_syscall +
			  ".path == \"(other)\") | .calls] | add // 0)]",
		  capture);
}

TEST_CASE("files: as many files as --max-files says have rows, and what has none is told")
{
	const std::string capture = temporary("many_files.json");
	const Words set = { "-e", "openat,write,writev,pwrite64,lseek,read,pread64,/fstat,close" };
	/* The other rows are those of the libraries, and of their list. */
	const auto rows = [&](const std::string &files, const std::string &limit) {
		const Folder folder;
		const Run run =
			run_with_files(set + Words{ "--max-files=" + limit },
				       { fixture("many_files"), folder / "", files }, capture);
		INFO(run);
		CHECK(run.end == "exit 0");
		CHECK(jq("[.syscalls[] | select(.name == \"pwrite64\").calls]", capture) ==
		      "[" + files + "]");
		check_sums(capture);
		check_replay(capture);
		for (const char *call : { "openat", "write", "writev", "pwrite64", "pread64" }) {
			CAPTURE(call);
			CHECK(placed_and_not(call, folder / "", capture) ==
			      placed_and_not("lseek", folder / "", capture));
		}
		return placed_and_not("lseek", folder / "", capture);
	};

	CHECK(rows("1", "100") == "[1,0]");
	/* With eBPF, executables have rows, too. */
	const int others = std::stoi(jq("[.files[].file] | unique | length - 1", capture));
	const int room = 3000 + others + (backend() == "bpf");
	CHECK(rows("3000", std::to_string(room)) == "[3000,0]");
	CHECK(jq(".files_missing.calls", capture) == "0");
	CHECK(rows("3000", std::to_string(room - 1)) == "[2999,1]");
	CHECK(jq(".files_missing.calls", capture) == "9");
	const std::string report = run_plain({ iotrace_path(), "report", capture }).out;
	CHECK_THAT(report,
		   ContainsSubstring("\n9 calls on files are among those of (other), for lack of "
				     "room (see --max-files)\n"));
	for (const char *format : { "markdown", "asciidoc", "latex" }) {
		CAPTURE(format);
		const std::string written =
			run_plain({ iotrace_path(), "report", capture, "--format", format }).out;
		const std::string rest =
			written.substr(std::min(written.size(), written.find("lack of room")));
		CHECK_THAT(rest.substr(0, 200), Catch::Matchers::Matches("[^]*\\b9\\b[^]*"));
	}
}

TEST_CASE("files: programs that there is no room for are among those that were busy")
{
	if (backend() != "bpf")
		SKIP_CASE("strace does not tell who was busy");
	const std::string capture = temporary("busy.json");
	const auto busy_calls = [&](const std::string &limit) {
		const Run run = run_with_files(
			{ "--max-files=" + limit },
			{ "sh", "-c",
			  "i=0; while [ $i -lt 1500 ]; do /bin/true; i=$((i + 1)); done" },
			capture);

		INFO(run);
		CHECK(run.end == "exit 0");
		return std::stod(jq(".busy.run_calls", capture));
	};
	/* Now and then a call sleeps, and is none of these. */
	CHECK(busy_calls("1") == Approx(busy_calls("8192")).epsilon(0.01));
}

TEST_CASE("files: a git clone's calls are all in a row, and its capture prints the same")
{
	const std::string capture = temporary("clone.json");
	const Folder folder;

	folder.run("git init -q a; cd a; for i in $(seq 500); do echo $i > file$i; done; git add .;"
		   "git -c user.name=a -c user.email=a@b commit -q -m all");
	const Run run =
		run_with_files({ "-e", "openat,read,write,close,pread64,pwrite64" },
			       { "git", "clone", "-q", folder / "a", folder / "b" }, capture);
	CHECK(run.end == "exit 0");
	CHECK(jq("[.files[].file] | unique | length > 500", capture) == "true");
	CHECK(jq("[.files[] | select(.path == \"(other)\")]", capture) == "[]");
	check_sums(capture);
	check_replay(capture);
}

// dash makes no call that is traced between fork and exec, and bash does.
TEST_CASE("files: a program that a shell starts has its own language", "[once]")
{
	const std::string out = temporary("lines.txt"), capture = temporary("language.json");
	const std::string command = "./workloads/endl_loop -n 500 -o " + out + "; true";

	for (const char *shell : { "dash", "bash" })
		for (const char *set : { "%output", "all", "write" }) {
			const Run run =
				run_with_files({ "-e", set }, { shell, "-c", command }, capture);
			INFO(shell << " -e " << set << ": " << run);
			CHECK(run.end == "exit 0");
			CHECK(jq("[.files[] | select(.path == \"" + out +
					 "\") | .language] | unique",
				 capture) == "[\"C++\"]");
		}
}

TEST_CASE("files: a finding is in the capture as it is in the report")
{
	const std::string capture = temporary("finding.json"), out = temporary("1.txt");
	const Run run =
		run_with_files({}, { "./workloads/endl_loop", "-n", "5000", "-o", out }, capture);
	INFO(run);

	CHECK(run.end == "exit 0");
	CHECK(jq("[.findings[] | [.id, .path, .kind, .calls, .predicted_calls]]", capture) ==
	      "[[\"flush-per-line\",\"" + out + "\",\"regular\",5000,5]]");
	CHECK(jq("[.files[] | select(.path == \"" + out +
			 "\" and .syscall == \"write\") | [.calls, .errors, .bytes, "
			 ".newline_share, .opens, .users[0].comm]]",
		 capture) == "[[5000,0,20000,1,1,\"endl_loop\"]]");
	CHECK_THAT(read_file(capture + ".txt"), ContainsSubstring(": flush-per-line  /"));
	CHECK_THAT(read_file(capture + ".txt"), ContainsSubstring("/1.txt\n"));
	check_sums(capture);
	check_replay(capture);
}

TEST_CASE("files: a run without options ends with its finding, and report prints the same")
{
	const std::string capture = temporary("plain.json"), text = temporary("plain.txt");
	const std::string out = temporary("1.txt");
	const Run run = run_iotrace({ "-o", capture, "-o", text },
				    { "sh", "-c", "exec ./workloads/endl_loop -n 5000 > " + out });
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK_THAT(read_file(text), ContainsSubstring("/1.txt\n"));
	CHECK_THAT(read_file(text), !ContainsSubstring("libc.so"));

	const Run again = run_plain({ iotrace_path(), "report", capture });
	INFO(again);
	CHECK(again.out == read_file(text));
}

TEST_CASE("files: --no-files measures none and reports none")
{
	const std::string capture = temporary("none.json"), out = temporary("2.txt");
	const Run run = run_iotrace({ "--no-files", "-o", capture, "-o", temporary("none.txt") },
				    { "./workloads/endl_loop", "-n", "5000", "-o", out });
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(jq("[.files, .findings]", capture) == "[null,null]");
	CHECK_THAT(read_file(temporary("none.txt")), !ContainsSubstring("/2.txt\n"));
}

/* The part of a report with intervals that begins with the nth "elapsed". "": there are fewer. */
static std::string interval_of(const std::string &report, int n)
{
	size_t begin = 0;

	for (int i = 0; i < n && begin != std::string::npos; i++)
		begin = report.find("elapsed ", begin + 1);
	if (begin == std::string::npos)
		return "";
	return report.substr(begin, report.find("elapsed ", begin + 1) - begin);
}

TEST_CASE("files: an interval has the findings of its time")
{
	const std::string out = temporary("3.txt"), text = temporary("interval.txt");
	/*
	 * Counts the intervals up to the last written line. Of the next one, the figures may have
	 * been read before that line, and of the one after it not. Then two come without any.
	 */
	const std::string script = "intervals() { grep -c elapsed " + text +
				   "; }; ./workloads/endl_loop -n 5000 -o " + out +
				   "; n=$(intervals); echo $n; "
				   "until [ $(intervals) -ge $((n + 4)) ]; do sleep 0.05; done";
	/* -y is needed where writes are fast: all of them take less than 1 % of an interval. */
	const Run run = run_plain(iotrace_argv({ "-y", "--interval=0.2", "-o", text },
					       { "sh", "-c", script }, nullptr));
	INFO(run);
	CHECK(run.end == "exit 0");
	const std::string report = read_file(text);
	const int last = std::stoi(run.out) + 2; // No line is in a later interval.
	std::string with_lines;

	INFO(report);
	for (int n = 1; n <= last; n++)
		with_lines += interval_of(report, n);
	CHECK_THAT(with_lines, ContainsSubstring(": flush-per-line  " + out + "\n"));
	CHECK_THAT(interval_of(report, last + 1), ContainsSubstring("elapsed "));
	CHECK_THAT(interval_of(report, last + 1), !ContainsSubstring("/3.txt"));
	CHECK_THAT(report, ContainsSubstring("5,000 writes of 4 B"));
}

TEST_CASE("files: used by the program that made most of the calls, not by the one that opened the "
	  "file")
{
	const std::string capture = temporary("users.json"), out = temporary("4.txt");
	const Run run = run_with_files(
		{},
		{ "sh", "-c",
		  "exec > " + out +
			  "; echo 1; ./workloads/endl_loop -n 300; ./workloads/newline_loop -n 5; "
			  "exec ./workloads/fd_write_loop -n 200" },
		capture);
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(jq("[.files[] | select(.path == \"" + out + "\") | .users | map([.comm, .calls])][0]",
		 capture) ==
	      "[[\"endl_loop\",303],[\"fd_write_loop\",202],[\"newline_loop\",4],[\"sh\",3]]");
	check_replay(capture);
}

TEST_CASE("files: a call on a descriptor that is not open has no user")
{
	const std::string capture = temporary("not_open.json"), out = temporary("6.txt");
	const Run run = run_with_files(
		{}, { "bash", "-c", "exec 7>" + out + "; echo 1 >&7; echo 2 >&9; echo 3 >&7; :|:" },
		capture);
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(jq("[.files[] | select(.kind == \"invalid\") | .users] | unique", capture) == "[[]]");
	check_sums(capture);
}

/*
 * Two openings of one file and one of another take turns at one descriptor; then files are opened
 * and closed in turn, so that one gets the memory of the other; last, each file is removed before
 * the next is made. Some descriptors are beyond the smallest table that a task can have.
 */
static const char turns[] =
	"my ($a, $b) = @ARGV;"
	"sub add { POSIX::open($_[0], O_WRONLY | O_CREAT | O_APPEND, 0600) }"
	"my @fds = (add($a), add($a), add($b));"
	"for my $i (1 .. 300) { POSIX::dup2($fds[$i % 3], 50); POSIX::write(50, 'xy', 2) }"
	"for my $fd (63, 64, 300) { POSIX::dup2($fds[2], $fd); POSIX::write($fd, 'xy', 2);"
	"	POSIX::close($fd); POSIX::write($fd, 'xy', 2) }"
	"sub once { my $fd = add($_[0]); POSIX::write($fd, 'xy', 2); POSIX::close($fd) }"
	"for my $i (1 .. 300) { once($i % 2 ? $a : $b) }"
	"for my $i (1 .. 100) { once(\"$a.$i\"); unlink(\"$a.$i\") }";

TEST_CASE("files: a call is counted for the file that its descriptor leads to at that time")
{
	const std::string capture = temporary("turns.json");
	const Folder folder;
	const Run run = run_with_files(
		{ "-e", "write" }, { "perl", "-MPOSIX", "-e", turns, folder / "a", folder / "b" },
		capture);
	const std::string in_folder =
		".files[] | select(.path | startswith(\"" + (folder / "") + "\"))";

	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(jq("[" + in_folder + " | select(.calls > 1) | .calls] | sort", capture) ==
	      "[253,350]");
	CHECK(jq("[" + in_folder + " | select(.calls == 1)] | length", capture) == "100");
	CHECK(jq("[.files[] | select(.kind == \"invalid\") | .calls]", capture) == "[3]");
	check_sums(capture);
}

TEST_CASE("files: a file has the name that it has at the end, from iotrace's own root")
{
	BPF_ONLY("strace says the name that a file had at the call");
	const std::string capture = temporary("names.json");
	const Folder folder;
	const std::string root = folder / "";
	const Run run = run_with_files(
		{ "-e", "write,close" },
		{ "bash", "-c",
		  "cd $0; echo 1 > old; mv old new; mkdir a; echo 2 > a/f; mv a b; exec 3> gone; "
		  "echo 3 >&3; rm gone;"
		  "echo 4 > log; mv log log.1; echo 5 > log; mkdir -p jail/bin jail/lib; exec 3>&-;"
		  "cp --parents $(ldd /bin/dash | grep -o '/[^ ]*') /bin/dash jail; chroot jail "
		  "/bin/dash -c 'echo 6 > /inside'",
		  root },
		capture);
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(jq("[.files[] | select(.path | startswith(\"" + root +
			 "\")) | select(.bytes == 2) | .path[" + std::to_string(root.size()) +
			 ":]] | sort",
		 capture) == "[\"b/f\",\"gone\",\"jail/inside\",\"log\",\"log.1\",\"new\"]");
	CHECK(jq("[.files[] | select(.path | endswith(\"/gone\")) | .kind] | unique", capture) ==
	      "[\"deleted\"]");
	check_replay(capture);
}

TEST_CASE("files: a file without a name (O_TMPFILE) has the one that it is given, if any")
{
	BPF_ONLY("strace calls a file what it was called at each call");
	const std::string capture = temporary("tmpfile.json");
	const Folder folder;
	const Run run = run_with_files(
		{ "-e", "write" },
		{ "python3", "-c",
		  "import os, sys\n"
		  "for name, keep in (('kept', True), ('closed', False), ('', False)):\n"
		  "    fd = os.open(sys.argv[1], os.O_TMPFILE | os.O_WRONLY, 0o600)\n"
		  "    os.write(fd, b'x' * (3 if name else 5))\n"
		  "    if name:\n"
		  "        os.link('/proc/self/fd/%d' % fd, sys.argv[1] + name, "
		  "src_dir_fd=0)\n"
		  "        os.rename(sys.argv[1] + name, sys.argv[1] + name + '.2')\n"
		  "    if not keep:\n"
		  "        os.close(fd)\n",
		  folder / "" },
		capture);

	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(jq("[.files[] | select(.bytes == 3) | .path, .kind] | sort", capture) ==
	      "[\"" + (folder / "closed.2") + "\",\"" + (folder / "kept.2") +
		      "\",\"regular\",\"regular\"]");
	CHECK(jq("[.files[] | select(.bytes == 5) | .kind]", capture) == "[\"deleted\"]");
	check_replay(capture);
}

TEST_CASE("files: an interval names who uses a file, though that has not ended")
{
	const std::string out = temporary("5.txt"), text = temporary("users.txt");
	const Run run =
		run_plain(iotrace_argv({ "--interval=0.5", "-y", "-o", text },
				       {
					       "sh",
					       "-c",
					       "exec > " + out +
						       "; exec perl -MTime::HiRes=sleep -e '$| = "
						       "1; print \"x\\n\" for 1 .. 3000; "
						       "do { sleep 0.05; open F, \"<\", $ARGV[0]; "
						       "@l = grep /elapsed/, <F> } "
						       "until @l >= 3' " +
						       text,
				       },
				       nullptr));
	INFO(run);
	CHECK(run.end == "exit 0");
	const std::string report = read_file(text);
	const size_t second = report.find("elapsed ", report.find("elapsed ") + 1);
	CHECK_THAT(report.substr(0, second), ContainsSubstring("100% perl +1"));
}

TEST_CASE("files: connections, pipes and anonymous files share rows, so that files keep theirs")
{
	const std::string capture = temporary("short_lived.json");
	const Folder folder;
	const Run run = run_with_files({ "--max-files=40", "-e", "write" },
				       { fixture("short_lived"), "10000", folder / "" }, capture);
	INFO(run);
	CHECK(run.end == "exit 0");
	const std::string port = run.out.substr(0, run.out.find('\n'));
	const auto writes_to = [&](const std::string &path) {
		return jq("[.files[] | select(.path == \"" + path + "\") | .calls] | add", capture);
	};
	const bool bpf = backend() == "bpf";
	CHECK(writes_to("tcp:127.0.0.1:*->127.0.0.1:" + port) == "10000");
	/* strace learns from the second connection which end is the server's. */
	CHECK(writes_to("tcp:127.0.0.1:" + port + "->127.0.0.1:*") == (bpf ? "10000" : "9999"));
	/* strace does not say the name of the socket that a client is connected to. */
	CHECK(writes_to("unix:socket") == (bpf ? "20000" : "10000"));
	CHECK(writes_to("unix:[*]") == (bpf ? "20000" : "30000"));
	CHECK(writes_to("udp:127.0.0.1:*->127.0.0.1:9") == "10000");
	CHECK(writes_to("pipe:[*]") == "10000");
	CHECK(writes_to("memfd:*") == "20000");
	CHECK(writes_to(folder / "log") == "10000");
	CHECK(jq("[.findings[] | select(.id == \"flush-per-line\") | .path]", capture) ==
	      "[\"" + folder / "log" + "\"]");
	CHECK(jq("[.files[] | select(.path == \"(other)\")]", capture) == "[]");
	check_sums(capture);
	check_replay(capture);
}

TEST_CASE("files: what has a row of its own shows its number and both ends")
{
	const std::string capture = temporary("once.json");
	const Folder folder;
	const Run run = run_with_files({ "-e", "write" },
				       { fixture("short_lived"), "1", folder / "" }, capture);
	INFO(run);
	CHECK(run.end == "exit 0");
	const std::string port = run.out.substr(0, run.out.find('\n'));
	const auto writes_to = [&](const std::string &pattern) {
		return jq("[.files[] | select(.path | test(\"^" + pattern + "$\")) | .calls] | add",
			  capture);
	};
	CHECK(writes_to("tcp:127.0.0.1:[0-9]+->127.0.0.1:" + port) == "1");
	CHECK(writes_to("tcp:127.0.0.1:" + port + "->127.0.0.1:[0-9]+") == "1");
	CHECK(writes_to("udp:127.0.0.1:[0-9]+->127.0.0.1:9") == "1");
	CHECK(writes_to("pipe:.[0-9]+.") == "1");
}

TEST_CASE("files: strace and eBPF say the same of the same calls")
{
	/*
	 * One process at a time, so that it does the same twice. strace shows writes of up to 256
	 * bytes.
	 */
	static const char calls[] =
		"exec > $0/out 2> $0/err; exec 3> $0/lines; for i in 1 2 3 4 5; do echo line$i "
		">&3; done;"
		"echo -n x >&3; exec 3>&-; for i in 1 2 3; do echo $i >> $0/appended; done;"
		"echo err >&2; echo null > /dev/null; exec 3> $0/gone; rm $0/gone; echo gone >&3;"
		"read a < $0/lines; read b < $0/none; cd $0; echo 1 > a/b/c; mkfifo fifo; exec 4<> "
		"fifo;"
		"echo 2 >&4; read c <&4; exec 4>&-; exec 5< $0; exec 5<&-;"
		"printf '\\0\\0\\n%0200d\\n' 7 > zeroes; echo 1 >&9";
	const Folder folder;
	const auto rows = [&](const char *backend) {
		const std::string capture = temporary(std::string(backend) + ".json");

		folder.run("rm -f *");
		const Run run = run_iotrace({ std::string("--backend=") + backend, "-e",
					      "%output,read,dup2,pipe", "-o", capture },
					    { "dash", "-c", calls, folder / "" });
		INFO(run);
		/* The test's own files have other names each time. */
		return jq("[.files[] | select(.path | test(\"/captured-\") | not) | [.path, .kind, "
			  ".stderr, .errno, .syscall, .calls, .errors, .bytes, .newlines, "
			  ".last_byte_known, .sizes, .opens]] | sort | .[]",
			  capture);
	};
	const std::string from_bpf = rows("bpf");

	CHECK_THAT(from_bpf, ContainsSubstring(folder / "gone\",\"deleted\""));
	CHECK(rows("strace") == from_bpf);
}

/* Every 16th write ends in a newline: a look at each 16th would see only those, or none. */
TEST_CASE("files: the last byte is looked at in the first 64 writes, and in one of 16 after them")
{
	const int more = backend() == "bpf" ? 160000 : 1600;
	const std::string capture = temporary("looks.json");
	const Run run =
		run_with_files({ "-e", "write" },
			       { "perl", "-e",
				 "open F, '>', '/dev/null';"
				 "for (1 .. 64 + $ARGV[0]) { syswrite F, $_ % 16 ? 'x' : \"\\n\" }",
				 std::to_string(more) },
			       capture);
	const std::string figures =
		jq("[.files[] | select(.path == \"/dev/null\" and .syscall == \"write\")] | "
		   "[(map(.calls) | add), (map(.last_byte_known) | add), (map(.newlines) | add)]",
		   capture);
	double calls, known, newlines;

	INFO(run);
	INFO(figures);
	REQUIRE(std::sscanf(figures.c_str(), "[%lf,%lf,%lf]", &calls, &known, &newlines) == 3);
	CHECK(calls == 64 + more);
	if (backend() == "strace") {
		CHECK(known == calls);
		CHECK(newlines == calls / 16);
		return;
	}
	/* The bounds are eight standard deviations: 55 of the number, 0.0024 of the share. */
	CHECK(std::abs(known - 64 - 160000 / 16) < 440);
	CHECK(std::abs(newlines / known - 1.0 / 16) < 0.0195);
}
