// SPDX-License-Identifier: MIT
/* rssck bisect: finds the first kernel on which a case's result changes. */
#include "bisect.h"
#include "base/print/words.h"
#include "cmd/line/options.h"
#include <rssck/case.h>
#include <stdlib.h>
#include <string.h>

int bisect_next(const struct candidates *c, int like, int unlike)
{
	int first = like < unlike ? like : unlike, last = like < unlike ? unlike : like;
	int middle = first + (last - first) / 2;

	for (int off = 0; off < last - first; off++) {
		if (middle + off < last && middle + off > first &&
		    c->of[middle + off].result[0] != '?')
			return middle + off;
		if (middle - off > first && middle - off < last &&
		    c->of[middle - off].result[0] != '?')
			return middle - off;
	}
	return -1;
}

static int conclude(const struct candidates *c, int like, int unlike,
		    const struct bisect_options *o)
{
	int first = like < unlike ? like : unlike, last = like < unlike ? unlike : like;
	int status = EXIT_HOLDS;

	printf("\n%s changes from %s to %s\n", o->id, c->of[like].name, c->of[unlike].name);
	for (int i = first + 1; i < last; i++, status = EXIT_FAILS)
		printf("between them, not judged: %s\n", c->of[i].name);
	return stream_end(stdout) ? trouble("stdout: %m") : status;
}

static int search(struct candidates *c, int good, int bad, const struct bisect_options *o)
{
	int like = good, unlike = bad, next;

	if (bisect_try_ends(c, good, bad, o))
		return EXIT_TROUBLE;
	/*
	 * bisect_next() may choose a kernel whose result is in the log; bisect_try() does not boot
	 * it.
	 */
	while ((next = bisect_next(c, like, unlike)) >= 0) {
		if (bisect_try(c, next, o))
			return EXIT_TROUBLE;
		if (cannot_tell(&c->of[next]))
			continue;
		if (!strcmp(c->of[next].result, c->of[good].result))
			like = next;
		else
			unlike = next;
	}
	return conclude(c, like, unlike, o);
}

static int bisect_folder(const struct bisect_options *o)
{
	const char *home = getenv("HOME"), *cache = getenv("XDG_CACHE_HOME");
	char folder[4096];
	struct candidates c;
	int good, bad, status = EXIT_TROUBLE;

	snprintf(folder, sizeof(folder), "%s%s/rssck/kernels",
		 cache  ? cache
		 : home ? home
			: "",
		 cache ? "" : "/.cache");
	if (candidates_find(&c, o->kernels ? o->kernels : folder))
		return EXIT_TROUBLE;
	good = candidate_index(&c, o->good);
	bad = candidate_index(&c, o->bad);
	if (good < 0 || bad < 0)
		trouble("bisect: %s has no kernel %s", o->kernels ? o->kernels : folder,
			good < 0 ? o->good : o->bad);
	else if (!bisect_log_read(&c, o))
		status = search(&c, good, bad, o);
	candidates_free(&c);
	return status;
}

#define INTO(member) .at = offsetof(struct bisect_options, member)
static const struct option_row rows[] = {
	{ "kernels", OPTION_WORD, "DIR",
	  "folder of kernels: DIR/NAME/vmlinuz, or image files (default: the folder of make kernels)",
	  INTO(kernels), .more = "GOOD and BAD are names in that folder." },
	{ "log", OPTION_WORD, "FILE",
	  "write each kernel's result to FILE; the same command later continues from FILE",
	  INTO(log), .more = "An incomplete last line is dropped." },
	{ "cpus", OPTION_WORD, "N", "number of CPUs of the virtual machine", INTO(cpus) },
	{ "memory", OPTION_WORD, "MIB", "memory of the virtual machine in MiB", INTO(memory) },
	{ "tree", OPTION_WORD, "DIR",
	  "search the commits of this git tree of a kernel instead; "
	  "GOOD and BAD are commits",
	  INTO(tree),
	  .more = "Each commit that is tried is checked out and built; at the end, and after "
		  "Ctrl-C, the original commit is checked out again." },
	{ "build", OPTION_WORD, "COMMAND",
	  "the command that builds a commit in the tree (make "
	  "bzImage)",
	  INTO(build), .more = "A commit that does not build is skipped." },
	{ "image", OPTION_WORD, "FILE", "the image that the build makes (arch/x86/boot/bzImage)",
	  INTO(image) },
	{ .name = NULL },
};

static int cmd_bisect(int argc, char **argv)
{
	struct bisect_options o = { .build = "make bzImage", .image = "arch/x86/boot/bzImage" };
	int first = options_read(&command_bisect, &o, argc, argv);

	if (first <= 0)
		return first ? EXIT_TROUBLE : EXIT_HOLDS;
	if (argc - first != 3)
		return usage_error("bisect", "it takes two kernels and a case");
	o.good = argv[first];
	o.bad = argv[first + 1];
	o.id = argv[first + 2];
	if (!testcase_by_id(o.id))
		return usage_error("bisect", "there is no case '%s'; see `rssck list`", o.id);
	if (o.tree && o.kernels)
		return usage_error("bisect", "give only one of --tree and --kernels");
	return o.tree ? bisect_tree(&o) : bisect_folder(&o);
}

const struct command command_bisect = {
	.name = "bisect",
	.run = cmd_bisect,
	.usage = "[OPTION]... GOOD BAD CASE",
	.help = "find the first kernel on which a case's result changes",
	.about = "Boots kernels between GOOD and BAD, each time the middle one of the remaining "
		 "kernels, until the results of CASE on two neighbours differ: another verdict, or "
		 "other facts. It skips a kernel on which CASE cannot be judged. A commit of a "
		 "tree is checked out, built and booted; at the end, the original commit is "
		 "checked out again.",
	.rows = rows,
	.exits =
		"0 found; 1 found, but some kernels in between could not be judged; 2 rssck failed "
		"(usage or internal error), or both ends have the same result",
	.words = WORD_CASE,
};
