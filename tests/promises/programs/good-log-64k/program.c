#include <stdio.h>

int main(void)
{
	static char buffer[65536];
	FILE *f = fopen("log", "a");

	setvbuf(f, buffer, _IOFBF, sizeof(buffer));
	for (int i = 0; i < 2000000; i++)
		fprintf(f, "record %d\n", i);
	return fclose(f);
}
