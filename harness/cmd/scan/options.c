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

enum option_code {
	OPTION_MAPS = 256,
	OPTION_SHARERS,
	OPTION_PAGES,
	OPTION_ALL,
	OPTION_USER,
	OPTION_NAME,
	OPTION_BY,
	OPTION_SORT,
	OPTION_FORMAT,
	OPTION_JSON,
	OPTION_WATCH,
	OPTION_NO_MODEL,
	OPTION_COLOUR,
};

static const struct option options[] = {
	{ "maps", optional_argument, NULL, OPTION_MAPS },
	{ "sharers", optional_argument, NULL, OPTION_SHARERS },
	{ "pages", required_argument, NULL, OPTION_PAGES },
	{ "all", no_argument, NULL, OPTION_ALL },
	{ "user", required_argument, NULL, OPTION_USER },
	{ "name", required_argument, NULL, OPTION_NAME },
	{ "by", required_argument, NULL, OPTION_BY },
	{ "sort", required_argument, NULL, OPTION_SORT },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "watch", optional_argument, NULL, OPTION_WATCH },
	{ "no-model", no_argument, NULL, OPTION_NO_MODEL },
	{ "color", required_argument, NULL, OPTION_COLOUR },
	{ "colour", required_argument, NULL, OPTION_COLOUR },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* A name, or a number that needs none. */
static int take_user(struct census_wanted *w, const char *word)
{
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

static int take_watch(struct scan_options *o, const char *word)
{
	char *end = NULL;

	o->watch = word ? strtod(word, &end) : WATCH_SECONDS;
	if (o->watch >= 0.01 && o->watch <= 86400 && (!word || !*end))
		return 0;
	usage_error("scan", "--watch takes seconds, from 0.01 on, not '%s'", word);
	return -1;
}

static int take_maps(struct scan_options *o, const char *word)
{
	static const char *const maps[] = { "file", "each", NULL };
	int choice = 0;

	if (word && option_choice("scan", "maps", word, maps, &choice))
		return -1;
	o->detail.maps = true;
	o->detail.each = choice == 1;
	return 0;
}

static int take(struct scan_options *o, int code)
{
	static const char *const formats[] = { "text", "json", NULL };
	static const char *const by[] = { "process", "program", "user", NULL };
	static const char *const sorts[] = { "pss",      "uss",  "rss", "swap",
					     "one-more", "name", "pid", NULL };
	int choice = 0, failed = 0;

	switch (code) {
	case OPTION_MAPS:
		return take_maps(o, optarg);
	case OPTION_SHARERS:
		o->detail.sharers = !optarg;
		o->detail.sharers_of = optarg;
		return 0;
	case OPTION_PAGES:
		o->detail.pages = optarg;
		return 0;
	case OPTION_ALL:
		o->all = true;
		return 0;
	case OPTION_USER:
		o->all = true;
		return take_user(&o->census, optarg);
	case OPTION_NAME:
		o->all = true;
		o->census.program = optarg;
		return 0;
	case OPTION_BY:
		failed = option_choice("scan", "by", optarg, by, &choice);
		o->census.by = (enum census_by)choice;
		return failed;
	case OPTION_SORT:
		failed = option_choice("scan", "sort", optarg, sorts, &choice);
		o->census.sort = (enum census_sort)choice;
		return failed;
	case OPTION_FORMAT:
		failed = option_choice("scan", "format", optarg, formats, &choice);
		o->json = choice == 1;
		return failed;
	case OPTION_JSON:
		o->json = true;
		return 0;
	case OPTION_WATCH:
		return take_watch(o, optarg);
	case OPTION_NO_MODEL:
		o->no_model = true;
		return 0;
	case OPTION_COLOUR:
		return option_colour("scan", optarg, &o->colour);
	case 'h':
		o->help = true;
		return 0;
	default:
		/* option_next() has said why. */
		return -1;
	}
}

static int check(const struct scan_options *o, int words)
{
	const struct detail_wanted *d = &o->detail;

	if (o->help)
		return 0;
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
	struct option_walk walk;
	const char *twice;
	int code;

	*o = (struct scan_options) { .colour = style_is_wanted(stdout) };
	options_begin(&walk, "scan", "h", options);
	while ((code = option_next(&walk, argc, argv)) != -1)
		if (take(o, code))
			return -1;
	twice = word_given_twice(argv + optind, (size_t)(argc - optind));
	if (twice) {
		usage_error("scan", "process %s is given twice", twice);
		return -1;
	}
	return check(o, argc - optind) ? -1 : optind;
}
