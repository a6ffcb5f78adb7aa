/* SPDX-License-Identifier: GPL-2.0 */
/* The advice about each habit, for each language. */
#pragma once

#include "model/language.h"

enum advice_kind {
	ADVICE_NONE,
	ADVICE_LINES,	  /* lines that are flushed one by one */
	ADVICE_WRITES,	  /* output without a buffer */
	ADVICE_READS,	  /* input without a buffer */
	ADVICE_COPIES,	  /* small pieces copied from one descriptor to another by the kernel */
	ADVICE_REOPEN,	  /* a file that is opened for each record */
	ADVICE_STATUS,	  /* one that is emptied and written anew each time */
	ADVICE_REREAD,	  /* one that is read again and again */
	ADVICE_PSEUDO,	  /* the same, and the kernel makes what it says each time */
	ADVICE_LOOKS,	  /* looks at one path that exists */
	ADVICE_SERVES,	  /* the same, by a program that answers requests */
	ADVICE_CLOSES,	  /* closes of descriptors that are not open */
	ADVICE_SYNC,	  /* a sync for each record */
	ADVICE_STDERR,	  /* small writes to standard error */
	ADVICE_TERMINAL,  /* to a terminal */
	ADVICE_SIGNALS,	  /* to an eventfd, or to a pipe that the process itself reads */
	ADVICE_DATAGRAMS, /* messages that cannot be gathered */
	ADVICE_PASSED_ON, /* of what reads of a pipe have brought */
	ADVICE_SOCKET,	  /* small writes to a connection */
	ADVICE_NAGLE,	  /* the same, and the kernel holds them back */
	ADVICE_ANSWERS,	  /* the same, which may be answers */
	ADVICE_JOURNAL,	  /* records that are written before their requests are answered */
	ADVICE_DISCARDED, /* anything on the null device */
	ADVICE_FULL,	  /* writes to a full pipe or socket */
	ADVICE_GONE,	  /* writes to a pipe or socket that nobody reads any more */
	ADVICE_FAILED,	  /* other writes that fail */
	ADVICE_CUT_SHORT, /* writes that wrote a part */
	ADVICE_MISSING,	  /* looks at one path that does not exist */
	ADVICE_SEARCH,	  /* looks for files in the directories of a search path: */
	ADVICE_HEADERS,
	ADVICE_LIBRARIES,
	ADVICE_MODULES,
	ADVICE_COMMANDS,
	NR_ADVICE,
};

/* The text for the language, or else for all languages; NULL only for ADVICE_NONE. */
const char *advice_text(enum advice_kind kind, enum language l);
