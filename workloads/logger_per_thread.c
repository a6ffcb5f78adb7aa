// SPDX-License-Identifier: GPL-2.0
/*
 * Experiment 8c: a logger with one FILE for each thread, in thread-specific data, opened anew when
 * the date changes. Its writer's claim, in seconds per call, average / maximum / minimum:
 * 0.000001088 / 0.000337471 / 0.000000741.
 */
#include "logger.h"

struct thread_log {
	struct log_file log;
	int year, day; /* Date of the file. */
};

static pthread_key_t thread_log_key;

static struct thread_log *thread_log_get(void)
{
	struct thread_log *t = pthread_getspecific(thread_log_key);

	if (t)
		return t;
	t = calloc(1, sizeof(*t));
	if (t && pthread_setspecific(thread_log_key, t) == 0)
		return t;
	free(t);
	workload_fail("thread-specific data", strerror(ENOMEM));
	return NULL;
}

static int log_write(const struct log_record *r)
{
	struct thread_log *t = thread_log_get();

	if (!t)
		return -1;
	if (t->log.stream && (t->year != r->when.tm_year || t->day != r->when.tm_yday) &&
	    log_close(&t->log))
		return -1;
	if (!t->log.stream) {
		t->year = r->when.tm_year;
		t->day = r->when.tm_yday;
		snprintf(t->log.path, sizeof(t->log.path), "%s-%04d%02d%02d-%d", log_path,
			 t->year + 1900, r->when.tm_mon + 1, r->when.tm_mday, (int)gettid());
		if (log_open(&t->log))
			return -1;
	}
	return log_print(&t->log, r);
}

/*
 * The key's destructor cannot do this: it runs too late for the ledger, and never for the main
 * thread.
 */
static int thread_log_end(void)
{
	struct thread_log *t = pthread_getspecific(thread_log_key);
	int ret = t && t->log.stream ? log_close(&t->log) : 0;

	free(t);
	pthread_setspecific(thread_log_key, NULL);
	return ret;
}

static int lines(struct workload *w)
{
	int ret = 0;

	for (uint64_t i = 0; i < w->lines && !ret; i++)
		ret = log_info("something happened");
	if (thread_log_end())
		ret = -1;
	log_timing_join();
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct workload w = logger_start(
		argc, argv, "PREFIX  log to PREFIX-DATE-THREAD (default: no files kept)");

	if (pthread_key_create(&thread_log_key, NULL))
		logger_end(&w, workload_fail("thread-specific data", strerror(EAGAIN)));
	logger_end(&w, workload_run(&w, lines));
}
