/* SPDX-License-Identifier: GPL-2.0 */
/* The advice about each habit, for each language and for programs with settings of their own. */
#pragma once

#include <stdbool.h>

#include "model/files.h"

enum advice_kind {
	ADVICE_NONE,
	ADVICE_LINES,	  /* Lines that are flushed one by one. */
	ADVICE_WRITES,	  /* Output without a buffer. */
	ADVICE_READS,	  /* Input without a buffer. */
	ADVICE_COPIES,	  /* Small pieces that the kernel copies from one descriptor to another. */
	ADVICE_REOPEN,	  /* A file that is opened for each record. */
	ADVICE_STATUS,	  /* A file that is emptied and written anew each time. */
	ADVICE_REREAD,	  /* A file that is read again and again. */
	ADVICE_PLACES,	  /* A file whose places are read again and again. */
	ADVICE_PSEUDO,	  /* A file that is read again and again, made by the kernel each time. */
	ADVICE_LOOKS,	  /* Looks at one path that exists. */
	ADVICE_SERVES,	  /* Looks at one path, by a program that answers requests. */
	ADVICE_POLLS,	  /* Looks at one path, with a sleep between them. */
	ADVICE_CLOSES,	  /* Closes of descriptors that are not open. */
	ADVICE_SYNC,	  /* A sync for each record. */
	ADVICE_STDERR,	  /* Small writes to standard error. */
	ADVICE_TERMINAL,  /* Small writes to a terminal. */
	ADVICE_SIGNALS,	  /* Writes to an eventfd, or to a pipe that the process itself reads. */
	ADVICE_DATAGRAMS, /* Messages that cannot be gathered. */
	ADVICE_PASSED_ON, /* Writes of what reads of a pipe have brought. */
	ADVICE_SOCKET,	  /* Small writes to a connection. */
	ADVICE_NAGLE,	  /* Small writes to a connection, which the kernel holds back. */
	ADVICE_ANSWERS,	  /* Small writes to a connection, which may be answers. */
	ADVICE_JOURNAL,	  /* Records that are written before their requests are answered. */
	ADVICE_CONFIRMED, /* Syncs before somebody is told that the record is safe. */
	ADVICE_GROUPED,	  /* Syncs that several threads share. */
	ADVICE_UNSYNCED,  /* Writes to a file of which it is not known whether it is synced. */
	ADVICE_MESSAGES,  /* Writes to a device, which takes each as a message. */
	ADVICE_DISCARDED, /* Anything on the null device. */
	ADVICE_FULL,	  /* Writes to a full pipe or socket. */
	ADVICE_EMPTY,	  /* Reads of what has nothing yet. */
	ADVICE_SEEKS,	  /* Seeks between which nothing is read or written. */
	ADVICE_ISATTY,	  /* Questions whether a file is a terminal. */
	ADVICE_GONE,	  /* Writes to a pipe or socket that nobody reads any more. */
	ADVICE_FAILED,	  /* Other writes that fail. */
	ADVICE_CUT_SHORT, /* Writes that wrote a part. */
	ADVICE_TAKEN,	  /* Names that are tried in turn, though they are taken. */
	ADVICE_MISSING,	  /* Looks at one path that does not exist. */
	/* Looks for files in the directories of a search path; those below say which. */
	ADVICE_SEARCH,
	ADVICE_HEADERS,
	ADVICE_LIBRARIES,
	ADVICE_MODULES,
	ADVICE_COMMANDS,
	ADVICE_WAITS,	     /* Looks at a path, without a pause, until it is there. */
	ADVICE_HANDS_OVER,   /* A file that is made for each step, read and removed. */
	ADVICE_SMALL_BUFFER, /* Writes to a socket or pipe that holds little. */
	ADVICE_MAPPED,	     /* A sync of mapped memory for each record. */
	ADVICE_PROCESSES,    /* A process for each record. */
	ADVICE_OWN_WORK,     /* Processes that are there for their work. */
	ADVICE_COSTLY,	     /* Calls that take much of the run, and are no habit. */
	ADVICE_NO_SETTING,   /* A habit of a program that has no setting for it. */
	NR_ADVICE,
};

/* Returns the text for all programs. NULL: the kind is ADVICE_NONE. */
const char *advice_text(enum advice_kind kind);

/*
 * Returns the text for the program that uses a file most: for that program, for the logger that it
 * writes to its own file with, for its language, or else for all.
 */
const char *advice_for(enum advice_kind kind, const struct file_stats *f);

/*
 * Returns the bytes that the program which uses a file most moves at once with the setting that it
 * is advised. 0: it has none, or that does not say.
 */
uint64_t advice_buffer(enum advice_kind kind, const struct file_stats *f);

/* Has the program settings, but none for this? Then whoever runs it cannot mend it. */
bool advice_is_missing(const char *text);
/* Is it about a setting of a program? Then one change mends all that it is said of. */
bool advice_is_setting(const char *text);

/* What following the advice costs, or has to take care of: bits, in the order of the report. */
enum caveat {
	CAVEAT_CRASH = 1 << 0,	   /* What a buffer holds is lost in a crash. */
	CAVEAT_PROCESSES = 1 << 1, /* Several processes write to the file. */
	CAVEAT_THREADS = 1 << 2,   /* Several threads do. */
	CAVEAT_ORDER = 1 << 3,	   /* Standard output and standard error are both in the file. */
	CAVEAT_AWAITED = 1 << 4,   /* Somebody may wait for what a buffer holds. */
	CAVEAT_DELAY = 1 << 5,	   /* The program sleeps between its writes. */
	NR_CAVEATS = 6,
};
/* Returns the text of a caveat, by the number of its bit. */
const char *caveat_text(unsigned bit);
