// SPDX-License-Identifier: MIT
/* Runs a command, and prints help. */
#include "commands.h"
#include "base/nearest.h"
#include "base/print/prose.h"
#include "base/print/words.h"
#include "cmd/line/options.h"
#include <string.h>

enum { HELP_AT = 13 };

static void help(FILE *out)
{
	struct prose p = prose_to(out);
	char term[32];

	prose_text(&p, 0, "usage: rssck COMMAND [OPTION]... [ARGUMENT]...");
	putc('\n', out);
	prose_text(&p, 0,
		   "rssck checks whether Linux's memory metrics are right: it compares the cheap "
		   "counters (VmRSS, RES, SHR) with the page tables.");
	putc('\n', out);
	for (const struct command *const *c = commands; *c; c++) {
		snprintf(term, sizeof(term), "  %s", (*c)->name);
		prose_hanging(&p, term, HELP_AT, (*c)->help);
	}
	putc('\n', out);
	prose_hanging(&p, "  --version", HELP_AT, "print the version");
	prose_hanging(&p, "  --help", HELP_AT, "print this help");
	putc('\n', out);
	prose_text(&p, 0, "`rssck help COMMAND` describes one command.");
}

static int no_command(const char *name)
{
	const char *names[COMMANDS_MAX] = { NULL }, *near;

	for (size_t i = 0; commands[i]; i++)
		names[i] = commands[i]->name;
	near = nearest_word(name, names);
	if (near)
		return usage_error(NULL, "there is no command '%s'; similar: %s", name, near);
	return usage_error(NULL, "there is no command '%s'", name);
}

struct help_options {
	bool complete, manual;
};

#define INTO(member) .at = offsetof(struct help_options, member)
static const struct option_row rows[] = {
	{ "complete", OPTION_FLAG, NULL,
	  "print the words that may come next on a command line, for the shells' completion",
	  INTO(complete) },
	{ "manual", OPTION_FLAG, NULL, "print the options of COMMAND for its manual page, as roff",
	  INTO(manual) },
	{ .name = NULL },
};

static int cmd_help(int argc, char **argv)
{
	struct help_options o = { .manual = false };
	int first = options_read(&command_help_itself, &o, argc, argv);
	const struct command *c = first > 0 && first < argc ? command_by_name(argv[first]) : NULL;

	if (first <= 0)
		return first ? EXIT_TROUBLE : EXIT_HOLDS;
	if (o.complete)
		complete(argc - first, argv + first);
	else if (first < argc && !c)
		return no_command(argv[first]);
	else if (argc > first + 1)
		return usage_error("help",
				   "it describes one command at a time; '%s' is one too many",
				   argv[first + 1]);
	else if (o.manual && c)
		command_manual(c, stdout);
	else if (c)
		command_help(c, stdout);
	else
		help(stdout);
	return stream_end(stdout) ? trouble("stdout: %m") : EXIT_HOLDS;
}

const struct command command_help_itself = {
	.name = "help",
	.run = cmd_help,
	.usage = "[COMMAND]",
	.help = "print how to use rssck or one of its commands",
	.rows = rows,
	.words = WORD_COMMAND,
	.runs_another = true,
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
