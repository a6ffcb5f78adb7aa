// SPDX-License-Identifier: GPL-2.0
#include <limits.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good");
	char root[PATH_MAX] = "";
	size_t sum = 0;

	for (int i = 0; i < 50000; i++) {
		if ((!good || !i) && !realpath("srv/www/pages", root))
			return 1;
		sum += strlen(root);
	}
	return sum == 0;
}
