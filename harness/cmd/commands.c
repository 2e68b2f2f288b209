// SPDX-License-Identifier: MIT
/* The table of commands, and help. */
#include "commands.h"
#include "base/nearest.h"
#include "base/print/words.h"
#include "cmd/bisect/bisect.h"
#include "cmd/check/check.h"
#include "cmd/demo/demo.h"
#include "cmd/fuzz/fuzz.h"
#include "cmd/list/list.h"
#include "cmd/run/run.h"
#include "cmd/scan/scan.h"
#include "cmd/vm/command.h"
#include <string.h>

static const struct command command_help_itself;

const struct command *const commands[] = {
	&command_check,
	&command_list,
	&command_explain,
	&command_compare,
	&command_report,
	&command_scan,
	&command_run,
	&command_fuzz,
	&command_demo,
	&command_vm,
	&command_bisect,
	&command_help_itself,
	NULL,
};

const struct command *command_by_name(const char *name)
{
	for (const struct command *const *c = commands; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

static void help(FILE *out)
{
	fprintf(out,
		"usage: rssck COMMAND [OPTION]... [ARGUMENT]...\n\n"
		"rssck checks whether Linux's memory metrics are right: what the cheap counters\n"
		"say (VmRSS, RES, SHR) beside what the page tables hold.\n\n");
	for (const struct command *const *c = commands; *c; c++)
		fprintf(out, "  %-10s %s\n", (*c)->name, (*c)->help);
	fprintf(out, "\n  --version  print the version\n"
		     "  --help     this\n\n"
		     "`rssck help COMMAND` says more about one.\n");
}

static int no_command(const char *name)
{
	const char *names[sizeof(commands) / sizeof(*commands)] = { NULL }, *near;

	for (size_t i = 0; commands[i]; i++)
		names[i] = commands[i]->name;
	near = nearest_word(name, names);
	if (near)
		return usage_error(NULL, "there is no command '%s'; near it: %s", name, near);
	return usage_error(NULL, "there is no command '%s'", name);
}

static int cmd_help(int argc, char **argv)
{
	const struct command *c = argc > 1 ? command_by_name(argv[1]) : NULL;

	if (argc > 1 && !c)
		return no_command(argv[1]);
	if (argc > 2)
		return usage_error("help", "one command at a time, not '%s' as well", argv[2]);
	if (c)
		command_help(c, stdout);
	else
		help(stdout);
	return stream_end(stdout) ? trouble("stdout: %m") : EXIT_HOLDS;
}

static const struct command command_help_itself = {
	.name = "help",
	.run = cmd_help,
	.usage = "[COMMAND]",
	.help = "say how to use rssck, or one command",
};

int rssck_main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;

	if (!name) {
		help(stderr);
		return EXIT_TROUBLE;
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		name = "help";
	if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
		puts("rssck " RSSCK_VERSION);
		return stream_end(stdout) ? trouble("stdout: %m") : EXIT_HOLDS;
	}

	const struct command *c = command_by_name(name);

	if (!c && name[0] == '-')
		return usage_error(NULL, "unknown option '%s'; options follow a command", name);
	return c ? c->run(argc - 1, argv + 1) : no_command(name);
}
