/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What all workloads share: the command line, threads, complaints, and the ledger.
 *
 * The ledger (--ledger) is one write to stderr as the very last thing, of four lines "syscall calls
 * errors bytes":
 *
 *	write, writev	all of the whole process since execve, the ledger's own write included
 *	openat, close	what the program itself did, bytes always 0. What the dynamic loader and
 *			libc open at start-up comes on top, as many as with -n 0 and else the
 *			same command line.
 *
 * It rests on two independent counts. One is the program's: write() and writev() are defined here,
 * so that all calls of the program and of libstdc++ (which reaches both by their dynamic symbols)
 * pass through and are counted by their results. The other is the kernel's accounting of the
 * process, syscw and wchar of /proc/self/io, which holds the sum of both syscalls. The two must
 * agree, or the program says so and fails. Only stdio's own writes, made inside libc, bypass the
 * first count: a program that uses stdio says so (stdio below), and what the kernel counted beyond
 * the program's count is stdio's, as stdio never calls writev. An stdio function gives up at the
 * first write that fails, so its failures are the errors.
 */
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define WORKLOAD_MAX_THREADS 1024
#define WORKLOAD_MAX_FLAGS   8

struct tally {
	uint64_t calls, errors, bytes;
};

struct ledger {
	struct tally write, writev, openat, close;
};

/* The kernel's count of write-like syscalls and of the bytes that they wrote. */
struct account {
	bool known;
	uint64_t calls, bytes;
};

/* An option of one program only. The table ends with an empty row. */
struct workload_flag {
	const char *name;
	bool *value;
	const char *help;
};

struct workload {
	uint64_t lines;	    /* Lines of each thread: -n. */
	const char *output; /* Path of -o. NULL: not given. */
	unsigned int threads;
	bool ledger;
	bool stdio;	  /* Set by a program that also writes by C's stdio. */
	int fd;		  /* Descriptor of the output. -1: there is none. */
	const char *help; /* Text of --help about the output. */
	struct account start;
};

/* Each thread counts for itself, and adds that to the sum when it is done. */
static __thread struct ledger ledger_mine;
static struct ledger ledger_sum;
static pthread_mutex_t ledger_lock = PTHREAD_MUTEX_INITIALIZER;

/* The descriptor of error messages and the ledger: cerr_lines moves it. */
static int workload_stderr = STDERR_FILENO;

static inline long tally_result(struct tally *t, long ret)
{
	t->calls++;
	if (ret < 0)
		t->errors++;
	else
		t->bytes += ret;
	return ret;
}

ssize_t write(int fd, const void *buf, size_t count)
{
	return tally_result(&ledger_mine.write, syscall(SYS_write, fd, buf, count));
}

ssize_t writev(int fd, const struct iovec *iov, int count)
{
	return tally_result(&ledger_mine.writev, syscall(SYS_writev, fd, iov, count));
}

/* Counts an open or close of the program, by whichever function. Returns ok. */
static inline bool ledger_note(struct tally *t, bool ok)
{
	int saved = errno;

	tally_result(t, ok ? 0 : -1);
	errno = saved;
	return ok;
}

/* Counts a failed write of an stdio function. */
static inline void ledger_stdio_error(void)
{
	ledger_mine.write.errors++;
}

static inline int ledger_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0666);

	ledger_note(&ledger_mine.openat, fd >= 0);
	return fd;
}

static inline bool ledger_close(int fd)
{
	return ledger_note(&ledger_mine.close, close(fd) == 0);
}

static inline void tally_add(struct tally *to, const struct tally *from)
{
	to->calls += from->calls;
	to->errors += from->errors;
	to->bytes += from->bytes;
}

static inline void ledger_join(void)
{
	pthread_mutex_lock(&ledger_lock);
	tally_add(&ledger_sum.write, &ledger_mine.write);
	tally_add(&ledger_sum.writev, &ledger_mine.writev);
	tally_add(&ledger_sum.openat, &ledger_mine.openat);
	tally_add(&ledger_sum.close, &ledger_mine.close);
	pthread_mutex_unlock(&ledger_lock);
	memset(&ledger_mine, 0, sizeof(ledger_mine));
}

/* Writes "NAME: what: text" to stderr, in one call. */
static inline void workload_say(const char *what, const char *text)
{
	char *line;
	int len = asprintf(&line, "%s: %s: %s\n", program_invocation_short_name, what, text);

	if (len < 0)
		return;
	if (write(workload_stderr, line, len) < 0) { /* There is no place to report that. */
	}
	free(line);
}

/* Complains about an error. Returns the exit status that belongs to it. */
static inline int workload_fail(const char *what, const char *why)
{
	workload_say(what, why);
	return EXIT_FAILURE;
}

static inline int workload_output_failed(const struct workload *w, int err)
{
	return workload_fail(w->output ? w->output : "standard output", strerror(err));
}

static inline struct account account_read(void)
{
	struct account a = { false, 0, 0 };
	const char *wchar, *syscw;
	char buf[512];
	ssize_t len;
	int fd = ledger_open("/proc/self/io", O_RDONLY);

	if (fd < 0)
		return a;
	len = read(fd, buf, sizeof(buf) - 1);
	ledger_close(fd);
	buf[len > 0 ? len : 0] = '\0';
	wchar = strstr(buf, "wchar: ");
	syscw = strstr(buf, "syscw: ");
	a.known = wchar && syscw && sscanf(wchar, "wchar: %" SCNu64, &a.bytes) == 1 &&
		  sscanf(syscw, "syscw: %" SCNu64, &a.calls) == 1;
	return a;
}

/* Compares and merges both counts: see the top of this file. */
static inline int ledger_balance(const struct workload *w, struct account now)
{
	struct tally *own = &ledger_sum.write;
	uint64_t calls = own->calls + ledger_sum.writev.calls;
	uint64_t bytes = own->bytes + ledger_sum.writev.bytes;
	uint64_t kernel_calls = now.calls - w->start.calls;
	uint64_t kernel_bytes = now.bytes - w->start.bytes;

	if (!w->start.known || !now.known)
		return w->stdio ? workload_fail("--ledger", "needs /proc/self/io for stdio's calls")
				: 0;
	if (kernel_calls < calls || kernel_bytes < bytes ||
	    (!w->stdio && (kernel_calls != calls || kernel_bytes != bytes)))
		return workload_fail("--ledger", "the kernel's count of writes is another one");
	own->calls += kernel_calls - calls;
	own->bytes += kernel_bytes - bytes;
	return 0;
}

static inline int ledger_format(char *buf, size_t size, const struct ledger *l)
{
#define ROW	 "%s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n"
#define CELLS(t) (t).calls, (t).errors, (t).bytes
	return snprintf(buf, size, ROW ROW ROW ROW, "write", CELLS(l->write), "writev",
			CELLS(l->writev), "openat", CELLS(l->openat), "close", CELLS(l->close));
#undef CELLS
#undef ROW
}

static inline int ledger_print(const struct workload *w)
{
	struct account now = account_read();
	int len = 0, assumed, err;
	uint64_t bytes;
	char buf[512];

	ledger_join();
	err = ledger_balance(w, now);
	if (err)
		return err;

	/* The ledger contains its own length: repeat until the length is right. */
	ledger_sum.write.calls++;
	bytes = ledger_sum.write.bytes;
	do {
		assumed = len;
		ledger_sum.write.bytes = bytes + assumed;
		len = ledger_format(buf, sizeof(buf), &ledger_sum);
	} while (len != assumed);
	return write(workload_stderr, buf, len) == len ? 0 : EXIT_FAILURE;
}

/* ---- the command line ---- */

static inline void workload_help(const struct workload *w, const struct workload_flag *flags)
{
	printf("Usage: %s [options]\n"
	       "  -n, --lines=COUNT    lines, of each thread (default %" PRIu64 ")\n"
	       "  -o, --output=%s\n"
	       "      --threads=N      threads, 1 to %d (default 1)\n"
	       "      --ledger         print on stderr what the program did, \"syscall calls errors bytes\":\n"
	       "                       of write and writev, all; of openat and close, its own\n",
	       program_invocation_short_name, w->lines, w->help, WORKLOAD_MAX_THREADS);
	for (; flags && flags->name; flags++)
		printf("      --%-14s %s\n", flags->name, flags->help);
	printf("  -h, --help           print this\n");
	exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
}

__attribute__((noreturn)) static inline void workload_usage(const char *problem, const char *word)
{
	fprintf(stderr, "%s: %s '%s' (--help says more)\n", program_invocation_short_name, problem,
		word);
	exit(2);
}

static inline uint64_t workload_number(const char *option, const char *word, uint64_t min,
				       uint64_t max)
{
	char problem[96], *end;
	uintmax_t value;

	errno = 0;
	value = strtoumax(word, &end, 10);
	if (!isdigit((unsigned char)*word) || *end || errno || value < min || value > max) {
		snprintf(problem, sizeof(problem),
			 "%s takes a number from %" PRIu64 " to %" PRIu64 ", not", option, min,
			 max);
		workload_usage(problem, word);
	}
	return value;
}

static inline void workload_options(struct workload *w, int argc, char **argv,
				    const struct workload_flag *flags)
{
	enum { THREADS = 256, LEDGER, FLAG };
	struct option options[5 + WORKLOAD_MAX_FLAGS + 1] = {
		{ "lines", required_argument, NULL, 'n' },
		{ "output", required_argument, NULL, 'o' },
		{ "threads", required_argument, NULL, THREADS },
		{ "ledger", no_argument, NULL, LEDGER },
		{ "help", no_argument, NULL, 'h' },
	};
	int c;

	for (int i = 0; flags && flags[i].name && i < WORKLOAD_MAX_FLAGS; i++) {
		options[5 + i].name = flags[i].name;
		options[5 + i].val = FLAG + i;
	}
	while ((c = getopt_long(argc, argv, "n:o:h", options, NULL)) != -1) {
		if (c == 'n')
			w->lines = workload_number("-n", optarg, 0, UINT64_MAX);
		else if (c == 'o')
			w->output = optarg;
		else if (c == THREADS)
			w->threads = workload_number("--threads", optarg, 1, WORKLOAD_MAX_THREADS);
		else if (c == LEDGER)
			w->ledger = true;
		else if (c == 'h')
			workload_help(w, flags);
		else if (c >= FLAG)
			*flags[c - FLAG].value = true;
		else
			exit(2); /* getopt() has printed the wrong word. */
	}
	if (optind < argc)
		workload_usage("unexpected argument", argv[optind]);
}

/* ---- the life of a workload: start, open (except the loggers), run, end ---- */

static inline struct workload workload_start(int argc, char **argv, uint64_t lines,
					     const char *help, const struct workload_flag *flags)
{
	struct workload w = {};
	int fd;

	w.lines = lines;
	w.threads = 1;
	w.fd = -1;
	w.help = help ? help : "FILE    write there (default: standard output)";
	workload_options(&w, argc, argv, flags);

	/* If stderr is closed, no file that is opened later may receive the error messages. */
	if (fcntl(STDERR_FILENO, F_GETFL) < 0) {
		fd = ledger_open("/dev/null", O_RDWR);
		if (fd >= 0 && fd != STDERR_FILENO) {
			dup2(fd, STDERR_FILENO);
			ledger_close(fd);
		}
	}
	if (w.ledger)
		w.start = account_read();
	return w;
}

/*
 * Does not return to main(), so that nothing is written after the ledger, for example what is left
 * in a failed stream.
 */
__attribute__((noreturn)) static inline void workload_end(const struct workload *w, int status)
{
	int err = 0;

	if (w->fd >= 0 && !ledger_close(w->fd) && !status)
		status = workload_output_failed(w, errno);
	if (w->ledger)
		err = ledger_print(w);
	_exit(status ? status : err);
}

/*
 * Opens -o, or uses stdout, after checking that it is open for writing: the kernel does not account
 * for other writes.
 */
static inline void workload_open(struct workload *w)
{
	int fd = STDOUT_FILENO, flags;

	if (w->output)
		fd = ledger_open(w->output, O_WRONLY | O_CREAT | O_TRUNC);
	flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		workload_end(w, workload_output_failed(w, flags < 0 ? errno : EBADF));
	w->fd = fd;
}

/* Opens the output on descriptor fd, as a shell's redirection does. */
static inline void workload_redirect(struct workload *w, int fd)
{
	workload_open(w);
	if (w->fd == fd)
		return;
	if (dup2(w->fd, fd) < 0)
		workload_end(w, workload_output_failed(w, errno));
	if (w->output)
		ledger_close(w->fd);
	w->fd = fd;
}

/* ---- threads, each of which runs work(), which returns an exit status ---- */

struct workload_thread {
	pthread_t id;
	int status;
	struct workload *w;
	int (*work)(struct workload *w);
};

static inline void *workload_thread_main(void *arg)
{
	struct workload_thread *t = (struct workload_thread *)arg;

	t->status = t->work(t->w);
	ledger_join();
	return NULL;
}

/* A single thread is the main thread: libc is faster in a process without other threads. */
static inline int workload_run(struct workload *w, int (*work)(struct workload *w))
{
	static struct workload_thread threads[WORKLOAD_MAX_THREADS];
	int status = EXIT_SUCCESS, err;
	unsigned int nr;

	if (w->threads == 1)
		return work(w);
	/*
	 * Without this, malloc opens a file to count the CPUs, as often as threads happen to ask at
	 * once.
	 */
	mallopt(M_ARENA_MAX, w->threads + 1);
	for (nr = 0; nr < w->threads; nr++) {
		threads[nr].w = w;
		threads[nr].work = work;
		err = pthread_create(&threads[nr].id, NULL, workload_thread_main, &threads[nr]);
		if (err) {
			status = workload_fail("cannot start a thread", strerror(err));
			break;
		}
	}
	while (nr--) {
		pthread_join(threads[nr].id, NULL);
		status = status ? status : threads[nr].status;
	}
	return status;
}
