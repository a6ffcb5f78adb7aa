// SPDX-License-Identifier: GPL-2.0
/* Has the kernel refuse a command's use of bpf(2), as some kernels do. */
#pragma once

#include <functional>
#include <set>
#include <string>

/* What the kernel keeps of the name of a program or a map: BPF_OBJ_NAME_LEN, its NUL included. */
std::string name_in_kernel(const std::string &name);

/* The commands of bpf(2) that fail, and their errno. */
struct Refusal {
	int command;	  // Command of bpf(2), such as BPF_PROG_LOAD.
	std::string name; // Name of the program or the map. "": all of them.
	int error;	  // Errno, such as EPERM.
};

/*
 * For Spawn::in_child: from its execve on, the command's bpf(2) is refused so, by a tracer. The
 * names of the programs that it does load are written into the file, a line each. Unless it stays,
 * the tracer leaves before the command forks or changes its capabilities: what needs a process
 * without a tracer works then.
 */
std::function<void()> refuse(const Refusal &refusal, const std::string &loaded, bool stays = false);

/* The lines of that file: names as the kernel has them. */
std::set<std::string> loaded_programs(const std::string &loaded);
