// SPDX-License-Identifier: GPL-2.0
#include "model/language.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"

/*
 * Buffers, as the libraries choose them for a file on an ordinary file system. C: glibc's stdio
 * takes st_blksize (libio/filedoalloc.c). C++: libstdc++'s filebuf keeps one of BUFSIZ bytes free
 * (bits/fstream.tcc); its standard streams go through stdio unless told otherwise. Python up to
 * 3.13: st_blksize for bytes, and 8192 for the chunks of text (Lib/_pyio.py). Java:
 * BufferedOutputStream and BufferedWriter. Go: bufio. Rust: BufWriter and BufReader. Node has no
 * buffered writer: lines are gathered by hand. A shell has no buffer: awk writes instead, through
 * stdio. perl: PERLIOBUF_DEFAULT_BUFSIZ (perlio.h). ruby: IO_RBUF_CAPA_MIN and IO_WBUF_CAPA_MIN
 * (io.c). Tcl: CHANNELBUFFER_DEFAULT_SIZE (generic/tclIO.h). mawk: BUFFSZ (sizes.h), gawk:
 * st_blksize. PHP does not buffer what it writes to files, so that text is gathered by hand, or by
 * ob_start(); it reads chunks of PHP_STREAM_CHUNK_SIZE (main/php_streams.h). Lua uses C's stdio.
 * OCaml: IO_BUFFER_SIZE (runtime/caml/io.h).
 */
const struct language_buffers languages[NR_LANGUAGES] = {
	[LANGUAGE_UNKNOWN] = { "", { 4096, 4096, 4096 }, 4096 },
	[LANGUAGE_C] = { "C", { 4096, 4096, 4096 }, 4096 },
	[LANGUAGE_CPP] = { "C++", { 8191, 8191, 4096 }, 8191 },
	[LANGUAGE_PYTHON] = { "Python", { 4096, 8192, 8192 }, 4096 },
	[LANGUAGE_JAVA] = { "Java", { 8192, 8192, 8192 }, 8192 },
	[LANGUAGE_GO] = { "Go", { 4096, 4096, 4096 }, 4096 },
	[LANGUAGE_RUST] = { "Rust", { 8192, 8192, 8192 }, 8192 },
	[LANGUAGE_NODE] = { "Node", { 65536, 65536, 65536 }, 65536 },
	[LANGUAGE_SHELL] = { "shell", { 4096, 4096, 4096 }, 4096 },
	[LANGUAGE_PERL] = { "Perl", { 8192, 8192, 8192 }, 8192 },
	[LANGUAGE_RUBY] = { "Ruby", { 8192, 8192, 8192 }, 8192 },
	[LANGUAGE_TCL] = { "Tcl", { 4096, 4096, 4096 }, 4096 },
	[LANGUAGE_AWK] = { "awk", { 4096, 4096, 4096 }, 4096 },
	[LANGUAGE_PHP] = { "PHP", { 65536, 65536, 65536 }, 8192 },
	[LANGUAGE_LUA] = { "Lua", { 4096, 4096, 4096 }, 4096 },
	[LANGUAGE_OCAML] = { "OCaml", { 65536, 65536, 65536 }, 65536 },
};

/*
 * The user time that goes away with the write of a flushed line, with another write, with a read,
 * and with an opening and what belongs to it: the library's work, and the calls that are not
 * traced. Measured by `make promises`: what mending its programs gains, minus the calls' own time.
 * Those of Ruby and Tcl are guessed from Perl's and Python's, as are those of PHP, Lua and OCaml.
 */
const struct work_around work_around[NR_LANGUAGES] = {
	[LANGUAGE_UNKNOWN] = { { 0.2, 1 }, { 0.2, 1 }, { 0, 0.5 }, { 0.2, 3 } },
	[LANGUAGE_C] = { { 0.2, 1 }, { 0.2, 1 }, { 0, 0.5 }, { 0.2, 3 } },
	[LANGUAGE_CPP] = { { 0.3, 1.2 }, { 0.3, 1.2 }, { 0, 0.5 }, { 0.5, 4 } },
	[LANGUAGE_PYTHON] = { { 1.6, 4.2 }, { 0.3, 1.5 }, { 0.2, 1 }, { 12, 26 } },
	[LANGUAGE_JAVA] = { { 0.6, 1.7 }, { 0.6, 1.7 }, { 0.2, 1 }, { 2, 10 } },
	[LANGUAGE_GO] = { { 0.3, 1.3 }, { 0.3, 1.3 }, { 0.2, 1 }, { 1, 6 } },
	[LANGUAGE_RUST] = { { 0.1, 1 }, { 0.1, 1 }, { 0, 0.5 }, { 0.2, 3 } },
	[LANGUAGE_NODE] = { { 0.6, 2.2 }, { 0.6, 2.2 }, { 0.6, 2.2 }, { 5, 14 } },
	[LANGUAGE_SHELL] = { { 1, 3 }, { 1, 3 }, { 0.5, 2 }, { 3.5, 7.5 } },
	[LANGUAGE_PERL] = { { 0.1, 1 }, { 0.1, 1 }, { 0.1, 1 }, { 2, 10 } },
	[LANGUAGE_RUBY] = { { 0.5, 2.5 }, { 0.5, 2.5 }, { 0.5, 2.5 }, { 4, 20 } },
	[LANGUAGE_TCL] = { { 0.5, 2.5 }, { 0.5, 2.5 }, { 0.5, 2.5 }, { 4, 20 } },
	[LANGUAGE_AWK] = { { 0.3, 1.5 }, { 0.3, 1.5 }, { 0.2, 1 }, { 0.5, 4 } },
	[LANGUAGE_PHP] = { { 0.2, 1.5 }, { 0.2, 1.5 }, { 0.2, 1.5 }, { 2, 10 } },
	[LANGUAGE_LUA] = { { 0.2, 1.2 }, { 0.2, 1.2 }, { 0.1, 1 }, { 0.5, 4 } },
	[LANGUAGE_OCAML] = { { 0.2, 1.2 }, { 0.2, 1.2 }, { 0.1, 1 }, { 0.5, 4 } },
};

/*
 * The least of 12 starts of `perl -e 1`, `tclsh /dev/null`, `php -r ''`, `python3 -c ''`, `node -e
 * ''`, `ruby -e 1` and `java -version` (1.3, 2.1, 10, 8, 20, 35 and 38 ms), by that of `sh -c :`
 * (0.6 ms), less a quarter, as Debian 12 has them on an AMD EPYC. Programs of other languages, and
 * mawk, bash and Lua, take as long as a shell, or little more.
 */
const double language_starts[NR_LANGUAGES] = {
	[LANGUAGE_UNKNOWN] = 1, [LANGUAGE_C] = 1,      [LANGUAGE_CPP] = 1,   [LANGUAGE_PYTHON] = 10,
	[LANGUAGE_JAVA] = 50,	[LANGUAGE_GO] = 1,     [LANGUAGE_RUST] = 1,  [LANGUAGE_NODE] = 25,
	[LANGUAGE_SHELL] = 1,	[LANGUAGE_PERL] = 1.6, [LANGUAGE_RUBY] = 40, [LANGUAGE_TCL] = 2.5,
	[LANGUAGE_AWK] = 1,	[LANGUAGE_PHP] = 12,   [LANGUAGE_LUA] = 1,   [LANGUAGE_OCAML] = 1,
};

/*
 * An executable's name, with or without a version, or a library's up to ".so". The last ones have
 * no advice of their own.
 */
static const struct {
	const char *name;
	enum language language;
} interpreters[] = {
	{ "python", LANGUAGE_PYTHON },
	{ "pypy", LANGUAGE_PYTHON },
	{ "libpython", LANGUAGE_PYTHON },
	{ "java", LANGUAGE_JAVA },
	{ "libjvm", LANGUAGE_JAVA },
	{ "node", LANGUAGE_NODE },
	{ "nodejs", LANGUAGE_NODE },
	{ "libnode", LANGUAGE_NODE },
	{ "sh", LANGUAGE_SHELL },
	{ "bash", LANGUAGE_SHELL },
	{ "dash", LANGUAGE_SHELL },
	{ "zsh", LANGUAGE_SHELL },
	{ "ksh", LANGUAGE_SHELL },
	{ "mksh", LANGUAGE_SHELL },
	{ "fish", LANGUAGE_SHELL },
	{ "ash", LANGUAGE_SHELL },
	{ "libstdc++", LANGUAGE_CPP },
	{ "libc++", LANGUAGE_CPP },
	{ "perl", LANGUAGE_PERL },
	{ "libperl", LANGUAGE_PERL },
	{ "ruby", LANGUAGE_RUBY },
	{ "libruby", LANGUAGE_RUBY },
	{ "tclsh", LANGUAGE_TCL },
	{ "libtcl", LANGUAGE_TCL },
	{ "awk", LANGUAGE_AWK },
	{ "mawk", LANGUAGE_AWK },
	{ "gawk", LANGUAGE_AWK },
	{ "nawk", LANGUAGE_AWK },
	{ "php", LANGUAGE_PHP },
	{ "php-fpm", LANGUAGE_PHP },
	{ "php-cgi", LANGUAGE_PHP },
	{ "phpdbg", LANGUAGE_PHP },
	{ "libphp", LANGUAGE_PHP },
	{ "lua", LANGUAGE_LUA },
	{ "luajit", LANGUAGE_LUA },
	{ "liblua", LANGUAGE_LUA },
	{ "luajit-2.1.0-beta", LANGUAGE_LUA },
	{ "ocaml", LANGUAGE_OCAML },
	{ "ocamlrun", LANGUAGE_OCAML },
	{ "libasmrun", LANGUAGE_OCAML },
	{ "libcamlrun", LANGUAGE_OCAML },
	{ "R", LANGUAGE_UNKNOWN },
	{ "libR", LANGUAGE_UNKNOWN },
	{ "dotnet", LANGUAGE_UNKNOWN },
	{ "libcoreclr", LANGUAGE_UNKNOWN },
	{ "beam.smp", LANGUAGE_UNKNOWN },
	{ "guile", LANGUAGE_UNKNOWN },
	{ "libguile", LANGUAGE_UNKNOWN },
	{ "julia", LANGUAGE_UNKNOWN },
	{ "libjulia", LANGUAGE_UNKNOWN },
	{ "sbcl", LANGUAGE_UNKNOWN },
	{ "libgnat", LANGUAGE_UNKNOWN },
	{ "libgfortran", LANGUAGE_UNKNOWN },
	{ "libphobos", LANGUAGE_UNKNOWN },
	{ "swipl", LANGUAGE_UNKNOWN },
};

enum language language_parse(const char *name)
{
	int l = LANGUAGE_C;

	while (l < NR_LANGUAGES && strcmp(languages[l].name, name))
		l++;
	return (enum language)l;
}

bool language_is_interpreted(enum language language)
{
	switch (language) {
	case LANGUAGE_UNKNOWN:
	case LANGUAGE_C:
	case LANGUAGE_CPP:
	case LANGUAGE_GO:
	case LANGUAGE_RUST:
	case LANGUAGE_OCAML:
		return false;
	default:
		return true;
	}
}

enum language language_of_interpreter(const char *name)
{
	const char *so = strstr(name, ".so"), *end = so ? so : name + strlen(name);

	/* Names such as "python3.11", "libnode.so.108" and "libpython3.11.so.1.0". */
	while (end > name && strchr("0123456789.-", end[-1]))
		end--;
	for (size_t i = 0; i < ARRAY_SIZE(interpreters); i++)
		if (strlen(interpreters[i].name) == (size_t)(end - name) &&
		    !strncmp(interpreters[i].name, name, (size_t)(end - name)))
			return interpreters[i].language;
	return NR_LANGUAGES;
}
