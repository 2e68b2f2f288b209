// SPDX-License-Identifier: MIT
/* The command line of rssck check. */
#include "cmd/line/options.h"
#include "check.h"
#include "cmd/line/command.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// clang-format off: a line an option.
const struct command command_check = {
	.name = "check",
	.run = cmd_check,
	.usage = "[OPTION]... [CASE...]",
	.help = "check the metrics of the running kernel",
	.options =
		"CASE is an id (file/private_write), a group (file) or a pattern ('*/fork*'); all without one.\n"
		"\n"
		"  --format=FORMAT    text (the default), ktap, junit or json\n"
		"  --output=FILE      write there instead of to stdout: whole, or not at all\n"
		"  --repeat=N         run N times; a verdict or fact that differs between runs fails\n"
		"  --bisect           for `git bisect run`: exit 0 good, 1 bad, 125 cannot tell\n"
		"  --list             list the cases instead of running them\n"
		"  --directory=DIR    where the cases make their files (not on tmpfs)\n"
		"  --journal=FILE     write there, case by case, what has been found so far\n"
		"  --limit=SECONDS    time limit of one step of a case (also: --timeout)\n"
		"  --color=WHEN       auto (the default), always or never\n"
		"  --verbose          tell of each case, and of every disagreement, also those within their bounds\n"
		"  --quiet            say only what does not hold\n"
		"\n"
		"Exit status: 0 all that could run hold, 1 a case fails, 2 rssck could not work,\n"
		"4 nothing could run.\n",
};
// clang-format on

static const char *const formats[] = { "text", "ktap", "junit", "json", NULL };
static const char *const colours[] = { "auto", "always", "never", NULL };

#define INTO(member) .at = offsetof(struct check_options, member)
static const struct option_row rows[] = {
	{ "format", OPTION_CHOICE, INTO(format), .choices = formats },
	{ "output", OPTION_OUTPUT, INTO(output) },
	{ "repeat", OPTION_NUMBER, INTO(repeat), .number = INT_MAX },
	{ "bisect", OPTION_FLAG, INTO(bisect) },
	{ "list", OPTION_FLAG, INTO(list) },
	{ "directory", OPTION_WORD, INTO(directory) },
	{ "journal", OPTION_WORD, INTO(journal) },
	{ "limit", OPTION_NUMBER, INTO(limit_s), .number = INT_MAX },
	{ "timeout", OPTION_NUMBER, INTO(limit_s), .number = INT_MAX },
	{ "color", OPTION_CHOICE, INTO(colour), .choices = colours },
	{ "colour", OPTION_CHOICE, INTO(colour), .choices = colours },
	{ "verbose", OPTION_FLAG, INTO(verbose), 'v' },
	{ "quiet", OPTION_FLAG, INTO(quiet), 'q' },
	{ .name = NULL },
};

int check_options_parse(struct check_options *o, int argc, char **argv)
{
	*o = (struct check_options) { .repeat = 1 };
	return options_read(&command_check, rows, o, argc, argv);
}
