#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { ROUNDS = 10000 };

static int there, back;

static void *other(void *arg)
{
	uint64_t one = 1;

	for (int i = 0; i < ROUNDS; i++)
		if (read(there, &one, 8) != 8 || write(back, &one, 8) != 8)
			break;
	return arg;
}

int main(void)
{
	pthread_t thread;
	uint64_t one = 1;

	there = eventfd(0, 0);
	back = eventfd(0, 0);
	pthread_create(&thread, NULL, other, NULL);
	for (int i = 0; i < ROUNDS; i++)
		if (write(there, &one, 8) != 8 || read(back, &one, 8) != 8)
			return 1;
	pthread_join(thread, NULL);
	return 0;
}
