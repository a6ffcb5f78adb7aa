// SPDX-License-Identifier: GPL-2.0
// Where calls come from: places, their forms, and captures of them.
#include "unit/capture_test.hpp"
#include "unit/sites_test.hpp"

extern "C" {
#include "model/code.h"
}

#include <algorithm>

namespace
{
// Without what only lines the columns up.
std::string squeezed(const std::string &text)
{
	std::string out;

	for (char c : text)
		if (c != ' ' || (!out.empty() && out.back() != ' ' && out.back() != '\n'))
			out += c;
	return out;
}

std::string owner(const char *function, const char *source, const char *object)
{
	code_frame f = { (char *)function,
			 (char *)source,
			 source ? 7U : 0,
			 (char *)object,
			 nullptr,
			 0,
			 false,
			 nullptr };
	static const char *const names[] = { "runtime", "unnamed", "library", "own" };

	return names[code_owner(&f)];
}
} // namespace

TEST_CASE("sites: the user's own code is told from that of others")
{
	CHECK(owner("main", "/home/me/app.c", "/home/me/app") == "own");
	CHECK(owner("main", nullptr, "/home/me/app") == "unnamed");
	CHECK(owner(nullptr, nullptr, "/usr/sbin/nginx") == "unnamed");
	CHECK(owner("__write", "../sysdeps/unix/sysv/linux/write.c",
		    "/usr/lib/x86_64-linux-gnu/libc.so.6") == "runtime");
	CHECK(owner("std::endl<char>", "/usr/include/c++/12/ostream", "/home/me/app") == "runtime");
	CHECK(owner("fmt.Fprintf", "/usr/local/go/src/fmt/print.go", "/home/me/app") == "runtime");
	CHECK(owner("fmt.Fprintf", "fmt/print.go", "/home/me/app") == "runtime");
	CHECK(owner("example.org/fmt.Print", "example.org/fmt/print.go", "/home/me/app") == "own");
	CHECK(owner("_path_stat", "<frozen importlib._bootstrap>", "python") == "library");
	CHECK(owner("FileHandler.emit", "/usr/lib/python3.11/logging/__init__.py", "python") ==
	      "library");
	CHECK(owner("f", "/usr/lib/python3/dist-packages/django/x.py", "python") == "own");
	CHECK(owner("uv_fs_write", nullptr, "/usr/lib/x86_64-linux-gnu/libuv.so.1.0.0") ==
	      "runtime");
	CHECK(owner("sv_setsv", nullptr, "/usr/bin/perl") == "runtime");
	CHECK(owner("uv__fs_write", "deps/uv/src/unix/fs.c", "/usr/bin/node") == "runtime");
	CHECK(owner("main", "/ws/src/node.cpp", "/ws/install/lib/robot/node") == "own");
	CHECK(owner("writeSync", "node:fs", "[jit]") == "library");
	CHECK(owner("lines", "/tmp/lines.js", "[jit]") == "own");
	CHECK(owner("Java_f", nullptr, "[jit]") == "unnamed");
	CHECK(owner("main.main", "/home/me/node_exporter.go", "/usr/bin/node_exporter") == "own");
	CHECK(owner("main.main", nullptr, "/usr/bin/node_exporter") == "unnamed");
	for (const char *rust :
	     { "<&std::fs::File as std::io::Write>::write",
	       "<std::fs::File as std::io::Write>::write",
	       "<&mut alloc::vec::Vec<u8> as std::io::Write>::write_all",
	       "<&dyn core::ops::function::Fn() as core::ops::function::FnOnce<()>>::call_once",
	       "<i32 as core::fmt::Display>::fmt", "<[T] as alloc::slice::Concat<I>>::concat",
	       "<*mut T as core::fmt::Debug>::fmt" }) {
		CAPTURE(rust);
		CHECK(owner(rust, nullptr, "/home/me/app") == "runtime");
	}
	CHECK(owner("<app::Log as std::io::Write>::write", nullptr, "/home/me/app") == "unnamed");
	CHECK(owner("<&app::Log as core::fmt::Display>::fmt", nullptr, "/home/me/app") ==
	      "unnamed");
	CHECK(owner("<i32 as app::Put>::put", nullptr, "/home/me/app") == "unnamed");
	CHECK(owner("write",
		    "/home/me/.rustup/toolchains/stable/lib/rustlib/src/rust/library/std/src/fs.rs",
		    "/home/me/app") == "runtime");
	CHECK(owner(nullptr, nullptr, nullptr) == "runtime");
}

TEST_CASE("sites: text has the nearest function of the user's own and its callers")
{
	Sampled p;
	const size_t libc = p.frame("write", nullptr, 0, "/usr/lib/libc.so.6");
	const size_t emit = p.frame("emit(int)", "/src/log.cpp", 12);
	const size_t main = p.frame("main", "/src/app.cpp", 99);

	p.sample({ libc, emit, main }, 75);
	p.sample({ libc, main }, 25);
	CHECK(squeezed(p.text()) == "From: log.cpp:12 emit(int) ← main() app.cpp:99 75 %\n"
				    "app.cpp:99 main() 25 %\n"
				    "(estimated from 2 samples, ±58 points)\n");
}

TEST_CASE("sites: shares are of the time where that is asked for, and small ones are told as such")
{
	Sampled p;
	const size_t often = p.frame("often", "/src/app.c", 5),
		     slow = p.frame("slow", "/src/app.c", 9);

	p.sample({ often }, 999);
	p.sample({ slow }, 1);
	CHECK(squeezed(p.text()) == "From: app.c:5 often() 100 %\napp.c:9 slow() <1 %\n"
				    "(estimated from 2 samples, ±80 points)\n");
	p.file->sites[1].ns = 3 * p.file->sites[0].ns;
	CHECK(squeezed(p.text(false, WEIGHT_TIME)) ==
	      "From: app.c:9 slow() 75 % of the time\napp.c:5 often() 25 % of the time\n"
	      "(estimated from 2 samples, ±37 points)\n");
}

TEST_CASE("sites: how far shares may be wrong is told unless each call has a sample")
{
	Sampled each, many;

	for (unsigned i = 0; i < 2; i++)
		each.sample({ each.frame("f", "/src/app.c", 5 + i) }, 1);
	CHECK_THAT(each.text(), !Catch::Contains("samples"));
	for (unsigned i = 0; i < 2; i++)
		many.sample({ many.frame("f", "/src/app.c", 5 + i) }, 1000);
	for (unsigned i = 0; i < 2; i++) {
		many.file->sites[i].samples = 50;
		many.file->sites[i].calls_variance = 50 * 20 * 20;
	}
	// Of 100 samples that weigh the same, half are of one: sqrt(1/4 / 100) is 5 %.
	CHECK_THAT(many.text(), Catch::Contains("(estimated from 100 samples, ±10 points)"));
	for (unsigned i = 0; i < 2; i++)
		many.file->sites[i].calls_variance /= 2500;
	CHECK_THAT(many.text(), !Catch::Contains("samples"));
}

TEST_CASE("sites: a function without lines in a program that has some is shown")
{
	for (const char *libc : { "/usr/lib/libc.so.6", "/srv/app" }) {
		Sampled p;
		const bool apart = strcmp(libc, "/srv/app") != 0;

		// A static program has libc's functions, which have no lines either.
		p.sample({ p.frame("write", nullptr, 0, libc),
			   p.frame("without_g", nullptr, 0, "/srv/app"),
			   p.frame("of_another", nullptr, 0, "/srv/other"),
			   p.frame("main", "/src/app.c", 24),
			   p.frame("_start", nullptr, 0, "/srv/app") },
			 1);
		INFO(libc);
		CHECK(squeezed(p.text()) ==
		      std::string("From: ") +
			      (apart ? "without_g() (app) ← main() app.c:24" : "app.c:24 main()") +
			      " 100 %\n");
	}
}

TEST_CASE("sites: the error of a share is that of a ratio")
{
	// n samples of weight 1/n are binomial: p (1 - p) / n.
	CHECK(site_share_error(0.2, 0.2 / 1e6, 1 / 1e6) ==
	      Approx(std::sqrt(0.2 * 0.8 / 1e6)).epsilon(0.01));
	// The share of few and heavy samples is less sure than that of all.
	CHECK(site_share_error(0.2, 0.02, 0.01) == Approx(std::sqrt(0.6 * 0.02 + 0.04 * 0.01)));
	CHECK(site_share_error(0.3, 0, 0) == 0);
}

TEST_CASE("sites: few samples of one site do not say that there is no other")
{
	// Wilson's interval for n of n ends at n / (n + 1.96^2).
	for (double n : { 1.0, 5.0, 100.0 }) {
		const double below = 1 - n / (n + 1.96 * 1.96);
		INFO(n);
		CHECK(1.96 * site_share_error(1, 1 / n, 1 / n) == Approx(below));
		CHECK(1.96 * site_share_error(0, 0, 1 / n) == Approx(below));
	}
	Sampled p;
	p.sample({ p.frame("f", "/src/app.c", 5) }, 1500);
	CHECK(squeezed(p.text()) ==
	      "From: app.c:5 f() 100 %\n(estimated from 1 sample, ±80 points)\n");
	p.file->sites[0].samples = 50;
	p.file->sites[0].calls_variance = 50 * 30 * 30;
	CHECK(squeezed(p.text()) == "From: app.c:5 f() 100 %\n");
}

TEST_CASE("sites: the nearest function with a line is shown, whatever has none before it")
{
	Sampled p;
	std::vector<size_t> chain{ p.frame("write", nullptr, 0, "/usr/lib/libc.so.6") };

	for (int i = 0; i < 4; i++)
		chain.push_back(p.frame(("a_long_name_of_the_runtime_" + std::to_string(i)).c_str(),
					nullptr, 0, "/srv/app"));
	chain.push_back(p.frame("emit", "/src/app.ml", 3, "/srv/app"));
	chain.push_back(p.frame("main", "/src/app.ml", 9, "/srv/app"));
	p.sample(chain, 1);
	CHECK(squeezed(p.text()) ==
	      "From: a_long_name_of_the_runtime_0() (app) ← ... ← emit() app.ml:3 ← "
	      "main() app.ml:9 100 %\n");
}

TEST_CASE("sites: what no sample has any of is shared as the calls are")
{
	site untimed = { ABI_64, 1, 0, 3, 30, 0, 0, 25, 0 };
	site all = { ABI_64, 1, 0, 4, 40, 0, 0, 0, 0 };

	site_scale(&untimed, &all, 400, 8000, 4000);
	CHECK(untimed.calls == 300);
	CHECK(untimed.ns == 6000);
	CHECK(untimed.bytes == 3000);
	CHECK(untimed.calls_variance == 2500 + 0.75 * 360 * 360);
	site timed = { ABI_64, 1, 0, 1, 10, 600, 50, 0, 400 };
	all = { ABI_64, 1, 0, 4, 40, 800, 500, 0, 0 };
	site_scale(&timed, &all, 400, 8000, 4000);
	CHECK(timed.calls == 100);
	CHECK(timed.ns == 6000);
	CHECK(timed.bytes == 400);
	CHECK(timed.ns_variance == 40000 + 0.75 * 7200 * 7200);
}

TEST_CASE("sites: what brings the lines that a program lacks is told once, and escaped")
{
	Sampled p;
	const size_t near = p.frame(nullptr, nullptr, 0, "/srv/a\033[1m"),
		     far = p.frame("main", nullptr, 0, "/srv/a\033[1m"),
		     other = p.frame("g", nullptr, 0, "/usr/sbin/other");

	p.stacks.frames[other].package = strdup("other\ndbgsym");
	p.sample({ near, far }, 50);
	p.sample({ far }, 20);
	p.sample({ other }, 10);
	std::string text = p.text();
	CHECK_THAT(text,
		   Catch::EndsWith("\n        a\\x1b[1m: no lines are known; build it with -g, or "
				   "set DEBUGINFOD_URLS.\n        other: no lines are known; "
				   "install other\\ndbgsym, or set DEBUGINFOD_URLS.\n"));
	CHECK(std::count(text.begin(), text.end(), '\n') == 6);

	Sampled q;
	q.sample({ q.frame("g", nullptr, 0, "/usr/sbin/other"), q.frame("f", "/src/app.c", 10) },
		 10);
	q.sample({ q.frame("h", nullptr, 0, "[jit]") }, 10);
	CHECK_THAT(q.text(), !Catch::Contains("no lines are known"));
	CHECK_THAT(q.text(true), !Catch::Contains("no lines are known"));
}

TEST_CASE("sites: no more than three places are listed, and the others counted")
{
	Sampled p;

	for (unsigned i = 0; i < 5; i++)
		p.sample({ p.frame("f", "/src/app.c", 10 + i) }, 40 - 10.0 * i + 5);
	std::string text = p.text();
	CHECK(std::count(text.begin(), text.end(), '\n') == 5);
	CHECK_THAT(text, Catch::EndsWith("        and at least 2 more sites (16 %)\n"
					 "        (estimated from 5 samples, ±52 points)\n"));
	// There is hardly another one if few have but one sample.
	for (size_t i = 0; i < p.file->nr_sites; i++)
		p.file->sites[i].samples = 2;
	CHECK_THAT(p.text(), Catch::Contains("        and 2 more sites (16 %)\n"));
}

TEST_CASE("sites: a recursion is told once, and places that look alike together")
{
	Sampled p;
	const size_t walk = p.frame("walk", "/src/app.c", 10),
		     main = p.frame("main", "/src/app.c", 20);

	p.sample({ walk, walk, walk, main }, 1);
	p.sample({ walk, main }, 1);
	std::string text = p.text();
	CHECK(std::count(text.begin(), text.end(), '\n') == 1);
	CHECK_THAT(text, Catch::Contains("app.c:10 walk() ← main() app.c:20"));
	CHECK_THAT(text, Catch::Contains("100 %"));
}

TEST_CASE("sites: an interpreter stands for what it executes, and says how that can be known")
{
	Sampled p;

	p.sample({ p.frame("write", nullptr, 0, "/usr/lib/libc.so.6"),
		   p.frame(nullptr, nullptr, 0, nullptr),
		   p.frame("v8::x", nullptr, 0, "/usr/lib/libnode.so.108") },
		 10);
	CHECK_THAT(p.text(),
		   Catch::StartsWith("  From: node (no map: run it with --perf-basic-prof) "));
	CHECK_THAT(p.text(true), Catch::Contains("v8::x() (libnode.so.108)"));

	Sampled mapped;
	mapped.sample({ mapped.frame("lines", "/srv/a.js", 3, "[jit]") }, 90);
	mapped.sample({ mapped.frame("v8::x", nullptr, 0, "/usr/lib/libnode.so.108") }, 10);
	CHECK_THAT(mapped.text(), Catch::Contains("        node (its own code) "));

	Sampled perl;
	perl.sample({ perl.frame("PerlIO_flush", nullptr, 0, "/usr/bin/perl") }, 10);
	CHECK_THAT(perl.text(), Catch::StartsWith("  From: perl (its functions are not known) "));
}

TEST_CASE("sites: it is told if samples are missing")
{
	const auto told = [](uint64_t lost) {
		Sampled p;
		char *text = nullptr;
		size_t size;
		FILE *out = open_memstream(&text, &size);

		p.stacks.samples = 1120;
		p.stacks.lost = lost;
		print_missing_samples(out, &p.stacks);
		fclose(out);
		const std::string copy = text;
		free(text);
		return copy;
	};

	CHECK(told(0).empty());
	CHECK_THAT(told(394), Catch::StartsWith("Of 1,514 samples of stacks 394 could not be "));
}

TEST_CASE("sites: hostile names are escaped, and cut")
{
	Sampled p;

	p.sample({ p.frame("a\x1b[2J\xff", "/src/\n", 3) }, 10);
	CHECK_THAT(p.text(), Catch::Contains("\\n:3 a\\x1b[2J\\xff()"));
	CHECK_THAT(p.text(), !Catch::Contains("\x1b"));

	Sampled q;
	q.sample({ q.frame(std::string(4000, 'n').c_str(), "/src/a.c", 3) }, 1);
	CHECK(q.text().size() < 130);
}

TEST_CASE("sites: folded stacks begin with the outermost function and end with the call")
{
	Sampled p;
	const size_t libc = p.frame("write", nullptr, 0, "/usr/lib/libc.so.6");

	p.sample({ libc, p.frame("a;b", "/src/app.c", 4), p.frame(nullptr, nullptr, 0) }, 60);
	p.sample({ libc }, 40, true);
	Options o;
	CHECK(render(render_folded, p, o) == "app+0x1234;a:b (app.c:4);write;write 60\n"
					     "[cut];write;write 40\n");
	o.weight = WEIGHT_BYTES;
	CHECK_THAT(render(render_folded, p, o), Catch::Contains(";write 600\n"));
	// The numbers add up to what was counted.
	syscall_stats *futex = p.row(202, "futex");
	futex->calls = 7;
	o.weight = WEIGHT_CALLS;
	CHECK_THAT(render(render_folded, p, o), Catch::EndsWith("[not sampled];futex 7\n"));
	o.sections = SECTION_STACKS;
	CHECK_THAT(render(render_table, p, o),
		   Catch::Contains("Of 107 calls 7 are on files, or of syscalls, that no sample "));
	o.weight = WEIGHT_TIME;
	CHECK_THAT(render(render_folded, p, o), Catch::Contains(";write 60000\n"));
}

TEST_CASE("sites: a capture has all of it, also of calls without a file")
{
	Sampled p;
	syscall_stats *futex = p.row(202, "futex");
	futex->calls = futex->timed = futex->latency[latency_bucket(1000)] = 7;
	futex->total_ns = 7000;
	futex->min_ns = futex->max_ns = 1000;

	p.sample({ p.frame("emit", "/src/log.c", 12), p.frame("main", "/src/app.c", 99) }, 100);
	p.add_stack({ 1 }, true);
	site waits = { ABI_64, 202, 1, 2, 7, 7000, 0, 25, 25000000 };
	REQUIRE(sites_add(&p.stacks.sites, &p.stacks.nr_sites, &waits) == 0);
	p.backend = "bpf";
	p.entered = p.returned = 107;
	const std::string text = json_of(p);
	Capture back(text);
	CAPTURE(back.err);
	REQUIRE(back.result == 0);
	CHECK(json_of(back.profile) == text);
	REQUIRE(back.profile.stacks.nr_sites == 1);
	CHECK(back.profile.stacks.sites[0].calls == 7);
	CHECK(back.profile.stacks.stacks[1].cut);
}

TEST_CASE("sites: a run and its capture say the same of numbers that are not whole")
{
	auto said_of = [](const profile &p) {
		file_stats *files = nullptr;
		size_t nr = 0;
		std::string said;

		REQUIRE(files_by_path(&p, &files, &nr) == 0);
		for (size_t i = 0; i < nr; i++)
			for (size_t k = 0; k < files[i].nr_sites; k++) {
				const site &s = files[i].sites[k];
				for (double n :
				     { s.calls, s.ns, s.bytes, s.calls_variance, s.ns_variance })
					said += std::to_string(n) + " ";
			}
		files_free(files, nr);
		return said;
	};
	Sampled p;
	const size_t writer = p.frame("writer", "app.c", 4), again = p.frame("again", "app.c", 9);

	p.sample({ writer }, 10.0 / 3);
	p.sample({ writer }, 12.0 / 7);
	p.sample({ again }, 31.4);
	p.entered = p.returned = 100;
	const Capture back(json_of(p));
	CAPTURE(back.err);
	REQUIRE(back.result == 0);
	CHECK(said_of(p).substr(0, 9) == "3.000000 ");
	CHECK(said_of(p) == said_of(back.profile));
}

TEST_CASE("sites: a capture with indices that lead nowhere is refused")
{
	Sampled p;

	p.sample({ p.frame("emit", "/src/log.c", 12) }, 100);
	p.entered = p.returned = 100;
	const std::string text = json_of(p);
	for (const auto &[from, to] : std::vector<std::pair<std::string, std::string>>{
		     { "\"frames\": [0]", "\"frames\": [1]" },
		     { "\"stack\": 0", "\"stack\": 1" },
		     { "\"line\": 12", "\"line\": -1" } }) {
		const size_t at = text.find(from);

		CAPTURE(from);
		REQUIRE(at != std::string::npos);
		Capture back(std::string(text).replace(at, from.size(), to));
		CHECK(back.result == -EINVAL);
	}
}

TEST_CASE("sites: a copy of a profile has none, as it has no stacks")
{
	Sampled p;
	Profile copy;

	p.sample({ p.frame("emit", "/src/log.c", 12) }, 100);
	REQUIRE(profile_copy(&copy, &p) == 0);
	CHECK(copy.files[0].nr_sites == 0);
	CHECK(copy.stacks.nr_stacks == 0);
}
