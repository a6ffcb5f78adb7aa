#include <stdio.h>

int main(void)
{
	for (int day = 0; day < 100; day++) {
		FILE *f = fopen("log", "w");

		for (int i = 0; i < 10000; i++)
			fprintf(f, "record %d\n", i);
		fclose(f);
		rename("log", "log.1");
	}
	return 0;
}
