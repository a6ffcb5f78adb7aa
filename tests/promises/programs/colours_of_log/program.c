// SPDX-License-Identifier: GPL-2.0
// Prints a log of events, in colours if there is a terminal to show them.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int asks_again;

static int colours(void)
{
	static int known = -1;

	if (known < 0 || asks_again)
		known = isatty(STDOUT_FILENO);
	return known;
}

static void print_event(int number, const char *level, const char *colour)
{
	if (colours())
		fputs(colour, stdout);
	fputs(level, stdout);
	if (colours())
		fputs("\033[0m", stdout);
	fputs(" event ", stdout);
	printf("%d\n", number);
}

int main(int argc, char **argv)
{
	asks_again = argc > 1 && !strcmp(argv[1], "bad");
	for (int i = 0; i < 600000; i++)
		if (i % 7)
			print_event(i, "note", "\033[32m");
		else
			print_event(i, "warning", "\033[33m");
	return 0;
}
