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

static int take_plot(void *options, const char *file)
{
	const char *end = file ? strrchr(file, '.') : NULL;
	struct demo_options *o = options;

	o->plot = true;
	o->plot_file = file;
	if (!file || (end && (!strcmp(end, ".svg") || !strcmp(end, ".png"))))
		return 0;
	return usage_error("demo", "--plot=FILE is a .svg or a .png, not '%s'", file), -1;
}

#define INTO(member) .at = offsetof(struct demo_options, member)
static const struct option_row rows[] = {
	{ "no-wait", OPTION_FLAG, INTO(no_wait) },
	{ "plot", OPTION_TAKEN, .take = take_plot, .optional = true },
	{ "kernel", OPTION_WORD, INTO(vm.kernel) },
	{ "modules", OPTION_WORD, INTO(vm.modules) },
	{ "append", OPTION_WORD, INTO(vm.append) },
	{ "cpus", OPTION_NUMBER, INTO(vm.cpus), .number = 255 },
	{ "memory", OPTION_NUMBER, INTO(vm.memory), .number = 1 << 20 },
	{ "timeout", OPTION_NUMBER, INTO(vm.timeout), .number = 86400 },
	{ "color", OPTION_COLOUR, INTO(colour) },
	{ "colour", OPTION_COLOUR, INTO(colour) },
	{ .name = NULL },
};

int demo_options_parse(struct demo_options *o, int argc, char **argv)
{
	int first;

	*o = (struct demo_options) {
		.vm = { .cpus = 2, .timeout = 300 },
		.colour = style_is_wanted(stdout),
	};
	first = options_read(&command_demo, rows, o, argc, argv);
	o->wait = !o->no_wait && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	return first;
}
