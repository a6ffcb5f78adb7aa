// SPDX-License-Identifier: GPL-2.0
/* --overhead is a measurement of iotrace's own; the target's figures do not contain it. */
#include "lib/iotrace.hpp"

TEST_CASE("overhead: what tracing adds to a call is measured on request, and is in no figure")
{
	if (backend() != "bpf")
		SKIP_CASE("the strace backend measures nothing of the kind");
	const Run run =
		run_iotrace({ "--overhead" }, { "./workloads/fd_write_loop", "-n", "1000" });
	const Run without = run_iotrace({}, { "./workloads/fd_write_loop", "-n", "1000" });

	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.report.calls("write") == 1000);
	CHECK(run.report.lost == 0);
	CHECK(run.report.text.find("\ntracing added about ") != std::string::npos);
	CHECK(without.report.text.find("tracing added") == std::string::npos);
}
