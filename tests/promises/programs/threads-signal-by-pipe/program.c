#include <pthread.h>
#include <unistd.h>

static int there[2], back[2];

static void *other(void *arg)
{
	char byte;

	while (read(there[0], &byte, 1) == 1)
		if (write(back[1], &byte, 1) != 1)
			break;
	return arg;
}

int main(void)
{
	pthread_t thread;
	char byte = 0;

	if (pipe(there) || pipe(back))
		return 1;
	pthread_create(&thread, NULL, other, NULL);
	for (int i = 0; i < 10000; i++)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			return 1;
	close(there[1]);
	pthread_join(thread, NULL);
	return 0;
}
