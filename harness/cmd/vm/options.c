// SPDX-License-Identifier: MIT
/* The command line of rssck vm. */
#include "cmd/line/options.h"
#include "command.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum option_code {
	OPTION_KERNEL = 256,
	OPTION_PROGRAMS,
	OPTION_OUTPUT,
	OPTION_FORMAT,
	OPTION_MODULES,
	OPTION_APPEND,
	OPTION_SETUP,
	OPTION_CPUS,
	OPTION_MEMORY,
	OPTION_TIMEOUT,
	OPTION_BISECT,
	OPTION_FUZZ,
	OPTION_RUN,
	OPTION_WITH,
};

static const struct option options[] = {
	{ "kernel", required_argument, NULL, OPTION_KERNEL },
	{ "programs", required_argument, NULL, OPTION_PROGRAMS },
	{ "output", required_argument, NULL, OPTION_OUTPUT },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "modules", required_argument, NULL, OPTION_MODULES },
	{ "append", required_argument, NULL, OPTION_APPEND },
	{ "setup", required_argument, NULL, OPTION_SETUP },
	{ "cpus", required_argument, NULL, OPTION_CPUS },
	{ "memory", required_argument, NULL, OPTION_MEMORY },
	{ "timeout", required_argument, NULL, OPTION_TIMEOUT },
	{ "bisect", no_argument, NULL, OPTION_BISECT },
	{ "fuzz", optional_argument, NULL, OPTION_FUZZ },
	{ "run", required_argument, NULL, OPTION_RUN },
	{ "with", required_argument, NULL, OPTION_WITH },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

enum { CPUS_MOST = 255, MEMORY_MOST = 1 << 20, TIMEOUT_MOST = 86400 };

static int take_number(unsigned *number, const char *name, unsigned most)
{
	return option_number("vm", name, optarg, most, number);
}

static int take_format(struct vm_command *c)
{
	static const char *const formats[] = { "text", "ktap", "junit", "json", NULL };
	int choice = 0, failed = option_choice("vm", "format", optarg, formats, &choice);

	c->format = (enum vm_format)choice;
	return failed;
}

/* [SECONDS:]NAME=VALUE; what the names mean the guest knows. */
static int take_setup(struct vm_command *c)
{
	static const char *const names[] = { "/", "swap=", "cgroup=", "pressure=", "log=" };
	const char *name = optarg + strspn(optarg, "0123456789");

	name = name > optarg && *name == ':' ? name + 1 : optarg;
	if (c->vm.nr_setup == VM_SETUP_MAX)
		return usage_error("vm", "more than %d times --setup", VM_SETUP_MAX), -1;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strncmp(name, names[i], strlen(names[i])) || !strchr(name, '='))
			continue;
		c->vm.setup[c->vm.nr_setup++] = optarg;
		return 0;
	}
	usage_error("vm", "--setup takes FILE=VALUE, swap=, cgroup=, pressure= or log=, not '%s'",
		    optarg);
	return -1;
}

static int take_with(struct vm_command *c)
{
	if (c->vm.nr_with == VM_WITH_MAX)
		return usage_error("vm", "more than %d times --with", VM_WITH_MAX), -1;
	c->vm.with[c->vm.nr_with++] = optarg;
	return 0;
}

static int take(struct vm_command *c, int code)
{
	switch (code) {
	case OPTION_KERNEL:
		c->vm.kernel = optarg;
		return 0;
	case OPTION_PROGRAMS:
		c->vm.programs = optarg;
		return 0;
	case OPTION_OUTPUT:
		c->output = optarg;
		return 0;
	case OPTION_FORMAT:
		return take_format(c);
	case OPTION_MODULES:
		c->vm.modules = optarg;
		return 0;
	case OPTION_APPEND:
		c->vm.append = optarg;
		return 0;
	case OPTION_SETUP:
		return take_setup(c);
	case OPTION_CPUS:
		return take_number(&c->vm.cpus, "cpus", CPUS_MOST);
	case OPTION_MEMORY:
		return take_number(&c->vm.memory, "memory", MEMORY_MOST);
	case OPTION_TIMEOUT:
		return take_number(&c->vm.timeout, "timeout", TIMEOUT_MOST);
	case OPTION_BISECT:
		c->bisect = true;
		return 0;
	case OPTION_FUZZ:
		c->fuzz = optarg ? optarg : "";
		return 0;
	case OPTION_RUN:
		c->vm.run = optarg;
		return 0;
	case OPTION_WITH:
		return take_with(c);
	case 'h':
		c->help = true;
		return 0;
	default:
		/* option_next() has said why. */
		return -1;
	}
}

/* JSON is what a file is for, if nothing else is asked for; on a terminal text is. */
static void format_settle(struct vm_command *c, bool given)
{
	/* What fuzz prints inside is printed as it is. */
	if (!given && c->output && !c->fuzz)
		c->format = VM_JSON;
	if (c->output && !strcmp(c->output, "-"))
		c->output = NULL;
}

int vm_command_read(struct vm_command *c, int argc, char **argv)
{
	struct option_walk walk;
	bool format_given = false;
	int code;

	c->vm = (struct vm_options) { .cpus = 2, .timeout = 300 };
	/* Whatever else is wrong with the usage, a bisect must hear 125 and not "bad". */
	for (int i = 1; i < argc; i++)
		c->bisect |= !strcmp(argv[i], "--bisect");
	options_begin(&walk, "vm", "h", options);
	walk.repeatable = OPTION_SETUP;
	while ((code = option_next(&walk, argc, argv)) != -1) {
		if (take(c, code))
			return -1;
		format_given |= code == OPTION_FORMAT;
	}
	if (!c->vm.kernel && !c->help) {
		usage_error("vm", "no kernel: give --kernel=IMAGE, such as arch/x86/boot/bzImage");
		return -1;
	}
	if (c->vm.run && (c->bisect || optind < argc)) {
		usage_error("vm", "--run takes the place of cases and of --bisect");
		return -1;
	}
	format_settle(c, format_given);
	return 0;
}
