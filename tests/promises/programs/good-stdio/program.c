#include <stdio.h>

int main(void)
{
	FILE *f = fopen("out", "w");

	for (int i = 0; i < 2000000; i++)
		fprintf(f, "line %d\n", i);
	return fclose(f);
}
