// SPDX-License-Identifier: GPL-2.0
/* Calls that look for a path: what exists, what is missing, and from which directory. */
#include "lib/live.hpp"

#include <filesystem>

TEST_CASE("looks: a path that exists has a row from the second look on")
{
	const Folder folder;
	const std::string capture = temporary("looks.json");
	const Run run = run_with_files({ "-e", "%findings" },
				       { fixture("looks"), "2000", folder.path.string() }, capture);
	const std::string there = folder / "there";

	INFO(run);
	CHECK(run.end == "exit 0");
	/* Half of the looks are by the full name, half by the relative one. */
	const char *const calls = backend() == "bpf" ? "3998" : "1999";
	CHECK(jq("[.files[] | select(.kind == \"found\" and .path == \"" + there +
			 "\") | .calls] | add",
		 capture) == calls);
	CHECK(jq("[.files[] | select(.kind == \"regular\" and .path == \"" + there +
			 "\" and .syscall == \"newfstatat\") | .calls]",
		 capture) == "[2000]");
	CHECK(jq("[.findings[] | select(.id == \"repeated-looks\" and .path == \"" + there +
			 "\") | [.kind, .calls, .predicted_calls]]",
		 capture) == "[[\"found\"," + std::string(calls) + ",0]]");
	/* Of access("name"), strace does not say where that is. */
	CHECK(jq("[.files[] | select(.kind == \"found\" and (.path | test(\"/d[0-9]+/name$\"))) "
		 "| .calls] | [length, add // 0]",
		 capture) == (backend() == "bpf" ? "[300,300]" : "[0,0]"));
	CHECK(jq("[.files[] | select(.kind == \"found\" and (.path | test(\"/d[0-9]+$\")))]",
		 capture) == "[]");
	check_replay(capture);
}

TEST_CASE("looks: a path that is missing is told, whatever call looks for it")
{
	const std::string capture = temporary("missing.json");
	const std::string here = std::filesystem::current_path().string() + "/";

	for (const Words &flags : { Words{}, Words{ "-m32" } }) {
		const Run run = run_with_files({ "-e", "all" },
					       { fixture("missing_paths", flags), "150" }, capture);

		INFO(run);
		CHECK(run.end == "exit 0");
		CHECK(jq("[.files[] | select(.kind == \"failed\" and (.path | test(\"preload\") | "
			 "not)) | .path |= ltrimstr(\"" +
				 here +
				 "\")] | group_by(.path) | map([.[0].path, .[0].errno, "
				 "(map(.calls) "
				 "| add), (map(.errors) | add)])",
			 capture) == "[[\"/dev/null/link\",\"ENOTDIR\",150,150],"
				     "[\"missing/access\",\"ENOENT\",300,300],"
				     "[\"missing/exec\",\"ENOENT\",150,150],"
				     "[\"missing/stat\",\"ENOENT\",450,450]]");
		/* A path that is no link is found by reading it as one. */
		CHECK(jq("[.files[] | select(.path == \"/dev/null\") | [.kind, .calls, .errors]] "
			 "| sort",
			 capture) == "[[\"found\",149,149],[\"found\",150,0]]");
		/* strace does not say in which directory access("missing/access") looks. */
		CHECK(jq("[.findings[] | [.id, .path, .calls]]", capture) ==
		      "[[\"path-storm\",\"" + here + "missing/stat\"," +
			      (backend() == "bpf" ? "900" : "600") + "]]");
		check_replay(capture);
	}
}

TEST_CASE("looks: a relative path is another one in each directory")
{
	const Folder folder;
	const std::string capture = temporary("relative.json"), top = folder.path.string();
	const Run run =
		run_with_files({ "-e", "all" }, { fixture("relative_looks"), "300", top }, capture);

	INFO(run);
	CHECK(run.end == "exit 0");
	for (const char *name : { ".git", ".conf" })
		CHECK(jq("[.files[] | select(.kind == \"failed\" and (.path | test(\"^" + top +
				 "/d[0-9]+/" + name +
				 "$\")))] | group_by(.path) | map(map(.calls) | add) | [length, "
				 "min, "
				 "max]",
			 capture) == "[300,4,4]");
	CHECK(jq("[.files[] | select(.kind == \"failed\" and .path == \"" + top +
			 "/.git\")] | [(map(.file) | unique | length), (map(.calls) | add)]",
		 capture) == "[1,2400]");
	CHECK(jq("[.findings[] | [.id, .path, .calls, .predicted_calls]]", capture) ==
	      "[[\"path-storm\",\"" + top + "/.git\",2400,1]]");
	check_replay(capture);
}
