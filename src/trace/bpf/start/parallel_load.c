// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/start/steps.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/helper_thread.h"
#include "trace/bpf/start/interpose.h"

#define MAX_BESIDE	   4
#define LARGE_INSTRUCTIONS 1000 /* The kernel proves 50 of them while a thread begins. */

typedef int load_function(enum bpf_prog_type type, const char *name, const char *license,
			  const struct bpf_insn *insns, size_t nr,
			  const struct bpf_prog_load_opts *opts);

/* A load with copies of what libbpf frees in the meantime. */
static struct beside {
	pthread_t thread;
	enum bpf_prog_type type;
	char name[BPF_OBJ_NAME_LEN], license[64];
	struct bpf_insn *insns;
	size_t nr;
	void *functions, *lines; /* What BTF knows of the program. */
	struct bpf_prog_load_opts opts;
	int stand_in; /* Descriptor that libbpf has meanwhile. */
	int result;   /* Descriptor of the program, or -errno. */
} beside[MAX_BESIDE];
static size_t nr_beside;
static bool may_begin;

/* Its prototype differs from one version of libbpf to the next. */
INTERPOSE(bpf_prog_load, load_function)

static void free_copies(struct beside *b)
{
	free(b->insns);
	free(b->functions);
	free(b->lines);
}

static bool take_copies(struct beside *b, const struct bpf_insn *insns, size_t nr,
			const struct bpf_prog_load_opts *opts)
{
	b->opts = *opts;
	b->insns = array_copy(insns, nr, sizeof(*insns));
	b->functions = array_copy(opts->func_info, opts->func_info_cnt, opts->func_info_rec_size);
	b->lines = array_copy(opts->line_info, opts->line_info_cnt, opts->line_info_rec_size);
	b->nr = nr;
	b->opts.func_info = b->functions;
	b->opts.line_info = b->lines;
	return b->insns && b->functions && b->lines;
}

static void *load_beside(void *arg)
{
	struct beside *b = arg;

	b->result = find_bpf_prog_load()(b->type, b->name, b->license, b->insns, b->nr, &b->opts);
	return NULL;
}

/* A program that does nothing, whose descriptor stands for that of the one that is being loaded. */
static int load_stand_in(void)
{
	const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return find_bpf_prog_load()(BPF_PROG_TYPE_SOCKET_FILTER, "stand_in", "GPL", nothing,
				    ARRAY_SIZE(nothing), NULL);
}

/* Begins a load. Returns the descriptor that stands in for it; -1: it has not begun. */
static int begin(enum bpf_prog_type type, const char *name, const char *license,
		 const struct bpf_insn *insns, size_t nr, const struct bpf_prog_load_opts *opts)
{
	struct beside *b = &beside[nr_beside];

	memset(b, 0, sizeof(*b));
	b->type = type;
	strncpy(b->name, name ? name : "", sizeof(b->name) - 1);
	strncpy(b->license, license ? license : "", sizeof(b->license) - 1);
	b->stand_in = -1;
	if (take_copies(b, insns, nr, opts))
		b->stand_in = load_stand_in();
	if (b->stand_in >= 0 && !helper_thread_create(&b->thread, load_beside, b)) {
		nr_beside++;
		return b->stand_in;
	}
	if (b->stand_in >= 0)
		close(b->stand_in);
	free_copies(b);
	return -1;
}

/* A log must be there when libbpf has the result; other modules' types are gone by then. */
static bool may_be_beside(size_t nr, const struct bpf_prog_load_opts *opts)
{
	return may_begin && nr_beside < MAX_BESIDE && nr >= LARGE_INSTRUCTIONS && opts &&
	       opts->sz == sizeof(*opts) && !opts->log_level && !opts->log_buf && !opts->fd_array;
}

/* libbpf calls this for each program. */
int own_bpf_prog_load(enum bpf_prog_type type, const char *name, const char *license,
		      const struct bpf_insn *insns, size_t nr,
		      const struct bpf_prog_load_opts *opts)
{
	load_function *load = find_bpf_prog_load();
	struct bpf_insn *own = array_copy(insns, nr, sizeof(*insns));
	struct bpf_prog_load_opts *own_opts = opts ? array_copy(opts, 1, opts->sz) : NULL;
	int fd = -1, err = load ? ENOMEM : ENOSYS;

	if (load && own && (own_opts || !opts)) {
		btf_subset_translate(own, nr, own_opts);
		if (may_be_beside(nr, own_opts))
			fd = begin(type, name, license, own, nr, own_opts);
		if (fd < 0)
			fd = load(type, name, license, own, nr, own_opts);
		err = errno;
	}
	free(own);
	free(own_opts);
	errno = err;
	return fd >= 0 ? fd : -err;
}

void parallel_load_begin(void)
{
	may_begin = true;
}

/* libbpf's descriptor becomes that of the program. */
static int replace(const struct beside *b)
{
	int err = 0;

	if (b->result < 0)
		return b->result;
	if (dup3(b->result, b->stand_in, O_CLOEXEC) < 0)
		err = -errno;
	close(b->result);
	return err;
}

int parallel_load_end(void)
{
	int err = 0;

	may_begin = false;
	for (size_t i = 0; i < nr_beside; i++) {
		int failed;

		pthread_join(beside[i].thread, NULL);
		failed = replace(&beside[i]);
		if (!err)
			err = failed;
		free_copies(&beside[i]);
	}
	nr_beside = 0;
	return err;
}
