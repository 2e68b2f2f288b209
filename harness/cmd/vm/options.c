// SPDX-License-Identifier: MIT
/* The command line of rssck vm. */
#include "cmd/line/options.h"
#include "command.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const formats[] = { "text", "ktap", "junit", "json", NULL };

static int take_format(void *options, const char *word)
{
	struct vm_command *c = options;
	int choice = 0, failed = option_choice("vm", "format", word, formats, &choice);

	c->format = (enum vm_format)choice;
	c->format_given = true;
	return failed;
}

static int take_fuzz(void *options, const char *word)
{
	((struct vm_command *)options)->fuzz = word ? word : "";
	return 0;
}

/* [SECONDS:]NAME=VALUE; what the names mean the guest knows. */
static int take_setup(void *options, const char *word)
{
	struct vm_options *vm = &((struct vm_command *)options)->vm;
	static const char *const names[] = { "/", "swap=", "cgroup=", "pressure=", "log=" };
	const char *name = word + strspn(word, "0123456789");

	name = name > word && *name == ':' ? name + 1 : word;
	if (vm->nr_setup == VM_SETUP_MAX)
		return usage_error("vm", "more than %d times --setup", VM_SETUP_MAX), -1;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strncmp(name, names[i], strlen(names[i])) || !strchr(name, '='))
			continue;
		vm->setup[vm->nr_setup++] = word;
		return 0;
	}
	usage_error("vm", "--setup takes FILE=VALUE, swap=, cgroup=, pressure= or log=, not '%s'",
		    word);
	return -1;
}

static int take_with(void *options, const char *word)
{
	struct vm_options *vm = &((struct vm_command *)options)->vm;

	if (vm->nr_with == VM_WITH_MAX)
		return usage_error("vm", "more than %d times --with", VM_WITH_MAX), -1;
	vm->with[vm->nr_with++] = word;
	return 0;
}

#define INTO(member) .at = offsetof(struct vm_command, member)
static const struct option_row rows[] = {
	{ "kernel", OPTION_WORD, INTO(vm.kernel) },
	{ "programs", OPTION_WORD, INTO(vm.programs) },
	{ "output", OPTION_WORD, INTO(output) },
	{ "format", OPTION_TAKEN, .take = take_format },
	{ "modules", OPTION_WORD, INTO(vm.modules) },
	{ "append", OPTION_WORD, INTO(vm.append) },
	{ "setup", OPTION_TAKEN, .take = take_setup, .repeats = true },
	{ "cpus", OPTION_NUMBER, INTO(vm.cpus), .number = 255 },
	{ "memory", OPTION_NUMBER, INTO(vm.memory), .number = 1 << 20 },
	{ "timeout", OPTION_NUMBER, INTO(vm.timeout), .number = 86400 },
	{ "bisect", OPTION_FLAG, INTO(bisect) },
	{ "fuzz", OPTION_TAKEN, .take = take_fuzz, .optional = true },
	{ "run", OPTION_WORD, INTO(vm.run) },
	{ "run-options", OPTION_WORD, INTO(run_options) },
	{ "with", OPTION_TAKEN, .take = take_with, .repeats = true },
	{ .name = NULL },
};

/* JSON is what a file is for, if nothing else is asked for; on a terminal text is. */
static void format_settle(struct vm_command *c)
{
	/* What fuzz prints inside is printed as it is. */
	if (!c->format_given && c->output && !c->fuzz)
		c->format = VM_JSON;
	if (c->output && !strcmp(c->output, "-"))
		c->output = NULL;
}

int vm_command_read(struct vm_command *c, int argc, char **argv)
{
	int first;

	c->vm = (struct vm_options) { .cpus = 2, .timeout = 300 };
	/* Whatever else is wrong with the usage, a bisect must hear 125 and not "bad". */
	for (int i = 1; i < argc; i++)
		c->bisect |= !strcmp(argv[i], "--bisect");
	first = options_read(&command_vm, rows, c, argc, argv);
	if (first <= 0)
		return first;
	if (!c->vm.kernel)
		return usage_error("vm",
				   "no kernel: give --kernel=IMAGE, such as arch/x86/boot/bzImage"),
		       -1;
	if (c->vm.run && (c->bisect || first < argc))
		return usage_error("vm", "--run takes the place of cases and of --bisect"), -1;
	if (c->run_options && !c->vm.run)
		return usage_error("vm", "--run-options are those of --run=COMMAND"), -1;
	format_settle(c);
	return first;
}
