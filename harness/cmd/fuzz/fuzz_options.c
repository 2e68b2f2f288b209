// SPDX-License-Identifier: MIT
/* The command line of rssck fuzz. */
#include "base/number.h"
#include "cmd/line/options.h"
#include "fuzz.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <rssck/source.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int take_seeds(struct fuzz_options *o, const char *word, bool range)
{
	const char *p = word, *end = word + strlen(word);
	bool right = number_unsigned(&p, end, &o->first) == NUMBER_OK;

	o->one_seed = !range;
	o->last = o->first;
	if (right && range)
		right = *p++ == '-' && number_unsigned(&p, end, &o->last) == NUMBER_OK;
	if (right && p == end && o->first && o->first <= o->last)
		return 0;
	usage_error("fuzz",
		    range ? "--seeds takes a range like 1-2000, not '%s'"
			  : "--seed takes a number of at least 1, not '%s'",
		    word);
	return -1;
}

/* Adds verbs by name: "madvise" means all its modes, "madvise PAGEOUT" one mode. */
static bool take_verb(struct fuzz_options *o, const char *word)
{
	char name[64];
	bool any = false;

	for (size_t i = 0; i < nr_verbs; i++) {
		snprintf(name, sizeof(name), "%s %s", verbs[i].name, verbs[i].mode);
		if (!verbs[i].weight || (strcmp(word, verbs[i].name) && strcmp(word, name)))
			continue;
		o->verbs[i] = any = true;
	}
	return any;
}

static bool is_first_of_its_name(size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(verbs[k].name, verbs[i].name))
			return false;
	return true;
}

static int no_such_verb(const char *word)
{
	char names[512] = "";
	size_t len = 0;

	for (size_t i = 0; i < nr_verbs; i++)
		if (is_first_of_its_name(i) && len < sizeof(names))
			len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s",
						i ? ", " : "", verbs[i].name);
	return usage_error("fuzz",
			   "--verbs: there is no verb '%s'; choose from: %s; or name one mode of a "
			   "verb, like 'madvise PAGEOUT'",
			   word, names),
	       -1;
}

static int take_verbs(void *options, const char *words)
{
	struct fuzz_options *o = options;
	char *list = (char *)words, *word;

	if (!o->verbs)
		o->verbs = calloc(nr_verbs, sizeof(*o->verbs));
	while (o->verbs && (word = strsep(&list, ",")))
		if (!take_verb(o, word))
			return no_such_verb(word);
	o->recipe.verbs = o->verbs;
	return 0;
}

static int take_seed(void *options, const char *word)
{
	return take_seeds(options, word, false);
}

static int take_range(void *options, const char *word)
{
	return take_seeds(options, word, true);
}

#define INTO(member) .at = offsetof(struct fuzz_options, member)
const struct option_row fuzz_rows[] = {
	{ "seed", OPTION_TAKEN, "N", "run only the program of seed N, and print it",
	  .take = take_seed },
	{ "seeds", OPTION_TAKEN, "A-B", "run the programs of seeds A to B, in order",
	  .take = take_range },
	{ "time", OPTION_NUMBER, "SECONDS", "end after SECONDS (10 if no seeds are given)",
	  INTO(time), .number = INT_MAX },
	{ "steps", OPTION_NUMBER, "N",
	  "steps of each program (default: 8 to 40, chosen by the "
	  "seed)",
	  INTO(recipe.steps), .number = ACT_STEPS_MAX },
	{ "processes", OPTION_NUMBER, "N", "at most N processes in a program (4)",
	  INTO(recipe.processes), .number = ACT_PROCESSES },
	{ "jobs", OPTION_NUMBER, "N",
	  "run N programs in parallel, each on its own share of the CPUs (1)", INTO(jobs),
	  .number = JOBS_MAX },
	{ "at-once", OPTION_FLAG, NULL,
	  "run the operations of different processes concurrently, on all CPUs; the numbers must agree "
	  "in whatever order the operations ran",
	  INTO(at_once),
	  .more = "The processes are read when all of them have stopped, so a race shows in the numbers that "
		  "it leaves. The state of each page is not predicted in this mode." },
	{ "threads", OPTION_NUMBER, "N",
	  "threads per process (at most 4), running consecutive operations concurrently on the "
	  "same memory; the checks are those of --at-once",
	  INTO(recipe.threads), .number = ACT_THREADS,
	  .more = "So a fault can race with the unmapping of its page, or a fork with the "
		  "operation after it. Operations that map memory or read numbers run alone. "
		  "All threads are stopped while they are read. --at-once may be given, too. With this "
		  "option more operations use the same memory, so a seed gives a different "
		  "program. A program that shows a race begins with a line that gives "
		  "--replay the number of threads. It is tried up to 20 times, because the race does "
		  "not occur in every run." },
	{ "verbs", OPTION_TAKEN, "LIST",
	  "use only these operations: \"mmap,write,madvise PAGEOUT\"", .take = take_verbs,
	  .repeats = true },
	{ "replay", OPTION_WORD, "FILE",
	  "run the program in FILE, in the form in which findings are printed; - is stdin",
	  INTO(replay) },
	{ "keep-going", OPTION_FLAG, NULL, "continue after a finding", INTO(keep_going) },
	{ "resume", OPTION_WORD, "FILE",
	  "keep the next seed in FILE until all seeds are done; if FILE exists, continue with its "
	  "seed",
	  INTO(resume) },
	{ "case", OPTION_WORD, "FILE",
	  "write the finding as the source of a case, to be saved below cases/", INTO(case_file) },
	{ "directory", OPTION_WORD, "DIR", "folder for temporary files", INTO(directory) },
	{ "output", OPTION_OUTPUT, "FILE", "write to FILE instead of to stdout", INTO(output) },
	{ "format", OPTION_FORMAT, "FORMAT",
	  "text (the default), or json: the change of every number by each step, in two runs of each "
	  "program; `rssck compare` prints the differences between two records",
	  INTO(json), .more = "A difference between the two runs of a program is noise." },
	{ .name = NULL },
};

/*
 * Continues at the seed at which an earlier run stopped. Without the file, begins with the first
 * seed.
 */
static int take_resume(struct fuzz_options *o)
{
	struct text t = { .data = NULL };
	uint64_t next = 0;
	bool right;
	int error;

	if (!o->first || o->one_seed)
		return usage_error("fuzz", "--resume needs --seeds=A-B"), -1;
	error = text_read(&t, 0, o->resume);
	if (!error)
		t.data[strcspn(t.data, "\n")] = '\0';
	right = !error && number_whole(t.data, UINT64_MAX, &next) && next >= o->first &&
		next <= o->last;
	text_free(&t);
	if (error == -ENOENT)
		return 0;
	if (error)
		return trouble("fuzz: %s: %s", o->resume, strerror(-error)), -1;
	if (!right)
		return trouble("fuzz: %s has no seed of --seeds=%" PRIu64 "-%" PRIu64
			       "; remove it to start again",
			       o->resume, o->first, o->last),
		       -1;
	o->first = next;
	return 0;
}

int fuzz_options_read(const struct command *c, struct fuzz_options *o, int argc, char **argv)
{
	int first;

	*o = (struct fuzz_options) { .first = 0 };
	first = options_read(c, o, argc, argv);
	if (first <= 0)
		return first;
	if (argc > first)
		return usage_error("fuzz", "it takes no arguments: '%s'", argv[first]), -1;
	if (o->jobs > 1 && (o->json || o->one_seed || o->replay))
		return usage_error("fuzz",
				   "--jobs cannot be used with --seed, --replay or --format=json"),
		       -1;
	if (o->resume && take_resume(o))
		return -1;
	if (o->first || o->replay)
		return first;
	/*
	 * The seeds come from the time, so that runs have different ones. The summary names them.
	 */
	o->first = (uint64_t)time(NULL) * 100000;
	o->last = UINT64_MAX;
	if (!o->time)
		o->time = 10;
	return first;
}
