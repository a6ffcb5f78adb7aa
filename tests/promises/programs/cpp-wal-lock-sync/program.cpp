// SPDX-License-Identifier: GPL-2.0
// Eight threads commit transactions to a journal, each writes and syncs it while it holds the lock;
// mended, one syncs for all that wrote meanwhile (group commit). Each still returns only when its
// record is on the disk
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

static int journal;
static std::mutex lock;
static std::condition_variable synced_more;
static unsigned long written, synced;
static bool syncing;

static void put(const char *record, size_t size)
{
	if (write(journal, record, size) != (ssize_t)size) {
		perror("write");
		exit(1);
	}
}

static void sync_journal()
{
	if (fdatasync(journal)) {
		perror("fdatasync");
		exit(1);
	}
}

static void commit_alone(const char *record, size_t size)
{
	std::lock_guard<std::mutex> hold(lock);
	put(record, size);
	sync_journal();
}

static void commit_grouped(const char *record, size_t size)
{
	std::unique_lock<std::mutex> hold(lock);
	put(record, size);
	unsigned long mine = ++written;
	while (synced < mine) {
		if (syncing) {
			synced_more.wait(hold);
			continue;
		}
		syncing = true;
		hold.unlock();
		std::this_thread::yield();
		hold.lock();
		unsigned long upto = written;
		hold.unlock();
		sync_journal();
		hold.lock();
		syncing = false;
		synced = upto;
		synced_more.notify_all();
	}
}

int main(int argc, char **argv)
{
	bool grouped = argc > 1 && !strcmp(argv[1], "good");
	journal = open("journal", O_WRONLY | O_CREAT | O_APPEND, 0644);
	std::vector<std::thread> clients;
	for (int c = 0; c < 8; c++)
		clients.emplace_back([=] {
			char record[200];
			memset(record, 'a' + c, sizeof record);
			for (int i = 0; i < 500; i++) {
				snprintf(record, sizeof record, "client %d transaction %d", c, i);
				grouped ? commit_grouped(record, sizeof record)
					: commit_alone(record, sizeof record);
			}
		});
	for (auto &t : clients)
		t.join();
	close(journal);
}
