#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	enum { SIZE = 64 << 20 };
	int fd = open("out", O_RDWR | O_CREAT | O_TRUNC, 0644);
	char *memory;

	if (ftruncate(fd, SIZE))
		return 1;
	memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return 1;
	memset(memory, 'm', SIZE);
	return munmap(memory, SIZE) || close(fd);
}
