// SPDX-License-Identifier: GPL-2.0
// What the tests of formats and captures share: profiles that use every field, text that is
// dangerous in some format, and the programs that read the formats.
#pragma once

#include "unit/render_test.hpp"

#include <array>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern "C" {
#include "base/text.h"
#include "model/figures.h"
#include "model/profile.h"
#include "model/profile_files.h"
#include "model/profile_groups.h"
#include "model/provenance.h"
}

namespace
{
using Texts = Words;

const Texts nasty_texts = {
	"plain",
	"/home/me/some_file.txt",
	"=cmd|'/C calc'!A0",
	"@SUM(1+1)",
	"-1+2",
	"+1",
	"\"quoted\", and \"\"",
	"\"starts with one",
	"line\nbreak\r\nand\ttab",
	"bad \xff\xfe\xc3( bytes",
	"\x1b[31mred\x1b[0m \x07\x7f",
	"\xc2\x9b"
	"31m C1",
	"caf\xc3\xa9 \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80",
	"a|b",
	"|",
	"||",
	"a|",
	"| a",
	"x a",
	"2+",
	"a\\|b",
	"\\",
	"a\\\\",
	"\\n",
	"`",
	"``",
	"`a` ``b``",
	"a`",
	"` a `",
	"*a* **b** _c_ __d__ ~~e~~ ^f^ ~g~ #h# ##i##",
	"a_b_c __ _",
	"<script>alert(1)</script>",
	"<!-- x -->",
	"&lt;&amp;&#42;",
	"[x](javascript:alert(1)) ![y](z)",
	"www.example.com http://example.com/a?b=c me@example.com",
	"$x^2$ 100% a_b #1 {z} ~ ^",
	"\\input{/etc/passwd}",
	"\\end{tabular}\\end{document}",
	"^^5cinput ^^M",
	"--- '' `` ?` !` << >> ,, ''",
	"[3mm] *",
	"{set:x} {counter:y} {asciidoctor-version}",
	"pass:[<b>x</b>] +++<b>y</b>+++ $$z$$",
	"include::/etc/passwd[]",
	"image::x.png[] link:x[y] <<x,y>> [[z]]",
	"(C) (R) (TM) -> <- => ... -- a--b",
	"((index)) footnote:[x] kbd:[x] stem:[x]",
	":attribute: value",
	"// comment",
	"|===",
	"====",
	" leading and trailing ",
	"two  blanks",
	"'single' 'quotes'",
};

// The same texts, escaped as every format shows them.
inline std::string escaped(const std::string &text)
{
	char *buf = escape_text_dup(text.data(), text.size());
	std::string result = buf ? buf : "";

	free(buf);
	return result;
}

inline std::string replaced(std::string text, const std::string &what, const std::string &by)
{
	size_t at = text.find(what);

	CAPTURE(what);
	REQUIRE(at != std::string::npos);
	return text.replace(at, what.size(), by);
}

inline char *copy(const std::string &text)
{
	return strdup(text.c_str());
}

inline char **copy(const Texts &texts)
{
	char **list = static_cast<char **>(calloc(texts.size() + 1, sizeof(char *)));

	for (size_t i = 0; i < texts.size(); i++)
		list[i] = copy(texts[i]);
	return list;
}

struct Provenance : provenance {
	Provenance() : provenance()
	{
		status = -1;
	}
	~Provenance()
	{
		provenance_free(this);
	}
	Provenance(const Provenance &) = delete;
	Provenance &operator=(const Provenance &) = delete;
};

// A run with its provenance.
struct Case {
	Provenance provenance;
	Profile profile;

	Case()
	{
		profile.provenance = &provenance;
		profile.backend = "bpf";
		profile.unknown = UNKNOWN_FILES;
	}

	void add(syscall_stats *s, int64_t result, uint64_t ns, unsigned times = 1,
		 bool timed = true)
	{
		for (unsigned i = 0; i < times; i++)
			REQUIRE(syscall_stats_add_call(s, result, timed, ns) == 0);
		profile.returned += times;
		profile.entered += times;
	}

	inflight_call *in_flight(int pid, const std::string &comm)
	{
		profile.inflight = static_cast<inflight_call *>(reallocarray(
			profile.inflight, profile.nr_inflight + 1, sizeof(inflight_call)));
		inflight_call *c = &profile.inflight[profile.nr_inflight++];

		*c = {};
		c->pid = c->tid = pid;
		snprintf(c->comm, sizeof(c->comm), "%s", comm.c_str());
		strcpy(c->name, "read");
		profile.in_flight++;
		profile.entered++;
		return c;
	}

	// Nothing was counted, and every figure is unknown.
	void nothing()
	{
		profile.provenance = nullptr;
		profile.backend = "";
	}

	void everything()
	{
		provenance.version = copy("0.1.0");
		provenance.command = copy(Texts{ "./endl loop", "-n", "it's" });
		provenance.options = copy(Texts{ "-e", "trace=all" });
		provenance.start = copy("2025-01-31T23:59:59.000000001Z");
		provenance.status = W_EXITCODE(3, 0);
		provenance.wall_ns = 1234567890;
		provenance.kernel = copy("6.1.0-28-amd64");
		provenance.machine = copy("x86_64");
		provenance.cpu_model = copy("Some(R) CPU @ 3.00GHz");
		provenance.cpus = 8;
		provenance.stdout_path = copy("/tmp/1.txt");
		provenance.stdout_kind = copy("regular");
		provenance.stdout_fstype = copy("ext4");

		profile.elapsed_ns = 1234567890;
		profile.overhead_ps = 123456;
		for (const program_calls &program :
		     { program_calls{ "=a\n\"b\" \xff", 2, 900, 5000000 },
		       program_calls{ "sh", 1, 101, 7000000 } })
			REQUIRE(profile_add_program_calls(&profile, &program) == 0);
		syscall_stats *write = profile.row(1, "write", true);
		add(write, 4, 640, 1000);
		add(write, 4096, 12345, 3);
		add(write, 0x7ffff000, 2000000000000, 1);
		add(write, -ENOSPC, 900, 2);
		add(write, -EAGAIN, 0, 1, false);
		profile.slept(write, 3, 12345, 2);
		write->idle_ns = 12345;
		write->cpu_ns = 654321;
		syscall_stats *openat = profile.row(257, "openat");
		add(openat, -ENOENT, 1500, 19);
		add(openat, 3, 2500, 25);
		profile.slept(openat, 25, 2500, 0);
		openat->cpu_ns = 40000;
		syscall_stats *write32 = profile.row(4, "write", true, ABI_32);
		add(write32, 0, 1, 2);
		syscall_stats *odd = profile.row(400000, "syscall_0x61a80", false, ABI_X32);
		add(odd, -600, 0, 7, false);
		profile.row(0, "read", true); // Without calls it is in no table.

		in_flight(12, "a|b")->since_ns = 5000000000;
		inflight_call *c = in_flight(13, "=x,\"y\"\n\xff");
		c->tid = 14;
		c->abi = ABI_32;
		c->nr = 3;
		profile.in_flight--;
		profile.entered--;
		c->before = true;
		c->since_ns = 7;
		profile.died = 1;
		profile.entered++;
		profile.under_way = 2;
		profile.lost = 3;
		profile.lost_tasks = 4;
	}

	file_stats *file(uint32_t id, file_kind kind, const std::string &path)
	{
		file_stats *f = profile_file(&profile, id);

		REQUIRE(f);
		f->kind = kind;
		f->path = copy(path);
		return f;
	}

	file_call *call_on(file_stats *f, int nr, const char *name, uint64_t calls)
	{
		file_call *c = file_stats_call(f, ABI_64, nr);

		REQUIRE(c);
		strcpy(c->name, name);
		c->calls = calls;
		return c;
	}

	// On top of everything(): files with every field, and a finding.
	void files()
	{
		char one[16] = "a\n\"b\" ", none[16] = "";
		file_stats *log = file(5, FILE_KIND_REGULAR, "/var/log/=a\n\xff|log");

		profile.unknown &= ~(unsigned)UNKNOWN_FILES;
		strcpy(log->fstype, "ext4");
		log->flags = O_APPEND | O_SYNC;
		log->cut = true;
		/* Two processes of the first program, and one of each of five more. */
		for (pid_t pid = 11; pid < 18; pid++) {
			one[5] = pid < 13 ? ' ' : static_cast<char>('a' + pid);
			REQUIRE(file_stats_add_user(log, pid, one, (uint64_t)(200 - pid)) == 0);
		}
		file_call *c = call_on(log, 1, "write", 1003);
		c->transfers = true;
		c->errors = 2;
		c->bytes = 4000;
		c->total_ns = 640000;
		c->last_byte_known = 1000;
		c->newlines = 999;
		c->positioned = 998;
		c->sequential = 997;
		c->measured = 1001;
		c->cut_short = 5;
		c->runs = 6;
		c->nagle_delays = 2;
		c->nagle_ns = 80000000;
		c->waits = 3;
		c->wait_ns = 37035;
		c->idle_ns = 12345;
		c->preempted = 1;
		c->latency[file_latency_bucket(640)] = 1000;
		c->latency[file_latency_bucket(12345)] = 3;
		c->sizes[size_bucket(4)] = 1000;
		c->sizes[size_bucket(4096)] = 1;
		c = call_on(log, 257, "openat", 3);
		c->total_ns = 7500;
		c->latency[file_latency_bucket(2500)] = c->waits = 3;
		c->wait_ns = 7500;

		file_stats *failed = file(6, FILE_KIND_FAILED, "missing");
		failed->err = ENOENT;
		c = call_on(failed, 257, "openat", 19);
		c->errors = 19;
		c->latency[file_latency_bucket(1500)] = 19;
		REQUIRE(file_stats_add_user(failed, 0, none, 19) == 0);

		file_stats *error = file(7, FILE_KIND_PIPE, "pipe:[1]");
		error->written_by = WRITTEN_BY_STDERR;
		c = call_on(error, 1, "write", 1);
		c->transfers = true;
		c->latency[file_latency_bucket(900)] = 1;
		c->sizes[size_bucket(4096)] = 1;
		profile.misplaced_calls = 3;
		profile.lost_file_users = 2;
		REQUIRE(profile_add_other_files(&profile) == 0);
	}

	// On top of everything(): one call of openat in a group of its own, all else in another.
	void groups(unsigned by, unsigned and_by = 0)
	{
		profile.by[0] = by;
		profile.by[1] = and_by;
		for (uint32_t id : { 2, 3 }) {
			group_stats *g = profile_group(&profile, id);

			REQUIRE(g);
			snprintf(g->comm, sizeof(g->comm), "%s",
				 id == 2 ? "=a\n\"b\" \xff" : "cat");
			snprintf(g->process, sizeof(g->process), "%s", "main");
			g->pid = 812;
			g->tid = 810 + static_cast<pid_t>(id);
			g->uid = id == 2 ? 0 : 1234;
			g->parent = and_by ? 2 : 0;
		}
		profile_find_group(&profile, 2)->user = copy("root");
		profile_find_group(&profile, 2)->exe = copy("/usr/bin/a \x1b[2J");
		profile_find_group(&profile, 2)->cgroup = copy("/a\n b.slice");
		for (size_t i = 0; i < profile.nr_syscalls; i++)
			if (profile.syscalls[i].calls)
				split(profile.syscalls[i]);
	}

	// Gives group 2 a syscall's calls, and group 3 one of them if it is openat.
	void split(const syscall_stats &s)
	{
		group_call rest = {}, one = {};

		for (int id = 0; id < NR_FIGURES; id++)
			if (figures[id].scope & SCOPE_GROUP && figures[id].combine != COMBINE_NOT)
				*figure_counter(&figures[id], SCOPE_GROUP, &rest) =
					*figure_counter(&figures[id], SCOPE_SYSCALL,
							const_cast<syscall_stats *>(&s));
		for (uint32_t i = 0; i < LATENCY_BUCKETS; i++)
			rest.latency[i >> LATENCY_SUB_LOG2] += s.latency[i];
		memcpy(rest.sizes, s.sizes, sizeof(rest.sizes));
		if (!strcmp(s.name, "openat")) {
			one.calls = one.timed = one.waits = 1;
			one.total_ns = one.wait_ns = one.min_ns = one.max_ns = 2500;
			one.latency[file_latency_bucket(2500)] = 1;
			figures_subtract(SCOPE_GROUP, &rest, &one);
			add_call(3, s, one);
		}
		add_call(2, s, rest);
		group_call *c = group_stats_find_call(profile_find_group(&profile, 2), s.abi, s.nr);
		for (size_t i = 0; i < s.nr_errnos; i++)
			REQUIRE(errno_counts_add(&c->errnos, &c->nr_errnos, s.errnos[i].err,
						 s.errnos[i].count) == 0);
	}

	void add_call(uint32_t id, const syscall_stats &s, const group_call &counted)
	{
		group_call *c = group_stats_call(profile_find_group(&profile, id), s.abi, s.nr);

		REQUIRE(c);
		strcpy(c->name, s.name);
		c->transfers = s.transfers;
		REQUIRE(group_call_merge(c, &counted) == 0);
	}

	// Fields that a backend may leave unknown.
	void unknown()
	{
		provenance.command = nullptr;
		provenance.options = copy(Texts{});
		provenance.status = W_EXITCODE(0, 9);
		profile.backend = "strace";
		profile.time_note = "Times include \x1b[31m strace's own stops.";
		profile.unknown |= UNKNOWN_LATENCY | UNKNOWN_BYTES | UNKNOWN_ENTERED |
				   UNKNOWN_WAITS | UNKNOWN_CPU;
		add(profile.row(1, "write", true), 5, 0, 10, false);
		profile.entered = 0;
	}
};

} // namespace
