// SPDX-License-Identifier: GPL-2.0
// Sends frames of sound over TCP when a timer says so.
// The receiver notes in a log how late they are.

#include <arpa/inet.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

constexpr int FRAMES = 80;

struct frame {
	uint32_t number;
	int16_t samples[38];
};

static int play(int fd)
{
	FILE *log = fopen("call.log", "w");
	frame sound;

	if (!log)
		return 1;
	for (uint32_t i = 0; i < FRAMES; i++) {
		if (recv(fd, &sound, sizeof(sound), MSG_WAITALL) != sizeof(sound) ||
		    sound.number != i)
			return 1;
		fprintf(log, "frame %u starts with %d\n", sound.number, sound.samples[0]);
		fflush(log);
	}
	return fclose(log) ? 1 : 0;
}

static int speak(int fd)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, 0), loop = epoll_create1(0);
	itimerspec each = { { 0, 5000000 }, { 0, 5000000 } };
	epoll_event event = {};
	uint32_t number = 0;

	event.events = EPOLLIN;
	if (timer < 0 || loop < 0 || epoll_ctl(loop, EPOLL_CTL_ADD, timer, &event))
		return 1;
	timerfd_settime(timer, 0, &each, nullptr);
	while (number < FRAMES) {
		uint64_t due;

		if (epoll_wait(loop, &event, 1, -1) != 1 ||
		    read(timer, &due, sizeof(due)) != sizeof(due))
			return 1;
		for (; due && number < FRAMES; due--, number++) {
			frame sound;

			sound.number = number;
			for (int i = 0; i < 38; i++)
				sound.samples[i] = 12000 * std::sin((number * 38 + i) * 0.05);
			if (send(fd, &sound, sizeof(sound), 0) != sizeof(sound))
				return 1;
		}
	}
	return 0;
}

int main()
{
	int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1, status;
	sockaddr_in address = {};
	socklen_t length = sizeof(address);

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(listener, (sockaddr *)&address, sizeof(address)) || listen(listener, 1) ||
	    getsockname(listener, (sockaddr *)&address, &length))
		return 1;
	pid_t caller = fork();
	if (caller < 0)
		return 1;
	if (caller == 0) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);

		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		_exit(connect(fd, (sockaddr *)&address, sizeof(address)) || speak(fd));
	}
	int fd = accept(listener, nullptr, nullptr);
	int failed = play(fd);
	if (waitpid(caller, &status, 0) != caller)
		return 1;
	return failed || status;
}
