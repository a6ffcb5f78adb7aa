// SPDX-License-Identifier: GPL-2.0
/* --fail-if: the exit status, and the message. */
#include "lib/live.hpp"

#include <unistd.h>

static const Words lines = { "./workloads/endl_loop", "-n", "500" };

TEST_CASE("budgets: a broken budget is exit status 3 and a line, a kept one is neither")
{
	const std::string capture = temporary("budget.json");
	Run run = run_iotrace({ "--fail-if", "write.calls>499", "--fail-if", "total.errors>100",
				"-o", temporary("budget.txt"), "-o", capture },
			      lines);
	INFO(run);
	CHECK(run.end == "exit 3");
	CHECK_THAT(run.err, Catch::EndsWith("--fail-if 'write.calls>499': it is 500, 1 above\n"));
	CHECK_THAT(run.err, !ContainsSubstring("total.errors"));

	run = run_iotrace({ "--fail-if", "write.calls>500" }, lines);
	CHECK(run.end == "exit 0");
	CHECK_THAT(run.err, !ContainsSubstring("--fail-if"));

	run = run_plain({ iotrace_path(), "report", "--fail-if", "write.calls>=500", capture });
	CHECK(run.end == "exit 3");
	CHECK_THAT(run.err, ContainsSubstring("--fail-if 'write.calls>=500': it is 500\n"));
	CHECK(run.out == read_file(temporary("budget.txt")));
	run = run_plain({ iotrace_path(), "report", "--fail-if", "write.calls>500", capture });
	CHECK(run.end == "exit 0");
}

TEST_CASE("budgets: a failure of the command's own is the exit status")
{
	for (const auto &[script, end] : std::map<std::string, std::string>{
		     { "echo x; exit 7", "exit 7" }, { "echo x; kill -TERM $$", "SIGTERM" } }) {
		const Run run =
			run_iotrace({ "--fail-if", "write.calls>0" }, { "sh", "-c", script });

		INFO(run);
		CHECK(run.end == end);
		CHECK_THAT(run.err, ContainsSubstring("it is 1, 1 above"));
	}
}

TEST_CASE("budgets: a status of 3 of the command's own is told from a budget's")
{
	const struct {
		Words options;
		std::string script, said;
	} cases[] = {
		{ { "--fail-if", "write.calls>0" }, "exit 3", "own; no budget is broken\n" },
		{ { "--fail-if", "write.calls>0" },
		  "echo; exit 3",
		  "own; a budget is broken as well\n" },
		{ { "--fail-if", "write.calls>0" }, "echo", "" },
		{ {}, "exit 3", "" },
	};

	for (const auto &c : cases) {
		const Run run = run_iotrace(c.options, { "sh", "-c", c.script });

		INFO(run);
		CHECK(run.end == "exit 3");
		if (c.said == "")
			CHECK_THAT(run.err, !ContainsSubstring("command's own"));
		else
			CHECK_THAT(run.err, ContainsSubstring("iotrace: note: exit status 3 is the "
							      "command's " +
							      c.said));
	}
}

TEST_CASE("budgets: nonsense is refused before anything runs")
{
	const std::string side = temporary("ran");

	for (const char *budget :
	     { "nonsense", "write.calls>many", "write.cals>1", "futex.calls>1" }) {
		const Run run = run_plain(
			iotrace_argv({ "--fail-if", budget }, { "touch", side }, nullptr));

		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK_THAT(run.err, ContainsSubstring(budget));
		CHECK(access(side.c_str(), F_OK) != 0);
	}
}

TEST_CASE("budgets: findings are budgets")
{
	Run run = run_iotrace({ "--fail-if", "flush-per-line.calls>499" }, lines);
	INFO(run);
	CHECK(run.end == "exit 3");
	CHECK_THAT(run.err, ContainsSubstring("it is 500, 1 above"));
	run = run_iotrace({ "--fail-if", "findings.info>0" }, { "true" });
	CHECK(run.end == "exit 0");
}
