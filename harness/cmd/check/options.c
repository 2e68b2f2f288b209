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

enum option_code {
	OPTION_FORMAT = 256,
	OPTION_OUTPUT,
	OPTION_REPEAT,
	OPTION_BISECT,
	OPTION_LIST,
	OPTION_DIRECTORY,
	OPTION_JOURNAL,
	OPTION_LIMIT,
	OPTION_COLOUR,
};

static const struct option options[] = {
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "output", required_argument, NULL, OPTION_OUTPUT },
	{ "repeat", required_argument, NULL, OPTION_REPEAT },
	{ "bisect", no_argument, NULL, OPTION_BISECT },
	{ "list", no_argument, NULL, OPTION_LIST },
	{ "directory", required_argument, NULL, OPTION_DIRECTORY },
	{ "journal", required_argument, NULL, OPTION_JOURNAL },
	{ "limit", required_argument, NULL, OPTION_LIMIT },
	{ "timeout", required_argument, NULL, OPTION_LIMIT },
	{ "color", required_argument, NULL, OPTION_COLOUR },
	{ "colour", required_argument, NULL, OPTION_COLOUR },
	{ "verbose", no_argument, NULL, 'v' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int take(struct check_options *o, int code)
{
	static const char *const formats[] = { "text", "ktap", "junit", "json", NULL };
	static const char *const colours[] = { "auto", "always", "never", NULL };
	int choice = 0, failed = 0;

	switch (code) {
	case OPTION_FORMAT:
		failed = option_choice("check", "format", optarg, formats, &choice);
		o->format = (enum format)choice;
		break;
	case OPTION_COLOUR:
		failed = option_choice("check", "color", optarg, colours, &choice);
		o->colour = (enum colour)choice;
		break;
	case OPTION_OUTPUT:
		o->output = strcmp(optarg, "-") ? optarg : NULL;
		break;
	case OPTION_REPEAT:
		failed = option_number("check", "repeat", optarg, INT_MAX, &o->repeat);
		break;
	case OPTION_LIMIT:
		failed = option_number("check", "limit", optarg, INT_MAX, &o->limit_s);
		break;
	case OPTION_BISECT:
		o->bisect = true;
		break;
	case OPTION_LIST:
		o->list = true;
		break;
	case OPTION_DIRECTORY:
		o->directory = optarg;
		break;
	case OPTION_JOURNAL:
		o->journal = optarg;
		break;
	case 'v':
		o->verbose = true;
		break;
	case 'q':
		o->quiet = true;
		break;
	case 'h':
		o->help = true;
		break;
	default:
		/* option_next() has said why. */
		failed = -1;
	}
	return failed;
}

int check_options_parse(struct check_options *o, int argc, char **argv)
{
	struct option_walk walk;
	int code;

	*o = (struct check_options) { .repeat = 1 };
	options_begin(&walk, "check", "vqh", options);
	while ((code = option_next(&walk, argc, argv)) != -1)
		if (take(o, code))
			return -1;
	return optind;
}
