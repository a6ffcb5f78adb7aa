// SPDX-License-Identifier: GPL-2.0
// An editor saves its document whenever the user has typed for 60 ms: into a new file, synced,
// renamed over the old one. The user's pace sets the time, and the save fits between two
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <thread>
#include <unistd.h>

int main()
{
	std::string document(20000, 'x');
	auto next = std::chrono::steady_clock::now();
	for (int save = 0; save < 12; save++) {
		next += std::chrono::milliseconds(60);
		std::this_thread::sleep_until(next);
		document += "more words, typed at save " + std::to_string(save) + "\n";
		int fd = open("document.new", O_WRONLY | O_CREAT | O_TRUNC, 0644);
		if (fd < 0 ||
		    write(fd, document.data(), document.size()) != (ssize_t)document.size() ||
		    fsync(fd))
			return 1;
		close(fd);
		if (rename("document.new", "document.txt"))
			return 1;
	}
}
