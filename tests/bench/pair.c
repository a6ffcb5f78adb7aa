// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a command while one of the pairs of pair.bpf.c is attached. Usage: pair
 * empty|clock|storage|switches COMMAND [ARG]...
 */
#include <bpf/libbpf.h>
#include <sys/wait.h>

#include "bench.h"
#include "pair.skel.h"

int main(int argc, char **argv)
{
	struct bpf_program *program;
	struct pair_bpf *pair;
	int status, nr = 0;
	pid_t pid;

	if (argc < 3)
		errx(2, "usage: pair empty|clock|storage|switches COMMAND [ARG]...");
	pair = pair_bpf__open();
	bench_check(pair, "open");
	bpf_object__for_each_program (program, pair->obj) {
		const char *name = bpf_program__name(program);
		size_t length = strlen(argv[1]);
		bool chosen = !strncmp(name, argv[1], length) && name[length] == '_';

		bpf_program__set_autoload(program, chosen);
		nr += chosen;
	}
	if (nr != 2)
		errx(2, "there is no pair '%s'", argv[1]);
	bench_check(!pair_bpf__load(pair), "load");
	bench_check(!pair_bpf__attach(pair), "attach");
	pid = fork();
	bench_check(pid >= 0, "fork");
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		err(127, "%s", argv[2]);
	}
	bench_check(waitpid(pid, &status, 0) == pid, "waitpid");
	pair_bpf__destroy(pair);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
