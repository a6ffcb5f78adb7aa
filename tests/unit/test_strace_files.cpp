// SPDX-License-Identifier: GPL-2.0
// Which files strace's log is about: descriptors with their paths, openings, and what shares rows.
#include "unit/render_test.hpp"
#include "unit/strace_test.hpp"

#include <sstream>
#include <vector>

extern "C" {
#include "model/profile_files.h"
#include "trace/strace/line.h"
#include "trace/strace/parse.h"
}

namespace
{
const iotrace_port_range EPHEMERAL = { 32768, 60999 };

struct FileLog : Profile {
	explicit FileLog(const std::string &text, size_t max_files = 100, size_t piece = 1 << 20)
	{
		const strace_format format = format_with([&](strace_format &f) {
			f.max_files = max_files;
			f.ephemeral = EPHEMERAL;
		});
		syscall_set set;
		char err[200];

		REQUIRE(syscall_set_parse(&set, "trace=all", err, sizeof(err)) == 0);
		strace_parser *p = strace_parser__new(&format, &set);
		REQUIRE(p);
		for (size_t at = 0; at < text.size(); at += piece)
			REQUIRE(strace_parser__feed(p, 0, text.data() + at,
						    std::min(piece, text.size() - at), 1000) == 0);
		REQUIRE(strace_parser__snapshot(p, this, 2000) == 0);
		strace_parser__free(p);
		REQUIRE(profile_check_files(this) == 0);
	}
	// Returns "regular /tmp/x: write 3 12 B, close 1", sorted by id.
	std::string rows() const
	{
		std::ostringstream out;

		for (size_t i = 0; i < nr_files; i++) {
			const file_stats &f = files[i];

			out << (i ? "\n" : "") << file_kind_name(f.kind)
			    << (file_is_stderr(&f) ? " stderr" : "") << (f.cut ? " cut" : "") << " "
			    << f.path << ":";
			for (size_t c = 0; c < f.nr_calls; c++) {
				out << (c ? ", " : " ") << f.calls[c].name << " "
				    << f.calls[c].calls;
				if (f.calls[c].errors)
					out << " errors " << f.calls[c].errors;
				if (f.calls[c].bytes)
					out << " " << f.calls[c].bytes << " B";
			}
		}
		return out.str();
	}
	const file_call &call(size_t file) const
	{
		REQUIRE(nr_files > file);
		REQUIRE(files[file].nr_calls);
		return files[file].calls[0];
	}
};

// A finished call of task 7.
std::string line(int nr, const std::string &call, const std::string &result)
{
	return "7 [ " + std::to_string(nr) + "] [00007fd5f6ae0b1d] " + call + " = " + result +
	       " <0.000001000>\n";
}

std::string write_to(const std::string &file, int fd = 3)
{
	return line(1, "write(" + std::to_string(fd) + "<" + file + ">, \"ab\\n\", 3)", "3");
}
} // namespace

TEST_CASE("strace files: calls are counted for the file of their descriptor", "[strace]")
{
	const FileLog log(
		line(257, "openat(AT_FDCWD</tmp>, \"x\", O_WRONLY|O_CREAT, 0600)", "3</tmp/x>") +
		write_to("/tmp/x") + write_to("/tmp/x") + line(3, "close(3</tmp/x>)", "0") +
		line(1, "write(1</dev/pts/0<char 136:0>>, \"a\"..., 9)", "5") +
		line(0, "read(0</dev/null<char 1:3>>, \"\", 4)", "0") +
		line(8, "lseek(5</dev/sda<block 8:0>>, 0, SEEK_SET)", "0"));

	CHECK(log.rows() == "regular /tmp/x: write 2 6 B, close 1, openat 1\n"
			    "tty /dev/pts/0: write 1 5 B\n"
			    "device /dev/null: read 1\n"
			    "block /dev/sda: lseek 1");
}

TEST_CASE("strace files: a path has any bytes", "[strace]")
{
	const FileLog log(write_to("/tmp/a\\nb\\\\c\\303\\2641\\74\\76\\\"") + write_to("/tmp/->") +
			  write_to("/tmp/a->b") + write_to("/tmp/x-") + write_to("/tmp/\\0019"));

	REQUIRE(log.nr_files == 5);
	CHECK(std::string(log.files[0].path) == "/tmp/a\nb\\c\303\2641<>\"");
	CHECK(std::string(log.files[2].path) == "/tmp/a->b");
	CHECK(std::string(log.files[3].path) == "/tmp/x-");
	CHECK(std::string(log.files[4].path) == "/tmp/\0019");
}

TEST_CASE("strace files: paths that could not be opened are told apart by their error", "[strace]")
{
	const std::string missing = line(257, "openat(AT_FDCWD</>, \"/no\", O_RDONLY)",
					 "-1 ENOENT (No such file or directory)");
	const FileLog log(
		missing + missing +
		line(2, "open(\"/no\", O_RDONLY)", "-1 EACCES (Permission denied)") +
		line(257, "openat(3</tmp>, \"in\", O_RDONLY)",
		     "-1 ENOENT (No such file or directory)") +
		line(257, "openat(AT_FDCWD</>, 0x7f, O_RDONLY)", "-1 EFAULT (Bad address)") +
		line(3, "close(-1)", "-1 EBADF (Bad file descriptor)") +
		line(3, "close(99)", "-1 EBADF (Bad file descriptor)"));

	CHECK(log.rows() == "invalid (not open): close 2 errors 2\n"
			    "failed /no: openat 2 errors 2\n"
			    "failed /no: open 1 errors 1\n"
			    "failed /tmp/in: openat 1 errors 1");
	CHECK(log.files[1].err == ENOENT);
	CHECK(log.files[2].err == EACCES);
}

TEST_CASE("strace files: a relative path begins at the directory of the call", "[strace]")
{
	const std::string none = "-1 ENOENT (No such file or directory)";
	const FileLog log(
		line(257, "openat(AT_FDCWD</a b>, \".git\", O_RDONLY)", none) +
		line(257, "openat(AT_FDCWD</>, \".git\", O_RDONLY)", none) +
		line(257, "openat(3</c\\303\\244>, \".git\", O_RDONLY)", none) +
		line(262, "newfstatat(AT_FDCWD</a b>, \".git\", 0x7f, 0)", none) +
		line(267, "readlinkat(4</a b>, \".git\", 0x7f, 9)", none) +
		line(439, "faccessat2(4</a b>, \"/no\", R_OK, 0)", none) +
		line(322, "execveat(AT_FDCWD</a b>, \"x\", [\"x\"], 0x7f, 0)", none) +
		line(257, "openat(AT_FDCWD</a b>, \"\", O_RDONLY)", none) +
		line(257, "openat(5<pipe:[7]>, \"x\", O_RDONLY)", "-1 ENOTDIR (Not)") +
		"7 [ 257] [00007fd5f6ae0b1d] openat(AT_FDCWD</d>, \"x\", <unfinished ...>\n"
		"7 [ 257] [00007fd5f6ae0b1d] <... openat resumed>O_RDONLY) = -1 ENOENT (No) "
		"<0.000001000>\n");

	CHECK(log.rows() == "failed /a b/.git: openat 1 errors 1, newfstatat 1 errors 1, "
			    "readlinkat 1 errors 1\n"
			    "failed /.git: openat 1 errors 1\n"
			    "failed /c\303\244/.git: openat 1 errors 1\n"
			    "failed /no: faccessat2 1 errors 1\n"
			    "failed /a b/x: execveat 1 errors 1\n"
			    "failed : openat 1 errors 1\n"
			    "failed x: openat 1 errors 1\n"
			    "failed /d/x: openat 1 errors 1");
}

TEST_CASE("strace files: a write passes on what a short read of a pipe has brought", "[strace]")
{
	const std::string read = line(0, "read(0<pipe:[7]>, \"ab\\n\", 4096)", "3");
	const std::string full = line(0, "read(0<pipe:[7]>, \"ab\\n\", 3)", "3");
	const FileLog log(read + write_to("/out") + write_to("/out") + read + read +
			  write_to("/out") + full + write_to("/out"));

	REQUIRE(log.nr_files == 2);
	CHECK(log.call(0).measured == 4);
	CHECK(log.call(0).cut_short == 3);
	CHECK(log.call(1).calls == 4);
	CHECK(log.call(1).passed_on == 2);
}

TEST_CASE("strace files: openings that empty a file, or make it, begin it anew", "[strace]")
{
	const FileLog log(
		line(257, "openat(AT_FDCWD</>, \"/a\", O_WRONLY|O_TRUNC)", "3</a>") +
		line(257, "openat(AT_FDCWD</>, \"/a\", O_WRONLY|O_CREAT|O_EXCL, 0600)", "3</a>") +
		line(257, "openat(AT_FDCWD</>, \"/a\", O_WRONLY|O_CREAT|O_APPEND, 0600)", "3</a>") +
		line(85, "creat(\"/b\", 0600)", "3</b>"));

	REQUIRE(log.nr_files == 2);
	CHECK(log.call(0).calls == 3);
	CHECK(log.call(0).anew == 2);
	CHECK(log.call(1).anew == 1);
}

TEST_CASE("strace files: a path that exists has a row from the second look on", "[strace]")
{
	const std::string stat = line(4, "stat(\"/conf\", {st_mode=S_IFREG|0644})", "0");
	const std::string at =
		line(262, "newfstatat(AT_FDCWD</>, \"/conf\", {st_mode=S_IFREG|0644}, 0)", "0");
	const std::string other = line(21, "access(\"/other\", R_OK)", "0");
	const std::string relative = line(21, "access(\"conf\", R_OK)", "0");
	const std::string beside =
		line(262, "newfstatat(3</>, \"conf\", {st_mode=S_IFREG|0644}, 0)", "0");
	const FileLog log(stat + other + at + stat + relative + relative + beside + beside +
			  line(59, "execve(\"/bin/true\", [\"true\"], 0x7f)", "0") +
			  line(59, "execve(\"/bin/true\", [\"true\"], 0x7f)", "0"));

	CHECK(log.rows() == "found /conf: stat 1, newfstatat 1");
}

TEST_CASE("strace files: an empty path is the descriptor's file", "[strace]")
{
	const FileLog log(
		line(262, "newfstatat(3</a>, \"\", {st_mode=S_IFREG|0644}, AT_EMPTY_PATH)", "0") +
		line(332, "statx(3</a>, \"\", AT_EMPTY_PATH, STATX_ALL, {stx_mask=0})", "0") +
		line(262, "newfstatat(4</d>, \"b\", {st_mode=S_IFREG|0644}, 0)", "0") +
		line(262, "newfstatat(4</d>, \"no\", 0x7f, 0)",
		     "-1 ENOENT (No such file or directory)") +
		line(262, "newfstatat(4</d>, \"\", 0x7f, 0)",
		     "-1 ENOENT (No such file or directory)") +
		line(257, "openat(4</d>, \"in\", O_RDONLY)", "5</d/in>") +
		"7 [ 262] [00007fd5f6ae0b1d] newfstatat(3</a>, \"\", <unfinished ...>\n"
		"7 [ 262] [00007fd5f6ae0b1d] <... newfstatat resumed>{st_mode=S_IFREG|0644}, "
		"AT_EMPTY_PATH) = 0 <0.000001000>\n");

	CHECK(log.rows() == "regular /a: newfstatat 2, statx 1\n"
			    "failed /d/no: newfstatat 1 errors 1\n"
			    "failed : newfstatat 1 errors 1\n"
			    "regular /d/in: openat 1");
}

TEST_CASE("strace files: unfinished calls keep their file", "[strace]")
{
	const FileLog log(
		"7 [   1] [00007fd5f6ae0b1d] write(3</tmp/x>, \"ab\\n\", 3 <unfinished ...>\n"
		"8 [ 257] [00007fd5f6ae0b1d] openat(AT_FDCWD</tmp>, \"fifo\", O_RDONLY "
		"<unfinished ...>\n"
		"9 [ 257] [00007fd5f6ae0b1d] openat(AT_FDCWD</tmp>, \"no\", O_RDONLY "
		"<unfinished ...>\n"
		"10 [   3] [00007fd5f6ae0b1d] close(3</tmp/y> <unfinished ...>\n"
		"11 [ 257] [00007fd5f6ae0b1d] openat(AT_FDCWD</tmp>, \"dies\", O_RDONLY "
		"<unfinished ...>\n"
		"7 [   1] [00007fd5f6ae0b1d] <... write resumed>) = 3 <0.1>\n"
		"8 [ 257] [00007fd5f6ae0b1d] <... openat resumed>) = 4</tmp/fifo> <0.1>\n"
		"9 [ 257] [00007fd5f6ae0b1d] <... openat resumed>) = -1 ENOENT (No such "
		"file) <0.1>\n"
		"11 [ 257] [????????????????] +++ killed by SIGKILL +++\n");

	CHECK(log.rows() == "regular /tmp/x: write 1 3 B\n"
			    "regular /tmp/y:\n"
			    "regular /tmp/fifo: openat 1\n"
			    "failed /tmp/no: openat 1 errors 1");
	CHECK(log.call(0).newlines == 1);
}

TEST_CASE("strace files: the last byte of a write is known where strace shows all of it",
	  "[strace]")
{
	const auto last = [](const std::string &args, const std::string &result,
			     const char *name = "write") {
		const FileLog log(line(std::string(name) == "write" ? 1 : 20,
				       std::string(name) + "(3</x>, " + args + ")", result));
		const file_call &c = log.call(0);

		return std::to_string(c.newlines) + "/" + std::to_string(c.last_byte_known) +
		       " cut " + std::to_string(c.cut_short) + "/" + std::to_string(c.measured);
	};

	CHECK(last("\"ab\\n\", 3", "3") == "1/1 cut 0/1");
	CHECK(last("\"ab\\\\n\", 4", "4") == "0/1 cut 0/1");
	CHECK(last("\"\\303\\264\\n\", 3", "3") == "1/1 cut 0/1");
	CHECK(last("\"\\0\\0\\12\", 3", "3") == "1/1 cut 0/1");
	CHECK(last("\"ab\\n\"..., 300", "300") == "0/0 cut 0/0");
	CHECK(last("\"ab\\n\", 3", "2") == "0/0 cut 1/1");
	CHECK(last("0x7f, 3", "-1 EFAULT (Bad address)") == "0/0 cut 0/0");
	CHECK(last("[{iov_base=\"a\", iov_len=1}, {iov_base=\"\\n\", iov_len=1}], 2", "2",
		   "writev") == "1/1 cut 0/1");
	CHECK(last("[{iov_base=\"a\"..., iov_len=100}, {iov_base=\"\\n\", iov_len=1}], 2", "101",
		   "writev") == "0/0 cut 0/0");
	CHECK(last("[{iov_base=\"a\\n\", iov_len=2}, ...], 99", "300", "writev") == "0/0 cut 0/0");
}

TEST_CASE("strace files: a write begins a run unless its task wrote to the file before, and has "
	  "not read from it",
	  "[strace]")
{
	const auto ends = [](const char *pid, const char *name, int nr, const char *result = "4") {
		return pid + line(nr, std::string(name) + "(3<socket:[9]>, \"abcd\", 4)", result)
				     .substr(1);
	};
	const FileLog log(ends("7", "write", 1) + ends("7", "write", 1) + ends("7", "read", 0) +
			  ends("8", "write", 1) + ends("7", "write", 1) + ends("7", "write", 1) +
			  ends("8", "read", 0, "0") + ends("8", "write", 1));

	REQUIRE(log.call(0).calls == 2);
	CHECK(log.files[0].calls[1].calls == 6);
	CHECK(log.files[0].calls[1].runs == 3);
}

TEST_CASE("strace files: an opening tells the flags that change what a write costs", "[strace]")
{
	const FileLog log(
		line(257, "openat(AT_FDCWD</>, \"/a\", O_WRONLY|O_CREAT|O_APPEND|O_SYNC, 0600)",
		     "3</a>") +
		line(2, "open(\"/b\", O_WRONLY|O_DIRECT)", "3</b>") +
		line(437, "openat2(AT_FDCWD</>, \"/c\", {flags=O_RDWR|O_DSYNC, resolve=0}, 24)",
		     "3</c>") +
		line(257, "openat(AT_FDCWD</>, \"/O_SYNC\", O_RDONLY)", "3</O_SYNC>"));
	std::string flags;
	char buf[32];

	for (size_t i = 0; i < log.nr_files; i++)
		flags += std::string(file_flags_text(buf, log.files[i].flags)) + ";";
	CHECK(flags == "append,sync;direct;dsync;;");
}

TEST_CASE("strace files: a deleted file is one, until there is another of its name", "[strace]")
{
	const std::string deleted = line(1, "write(3</tmp/x>(deleted), \"a\", 1)", "1");

	CHECK(FileLog(write_to("/tmp/x") + deleted).rows() == "deleted /tmp/x: write 2 4 B");
	CHECK(FileLog(deleted + write_to("/tmp/x") + deleted).rows() ==
	      "regular /tmp/x: write 3 5 B");
}

TEST_CASE("strace files: what is in no file system shares rows", "[strace]")
{
	std::string text;
	const auto ends = [](int near, int far) {
		return "TCP:[127.0.0.1:" + std::to_string(near) +
		       "->127.0.0.1:" + std::to_string(far) + "]";
	};

	for (int i = 0; i < 50; i++) {
		text += write_to(ends(40000 + i, 80)) + write_to(ends(80, 40000 + i)) +
			write_to(ends(50000 + i, 45000)) + write_to(ends(45000, 50000 + i)) +
			write_to("TCPv6:[[::1]:" + std::to_string(40000 + i) +
				 "->[fe80::" + std::to_string(i) + "]:443]") +
			write_to("pipe:[" + std::to_string(100 + i) + "]") +
			write_to("pipe:[" + std::to_string(100 + i) + "]", 2) +
			write_to("UNIX-STREAM:[" + std::to_string(i) + "->7]") +
			write_to("UNIX-STREAM:[" + std::to_string(i) + "->7,\"/run/s\"]") +
			write_to("UNIX-DGRAM:[" + std::to_string(i) + ",@\"name\"]") +
			line(1, "write(3</memfd:" + std::to_string(i) + ">(deleted), \"a\", 1)",
			     "1") +
			write_to("NETLINK:[ROUTE:" + std::to_string(i) + "]");
	}
	CHECK(FileLog(text).rows() == "socket tcp:127.0.0.1:*->127.0.0.1:80: write 50 150 B\n"
				      "socket tcp:127.0.0.1:80->127.0.0.1:*: write 50 150 B\n"
				      "socket tcp:127.0.0.1:*->127.0.0.1:45000: write 50 150 B\n"
				      "socket tcp:127.0.0.1:45000->127.0.0.1:50000: write 1 3 B\n"
				      "socket tcp:[::1]:*->*:443: write 50 150 B\n"
				      "pipe pipe:[*]: write 50 150 B\n"
				      "pipe stderr pipe:[*]: write 50 150 B\n"
				      "socket unix:[*]: write 50 150 B\n"
				      "socket unix:/run/s: write 50 150 B\n"
				      "socket unix:@name: write 50 150 B\n"
				      "memfd memfd:*: write 50 50 B\n"
				      "socket NETLINK:[*]: write 50 150 B\n"
				      "socket tcp:127.0.0.1:45000->127.0.0.1:*: write 49 147 B");
	CHECK(FileLog(write_to(ends(40001, 80)) + write_to(ends(40001, 80)) + write_to("pipe:[5]") +
		      write_to("TCP:[127.0.0.1:80]") + write_to("UDP:[7]") +
		      write_to("anon_inode:[eventfd]") + write_to("anon_inode:[eventpoll]"))
		      .rows() == "socket tcp:127.0.0.1:40001->127.0.0.1:80: write 2 6 B\n"
				 "pipe pipe:[5]: write 1 3 B\n"
				 "socket tcp:127.0.0.1:80: write 1 3 B\n"
				 "socket UDP:[7]: write 1 3 B\n"
				 "eventfd anon_inode:[eventfd]: write 1 3 B\n"
				 "anon anon_inode:[eventpoll]: write 1 3 B");
}

TEST_CASE("strace files: the name of a unix socket may hold what ends other names", "[strace]")
{
	const struct {
		const char *logged, *path;
	} names[] = {
		{ "a>b", "a>b" },
		{ "c\\\"d", "c\"d" },
		{ "e<f", "e<f" },
		{ "g]h", "g]h" },
		{ "i>, j", "i>, j" },
		{ "k->l", "k->l" },
		{ "m\\\">) = 1", "m\">) = 1" },
		{ "n\\\\", "n\\" },
		{ "\\1\\76", "\1>" },
	};

	for (const auto &name : names) {
		const std::string quoted = std::string("\"") + name.logged + "\"]";

		CAPTURE(name.path);
		CHECK(FileLog(write_to("UNIX-STREAM:[7->8,@" + quoted)).rows() ==
		      std::string("socket unix:@") + name.path + ": write 1 3 B");
		CHECK(FileLog(write_to("UNIX-DGRAM:[7," + quoted)).rows() ==
		      std::string("socket unix:") + name.path + ": write 1 3 B");
	}
	/* strace escapes the quotes of paths. */
	CHECK(FileLog(write_to("/tmp/,\\\"a") + write_to("/tmp/b")).rows() ==
	      "regular /tmp/,\"a: write 1 3 B\nregular /tmp/b: write 1 3 B");
}

TEST_CASE("strace files: standard error is what only descriptor 2 writes to", "[strace]")
{
	const FileLog log(write_to("/a", 2) + write_to("/a", 2) + write_to("/b", 2) +
			  write_to("/b", 1) + write_to("/c", 1) + write_to("/c", 2));

	CHECK(log.rows() == "regular stderr /a: write 2 6 B\n"
			    "regular /b: write 2 6 B\n"
			    "regular /c: write 2 6 B");
}

TEST_CASE("strace files: rows are limited, and the rest is (other)", "[strace]")
{
	std::string text;

	for (int i = 0; i < 50; i++)
		text += write_to("/" + std::to_string(i));
	FileLog log(text, 10);
	CHECK(log.nr_files == 10);
	CHECK(log.misplaced_calls == 40);
	REQUIRE(profile_add_other_files(&log) == 0);
	REQUIRE(log.nr_files == 11);
	CHECK(log.files[0].id == FILE_ID_OTHER);
	CHECK(log.call(0).calls == 40);
}

TEST_CASE("strace files: a text of any length and any cut of the log give the same rows",
	  "[strace]")
{
	const std::string path = "/" + std::string(5000, 'a'),
			  text = write_to(path) + write_to("/b");
	const FileLog whole(text);

	CHECK(whole.rows() == "regular cut /" + std::string(STRACE_TEXT_SIZE - 1, 'a') +
				      ": write 1 3 B\nregular /b: write 1 3 B");
	for (size_t piece : { 1, 7, 4096 })
		CHECK(FileLog(text, 100, piece).rows() == whole.rows());
}
