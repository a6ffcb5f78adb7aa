// SPDX-License-Identifier: GPL-2.0
// The table of a server: busy times, and below the total what waited for others.
#include "unit/render_test.hpp"

// A server: reads and epoll_wait wait for what clients send, fsync for the disk.
static void add_server(Profile &p)
{
	struct {
		int nr;
		const char *name;
		uint64_t calls, total_ns, waits, wait_ns, idle_ns;
	} const calls[] = {
		{ 0, "read", 2000, 3000000000, 1000, 2998000000, 2998000000 },
		{ 74, "fsync", 10, 40000000, 10, 40000000, 0 },
		{ 1, "write", 2000, 6000000, 0, 0, 0 },
		{ 232, "epoll_wait", 5, 7000000000, 5, 7000000000, 7000000000 },
	};

	for (const auto &c : calls) {
		p.figures(c.nr, c.name, c.calls, 0, c.total_ns);
		syscall_stats *s = p.row(c.nr, c.name);
		s->waits = c.waits;
		s->wait_ns = c.wait_ns;
		s->idle_ns = c.idle_ns;
	}
}

static Options by_default()
{
	Options o;

	o.sort = COLUMN_BY_DEFAULT;
	o.histogram = HISTOGRAM_NONE;
	o.sections = SECTION_SUMMARY;
	return o;
}

TEST_CASE("waiting row: what waited for others stands apart from work, and the disk is work",
	  "[waiting]")
{
	Profile p;
	Options o = by_default();

	add_server(p);
	CHECK("\n" + render(render_table, p, o) == R"(
% busy      busy s busy us/call     calls    errors     waits syscall
------ ----------- ------------ --------- --------- --------- ----------------
 83.33    0.040000         4000        10                  10 fsync
 12.50    0.006000            3      2000                     write
  4.17    0.002000            1      2000                1000 read
  0.00    0.000000            0         5                   5 epoll_wait
------ ----------- ------------ --------- --------- --------- ----------------
100.00    0.048000           11      4015                1015 total
          9.998000                                            waiting: epoll_wait 70 %, read 30 %
)");
	CHECK_THAT(render(render_markdown, p, o),
		   ContainsSubstring(
			   "| 9.998000 |  |  |  |  | waiting: epoll\\_wait 70 %, read 30 % |"));
}

TEST_CASE("waiting row: strace's times have all waiting in them, with -w and in its format",
	  "[waiting]")
{
	Profile p;
	Options o = by_default();

	add_server(p);
	const std::string strace = render(render_strace, p, o);
	CHECK("\n" + strace == R"(
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 69.68    7.000000     1400000         5           epoll_wait
 29.86    3.000000        1500      2000           read
  0.40    0.040000        4000        10           fsync
  0.06    0.006000           3      2000           write
------ ----------- ----------- --------- --------- ----------------
100.00   10.046000        2502      4015           total
)");
	o.wall = true;
	const std::string wall = render(render_table, p, o);
	CHECK_THAT(wall,
		   StartsWith("% time     seconds  usecs/call     calls    errors     waits "));
	CHECK(wall.find("epoll_wait") < wall.find("fsync"));
	CHECK_THAT(wall, !ContainsSubstring("waiting"));
}

TEST_CASE("waiting row: without a wait for others, or with none known, the times are strace's",
	  "[waiting]")
{
	Profile p, unknown;

	p.figures(1, "write", 2000, 0, 6000000);
	p.figures(74, "fsync", 10, 0, 40000000);
	p.row(74, "fsync")->wait_ns = 40000000;
	CHECK_THAT(render(render_table, p, by_default()), StartsWith("% time     seconds"));
	add_server(unknown);
	unknown.unknown = UNKNOWN_IDLE | UNKNOWN_WAITS;
	const std::string text = render(render_table, unknown, by_default());
	CHECK_THAT(text, StartsWith("% time     seconds"));
	CHECK(text.find("epoll_wait") < text.find("fsync"));
}

TEST_CASE("waiting row: what waited is told by name where that is the last column", "[waiting]")
{
	Profile p;

	add_server(p);
	p.figures(7, "poll", 1, 0, 1000);
	p.row(7, "poll")->idle_ns = 1000;
	CHECK("\n" + render(render_strace, p, Options("busy", "name,busy-time,idle-time")) == R"(
syscall               busy s      idle s
---------------- ----------- -----------
fsync               0.040000    0.000000
write               0.006000    0.000000
read                0.002000    2.998000
poll                0.000000    0.000001
epoll_wait          0.000000    7.000000
---------------- ----------- -----------
total               0.048000    9.998001
waiting             9.998001    9.998001
)");
	CHECK_THAT(render(render_strace, p, Options("calls", "busy-time,calls")),
		   EndsWith("waiting: epoll_wait 70 %, read 30 %\n"));
	CHECK_THAT(render(render_strace, p, Options("calls", "calls,name")),
		   !ContainsSubstring("waiting"));
}
