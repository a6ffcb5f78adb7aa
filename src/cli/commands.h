/* SPDX-License-Identifier: GPL-2.0 */
/* What iotrace can be told to do. A row each in commands.c for the subcommands, words that stand in a command's place. */
#ifndef IOTRACE_COMMANDS_H
#define IOTRACE_COMMANDS_H

struct command {
	const char *name;
	/* argv[0] is the subcommand's name. Returns the exit status. */
	int (*run)(int argc, char **argv);
};

/* NULL: it is none. "iotrace -- NAME" runs a program of that name. */
const struct command *command_find(const char *name);

/* What was meant by a word that is neither: a subcommand or an option of iotrace; NULL: who knows. */
const char *command_suggest(const char *word);

/* One for each file, cmd_NAME.c. */
int cmd_doctor(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_schema(int argc, char **argv);

/* Without a subcommand: argv is main()'s. Ends as the command that it runs has ended, if that is by a signal. */
int cmd_trace(int argc, char **argv);

#endif
