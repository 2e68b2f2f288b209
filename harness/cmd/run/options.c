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
		"  --no-model          do not measure how the counters count here: then how far they lag\n"
		"                      is told, but not judged\n"
		"  --quiet             no line an audit, which a terminal gets\n"
		"  --color=WHEN        auto (the default), always or never\n"
		"\n"
		"What the program writes to the file that $RSSCK_MARK names asks for an audit of that name.\n"
		"\n"
		"Exit status: the command's own (128 + N where signal N killed it) if all holds; 1, or what\n"
		"--error-exitcode says, if something is wrong; 4 if nothing could be checked and the command\n"
		"succeeded; 2 trouble of rssck's; 126 or 127 the command cannot be run, or was not found.\n",
};
// clang-format on

enum option_code {
	OPTION_EVERY = 256,
	OPTION_HELD,
	OPTION_FORMAT,
	OPTION_OUTPUT,
	OPTION_PLOT,
	OPTION_ERROR_EXITCODE,
	OPTION_NO_MODEL,
	OPTION_QUIET,
	OPTION_COLOUR,
};

static const struct option options[] = {
	{ "every", required_argument, NULL, OPTION_EVERY },
	{ "held", required_argument, NULL, OPTION_HELD },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "output", required_argument, NULL, OPTION_OUTPUT },
	{ "plot", required_argument, NULL, OPTION_PLOT },
	{ "error-exitcode", required_argument, NULL, OPTION_ERROR_EXITCODE },
	{ "no-model", no_argument, NULL, OPTION_NO_MODEL },
	{ "quiet", no_argument, NULL, OPTION_QUIET },
	{ "color", required_argument, NULL, OPTION_COLOUR },
	{ "colour", required_argument, NULL, OPTION_COLOUR },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

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

static int take_plot(struct run_options *o, const char *file)
{
	const char *dot = strrchr(file, '.');

	o->plot = file;
	if (dot && (!strcmp(dot, ".svg") || !strcmp(dot, ".png")))
		return 0;
	return usage_error("run", "--plot=FILE is a .svg or a .png, not '%s'", file), -1;
}

static int take_colour(struct run_options *o, const char *word)
{
	static const char *const words[] = { "auto", "always", "never", NULL };
	int choice = 0;

	if (option_choice("run", "color", word, words, &choice))
		return -1;
	o->colour = choice == 0 ? o->colour : choice == 1;
	return 0;
}

static int take(struct run_options *o, int code)
{
	static const char *const formats[] = { "text", "ktap", "junit", "json", NULL };
	int choice = 0;

	switch (code) {
	case OPTION_EVERY:
		return take_decimal(&o->every, "every", optarg, 0.001, 86400);
	case OPTION_HELD:
		return take_decimal(&o->held, "held", optarg, 0.1, 99);
	case OPTION_FORMAT:
		if (option_choice("run", "format", optarg, formats, &choice))
			return -1;
		o->format = (enum run_format)choice;
		return 0;
	case OPTION_OUTPUT:
		o->output = optarg;
		return 0;
	case OPTION_PLOT:
		return take_plot(o, optarg);
	case OPTION_ERROR_EXITCODE:
		return option_number("run", "error-exitcode", optarg, 255, &o->error_exitcode);
	case OPTION_NO_MODEL:
		o->no_model = true;
		return 0;
	case OPTION_QUIET:
		o->quiet = true;
		return 0;
	case OPTION_COLOUR:
		return take_colour(o, optarg);
	case 'h':
		o->help = true;
		return 0;
	default:
		return -1;
	}
}

int run_options_parse(struct run_options *o, int argc, char **argv)
{
	struct option_walk walk;
	int code;

	*o = (struct run_options) { .every = 1,
				    .held = 5,
				    .error_exitcode = EXIT_FAILS,
				    .colour = style_is_wanted(stderr) };
	/* What follows the command's name is the command's. */
	options_begin(&walk, "run", "+h", options);
	while ((code = option_next(&walk, argc, argv)) != -1)
		if (take(o, code))
			return -1;
	if (o->help || optind < argc)
		return optind;
	usage_error("run", "which command? Its name follows the options");
	return -1;
}
