// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/start/start.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "trace/bpf/start/steps.h"
#include "trace/bpf/start/vmlinux_btf.h"

static bool is_plain(void)
{
	const char *plain = getenv("IOTRACE_PLAIN_START");

	return plain && *plain && strcmp(plain, "0");
}

void start_begin(void)
{
	if (!is_plain())
		vmlinux_btf_read_ahead();
}

void start_opened(const struct bpf_object *object)
{
	if (is_plain())
		return;
	map_prefetch_begin(object);
	btf_subset_begin(object);
}

void start_prepared(void)
{
	map_prefetch_end();
}

void start_loading(void)
{
	if (!is_plain())
		parallel_load_begin();
}

int start_loaded(void)
{
	return parallel_load_end();
}

void start_end(void)
{
	btf_subset_end();
	vmlinux_btf_forget();
}
