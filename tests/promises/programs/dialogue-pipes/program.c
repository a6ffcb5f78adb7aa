#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int there[2], back[2];
	char line[8] = "line 12\n";

	if (pipe(there) || pipe(back))
		return 1;
	if (!fork()) {
		close(there[1]);
		while (read(there[0], line, 8) == 8)
			if (write(back[1], line, 8) != 8)
				break;
		_exit(0);
	}
	for (int i = 0; i < 10000; i++)
		if (write(there[1], line, 8) != 8 || read(back[0], line, 8) != 8)
			return 1;
	close(there[1]);
	wait(NULL);
	return 0;
}
