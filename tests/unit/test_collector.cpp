// SPDX-License-Identifier: GPL-2.0
// Which backend is chosen, and what is said about the choice. collector_bpf is replaced here; the
// end-to-end tests use the real one.
#include "lib/catch.hpp"
#include "lib/skip.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

extern "C" {
#include "trace/backends.h"
}

static int bpf_error, bpf_opened, bpf_closed;
static bool bpf_loses;

static int fake_open(collector *c, const trace_options *, char *why, size_t size)
{
	bpf_opened++;
	if (bpf_loses)
		collector_lose(c, FEATURE_NAMES, "it is refused");
	if (bpf_error)
		snprintf(why, size, "BPF is away");
	return bpf_error;
}

static void fake_close(collector *)
{
	bpf_closed++;
}

static int fake_start(collector *, const target *, char *, size_t)
{
	return 0;
}

static int fake_stop(collector *)
{
	return 0;
}

static int fake_snapshot(collector *, profile *, bool)
{
	return 0;
}

static collector_ops make_fake_ops()
{
	collector_ops ops = {};

	ops.name = "bpf";
	ops.open = fake_open;
	ops.start = fake_start;
	ops.stop = fake_stop;
	ops.snapshot = fake_snapshot;
	ops.close = fake_close;
	return ops;
}

const collector_ops collector_bpf = make_fake_ops();

namespace
{
// Captures what is written to stderr during its life.
struct CaptureStderr {
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);

	CaptureStderr()
	{
		fflush(stderr);
		dup2(fileno(file), STDERR_FILENO);
	}
	~CaptureStderr()
	{
		fflush(stderr);
		dup2(saved, STDERR_FILENO);
		close(saved);
		fclose(file);
	}
	std::string text() const
	{
		char buf[4096];
		ssize_t n = (fflush(stderr), pread(fileno(file), buf, sizeof(buf), 0));

		return std::string(buf, n > 0 ? (size_t)n : 0);
	}
};

struct Choice {
	trace_options o = {};
	collector c = {};
	int err = 0;
	std::string said;

	Choice(int error, const char *backend, scope scope = SCOPE_COMMAND, bool quiet = false)
	{
		CaptureStderr capture;

		bpf_error = error;
		bpf_opened = bpf_closed = 0;
		o.backend = backend;
		o.scope = scope;
		o.uid = -1;
		o.quiet = quiet;
		err = collector__open(&c, &o);
		if (!err && !quiet)
			collector__note_losses(&c, &o);
		said = capture.text();
	}
	/* It is open, but cannot start. */
	int open_next(const char *why)
	{
		CaptureStderr capture;
		const int result = collector__open_next(&c, &o, why);

		said = capture.text();
		return result;
	}
	~Choice()
	{
		collector__close(&c);
	}
	std::string name() const
	{
		return c.ops ? c.ops->name : "";
	}
};

// A PATH without strace, during its life.
struct NoStrace {
	std::string path = getenv("PATH");

	NoStrace()
	{
		setenv("PATH", "/nonexistent", 1);
	}
	~NoStrace()
	{
		setenv("PATH", path.c_str(), 1);
	}
};
} // namespace

TEST_CASE("collector: bpf where it can be used, without a word")
{
	Choice choice(0, nullptr);

	CHECK(choice.err == 0);
	CHECK(choice.name() == "bpf");
	CHECK(choice.said == "");
}

TEST_CASE("collector: what a backend does without is told, unless nobody wants to know")
{
	bpf_loses = true;
	for (const char *backend : { "bpf", (const char *)nullptr }) {
		Choice choice(0, backend);

		CHECK(choice.name() == "bpf");
		CHECK(choice.said == "iotrace: note: files have the names under which they were "
				     "first seen, even if "
				     "they were renamed: it is refused\n");
		CHECK(Choice(0, backend, SCOPE_COMMAND, true).said == "");
		/* It is of no interest with another backend. */
		CHECK(Choice(-EPERM, "bpf").said == "iotrace: error: BPF is away\n");
	}
	bpf_loses = false;
}

TEST_CASE("collector: else strace, with the reason and what it costs")
{
	if (system("command -v strace >/dev/null"))
		SKIP_CASE("strace is not installed");
	Choice choice(-EPERM, nullptr);

	CHECK(choice.err == 0);
	CHECK(choice.name() == "strace");
	CHECK(choice.said.find("iotrace: note: BPF is away; using strace instead, which stops") ==
	      0);
	CHECK(choice.said.find('\n') == choice.said.size() - 1);
	CHECK(bpf_closed == 1);
}

TEST_CASE("collector: a named backend has no fallback")
{
	Choice choice(-EPERM, "bpf");

	CHECK(choice.err == -EPERM);
	CHECK(choice.name() == "");
	CHECK(choice.said == "iotrace: error: BPF is away\n");
	Choice late(0, "bpf");
	CHECK(late.open_next("it cannot start") != 0);
	CHECK(late.name() == "");
	CHECK(late.said == "iotrace: error: it cannot start\n");
	CHECK(bpf_closed == 1);
}

TEST_CASE("collector: strace, too, if bpf could be opened but cannot start")
{
	if (system("command -v strace >/dev/null"))
		SKIP_CASE("strace is not installed");
	bpf_loses = true;
	Choice choice(0, nullptr, SCOPE_COMMAND, true);
	bpf_loses = false;

	CHECK(choice.open_next("it cannot start") == 0);
	CHECK(choice.name() == "strace");
	CHECK(choice.said.find("iotrace: note: it cannot start; using strace instead, which") == 0);
	CHECK(bpf_closed == 1);
	CHECK(choice.c.lost[FEATURE_NAMES] == nullptr);
	CHECK(choice.open_next("it cannot start either") != 0);
	CHECK(choice.name() == "");
	CHECK(choice.said == "iotrace: error: it cannot start either\n");
}

TEST_CASE("collector: strace by name asks nothing of bpf")
{
	if (system("command -v strace >/dev/null"))
		SKIP_CASE("strace is not installed");
	Choice choice(0, "strace");

	CHECK(choice.name() == "strace");
	CHECK(choice.said == "");
	CHECK(bpf_opened == 0);
}

TEST_CASE("collector: if no backend works, each says why")
{
	NoStrace hidden;
	Choice choice(-EPERM, nullptr);

	CHECK(choice.err == -ENOENT);
	CHECK(choice.name() == "");
	CHECK(choice.said.find("iotrace: error: BPF is away\niotrace: error: strace is not "
			       "installed: install the package 'strace'") == 0);
	CHECK(choice.said.find("iotrace doctor") != std::string::npos);
}

TEST_CASE("collector: options that strace lacks are named")
{
	Choice choice(-EPERM, nullptr, SCOPE_CGROUP);

	CHECK(choice.err == -EOPNOTSUPP);
	CHECK(choice.said.find("iotrace: error: BPF is away\niotrace: error: strace cannot do "
			       "--cgroup: ") == 0);
	Choice all(0, "strace", SCOPE_ALL);
	CHECK(all.said.find("iotrace: error: strace cannot do -a: ") == 0);
}
