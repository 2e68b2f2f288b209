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

enum { COMPARE_AGAIN_MAX = 2 };

/*
 * Compares two records of rssck atlas, the first two of `paths`. Further paths are other records of
 * the same kernels: results that differ between two records of one kernel are noise. `output` is a
 * file, or NULL. `as_case` is the file to which the shortest sequence that differs is written as a
 * case, or NULL. Returns the exit status of rssck compare.
 */
int compare_atlas(const char *const *paths, unsigned nr, const char *output, const char *as_case);

#endif
