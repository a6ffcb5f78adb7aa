// SPDX-License-Identifier: GPL-2.0
#include "model/advice.h"

#include <stddef.h>

/*
 * Each is tried by a pair of programs in tests/fixtures/advice. LANGUAGE_UNKNOWN has what holds for
 * all.
 */
/* clang-format off */
static const char *const texts[NR_ADVICE][NR_LANGUAGES] = {
	[ADVICE_LINES] = {
		[LANGUAGE_UNKNOWN] = "Each line is flushed by itself. Gather lines in a buffer, "
		"and flush it when it is full and at the end.",
		[LANGUAGE_C] = "Each line is flushed by itself. Do without fflush() and line "
		"buffering (setvbuf() with _IOLBF or _IONBF), or without the program's option for "
		"them (grep: --line-buffered; nginx: access_log with buffer=64k).",
		[LANGUAGE_CPP] = "Each line is flushed by itself. End lines with '\\n' instead of "
		"std::endl, and do without std::flush and std::unitbuf.",
		[LANGUAGE_PYTHON] = "Each line is flushed by itself. Run it without -u and "
		"PYTHONUNBUFFERED, print without flush=True, and open files without buffering=0 "
		"or 1.",
		[LANGUAGE_JAVA] = "Each line is flushed by itself. Write through a PrintWriter "
		"around a BufferedWriter without autoflush instead of System.out, and flush() at "
		"the end.",
		[LANGUAGE_GO] = "Each line is written by itself. Write through w := "
		"bufio.NewWriter(f), and w.Flush() at the end.",
		[LANGUAGE_RUST] = "Each line is flushed by itself, as println! and File do. Write "
		"through BufWriter::new(io::stdout().lock()), or BufWriter::new(file).",
		[LANGUAGE_NODE] = "Each line is written by itself. Gather lines in a string, and "
		"write it with fs.writeSync() when it exceeds 64 KiB and at the end.",
		[LANGUAGE_SHELL] = "Each echo and printf of a shell is a write. Let one program "
		"write all the lines, such as awk.",
	},
	[ADVICE_WRITES] = {
		[LANGUAGE_UNKNOWN] = "The output is not buffered. Gather it, and write when the "
		"buffer is full.",
		[LANGUAGE_C] = "The output is not buffered. Write through stdio (fwrite(), "
		"putc()) instead of write(), or give the program a larger block (dd: bs=64k).",
		[LANGUAGE_CPP] = "The output is not buffered. Write through a std::ofstream "
		"instead of write(), without pubsetbuf(nullptr, 0) and std::unitbuf.",
		[LANGUAGE_PYTHON] = "The output is not buffered. Run it without -u and "
		"PYTHONUNBUFFERED, open files without buffering=0, and write to them instead of "
		"os.write().",
		[LANGUAGE_JAVA] = "The output is not buffered. Write through a "
		"BufferedOutputStream around the FileOutputStream.",
		[LANGUAGE_GO] = "The output is not buffered. Write through w := "
		"bufio.NewWriter(f), and w.Flush() at the end.",
		[LANGUAGE_RUST] = "The output is not buffered. Write through BufWriter::new(file).",
		[LANGUAGE_NODE] = "The output is not buffered. Gather it, and write it with "
		"fs.writeSync() when it exceeds 64 KiB and at the end.",
		[LANGUAGE_SHELL] = "Each printf of a shell is a write. Let one program write all "
		"of it, such as awk.",
	},
	[ADVICE_READS] = {
		[LANGUAGE_UNKNOWN] = "The input is not buffered. Read larger blocks into a "
		"buffer, and take the pieces from there.",
		[LANGUAGE_C] = "The input is not buffered. Read through stdio (fread(), getc()) "
		"instead of read(), without setvbuf(f, NULL, _IONBF, 0).",
		[LANGUAGE_CPP] = "The input is not buffered. Read through a std::ifstream instead "
		"of read(), without pubsetbuf(nullptr, 0).",
		[LANGUAGE_PYTHON] = "The input is not buffered. Open the file without "
		"buffering=0, and read from it instead of os.read().",
		[LANGUAGE_JAVA] = "The input is not buffered. Read through a BufferedInputStream "
		"around the FileInputStream.",
		[LANGUAGE_GO] = "The input is not buffered. Read through bufio.NewReader(f).",
		[LANGUAGE_RUST] = "The input is not buffered. Read through BufReader::new(file).",
		[LANGUAGE_NODE] = "The input is not buffered. Read blocks of 64 KiB with "
		"fs.readSync(), and take the pieces from there.",
		[LANGUAGE_SHELL] = "A shell's read takes little at a time, to leave the rest to "
		"others. Let one program read all of it, such as awk.",
	},
	[ADVICE_REOPEN] = {
		[LANGUAGE_UNKNOWN] = "The file is opened anew for every record. Open it once for "
		"appending and keep it open; after a log rotation, reopen it on SIGHUP or when "
		"the date changes.",
		[LANGUAGE_C] = "The file is opened anew for every record. Keep the FILE * of one "
		"fopen(path, \"a\"); after a log rotation, reopen it on SIGHUP or when the date "
		"changes.",
		[LANGUAGE_CPP] = "The file is opened anew for every record. Keep one "
		"std::ofstream(path, std::ios::app); after a log rotation, reopen it on SIGHUP or "
		"when the date changes.",
		[LANGUAGE_PYTHON] = "The file is opened anew for every record. Keep the file of "
		"one open(path, \"a\"); after a log rotation, reopen it "
		"(logging.handlers.WatchedFileHandler does).",
		[LANGUAGE_JAVA] = "The file is opened anew for every record. Keep one "
		"BufferedWriter around a FileWriter(path, true); after a log rotation, reopen it.",
		[LANGUAGE_GO] = "The file is opened anew for every record. Keep the file of one "
		"os.OpenFile() with os.O_APPEND, and write through a bufio.Writer; after a log "
		"rotation, reopen it.",
		[LANGUAGE_RUST] = "The file is opened anew for every record. Keep one BufWriter "
		"around a File that OpenOptions::new().append(true) opened; after a log rotation, "
		"reopen it.",
		[LANGUAGE_NODE] = "The file is opened anew for every record, as "
		"fs.appendFileSync() does. Keep the descriptor of one fs.openSync(path, 'a'), "
		"gather records, and write them with fs.writeSync() when they exceed 64 KiB.",
		[LANGUAGE_SHELL] = "The file is opened anew for every record. Let one program "
		"write all of them, such as awk.",
	},
	[ADVICE_REREAD] = {
		[LANGUAGE_UNKNOWN] = "The file is read again and again. Keep what it says, and "
		"read it again when it has changed: compare the modification time, or watch it "
		"with inotify.",
	},
	[ADVICE_SYNC] = {
		[LANGUAGE_UNKNOWN] = "Every record waits for the disk. That is necessary if each "
		"must be safe before the next one. Otherwise commit in groups: one fsync() for "
		"many records, one transaction for many inserts (BEGIN ... COMMIT), appendfsync "
		"everysec.",
	},
	[ADVICE_STDERR] = {
		[LANGUAGE_UNKNOWN] = "This is standard error, which is not buffered so that "
		"messages survive a crash. If there are many, gather them and write them at once.",
		[LANGUAGE_CPP] = "This is standard error: std::cerr writes each piece by itself "
		"so that messages survive a crash, and so does std::clog while it is synchronised "
		"with stdio. For bulk output, call std::ios::sync_with_stdio(false) first and use "
		"std::clog.",
	},
	[ADVICE_TERMINAL] = {
		[LANGUAGE_UNKNOWN] = "This is a terminal, where streams are line-buffered so that "
		"each line appears at once: there is nothing to gain.",
	},
	[ADVICE_SIGNALS] = {
		[LANGUAGE_UNKNOWN] = "These are signals between threads, not output.",
	},
	[ADVICE_DATAGRAMS] = {
		[LANGUAGE_UNKNOWN] = "These are datagrams: each is a message of its own. "
		"sendmmsg() sends several in a call.",
	},
	[ADVICE_SOCKET] = {
		[LANGUAGE_UNKNOWN] = "The connection gets its data in small pieces. Gather them "
		"in user space before they are sent.",
	},
	[ADVICE_ANSWERS] = {
		[LANGUAGE_UNKNOWN] = "Each may be the answer to a request, for it is not known "
		"what was read: trace that, too, with -e %desc,%net.",
	},
	[ADVICE_JOURNAL] = {
		[LANGUAGE_UNKNOWN] = "The program syncs this file and answers requests: each "
		"record has to be written before its request is answered, so that nothing is lost "
		"that was confirmed. Requests that are answered together need one write.",
	},
	[ADVICE_DISCARDED] = {
		[LANGUAGE_UNKNOWN] = "The null device discards what it gets: there is nothing to "
		"win here. Look at the run with its real output.",
	},
	[ADVICE_FULL] = {
		[LANGUAGE_UNKNOWN] = "The program writes to a full pipe or socket again and "
		"again: wait for room with poll() or epoll_wait() (POLLOUT) before the next write.",
	},
	[ADVICE_GONE] = {
		[LANGUAGE_UNKNOWN] = "The reader has gone: stop writing at the first EPIPE.",
	},
	[ADVICE_FAILED] = {
		[LANGUAGE_UNKNOWN] = "Data that could not be written is lost unless it is written "
		"again: stop at the first such error and report it; check the disk's space and "
		"the quota.",
	},
	[ADVICE_CUT_SHORT] = {
		[LANGUAGE_UNKNOWN] = "The rest must be written again, after waiting for room "
		"(POLLOUT). Larger buffers at the other end (F_SETPIPE_SZ, SO_SNDBUF) make this "
		"rarer.",
	},
	[ADVICE_MISSING] = {
		[LANGUAGE_UNKNOWN] = "The program looks for the same path again and again. "
		"Remember that it is missing, or watch its directory with inotify.",
	},
	[ADVICE_SEARCH] = {
		[LANGUAGE_UNKNOWN] = "The directories of a search path are tried in turn. Shorten "
		"it, put those first that have most of the files, or remember which files are "
		"missing.",
	},
	[ADVICE_HEADERS] = {
		[LANGUAGE_UNKNOWN] = "The compiler tries the directories of its search path in "
		"turn. Give it fewer -I, and those first that have most of the files.",
	},
	[ADVICE_LIBRARIES] = {
		[LANGUAGE_UNKNOWN] = "The libraries' directories are tried in turn. Shorten "
		"LD_LIBRARY_PATH or the program's RUNPATH, or put those first that have most of "
		"the libraries.",
	},
	[ADVICE_MODULES] = {
		[LANGUAGE_UNKNOWN] = "The node_modules of all parent directories are tried in "
		"turn. Name the file in require(), or install the module nearer to who needs it.",
	},
	[ADVICE_COMMANDS] = {
		[LANGUAGE_UNKNOWN] = "The directories of PATH are tried in turn. Shorten it, put "
		"those first that have most of the commands, or call commands by their full paths.",
	},
};
/* clang-format on */

const char *advice_text(enum advice_kind kind, enum language l)
{
	return texts[kind][l] ? texts[kind][l] : texts[kind][LANGUAGE_UNKNOWN];
}
