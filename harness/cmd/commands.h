// SPDX-License-Identifier: MIT
/* The commands of rssck. */
#ifndef RSSCK_COMMANDS_H
#define RSSCK_COMMANDS_H

#include "cmd/line/command.h"

enum { COMMANDS_MAX = 32 };

/* All commands in the order of the help, ended by NULL. */
extern const struct command *const commands[];

/* The command called `name`, or NULL. */
const struct command *command_by_name(const char *name);

extern const struct command command_explain, command_compare, command_report, command_help_itself;

/* Prints the possible completions of the last word of a command line. */
void complete(int nr, char **words);

/* Runs rssck with main()'s arguments. Returns the exit status. */
int rssck_main(int argc, char **argv);

#endif
