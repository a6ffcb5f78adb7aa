// SPDX-License-Identifier: GPL-2.0
// Eight clients' threads commit transactions in groups: all eight write, one syncs for all of them,
// and only then each goes on to its next transaction; no sync can be spared without losing what was
// confirmed
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <thread>
#include <unistd.h>
#include <vector>

enum { CLIENTS = 8, ROUNDS = 1200 };

int main()
{
	int journal = open("journal", O_WRONLY | O_CREAT | O_APPEND, 0644);
	pthread_barrier_t group;
	pthread_barrier_init(&group, nullptr, CLIENTS);
	std::vector<std::thread> clients;
	for (int c = 0; c < CLIENTS; c++)
		clients.emplace_back([=, &group] {
			char record[200];
			memset(record, 'a' + c, sizeof record);
			for (int i = 0; i < ROUNDS; i++) {
				snprintf(record, sizeof record, "client %d transaction %d", c, i);
				if (write(journal, record, sizeof record) != sizeof record)
					exit(1);
				if (pthread_barrier_wait(&group) == PTHREAD_BARRIER_SERIAL_THREAD &&
				    fdatasync(journal))
					exit(1);
				pthread_barrier_wait(&group);
			}
		});
	for (auto &t : clients)
		t.join();
	close(journal);
}
