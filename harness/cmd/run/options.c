// SPDX-License-Identifier: MIT
/* The command line of rssck run. */
#include "cmd/line/options.h"
#include "base/print/style.h"
#include "run.h"
#include <stdlib.h>
#include <string.h>

// clang-format off: a line an option.
const struct command command_run = {
	.name = "run",
	.run = cmd_run,
	.runs_another = true,
	.usage = "[OPTION]... [--] COMMAND [ARGUMENT]...",
	.help = "run any program and audit its memory's books while it lives",
	.options =
		"Again and again all processes and threads of the program are held for some milliseconds,\n"
		"every source of each is read, and what must hold of any process is checked.\n"
		"\n"
		"  --every=SECONDS     from audit to audit (1); the first ones come sooner\n"
		"  --held=PERCENT      of the time that the program may be held (5): audits that take\n"
		"                      longer come less often\n"
		"  --format=FORMAT     of the report: text (the default), json, ktap or junit\n"
		"  --output=FILE       write the report there, not to stderr; - is stdout\n"
		"  --plot=FILE         draw RSS, PSS, USS and the lag over time: FILE.svg or FILE.png\n"
		"  --error-exitcode=N  exit so where something is wrong (1)\n"
		"  --exits             audit each process at its end as well, when it has all its memory: the\n"
		"                      program is traced all the time, as strace(1) does it\n"
		"  --cgroup            give the program a cgroup (v2) of its own below ours, and hold what that\n"
		"                      has paid for against what its processes map; in a guest of rssck vm\n"
		"                      it has one anyway. A number of it that is off holds the program for\n"
		"                      five seconds, until it is sure\n"
		"  --wrapper           the command starts the program, as a shell or time(1) does, and is not\n"
		"                      audited itself\n"
		"  --no-model          do not measure how the counters count here: then how far they lag\n"
		"                      is told, but not judged\n"
		"  --quiet             no line an audit, which a terminal gets\n"
		"  --color=WHEN        auto (the default), always or never\n"
		"\n"
		"What the program writes to the file that $RSSCK_MARK names asks for an audit of that name.\n"
		"\n"
		"Exit status: the command's own (128 + N where signal N killed it) if all holds; 1, or what\n"
		"--error-exitcode says, if something is wrong; 4 if nothing could be checked and the command\n"
		"succeeded; 2 rssck failed, or the last audit saw something wrong that could not be looked at\n"
		"again; 126 or 127 the command cannot be run, or was not found.\n",
};
// clang-format on

static int take_decimal(double *value, const char *name, const char *word, double least,
			double most)
{
	char *end;

	*value = strtod(word, &end);
	if (end != word && !*end && *value >= least && *value <= most)
		return 0;
	usage_error("run", "--%s takes a number from %g to %g, not '%s'", name, least, most, word);
	return -1;
}

static int take_every(void *options, const char *word)
{
	return take_decimal(&((struct run_options *)options)->every, "every", word, 0.001, 86400);
}

static int take_held(void *options, const char *word)
{
	return take_decimal(&((struct run_options *)options)->held, "held", word, 0.1, 99);
}

static int take_plot(void *options, const char *file)
{
	const char *dot = strrchr(file, '.');

	((struct run_options *)options)->plot = file;
	if (dot && (!strcmp(dot, ".svg") || !strcmp(dot, ".png")))
		return 0;
	return usage_error("run", "--plot=FILE is a .svg or a .png, not '%s'", file), -1;
}

static const char *const formats[] = { "text", "ktap", "junit", "json", NULL };

#define INTO(member) .at = offsetof(struct run_options, member)
static const struct option_row rows[] = {
	{ "every", OPTION_TAKEN, .take = take_every },
	{ "held", OPTION_TAKEN, .take = take_held },
	{ "format", OPTION_CHOICE, INTO(format), .choices = formats },
	{ "output", OPTION_WORD, INTO(output) },
	{ "plot", OPTION_TAKEN, .take = take_plot },
	{ "error-exitcode", OPTION_NUMBER, INTO(error_exitcode), .number = 255 },
	{ "exits", OPTION_FLAG, INTO(exits) },
	{ "cgroup", OPTION_FLAG, INTO(cgroup) },
	{ "wrapper", OPTION_FLAG, INTO(wrapper) },
	{ "no-model", OPTION_FLAG, INTO(no_model) },
	{ "quiet", OPTION_FLAG, INTO(quiet) },
	{ "color", OPTION_COLOUR, INTO(colour) },
	{ "colour", OPTION_COLOUR, INTO(colour) },
	{ .name = NULL },
};

int run_options_parse(struct run_options *o, int argc, char **argv)
{
	int first;

	*o = (struct run_options) { .every = 1,
				    .held = 5,
				    .error_exitcode = EXIT_FAILS,
				    .colour = style_is_wanted(stderr) };
	first = options_read(&command_run, rows, o, argc, argv);
	if (first <= 0 || first < argc)
		return first;
	usage_error("run", "which command? Its name follows the options");
	return -1;
}
