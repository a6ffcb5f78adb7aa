// SPDX-License-Identifier: GPL-2.0
#include "model/code.h"

#include <string.h>

#include "base/array.h"

/* Beginnings of the names of libraries that programs do not write themselves. */
static const char *const runtime_objects[] = {
	"[vdso]",     "ld-linux",   "ld-musl", "ld.so",	     "libc.so",	  "libc-",
	"libpthread", "libm.so",    "libdl",   "librt.so",   "libstdc++", "libc++",
	"libgcc_s",   "libpython",  "libjvm",  "libjava.so", "libnio.so", "libnet.so",
	"libzip.so",  "libruby",    "libperl", "liblua",     "libphp",	  "libnode",
	"libuv.so",   "libcoreclr", "libasan", "libtsan",    "libubsan",  "libstd-",
};

/* Where the sources of runtimes lie, as compilers write it down. */
static const char *const runtime_sources[] = {
	"/usr/include/", "/usr/lib/gcc/",	   "/usr/lib/go", "/usr/share/go",
	"/usr/local/go", "/usr/local/include/c++", "/rustc/",	  "/usr/src/rustc",
	"/usr/lib/llvm", "/usr/lib/rustlib",
};

/* Functions of runtimes that are linked into the program, if their sources are elsewhere. */
static const char *const runtime_functions[] = {
	"std::",
	"__gnu_cxx::",
	"core::",
	"alloc::",
	"_start",
	"__libc_",
	"__libc_start",
	"_IO_",
	"runtime.",
	"runtime/",
	"<std::",
	"<core::",
	"<alloc::",
	"syscall.",
	"internal/",
	"os.(*File)",
	"fmt.",
	"bufio.",
	"log.",
	"log/",
	"io.",
	"io/",
	"os.",
	"net.",
	"net/",
	"encoding/",
	"compress/",
	"__gthread",
	"rust_begin_unwind",
	"lang_start",
	"__rust_",
};

/* Is it a module of Python's own library? Those of others are in site-packages or dist-packages. */
static bool is_python_library(const char *file)
{
	return file && (!strncmp(file, "<frozen", strlen("<frozen")) ||
			(strstr(file, "/lib/python3.") && !strstr(file, "-packages/")));
}

static bool begins_with_any(const char *text, const char *const *list, size_t nr)
{
	for (size_t i = 0; text && i < nr; i++)
		if (!strncmp(text, list[i], strlen(list[i])))
			return true;
	return false;
}

static const char *name_of(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

bool code_is_runtime(const char *object)
{
	return begins_with_any(name_of(object), runtime_objects, ARRAY_SIZE(runtime_objects));
}

enum code_owner code_owner(const struct code_frame *f)
{
	if (is_python_library(f->file))
		return CODE_LIBRARY;
	if (!f->object || code_is_runtime(f->object) ||
	    begins_with_any(f->file, runtime_sources, ARRAY_SIZE(runtime_sources)) ||
	    begins_with_any(f->function, runtime_functions, ARRAY_SIZE(runtime_functions)))
		return CODE_RUNTIME;
	return f->file ? CODE_OWN : CODE_UNNAMED;
}
