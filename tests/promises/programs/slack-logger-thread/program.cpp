// SPDX-License-Identifier: GPL-2.0
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

static std::mutex mutex;
static std::condition_variable filled;
static std::deque<std::string> queue;
static bool over;

static void log_all(bool good)
{
	std::ofstream out("log");
	std::unique_lock<std::mutex> lock(mutex);
	std::deque<std::string> taken;

	while (!over || !queue.empty()) {
		filled.wait(lock, [] { return over || !queue.empty(); });
		taken.swap(queue);
		lock.unlock();
		for (const std::string &line : taken) {
			out << line << '\n';
			if (!good)
				out.flush();
		}
		taken.clear();
		lock.lock();
	}
}

int main(int argc, char **argv)
{
	std::thread logger(log_all, !strcmp(argv[argc - 1], "good"));
	auto due = std::chrono::steady_clock::now();

	for (int frame = 0; frame < 75; frame++) {
		mutex.lock();
		for (int i = 0; i < 400; i++)
			queue.push_back("frame " + std::to_string(frame) + " part " +
					std::to_string(i));
		filled.notify_one();
		mutex.unlock();
		std::this_thread::sleep_until(due += std::chrono::milliseconds(4));
	}
	mutex.lock();
	over = true;
	filled.notify_one();
	mutex.unlock();
	logger.join();
	return 0;
}
