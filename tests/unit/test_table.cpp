// SPDX-License-Identifier: GPL-2.0
#include "unit/render_test.hpp"

#include <algorithm>
#include <cerrno>
#include <random>
#include <vector>

static inflight_call *in_flight(inflight_call &c, pid_t pid, pid_t tid, const char *comm,
				const char *name)
{
	c.pid = pid;
	c.tid = tid;
	snprintf(c.comm, sizeof(c.comm), "%s", comm);
	snprintf(c.name, sizeof(c.name), "%s", name);
	return &c;
}

// A run that needs every line that a report can have.
static void add_run(Profile &p)
{
	std::mt19937_64 random(10);

	for (int i = 0; i < 100000; i++) {
		uint64_t time = 560 + random() % 160 + random() % 160;

		if (i % 997 == 0)
			time *= 6;
		if (i % 25013 == 0)
			time *= 200;
		syscall_stats_add_call(p.row(1, "write", true), 4, true, time);
	}
	for (int i = 0; i < 800; i++) {
		int64_t result = i % 7 == 0    ? -EAGAIN
				 : i % 11 == 0 ? -512
				 : i % 5 == 0  ? 0
				 : i % 3       ? 4096
					       : (int64_t)(random() % 100000);

		syscall_stats_add_call(p.row(0, "read", true), result, true,
				       100 + (random() % 4000 >> random() % 6));
	}
	syscall_stats_add_call(p.row(0, "read", true), 10, true, 12345678901);
	syscall_stats_add_call(p.row(0, "read", true), -EAGAIN, false, 0);
	for (int i = 0; i < 5; i++)
		syscall_stats_add_call(p.row(257, "openat"), i ? 3 : -ENOENT, true, 3000 + 400 * i);
	syscall_stats_add_call(p.row(4, "write", true, ABI_32), 0, true, 1ULL << 40);

	p.backend = "bpf";
	p.returned = 100000 + 802 + 5 + 1;
	p.in_flight = 2;
	p.entered = p.returned + p.in_flight;
	p.inflight = (inflight_call *)calloc(2, sizeof(*p.inflight));
	in_flight(p.inflight[0], 4711, 4711, "sleep", "clock_nanosleep")->since_ns = 1234567890;
	in_flight(p.inflight[1], 4712, 4713, "a\033]0;\xff", "read")->abi = ABI_32;
	p.nr_inflight = 2;
}

TEST_CASE("table: a run is reported with all sections", "[table]")
{
	Profile p;
	Options o;

	add_run(p);
	require_golden("table.txt", render(render_table, p, o));
	o.color = true;
	require_golden("table_color.txt", render(render_table, p, o));
}

TEST_CASE("table: a run without times, sizes and entries is reported with dashes", "[table]")
{
	Profile p;

	add_run(p);
	p.unknown = UNKNOWN_LATENCY | UNKNOWN_BYTES | UNKNOWN_ENTERED;
	require_golden("table_unknown.txt", render(render_table, p, Options()));
}

TEST_CASE("table: the strace format is the table alone, and never coloured", "[table]")
{
	Profile p;
	Options plain, color;

	add_run(p);
	color.color = true;
	std::string text = render(render_strace, p, plain);
	REQUIRE(render(render_strace, p, color) == text);
	REQUIRE(render(render_table, p, plain).compare(0, text.size(), text) == 0);
	REQUIRE(text.find('\033') == std::string::npos);
}

TEST_CASE("table: colour changes nothing but colour", "[table]")
{
	Profile p;
	Options plain, color;

	add_run(p);
	p.lost = 3;
	color.color = true;
	std::string text = render(render_table, p, color), stripped;
	for (size_t i = 0; i < text.size(); i++) {
		if (text[i] == '\033')
			i = text.find('m', i);
		else
			stripped += text[i];
	}
	REQUIRE(text != stripped);
	REQUIRE(stripped == render(render_table, p, plain));
	REQUIRE(text.find("\033[31mlost 3\033[0m") != std::string::npos);
}

TEST_CASE("table: the same profile gives the same bytes, and keeps its own", "[table]")
{
	Profile p;

	add_run(p);
	std::string first = render(render_table, p, Options());
	REQUIRE(render(render_table, p, Options()) == first);
}

// The report from its last blank line on.
static std::string integrity(const Profile &p)
{
	std::string text = render(render_table, p, Options());

	return text.substr(text.rfind("\n\n") + 2);
}

TEST_CASE("table: every call is accounted for", "[table]")
{
	Profile p;

	p.figures(1, "write", 10, 0, 1000);
	p.entered = p.returned = 10;
	REQUIRE(integrity(p) == "entered 10 = returned 10 + in flight 0; lost 0\n");

	p.overhead_ps = 64400;
	p.elapsed_ns = 6440;
	REQUIRE(integrity(p) ==
		"entered 10 = returned 10 + in flight 0; lost 0\n"
		"tracing added about 64ns to each call: 644ns in all, 10.0% of the run's 6.44us\n");
	p.overhead_ps = 0;
	p.died = 2;
	p.in_flight = 1;
	p.entered = 13;
	REQUIRE(integrity(p) == "entered 13 = returned 10 + in flight 1 + died in call 2; lost 0\n"
				"  1 not listed\n");
	p.lost = 5;
	p.lost_tasks = 1;
	p.in_flight = 0;
	REQUIRE(integrity(p) ==
		"entered 13 != returned 10 + in flight 0 + died in call 2; lost 5 and "
		"all calls of 1 task\n");
	p.lost = 0;
	p.lost_tasks = 2;
	p.lost_errnos = 7;
	REQUIRE(integrity(p) ==
		"entered 13 != returned 10 + in flight 0 + died in call 2; lost 0 and "
		"all calls of 2 tasks, and the\n    errnos of 7 errors\n");
	p.lost_tasks = p.lost_errnos = 0;
	p.entered = 12;
	p.excluded = 1;
	REQUIRE(integrity(p) == "entered 12 = returned 10 + in flight 0 + died in call 2; lost 0; "
				"1 process left out when it gained\n    privileges\n");
	p.excluded = 0;
	p.unknown = UNKNOWN_ENTERED;
	REQUIRE(integrity(p) == "returned 10; entered and in flight not known; lost 0\n");
}

TEST_CASE("table: calls from before tracing began are told apart", "[table]")
{
	Profile p;

	p.figures(1, "write", 10, 0, 1000);
	p.entered = p.returned = 10;
	p.under_way = 3;
	p.nr_inflight = 1;
	p.inflight = (inflight_call *)calloc(1, sizeof(*p.inflight));
	in_flight(p.inflight[0], 7, 7, "cat", "read")->since_ns = 2000000000;
	p.inflight[0].before = true;
	REQUIRE(integrity(p) ==
		"entered 10 = returned 10 + in flight 0; lost 0; 3 begun before tracing not "
		"counted\n"
		"  read  pid 7 (cat)  for more than 2s, since before tracing began\n");
}

TEST_CASE("table: of many calls in flight, the first twenty are listed", "[table]")
{
	Profile p;

	p.figures(1, "write", 10, 0, 1000);
	p.returned = 10;
	p.in_flight = 1002;
	p.entered = 1012;
	p.nr_inflight = 1000;
	p.inflight = (inflight_call *)calloc(1000, sizeof(*p.inflight));
	std::string text = integrity(p);
	REQUIRE(std::count(text.begin(), text.end(), '\n') == 22);
	REQUIRE(text.find("  and 982 not listed\n") != std::string::npos);
}

TEST_CASE("table: a report says that nothing was counted, unless -q", "[table]")
{
	Profile p;
	Options o;

	REQUIRE(render(render_table, p, o) == "None of the selected calls was counted.\n\n"
					      "entered 0 = returned 0 + in flight 0; lost 0\n");
	o.quiet = true;
	REQUIRE(render(render_table, p, o) == "entered 0 = returned 0 + in flight 0; lost 0\n");
	REQUIRE(render(render_strace, p, o).empty());
}

TEST_CASE("table: histograms are shown of the calls that matter: 1 % of the time, or 100",
	  "[table]")
{
	Profile p;
	Options o;
	const auto shown = [&](const char *name) {
		return render(render_table, p, o).find(std::string("\n") + name + "  ") !=
		       std::string::npos;
	};
	const auto add = [&](int nr, const char *name, uint64_t calls, uint64_t ns_each) {
		syscall_stats *s = p.row(nr, name, false);

		for (uint64_t i = 0; i < calls; i++)
			REQUIRE(syscall_stats_add_call(s, 0, true, ns_each) == 0);
	};

	add(0, "read", 100, 1);
	add(3, "close", 99, 1);
	add(1, "write", 1, 9901 - 199 - 98);
	add(74, "fsync", 1, 98);
	CHECK(shown("read"));
	CHECK_FALSE(shown("close"));
	CHECK(shown("write"));
	CHECK_FALSE(shown("fsync"));
	add(2, "open", 1, 200);
	CHECK(shown("open"));
	o.histogram = HISTOGRAM_ALL;
	CHECK(shown("close"));
	CHECK(shown("fsync"));
}

TEST_CASE("table: histograms are shown for all, none, or those listed", "[table]")
{
	Profile p;
	Options o;
	std::vector<char> name = { 'r', 'e', 'a', 'd', 0 };
	char *names[] = { name.data(), nullptr };

	add_run(p);
	o.histogram = HISTOGRAM_LISTED;
	o.histogram_names = names;
	std::string text = render(render_table, p, o);
	REQUIRE(text.find("\nread  ") != std::string::npos);
	REQUIRE(text.find("\nwrite") == std::string::npos);
	REQUIRE(text.find("@32  ") == text.find("@32  pid")); // Only the call in flight is there.
	o.histogram = HISTOGRAM_NONE;
	REQUIRE(render(render_table, p, o).find('@') ==
		render(render_table, p, o).find("@32  pid"));
}

TEST_CASE("table: a histogram over every octave has twenty rows at most", "[table]")
{
	Profile p;
	Options o;
	syscall_stats *s = p.row(1, "write", true);

	for (int log = 0; log < 64; log++)
		syscall_stats_add_call(s, (int64_t)(1ULL << log >> 1), true, 1ULL << log >> 1);
	std::string text = render(render_table, p, o);
	size_t first = text.find("\nwrite  64 calls"), second = text.find("  bytes per call:"),
	       end = text.rfind("\n\n");
	REQUIRE(std::count(text.begin() + (long)first + 1, text.begin() + (long)second, '|') <=
		2 * 20);
	REQUIRE(std::count(text.begin() + (long)second, text.begin() + (long)end, '|') <= 2 * 20);
	REQUIRE(text.find(" 1100s or more ") != std::string::npos);
	REQUIRE(text.find("2 GiB or more ") != std::string::npos);
}

TEST_CASE("table: the rows of a histogram add up", "[table]")
{
	Profile p;
	std::string line;
	uint64_t sum = 0;

	for (int i = 0; i < 1000; i++)
		syscall_stats_add_call(p.row(3, "close"), 0, true, (uint64_t)i * i * i);
	std::istringstream lines(render(render_table, p, Options()));
	while (std::getline(lines, line)) {
		size_t bar = line.find('|');

		if (bar != std::string::npos)
			sum += std::stoull(line.substr(line.rfind(' ', bar - 2)));
	}
	REQUIRE(sum == 1000);
}

TEST_CASE("table: the list of renderers begins with the default, and names are its own", "[table]")
{
	REQUIRE(renderers[0] == &render_table);
	for (size_t i = 0; renderers[i]; i++) {
		REQUIRE((renderers[i]->render || renderers[i]->draw));
		for (size_t j = 0; j < i; j++)
			REQUIRE(std::string(renderers[i]->name) != renderers[j]->name);
	}
}
