// SPDX-License-Identifier: GPL-2.0
/* The figures of the calls: errnos, bytes, sizes, times. */
#include "lib/iotrace.hpp"

using Counts = std::map<std::string, uint64_t>;

static const Words bytes = { "-U", "calls,errors,bytes,name" };

static Run transfers(const std::string &what, const std::string &set)
{
	Words options = bytes;

	options.insert(options.end(), { "-e", set });
	Run run = run_iotrace(options, { fixture("transfers"), what, temporary("transfers") });
	INFO(run);
	REQUIRE(run.end == "exit 0");
	return run;
}

TEST_CASE("figures: errors are counted by errno")
{
	const Run run = transfers("errors", "write,openat");
	INFO(run);

	CHECK(run.report.calls("write") == 19);
	CHECK(run.report.errors("write") == 18);
	CHECK(run.report.bytes("write") == 4096);
	CHECK(run.report.figures.at("write").errors == Counts{ { "ENOSPC", 7 },
							       { "EAGAIN", 5 },
							       { "EPIPE", 3 },
							       { "EBADF", 2 },
							       { "EFAULT", 1 } });
	CHECK(run.report.figures.at("write").sizes == Counts{ { "4 KiB - 8 KiB", 1 } });
	CHECK(run.report.figures.at("openat").errors == Counts{ { "ENOENT", 4 }, { "EISDIR", 1 } });
	/* The most frequent errno comes first. */
	CHECK_THAT(run.report.text, ContainsSubstring("errors: 7 ENOSPC, 5 EAGAIN, 3 EPIPE, "
						      "2 EBADF, 1 EFAULT\n"));
}

TEST_CASE("figures: sizes are counted in a histogram")
{
	const Run run = transfers("sizes", "write");
	const Run huge = transfers("huge", "write");
	Counts expected = { { "0 B", 1 }, { "1 B", 1 } };
	uint64_t sum = 0;
	INFO(run);
	INFO(huge);

	for (int i = 0; i <= 15; i++)
		sum += (i + 1) << i;
	for (int i = 1; i <= 15; i++) {
		auto label = [](int log) {
			return log < 10 ? std::to_string(1 << log) + " B"
					: std::to_string(1 << (log - 10)) + " KiB";
		};

		expected[label(i) + " - " + label(i + 1)] = i + 1;
	}
	CHECK(run.report.figures.at("write").sizes == expected);
	CHECK(run.report.bytes("write") == sum);
	CHECK(huge.report.figures.at("write").sizes == Counts{ { "1 GiB - 2 GiB", 3 } });
	CHECK(huge.report.bytes("write") == 3 * ((1ULL << 31) - 4096));
}

TEST_CASE("figures: bytes are counted for every call that transfers")
{
	const Run run = transfers("calls", "%io,sendto,recvfrom,sendmsg,recvmsg,lseek,openat");
	const std::map<std::string, std::pair<uint64_t, uint64_t>> expected = {
		{ "pwrite64", { 1, 1001 } },	   { "writev", { 1, 201 } },
		{ "pwritev", { 1, 301 } },	   { "pwritev2", { 1, 401 } },
		{ "readv", { 1, 501 } },	   { "preadv", { 1, 601 } },
		{ "preadv2", { 1, 701 } },	   { "sendfile", { 1, 444 } },
		{ "splice", { 2, 110 } },	   { "vmsplice", { 1, 77 } },
		{ "sendto", { 1, 11 } },	   { "recvfrom", { 1, 11 } },
		{ "copy_file_range", { 1, 333 } }, { "sendmsg", { 1, 21 } },
		{ "recvmsg", { 1, 21 } },
	};
	INFO(run);

	for (const auto &[name, figures] : expected) {
		INFO(name);
		CHECK(run.report.calls(name) == figures.first);
		CHECK(run.report.bytes(name) == figures.second);
		CHECK(run.report.errors(name) == 0);
	}
	/* A file position or a descriptor is no number of transferred bytes. */
	for (const char *name : { "lseek", "openat" })
		CHECK(run.report.rows.at(name).cells.at("bytes") == "-");
	/* The loader reads some more bytes. */
	const Run idle = run_iotrace({ "-e", "pread64", "-U", "calls,bytes,name" },
				     { fixture("transfers"), "nothing", "x" });
	INFO(idle);
	CHECK(run.report.calls("pread64") == idle.report.calls("pread64") + 2);
	CHECK(run.report.bytes("pread64") == idle.report.bytes("pread64") + 1001);
}

/* The kernel guarantees this lower bound; there is no upper one. */
TEST_CASE("figures: the time of a call is measured")
{
	const Run run = run_iotrace({ "-e", "clock_nanosleep,nanosleep", "-U",
				      "total-time,min-time,max-time,avg-time,p50,calls,name" },
				    { "sh", "-c", "sleep 0.02; sleep 0.03" });
	INFO(run);
	REQUIRE(run.report.calls("clock_nanosleep") == 2);
	const auto &cells = run.report.rows.at("clock_nanosleep").cells;

	CHECK(std::stod(cells.at("seconds")) >= 0.05);
	CHECK(std::stod(cells.at("shortest")) >= 0.02);
	CHECK(std::stod(cells.at("longest")) >= 0.03);
	CHECK(std::stod(cells.at("usecs/call")) >= 25000);
	CHECK(std::stod(cells.at("p50 usecs")) >= 20000);
}
