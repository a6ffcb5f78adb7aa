/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The subcommands: words in the place of a command, each with its name in commands.c and a row in
 * main.c.
 */
#pragma once

/*
 * Returns the subcommand or option that was meant by a word that is neither a command nor a
 * subcommand; NULL: none is near.
 */
const char *command_suggest(const char *word);

/* Each subcommand is in a file of its own, cmd_NAME.c. */
int cmd_compare(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_schema(int argc, char **argv);

/*
 * Runs without a subcommand; argv is main()'s. If a signal kills the traced command, iotrace dies
 * of the same signal.
 */
int cmd_trace(int argc, char **argv);
