/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The classes and traits of syscalls, by name; a name stands for the syscall of every ABI that has
 * the name. For syscalls.c alone.
 */
#pragma once

#include <stdint.h>

#include "model/syscalls.h"

/* Classes, with strace's membership; IO, OUTPUT and FINDINGS are iotrace's own. */
enum {
	FILES = 1 << 0,
	DESC = 1 << 1,
	NET = 1 << 2,
	PROC = 1 << 3,
	MEM = 1 << 4,
	SIG = 1 << 5,
	IPC = 1 << 6,
	CLOCK = 1 << 7,
	CREDS = 1 << 8,
	STAT = 1 << 9,
	LSTAT = 1 << 10,
	FSTAT = 1 << 11,
	STATFS = 1 << 12,
	FSTATFS = 1 << 13,
	USTAT = 1 << 14, /* Only %%statfs has it. */
	PURE = 1 << 15,
	IO = 1 << 16,
	OUTPUT = 1 << 17,
	FINDINGS = 1 << 18, /* Those that %findings has besides IO and OUTPUT. */
};

/*
 * TRANSFERS: every successful result is a number of bytes of data that were moved: of files,
 * pipes, sockets, directories (getdents), messages, memory of processes, random bytes. Not a
 * name's length (readlink, getcwd), a size that may only have been asked for (getxattr), a number
 * of messages (recvmmsg) or requests (io_uring_enter), nor a multiplexer's result (socketcall,
 * ipc), which means now this, now that.
 *
 * FD: argument 0 is the descriptor that the call works on; the first of two. Not the directory that
 * an *at call starts from, and not mmap's: it is none for anonymous memory, and i386 has it in
 * memory.
 *
 * DOES(...): what the call is for, enum syscall_action. MAKES: it makes what is not there. BUFFER:
 * its data are argument 1, its length argument 2; VECTOR: an iovec and the number of its elements
 * are; POSITIONED: argument 3 is the position in the file. PATH(n): argument n is the path that it
 * opens, looks at or executes.
 *
 * IDLES: when it sleeps, it waits for another program, another machine or a timer, never for a
 * disk. io_uring_enter and io_getevents may wait for either, and have it not.
 */
#define DOES(action) ((action) << 5)
#define PATH(n)	     (((n) + 1) << 12)
enum {
	FD = 1 << 0,
	MAKES = 1 << 1,
	TRANSFERS = 1 << 3,
	NEVER_RETURNS = 1 << 4,
	ACTION_SHIFT = 5, /* The action has 4 bits. */
	ACTION_MASK = 15,
	BUFFER = 1 << 9,
	VECTOR = 1 << 10,
	POSITIONED = 1 << 11,
	PATH_SHIFT = 12, /* The path's argument has 2 bits. */
	PATH_MASK = 3,
	IDLES = 1 << 14,
};

#define READS	   DOES(ACTION_READS)
#define WRITES	   DOES(ACTION_WRITES)
#define OPENS	   DOES(ACTION_OPENS)
#define CLOSES	   DOES(ACTION_CLOSES)
#define LOOKS	   DOES(ACTION_LOOKS)
#define SYNCS	   DOES(ACTION_SYNCS)
#define SEEKS	   DOES(ACTION_SEEKS)
#define COPIES	   DOES(ACTION_COPIES)
#define FORKS	   DOES(ACTION_FORKS)
#define EXECS	   DOES(ACTION_EXECS)
#define FILTERS	   DOES(ACTION_FILTERS)
#define SIGRETURNS DOES(ACTION_SIGRETURNS)

struct syscall_row {
	const char *name;
	uint32_t classes;
	uint16_t traits;
};

/* clang-format off */
/* The syscalls that have traits, sorted by name (strcmp). */
static const struct syscall_row syscall_rows[] = {
	{ "_llseek",			DESC | FINDINGS,		FD | SEEKS },
	{ "_newselect",			DESC,				IDLES },
	{ "accept",			NET,				FD | IDLES },
	{ "accept4",			NET,				FD | IDLES },
	{ "access",			FILES | FINDINGS,		LOOKS | PATH(0) },
	{ "bind",			NET,				FD },
	{ "cachestat",			DESC,				FD },
	{ "clock_nanosleep",		0,				IDLES },
	{ "clock_nanosleep_time64",	0,				IDLES },
	{ "clone",			PROC | FINDINGS,		FORKS },
	{ "clone3",			PROC | FINDINGS,		FORKS },
	{ "close",			DESC | OUTPUT,			FD | CLOSES },
	{ "connect",			NET,				FD | IDLES },
	{ "copy_file_range",		DESC | IO, FD | TRANSFERS | COPIES },
	{ "creat",			FILES | DESC | OUTPUT,		OPENS | PATH(0) },
	{ "dup",			DESC,				FD },
	{ "dup2",			DESC,				FD },
	{ "dup3",			DESC,				FD },
	{ "epoll_ctl",			DESC,				FD },
	{ "epoll_pwait",		DESC,				FD | IDLES },
	{ "epoll_pwait2",		DESC,				FD | IDLES },
	{ "epoll_wait",			DESC,				FD | IDLES },
	{ "execve",			FILES | PROC,			EXECS | PATH(0) },
	{ "execveat",			FILES | DESC | PROC,		EXECS | PATH(1) },
	{ "exit",			PROC,				NEVER_RETURNS },
	{ "exit_group",			PROC,				NEVER_RETURNS },
	{ "faccessat",			FILES | DESC | FINDINGS,	LOOKS | PATH(1) },
	{ "faccessat2",			FILES | DESC | FINDINGS,	LOOKS | PATH(1) },
	{ "fadvise64",			DESC,				FD },
	{ "fadvise64_64",		DESC,				FD },
	{ "fallocate",			DESC,				FD },
	{ "fanotify_mark",		FILES | DESC,			FD },
	{ "fchdir",			DESC,				FD },
	{ "fchmod",			DESC,				FD },
	{ "fchown",			DESC,				FD },
	{ "fchown32",			DESC,				FD },
	{ "fcntl",			DESC | FINDINGS,				FD },
	{ "fcntl64",			DESC | FINDINGS,				FD },
	{ "fdatasync",			DESC | IO | OUTPUT,		FD | SYNCS },
	{ "fgetxattr",			DESC,				FD },
	{ "finit_module",		DESC,				FD },
	{ "flistxattr",			DESC,				FD },
	{ "flock",			DESC | FINDINGS,				FD },
	{ "fork",			PROC | FINDINGS,		FORKS },
	{ "fremovexattr",		DESC,				FD },
	{ "fsconfig",			FILES | DESC,			FD },
	{ "fsetxattr",			DESC,				FD },
	{ "fsmount",			DESC,				FD },
	{ "fstat",			DESC | FSTAT | FINDINGS,		FD },
	{ "fstat64",			DESC | FSTAT | FINDINGS,		FD },
	{ "fstatat64",		FILES | DESC | FSTAT | FINDINGS, LOOKS | PATH(1) },
	{ "fstatfs",			DESC | FSTATFS,			FD },
	{ "fstatfs64",			DESC | FSTATFS,			FD },
	{ "fsync",			DESC | IO | OUTPUT,		FD | SYNCS },
	{ "ftruncate",			DESC,				FD },
	{ "ftruncate64",		DESC,				FD },
	{ "futex",			0,				IDLES },
	{ "futex_time64",		0,				IDLES },
	{ "futex_wait",			0,				IDLES },
	{ "futex_waitv",		0,				IDLES },
	{ "getdents",			DESC,				FD | TRANSFERS },
	{ "getdents64",			DESC,				FD | TRANSFERS },
	{ "getpeername",		NET,				FD },
	{ "getrandom",			0,				TRANSFERS },
	{ "getsockname",		NET,				FD },
	{ "getsockopt",			NET,				FD },
	{ "inotify_add_watch",		FILES | DESC,			FD },
	{ "inotify_rm_watch",		DESC,				FD },
	{ "io_uring_enter",		DESC | SIG,			FD },
	{ "io_uring_register",		DESC | MEM,			FD },
	{ "ioctl",			DESC | FINDINGS,				FD },
	{ "landlock_add_rule",		DESC,				FD },
	{ "landlock_restrict_self",	DESC,				FD },
	{ "listen",			NET,				FD },
	{ "lseek",			DESC | FINDINGS,		FD | SEEKS },
	{ "lstat",			FILES | LSTAT | FINDINGS,	LOOKS | PATH(0) },
	{ "lstat64",			FILES | LSTAT | FINDINGS,	LOOKS | PATH(0) },
	{ "mkdir",			FILES | FINDINGS,	LOOKS | MAKES | PATH(0) },
	{ "mkdirat",		FILES | DESC | FINDINGS,	LOOKS | MAKES | PATH(1) },
	{ "mq_getsetattr",		DESC,				FD },
	{ "mq_notify",			DESC,				FD },
	{ "mq_timedreceive",		DESC,				FD | TRANSFERS | IDLES },
	{ "mq_timedreceive_time64",	DESC,				FD | TRANSFERS | IDLES },
	{ "mq_timedsend",		DESC,				FD },
	{ "mq_timedsend_time64",	DESC,				FD },
	{ "msgrcv",			IPC,				TRANSFERS | IDLES },
	{ "msync",			MEM | IO,			SYNCS },
	{ "nanosleep",			0,				IDLES },
	{ "newfstatat",		FILES | DESC | FSTAT | FINDINGS, LOOKS | PATH(1) },
	{ "oldfstat",			DESC | FSTAT,			FD },
	{ "oldlstat",			FILES | LSTAT | FINDINGS,	LOOKS | PATH(0) },
	{ "oldstat",			FILES | STAT | FINDINGS,	LOOKS | PATH(0) },
	{ "open",			FILES | DESC | OUTPUT,		OPENS | PATH(0) },
	{ "openat",			FILES | DESC | OUTPUT,		OPENS | PATH(1) },
	{ "openat2",			FILES | DESC | OUTPUT,		OPENS | PATH(1) },
	{ "pause",			SIG,				IDLES },
	{ "pidfd_getfd",		DESC,				FD },
	{ "pidfd_send_signal",		DESC | PROC | SIG,		FD },
	{ "poll",			DESC,				IDLES },
	{ "ppoll",			DESC,				IDLES },
	{ "ppoll_time64",		DESC,				IDLES },
	{ "prctl",			CREDS,				FILTERS },
	{ "pread64",		DESC | IO, FD | TRANSFERS | READS | BUFFER | POSITIONED },
	{ "preadv",		DESC | IO, FD | TRANSFERS | READS | POSITIONED },
	{ "preadv2",		DESC | IO, FD | TRANSFERS | READS | POSITIONED },
	{ "process_madvise",		DESC,				FD },
	{ "process_mrelease",		DESC,				FD },
	{ "process_vm_readv",		0,				TRANSFERS },
	{ "process_vm_writev",		0,				TRANSFERS },
	{ "pselect6",			DESC,				IDLES },
	{ "pselect6_time64",		DESC,				IDLES },
	{ "pwrite64",	DESC | IO | OUTPUT, FD | TRANSFERS | WRITES | BUFFER | POSITIONED },
	{ "pwritev",	DESC | IO | OUTPUT, FD | TRANSFERS | WRITES | VECTOR | POSITIONED },
	{ "pwritev2",		DESC | IO | OUTPUT, FD | TRANSFERS | WRITES },
	{ "quotactl_fd",		DESC,				FD },
	{ "read",		DESC | IO, FD | TRANSFERS | READS | BUFFER },
	{ "readahead",			DESC,				FD },
	{ "readdir",			DESC,				FD },
	{ "readlink",			FILES | FINDINGS,		LOOKS | PATH(0) },
	{ "readlinkat",			FILES | DESC | FINDINGS,	LOOKS | PATH(1) },
	{ "readv",			DESC | IO,			FD | TRANSFERS | READS },
	{ "recvfrom",		NET | FINDINGS, FD | TRANSFERS | READS | BUFFER | IDLES },
	{ "recvmmsg",			NET | FINDINGS,			FD | IDLES },
	{ "recvmmsg_time64",		NET | FINDINGS,			FD | IDLES },
	{ "recvmsg",			NET | FINDINGS,			FD | TRANSFERS | READS | IDLES },
	{ "restart_syscall",		0,				IDLES },
	{ "rt_sigreturn",		SIG,				SIGRETURNS },
	{ "rt_sigsuspend",		SIG,				IDLES },
	{ "rt_sigtimedwait",		SIG,				IDLES },
	{ "rt_sigtimedwait_time64",	SIG,				IDLES },
	{ "seccomp",			0,				FILTERS },
	{ "select",			DESC,				IDLES },
	{ "semop",			IPC,				IDLES },
	{ "semtimedop",			IPC,				IDLES },
	{ "semtimedop_time64",		IPC,				IDLES },
	{ "sendfile",		DESC | NET | IO, FD | TRANSFERS | COPIES },
	{ "sendfile64",		DESC | NET | IO, FD | TRANSFERS | COPIES },
	{ "sendmmsg",			NET | FINDINGS,			FD },
	{ "sendmsg",		NET | FINDINGS, FD | TRANSFERS | WRITES },
	{ "sendto",		NET | FINDINGS, FD | TRANSFERS | WRITES | BUFFER },
	{ "setns",			DESC,				FD },
	{ "setsockopt",			NET,				FD },
	{ "shutdown",			NET,				FD },
	{ "signalfd",			DESC | SIG,			FD },
	{ "signalfd4",			DESC | SIG,			FD },
	{ "sigreturn",			SIG,				SIGRETURNS },
	{ "sigsuspend",			SIG,				IDLES },
	{ "splice",		DESC | IO, FD | TRANSFERS | COPIES },
	{ "stat",			FILES | STAT | FINDINGS,	LOOKS | PATH(0) },
	{ "stat64",			FILES | STAT | FINDINGS,	LOOKS | PATH(0) },
	{ "statx",		FILES | DESC | FSTAT | FINDINGS, LOOKS | PATH(1) },
	{ "sync_file_range",		DESC | IO | OUTPUT,		FD },
	{ "syncfs",			DESC | IO | OUTPUT,		FD },
	{ "tee",		DESC | IO, FD | TRANSFERS | COPIES },
	{ "timerfd_gettime",		DESC,				FD },
	{ "timerfd_gettime64",		DESC,				FD },
	{ "timerfd_settime",		DESC,				FD },
	{ "timerfd_settime64",		DESC,				FD },
	{ "vfork",			PROC | FINDINGS,		FORKS },
	{ "vmsplice",		DESC | IO, FD | TRANSFERS | COPIES },
	{ "wait4",			PROC,				IDLES },
	{ "waitid",			PROC,				IDLES },
	{ "waitpid",			PROC,				IDLES },
	{ "write",		DESC | IO | OUTPUT, FD | TRANSFERS | WRITES | BUFFER },
	{ "writev",		DESC | IO | OUTPUT, FD | TRANSFERS | WRITES | VECTOR },
};

/*
 * The syscalls that have classes and no trait, by their classes. The names of a row are sorted, and
 * a NULL ends them.
 */
static const struct {
	uint32_t classes;
	const char *names[40];
} traitless[] = {
	{ FILES,
	  { "acct", "chdir", "chmod", "chown", "chown32", "chroot", "getxattr",
	    "lchown", "lchown32", "lgetxattr", "link", "listxattr", "llistxattr",
	    "lremovexattr", "lsetxattr", "mknod", "mount", "pivot_root", "quotactl",
	    "removexattr", "rename", "rmdir", "setxattr", "swapoff", "swapon", "symlink",
	    "truncate", "truncate64", "umount", "umount2", "unlink", "uselib", "utime", "utimes" } },
	{ FILES | FINDINGS, { "getcwd" } },
	{ FILES | DESC,
	  { "fchmodat", "fchmodat2", "fchownat", "file_getattr", "file_setattr", "fspick",
	    "futimesat", "getxattrat", "linkat", "listxattrat", "mknodat",
	    "mount_setattr", "move_mount", "name_to_handle_at", "open_tree", "open_tree_attr",
	    "removexattrat", "renameat", "renameat2", "setxattrat", "symlinkat", "unlinkat",
	    "utimensat", "utimensat_time64" } },
	{ FILES | STATFS, { "statfs", "statfs64" } },
	{ DESC,
	  { "bpf", "epoll_create", "epoll_create1", "eventfd", "eventfd2",
	    "fanotify_init", "fsopen", "inotify_init", "inotify_init1", "io_uring_setup",
	    "kexec_file_load", "landlock_create_ruleset", "memfd_create", "memfd_secret",
	    "mq_open", "open_by_handle_at", "perf_event_open", "pidfd_open", "pipe", "pipe2",
	    "socketcall", "timerfd_create", "userfaultfd" } },
	{ DESC | MEM, { "mmap", "mmap2" } },
	{ NET, { "getpmsg", "putpmsg", "socket", "socketpair" } },
	{ PROC | SIG, { "kill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "tgkill", "tkill" } },
	{ SIG,
	  { "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "sgetmask", "sigaction",
	    "sigaltstack", "signal", "sigpending", "sigprocmask", "ssetmask" } },
	{ MEM,
	  { "break", "brk", "get_mempolicy", "io_destroy", "io_setup", "madvise",
	    "map_shadow_stack", "mbind", "migrate_pages", "mincore", "mlock", "mlock2",
	    "mlockall", "move_pages", "mprotect", "mremap", "mseal", "munlock", "munlockall",
	    "munmap", "pkey_mprotect", "remap_file_pages", "set_mempolicy",
	    "set_mempolicy_home_node" } },
	{ MEM | IPC, { "shmat", "shmdt" } },
	{ IPC,
	  { "ipc", "msgctl", "msgget", "msgsnd", "semctl", "semget", "shmctl", "shmget" } },
	{ CLOCK,
	  { "adjtimex", "clock_adjtime", "clock_adjtime64", "clock_getres",
	    "clock_getres_time64", "clock_gettime", "clock_gettime64", "clock_settime",
	    "clock_settime64", "gettimeofday", "settimeofday", "time" } },
	{ CREDS,
	  { "capget", "capset", "getgroups", "getgroups32", "getresgid", "getresgid32",
	    "getresuid", "getresuid32", "setfsgid", "setfsgid32", "setfsuid", "setfsuid32",
	    "setgid", "setgid32", "setgroups", "setgroups32", "setregid", "setregid32",
	    "setresgid", "setresgid32", "setresuid", "setresuid32", "setreuid", "setreuid32",
	    "setuid", "setuid32" } },
	{ CREDS | PURE,
	  { "getegid", "getegid32", "geteuid", "geteuid32", "getgid", "getgid32", "getuid",
	    "getuid32" } },
	{ PURE, { "getpgrp", "getpid", "getppid", "gettid" } },
	{ USTAT, { "ustat" } },
	{ IO | OUTPUT, { "sync" } },
};
/* clang-format on */
