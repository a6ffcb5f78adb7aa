#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good");
	FILE *kept = good ? fopen("log", "a") : NULL;

	for (int i = 0; i < 40000; i++) {
		FILE *f = good ? kept : fopen("log", "a");

		fprintf(f, "record %d\n", i);
		if (!good)
			fclose(f);
	}
	return good ? fclose(kept) : 0;
}
