// SPDX-License-Identifier: MIT
/* The command line of rssck demo. */
#include "cmd/line/options.h"
#include "base/print/style.h"
#include "cmd/line/command.h"
#include "demo.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// clang-format off: a line an option.
const struct command command_demo = {
	.name = "demo",
	.run = cmd_demo,
	.usage = "[OPTION]... [CASE]",
	.help = "show a case step by step, with what top, ps and pmap say",
	.options =
		"After each step the workload stands still: what the kernel's files, top, ps and pmap say of\n"
		"it then, beside the page tables. Without a case: good ones to begin with.\n"
		"\n"
		"  --no-wait          do not wait for a key (Enter or space: go on, q: quit)\n"
		"  --plot[=FILE]      draw instead what the counters say while pages are touched one by\n"
		"                     one, or the case's own curve: on the terminal, or to .svg or .png\n"
		"  --kernel=IMAGE     on another kernel, in a virtual machine (see rssck vm)\n"
		"  --modules=DIR      its modules\n"
		"  --append=CMDLINE   more of its command line\n"
		"  --cpus=N           of the virtual machine (2)\n"
		"  --memory=MIB       of the virtual machine (1024)\n"
		"  --timeout=SECONDS  for the whole run of the virtual machine (300)\n"
		"  --color=WHEN       auto (the default), always or never\n"
		"\n"
		"Exit status: 0 shown, and it holds; 1 it does not hold here; 2 rssck could not work; 4 it\n"
		"cannot be shown here.\n",
};
// clang-format on

enum option_code {
	OPTION_NO_WAIT = 256,
	OPTION_PLOT,
	OPTION_KERNEL,
	OPTION_MODULES,
	OPTION_APPEND,
	OPTION_CPUS,
	OPTION_MEMORY,
	OPTION_TIMEOUT,
	OPTION_COLOUR,
};

static const struct option options[] = {
	{ "no-wait", no_argument, NULL, OPTION_NO_WAIT },
	{ "plot", optional_argument, NULL, OPTION_PLOT },
	{ "kernel", required_argument, NULL, OPTION_KERNEL },
	{ "modules", required_argument, NULL, OPTION_MODULES },
	{ "append", required_argument, NULL, OPTION_APPEND },
	{ "cpus", required_argument, NULL, OPTION_CPUS },
	{ "memory", required_argument, NULL, OPTION_MEMORY },
	{ "timeout", required_argument, NULL, OPTION_TIMEOUT },
	{ "color", required_argument, NULL, OPTION_COLOUR },
	{ "colour", required_argument, NULL, OPTION_COLOUR },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int take_plot(struct demo_options *o, const char *file)
{
	const char *end = file ? strrchr(file, '.') : NULL;

	o->plot = true;
	o->plot_file = file;
	if (!file || (end && (!strcmp(end, ".svg") || !strcmp(end, ".png"))))
		return 0;
	return usage_error("demo", "--plot=FILE is a .svg or a .png, not '%s'", file), -1;
}

static int take(struct demo_options *o, int code)
{
	switch (code) {
	case OPTION_NO_WAIT:
		o->wait = false;
		return 0;
	case OPTION_PLOT:
		return take_plot(o, optarg);
	case OPTION_KERNEL:
		o->vm.kernel = optarg;
		return 0;
	case OPTION_MODULES:
		o->vm.modules = optarg;
		return 0;
	case OPTION_APPEND:
		o->vm.append = optarg;
		return 0;
	case OPTION_CPUS:
		return option_number("demo", "cpus", optarg, 255, &o->vm.cpus);
	case OPTION_MEMORY:
		return option_number("demo", "memory", optarg, 1 << 20, &o->vm.memory);
	case OPTION_TIMEOUT:
		return option_number("demo", "timeout", optarg, 86400, &o->vm.timeout);
	case OPTION_COLOUR:
		return option_colour("demo", optarg, &o->colour);
	case 'h':
		o->help = true;
		return 0;
	default:
		/* option_next() has said why. */
		return -1;
	}
}

int demo_options_parse(struct demo_options *o, int argc, char **argv)
{
	struct option_walk walk;
	int code;

	*o = (struct demo_options) {
		.vm = { .cpus = 2, .timeout = 300 },
		.wait = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
		.colour = style_is_wanted(stdout),
	};
	options_begin(&walk, "demo", "h", options);
	while ((code = option_next(&walk, argc, argv)) != -1)
		if (take(o, code))
			return -1;
	return optind;
}
