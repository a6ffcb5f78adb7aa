// SPDX-License-Identifier: GPL-2.0
#include "model/advice.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"

/*
 * LANGUAGE_UNKNOWN has what holds for all other languages. tests/e2e/advice.cpp tries each by a
 * pair of programs, in one of the ways that it names, except those that say why nothing is to be
 * done or that more is to be looked at (ADVICE_SERVES, TERMINAL, SIGNALS, DATAGRAMS, PASSED_ON,
 * ANSWERS, JOURNAL, GROUPED, DISCARDED, POLLS, OWN_WORK, COSTLY, NO_SETTING), and the general ones
 * of LINES, WRITES, READS and REOPEN. Settings of programs are tried by tests/e2e/settings.cpp,
 * caveats by tests/e2e/caveats.cpp.
 */
/* clang-format off */
static const char *const texts[NR_ADVICE][NR_LANGUAGES] = {
	[ADVICE_LINES] = {
		[LANGUAGE_UNKNOWN] = "Gather lines in a buffer, and flush it when it is full and at the end.",
		[LANGUAGE_C] = "Do without fflush() and line buffering (setvbuf() with _IOLBF or _IONBF; stdbuf -oL), or without the program's option for them.",
		[LANGUAGE_CPP] = "End lines with '\\n' instead of std::endl; no std::flush, no std::unitbuf.",
		[LANGUAGE_PYTHON] = "Run it without -u and PYTHONUNBUFFERED, print without flush=True, open files without buffering=0 or 1. A logging.FileHandler flushes every record, also behind a MemoryHandler: give it a flush() that does nothing.",
		[LANGUAGE_JAVA] = "Write through a PrintWriter around a BufferedWriter without autoflush instead of System.out, and flush() at the end. A FileHandler of java.util.logging flushes every record: use a StreamHandler around a BufferedOutputStream.",
		[LANGUAGE_GO] = "Write through w := bufio.NewWriter(f), and w.Flush() at the end.",
		[LANGUAGE_RUST] = "Write through BufWriter::new(io::stdout().lock()), or BufWriter::new(file), instead of println! and File.",
		[LANGUAGE_NODE] = "Gather lines in a string, and write it with fs.writeSync() when it exceeds 64 KiB and at the end.",
		[LANGUAGE_SHELL] = "Each echo and printf of a shell is a write. Let one program write all the lines, such as awk.",
		[LANGUAGE_PERL] = "Do without $| = 1 and autoflush(1), and use print instead of syswrite.",
		[LANGUAGE_RUBY] = "Do without sync = true and flush, and use write or puts instead of syswrite. A Logger sets sync = true on a file that it opens: give it File.open(path, 'a').",
		[LANGUAGE_TCL] = "Use chan configure $f -buffering full, and no flush after each line.",
		[LANGUAGE_AWK] = "Do without fflush() after each line.",
		[LANGUAGE_PHP] = "Each echo and fwrite() is a write: begin with ob_start(null, 65536) for what is echoed, and gather other lines in a string, to be written when it exceeds 64 KiB and at the end.",
		[LANGUAGE_LUA] = "Do without f:setvbuf(\"line\") and f:setvbuf(\"no\"), and without f:flush() after each line.",
		[LANGUAGE_OCAML] = "Use print_string or Printf with \"\\n\" instead of print_endline and \"%!\", without flush after each line.",
	},
	[ADVICE_WRITES] = {
		[LANGUAGE_UNKNOWN] = "Gather the output, and write when the buffer is full.",
		[LANGUAGE_C] = "Write through stdio (fwrite(), putc()) instead of write(), without fflush() after each piece, or give the program a larger block.",
		[LANGUAGE_CPP] = "Write through a std::ofstream instead of write(), without pubsetbuf(nullptr, 0) and std::unitbuf.",
		[LANGUAGE_PYTHON] = "Run it without -u and PYTHONUNBUFFERED, open files without buffering=0, and write to them instead of os.write().",
		[LANGUAGE_JAVA] = "Write through a BufferedOutputStream around the FileOutputStream.",
		[LANGUAGE_GO] = "Write through w := bufio.NewWriter(f), and w.Flush() at the end.",
		[LANGUAGE_RUST] = "Write through BufWriter::new(file).",
		[LANGUAGE_NODE] = "Gather the output, and write it with fs.writeSync() when it exceeds 64 KiB and at the end.",
		[LANGUAGE_SHELL] = "Each printf of a shell is a write. Let one program write all of it, such as awk.",
		[LANGUAGE_PERL] = "Use print instead of syswrite, without $| = 1 and autoflush(1).",
		[LANGUAGE_RUBY] = "Use write instead of syswrite, without sync = true.",
		[LANGUAGE_TCL] = "Use chan configure $f -buffering full instead of none.",
		[LANGUAGE_AWK] = "Do without fflush() after each piece, and without -W interactive of mawk.",
		[LANGUAGE_PHP] = "Each fwrite() is a write: gather the output in a string, and write it when it exceeds 64 KiB and at the end.",
		[LANGUAGE_LUA] = "Do without f:setvbuf(\"no\") and f:flush() after each piece.",
		[LANGUAGE_OCAML] = "Write through an out_channel (output_string) instead of Unix.write, without flush after each piece.",
	},
	[ADVICE_READS] = {
		[LANGUAGE_UNKNOWN] = "Read larger blocks into a buffer, and take the pieces from there.",
		[LANGUAGE_C] = "Read through stdio (fread(), getc()) instead of read(), without setvbuf(f, NULL, _IONBF, 0), or give the program a larger block.",
		[LANGUAGE_CPP] = "Read through a std::ifstream instead of read(), without pubsetbuf(nullptr, 0).",
		[LANGUAGE_PYTHON] = "Open the file without buffering=0, and read from it instead of os.read().",
		[LANGUAGE_JAVA] = "Read through a BufferedInputStream around the FileInputStream.",
		[LANGUAGE_GO] = "Read through bufio.NewReader(f).",
		[LANGUAGE_RUST] = "Read through BufReader::new(file).",
		[LANGUAGE_NODE] = "Read blocks of 64 KiB, with fs.readSync() or a stream of the default highWaterMark, and take the pieces from there.",
		[LANGUAGE_SHELL] = "A shell's read takes little at a time, to leave the rest to others. Let one program read all of it, such as awk.",
		[LANGUAGE_PERL] = "Use read or readline instead of sysread.",
		[LANGUAGE_RUBY] = "Read lines with gets or each_line, and pieces with gets(nil, size): sysread, readpartial and read(size) take no more from the kernel than they return.",
		[LANGUAGE_TCL] = "Use chan configure $f -buffersize 65536, or leave it at its default of 4096.",
		[LANGUAGE_PHP] = "Do without stream_set_read_buffer($f, 0), and read pieces with fread() from the stream's buffer.",
		[LANGUAGE_LUA] = "Do without f:setvbuf(\"no\"), or read larger pieces: f:read(65536).",
		[LANGUAGE_OCAML] = "Read through an in_channel (input, really_input_string) instead of Unix.read.",
	},
	[ADVICE_COPIES] = {
		[LANGUAGE_UNKNOWN] = "Ask for larger pieces: sendfile(), splice() and copy_file_range() move up to 2 GB in a call.",
	},
	[ADVICE_REOPEN] = {
		[LANGUAGE_UNKNOWN] = "Open it once for appending and keep it open; after a log rotation, reopen it on SIGHUP or when the date changes.",
		[LANGUAGE_C] = "Keep the FILE * of one fopen(path, \"a\"); after a log rotation, reopen it on SIGHUP or when the date changes.",
		[LANGUAGE_CPP] = "Keep one std::ofstream(path, std::ios::app); after a log rotation, reopen it on SIGHUP or when the date changes.",
		[LANGUAGE_PYTHON] = "Keep the file of one open(path, \"a\"); after a log rotation, reopen it (logging.handlers.WatchedFileHandler does).",
		[LANGUAGE_JAVA] = "Keep one BufferedWriter around a FileWriter(path, true); after a log rotation, reopen it.",
		[LANGUAGE_GO] = "Keep the file of one os.OpenFile() with os.O_APPEND, and write through a bufio.Writer; after a log rotation, reopen it.",
		[LANGUAGE_RUST] = "Keep one BufWriter around a File that OpenOptions::new().append(true) opened; after a log rotation, reopen it.",
		[LANGUAGE_NODE] = "Keep the descriptor of one fs.openSync(path, 'a') instead of fs.appendFileSync(), gather records, and write them with fs.writeSync() when they exceed 64 KiB.",
		[LANGUAGE_SHELL] = "Redirect the whole loop once (done >> file) instead of each command in it.",
		[LANGUAGE_PERL] = "Keep the handle of one open(my $f, '>>', $path); after a log rotation, reopen it.",
		[LANGUAGE_RUBY] = "Keep the file of one File.open(path, 'a'); after a log rotation, reopen it.",
		[LANGUAGE_TCL] = "Keep the channel of one open $path a; after a log rotation, reopen it.",
		[LANGUAGE_AWK] = "Do without close() after each print.",
		[LANGUAGE_PHP] = "Keep the file of one fopen($path, 'a') instead of file_put_contents() with FILE_APPEND, gather records, and write them when they exceed 64 KiB.",
		[LANGUAGE_LUA] = "Keep the file of one io.open(path, \"a\"); after a log rotation, reopen it.",
		[LANGUAGE_OCAML] = "Keep the channel of one open_out_gen [Open_append; Open_creat]; after a log rotation, reopen it.",
	},
	[ADVICE_STATUS] = {
		[LANGUAGE_UNKNOWN] = "Keep the file open, write with pwrite() at its beginning, and cut it with ftruncate() when it has become shorter. Readers may then see a part of the new text, as they may today.",
	},
	[ADVICE_REREAD] = {
		[LANGUAGE_UNKNOWN] = "Keep what it says, and read it again when it has changed: compare the modification time, or watch it with inotify.",
	},
	[ADVICE_PLACES] = {
		[LANGUAGE_UNKNOWN] = "Keep what was read, in a cache that holds most of it, or map the file (mmap()).",
	},
	[ADVICE_PSEUDO] = {
		[LANGUAGE_UNKNOWN] = "Keep it open, and read it again from its beginning with pread(): the kernel makes what it says at each read.",
	},
	[ADVICE_LOOKS] = {
		[LANGUAGE_UNKNOWN] = "Remember what was found, and look again when it may have changed: watch it with inotify, or look once a second.",
	},
	[ADVICE_SERVES] = {
		[LANGUAGE_UNKNOWN] = "The program answers requests, and each answer may need to know the path as it is then. If not, let it remember.",
	},
	[ADVICE_POLLS] = {
		[LANGUAGE_UNKNOWN] = "The program sleeps between its looks: it waits for somebody who makes or changes the path. inotify tells it at once.",
	},
	[ADVICE_CLOSES] = {
		[LANGUAGE_UNKNOWN] = "Close a range of descriptors with one close_range(), or those that /proc/self/fd lists.",
	},
	[ADVICE_SYNC] = {
		[LANGUAGE_UNKNOWN] = "If each record must be safe before the next one, nothing. Otherwise commit in groups: one fsync() for many records, one transaction for many inserts (BEGIN ... COMMIT).",
	},
	[ADVICE_STDERR] = {
		[LANGUAGE_UNKNOWN] = "Standard error is not buffered, so that messages survive a crash. If there are many, gather them and write them at once, or give them a buffer of their own.",
		[LANGUAGE_C] = "Standard error is not buffered, so that messages survive a crash. If there are many, give it a buffer: static char buffer[65536]; setvbuf(stderr, buffer, _IOFBF, sizeof(buffer)).",
		[LANGUAGE_CPP] = "std::cerr writes each piece by itself, so that messages survive a crash, and so does std::clog while it is synchronised with stdio. For bulk output, call std::ios::sync_with_stdio(false) first and use std::clog.",
	},
	[ADVICE_TERMINAL] = {
		[LANGUAGE_UNKNOWN] = "This is a terminal, where streams are line-buffered so that each line appears at once: there is nothing to gain.",
	},
	[ADVICE_SIGNALS] = {
		[LANGUAGE_UNKNOWN] = "These are signals between threads or event loops, not output.",
	},
	[ADVICE_DATAGRAMS] = {
		[LANGUAGE_UNKNOWN] = "These are datagrams: each is a message of its own. sendmmsg() sends several in a call.",
	},
	[ADVICE_PASSED_ON] = {
		[LANGUAGE_UNKNOWN] = "The program passes on what a pipe brings it: whoever writes to that pipe decides how much that is.",
	},
	[ADVICE_SOCKET] = {
		[LANGUAGE_UNKNOWN] = "Gather the data in user space before it is sent: one writev() or sendmsg() for a header and its body.",
	},
	[ADVICE_NAGLE] = {
		[LANGUAGE_UNKNOWN] = "Send each message with one writev() or sendmsg(), or set TCP_NODELAY: the second small write waits until the first one is acknowledged, which the other side delays by up to 40 ms.",
		[LANGUAGE_PYTHON] = "Gather each message, and send it with one sendall(); or set TCP_NODELAY (in a socketserver: wbufsize = 65536, or disable_nagle_algorithm = True). The second small write waits until the first one is acknowledged, which the other side delays by up to 40 ms.",
		[LANGUAGE_JAVA] = "Write each message through a BufferedOutputStream, with one flush(); or call setTcpNoDelay(true). The second small write waits until the first one is acknowledged, which the other side delays by up to 40 ms.",
		[LANGUAGE_GO] = "Gather each message, and send it with one Write(); or leave out SetNoDelay(false). The second small write waits until the first one is acknowledged, which the other side delays by up to 40 ms.",
		[LANGUAGE_NODE] = "Gather each message: cork() the socket and uncork() it at the end, or send it with one write(); or call setNoDelay(). The second small write waits until the first one is acknowledged, which the other side delays by up to 40 ms.",
		[LANGUAGE_RUST] = "Write each message through a BufWriter, with one flush(); or call set_nodelay(true). The second small write waits until the first one is acknowledged, which the other side delays by up to 40 ms.",
		[LANGUAGE_PERL] = "Gather each message, and send it with one print; or call setsockopt(IPPROTO_TCP, TCP_NODELAY, 1). The second small write waits until the first one is acknowledged, which the other side delays by up to 40 ms.",
	},
	[ADVICE_ANSWERS] = {
		[LANGUAGE_UNKNOWN] = "Each may be the answer to a request, for it is not known what was read: trace that, too, with -e %findings.",
	},
	[ADVICE_CONFIRMED] = {
		[LANGUAGE_UNKNOWN] = "The program tells somebody of each record after its sync. Only records of those who wait at the same time can share a sync.",
	},
	[ADVICE_GROUPED] = {
		[LANGUAGE_UNKNOWN] = "Several threads write before each sync, and so share it: only those who wait at the same time can.",
	},
	[ADVICE_UNSYNCED] = {
		[LANGUAGE_UNKNOWN] = "Each may be a record that has to be safe before the next one, for it is not known whether the file is synced: trace that, too, with -e %findings.",
	},
	[ADVICE_MESSAGES] = {
		[LANGUAGE_UNKNOWN] = "A device may take each write as a message of its own.",
	},
	[ADVICE_JOURNAL] = {
		[LANGUAGE_UNKNOWN] = "The program syncs this file and answers requests: each record has to be written before its request is answered, so that nothing is lost that was confirmed. Requests that are answered together need one write.",
	},
	[ADVICE_DISCARDED] = {
		[LANGUAGE_UNKNOWN] = "The null device discards what it gets: there is nothing to win here. Look again with the real output.",
	},
	[ADVICE_FULL] = {
		[LANGUAGE_UNKNOWN] = "Wait for room with poll() or epoll_wait() (POLLOUT) after a write that failed with EAGAIN.",
	},
	[ADVICE_EMPTY] = {
		[LANGUAGE_UNKNOWN] = "Wait with poll() or epoll_wait() (POLLIN), or with a read that blocks: that takes no less time, but the CPU is free for others.",
	},
	[ADVICE_SEEKS] = {
		[LANGUAGE_UNKNOWN] = "Remember the position and the length of the file instead of asking for them: a seek to the end and back only tells how long it is, as one fstat() does.",
	},
	[ADVICE_GONE] = {
		[LANGUAGE_UNKNOWN] = "The reader has gone: stop writing at the first EPIPE.",
	},
	[ADVICE_FAILED] = {
		[LANGUAGE_UNKNOWN] = "Data that could not be written is lost unless it is written again: stop at the first such error and report it; check the disk's space and the quota.",
	},
	[ADVICE_CUT_SHORT] = {
		[LANGUAGE_UNKNOWN] = "The rest must be written again, after waiting for room (POLLOUT). Larger buffers at the other end (F_SETPIPE_SZ, SO_SNDBUF) make this rarer.",
	},
	[ADVICE_ISATTY] = {
		[LANGUAGE_UNKNOWN] = "Ask once whether it is a terminal, and remember the answer: it changes only if the descriptor is opened anew.",
	},
	[ADVICE_TAKEN] = {
		[LANGUAGE_UNKNOWN] = "Go on after the last name that was free, look once which names the directory has, or have the name drawn (mkstemp(), a time and a number): then the first attempt succeeds.",
	},
	[ADVICE_MISSING] = {
		[LANGUAGE_UNKNOWN] = "Remember what is missing, or list the directory once, and watch it with inotify.",
	},
	[ADVICE_WAITS] = {
		[LANGUAGE_UNKNOWN] = "Wait for whoever makes it (wait(), a pipe, inotify), or sleep between the looks: that takes no less time, but the CPU is free for others.",
	},
	[ADVICE_HANDS_OVER] = {
		[LANGUAGE_UNKNOWN] = "Keep in memory what one step hands on to the next; where that needs a file, a memfd_create() is one.",
	},
	[ADVICE_SMALL_BUFFER] = {
		[LANGUAGE_UNKNOWN] = "Both ends wait for each other, as the buffer between them holds little: leave SO_SNDBUF and SO_RCVBUF as they are, or make them larger (of a pipe: fcntl() with F_SETPIPE_SZ).",
	},
	[ADVICE_SEARCH] = {
		[LANGUAGE_UNKNOWN] = "Shorten the search path, put those directories first that have most of the files, or remember which files are missing.",
	},
	[ADVICE_HEADERS] = {
		[LANGUAGE_UNKNOWN] = "Give the compiler fewer -I, and those first that have most of the files.",
	},
	[ADVICE_LIBRARIES] = {
		[LANGUAGE_UNKNOWN] = "Shorten LD_LIBRARY_PATH or the program's RUNPATH, or put those directories first that have most of the libraries.",
	},
	[ADVICE_MODULES] = {
		[LANGUAGE_UNKNOWN] = "Name the file in require(), or install the module nearer to who needs it: the node_modules of all parent directories are tried in turn.",
	},
	[ADVICE_COMMANDS] = {
		[LANGUAGE_UNKNOWN] = "Shorten PATH, put those directories first that have most of the commands, or call commands by their full paths.",
	},
	[ADVICE_MAPPED] = {
		[LANGUAGE_UNKNOWN] = "If each record must be safe before the next one, nothing. Otherwise call msync() once for many records, on all that they have changed.",
	},
	[ADVICE_PROCESSES] = {
		[LANGUAGE_UNKNOWN] = "Let one process do many: give it several files (find -exec ... {} +, xargs), or use its batch mode (git cat-file --batch, git update-ref --stdin). In a shell, read and the expansions of variables do without sed, cut and expr.",
	},
	[ADVICE_OWN_WORK] = {
		[LANGUAGE_UNKNOWN] = "Each of these processes works for far longer than its start takes: there is little to gain from fewer of them.",
	},
	[ADVICE_COSTLY] = {
		[LANGUAGE_UNKNOWN] = "None of the habits that iotrace knows explains these calls. Look whether all of them are needed: perf trace and strace -k tell who makes them.",
	},
	[ADVICE_NO_SETTING] = {
		[LANGUAGE_UNKNOWN] = "The program does so by itself, and iotrace knows no setting of it that changes that.",
	},
};
/* clang-format on */

/* Programs whose users set them up, by comm. Nobody edits their sources. */
/* clang-format off */
#define REDIS_SYNC "Each change is safe before it is confirmed. If those of the last second may be lost, use appendfsync everysec."
#define POSTGRES_SYNC "Each transaction is safe before it is confirmed. Put many changes into one; or, if the last ones may be lost, use synchronous_commit=off."

static const struct setting {
	const char *program;
	enum advice_kind kind;
	const char *text;
	uint64_t buffer; /* How much it then moves at once, in bytes. 0: as its language does. */
} settings[] = {
	{ "nginx", ADVICE_LINES, "Give the log a buffer: access_log PATH FORMAT buffer=64k flush=1s.", 64 << 10 },
	{ "nginx", ADVICE_REREAD, "Let nginx keep files open: open_file_cache max=10000 (and open_file_cache_valid 60s: it then sees changes so much later).", 0 },
	{ "nginx", ADVICE_READS, "Let nginx send files from the kernel: sendfile on; or give it larger buffers: output_buffers 2 512k.", 512 << 10 },
	{ "nginx", ADVICE_SERVES, "Let nginx keep files open: open_file_cache max=10000 (and open_file_cache_valid 60s: it then sees changes so much later).", 0 },
	{ "sqlite3", ADVICE_SYNC, "If each row must be safe before the next one, nothing. Otherwise put many into one transaction (BEGIN; ... COMMIT;), or use PRAGMA journal_mode=WAL with PRAGMA synchronous=NORMAL.", 0 },
	{ "sqlite3", ADVICE_PLACES, "Give sqlite3 a larger cache (PRAGMA cache_size=-65536: 64 MiB), or let it map the file (PRAGMA mmap_size=268435456).", 0 },
	{ "redis-server", ADVICE_SYNC, REDIS_SYNC, 0 },
	{ "redis-server", ADVICE_CONFIRMED, REDIS_SYNC, 0 },
	{ "postgres", ADVICE_SYNC, POSTGRES_SYNC, 0 },
	{ "postgres", ADVICE_CONFIRMED, POSTGRES_SYNC, 0 },
	{ "tar", ADVICE_WRITES, "Give tar larger records: --blocking-factor=2048 (1 MiB; the default is 20, 10 kB).", 1 << 20 },
	{ "tar", ADVICE_READS, "Give tar larger records: --blocking-factor=2048 (1 MiB; the default is 20, 10 kB).", 1 << 20 },
	{ "rsync", ADVICE_SYNC, "Run it without --fsync, and sync the file system once at the end (sync -f DIRECTORY).", 0 },
	{ "dd", ADVICE_WRITES, "Give dd larger blocks: bs=64k.", 64 << 10 },
	{ "dd", ADVICE_READS, "Give dd larger blocks: bs=64k.", 64 << 10 },
	{ "dd", ADVICE_SYNC, "Run it without oflag=sync and oflag=dsync: conv=fsync syncs once, at the end.", 0 },
	{ "grep", ADVICE_LINES, "Run it without --line-buffered.", 0 },
	{ "sed", ADVICE_LINES, "Run it without -u (--unbuffered).", 0 },
	{ "sed", ADVICE_READS, "Run it without -u (--unbuffered).", 0 },
	{ "jq", ADVICE_LINES, "Run it without --unbuffered.", 0 },
	{ "redis-cli", ADVICE_NONE, NULL, 0 }, /* It has no such setting. */
};

static const char *const caveats[NR_CAVEATS] = {
	"A crash loses what the buffer holds: flush it after what must not be lost.",
	"Several processes write to this file: a buffer must be flushed at the end of a line, or their lines tear each other.",
	"Several threads write to this file: let them share one buffer, and lock it for each line.",
	"Standard output and standard error are both in this file: flush the one before writing to the other, or their order changes.",
	"Somebody may wait for what the buffer holds: flush it before waiting for input.",
	"Output then appears later, as the program sleeps between its writes: flush the buffer every second, too, if somebody follows the file.",
};
/* clang-format on */

const char *advice_text(enum advice_kind kind)
{
	return texts[kind][LANGUAGE_UNKNOWN];
}

/* Is it advice about the sources of a program? */
static bool is_about_sources(enum advice_kind kind)
{
	switch (kind) {
	case ADVICE_LINES:
	case ADVICE_WRITES:
	case ADVICE_READS:
	case ADVICE_COPIES:
	case ADVICE_REOPEN:
	case ADVICE_STATUS:
	case ADVICE_REREAD:
	case ADVICE_PLACES:
	case ADVICE_PSEUDO:
	case ADVICE_LOOKS:
	case ADVICE_SYNC:
	case ADVICE_STDERR:
	case ADVICE_SOCKET:
	case ADVICE_NAGLE:
		return true;
	default:
		return false;
	}
}

/* What a program with settings gets that has none for this. */
static const struct setting no_setting = { "", ADVICE_NONE, NULL, 0 };

/* Returns the setting of a program. NULL: it has none, or this is no matter of them. */
static const struct setting *setting_of(const struct file_stats *f, enum advice_kind kind)
{
	const struct setting *found = NULL;

	for (size_t i = 0; f->nr_users && i < ARRAY_SIZE(settings); i++) {
		if (strcmp(settings[i].program, f->users[0].comm) != 0)
			continue;
		if (settings[i].kind == kind && kind != ADVICE_NONE)
			return &settings[i];
		if (is_about_sources(kind))
			found = &no_setting;
	}
	return found;
}

uint64_t advice_buffer(enum advice_kind kind, const struct file_stats *f)
{
	const struct setting *setting = setting_of(f, kind);

	return setting ? setting->buffer : 0;
}

const char *advice_for(enum advice_kind kind, const struct file_stats *f)
{
	const struct setting *setting = setting_of(f, kind);
	const char *text;

	if (setting)
		return setting->text ? setting->text : texts[ADVICE_NO_SETTING][LANGUAGE_UNKNOWN];
	if (f->logger && kind == ADVICE_LINES && !file_is_stdout(f) && !file_is_stderr(f))
		return loggers[f->logger].lines_advice;
	text = texts[kind][f->language];
	return text ? text : texts[kind][LANGUAGE_UNKNOWN];
}

bool advice_is_missing(const char *text)
{
	return text == texts[ADVICE_NO_SETTING][LANGUAGE_UNKNOWN];
}

bool advice_is_setting(const char *text)
{
	for (size_t i = 0; text && i < ARRAY_SIZE(settings); i++)
		if (settings[i].text && !strcmp(settings[i].text, text))
			return true;
	return false;
}

const char *caveat_text(unsigned bit)
{
	return caveats[bit];
}
