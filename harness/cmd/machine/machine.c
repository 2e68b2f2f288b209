// SPDX-License-Identifier: MIT
/*
 * rssck machine: shows how the memory of this machine is used, and whether its numbers are right.
 */
#include "base/print/json.h"
#include "cmd/line/options.h"
#include "command.h"
#include "machine/audit.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct machine_options {
	bool json, all;
	double watch;
	const char *since, *files;
};

static int take_watch(void *options, const char *word)
{
	return option_watch("machine", word, &((struct machine_options *)options)->watch);
}

static int take_files(void *options, const char *word)
{
	struct machine_options *o = options;

	o->files = word ? word : "/";
	if (access(o->files, R_OK | X_OK) == 0)
		return 0;
	usage_error("machine", "--files takes a folder, not '%s': %m", o->files);
	return -1;
}

static int status_of(const struct machine_audit *a)
{
	if (machine_count(&a->judgement, LINE_WRONG))
		return EXIT_FAILS;
	if (machine_count(&a->judgement, LINE_EQUAL) + machine_count(&a->judgement, LINE_LATE))
		return EXIT_HOLDS;
	return EXIT_NOTHING;
}

static int read_since(struct machine_audit *a, const char *file)
{
	json_error_t e;
	json_t *earlier = json_load_file(file, 0, &e);
	int failed = !earlier || machine_since(a, earlier);

	json_decref(earlier);
	if (access(file, R_OK))
		return trouble("%s: %s", file, strerror(errno));
	return failed ? trouble("%s is not a record of `rssck machine --json`", file) : EXIT_HOLDS;
}

static int show(const struct machine_audit *a, const struct machine_options *o)
{
	if (o->json ? json_write(machine_json(a), stdout) : machine_text(a, o->all, stdout))
		return trouble("stdout: %m");
	return status_of(a);
}

static bool wait_seconds(double seconds)
{
	struct timespec t = { .tv_sec = (time_t)seconds };

	t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
	return nanosleep(&t, NULL) == 0;
}

static int audit(struct machine_audit *a, struct machine_reader *m, const struct machine_options *o)
{
	int status, worst = EXIT_HOLDS;
	char why[200];

	do {
		if (machine_audit(a, m, why, sizeof(why)))
			return trouble("%s", why);
		status = show(a, o);
		if (status == EXIT_TROUBLE)
			return status;
		worst = status == EXIT_FAILS || worst == EXIT_HOLDS ? status : worst;
		for (int p = 0; p < PART_COUNT && o->watch > 0; p++)
			a->before[p] = a->tree.of[p];
		a->since |= o->watch > 0;
		if (o->watch > 0 && !o->json)
			putchar('\n');
		fflush(stdout);
	} while (o->watch > 0 && wait_seconds(o->watch));
	return worst;
}

static int cmd_machine(int argc, char **argv)
{
	struct machine_options o = { .json = false };
	int first = options_read(&command_machine, &o, argc, argv), status;
	struct machine_audit *a;
	struct machine_reader m;
	struct host h;
	char why[512];

	if (first <= 0)
		return first ? EXIT_TROUBLE : EXIT_HOLDS;
	if (first < argc)
		return usage_error("machine", "it takes no arguments: '%s'", argv[first]);
	if (host_probe(&h, why, sizeof(why)))
		return trouble("%s", why);
	a = calloc(1, sizeof(*a));
	if (!a)
		return trouble("%m");
	a->folder = o.files;
	status = o.since ? read_since(a, o.since) : EXIT_HOLDS;
	if (!status) {
		machine_reader_open(&m, &h);
		status = audit(a, &m, &o);
		machine_reader_close(&m);
	}
	machine_audit_free(a);
	free(a);
	host_close(&h);
	return status;
}

#define INTO(member) .at = offsetof(struct machine_options, member)
static const struct option_row rows[] = {
	{ "all", OPTION_FLAG, NULL,
	  "also print the largest holders of each kind of memory, the lines that are right, and the "
	  "lines that cannot be compared",
	  INTO(all) },
	{ "watch", OPTION_TAKEN, "SECONDS", "repeat every SECONDS (2), and print the changes",
	  .take = take_watch, .optional = true },
	{ "since", OPTION_WORD, "FILE",
	  "print the changes since FILE, an earlier output of "
	  "`rssck machine --json`",
	  INTO(since) },
	{ "files", OPTION_TAKEN, "FOLDER",
	  "also print the page cache of files that no process has open: opens all files below FOLDER (/) "
	  "on its file system",
	  .take = take_files, .optional = true },
	OPTION_ROW_FORMAT(json),
	OPTION_ROW_JSON(json),
	{ .name = NULL },
};

const struct command command_machine = {
	.name = "machine",
	.run = cmd_machine,
	.usage = "[OPTION]...",
	.help = "show how this machine's memory is used, and which of its numbers are wrong",
	.about =
		"Reads all page frames (/proc/kpageflags, kpagecount), and sorts them "
		"into parts that add up to MemTotal. Compares each line of /proc/meminfo, vmstat and "
		"zoneinfo with these parts, or with a number of another file that must be "
		"equal.\n\nOnly root can read page frames; for other users only the counters are "
		"added up.",
	.rows = rows,
	.exits = "0 all lines that can be compared are right, or changed while "
		 "they were read; 1 a line is wrong; 2 rssck failed; 4 nothing could be compared",
};
