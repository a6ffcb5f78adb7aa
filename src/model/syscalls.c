// SPDX-License-Identifier: GPL-2.0
#include "model/syscalls.h"

#include <errno.h>
#include <pthread.h>
#include <regex.h>
#include <seccomp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "model/abi.h"
#include "model/nearest.h"
#include "model/syscall_table.h"

#define X32_SYSCALL_BIT 0x40000000
#define ALL_ABIS	((1u << NR_ABIS) - 1)
#define NAME_SIZE	40

/* libseccomp's names of the ABIs. */
static const uint32_t arches[NR_ABIS] = {
	[ABI_64] = SCMP_ARCH_X86_64,
	[ABI_32] = SCMP_ARCH_X86,
	[ABI_X32] = SCMP_ARCH_X32,
};

/*
 * strace's classes, and iotrace's %io, %output and %findings. "legacy" ones may be written
 * without the percent sign.
 */
static const struct syscall_class {
	const char *name;
	uint32_t classes; /* A syscall of any of these belongs to it. */
	bool legacy;
} syscall_classes[] = {
	{ "file", FILES, true },
	{ "desc", DESC, true },
	{ "network", NET, true },
	{ "net", NET, false },
	{ "process", PROC, true },
	{ "memory", MEM, true },
	{ "signal", SIG, true },
	{ "ipc", IPC, true },
	{ "clock", CLOCK, false },
	{ "creds", CREDS, false },
	{ "stat", STAT, false },
	{ "lstat", LSTAT, false },
	{ "fstat", FSTAT, false },
	{ "%stat", STAT | LSTAT | FSTAT, false },
	{ "statfs", STATFS, false },
	{ "fstatfs", FSTATFS, false },
	{ "%statfs", STATFS | FSTATFS | USTAT, false },
	{ "pure", PURE, false },
	{ "io", IO, false },
	{ "output", OUTPUT, false },
	{ "findings", IO | OUTPUT | FINDINGS, false },
};

/* Other qualifiers that strace accepts in -e. */
static const char *const strace_qualifiers[] = {
	"a",	   "abbrev", "decode-fd", "decode-fds", "decode-pid", "decode-pids", "fault",
	"fd",	   "fds",    "inject",	  "kvm",	"q",	      "quiet",	     "r",
	"raw",	   "read",   "reads",	  "s",		"secontext",  "signal",	     "signals",
	"silence", "silent", "status",	  "trace-fd",	"trace-fds",  "v",	     "verbose",
	"w",	   "write",  "writes",	  "x",
};

static char *libseccomp_name(enum iotrace_abi abi, int nr)
{
	return seccomp_syscall_resolve_num_arch(arches[abi],
						abi == ABI_X32 ? nr | X32_SYSCALL_BIT : nr);
}

/* Returns false if the number has no name; buf is then untouched. */
static bool find_name(enum iotrace_abi abi, int nr, char *buf, size_t size)
{
	const char *suffix = "";
	char *name;

	/* libseccomp has negative numbers for calls that other architectures have. */
	if (nr < 0)
		return false;
	name = libseccomp_name(abi, nr);
	if (!name && abi == ABI_X32) {
		/* A 64-bit call that x32 has under another number: strace says writev#64. */
		name = libseccomp_name(ABI_64, nr);
		suffix = "#64";
	}
	if (!name)
		return false;
	snprintf(buf, size, "%s%s", name, suffix);
	free(name);
	return true;
}

const char *syscall_name(enum iotrace_abi abi, int nr, char *buf, size_t size)
{
	if (!find_name(abi, nr, buf, size))
		snprintf(buf, size, "syscall_0x%x",
			 abi == ABI_X32 ? (unsigned)nr | X32_SYSCALL_BIT : (unsigned)nr);
	return buf;
}

/*
 * i386 has the parts of socketcall and ipc by themselves, too, from recvmmsg to msgctl; libseccomp
 * finds only the parts. Its look-ups by number go through all its names: these are kept.
 */
#define FIRST_PART 337
#define LAST_PART  402

static char parts[LAST_PART + 1 - FIRST_PART][NAME_SIZE];
static pthread_once_t parts_named = PTHREAD_ONCE_INIT;

static void name_parts(void)
{
	for (int nr = FIRST_PART; nr <= LAST_PART; nr++)
		find_name(ABI_32, nr, parts[nr - FIRST_PART], NAME_SIZE);
}

/* Returns i386's number of what is such a part. -1: it is that alone. */
static int number_of_part(const char *name)
{
	pthread_once(&parts_named, name_parts);
	for (int nr = FIRST_PART; nr <= LAST_PART; nr++)
		if (!strcmp(parts[nr - FIRST_PART], name))
			return nr;
	return -1;
}

/* Is this libseccomp's number of a part of i386's socketcall, or of its ipc? */
static bool is_socketcall(int nr)
{
	return nr <= __PNR_socket && nr >= __PNR_sendmmsg;
}

static bool is_ipc(int nr)
{
	return nr <= __PNR_semop && nr >= __PNR_shmctl;
}

int syscall_number(enum iotrace_abi abi, const char *name)
{
	int nr = seccomp_syscall_resolve_name_arch(arches[abi], name);
	char other[NAME_SIZE];

	if (nr >= 0)
		return abi == ABI_X32 ? nr & ~X32_SYSCALL_BIT : nr;

	if (abi == ABI_32 && (is_socketcall(nr) || is_ipc(nr)))
		return number_of_part(name);
	if (abi == ABI_X32 && strlen(name) < sizeof(other) && strstr(name, "#64")) {
		strcpy(other, name);
		*strchr(other, '#') = '\0';
		nr = syscall_number(ABI_64, other);
		if (find_name(abi, nr, other, sizeof(other)) && !strcmp(other, name))
			return nr;
	}
	return -1;
}

static int compare_row(const void *name, const void *row)
{
	return strcmp(name, ((const struct syscall_row *)row)->name);
}

/* Returns the row of a name. NULL: there is none. */
static const struct syscall_row *find_row(const char *name)
{
	char bare[NAME_SIZE];

	snprintf(bare, sizeof(bare), "%.*s", (int)strcspn(name, "#"), name);
	return bsearch(bare, syscall_rows, ARRAY_SIZE(syscall_rows), sizeof(syscall_rows[0]),
		       compare_row);
}

static struct syscall_traits traits_of(const struct syscall_row *row)
{
	unsigned bits = row ? row->traits : 0;

	return (struct syscall_traits){
		.transfers = bits & TRANSFERS,
		.never_returns = bits & NEVER_RETURNS,
		.on_fd = bits & FD,
		.path_arg = (int8_t)((bits >> PATH_SHIFT & PATH_MASK) - 1),
		.action = bits >> ACTION_SHIFT & ACTION_MASK,
		.buffer = bits & BUFFER,
		.vector = bits & VECTOR,
		.positioned = bits & POSITIONED,
		.makes = bits & MAKES,
		.idles = bits & IDLES,
	};
}

struct syscall_traits syscall_traits(enum iotrace_abi abi, int nr)
{
	char name[NAME_SIZE];

	return traits_of(find_name(abi, nr, name, sizeof(name)) ? find_row(name) : NULL);
}

struct syscall_traits syscall_traits_by_name(const char *name)
{
	return traits_of(find_row(name));
}

bool syscall_uses_file(const struct syscall_traits *traits)
{
	return traits->on_fd || traits->action == ACTION_OPENS;
}

bool syscall_searches(const struct syscall_traits *traits)
{
	return traits->path_arg >= 0 && traits->action != ACTION_OPENS;
}

const char *syscall_known(size_t i, struct syscall_traits *traits)
{
	if (i >= ARRAY_SIZE(syscall_rows))
		return NULL;
	*traits = traits_of(&syscall_rows[i]);
	return syscall_rows[i].name;
}

/* One item of an expression, being added to a set. */
struct parser {
	struct syscall_set set;
	const char *item; /* The item as it was written, without question marks. */
	bool optional;	  /* It had a question mark, and may be of no call. */
	unsigned abis;	  /* Bits of the ABIs that it is meant for. */
	char *err;
	size_t err_size;
};

static int __attribute__((format(printf, 2, 3))) fail(struct parser *p, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(p->err, p->err_size, fmt, args);
	va_end(args);
	return -EINVAL;
}

/* Adds the calls whose names match; returns whether there are any. */
static bool add_matching(struct parser *p, bool (*match)(const char *name, const void *arg),
			 const void *arg)
{
	char name[NAME_SIZE];
	bool found = false;

	for (int abi = 0; abi < NR_ABIS; abi++) {
		if (!(p->abis & 1u << abi))
			continue;
		for (int nr = 0; nr < MAX_SYSCALL_NR; nr++) {
			if (find_name(abi, nr, name, sizeof(name)) && match(name, arg))
				found = p->set.wanted[abi][nr] = true;
		}
	}
	return found;
}

static void add_call(struct parser *p, enum iotrace_abi abi, const char *name)
{
	int nr = syscall_number(abi, name);

	if (nr >= 0)
		p->set.wanted[abi][nr] = true;
}

static void add_calls(struct parser *p, const char *name)
{
	char other[NAME_SIZE];

	for (int abi = 0; abi < NR_ABIS; abi++)
		if (p->abis & 1u << abi)
			add_call(p, abi, name);
	snprintf(other, sizeof(other), "%s#64", name);
	if (p->abis & 1u << ABI_X32)
		add_call(p, ABI_X32, other);
}

/* Names are looked up, since a look-up by number costs as much and most numbers have no class. */
static void add_class(struct parser *p, const struct syscall_class *class)
{
	for (size_t i = 0; i < ARRAY_SIZE(syscall_rows); i++)
		if (syscall_rows[i].classes & class->classes)
			add_calls(p, syscall_rows[i].name);
	for (size_t i = 0; i < ARRAY_SIZE(traitless); i++) {
		for (size_t n = 0; traitless[i].classes & class->classes && traitless[i].names[n];
		     n++)
			add_calls(p, traitless[i].names[n]);
	}
}

static bool match_regex(const char *name, const void *regex)
{
	return regexec(regex, name, 0, NULL, 0) == 0;
}

/* Each add_...() from here on returns 1, or 0 if there are no calls of that kind, or -EINVAL. */
static int add_regex(struct parser *p, const char *pattern)
{
	char reason[128];
	regex_t regex;
	bool found;
	int err;

	err = regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB);
	if (err) {
		regerror(err, &regex, reason, sizeof(reason));
		return fail(p, "bad regular expression '%s': %s", pattern, reason);
	}
	found = add_matching(p, match_regex, &regex);
	regfree(&regex);
	if (!found)
		fail(p, "no syscall's name matches '%s'", p->item);
	return found;
}

static int add_number(struct parser *p, const char *word)
{
	unsigned long nr;

	if (word[strspn(word, "0123456789")]) {
		fail(p, "'%s' is neither a syscall's number nor a name", p->item);
		return 0;
	}
	nr = strtoul(word, NULL, 10); /* A number that is too big for it becomes ULONG_MAX. */
	if (nr >= MAX_SYSCALL_NR) {
		fail(p, "syscall number out of range: '%s' (0 to %d)", p->item, MAX_SYSCALL_NR - 1);
		return 0;
	}
	for (int abi = 0; abi < NR_ABIS; abi++)
		p->set.wanted[abi][nr] |= p->abis >> abi & 1;
	return 1;
}

static const struct syscall_class *find_class(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(syscall_classes); i++)
		if (!strcmp(syscall_classes[i].name, name))
			return &syscall_classes[i];
	return NULL;
}

static void suggest(struct nearest *n, const char *name)
{
	nearest_try(n, name, edit_distance(n->word, name));
}

static bool suggest_name(const char *name, const void *nearest)
{
	suggest(*(struct nearest *const *)nearest, name);
	return false;
}

static int unknown(struct parser *p, const char *what, const char *instead)
{
	if (*instead)
		fail(p, "unknown %s '%s': did you mean '%s'?", what, p->item, instead);
	else
		fail(p, "unknown %s '%s'", what, p->item);
	return 0;
}

static int unknown_class(struct parser *p, const char *word)
{
	struct nearest near = { .word = word, .distance = 3 };
	char percent[NAME_SIZE];

	for (size_t i = 0; i < ARRAY_SIZE(syscall_classes); i++) {
		snprintf(percent, sizeof(percent), "%%%s", syscall_classes[i].name);
		suggest(&near, percent);
	}
	return unknown(p, "class", near.found);
}

static int unknown_name(struct parser *p, const char *name)
{
	struct nearest near = nearest_to(name);
	int nr = seccomp_syscall_resolve_name_arch(SCMP_ARCH_X86, name);
	char longer[NAME_SIZE];

	if (p->optional)
		return 0;
	if (p->abis & 1u << ABI_32 && (is_socketcall(nr) || is_ipc(nr))) {
		fail(p, "'%s' is a part of 32-bit '%s' and cannot be told from its other calls",
		     p->item, is_ipc(nr) ? "ipc" : "socketcall");
		return 0;
	}
	for (int abi = 0; abi < NR_ABIS; abi++) {
		if (syscall_number(abi, name) >= 0) {
			fail(p, "'%s': there is no '%s' in that ABI, only in %s", p->item, name,
			     abi_name(abi));
			return 0;
		}
	}
	snprintf(longer, sizeof(longer), "%s64", name);
	if (find_class(name))
		snprintf(near.found, sizeof(near.found), "%%%s", name);
	else if (syscall_number(ABI_64, longer) >= 0 || syscall_number(ABI_32, longer) >= 0)
		snprintf(near.found, sizeof(near.found), "%s", longer);
	else
		add_matching(p, suggest_name, &(struct nearest *){ &near });
	return unknown(p, "syscall", near.found);
}

static int add_name(struct parser *p, const char *name)
{
	bool found = false;

	for (int abi = 0; abi < NR_ABIS; abi++) {
		int nr = p->abis & 1u << abi ? syscall_number(abi, name) : -1;

		if (nr >= 0 && nr < MAX_SYSCALL_NR)
			p->set.wanted[abi][nr] = true;
		found |= nr >= 0;
	}
	return found ? 1 : unknown_name(p, name);
}

static int add_word(struct parser *p, const char *word)
{
	const struct syscall_class *class = find_class(word + (word[0] == '%'));

	if (word[0] == '/')
		return add_regex(p, word + 1);
	if (word[0] >= '0' && word[0] <= '9')
		return add_number(p, word);
	if (word[0] == '%' && !class)
		return unknown_class(p, word);
	if (class && (word[0] == '%' || class->legacy)) {
		add_class(p, class);
		return 1;
	}
	if (!strcmp(word, "none"))
		return 1;
	if (strcmp(word, "all"))
		return add_name(p, word);
	for (int abi = 0; abi < NR_ABIS; abi++)
		if (p->abis & 1u << abi)
			memset(p->set.wanted[abi], true, sizeof(p->set.wanted[abi]));
	return 1;
}

/* Adds [?]WORD[@ABI]. */
static int add_item(struct parser *p, const char *item, const char *list)
{
	enum iotrace_abi abi;
	size_t len;
	char *word;
	int err;

	p->optional = item[0] == '?';
	p->item = item += strspn(item, "?");
	abi = abi_of_word(item, &len);
	p->abis = abi == NR_ABIS ? ALL_ABIS : 1u << abi;
	if (abi == NR_ABIS && item[len])
		return fail(p, "unknown ABI '%s' in '%s': it is 64, 32 or x32", item + len, item);
	word = strndup(item, len);
	if (!word)
		return fail(p, "no memory");
	if (word[0])
		err = add_word(p, word);
	else
		err = fail(p, "empty item in '%s'", list);
	free(word);
	if (err < 0)
		return err;
	return err || p->optional ? 0 : -EINVAL;
}

/* Adds ITEM[,ITEM...]. */
static int add_list(struct parser *p, const char *list)
{
	char *copy = strdup(list), *rest = copy, *item;
	int err = 0;

	if (!copy)
		return fail(p, "no memory");
	while (!err && (item = strsep(&rest, ",")))
		err = add_item(p, item, list);
	free(copy);
	return err;
}

/* Skips "trace=" and "t="; anything else that looks like a qualifier is an error. */
static int skip_qualifier(struct parser *p, const char **expr)
{
	int len = (int)strspn(*expr, "abcdefghijklmnopqrstuvwxyz-_");

	if ((*expr)[len] != '=')
		return 0;
	if ((len == 5 && !strncmp(*expr, "trace", 5)) || (len == 1 && **expr == 't')) {
		*expr += len + 1;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(strace_qualifiers); i++) {
		if ((int)strlen(strace_qualifiers[i]) == len &&
		    !strncmp(strace_qualifiers[i], *expr, len))
			return fail(p, "not supported by iotrace: -e %.*s=", len, *expr);
	}
	return fail(p, "unknown qualifier '%.*s' in '%s'", len, *expr, *expr);
}

int syscall_set_parse(struct syscall_set *set, const char *expr, char *err, size_t err_size)
{
	struct parser p = { .err = err, .err_size = err_size };
	const char *list = expr;
	size_t inversions;
	int ret;

	ret = skip_qualifier(&p, &list);
	if (ret)
		return ret;
	inversions = strspn(list, "!");
	if (!list[inversions])
		return fail(&p, "empty set of syscalls: -e '%s'", expr);
	ret = add_list(&p, list + inversions);
	if (ret)
		return ret;

	for (int abi = 0; abi < NR_ABIS; abi++)
		for (int nr = 0; nr < MAX_SYSCALL_NR; nr++)
			set->wanted[abi][nr] = p.set.wanted[abi][nr] ^ (inversions & 1);
	if (err_size)
		err[0] = '\0'; /* A question mark has forgiven what it says. */
	return 0;
}

bool syscall_set_uses_files(const struct syscall_set *set)
{
	for (int index = 0; index < NR_CALLS; index++) {
		enum iotrace_abi abi = CALL_ABI(index);
		struct syscall_traits traits = syscall_traits(abi, CALL_NR(index));

		if (set->wanted[abi][CALL_NR(index)] &&
		    (syscall_uses_file(&traits) || syscall_searches(&traits)))
			return true;
	}
	return false;
}

/* Returns the number that a word is the name of in an ABI. -1: it is not. */
static int number_of_word(enum iotrace_abi abi, const char *word)
{
	char name[64];
	size_t len;
	enum iotrace_abi only = abi_of_word(word, &len);

	if (only != NR_ABIS ? only != abi : word[len] != '\0')
		return -1;
	snprintf(name, sizeof(name), "%.*s", (int)len, word);
	return syscall_number(abi, name);
}

bool syscall_is_known(const char *word)
{
	for (enum iotrace_abi abi = 0; abi < NR_ABIS; abi++)
		if (number_of_word(abi, word) >= 0)
			return true;
	return false;
}

bool syscall_set_has(const struct syscall_set *set, const char *word)
{
	for (enum iotrace_abi abi = 0; abi < NR_ABIS; abi++) {
		int nr = number_of_word(abi, word);

		if (nr >= 0 && nr < MAX_SYSCALL_NR && set->wanted[abi][nr])
			return true;
	}
	return false;
}
