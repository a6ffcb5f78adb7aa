#include <poll.h>
#include <unistd.h>

int main(void)
{
	int ends[2];
	char byte = 0;

	if (pipe(ends))
		return 1;
	for (int i = 0; i < 150000; i++) {
		if (write(ends[1], &byte, 1) != 1)
			return 1;
		poll(&(struct pollfd){ ends[0], POLLIN, 0 }, 1, -1);
		if (read(ends[0], &byte, 1) != 1)
			return 1;
	}
	return 0;
}
