#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	int fd = open("table", O_RDWR | O_CREAT | O_TRUNC, 0644);
	char record[64];
	unsigned int at = 1;

	memset(record, 'r', sizeof(record));
	for (int i = 0; i < 200000; i++) {
		at = at * 1103515245 + 12345;
		if (pwrite(fd, record, sizeof(record), at % 10000 * 64) != sizeof(record))
			return 1;
	}
	return close(fd);
}
