// SPDX-License-Identifier: GPL-2.0
// What predictions rest on is measured after the run, and is in no figure of it.
#include "lib/files.hpp"
#include "lib/iotrace.hpp"
#include "lib/live.hpp"

namespace
{
Run lines_to(const std::string &file, const Words &options, const std::string &capture)
{
	return run_iotrace(Words{ "--format=json", "-o", capture } + options,
			   { "sh", "-c", "exec ./workloads/endl_loop -n 20000 >" + file });
}
} // namespace

TEST_CASE("predictions: the calibration's calls are in no figure", "[once]")
{
	const std::string out = temporary("lines"), capture = temporary("capture.json");

	for (const Words &options :
	     std::vector<Words>{ {}, { "-P", out }, { "-e", "trace=write" } }) {
		const Run run = lines_to(out, options, capture);

		INFO(run);
		CHECK(run.end == "exit 0");
		CHECK(jq(".syscalls[] | select(.name == \"write\") | .calls", capture) == "20000");
		CHECK(jq("[.files[] | select(.syscall == \"write\") | .calls] | add", capture) ==
		      "20000");
		CHECK(jq(".integrity | .entered == .returned and .lost == 0", capture) == "true");
		CHECK(jq(".calibration.memory | .bare_ps > 0 and .traced_ps > .bare_ps and "
			 ".inside_ps > 0",
			 capture) == "true");
		CHECK(jq(".calibration.device == null", capture) ==
		      (options.size() && options[0] == "-P" ? "true" : "false"));
		CHECK(jq(".findings[0] | .id == \"flush-per-line\" and "
			 ".predicted_saving_ns.low > 0 and "
			 ".predicted_wall_saving_ns.low > 0 and .predicted_share.low > 0",
			 capture) == "true");
	}
}

TEST_CASE("predictions: without a finding nothing is calibrated", "[once]")
{
	const std::string capture = temporary("capture.json");
	const Run run = run_iotrace({ "--format=json", "-o", capture },
				    { "./workloads/newline_loop", "-n", "1000" });

	INFO(run);
	CHECK(jq(".calibration, (.findings | length)", capture) == "null\n0");
}

TEST_CASE("predictions: a capture predicts what its run has printed", "[once]")
{
	const std::string out = temporary("lines"), capture = temporary("capture.json"),
			  again = temporary("again.json");
	const Run run = lines_to(out, {}, capture);
	const Run report =
		run_plain({ iotrace_path(), "report", "--format=json", "-o", again, capture });

	INFO(run);
	INFO(report);
	CHECK(jq(".findings", again) == jq(".findings", capture));
}
