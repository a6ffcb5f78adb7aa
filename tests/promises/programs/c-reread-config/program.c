#include <stdio.h>
#include <string.h>

static int limit(void)
{
	FILE *f = fopen("conf", "r");
	int value = 0;

	if (!f || fscanf(f, "limit = %d", &value) != 1)
		value = -1;
	fclose(f);
	return value;
}

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good"), kept = limit(), sum = 0;

	for (int i = 0; i < 40000; i++)
		sum += good ? kept : limit();
	printf("%d\n", sum);
	return 0;
}
