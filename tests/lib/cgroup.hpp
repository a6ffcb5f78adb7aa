// SPDX-License-Identifier: GPL-2.0
/* Cgroups for the end-to-end tests. */
#pragma once

#include "lib/live.hpp"

#include <cstdlib>
#include <fstream>
#include <mntent.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns where a file system of this type is mounted; "" if it is not. */
inline std::string mounted(const std::string &type)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	std::string directory;

	while (const struct mntent *mount = mounts ? getmntent(mounts) : nullptr)
		if (directory.empty() && mount->mnt_type == type)
			directory = mount->mnt_dir;
	if (mounts)
		endmntent(mounts);
	return directory;
}

/* Returns the cgroup that the tests run in, as a path below the mount; "" if there is none. */
inline std::string own_cgroup()
{
	const char *name = getenv("E2E_CGROUP");

	return name ? name : "";
}

/* A cgroup v2 for a test. The destructor kills the processes in it and removes it. */
class Cgroup
{
public:
	std::string name, path;

	explicit Cgroup(const std::string &parent = "")
	{
		static int count;

		name = (parent.empty() ? own_cgroup() : parent) + "/" + std::to_string(count++);
		path = mounted("cgroup2") + "/" + name;
		if (mkdir(path.c_str(), 0755))
			throw std::runtime_error("cannot make " + path);
	}
	Cgroup(const Cgroup &) = delete;
	~Cgroup()
	{
		std::ofstream(path + "/cgroup.kill") << "1";
		eventually([&] { return rmdir(path.c_str()) == 0; });
	}
	void take(pid_t pid) const
	{
		write_file(path + "/cgroup.procs", std::to_string(pid));
	}
	void take(const Puppet &puppet) const
	{
		take(puppet.pid());
	}
};

inline bool have_cgroups()
{
	return !own_cgroup().empty();
}

#define NEED_CGROUPS()                                                     \
	do {                                                               \
		BPF_ONLY("strace knows no cgroups");                       \
		if (!have_cgroups())                                       \
			SKIP_CASE("no cgroup v2 is mounted and writable"); \
	} while (0)
