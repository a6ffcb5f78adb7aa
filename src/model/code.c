// SPDX-License-Identifier: GPL-2.0
#include "model/code.h"

#include <string.h>

#include "base/array.h"
#include "base/text.h"

/* Beginnings of the names of libraries that programs do not write themselves. */
static const char *const runtime_objects[] = {
	"[vdso]",  "ld-linux",	"ld-musl",    "ld.so",	   "libc.so",	"libc-",      "libpthread",
	"libm.so", "libdl",	"librt.so",   "libstdc++", "libc++",	"libgcc_s",   "libpython",
	"libjvm",  "libjli.so", "libjava.so", "libnio.so", "libnet.so", "libzip.so",  "libruby",
	"libperl", "liblua",	"libphp",     "libnode",   "libuv.so",	"libcoreclr", "libasan",
	"libtsan", "libubsan",	"libstd-",
};

/* Where the sources of runtimes lie, as compilers write it down. */
static const char *const runtime_sources[] = {
	"/usr/include/", "/usr/lib/gcc/",	   "/usr/lib/go", "/usr/share/go",
	"/usr/local/go", "/usr/local/include/c++", "/rustc/",	  "/usr/src/rustc",
	"/usr/lib/llvm", "/usr/lib/rustlib",
};

/* Functions of runtimes that are linked into the program, if their sources are elsewhere. */
static const char *const runtime_functions[] = {
	"std::",	"__gnu_cxx::",
	"core::",	"alloc::",
	"_start",	"__libc_",
	"__libc_start", "_IO_",
	"runtime.",	"runtime/",
	"syscall.",	"internal/",
	"os.(*File)",	"fmt.",
	"bufio.",	"log.",
	"log/",		"io.",
	"io/",		"os.",
	"net.",		"net/",
	"encoding/",	"compress/",
	"__gthread",	"rust_begin_unwind",
	"lang_start",	"__rust_",
};

/* Is it a module of Python's own library? Those of others are in site-packages or dist-packages. */
static bool is_python_library(const char *file)
{
	return file && (!strncmp(file, "<frozen", strlen("<frozen")) ||
			(strstr(file, "/lib/python3.") && !strstr(file, "-packages/")));
}

/* Is it a module of Node's own library? */
static bool is_node_library(const char *file)
{
	return file && !strncmp(file, "node:", strlen("node:"));
}

/* Rust's own library, where its sources are installed. */
static bool is_rust_library(const char *file)
{
	return file && strstr(file, "/lib/rustlib/src/rust/");
}

/*
 * Skips what Rust writes before the type that a function is of: "<&mut std::fs::File as
 * std::io::Write>::write". What is of no crate's type, as of a number or a slice, is of the trait's.
 */
static const char *skip_of_type(const char *function)
{
	static const char *const before[] = {
		"<", "&", "mut ", "*const ", "*mut ", "dyn ", "impl "
	};
	const char *trait, *begin = function;
	bool skipped = true;

	while (skipped && (*function == '<' || function > begin)) {
		skipped = false;
		for (size_t i = 0; i < ARRAY_SIZE(before); i++)
			if (!strncmp(function, before[i], strlen(before[i]))) {
				function += strlen(before[i]);
				skipped = true;
			}
	}
	trait = function > begin ? strstr(function, " as ") : NULL;
	if (trait && !memchr(function, ':', (size_t)(trait - function)))
		function = trait + strlen(" as ");
	return function;
}

static bool begins_with_any(const char *text, const char *const *list, size_t nr)
{
	for (size_t i = 0; text && i < nr; i++)
		if (!strncmp(text, list[i], strlen(list[i])))
			return true;
	return false;
}

static const struct interpreter interpreters[] = {
	{ "node", "node", "no map: run it with --perf-basic-prof" },
	{ "libnode", "node", "no map: run it with --perf-basic-prof" },
	{ "libjvm", "java", "no map: run it with an agent that writes one for perf" },
	{ "libcoreclr", "dotnet", "no map: run it with DOTNET_PerfMapEnabled=1" },
	{ "python", "python", "it ended too soon, or is not CPython 3.9 to 3.14" },
	{ "libpython", "python", "it ended too soon, or is not CPython 3.9 to 3.14" },
	{ "ruby", "ruby", NULL },
	{ "libruby-", "ruby", NULL },
	{ "perl", "perl", NULL },
	{ "libperl", "perl", NULL },
	{ "php", "php", NULL },
	{ "lua", "lua", NULL },
	{ "liblua", "lua", NULL },
	{ "tclsh", "tcl", NULL },
	{ "libtcl", "tcl", NULL },
	{ "bash", "bash", NULL },
	{ "dash", "sh", NULL },
	{ "busybox", "busybox", NULL },
	{ "gawk", "awk", NULL },
	{ "mawk", "awk", NULL },
};

/* Is the rest of a name a version, or what a library's name ends in? */
static bool is_version(const char *text)
{
	return !text[strspn(text, "0123456789.-")] || strstr(text, ".so") != NULL;
}

/* Is it a library, or in a folder for programs? Others may well be called "node". */
static bool may_be_interpreter(const char *path)
{
	const char *name = base_name(path);

	return strstr(name, ".so") || (name - path >= 5 && !strncmp(name - 5, "/bin/", 5));
}

const struct interpreter *code_interpreter(const struct code_frame *f)
{
	const char *name = f->object && may_be_interpreter(f->object) ? base_name(f->object) : NULL;

	for (size_t i = 0; name && i < ARRAY_SIZE(interpreters); i++) {
		size_t len = strlen(interpreters[i].object);

		if (!strncmp(name, interpreters[i].object, len) && is_version(name + len))
			return &interpreters[i];
	}
	return NULL;
}

bool code_is_runtime(const char *object)
{
	return begins_with_any(base_name(object), runtime_objects, ARRAY_SIZE(runtime_objects));
}

enum code_owner code_owner(const struct code_frame *f)
{
	if (is_python_library(f->file) || is_node_library(f->file))
		return CODE_LIBRARY;
	if (!f->object || code_is_runtime(f->object) || is_rust_library(f->file) ||
	    begins_with_any(f->file, runtime_sources, ARRAY_SIZE(runtime_sources)) ||
	    (f->function && begins_with_any(skip_of_type(f->function), runtime_functions,
					    ARRAY_SIZE(runtime_functions))))
		return CODE_RUNTIME;
	if (code_interpreter(f))
		return CODE_RUNTIME;
	return f->file ? CODE_OWN : CODE_UNNAMED;
}
