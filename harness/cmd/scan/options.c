// SPDX-License-Identifier: MIT
/* The command line of rssck scan. */
#include "cmd/line/options.h"
#include "base/number.h"
#include "base/print/style.h"
#include "cmd/line/command.h"
#include "scan.h"
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// clang-format off: a line an option.
const struct command command_scan = {
	.name = "scan",
	.run = cmd_scan,
	.usage = "[OPTION]... PID... | --all | --user=NAME | --name=PROGRAM",
	.help = "audit live processes: what the counters say beside the page tables",
	.options =
		"  --maps[=file|each]  its mappings, private and shared, clean and dirty; by file or each\n"
		"  --sharers           by how many page tables its pages are mapped, and with whom (root)\n"
		"  --sharers=MAPPING   who maps that file or mapping, and what the end of each would free;\n"
		"                      of a file without PID\n"
		"  --pages=MAPPING     page by page: an address in the mapping, or its name\n"
		"  --watch[=SECONDS]   follow one process until it ends or Ctrl-C (every 2 s)\n"
		"\n"
		"  --all               all processes: a table whose PSS adds up, and to what\n"
		"  --user=NAME         those of a user\n"
		"  --name=PROGRAM      those of a program\n"
		"  --by=WHAT           a line a process (the default), program or user\n"
		"  --sort=WHAT         pss (the default), uss, rss, swap, one-more, name or pid\n"
		"\n"
		"  --format=FORMAT     text (the default) or json\n"
		"  --json              the same as --format=json\n"
		"  --no-model          do not measure how the counters count here (tenths of a second)\n"
		"  --color=WHEN        auto (the default), always or never\n"
		"\n"
		"Exit status: 0 fine, 1 a counter is off by more than its model allows, 2 trouble (no such\n"
		"process, bad usage), 4 nothing could be seen.\n",
};
// clang-format on

/* A name, or a number that needs none. */
static int take_user(void *options, const char *word)
{
	struct census_wanted *w = &((struct scan_options *)options)->census;
	const struct passwd *entry = getpwnam(word);
	uint64_t uid;

	if (!entry && !number_whole(word, UINT32_MAX, &uid)) {
		usage_error("scan", "there is no user '%s'", word);
		return -1;
	}
	w->uid = entry ? entry->pw_uid : (uid_t)uid;
	w->has_uid = true;
	return 0;
}

static int take_watch(void *options, const char *word)
{
	struct scan_options *o = options;
	char *end = NULL;

	o->watch = word ? strtod(word, &end) : WATCH_SECONDS;
	if (o->watch >= 0.01 && o->watch <= 86400 && (!word || !*end))
		return 0;
	usage_error("scan", "--watch takes seconds, from 0.01 on, not '%s'", word);
	return -1;
}

static int take_maps(void *options, const char *word)
{
	struct detail_wanted *d = &((struct scan_options *)options)->detail;
	static const char *const maps[] = { "file", "each", NULL };
	int choice = 0;

	if (word && option_choice("scan", "maps", word, maps, &choice))
		return -1;
	d->maps = true;
	d->each = choice == 1;
	return 0;
}

static int take_sharers(void *options, const char *word)
{
	struct detail_wanted *d = &((struct scan_options *)options)->detail;

	d->sharers = !word;
	d->sharers_of = word;
	return 0;
}

static const char *const by[] = { "process", "program", "user", NULL };
static const char *const sorts[] = { "pss", "uss", "rss", "swap", "one-more", "name", "pid", NULL };

#define INTO(member) .at = offsetof(struct scan_options, member)
static const struct option_row rows[] = {
	{ "maps", OPTION_TAKEN, .take = take_maps, .optional = true },
	{ "sharers", OPTION_TAKEN, .take = take_sharers, .optional = true },
	{ "pages", OPTION_WORD, INTO(detail.pages) },
	{ "all", OPTION_FLAG, INTO(all) },
	{ "user", OPTION_TAKEN, .take = take_user },
	{ "name", OPTION_WORD, INTO(census.program) },
	{ "by", OPTION_CHOICE, INTO(census.by), .choices = by },
	{ "sort", OPTION_CHOICE, INTO(census.sort), .choices = sorts },
	{ "format", OPTION_FORMAT, INTO(json) },
	{ "json", OPTION_FLAG, INTO(json) },
	{ "watch", OPTION_TAKEN, .take = take_watch, .optional = true },
	{ "no-model", OPTION_FLAG, INTO(no_model) },
	{ "color", OPTION_COLOUR, INTO(colour) },
	{ "colour", OPTION_COLOUR, INTO(colour) },
	{ .name = NULL },
};

static int check(const struct scan_options *o, int words)
{
	const struct detail_wanted *d = &o->detail;

	if (o->all && words)
		usage_error("scan",
			    "process numbers and --all, --user or --name exclude each other");
	else if (!o->all && !words && !d->sharers_of)
		usage_error("scan",
			    "which process? Its number, or --all, --user=NAME, --name=PROGRAM");
	else if (o->all && (d->maps || d->sharers || d->sharers_of || d->pages || o->watch))
		usage_error("scan",
			    "--maps, --sharers, --pages and --watch are for single processes");
	else if (!o->all && !words && (d->maps || d->sharers || d->pages || o->watch))
		usage_error("scan",
			    "--maps, --sharers, --pages and --watch need the number of a process");
	else if (o->watch && (words != 1 || d->maps || d->sharers || d->sharers_of || d->pages))
		usage_error("scan", "--watch follows one process, without details");
	else
		return 0;
	return -1;
}

int scan_options_parse(struct scan_options *o, int argc, char **argv)
{
	const char *twice;
	int first;

	*o = (struct scan_options) { .colour = style_is_wanted(stdout) };
	first = options_read(&command_scan, rows, o, argc, argv);
	if (first <= 0)
		return first;
	o->all |= o->census.has_uid || o->census.program;
	twice = word_given_twice(argv + first, (size_t)(argc - first));
	if (twice) {
		usage_error("scan", "process %s is given twice", twice);
		return -1;
	}
	return check(o, argc - first) ? -1 : first;
}
