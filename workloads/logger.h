/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Experiment 8, what its three loggers share: mask, time, the line and its format, the timing of
 * each call, and the place of the logs without -o: a temporary directory that is removed at the
 * end.
 */
#pragma once

#include "workload.h"

#include <dirent.h>
#include <limits.h>
#include <stdio_ext.h>
#include <sys/stat.h>
#include <time.h>

#define LOGGER_LINES 100000

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG };

static const char *const log_level_names[] = { "ERROR", "WARNING", "INFO", "DEBUG" };

struct log_record {
	enum log_level level;
	const char *file, *function, *message;
	int line;
	long nanoseconds;
	struct tm when; /* Time of the record in UTC. */
};

struct log_file {
	FILE *stream;
	char path[PATH_MAX];
};

struct log_timing {
	uint64_t calls, total_ns, max_ns, min_ns;
};

static unsigned int log_mask = 1 << LOG_ERROR | 1 << LOG_WARNING | 1 << LOG_INFO;
static bool log_is_timed;
static __thread struct log_timing log_timing_mine;
static struct log_timing log_timing_sum;
static const char *log_path; /* Path of -o, or "log" in the temporary directory. */
static char log_directory[PATH_MAX - 64];

/*
 * Each logger defines this: it writes the record to its file. Returns 0, or -1 after an error
 * message.
 */
static int log_write(const struct log_record *r);

static inline int log_failed(const struct log_file *log)
{
	workload_fail(log->path, strerror(errno));
	return -1;
}

static inline int log_open(struct log_file *log)
{
	log->stream = fopen(log->path, "a+");
	return ledger_note(&ledger_mine.openat, log->stream) ? 0 : log_failed(log);
}

static inline int log_print(struct log_file *log, const struct log_record *r)
{
	const struct tm *t = &r->when;

	if (fprintf(log->stream, "%04d-%02d-%02d %02d:%02d:%02d.%09ld %s %s:%d %s [%d] %s\n",
		    t->tm_year + 1900, t->tm_mon + 1, t->tm_mday, t->tm_hour, t->tm_min, t->tm_sec,
		    r->nanoseconds, log_level_names[r->level], r->file, r->line, r->function,
		    (int)gettid(), r->message) >= 0)
		return 0;
	ledger_stdio_error();
	return log_failed(log);
}

/* Flushes first, to know whether writing or closing failed; fclose() then does not try again. */
static inline int log_close(struct log_file *log)
{
	int ret = 0;

	if (fflush(log->stream)) {
		ledger_stdio_error();
		ret = log_failed(log);
		__fpurge(log->stream);
	}
	if (!ledger_note(&ledger_mine.close, fclose(log->stream) == 0))
		ret = log_failed(log);
	log->stream = NULL;
	return ret;
}

static inline uint64_t log_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

static inline void log_timing_add(struct log_timing *to, struct log_timing from)
{
	if (!from.calls)
		return;
	if (!to->calls || from.min_ns < to->min_ns)
		to->min_ns = from.min_ns;
	if (from.max_ns > to->max_ns)
		to->max_ns = from.max_ns;
	to->calls += from.calls;
	to->total_ns += from.total_ns;
}

static inline int log_record(enum log_level level, const char *file, int line, const char *function,
			     const char *message)
{
	struct log_record r = { level, file, function, message, line, 0, { 0 } };
	struct timespec now;
	uint64_t start, ns;
	int ret;

	if (!(log_mask & 1 << level))
		return 0;
	start = log_is_timed ? log_clock_ns() : 0;
	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &r.when);
	r.nanoseconds = now.tv_nsec;
	ret = log_write(&r);
	if (log_is_timed) {
		ns = log_clock_ns() - start;
		log_timing_add(&log_timing_mine, (struct log_timing){ 1, ns, ns, ns });
	}
	return ret;
}

#define log_info(message) log_record(LOG_INFO, __FILE__, __LINE__, __func__, message)

/* Each thread calls it after its last line. */
static inline void log_timing_join(void)
{
	pthread_mutex_lock(&ledger_lock);
	log_timing_add(&log_timing_sum, log_timing_mine);
	pthread_mutex_unlock(&ledger_lock);
}

static inline struct workload logger_start(int argc, char **argv, const char *help)
{
	const struct workload_flag flags[] = {
		{ "timing", &log_is_timed,
		  "print on stderr the seconds a call took: average, maximum, minimum" },
		{ NULL, NULL, NULL },
	};
	struct workload w = workload_start(argc, argv, LOGGER_LINES, help, flags);
	const char *tmp = getenv("TMPDIR");
	static char path[PATH_MAX];

	w.stdio = true;
	tzset(); /* The first gmtime_r() would open the time zone's file, but not with -n 0. */
	log_path = w.output;
	if (w.output)
		return w;
	snprintf(log_directory, sizeof(log_directory), "%s/iotrace-log-XXXXXX",
		 tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(log_directory))
		exit(workload_fail(log_directory, strerror(errno)));
	snprintf(path, sizeof(path), "%s/log", log_directory);
	log_path = path;
	return w;
}

static inline void log_directory_remove(void)
{
	DIR *dir = opendir(log_directory);
	struct dirent *entry;

	if (!ledger_note(&ledger_mine.openat, dir))
		return;
	while ((entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0); /* This fails for "." and "..". */
	ledger_note(&ledger_mine.close, closedir(dir) == 0);
	rmdir(log_directory);
}

static inline void log_timing_print(void)
{
	const struct log_timing *t = &log_timing_sum;
	char text[128];

	snprintf(text, sizeof(text), "average %.9f maximum %.9f minimum %.9f calls %" PRIu64,
		 t->calls ? t->total_ns / 1e9 / t->calls : 0, t->max_ns / 1e9, t->min_ns / 1e9,
		 t->calls);
	workload_say("seconds per call", text);
}

__attribute__((noreturn)) static inline void logger_end(const struct workload *w, int status)
{
	if (*log_directory)
		log_directory_remove();
	if (log_is_timed)
		log_timing_print();
	workload_end(w, status);
}
