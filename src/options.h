/* SPDX-License-Identifier: GPL-2.0 */
/* The command line as a struct. Nothing in here knows how anything is measured or printed. */
#ifndef IOTRACE_OPTIONS_H
#define IOTRACE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "options_files.h"
#include "report.h"
#include "syscalls.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Exit statuses of iotrace itself, as env(1), timeout(1) and chroot(1) have them. */
enum {
	EXIT_IOTRACE = 125,    /* iotrace failed, or was used wrongly */
	EXIT_CANNOT_RUN = 126, /* the command was found but could not be run */
	EXIT_NOT_FOUND = 127,  /* the command was not found */
};

/* What is to be traced; exactly one way in. */
enum scope {
	SCOPE_COMMAND, /* a command of our own, and what it starts */
	SCOPE_PIDS,    /* -p: running processes, and what they start */
	SCOPE_CGROUP,  /* --cgroup: every task in it and below */
	SCOPE_ALL,     /* -a: every task but ourselves */
};

struct options {
	enum scope scope;
	char **command; /* SCOPE_COMMAND: its argv, NULL-terminated */
	pid_t *pids;	/* SCOPE_PIDS: each once, in the order given */
	size_t nr_pids;
	bool all;	      /* -a was given */
	const char *cgroup;   /* SCOPE_CGROUP: as given */
	const char *comm;     /* --comm; NULL: any */
	long long uid;	      /* --uid; -1: any */
	const char *user;     /* -u; NULL: as we are */
	const char *backend;  /* --backend: a collector's name; NULL: the first that is usable */
	bool no_follow;	      /* only the command's own threads, not its children */
	bool no_latency;      /* no clock reads */
	bool overhead;	      /* measure what tracing adds to a call */
	bool until_command;   /* tracing ends with the command, whatever it leaves behind */
	uint64_t duration_ns; /* 0: until the target ends */
	uint64_t interval_ns; /* 0: only the whole */
	struct syscall_set set;
	bool set_given; /* -e was */
	struct files_options files;
	bool verbose;
	struct report_options report;
};

/*
 * Parses argv. Returns 0; or 1 when everything asked for has been done (--help, --usage, -V); or -EINVAL
 * after saying on stderr what is wrong with which word. options_free() whatever is returned.
 */
int options_parse(struct options *o, int argc, char **argv);
void options_free(struct options *o);

#ifdef __cplusplus
}
#endif
#endif
