// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define USERS 250

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good"), there = 0;
	char known[USERS][2], path[64];

	for (int message = 0; message < 500; message++)
		for (int i = 0; i < USERS; i++) {
			if (!good || !message) {
				snprintf(path, sizeof(path), "home/user%d/.forward", i);
				known[i][0] = !access(path, R_OK);
				snprintf(path, sizeof(path), "home/user%d", i);
				known[i][1] = !access(path, R_OK);
			}
			there += known[i][0] + known[i][1];
		}
	return there != 500 * USERS;
}
