// SPDX-License-Identifier: MIT
/* rssck compare: prints the changes between two recorded runs. */
#include "compare/compare.h"
#include "atlas/differ.h"
#include "base/print/fit.h"
#include "cmd/line/options.h"
#include "cmd/line/sink.h"
#include "commands.h"
#include "fuzz/record.h"
#include "report/report.h"

struct compare_options {
	bool json;
	const char *output, *as_case;
	const char *again[COMPARE_AGAIN_MAX];
	unsigned nr_again;
};

static int compare_loaded(const struct compare_options *o, const struct results *before,
			  const struct results *after)
{
	struct comparison c;
	struct fitted f;
	struct sink sink;
	char why[512];
	int failed;

	if (compare(&c, before, after, why, sizeof(why)))
		return trouble("cannot compare: %s", why);
	if (sink_open(&sink, o->output, why, sizeof(why))) {
		comparison_free(&c);
		return trouble("%s", why);
	}
	fitted_begin(&f, sink.out);
	failed = o->json ? comparison_json(&c, sink.out) : comparison_text(&c, f.to);
	failed |= fitted_end(&f);
	failed = sink_close(&sink, failed, why, sizeof(why));

	size_t changed = c.changed;

	comparison_free(&c);
	if (failed)
		return trouble("%s", why);
	return changed ? EXIT_FAILS : EXIT_HOLDS;
}

static int compare_files(const struct compare_options *o, const char *old, const char *new)
{
	struct results before, after;
	char why[512];
	int status;

	if (results_load(&before, old, why, sizeof(why)))
		return trouble("%s", why);
	if (results_load(&after, new, why, sizeof(why)))
		status = trouble("%s", why);
	else
		status = compare_loaded(o, &before, &after);
	results_free(&before);
	results_free(&after);
	return status;
}

static int compare_records(const struct compare_options *o, const char *old, const char *new)
{
	struct differences d = { .programs = 0 };
	struct fitted f;
	struct sink sink;
	char why[512];
	int failed;

	if (o->json)
		return usage_error(
			"compare",
			"records of rssck fuzz can only be compared as text; omit --json (--format=json)");
	if (sink_open(&sink, o->output, why, sizeof(why)))
		return trouble("%s", why);
	fitted_begin(&f, sink.out);
	d.out = f.to;
	if (records_compare(old, new, &d, why, sizeof(why))) {
		fitted_end(&f);
		sink_drop(&sink);
		return trouble("cannot compare: %s", why);
	}
	fprintf(f.to,
		"%zu programs in both records, %zu differ; %zu have numbers that differ from run to run\n",
		d.programs, d.differing, d.noisy);
	failed = sink_close(&sink, fitted_end(&f), why, sizeof(why));
	if (failed)
		return trouble("%s", why);
	return d.differing ? EXIT_FAILS : EXIT_HOLDS;
}

static int take_again(void *options, const char *word)
{
	struct compare_options *o = options;

	if (o->nr_again == COMPARE_AGAIN_MAX)
		return usage_error("compare",
				   "--again can name at most one more record of each kernel"),
		       -1;
	o->again[o->nr_again++] = word;
	return 0;
}

static int compare_atlases(const struct compare_options *o, char **files)
{
	const char *paths[2 + COMPARE_AGAIN_MAX] = { files[0], files[1] };

	if (o->json)
		return usage_error(
			"compare",
			"records of rssck atlas can only be compared as text; omit --json (--format=json)");
	for (unsigned i = 0; i < o->nr_again; i++)
		paths[2 + i] = o->again[i];
	return compare_atlas(paths, 2 + o->nr_again, o->output, o->as_case);
}

#define INTO(member) .at = offsetof(struct compare_options, member)
static const struct option_row rows[] = {
	OPTION_ROW_FORMAT(json),
	OPTION_ROW_JSON(json),
	{ "output", OPTION_OUTPUT, "FILE", "write to FILE instead of to stdout", INTO(output) },
	{ "again", OPTION_TAKEN, "FILE",
	  "another record of rssck atlas of one of the two kernels; differences between records "
	  "of one kernel are noise",
	  .take = take_again, .repeats = true },
	{ "case", OPTION_WORD, "FILE",
	  "for records of rssck atlas: write the shortest sequence that differs as a case, "
	  "cases/atlas/NAME.c",
	  INTO(as_case) },
	{ .name = NULL },
};

static int cmd_compare(int argc, char **argv)
{
	struct compare_options o = { .json = false };
	int first = options_read(&command_compare, &o, argc, argv);

	if (first <= 0)
		return first ? EXIT_TROUBLE : EXIT_HOLDS;
	if (argc - first != 2)
		return usage_error("compare", "it compares 2 files, not %d", argc - first);
	if (atlas_record_is_one(argv[first]) && atlas_record_is_one(argv[first + 1]))
		return compare_atlases(&o, argv + first);
	if (o.nr_again || o.as_case)
		return usage_error("compare", "--%s is only for records of rssck atlas",
				   o.nr_again ? "again" : "case");
	if (record_is_one(argv[first]) && record_is_one(argv[first + 1]))
		return compare_records(&o, argv[first], argv[first + 1]);
	return compare_files(&o, argv[first], argv[first + 1]);
}

const struct command command_compare = {
	.name = "compare",
	.run = cmd_compare,
	.usage = "[--format=text|json] [--output=FILE] OLD.json NEW.json",
	.help = "print what changed between two recorded runs",
	.about =
		"OLD and NEW are written by `rssck check --format=json --output=FILE` or `rssck "
		"vm`. For two records of `rssck fuzz --format=json`, it prints the first step and number "
		"at which each program differs and, for each verb, all numbers that differ after "
		"it, also before counters are settled. It leaves out later differences in a region "
		"that has differed already. For two records of `rssck "
		"atlas`, it prints the shortest sequences whose results differ, in groups with equal "
		"differences. It leaves out differences that a shorter sequence shows.",
	.rows = rows,
	.exits = "0 nothing changed, 1 something changed, 2 cannot compare",
	.words = WORD_FILE,
};
