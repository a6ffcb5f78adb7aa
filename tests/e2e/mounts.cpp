// SPDX-License-Identifier: GPL-2.0
/* Names of files whose mounts change while they are open. */
#include "lib/live.hpp"

TEST_CASE("mounts: a file that is unmounted while it is open keeps the name that it had")
{
	BPF_ONLY("strace shows what /proc/PID/fd says, which is / then");
	const std::string dir = temporary("mounts"), capture = temporary("mounts.json");
	const std::string prepare =
		"set -e; mkdir -p " + dir + "/mnt; cd " + dir + "; : >source; : >target; ";
	const struct {
		std::string mount, file, unmount, path;
	} cases[] = {
		{ "mount --bind source target", "target", "umount -l target", dir + "/target" },
		{ "mount --bind /dev/null target", "target", "umount -l target", dir + "/target" },
		{ "mount -t tmpfs none mnt", "mnt/file", "umount -l mnt", dir + "/mnt/file" },
		{ "mount -t tmpfs none mnt", "mnt/file", "mv mnt/file mnt/moved",
		  dir + "/mnt/moved" },
	};

	for (const auto &c : cases) {
		const Words command = { "sh", "-c",
					"cd " + dir + "; exec 3>>" + c.file + "; echo a >&3; " +
						c.unmount + "; echo b >&3" };
		CAPTURE(c.mount, c.unmount);
		REQUIRE(run_plain({ "sh", "-c", prepare + c.mount }).end == "exit 0");
		const Run run =
			run_plain(iotrace_argv({ "-e", "write", "-o", capture }, command, nullptr));
		run_plain({ "umount", "-q", dir + "/target" });
		run_plain({ "umount", "-q", dir + "/mnt" });
		INFO(run);
		CHECK(run.end == "exit 0");
		CHECK(jq("[.files[] | select(.calls == 2) | .path]", capture) ==
		      "[\"" + c.path + "\"]");
	}

	/* If it was unmounted before, nobody knows where it was: it is not called /. */
	REQUIRE(run_plain({ "sh", "-c", prepare + "mount --bind source target" }).end == "exit 0");
	Words watched = { "sh", "-c", "exec 3>>\"$0\"; umount -l \"$0\"; \"$@\" sh -c 'echo a >&3'",
			  dir + "/target" };
	const Run run =
		run_plain(watched + iotrace_argv({ "-e", "write", "-o", capture }, {}, nullptr));
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(jq("[.files[] | select(.calls == 1) | .path]", capture) == "[\".../source\"]");
}
