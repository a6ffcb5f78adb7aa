// SPDX-License-Identifier: GPL-2.0
// Columns, their widths and orders, with figures that no real program reaches. The expected tables
// with strace's columns come from a model of its layout that was written independently of
// columns.c.
#include "unit/render_test.hpp"

#include <clocale>
#include <unistd.h>
#include <vector>

#include "lib/skip.hpp"

static std::string table(const profile &p, const render_options &o = Options())
{
	return "\n" + render(render_strace, p, o);
}

TEST_CASE("columns: columns grow with their figures", "[columns]")
{
	Profile p;

	p.figures(0, "read", 12345678901, 9999999999, 123456789012345678);
	p.figures(424, "pidfd_send_signal", 9, 0, 8999);
	p.figures(202, "futex", 1, 1, 123456789012000);
	REQUIRE(table(p) == R"(
% time          seconds   usecs/call       calls      errors syscall
------ ---------------- ------------ ----------- ----------- ------------------
 99.90 123456789.012346        10000 12345678901  9999999999 read
  0.10    123456.789012 123456789012           1           1 futex
  0.00         0.000009            1           9             pidfd_send_signal
------ ---------------- ------------ ----------- ----------- ------------------
100.00 123580245.801367        10009 12345678911 10000000000 total
)");
}

TEST_CASE("columns: a call may take six years", "[columns]")
{
	Profile p;

	p.figures(34, "pause", 1, 1, 200000000000000000);
	REQUIRE(table(p) == R"(
% time          seconds      usecs/call     calls    errors syscall
------ ---------------- --------------- --------- --------- ----------------
100.00 200000000.000000 200000000000000         1         1 pause
------ ---------------- --------------- --------- --------- ----------------
100.00 200000000.000000 200000000000000         1         1 total
)");
}

TEST_CASE("columns: ties are in the order of the numbers", "[columns]")
{
	Profile p;

	p.figures(3, "close", 2, 0, 2000);
	p.figures(1, "write", 3, 0, 2000);
	p.figures(0, "read", 4, 0, 2000);
	REQUIRE(table(p) == R"(
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 33.33    0.000002           0         4           read
 33.33    0.000002           0         3           write
 33.33    0.000002           1         2           close
------ ----------- ----------- --------- --------- ----------------
100.00    0.000006           0         9           total
)");
}

TEST_CASE("columns: calls that took no time have no share of it", "[columns]")
{
	Profile p;

	p.figures(1, "write", 3, 0, 0);
	p.figures(0, "read", 4, 4, 0);
	REQUIRE(table(p) == R"(
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
  0.00    0.000000           0         4         4 read
  0.00    0.000000           0         3           write
------ ----------- ----------- --------- --------- ----------------
100.00    0.000000           0         7         4 total
)");
}

TEST_CASE("columns: usecs/call is truncated", "[columns]")
{
	Profile p;

	p.figures(1, "write", 2, 0, 1999);	 // The mean, 999.5 ns, is rounded up to 1 us.
	p.figures(2, "open", 1, 0, 999);	 // The mean is not quite 1 us.
	p.figures(3, "close", 1000, 0, 1999000); // The mean is 1.999 us.
	REQUIRE(table(p) == R"(
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 99.85    0.001999           1      1000           close
  0.10    0.000002           1         2           write
  0.05    0.000001           0         1           open
------ ----------- ----------- --------- --------- ----------------
100.00    0.002002           1      1003           total
)");
}

TEST_CASE("columns: shortest and longest are as wide as their whole seconds", "[columns]")
{
	Profile p;

	// This is rounded up to 100.000000, which strace's column has no room for.
	p.figures(1, "write", 1, 0, 99999999999);
	REQUIRE(table(p, Options("time", "max-time,min-time,name")) == R"(
  longest  shortest syscall
--------- --------- ----------------
100.000000 100.000000 write
--------- --------- ----------------
100.000000 100.000000 total
)");
}

TEST_CASE("columns: each ABI has a table, and all but the native one a heading", "[columns]")
{
	Profile p;

	p.figures(4, "write", 1, 0, 2000, ABI_32);
	p.figures(1, "write", 1, 1, 3000, ABI_X32);
	REQUIRE(table(p) == R"(
System call usage summary for 32 bit mode:
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
100.00    0.000002           2         1           write
------ ----------- ----------- --------- --------- ----------------
100.00    0.000002           2         1           total
System call usage summary for x32 mode:
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
100.00    0.000003           3         1         1 write
------ ----------- ----------- --------- --------- ----------------
100.00    0.000003           3         1         1 total
)");
}

TEST_CASE("columns: there is no table without calls", "[columns]")
{
	Profile p;

	REQUIRE(table(p) == "\n");
	p.row(1, "write");
	REQUIRE(table(p) == "\n");
}

// A profile with a write for each result and latency.
static void add(Profile &p, int nr, const char *name, bool transfers,
		const std::vector<std::pair<int64_t, uint64_t>> &calls)
{
	for (auto [result, ns] : calls)
		REQUIRE(syscall_stats_add_call(p.row(nr, name, transfers), result, true, ns) == 0);
}

static void add_mixed(Profile &p)
{
	add(p, 1, "write", true, { { 4096, 800 }, { 4096, 900 }, { 100, 700 }, { -11, 100 } });
	add(p, 0, "read", true, { { 0, 2500 }, { 9, 1000000 } });
	add(p, 3, "close", false, { { 0, 400 } });
}

TEST_CASE("columns: iotrace's own columns are printed", "[columns]")
{
	Profile p;

	add_mixed(p);
	REQUIRE(table(p, Options("p50", "p50,p90,p99,p999,bytes,avg-bytes,calls,name")) == R"(
  p50 usecs   p90 usecs   p99 usecs p99.9 usecs       bytes  bytes/call     calls syscall
----------- ----------- ----------- ----------- ----------- ----------- --------- ----------------
      2.500    1000.000    1000.000    1000.000           9         4.5         2 read
      0.672       0.900       0.900       0.900        8292      2073.0         4 write
      0.400       0.400       0.400       0.400           -           -         1 close
----------- ----------- ----------- ----------- ----------- ----------- --------- ----------------
      0.800    1000.000    1000.000    1000.000        8301      1383.5         7 total
)");
}

TEST_CASE("columns: an unknown figure is a dash", "[columns]")
{
	Profile p;
	const char *times = "time,total-time,min-time,max-time,avg-time,p50,bytes,errors,name";

	add_mixed(p);
	p.unknown = UNKNOWN_LATENCY;
	REQUIRE(table(p, Options("name", times)) == R"(
% time     seconds shortest longest  usecs/call   p50 usecs       bytes    errors syscall
------ ----------- -------- ------- ----------- ----------- ----------- --------- ----------------
     -           -        -       -           -           -           -           close
     -           -        -       -           -           -           9           read
     -           -        -       -           -           -        8292         1 write
------ ----------- -------- ------- ----------- ----------- ----------- --------- ----------------
     -           -        -       -           -           -        8301         1 total
)");
	p.unknown = UNKNOWN_BYTES;
	REQUIRE(table(p, Options("name", "bytes,avg-bytes,total-time,name")) == R"(
      bytes  bytes/call     seconds syscall
----------- ----------- ----------- ----------------
          -           -    0.000000 close
          -           -    0.001002 read
          -           -    0.000003 write
----------- ----------- ----------- ----------------
          -           -    0.001005 total
)");
}

TEST_CASE("columns: a row whose calls were not timed has no times", "[columns]")
{
	Profile p;

	add(p, 3, "close", false, { { 0, 4000 } });
	REQUIRE(syscall_stats_add_call(p.row(39, "getpid"), -1, false, 0) == 0);
	REQUIRE(table(p) == R"(
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
100.00    0.000004           4         1           close
     -           -           -         1         1 getpid
------ ----------- ----------- --------- --------- ----------------
100.00    0.000004           4         2         1 total
)");
}

TEST_CASE("columns: names cannot break the table", "[columns]")
{
	Profile p;
	syscall_stats *s;

	p.figures(1, "a\033[2J\n\xff\xc2\x9b", 1, 0, 5);
	s = p.row(2, "");
	memset(s->name, 0x7f, sizeof(s->name)); // The name has no NUL.
	s->calls = 1;
	std::string text = table(p, Options("name", "name,calls"));
	for (unsigned char c : text)
		REQUIRE(((c >= 0x20 && c < 0x7f) || c == '\n'));
	REQUIRE(text.find("a\\x1b[2J\\n\\xff\\xc2\\x9b ") != std::string::npos);
}

static std::vector<int> order(const std::vector<const syscall_stats *> &rows, column_id sort)
{
	std::vector<const syscall_stats *> sorted = rows;
	std::vector<int> numbers;

	REQUIRE(column_sort(sorted.data(), sorted.size(), sort) == 0);
	for (const syscall_stats *s : sorted)
		numbers.push_back(s->nr);
	return numbers;
}

TEST_CASE("columns: every column sorts its figures from the biggest down", "[columns]")
{
	Profile p;
	const uint64_t huge = 1ULL << 60; // Totals that differ by 1 are the same to a double.
	using V = std::vector<int>;

	for (int nr = 0; nr < 4; nr++)
		p.row(nr, std::string(1, (char)('d' - nr)).c_str(), true);
	for (int nr = 0; nr < 4; nr++) {
		syscall_stats *s = &p.syscalls[nr];

		s->timed = s->calls = 10 + (unsigned)(nr == 1 || nr == 2);
		s->errors = (unsigned)nr % 2;
		s->total_ns = huge + (uint64_t)nr;
		s->min_ns = 1 + (unsigned)(nr == 3);
		s->max_ns = 1000000 - (unsigned)nr;
		s->bytes = 10 + (unsigned)(nr * 7 % 4);
		s->latency[latency_bucket(1000u << nr)] = 10;
	}
	std::vector<const syscall_stats *> rows = { &p.syscalls[2], &p.syscalls[0], &p.syscalls[3],
						    &p.syscalls[1] };
	REQUIRE(order(rows, COLUMN_NONE) == V{ 0, 1, 2, 3 });
	REQUIRE(order(rows, COLUMN_TIME_PERCENT) == V{ 3, 2, 1, 0 });
	REQUIRE(order(rows, COLUMN_TOTAL_TIME) == V{ 3, 2, 1, 0 });
	REQUIRE(order(rows, COLUMN_MIN_TIME) == V{ 3, 0, 1, 2 });
	REQUIRE(order(rows, COLUMN_MAX_TIME) == V{ 0, 1, 2, 3 });
	REQUIRE(order(rows, COLUMN_AVG_TIME) == V{ 0, 3, 1, 2 });
	REQUIRE(order(rows, COLUMN_CALLS) == V{ 1, 2, 0, 3 });
	REQUIRE(order(rows, COLUMN_ERRORS) == V{ 1, 3, 0, 2 });
	REQUIRE(order(rows, COLUMN_NAME) == V{ 3, 2, 1, 0 });
	for (column_id id : { COLUMN_P50, COLUMN_P90, COLUMN_P99, COLUMN_P999 })
		REQUIRE(order(rows, id) == V{ 3, 2, 1, 0 });
	REQUIRE(order(rows, COLUMN_BYTES) == V{ 1, 2, 3, 0 });
	// These are less than a byte apart: 13/11 > 12/11 > 11/10 > 10/10.
	REQUIRE(order(rows, COLUMN_AVG_BYTES) == V{ 1, 3, 2, 0 });
}

TEST_CASE("columns: -S and -U name an unknown word", "[columns]")
{
	column_id list[NR_COLUMNS], sort;
	size_t nr;
	char err[700];
	const auto names_all = [&](const std::string &begin) {
		const std::string text = err;
		size_t i = 0;

		for (; column_name(i); i++)
			if (text.find(std::string(" ") + column_name(i)) == std::string::npos)
				return false;
		return i > 20 && text.rfind(begin + "; columns are time-percent, ", 0) == 0;
	};

	REQUIRE(column_parse_sort(&sort, "fast\033", err, sizeof(err)) == -EINVAL);
	REQUIRE(names_all("invalid sortby: 'fast\033'"));
	REQUIRE(column_parse_list(list, &nr, "calls,colour,name", err, sizeof(err)) == -EINVAL);
	REQUIRE(names_all("unknown column name: 'colour'"));
	REQUIRE(column_parse_list(list, &nr, "calls,none", err, sizeof(err)) == -EINVAL);
	REQUIRE(names_all("unknown column name: 'none'"));
	REQUIRE(column_parse_list(list, &nr, "calls,", err, sizeof(err)) == -EINVAL);
	REQUIRE(names_all("unknown column name: ''"));
	REQUIRE(column_parse_list(list, &nr, "time,p50,median", err, sizeof(err)) == -EINVAL);
	REQUIRE(std::string(err) == "column given more than once: 'median'");
	REQUIRE(column_parse_sort(&sort, std::string(1000, 'x').c_str(), err, 20) == -EINVAL);
	REQUIRE(strlen(err) == 19);
}

TEST_CASE("columns: -U takes every column at once, and adds the name", "[columns]")
{
	column_id list[NR_COLUMNS];
	size_t nr;
	char err[200];

	REQUIRE(column_parse_list(
			list, &nr,
			"time,total-time,min-time,max-time,avg-time,calls,errors,p50,p90,"
			"p99,p999,bytes,avg-bytes,waits,wait-time,run-time,preempted,"
			"cpu-time,cpu-avg,estimated,total-error,rate,errors-rate,bytes-rate,"
			"idle-time,busy-percent,busy-time,busy-avg",
			err, sizeof(err)) == 0);
	REQUIRE(nr == NR_COLUMNS - 1);
	REQUIRE(list[nr - 1] == COLUMN_NAME);
}

TEST_CASE("columns: every column can be selected, sorted by, and printed", "[columns]")
{
	Profile p;

	add_mixed(p);
	for (int id = COLUMN_NONE + 1; id < NR_COLUMNS; id++) {
		Options o;

		CAPTURE(id);
		REQUIRE(columns[id].heading);
		REQUIRE(columns[id].width >= strlen(columns[id].heading));
		o.columns[0] = (column_id)id;
		o.nr_columns = 1;
		o.sort = (column_id)id;
		REQUIRE(!render(render_strace, p, o).empty());
	}
}

TEST_CASE("columns: waits and CPU time come by themselves where there are any, except in strace's "
	  "table",
	  "[columns]")
{
	Profile p;
	column_id list[NR_COLUMNS];
	size_t nr;

	add_mixed(p);
	for (int round = 0; round < 4; round++) {
		syscall_stats *read = p.row(0, "read", true);
		const bool waits = round & 1, cpu = round & 2;

		read->waits = waits;
		read->cpu_ns = cpu ? 3 : 0;
		column_default_list(list, &nr, &p, false);
		CHECK(nr == 6u + waits + cpu);
		CHECK(list[nr - 1] == COLUMN_NAME);
		if (waits)
			CHECK(list[5] == COLUMN_WAITS);
		if (cpu)
			CHECK(list[nr - 2] == COLUMN_CPU_TIME);
		CHECK_THAT(render(render_strace, p, Options()), !ContainsSubstring("waits"));
		column_default_list(list, &nr, nullptr, false);
		CHECK(nr == 6);
	}
	p.unknown = UNKNOWN_WAITS | UNKNOWN_CPU;
	column_default_list(list, &nr, &p, false);
	CHECK(nr == 6);
}

TEST_CASE("columns: rates are by the second that was traced", "[columns]")
{
	Profile p;

	add_mixed(p);
	p.elapsed_ns = 2000000000;
	REQUIRE(table(p, Options("rate", "calls,rate,errors-rate,bytes-rate,name")) == R"(
    calls     calls/s    errors/s     bytes/s syscall
--------- ----------- ----------- ----------- ----------------
        4        2.00        0.50     4146.00 write
        2        1.00        0.00        4.50 read
        1        0.50        0.00           - close
--------- ----------- ----------- ----------- ----------------
        7        3.50        0.50     4150.50 total
)");
	p.elapsed_ns = 0;
	CHECK_THAT(table(p, Options("rate", "rate,name")), ContainsSubstring("          - write"));
}

TEST_CASE("columns: the columns of waiting are printed, and sorted by", "[columns]")
{
	Profile p;

	add_mixed(p);
	p.slept(p.row(0, "read", true), 1, 1000000, 0);
	p.slept(p.row(1, "write", true), 0, 0, 3);
	p.row(1, "write", true)->cpu_ns = 2000;
	const char *all = "calls,waits,wait-time,run-time,preempted,cpu-time,cpu-avg,name";
	REQUIRE(table(p, Options("wait-time", all)) == R"(
    calls     waits   waiting s   running s preempted       CPU s CPU us/call syscall
--------- --------- ----------- ----------- --------- ----------- ----------- ----------------
        2         1    0.001000    0.000003              0.000000           0 read
        4              0.000000    0.000003         3    0.000002           0 write
        1              0.000000    0.000000              0.000000           0 close
--------- --------- ----------- ----------- --------- ----------- ----------- ----------------
        7         1    0.001000    0.000005         3    0.000002           0 total
)");
	CHECK(table(p, Options("cpu-time", "name")).find("write") <
	      table(p, Options("cpu-time", "name")).find("read"));
}

// Sets a locale whose decimal point is a comma. False: there is none, and none can be made.
static bool set_comma_locale(const std::string &dir)
{
	std::string make = "localedef -i de_DE -f UTF-8 " + dir + "/de_DE.UTF-8 >/dev/null 2>&1";

	for (const char *name : { "de_DE.UTF-8", "de_DE", "fr_FR.UTF-8" }) {
		if (setlocale(LC_ALL, name))
			return true;
	}
	if (system(make.c_str()))
		return false;
	setenv("LOCPATH", dir.c_str(), 1);
	return setlocale(LC_ALL, "de_DE.UTF-8");
}

TEST_CASE("columns: numbers are the same in every locale", "[columns]")
{
	char dir[] = "/tmp/iotrace-test-XXXXXX";
	bool usable = mkdtemp(dir) && set_comma_locale(dir);
	std::string printed, wanted;
	char comma[16] = "";
	Profile p;

	if (usable) {
		add_mixed(p);
		snprintf(comma, sizeof(comma), "%.1f", 1.5);
		wanted = render(render_table, p, Options("p50", "time,total-time,avg-bytes,p50"));
		setlocale(LC_ALL, "C");
		printed = render(render_table, p, Options("p50", "time,total-time,avg-bytes,p50"));
	}
	unsetenv("LOCPATH");
	if (system((std::string("rm -rf ") + dir).c_str()) || !usable)
		SKIP_CASE("no locale with a decimal comma, and localedef cannot make one");
	REQUIRE(std::string(comma) == "1,5");
	REQUIRE(printed == wanted);
}

TEST_CASE("columns: strace's names of wall-clock times stand for the times here", "[columns]")
{
	const struct {
		const char *theirs, *ours;
	} names[] = {
		{ "wall-total", "total-time" }, { "wall-min", "min-time" },
		{ "wall-max", "max-time" },	{ "wall-avg", "avg-time" },
		{ "wall_total", "total-time" },
	};
	char err[100];

	for (const auto &name : names) {
		enum column_id theirs, ours;

		REQUIRE(column_parse_sort(&theirs, name.theirs, err, sizeof(err)) == 0);
		REQUIRE(column_parse_sort(&ours, name.ours, err, sizeof(err)) == 0);
		CHECK(theirs == ours);
	}
	enum column_id list[NR_COLUMNS];
	size_t nr;
	REQUIRE(column_parse_list(list, &nr, "wall-total,wall-avg,calls,name", err, sizeof(err)) ==
		0);
	CHECK(nr == 4);
	CHECK(column_parse_list(list, &nr, "wall-total,total-time", err, sizeof(err)) == -EINVAL);
}
