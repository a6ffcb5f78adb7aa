// SPDX-License-Identifier: GPL-2.0
// What holds for all rules: which findings there are, how severe, and in what order.
#include "unit/found.hpp"

TEST_CASE("findings: no rule for files applies to (other) and to paths that could not be opened",
	  "[findings]")
{
	FileProfile p;

	add_lines(p, 1000, FILE_KIND_OTHER);
	CHECK(Found(p).ids() == "");
}

TEST_CASE("findings: without times, calls are predicted and time is not", "[findings]")
{
	FileProfile p;

	p.unknown = UNKNOWN_LATENCY;
	call_on(add_lines(p, 100000), "write")->total_ns = 0;
	const Found found(p);
	CHECK(found.first().predicted);
	CHECK_FALSE(found.first().gain.known);
	CHECK(found.first().basis == nullptr);
	CHECK(found.first().severity == SEVERITY_INFO);
}

TEST_CASE("findings: times that are not the calls' own predict no gain", "[findings]")
{
	FileProfile p;

	p.unknown = UNKNOWN_GAINS;
	add_lines(p, 100000);
	const Found found(p);
	CHECK(found.first().predicted);
	CHECK_FALSE(found.first().gain.known);
	CHECK(found.first().basis == nullptr);
	CHECK(found.first().share == 0);
	CHECK(found.first().severity == SEVERITY_INFO);
}

TEST_CASE("findings: the most severe comes first, and the threshold is where it is said to be",
	  "[findings]")
{
	FileProfile p;

	p.calibration = {};
	add_calls(p.file(3, FILE_KIND_REGULAR, "/a"), "read", 1000, 1, 50000);	// 5 %.
	add_calls(p.file(4, FILE_KIND_REGULAR, "/b"), "read", 1000, 1, 200000); // 20 %.
	add_calls(p.file(5, FILE_KIND_REGULAR, "/c"), "read", 1000, 1, 9999);	// Less than 1 %.
	const Found found(p);
	CHECK(found.ids() == "tiny-reads /b, tiny-reads /a, tiny-reads /c");
	CHECK((&found.first())[0].severity == SEVERITY_HIGH);
	CHECK((&found.first())[1].severity == SEVERITY_MEDIUM);
	CHECK((&found.first())[2].severity == SEVERITY_INFO);
}

TEST_CASE("findings: unknown files give no finding", "[findings]")
{
	FileProfile p;

	add_lines(p, 1000);
	p.unknown = UNKNOWN_FILES;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("findings: up to three alike are told apart, more are one", "[findings]")
{
	for (unsigned nr : { 3, 4 }) {
		FileProfile p;

		for (unsigned i = 0; i < nr; i++) {
			const std::string path = "/" + std::string(1, static_cast<char>('a' + i));

			add_calls(p.file(3 + i, FILE_KIND_REGULAR, path.c_str()), "write", 1000, 4,
				  10000 + i);
		}
		const Found found(p);
		if (nr == 3) {
			CHECK(found.ids() == "tiny-writes /c, tiny-writes /b, tiny-writes /a");
			continue;
		}
		const finding &f = found.first();
		CHECK(found.ids() == "tiny-writes /d");
		CHECK(f.files == 4);
		CHECK(f.calls == 4000);
		CHECK(f.predicted_calls == 4);
		CHECK(f.share == Approx(4 * 0.00995).epsilon(0.001)); // The run takes 1 s.
		CHECK_THAT(f.evidence, ContainsSubstring("on 3 more, with 4,000 calls in all"));
	}
}

TEST_CASE("findings: many that weigh little weigh much together", "[findings]")
{
	FileProfile p;
	const struct busy busy = { 100000000, 0, 0, 0, 0, 0, 0 };

	for (unsigned i = 0; i < 15; i++) {
		const std::string path = "/" + std::string(1, static_cast<char>('a' + i));
		file_stats *f = p.file(3 + i, FILE_KIND_REGULAR, path.c_str());

		/* Each file takes about 1 of 100 ms. */
		add_calls(f, "write", 1000, 4, 1000)->newlines = 0;
		f->busy = busy;
	}
	p.busy = busy;
	p.elapsed_ns = 100000000;
	const Found found(p);
	CHECK(found.all().nr == 1);
	CHECK(found.first().severity == SEVERITY_MEDIUM);
	CHECK(found.first().share == Approx(15 * 0.0095).epsilon(0.01));
}

TEST_CASE("findings: people see those that gain something, or all if they ask", "[findings]")
{
	FileProfile p;

	p.calibration = {};
	add_calls(p.file(3, FILE_KIND_REGULAR, "/a"), "read", 1000, 1, 9999);  // Less than 1 %.
	add_calls(p.file(4, FILE_KIND_REGULAR, "/b"), "read", 1000, 1, 10000); // 1 %.
	const Found found(p);
	CHECK(found.ids() == "tiny-reads /b, tiny-reads /a");
	CHECK(findings_wanted(&found.all(), false) == 1);
	CHECK(findings_wanted(&found.all(), true) == 2);
	p.unknown = UNKNOWN_LATENCY; // Their gain is not known then.
	CHECK(findings_wanted(&Found(p).all(), false) == 2);
}

TEST_CASE("findings: five are shown", "[findings]")
{
	FileProfile p;

	p.calibration = {};
	for (int i = 0; i < 7; i++) {
		const std::string path = "/" + std::string(1, static_cast<char>('a' + i));
		file_stats *f = p.file(3 + i, FILE_KIND_REGULAR, path.c_str());

		f->language = static_cast<enum language>(LANGUAGE_C + i);
		add_calls(f, "write", 1000, 1, 20000);
	}
	const Found found(p);
	CHECK(findings_wanted(&found.all(), false) == 7);
	CHECK(findings_shown(&found.all(), false) == 5);
	CHECK(findings_shown(&found.all(), true) == 5);
}

TEST_CASE("findings: a database and its journal are one finding", "[findings]")
{
	FileProfile p;

	for (const char *path : { "/db", "/db-journal", "/other" }) {
		file_stats *f =
			p.file(3 + static_cast<unsigned>(p.nr_files), FILE_KIND_REGULAR, path);

		add_calls(f, "write", 100, 100, 1000);
		add_calls(f, "fsync", 100, 0, path[1] == 'o' ? 100000 : 300000);
	}
	const Found found(p);
	CHECK(found.all().nr == 2);
	CHECK(found.first().files == 2);
	CHECK(found.first().calls == 200);
	CHECK(found.first().path == std::string("/db"));
	CHECK_THAT(found.first().evidence, ContainsSubstring("; with /db-journal, 200 calls"));
}

TEST_CASE("findings: all of them together gain no more than the run", "[findings]")
{
	FileProfile p;
	double sum = 0;

	p.elapsed_ns = 2000000;
	add_lines(p, 1000);
	add_calls(p.file(4, FILE_KIND_REGULAR, "/b"), "read", 1000, 4, 1000);
	add_calls(p.file(5, FILE_KIND_REGULAR, "/c"), "read", 1000, 4, 1000);
	const Found found(p);
	for (size_t i = 0; i < found.all().nr; i++) {
		const gain &g = found.all().list[i].gain;

		CHECK(g.share.low <= g.share.high);
		CHECK(g.wall_ns.low <= g.wall_ns.high);
		sum += g.share.high;
	}
	CHECK(found.all().nr == 3);
	CHECK(sum == Approx(1));
}

TEST_CASE("findings: the manual page describes each of them", "[findings]")
{
	const std::string page = read_file("src/iotrace.1");

	for (size_t i = 0; findings_id(i); i++) {
		std::string name;

		for (const char *c = findings_id(i); *c; c++)
			name += *c == '-' ? std::string("\\-") : std::string(1, *c);
		INFO(name);
		CHECK(page.find(".TP\n.B " + name + "\n") != std::string::npos);
	}
}
