// SPDX-License-Identifier: MIT
/* The table of commands, and the words that help says about them. */
#include "commands.h"
#include "base/style.h"
#include <stdarg.h>
#include <string.h>

static int cmd_help(int argc, char **argv);

/* The options are tables: clang-format would break their lines. */
// clang-format off
const struct command commands[] = {
	{
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
			"  --limit=SECONDS    time limit of one step of a case\n"
			"  --color=WHEN       auto (the default), always or never\n"
			"  --verbose          show every disagreement, also those within their bounds\n"
			"  --quiet            say only what does not hold\n"
			"\n"
			"Exit status: 0 all that could run hold, 1 a case fails, 2 rssck could not work,\n"
			"4 nothing could run.\n",
	},
	{
		.name = "list",
		.run = cmd_list,
		.usage = "[--coverage] [--verbose] [CASE...]",
		.help = "list the cases and what they claim",
		.options =
			"  --coverage         for each metric, the cases that check how it moves; exit 1 where\n"
			"                     one has none\n"
			"  --verbose          also why it should be so, and who says it; of the coverage, all cases\n",
	},
	{
		.name = "explain",
		.run = cmd_explain,
		.usage = "[OPTION]... [NAME]",
		.help = "say what a metric, a tool's column, a case, a fact or a word is",
		.options =
			"NAME is a metric (status.VmRSS, VmRSS), a column (\"top RES\", RES), a case, a fact, a counter model\n"
			"or a word (USS); without one, all names are listed.\n"
			"\n"
			"  --threads=N        say how wrong the number can be for a process of N threads\n"
			"  --pid=PID          for a process of as many threads as this one has\n"
			"  --no-measure       do not measure how the counters of this kernel count\n"
			"  --results=DIR      recorded runs, to say since when; those that came with rssck otherwise\n"
			"  --list             only the names, one a line\n"
			"  --manual           the manual page rssck-metrics(7), made from the same tables\n",
	},
	{
		.name = "compare",
		.run = cmd_compare,
		.usage = "[--format=text|json] [--output=FILE] OLD.json NEW.json",
		.help = "say what changed between two recorded runs",
		.options =
			"OLD and NEW are written by `rssck check --format=json --output=FILE` or `rssck vm`.\n"
			"\n"
			"  --format=FORMAT    text (the default) or json\n"
			"  --output=FILE      write there instead of to stdout\n"
			"\n"
			"Exit status: 0 nothing changed, 1 something changed, 2 cannot compare.\n",
	},
	{
		.name = "report",
		.run = cmd_report,
		.usage = "[--html] [--output=FILE] RESULT.json...",
		.help = "make the table of facts by kernel from recorded runs",
		.options =
			"  --html             one page for a browser, which fetches nothing, instead of Markdown\n"
			"  --output=FILE      where to write it; - is stdout (without: README.md or report.html\n"
			"                     beside the first result)\n",
	},
	{
		.name = "scan",
		.run = cmd_scan,
		.usage = "[OPTION]... PID... | --all | --user=NAME | --name=PROGRAM",
		.help = "audit live processes: what the counters say beside the page tables",
		.options =
			"  --maps[=file|each]  its mappings, private and shared, clean and dirty; by file or each\n"
			"  --sharers           by how many page tables its pages are mapped (root)\n"
			"  --pages=MAPPING     page by page: an address in the mapping, or its name\n"
			"  --watch[=SECONDS]   follow one process until it ends or Ctrl-C (every 2 s)\n"
			"\n"
			"  --all               all processes: a table whose PSS adds up, and to what\n"
			"  --user=NAME         those of a user\n"
			"  --name=PROGRAM      those of a program\n"
			"  --by=WHAT           a line a process (the default), program or user\n"
			"  --sort=WHAT         pss (the default), uss, rss, swap, one-more, name or pid\n"
			"\n"
			"  --json              for machines\n"
			"  --no-model          do not measure how the counters count here (tenths of a second)\n"
			"  --color=WHEN        auto (the default), always or never\n"
			"\n"
			"Exit status: 0 fine, 1 a counter is off by more than its model allows, 2 trouble (no such\n"
			"process, bad usage), 4 nothing could be seen.\n",
	},
	{
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
			"  --color=WHEN       auto (the default), always or never\n"
			"\n"
			"Exit status: 0 shown, and it holds; 1 it does not hold here; 2 rssck could not work; 4 it\n"
			"cannot be shown here.\n",
	},
	{
		.name = "vm",
		.run = cmd_vm,
		.usage = "--kernel IMAGE [OPTION]... [CASE...]",
		.help = "boot a kernel image in a virtual machine and check it",
	},
	{
		.name = "help",
		.run = cmd_help,
		.usage = "[COMMAND]",
		.help = "say how to use rssck, or one command",
	},
	{ .name = NULL },
};
// clang-format on

const struct command *command_by_name(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

void command_help(const struct command *c, FILE *out)
{
	fprintf(out, "usage: rssck %s %s\n\n", c->name, c->usage);
	fprintf(out, "rssck %s: %s.\n", c->name, c->help);
	if (c->options)
		fprintf(out, "\n%s", c->options);
}

static void help(FILE *out)
{
	fprintf(out,
		"usage: rssck COMMAND [OPTION]... [ARGUMENT]...\n\n"
		"rssck checks the books of Linux's memory metrics: what the cheap counters say\n"
		"(VmRSS, RES, SHR) beside what the page tables hold.\n\n");
	for (const struct command *c = commands; c->name; c++)
		fprintf(out, "  %-10s %s\n", c->name, c->help);
	fprintf(out, "\n  --version  print the version\n"
		     "  --help     this\n\n"
		     "`rssck help COMMAND` says more of one.\n");
}

int usage_error(const char *command, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "rssck%s%s: ", command ? " " : "", command ? command : "");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\nTry 'rssck help%s%s'.\n", command ? " " : "", command ? command : "");
	return EXIT_TROUBLE;
}

int option_choice(const char *command, const char *option, const char *word,
		  const char *const *list, int *choice)
{
	for (int i = 0; list[i]; i++) {
		if (!strcmp(word, list[i])) {
			*choice = i;
			return 0;
		}
	}
	usage_error(command, "--%s cannot be '%s'", option, word);
	return -1;
}

int option_colour(const char *command, const char *word, bool *colour)
{
	static const char *const words[] = { "auto", "always", "never", NULL };
	int choice;

	if (option_choice(command, "color", word, words, &choice))
		return -1;
	*colour = choice == 0 ? style_is_wanted(stdout) : choice == 1;
	return 0;
}

int trouble(const char *format, ...)
{
	va_list args;

	fputs("rssck: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return EXIT_TROUBLE;
}

static int cmd_help(int argc, char **argv)
{
	const struct command *c = argc > 1 ? command_by_name(argv[1]) : NULL;

	if (argc > 1 && !c)
		return usage_error(NULL, "there is no command '%s'", argv[1]);
	/* rssck vm knows its own options. */
	if (c && !c->options && c->run != cmd_help)
		return c->run(2, (char *[]) { argv[1], (char[]) { "--help" }, NULL });
	if (c)
		command_help(c, stdout);
	else
		help(stdout);
	return fflush(stdout) ? trouble("stdout: %m") : EXIT_HOLDS;
}

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
		return fflush(stdout) ? trouble("stdout: %m") : EXIT_HOLDS;
	}

	const struct command *c = command_by_name(name);

	if (!c && name[0] == '-')
		return usage_error(NULL, "unknown option '%s'", name);
	if (!c)
		return usage_error(NULL, "there is no command '%s'", name);

	/* What getopt_long() begins its complaints with. */
	char title[32];

	snprintf(title, sizeof(title), "rssck %s", c->name);
	argv[1] = title;
	return c->run(argc - 1, argv + 1);
}
