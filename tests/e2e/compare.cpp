// SPDX-License-Identifier: GPL-2.0
/* iotrace compare: runs that are counted exactly, in turns; failures in the middle; captures. */
#include "lib/live.hpp"
#include "lib/stacks.hpp"

#include <csignal>
#include <sys/stat.h>
#include <unistd.h>

namespace
{
Run compare(const Words &arguments, const Spawn &how = {})
{
	Words argv = { iotrace_path(), "compare", "--backend=" + backend() };

	argv.insert(argv.end(), arguments.begin(), arguments.end());
	return run_plain(argv, how);
}

/* The mean of a figure of a side. */
std::string mean(const std::string &json, const std::string &syscall, const std::string &figure,
		 const std::string &side)
{
	return jq(".figures[] | select(.syscall == " + syscall + " and .figure == \"" + figure +
			  "\" and .side == \"" + side + "\") | .mean",
		  json);
}

/* A program that adds its letter to a list of the runs. */
std::string lister(const Folder &folder, const std::string &letter, const std::string &more = "")
{
	return folder.write(letter,
			    "#!/bin/sh\necho " + letter + " >>" + (folder / "list") + "\n" + more,
			    0755);
}

std::string list_of(const Folder &folder)
{
	std::string list = read_file(folder / "list");

	list.erase(std::remove(list.begin(), list.end(), '\n'), list.end());
	return list;
}
} // namespace

TEST_CASE("compare: each side's calls are exactly those that its runs made")
{
	const std::string json = temporary("compare.json"), csv = temporary("compare.csv");
	const Run run = compare({ "-r", "3", "-o", json, "-o", csv, "./workloads/endl_loop -n 700",
				  "./workloads/newline_loop -n 700" });

	INFO(run);
	REQUIRE(run.end == "exit 0");
	CHECK(run.err == "");
	CHECK(mean(json, "\"write\"", "calls", "A") == "700");
	CHECK(mean(json, "\"write\"", "calls", "B") == "1");
	CHECK(mean(json, "\"write\"", "bytes", "A") == "2800");
	CHECK(mean(json, "\"write\"", "bytes", "B") == "2800");
	CHECK(jq("[.sides[] | (.runs | length), (.bare_ns | length)]", json) == "[3,3,3,3]");
	CHECK(jq("[.sides[].runs[].exit.status] | unique", json) == "[0]");
	CHECK(jq("[.sides[].runs[].command] | unique | length", json) == "2");
	CHECK(jq("[.sides[].bare_ns[] > 0] | unique", json) == "[true]");
	CHECK(jq("[.sides[].runs[].stdout.path] | unique", json) == "[\"/dev/null\"]");
	CHECK(jq("[.figures[] | select(.figure == \"calls\" and .syscall == \"write\") | "
		 ".difference]",
		 json) == "[null,\"exactly different\"]");
	CHECK_THAT(read_file(csv), ContainsSubstring("write,64,calls,B,"));

	/* A comparison of the captures says the same. */
	const Run again = compare({ "--format=csv", json });
	INFO(again);
	CHECK(again.end == "exit 0");
	CHECK(again.out == read_file(csv));
}

TEST_CASE("compare: commands are run in turns, traced before bare, after warm-up and preparation")
{
	Folder folder;
	const std::string a = lister(folder, "a"), b = lister(folder, "b");
	const Run run = compare(
		{ "-r", "2", "--warmup=1", "--prepare", "printf p >>" + (folder / "list"), a, b });

	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(list_of(folder) == "papbpapbpapbpapbpapb");
}

TEST_CASE("compare: what commands write goes where --stdout says")
{
	Folder folder;
	const std::string to = folder / "out", json = folder / "x.json";
	Run run =
		compare({ "-r", "2", "--stdout=" + to, "-o", json, "./workloads/endl_loop -n 5" });

	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(read_file(to) == "123\n123\n123\n123\n123\n");
	CHECK(jq("[.sides[].runs[].stdout.path] | unique", json) == "[\"" + to + "\"]");

	run = compare({ "-r", "2", "--stdout=inherit", "echo x" });
	INFO(run);
	CHECK(run.out == "x\nx\nx\nx\n");
	CHECK_THAT(run.err, ContainsSubstring("Summary"));
}

TEST_CASE("compare: words are split as a shell does, and a shell is taken only if asked for")
{
	Run run = compare({ "-r", "1", "--stdout=inherit", "printf '%s|' \"a b\" 'c  d' e\\ f" });

	INFO(run);
	CHECK(run.out == "a b|c  d|e f|a b|c  d|e f|");
	run = compare({ "-r", "1", "--stdout=inherit", "--shell", "printf x | cat; printf y" });
	INFO(run);
	CHECK(run.out == "xyxy");
	CHECK_THAT(run.err, ContainsSubstring("printf x | cat"));
}

TEST_CASE("compare: a command that fails in run 3 of 5 is named, and two rounds are reported")
{
	Folder folder;
	const std::string json = folder / "x.json";
	/* The fifth run is the third that is traced. */
	const std::string a = lister(folder, "a",
				     "[ $(wc -l <" + (folder / "list") + ") -lt 9 ] || exit 7\n"),
			  b = lister(folder, "b");
	const Run run = compare({ "-r", "5", "-o", json, a, b });

	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, ContainsSubstring("failed with exit status 7 in traced run 3 of 5"));
	CHECK(list_of(folder) == "ababababa");
	CHECK(jq("[.sides[] | (.runs | length), (.bare_ns | length)]", json) == "[2,2,2,2]");
}

TEST_CASE("compare: -i goes on, whether a command fails or is killed")
{
	Folder folder;
	const std::string json = folder / "x.json";
	const Run run = compare({ "-r", "2", "-i", "-o", json, "false", "sh -c 'kill -9 $$'" });

	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(jq("[.sides[].runs[].exit | .status, .signal]", json) ==
	      "[1,null,1,null,null,9,null,9]");
}

TEST_CASE("compare: a side that fails is told with its status, also by captures")
{
	Folder folder;
	const std::string json = folder / "x.json", csv = folder / "x.csv",
			  capture = folder / "failed.json", good = folder / "good.json";
	/* Each run traced is followed by one without iotrace, which fails otherwise. */
	const std::string a =
		lister(folder, "a",
		       "[ $(($(wc -l <" + (folder / "list") + ") % 2)) = 0 ] && exit 5\nexit 4\n");
	Run run = compare({ "-r", "2", "-i", "-o", json, "-o", csv, "-o", "-", a, "true" });

	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK_THAT(run.out,
		   Catch::Matches("(.|\n)*\nA \\S+ +exit status 4 +2 of 2 +0 of 2\n(.|\n)*"));
	CHECK_THAT(run.out,
		   Catch::Matches("(.|\n)*\nA \\S+ +exit status 5 +0 of 2 +2 of 2\n(.|\n)*"));
	CHECK(jq("[.sides[].failures[] | .exit.status, .runs, .bare_runs]", json) ==
	      "[4,2,0,5,0,2]");
	CHECK(jq("[.sides[].bare_exits[].status]", json) == "[5,5,0,0]");
	CHECK_THAT(read_file(csv), ContainsSubstring("exit status 4 in 2 of 2 runs; exit status 5 "
						     "in 2 of 2 runs without iotrace"));

	REQUIRE(run_iotrace({ "-o", capture }, { "sh", "-c", "exit 3" }).end == "exit 3");
	REQUIRE(run_iotrace({ "-o", good }, { "true" }).end == "exit 0");
	run = compare({ good, capture });
	INFO(run);
	CHECK_THAT(run.out, Catch::Matches("(.|\n)*\nB \\S+ +exit status 3 +1 of 1 +-\n(.|\n)*"));
	CHECK_THAT(run.out, ContainsSubstring("sh -c 'exit 3'"));
	run = compare({ "--section=summary", "--format=markdown", good, good });
	CHECK_THAT(run.out, !ContainsSubstring("fail"));
}

TEST_CASE("compare: a signal ends it after the run, and whole rounds are reported")
{
	Folder folder;
	const std::string json = folder / "x.json";
	/* The fifth run, the third that is traced, signals who compares. */
	const std::string a =
		lister(folder, "a",
		       "[ $(wc -l <" + (folder / "list") + ") -lt 5 ] || kill -TERM $(cat " +
			       (folder / "pid") + ")\n");
	Spawn how;
	how.argv = { "sh",
		     "-c",
		     "echo $$ >" + (folder / "pid") + "; exec \"$@\"",
		     "sh",
		     iotrace_path(),
		     "compare",
		     "--backend=" + backend(),
		     "-r",
		     "9",
		     "-o",
		     json,
		     a };
	Process process(how);

	CHECK(process.wait() == "SIGTERM");
	INFO(process.err());
	CHECK(list_of(folder) == "aaaaa");
	CHECK(jq("[.sides[] | (.runs | length), (.bare_ns | length)]", json) == "[2,2]");
}

TEST_CASE("compare: ratios are budgets")
{
	const Words sides = { "./workloads/endl_loop -n 100", "./workloads/endl_loop -n 150" };
	Run run = compare({ "-r", "2", "--fail-if", "ratio.write.calls>1.4", sides[0], sides[1] });

	INFO(run);
	CHECK(run.end == "exit 3");
	CHECK_THAT(run.err, ContainsSubstring("'ratio.write.calls>1.4': it is 1.5000 for B "
					      "(exactly different)"));
	run = compare({ "-r", "2", "--fail-if", "ratio.write.calls>1.6", sides[0], sides[1] });
	CHECK(run.end == "exit 0");
}

TEST_CASE("compare: captures of runs are compared with each other and with commands")
{
	const std::string a = temporary("a.json"), b = temporary("b.json"),
			  json = temporary("ab.json");

	REQUIRE(run_iotrace({ "-o", a }, { "./workloads/endl_loop", "-n", "10" }).end == "exit 0");
	REQUIRE(run_iotrace({ "-o", b, "-e", "write" }, { "./workloads/endl_loop", "-n", "30" })
			.end == "exit 0");
	Run run = compare({ "-o", json, "-n", "ten", a, b });
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(jq("[.sides[].name]", json) == "[\"ten\",\"" + b + "\"]");
	CHECK(jq(".figures[] | select(.syscall == \"write\" and .figure == \"calls\" and .side == "
		 "\"B\") | [.mean, .ratio, .difference]",
		 json) == "[30,3,\"not tested\"]");
	run = compare({ a, b });
	CHECK_THAT(run.out, ContainsSubstring("-e write"));
	run = compare({ "-r", "2", "-o", json, a, "./workloads/endl_loop -n 20" });
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(mean(json, "\"write\"", "calls", "B") == "20");

	/* A capture may come through a pipe, also one of a shell's. */
	const std::string pipe = temporary("capture-pipe");
	REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
	run = run_plain({ "bash", "-c",
			  "cat \"$2\" >\"$3\" & \"$1\" compare <(cat \"$2\") \"$3\" -o \"$4\"",
			  "bash", iotrace_path(), a, pipe, json });
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(mean(json, "\"write\"", "calls", "A") == "10");
	CHECK(mean(json, "\"write\"", "calls", "B") == "10");

	run = run_plain({ iotrace_path(), "report", json });
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, ContainsSubstring("'iotrace compare' prints it"));
}

TEST_CASE("compare: the function whose calls changed is told, by commands and by captures",
	  "[once]")
{
	const std::string source = temporary("sites.c"), json = temporary("sites.json");
	const std::string told = "[.sites[] | select(.side == \"B\" and .syscall == \"write\") | "
				 "[.frames[0].function, .mean, .ratio, .difference]]";

	write_file(source,
		   "#include <fcntl.h>\n#include <unistd.h>\n"
		   "static void __attribute__((noinline)) kept(int fd)\n"
		   "{ for (int i = 0; i < 3000; i++) if (write(fd, \"a\\n\", 2) < 0) _exit(1); }\n"
		   "static void __attribute__((noinline)) changed(int fd)\n"
		   "{ for (int i = 0; i < NR; i++) if (write(fd, \"bc\\n\", 3) < 0) _exit(1); }\n"
		   "int main(void) {\n"
		   "kept(open(\"kept\", O_WRONLY | O_CREAT, 0600));\n"
		   "changed(open(\"changed\", O_WRONLY | O_CREAT, 0600)); }\n");
	must_run({ "gcc", "-g", "-O1", "-DNR=2000", "-o", "before", source });
	must_run({ "gcc", "-g", "-O1", "-DNR=500", "-o", "after", source });
	must_run({ iotrace_path(), "compare", "--backend=" + backend(), "--stacks", "-r", "2", "-o",
		   json, "./before", "./after" });
	CHECK(jq(told, json) == "[[\"changed\",500,0.25,\"exactly different\"],"
				"[\"kept\",3000,1,\"exactly equal\"]]");
	must_run({ iotrace_path(), "compare", json, "--section=stacks", "-o", "sites.md" });
	const std::string table = read_file(temporary("sites.md"));
	CHECK_THAT(table, ContainsSubstring("| `write` | `changed() sites.c:6 ← main()` | B | 500 "
					    "| 0.250 | exactly different |"));
	CHECK(std::count(table.begin(), table.end(), '\n') == 4);
	profile({ "./before" }, "a.json");
	profile({ "./after" }, "b.json");
	must_run({ iotrace_path(), "compare", "a.json", "b.json", "-o", json });
	CHECK(jq(told, json) == "[[\"changed\",500,0.25,\"not tested\"],"
				"[\"kept\",3000,1,\"not tested\"]]");
}

TEST_CASE("compare: groups are matched by name, of runs and of captures")
{
	Folder folder;
	const std::string json = temporary("groups.json");
	const Words by = { "--backend=" + backend(), "-e", "write,chdir", "--by=comm" };
	const std::string once = "(exec printf a > /dev/null); cd /tmp", twice = once + "; " + once;
	const std::string told =
		"[.groups[] | select(.figure == \"calls\") | [.comm, .side, .mean]] "
		"| sort | map(join(\" \"))";
	const std::string calls = "[\"printf A 1\",\"printf B 2\",\"sh A 1\",\"sh B 2\"]";

	must_run(Words{ iotrace_path(), "compare" } + by +
		 Words{ "-r", "2", "-o", json, "sh -c '" + once + "'", "sh -c '" + twice + "'" });
	CHECK(jq(told, json) == calls);
	must_run({ iotrace_path(), "compare", json, "--section=groups", "-o", "groups.md" });
	CHECK_THAT(read_file(temporary("groups.md")),
		   ContainsSubstring("| `printf` | B | 2 | 2.00 |"));
	must_run(Words{ iotrace_path() } + by + Words{ "-o", "a.json", "--", "sh", "-c", once });
	must_run(Words{ iotrace_path() } + by + Words{ "-o", "b.json", "--", "sh", "-c", twice });
	must_run({ iotrace_path(), "compare", "a.json", "b.json", "--by=comm", "-o", json });
	CHECK(jq(told, json) == calls);
	const auto other = run_plain({ iotrace_path(), "compare", temporary("a.json"),
				       temporary("b.json"), "--by=thread" });
	CHECK(other.end == "exit 125");
	CHECK_THAT(other.err, ContainsSubstring("are told apart by comm"));
}

TEST_CASE("compare: what cannot work is refused before anything runs")
{
	Folder folder;
	const std::string touch = "touch " + (folder / "ran"), data = folder.write("data", "x");
	const std::vector<std::pair<Words, std::string>> cases = {
		{ {}, "needs commands or captures" },
		{ { touch, "nosuchcommand" }, "'nosuchcommand' not found" },
		{ { touch, "/tmp" }, "cannot run '/tmp'" },
		{ { touch, "a | b" }, "--shell" },
		{ { touch, "a $(b)" }, "--shell" },
		{ { touch, "a 'b" }, "quotes" },
		{ { touch, "a $NO_SUCH_VARIABLE" }, "variable that is not set" },
		{ { touch, "" }, "there are none" },
		{ { touch, "nosuch.json" }, "cannot read the capture 'nosuch.json'" },
		{ { touch, data }, "cannot read the capture '" + data },
		{ { "-r", "0", touch }, "invalid -r '0'" },
		{ { "--warmup=x", touch }, "invalid --warmup 'x'" },
		{ { "-p", "1", touch }, "it has no -p" },
		{ { "-a", touch }, "it has no -a" },
		{ { "--by=comm:3", touch }, "leave out the number" },
		{ { "--by=name", touch }, "it must be comm, process" },
		{ { "--section=groups", touch }, "needs --by" },
		{ { "--interval=1", touch }, "it has no --interval" },
		{ { "--format=strace", touch }, "strace has one run" },
		{ { "--format=csv", "--section=sides,calls", touch }, "choose one section" },
		{ { "--section=files", touch }, "sides, summary, calls, groups, stacks, figures" },
		{ { "--fail-if", "write.calls>1", touch }, "about one run" },
		{ { "--fail-if", "ratio.futex.calls>1", touch }, "not traced" },
		{ { "--no-latency", "--fail-if", "ratio.write.p50_ns>1", touch }, "--no-latency" },
		{ { "--stdout=" + (folder / "no/such"), touch }, "cannot write to --stdout" },
		{ { "--stdout=", touch }, "invalid --stdout" },
		{ { "-o", folder / "no/such.csv", touch }, "cannot write the report" },
		{ { "-n", "a", "-n", "b", touch }, "more names" },
		{ { "-n", "", touch }, "-n needs a name" },
	};

	for (const auto &[arguments, why] : cases) {
		const Run run = compare(arguments);

		INFO(run);
		CHECK_THAT(run.end, Catch::StartsWith("exit 12"));
		CHECK_THAT(run.err, ContainsSubstring(why));
		CHECK(!exists(folder / "ran"));
	}
}

TEST_CASE("compare: a full disk and a failing preparation are errors")
{
	Run run = compare({ "-r", "1", "-o", "/dev/full", "true" });

	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, ContainsSubstring("No space left"));
	CHECK_THAT(run.err, ContainsSubstring("Summary")); // The figures are not lost.
	run = compare({ "--prepare", "exit 4", "true" });
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, ContainsSubstring("--prepare 'exit 4' failed with exit status 4"));
}
