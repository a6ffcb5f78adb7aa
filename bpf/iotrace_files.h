/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract between the probes and user space for per-file figures. A file is identified by its
 * inode, never by a descriptor or a path. Each file has a row, and each syscall on it has cells.
 * Included by iotrace.h.
 */
#pragma once

/* Bits of a slot (see SLOT_MASK) about the call's file. */
enum {
	SLOT_FD = 1 << 20,    /* Argument 0 is the descriptor that the call works on. */
	SLOT_CALL_SHIFT = 23, /* The 4 bits from here on are an enum file_call_kind. */
	SLOT_CALL_MASK = 15,
	/* In the state of a task: the file of the call is not known to be one of -P. */
	SLOT_FILTERED = 1 << 28,
	SLOT_READS = 1 << 29, /* The call reads from its file. */
};

/* What a call does with its file, and where its arguments are. */
enum file_call_kind {
	FILE_CALL_OTHER,
	FILE_CALL_READ,	   /* A buffer and its length follow the descriptor. */
	FILE_CALL_PREAD,   /* As a read, with a position after the length. */
	FILE_CALL_WRITE,   /* As a read. */
	FILE_CALL_WRITEV,  /* An iovec and its length follow the descriptor. */
	FILE_CALL_PWRITE,  /* As a write, with a position after the length. */
	FILE_CALL_PWRITEV, /* As a writev, with a position after the length. */
	FILE_CALL_OPEN,	   /* Arguments: path, flags. The result is the descriptor. */
	FILE_CALL_CREAT,   /* Argument: path. The file is emptied. */
	FILE_CALL_OPENAT,  /* Arguments: directory, path, flags. */
	FILE_CALL_OPENAT2, /* Arguments: directory, path, pointer to 64 bits of flags. */
	FILE_CALL_LOOK,	   /* Argument: path, which is only looked for. */
	FILE_CALL_LOOKAT,  /* Arguments: directory, path, which is only looked for. */
	FILE_CALL_MAKE,	   /* Argument: path, which is made if it is not there. */
	FILE_CALL_MAKEAT,  /* Arguments: directory, path, which is made if it is not there. */
};

/* A row as the cache of a task has it: a number, with marks. */
enum {
	ROW_NONE = 0, /* The call is no file's. */
	/* (other): files without a row of their own. It has no cells: user space computes it. */
	ROW_OTHER = 1,
	ROW_INVALID = 2, /* The descriptor of the call is not open. */
	ROW_FIRST = 3,

	ROW_MASK = 0xffffff,
	ROW_POSITIONED = 1 << 24, /* Writes have a position: it is regular or a block device. */
	ROW_UNLINKED = 1 << 25,	  /* Its last name is gone, and its row says so. */
	ROW_UNWANTED = 1 << 26,	  /* It is not of -P. */
	ROW_PIPE = 1 << 27,
	ROW_ANEW = 1 << 28,    /* This opening empties the file, or had to make it. */
	ROW_NO_ROOM = 1 << 29, /* It is (other) because there are as many rows as may be. */
	ROW_SOCKET = 1 << 30,
	/* Who reads from it waits for what others send or do: it is no file with data, no disk. */
	ROW_IDLES = 1U << 31,
};

/*
 * A file's latency histogram has the octaves of the fine one, of LATENCY_SUB buckets each: bucket 0
 * is below 8 ns, and bucket k from 8 << (k - 1) ns up.
 */
#define FILE_LATENCY_BUCKETS ((LATENCY_BUCKETS - 1) / LATENCY_SUB + 1)

static inline u32 file_latency_bucket(u64 ns)
{
	return latency_bucket(ns) / LATENCY_SUB;
}

static inline u64 file_latency_bucket_low(u32 bucket)
{
	return bucket ? 8ULL << (bucket - 1) : 0;
}

/*
 * These stand in a key instead of an address. PATH: the key is of a path that could not be opened
 * or found, or is looked at again and again. SHARED: it is of files that share a row.
 */
#define FILE_KEY_PATH	1
#define FILE_KEY_SHARED 2

/*
 * A file is identified by the address of its inode. Device and inode number are not unique: a btrfs
 * snapshot has the numbers of its origin, and two layers of overlayfs may have the same ones. An
 * inode that the kernel drops and reads again gets two rows with one path. What has no place in a
 * file system shares rows: files/shared_rows.bpf.h.
 */
struct iotrace_file_key {
	u64 inode; /* Address of the inode, FILE_KEY_PATH or FILE_KEY_SHARED. */
	/* Number of the inode. Of a path: a hash of it, and if relative of its directory too. */
	u64 ino;
	/*
	 * Address of the file's operations, as all anonymous files share one inode. Of a relative
	 * path: address of the inode of the directory that it begins at.
	 */
	u64 op;
	/* Generation of the inode, which another file may get later. Of a path: errno. 0: found. */
	u32 generation;
	u32 zero;
};

/*
 * Paths are kept as their names from the file up, each ended by a NUL, to iotrace's own root, or to
 * the top of a mount namespace that does not have it. At most FILE_PATH_DEPTH names and mounts,
 * FILE_PATH_SIZE bytes; of longer ones the end is kept. A path that could not be opened or found,
 * or is looked at again, is as it was given; with FILE_RELATIVE, the names of its directory follow.
 */
#define FILE_NAME_SIZE	256
#define FILE_PATH_SIZE	512
#define FILE_PATH_DEPTH 40
/* So many other names are tried of a file that has lost its own. */
#define FILE_ALIASES 4

enum {
	FILE_CUT = 1 << 0, /* Names are missing at the path's beginning, or at a given one's end. */
	FILE_DETACHED = 1 << 1, /* It is below no root: a pipe, an anonymous file. */
	FILE_UNLINKED = 1 << 2, /* It has no name any more. */
	FILE_WANTED = 1 << 3,	/* It is one of -P. */
	/* The files that share the row differ in this. */
	FILE_INODES = 1 << 4,
	FILE_NAMES = 1 << 5,
	FILE_LOCAL_ADDRESSES = 1 << 6,
	FILE_LOCAL_PORTS = 1 << 7,
	FILE_REMOTE_ADDRESSES = 1 << 8,
	FILE_REMOTE_PORTS = 1 << 9,
	FILE_RELATIVE = 1 << 10, /* The path is relative, and the names of its directory follow. */
	FILE_BELOW_ROOT = 1 << 11, /* The path begins at iotrace's root. */
};

/*
 * A shorter time for which Nagle's algorithm holds a write back is no delay: half of what the other
 * side waits at least before it acknowledges by itself, TCP_DELACK_MIN of include/net/tcp.h.
 */
#define NAGLE_DELAY_NS 20000000

/*
 * Does a TCP sequence number end a part of what was written up to "end" and is sent up to "sent"
 * alone? Otherwise it is one of an earlier connection, whose address in memory is used again.
 */
static inline u32 ends_unsent(u32 number, u32 sent, u32 end)
{
	return number != sent && number - sent <= end - sent;
}

enum socket_role {
	SOCKET_UNCONNECTED,
	SOCKET_UNSETTLED, /* It is unconnected, and may yet be connected. */
	SOCKET_LISTENING,
	SOCKET_SERVER, /* The other end asked for the connection. */
	SOCKET_CLIENT, /* This end asked for the connection. */
};

struct iotrace_socket {
	u64 local[2], remote[2]; /* Addresses in network order. IPv4: the first 4 bytes. */
	u16 local_port, remote_port;
	u16 family, type; /* AF_... and SOCK_... */
	u32 role;	  /* enum socket_role */
	u32 hole;	  /* Always 0: keys have no padding. */
};

/* The ports that the kernel gives to sockets that ask for none: ip(7), ip_local_port_range. */
struct iotrace_port_range {
	u16 first, last;
};

static inline u32 is_ephemeral_port(struct iotrace_port_range range, u16 port)
{
	return port >= range.first && port <= range.last;
}

/* The port that all sockets of a shared row have. 0: there is none. */
static inline u16 common_port(const struct iotrace_socket *s, struct iotrace_port_range range)
{
	if (s->role == SOCKET_CLIENT)
		return s->remote_port;
	if (s->role <= SOCKET_UNSETTLED && is_ephemeral_port(range, s->local_port))
		return 0;
	return s->local_port;
}

/* The differences between two sockets of the same row: FILE_... */
static inline u32 compare_sockets(const struct iotrace_socket *a, const struct iotrace_socket *b)
{
	u32 marks = 0;

	if (a->local[0] != b->local[0] || a->local[1] != b->local[1])
		marks |= FILE_LOCAL_ADDRESSES;
	if (a->remote[0] != b->remote[0] || a->remote[1] != b->remote[1])
		marks |= FILE_REMOTE_ADDRESSES;
	if (a->local_port != b->local_port)
		marks |= FILE_LOCAL_PORTS;
	if (a->remote_port != b->remote_port)
		marks |= FILE_REMOTE_PORTS;
	return marks;
}

struct iotrace_file {
	u32 row;
	u32 mode;  /* i_mode. 0: of a path that could not be opened or found. */
	u32 rdev;  /* Device of a device file: major << 20 | minor. */
	u32 flags; /* Flags of all openings that were seen, or'ed. */
	u32 marks; /* FILE_... */
	u64 ino;
	u64 name_hash;	     /* Hash of the name of a file without a directory. */
	u64 dentry, mnt, sb; /* Addresses of where it was found, and of its super block. 0: none. */
	u16 path_len;	     /* Length of path in bytes, the NULs included. */
	char fstype[16];
	struct iotrace_socket socket; /* All 0 if it is no socket. */
	char path[FILE_PATH_SIZE + FILE_NAME_SIZE];
};

/* A cell holds one CPU's count of one syscall on one file, so no atomics are needed. */
#define FILE_CELL_KEY(row, cpu, slot) ((u64)(row) << 32 | (u64)(cpu) << 16 | (slot))
#define FILE_CELL_ROW(key)	      ((u32)((key) >> 32))
#define FILE_CELL_SLOT(key)	      ((u32)(key)&SLOT_MASK)

/*
 * The descriptors that wrote to a file. A shell opens a redirected file by another descriptor, but
 * does not write to it.
 */
enum written_by {
	WRITTEN_BY_OTHER = 1 << 0,
	WRITTEN_BY_STDOUT = 1 << 1,
	WRITTEN_BY_STDERR = 1 << 2,
};

static inline u32 written_by(u32 fd)
{
	return fd == 1 ? WRITTEN_BY_STDOUT : fd == 2 ? WRITTEN_BY_STDERR : WRITTEN_BY_OTHER;
}

/* With row 0, the cell is of calls without a file, and counts only what samples are drawn by. */
struct iotrace_file_cell {
	u64 key;	/* FILE_CELL_KEY() */
	u64 written_by; /* enum written_by */
	struct iotrace_sampler sampler;
	FILE_CELL_FIGURES
};

/*
 * Offsets of the kernel's members that the probes read by a helper: ROW(struct, member, name here).
 * User space finds them in the kernel's BTF. What a plain load reads is relocated by CO-RE instead
 * (bpf/vmlinux.h): the offset is then in the instruction.
 */
#define FILE_OFFSETS(ROW)                                     \
	ROW("task_struct", "files", task_files)               \
	ROW("task_struct", "mm", task_mm)                     \
	ROW("task_struct", "fs", task_fs)                     \
	ROW("fs_struct", "pwd", fs_pwd)                       \
	ROW("mm_struct", "exe_file", mm_exe)                  \
	ROW("files_struct", "fdt", files_table)               \
	ROW("fdtable", "max_fds", table_size)                 \
	ROW("fdtable", "fd", table_files)                     \
	ROW("file", "f_op", file_op)                          \
	ROW("file", "private_data", file_private)             \
	ROW("file", "f_inode", file_inode)                    \
	ROW("file", "f_flags", file_flags)                    \
	ROW("file", "f_path", file_path)                      \
	ROW("file", "f_pos", file_position)                   \
	ROW("path", "mnt", path_mnt)                          \
	ROW("path", "dentry", path_dentry)                    \
	ROW("inode", "i_mode", inode_mode)                    \
	ROW("inode", "i_sb", inode_sb)                        \
	ROW("inode", "i_ino", inode_ino)                      \
	ROW("inode", "i_nlink", inode_nlink)                  \
	ROW("inode", "i_rdev", inode_rdev)                    \
	ROW("inode", "i_generation", inode_generation)        \
	ROW("super_block", "s_type", sb_type)                 \
	ROW("super_block", "s_flags", sb_flags)               \
	ROW("file_system_type", "name", fstype_name)          \
	ROW("dentry", "d_parent", dentry_parent)              \
	ROW("dentry", "d_name", dentry_name)                  \
	ROW("dentry", "d_inode", dentry_inode)                \
	ROW("qstr", "name", qstr_name)                        \
	ROW("vfsmount", "mnt_root", vfsmount_root)            \
	ROW("vfsmount", "mnt_sb", vfsmount_sb)                \
	ROW("mount", "mnt_parent", mount_parent)              \
	ROW("mount", "mnt_mountpoint", mount_mountpoint)      \
	ROW("mount", "mnt", mount_mnt)                        \
	ROW("socket", "type", socket_type)                    \
	ROW("socket", "sk", socket_sk)                        \
	ROW("sock_common", "skc_family", sock_family)         \
	ROW("sock_common", "skc_num", sock_local_port)        \
	ROW("sock_common", "skc_dport", sock_remote_port)     \
	ROW("sock_common", "skc_rcv_saddr", sock_local)       \
	ROW("sock_common", "skc_daddr", sock_remote)          \
	ROW("sock_common", "skc_v6_rcv_saddr", sock_local_v6) \
	ROW("sock_common", "skc_v6_daddr", sock_remote_v6)    \
	ROW("sock_common", "skc_state", sock_state)           \
	ROW("sock", "sk_max_ack_backlog", sock_backlog)       \
	ROW("unix_sock", "addr", unix_address)                \
	ROW("unix_sock", "peer", unix_peer)                   \
	ROW("unix_address", "len", unix_len)                  \
	ROW("unix_address", "name", unix_name)

/* The same of TCP connections. */
#define TCP_OFFSETS(ROW)                         \
	ROW("sock", "sk_protocol", protocol)     \
	ROW("tcp_sock", "write_seq", end)        \
	ROW("tcp_sock", "snd_nxt", sent)         \
	ROW("tcp_sock", "snd_una", acknowledged) \
	ROW("tcp_sock", "snd_sml", small)        \
	ROW("tcp_sock", "snd_wnd", window)       \
	ROW("tcp_sock", "mss_cache", segment)    \
	ROW("tcp_sock", "nonagle", nagle)        \
	ROW("tcp_sock", "rack", rack)            \
	ROW("tcp_rack", "mstamp", rack_sent_us)  \
	ROW("tcp_rack", "end_seq", rack_end)

struct iotrace_tcp_offsets {
#define TCP_OFFSET_MEMBER(type, member, name) u32 name;
	TCP_OFFSETS(TCP_OFFSET_MEMBER)
#undef TCP_OFFSET_MEMBER
};

struct iotrace_file_offsets {
#define FILE_OFFSET_MEMBER(type, member, name) u32 name;
	FILE_OFFSETS(FILE_OFFSET_MEMBER)
#undef FILE_OFFSET_MEMBER
	/* Where the names of an inode are. All are 0 if this kernel keeps them in another way. */
	u32 inode_aliases, dentry_alias, dentry_hashed;
	/* BTF ids, for bpf_rdonly_cast(). All are 0 if the kernel does not have it. */
	u32 kiocb_type, file_type, inode_type;
};

/* A program: a process from one execve to the next. */
struct iotrace_file_program {
	s32 pid;	 /* Id of the process in the first namespace. 0: it is not known yet. */
	s32 visible_pid; /* Its id in iotrace's PID namespace. */
	char comm[16];	 /* Name of its first thread. */
};

/* The times of a task at some moment. */
struct iotrace_times {
	u64 at_ns; /* The moment, CLOCK_MONOTONIC. 0: the task was made then. */
	/* CPU time by the scheduler's ticks, which is right on average. */
	u64 user_ns, system_ns;
	u64 ran_ns;	/* CPU time as of the last tick, or when it last lost the CPU. */
	u64 delayed_ns; /* Time that it was ready to run. 0: the kernel does not count it. */
	u64 sleeps;	/* How often it has slept. */
};

/*
 * The busy time of a program. The first two come from the scheduler's ticks: they are right on
 * average.
 */
struct iotrace_busy {
	u64 user_ns, system_ns;
	u64 run_ns, run_calls;	 /* Time and number of the calls that did not sleep. */
	u64 wait_ns, wait_calls; /* The others', and of calls whose times are not measured. */
};

/* A program's times and executable. */
struct iotrace_program {
	struct iotrace_busy busy;
	u64 exe_row; /* Row of its executable. 0: it is not known. */
	/* When its first task began and its last one ended, within tracing, CLOCK_MONOTONIC. */
	u64 first_ns, last_ns;
	/* Time slept by the task that made most calls, how often, and the number of these calls. */
	u64 slept_ns, sleeps, slept_calls;
	/* Id, in iotrace's PID namespace, of the process that made this one. 0: it is outside. */
	u64 parent;
	u64 delayed_ns; /* Time that its tasks were ready to run, added up. */
};

struct iotrace_file_user_key {
	u32 row;
	struct iotrace_file_program program;
};

struct iotrace_file_group_key {
	u32 row, group;
};

/* The users of a file that have a name, where there is no room for each of them. */
struct iotrace_file_comm_key {
	u32 row;
	char comm[16];
};

struct iotrace_file_comm {
	u64 calls;
	s32 pid;       /* The latest one's. */
	u32 processes; /* How often that was another one's than before. */
};

/* The programs that have a name, where each of them has no row, or no room. */
struct iotrace_comm {
	struct iotrace_busy busy;
	u64 processes;
};

/*
 * The paths that were looked at and found last: only one that is looked at again gets a row, so
 * that a walk through many directories takes no rows. Each hash has a place for it and one more,
 * which programs need that look at hundreds of paths in turn.
 */
#define LOOKED_PATHS_LOG2 10
#define LOOKED_PATHS	  (1 << LOOKED_PATHS_LOG2)

struct iotrace_looks {
	u64 last, before; /* Hashes of paths. */
};

/* Is a path one of those that were looked at last? It is now. */
static inline u32 looked_at_again(struct iotrace_looks looks[LOOKED_PATHS], u64 hash)
{
	/* All bits of a hash count for the high ones of the product. */
	u32 i = hash * 0x9e3779b97f4a7c15ULL >> (64 - LOOKED_PATHS_LOG2);

	if (looks[i].last == hash || looks[i].before == hash)
		return 1;
	looks[i].before = looks[i].last;
	looks[i].last = hash;
	return 0;
}

/* The files that a task used last, by descriptor. Valid by value, never by pointer. */
#define FILE_CACHE_ENTRIES    16
#define FILE_CALLS_UNREPORTED 1023

/*
 * The last byte of a write is read at the first writes of a task to a file, and then at one in
 * BYTE_SAMPLE_EVERY, after gaps of random length: a read of user memory costs as much as half of a
 * write to the null device.
 */
#define BYTE_SAMPLES_FIRST 64
#define BYTE_SAMPLE_EVERY  16

static inline u32 file_cache_index(u32 fd)
{
	return fd % FILE_CACHE_ENTRIES;
}

struct iotrace_file_cache_entry {
	struct iotrace_file_key key;
	u32 row;	/* Row with marks. ROW_NONE: the entry is empty. */
	u32 flags;	/* Those flags of the opening that are in FILE_FLAGS. */
	u64 end;	/* Where the task's last write to it ended. ~0: it is not known. */
	u64 connection; /* Address of the kernel's TCP socket. 0: it is no TCP connection. */
	/* Keys of the cells that were used last by a call that reads, and by another. */
	u64 cell_keys[2];
	u32 cells[2]; /* Numbers of these. 0: it has none. */
	/*
	 * The task's nvcsw after its last write, plus heard, plus 1; 0: it has read from the file
	 * since, or written nothing here yet. A write before which the task has slept, or read what
	 * somebody sent, begins a run: it cannot be gathered with the one before, for which the
	 * other end of a pipe or socket may be waiting.
	 */
	u32 written;
	/*
	 * short_reads of the task at its last write. If it has changed, the write passes on what a
	 * pipe's reader was waiting for: whoever writes to that pipe decides how much that is.
	 */
	u32 passed;
	u32 reported_fd;  /* Last descriptor that its cell was told to be written by. ~0: none. */
	u16 calls;	  /* The task's calls that are not yet among those of the file's users. */
	u16 unreported;	  /* The number of such calls at which they are reported. */
	u8 byte_samples;  /* Writes whose last byte was read, up to BYTE_SAMPLES_FIRST. */
	u8 calls_to_skip; /* The number of writes until the next whose last byte is read. */
};

/* The second part of a task's state. */
struct iotrace_task_files {
	u32 row;	 /* Row of the current call, with marks. */
	u32 cache_index; /* Index of its entry in the cache. */
	u32 fd;		 /* Descriptor of the current call. */
	u32 exe_row;	 /* Row of the program's executable. 0: it is not known. */
	u32 short_reads; /* Number of reads of pipes that brought less than was asked for. */
	u32 heard;	 /* Number of reads of pipes and sockets, failed ones among them. */
	u32 random;	 /* State of random_16(). */
	u32 group;	 /* The group whose calls the cache counts. GROUP_NONE: it is not known. */
	struct iotrace_file_program program; /* The program whose calls the cache counts. */
	struct iotrace_times since; /* Its times when they were last added to the program's. */
	u64 run_ns, run_calls;	    /* Calls since then that did not sleep. */
	u64 wait_ns, wait_calls;    /* The others. */
	u64 position; /* Where the current read or write begins. ~0: it has no position. */
	struct iotrace_file_cache_entry cache[FILE_CACHE_ENTRIES];
};

#define FILE_AT_FDCWD (-100) /* include/uapi/linux/fcntl.h: paths begin at the working directory. */
/* Flags of include/uapi/asm-generic/fcntl.h. */
#define FILE_O_WRONLY 01
#define FILE_O_APPEND 02000
#define FILE_O_ANEW   (01000 | 0200) /* O_TRUNC and O_EXCL */
/* Those that change the cost or the effect of a write: O_DSYNC, O_DIRECT and O_SYNC's own bit. */
#define FILE_FLAGS (FILE_O_APPEND | 010000 | 040000 | 04000000)

/* A path of -P: a file or directory that exists, or a file that may come to exist. */
#define MAX_FILTER_PATHS 16

struct iotrace_filter_path {
	char name[FILE_NAME_SIZE]; /* Its name in its directory, filled with zeroes. "": a root. */
	char text[FILE_NAME_SIZE]; /* As it was given, for openings that fail. */
};

/*
 * stat(2) does not identify files. So user space opens them (O_PATH), and identify_files() reads
 * the addresses behind the descriptors, which stay the same while these are open.
 */
struct iotrace_root {
	s32 fd;
	u32 zero;
	u64 dentry, mnt; /* Addresses of its dentry and mount. */
};

struct iotrace_filter_files {
	s32 self_fd, parent_fd; /* Descriptors of the file and its directory. -1: none. */
	u64 self, parent;	/* Addresses of their inodes. 0: none. */
};
