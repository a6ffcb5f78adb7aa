// SPDX-License-Identifier: GPL-2.0
#include <pwd.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good");
	FILE *out = fopen("listing", "w");
	char name[64] = "";

	for (int i = 0; i < 30000; i++) {
		if (!good || !i) {
			struct passwd *p = getpwuid(0);

			snprintf(name, sizeof(name), "%s", p ? p->pw_name : "?");
		}
		fprintf(out, "%s file%d\n", name, i);
	}
	return fclose(out);
}
