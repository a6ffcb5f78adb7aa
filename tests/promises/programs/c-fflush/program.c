#include <stdio.h>
#include <string.h>

struct record {
	unsigned int id, value[5];
};

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good");
	FILE *f = fopen("out", "w");

	for (unsigned int i = 0; i < 300000; i++) {
		struct record r = { i, { i * 3, i * 5, i * 7, i * 11, i * 13 } };

		fwrite(&r, sizeof(r), 1, f);
		if (!good)
			fflush(f);
	}
	return fclose(f);
}
