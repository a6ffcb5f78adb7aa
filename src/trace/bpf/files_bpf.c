// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/files_bpf.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/text.h"
#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "model/histogram.h"
#include "model/profile_files.h"
#include "model/syscalls.h"
#include "trace/bpf/kernel_types.h"
#include "trace/bpf/state.h"
#include "trace/socket_name.h"

#define CELLS_PER_FILE	  4
#define USERS_PER_FILE	  4
#define PROGRAMS_PER_FILE 2

/* What to look for in the kernel's BTF, and where to store it. */
struct wanted_offset {
	const char *type, *member;
	size_t place; /* in struct iotrace_file_offsets */
};

static const struct wanted_offset wanted_offsets[] = {
#define WANTED_OFFSET(type, member, name) \
	{ type, member, offsetof(struct iotrace_file_offsets, name) },
	FILE_OFFSETS(WANTED_OFFSET)
#undef WANTED_OFFSET
};

#define NR_OFFSETS (sizeof(wanted_offsets) / sizeof(*wanted_offsets))

/* Stores the wanted offsets of a struct or function of the kernel. Returns how many it stored. */
static size_t take_type(struct iotrace_file_offsets *at, const struct btf *btf, uint32_t id,
			const struct btf_type *type, const char *name, bool *casts)
{
	size_t nr = 0;

	if (btf_is_func(type)) {
		*casts |= !strcmp(name, "bpf_rdonly_cast");
		return 0;
	}
	for (size_t i = 0; i < NR_OFFSETS; i++) {
		uint32_t *place = (uint32_t *)((char *)at + wanted_offsets[i].place);
		long offset = strcmp(wanted_offsets[i].type, name)
				      ? -1
				      : kernel_types_member(btf, type, wanted_offsets[i].member);

		if (offset < 0)
			continue;
		*place = (uint32_t)offset;
		nr++;
	}
	if (!strcmp(name, "task_struct"))
		at->task_type = id;
	else if (!strcmp(name, "kiocb"))
		at->kiocb_type = id;
	else if (!strcmp(name, "file"))
		at->file_type = id;
	return nr;
}

/* Could this be the name of a wanted struct? A quick test that most names fail. */
static bool may_be_wanted(const char *name)
{
	return strchr("tfkpisdqvmu", name[0]) != NULL;
}

static int find_offsets(struct iotrace_file_offsets *at, char *why, size_t size)
{
	struct btf *btf = btf__load_vmlinux_btf();
	uint32_t nr_types = btf ? btf__type_cnt(btf) : 0;
	bool casts = false;
	size_t nr = 0;

	for (uint32_t id = 1; id < nr_types; id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		const char *name;

		if (!btf_is_struct(type) && !btf_is_func(type))
			continue;
		name = btf__name_by_offset(btf, type->name_off);
		if (btf_is_func(type) ? name[0] == 'b' : may_be_wanted(name))
			nr += take_type(at, btf, id, type, name, &casts);
	}
	btf__free(btf);
	if (!casts)
		at->task_type = at->kiocb_type = at->file_type = 0;
	if (nr >= NR_OFFSETS)
		return 0;
	snprintf(why, size, "this kernel's BTF does not describe its files, which -y and -P need");
	return -EOPNOTSUPP;
}

static void disable(struct iotrace_bpf *skel)
{
	bpf_map__set_autocreate(skel->maps.file_rows, false);
	bpf_map__set_autocreate(skel->maps.file_cells, false);
	bpf_map__set_autocreate(skel->maps.file_cell_numbers, false);
	bpf_map__set_autocreate(skel->maps.file_users, false);
	bpf_map__set_autocreate(skel->maps.programs, false);
	bpf_map__set_autocreate(skel->maps.file_scratch, false);
}

/*
 * Opens the directory of a path and finds the name of the path in it. Returns the directory, -1 for
 * a root, or -errno.
 */
static int open_parent(char *name, size_t size, const char *path)
{
	char *copy = strdup(path), *slash;
	int fd;

	if (!copy)
		return -ENOMEM;
	for (slash = copy + strlen(copy); slash > copy + 1 && slash[-1] == '/'; slash--)
		slash[-1] = '\0';
	slash = strrchr(copy, '/');
	strncpy(name, slash ? slash + 1 : copy, size - 1);
	if (slash)
		*slash = '\0';
	fd = open(!slash ? "." : slash == copy ? "/" : copy, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	free(copy);
	return fd;
}

/*
 * Opens a path of -P and its directory: the file may be created, or created again, during the run.
 */
static int open_only_path(struct iotrace_only_files *files, struct iotrace_only_path *only,
			  const char *path)
{
	char *real = realpath(path, NULL);
	int fd;

	strncpy(only->text, path, sizeof(only->text) - 1);
	for (size_t len = strlen(only->text); len > 1 && only->text[len - 1] == '/'; len--)
		only->text[len - 1] = '\0';
	files->self_fd = real ? open(real, O_PATH | O_CLOEXEC) : -1;
	fd = open_parent(only->name, sizeof(only->name), real ? real : path);
	files->parent_fd = fd;
	free(real);
	return fd < 0 ? fd : 0;
}

static int open_only_paths(struct iotrace_bpf *skel, const struct trace_options *o, char *why,
			   size_t size)
{
	struct iotrace_bpf__rodata *config = skel->rodata;
	char name[256];
	int err = 0;

	config->cfg_nr_only_paths = o->nr_only_paths;
	for (size_t i = 0; !err && i < o->nr_only_paths; i++) {
		const char *path = o->only_paths[i];

		err = open_only_path(&skel->bss->only_files[i],
				     (struct iotrace_only_path *)&config->cfg_only_paths[i], path);
		if (err)
			snprintf(why, size, "-P '%s': %s", ESCAPE_TEXT(name, path), strerror(-err));
	}
	return err;
}

void bpf_files_close(struct iotrace_bpf *skel, const struct trace_options *o)
{
	if (skel && o->files)
		close_fd(&skel->bss->root.fd);
	for (size_t i = 0; skel && i < o->nr_only_paths; i++) {
		close_fd(&skel->bss->only_files[i].self_fd);
		close_fd(&skel->bss->only_files[i].parent_fd);
	}
}

static int size_maps(struct iotrace_bpf *skel, size_t max_files, int nr_cpus, char *why,
		     size_t size)
{
	/* A few files may be used by all calls on all CPUs. */
	size_t end_cell = 1 + max_files * CELLS_PER_FILE + (size_t)nr_cpus * 64;
	int err;

	skel->rodata->cfg_end_row = ROW_FIRST + max_files;
	skel->rodata->cfg_end_cell = end_cell;
	/* Two CPUs may make the same row at once. */
	err = bpf_map__set_max_entries(skel->maps.file_rows, max_files + nr_cpus);
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.file_cells, end_cell);
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.file_cell_numbers, end_cell);
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.file_users,
					       max_files * USERS_PER_FILE + 1024);
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.programs,
					       max_files * PROGRAMS_PER_FILE + 1024);
	if (err)
		snprintf(why, size, "cannot make room for %zu files: %s", max_files,
			 strerror(-err));
	return err;
}

void bpf_files_init(struct iotrace_bpf *skel)
{
	skel->bss->root.fd = -1;
	for (size_t i = 0; i < MAX_ONLY_PATHS; i++)
		skel->bss->only_files[i].self_fd = skel->bss->only_files[i].parent_fd = -1;
}

int bpf_files_configure(struct iotrace_bpf *skel, const struct trace_options *o, int nr_cpus,
			char *why, size_t size)
{
	int err;

	if (!o->files) {
		disable(skel);
		return 0;
	}
	skel->bss->root.fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (skel->bss->root.fd < 0)
		return -errno;
	skel->rodata->cfg_files = true;
	skel->rodata->cfg_ephemeral = ephemeral_ports();
	err = find_offsets((struct iotrace_file_offsets *)&skel->rodata->cfg_at, why, size);
	if (!err)
		err = open_only_paths(skel, o, why, size);
	return err ? err : size_maps(skel, o->max_files, nr_cpus, why, size);
}

static char *socket_path(const struct iotrace_file *f)
{
	/* Messages have limits in all but streams. */
	const char *prefix = f->socket.type == SOCK_STREAM ? "unix" : "unix-dgram";
	bool abstract = !f->path[0];
	size_t len = f->path_len;
	char *path;

	if (f->socket.family == AF_INET || f->socket.family == AF_INET6)
		return socket_name(&f->socket, f->marks);
	if (f->socket.family != AF_UNIX)
		return numbered_name("socket", f->ino, f->marks & FILE_INODES);
	if (!len)
		return numbered_name(prefix, f->ino, f->marks & FILE_INODES);
	/* The length includes the NUL at the end of a name. An abstract name begins with a NUL. */
	len = abstract ? len - 1 : strnlen(f->path, len);
	if (asprintf(&path, "%s:%s%.*s", prefix, abstract ? "@" : "", (int)len,
		     f->path + abstract) < 0)
		return NULL;
	return path;
}

/* The names that /proc/PID/fd shows for files without a directory; takes the name. */
static char *detached_path(char *name, const struct iotrace_file *f, enum file_kind kind)
{
	bool several = f->marks & FILE_NAMES;
	char *path = NULL;
	int err;

	if (kind == FILE_KIND_PIPE)
		path = numbered_name("pipe", f->ino, f->marks & FILE_INODES);
	else if (kind == FILE_KIND_MEMFD && several)
		path = strdup("memfd:*");
	else if (several)
		path = strdup("anon_inode:*");
	else if (name[0] != '[')
		return name;
	else if (err = asprintf(&path, "anon_inode:%s", name), err < 0)
		path = NULL;
	free(name);
	return path;
}

static char *path_of(const struct iotrace_file *f, enum file_kind kind)
{
	char *names;

	if (kind == FILE_KIND_FAILED)
		return strndup(f->path, f->path_len);
	if (kind == FILE_KIND_SOCKET)
		return socket_path(f);
	names = file_path_from_names(f->path, f->path_len, f->marks & FILE_CUT,
				     f->marks & FILE_DETACHED);
	return names && f->marks & FILE_DETACHED ? detached_path(names, f, kind) : names;
}

static enum file_kind anonymous_kind(const struct iotrace_file *f)
{
	if (!strncmp(f->path, "[eventfd]", f->path_len))
		return FILE_KIND_EVENTFD;
	return FILE_KIND_ANON;
}

static enum file_kind kind_of(const struct iotrace_file_key *key, const struct iotrace_file *f)
{
	if (key->inode == FILE_KEY_FAILED)
		return FILE_KIND_FAILED;
	switch (f->mode & S_IFMT) {
	case S_IFREG:
		if (f->marks & FILE_DETACHED && !strncmp(f->path, "memfd:", 6))
			return FILE_KIND_MEMFD;
		/* Since 6.16, some anonymous files are regular files. */
		if (!strncmp(f->fstype, "anon_inodefs", sizeof(f->fstype)))
			return anonymous_kind(f);
		return f->marks & FILE_UNLINKED ? FILE_KIND_DELETED : FILE_KIND_REGULAR;
	case S_IFDIR:
		return FILE_KIND_DIRECTORY;
	case S_IFIFO:
		return FILE_KIND_PIPE;
	case S_IFSOCK:
		return FILE_KIND_SOCKET;
	case S_IFCHR:
		return file_kind_of_device(f->rdev >> 20, f->rdev & 0xfffff);
	case S_IFBLK:
		return FILE_KIND_BLOCK;
	}
	return anonymous_kind(f);
}

/* The index by row - ROW_FIRST + 1 of the files of the cells; rows come in any order. */
static int read_row(struct profile *p, const struct iotrace_file_key *key,
		    const struct iotrace_file *raw)
{
	struct file_stats *f = profile_file(p, raw->row);

	if (!f)
		return -ENOMEM;
	f->kind = kind_of(key, raw);
	f->path = path_of(raw, f->kind);
	if (!f->path)
		return -ENOMEM;
	f->cut = raw->marks & FILE_CUT;
	f->flags = raw->flags;
	f->err = f->kind == FILE_KIND_FAILED ? (int)key->generation : 0;
	memcpy(f->fstype, raw->fstype, sizeof(f->fstype));
	f->fstype[sizeof(f->fstype) - 1] = '\0';
	return 0;
}

static int read_rows(struct iotrace_bpf *skel, struct profile *p)
{
	int fd = bpf_map__fd(skel->maps.file_rows), err = 0;
	struct iotrace_file_key key, *previous = NULL;
	struct iotrace_file row;

	for (; !err && !bpf_map_get_next_key(fd, previous, &key); previous = &key)
		err = bpf_map_lookup_elem(fd, &key, &row) ? -errno : read_row(p, &key, &row);
	return err;
}

/* Descriptors that are not open have no entry among the rows. */
static int name_invalid(struct profile *p)
{
	for (size_t i = 0; i < p->nr_files; i++) {
		struct file_stats *f = &p->files[i];

		if (f->path)
			continue;
		f->kind = FILE_KIND_INVALID;
		f->path = strdup("(not open)");
		if (!f->path)
			return -ENOMEM;
	}
	return 0;
}

static void add_cell(struct file_call *call, const struct iotrace_file_cell *cell)
{
#define ADD_COUNTER(scope, counted, name, ...) IN_FILE_##scope(call->name += cell->name;)
#define ADD_HISTOGRAM(scope, counted, name, unit, buckets, octave, ...) \
	IN_FILE_##scope(histogram_merge(call->name, cell->name, FILE_BUCKETS(buckets, octave));)
	FIGURES(ADD_COUNTER, NO_FIGURE)
	HISTOGRAMS(ADD_HISTOGRAM)
#undef ADD_COUNTER
#undef ADD_HISTOGRAM
}

static int read_cell(struct iotrace_bpf *skel, struct profile *p,
		     const struct bpf_slot_calls *calls, const struct iotrace_file_cell *cell)
{
	struct file_stats *f = profile_file(p, FILE_CELL_ROW(cell->key));
	int index = bpf_slots_call(calls, FILE_CELL_SLOT(cell->key));
	struct file_call *call = f ? file_stats_call(f, CALL_ABI(index), CALL_NR(index)) : NULL;

	if (!call)
		return -ENOMEM;
	syscall_name(call->abi, call->nr, call->name, sizeof(call->name));
	call->transfers = skel->bss->slots[index] & SLOT_TRANSFERS;
	add_cell(call, cell);
	f->written_by |= (uint32_t)cell->written_by;
	return 0;
}

/* The cells are in memory that the kernel shares with us. */
static int read_cells(struct iotrace_bpf *skel, struct profile *p,
		      const struct bpf_slot_calls *calls)
{
	uint32_t end = skel->rodata->cfg_end_cell;
	size_t size = end * sizeof(struct iotrace_file_cell);
	const struct iotrace_file_cell *cells =
		mmap(NULL, size, PROT_READ, MAP_SHARED, bpf_map__fd(skel->maps.file_cells), 0);
	int err = 0;

	if (cells == MAP_FAILED)
		return -errno;
	if (skel->data->next_cell < end)
		end = skel->data->next_cell;
	for (uint32_t i = 1; !err && i < end; i++)
		if (cells[i].key)
			err = read_cell(skel, p, calls, &cells[i]);
	munmap((void *)cells, size);
	return err;
}

static int read_users(struct iotrace_bpf *skel, struct profile *p)
{
	int fd = bpf_map__fd(skel->maps.file_users), err = 0;
	struct iotrace_file_user_key key, *previous = NULL;
	uint64_t calls;

	for (; !err && !bpf_map_get_next_key(fd, previous, &key); previous = &key) {
		struct file_stats *f = profile_file(p, key.row);

		if (!f)
			err = -ENOMEM;
		else if (bpf_map_lookup_elem(fd, &key, &calls))
			err = -errno;
		else
			err = file_stats_add_user(f, key.program.visible_pid, key.program.comm,
						  calls);
	}
	return err;
}

static struct busy busy_of(const struct iotrace_program *program)
{
	const struct iotrace_busy *b = &program->busy;

	return (struct busy){ b->user_ns, b->system_ns, b->run_ns, b->run_calls };
}

static int read_programs(struct iotrace_bpf *skel, struct profile *p)
{
	int fd = bpf_map__fd(skel->maps.programs), err = 0;
	struct iotrace_file_program key, *previous = NULL;
	struct iotrace_program program;

	for (; !err && !bpf_map_get_next_key(fd, previous, &key); previous = &key) {
		const struct file_stats *exe;
		struct busy busy;

		if (bpf_map_lookup_elem(fd, &key, &program))
			return -errno;
		busy = busy_of(&program);
		exe = profile_find_file(p, (uint32_t)program.exe_row);
		err = profile_add_program(p, key.visible_pid, key.comm, &busy,
					  exe && !exe->cut ? exe->path : NULL);
	}
	profile_sort_programs(p);
	return err;
}

int bpf_files_name(struct iotrace_bpf *skel)
{
	return bpf_iterate(skel->progs.name_files, bpf_ignore_task, NULL);
}

int bpf_files_read(struct iotrace_bpf *skel, const struct bpf_slot_calls *calls, struct profile *p)
{
	/* A file's row is made before its cells: those that come meanwhile have no cells yet. */
	int err = read_cells(skel, p, calls);

	if (!err)
		err = read_rows(skel, p);
	if (!err)
		err = name_invalid(p);
	if (!err)
		err = read_users(skel, p);
	/* What the tasks hold themselves is added when tracing ends. */
	if (!err && skel->bss->stopped)
		err = read_programs(skel, p);
	if (!err)
		err = profile_add_other_files(p);
	p->misplaced_calls = skel->bss->misplaced_calls;
	p->lost_file_users = skel->bss->lost_file_users;
	return err;
}
