// SPDX-License-Identifier: GPL-2.0
#include "trace/file_sizes.h"

#include <sys/stat.h>

#include "model/profile_files.h"

/* Of files with fewer reads nobody asks. */
#define MIN_READS 1000

void file_sizes_find(struct profile *p)
{
	for (size_t i = 0; i < p->nr_files; i++) {
		struct file_stats *f = &p->files[i];
		struct file_call reads;
		struct stat st;

		if (f->kind != FILE_KIND_REGULAR || f->cut || !f->path || f->path[0] != '/')
			continue;
		file_stats_sum(&reads, f, ACTION_READS);
		if (reads.calls >= MIN_READS && !stat(f->path, &st) && S_ISREG(st.st_mode))
			f->size = (uint64_t)st.st_size;
	}
}
