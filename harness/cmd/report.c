// SPDX-License-Identifier: MIT
/* rssck report: makes pages from recorded runs. */
#include "report/report.h"
#include "cmd/line/options.h"
#include "cmd/line/sink.h"
#include "commands.h"
#include "course/course.h"
#include "grid/lines.h"
#include "matrix/matrix.h"
#include "page/atlas.h"
#include "page/html.h"
#include "recorded.h"
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MARKDOWN, HTML, HISTORY, DOCUMENTS, ATLAS, ATLAS_MARKDOWN, COURSE, PAGES };

static const char *const formats[] = { "markdown", "html",           "history", "documents",
				       "atlas",    "atlas-markdown", "course",  NULL };

/*
 * The pages, the name of each page in the folder of the first result, and the function that makes
 * it. The course is made from records of rssck demo.
 */
static const struct report_page {
	const char *file;
	int (*of_runs)(struct results *runs, size_t nr, FILE *out);
	int (*of_curves)(struct results *runs, size_t nr, const struct recordings *plots,
			 FILE *out);
	int (*of_grids)(const struct grids *g, FILE *out);
} pages[PAGES] = {
	[MARKDOWN] = { "README.md", .of_runs = report_matrix },
	[HTML] = { "report.html", .of_curves = report_html },
	[HISTORY] = { "HISTORY.md", .of_runs = report_bug_history },
	[DOCUMENTS] = { "DOCUMENTS.md", .of_runs = report_documents },
	[ATLAS] = { "../atlas.html", .of_grids = report_atlas },
	[ATLAS_MARKDOWN] = { "../ATLAS.md", .of_grids = grid_markdown },
	[COURSE] = { .file = "../course.html" },
};

static int write_report(const struct report_page *page, struct results *runs, size_t nr,
			const struct recordings *plots, const char *path)
{
	struct sink sink;
	char why[512];
	int failed;

	if (sink_open(&sink, path, why, sizeof(why)))
		return trouble("%s", why);
	failed = page->of_curves ? page->of_curves(runs, nr, plots, sink.out)
				 : page->of_runs(runs, nr, sink.out);
	return sink_close(&sink, failed, why, sizeof(why)) ? trouble("%s", why) : EXIT_HOLDS;
}

static int report_files(const struct report_page *page, char **files, size_t nr, const char *path)
{
	struct results *runs = calloc(nr, sizeof(*runs));
	struct recordings plots = { 0 };
	int status = EXIT_HOLDS;
	char why[512];

	if (!runs)
		return trouble("out of memory");
	for (size_t i = 0; i < nr && status == EXIT_HOLDS; i++)
		if (results_load(&runs[i], files[i], why, sizeof(why)))
			status = trouble("%s", why);
	if (status == EXIT_HOLDS && recordings_load(&plots, files[0]))
		status = EXIT_TROUBLE;
	if (status == EXIT_HOLDS)
		status = write_report(page, runs, nr, &plots, path);
	recordings_free(&plots);
	for (size_t i = 0; i < nr; i++)
		results_free(&runs[i]);
	free(runs);
	return status;
}

static int report_grids(const struct report_page *page, char **files, size_t nr, const char *path)
{
	struct grids g;
	struct sink sink;
	char why[512];
	int status = EXIT_HOLDS;

	if (grids_load(&g, files, nr, why, sizeof(why)) || sink_open(&sink, path, why, sizeof(why)))
		status = trouble("%s", why);
	else if (sink_close(&sink, page->of_grids(&g, sink.out), why, sizeof(why)))
		status = trouble("%s", why);
	grids_free(&g);
	return status;
}

static int report_course(const struct report_page *page, char **files, size_t nr, const char *path)
{
	json_t **records = calloc(nr, sizeof(*records));
	int status = records ? EXIT_HOLDS : trouble("out of memory");
	struct sink sink;
	char why[512];

	(void)page;
	for (size_t i = 0; i < nr && status == EXIT_HOLDS; i++) {
		json_error_t error = { .text = "" };

		records[i] = json_load_file(files[i], 0, &error);
		if (!records[i])
			status = trouble("%s: %s", files[i], error.text);
		else if (record_check(records[i], why, sizeof(why)))
			status = trouble("%s: %s", files[i], why);
	}
	if (status == EXIT_HOLDS) {
		course_sort(records, nr);
		if (sink_open(&sink, path, why, sizeof(why)) ||
		    sink_close(&sink, course_page(records, nr, sink.out), why, sizeof(why)))
			status = trouble("%s", why);
	}
	for (size_t i = 0; records && i < nr; i++)
		json_decref(records[i]);
	free(records);
	return status;
}

/*
 * The path of a file in the folder of the first result, because a code host shows the README.md
 * there.
 */
static const char *beside(const char *file, const char *name, char *buf, size_t size)
{
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%s", file);
	snprintf(buf, size, "%s/%s", dirname(folder), name);
	return buf;
}

struct report_options {
	int format; /* value of --format; PAGES: it was not given */
	bool html, history, documents, atlas, course;
	const char *output;
};

#define INTO(member) .at = offsetof(struct report_options, member)
static const struct option_row rows[] = {
	{ "format", OPTION_CHOICE, "FORMAT",
	  "markdown (the default), html, history, documents, atlas, atlas-markdown or course",
	  INTO(format), .choices = formats },
	{ "html", OPTION_FLAG, NULL,
	  "write an HTML page, which fetches nothing, instead of Markdown", INTO(html),
	  .more = "A reader can choose a kernel and a tool's column, and the page says whether the number is "
		  "exact. It shows the resident memory that each tool reports, the lag of the "
		  "counters, the table of facts with a filter, sentences of documents, the history "
		  "of bugs, and a section for each metric and case. The curves come from the "
		  "runs in the folder curves, which is in the folder of the first result, or else from "
		  "the results themselves." },
	{ "history", OPTION_FLAG, NULL,
	  "write the page of real bugs and the kernels that have them", INTO(history) },
	{ "documents", OPTION_FLAG, NULL,
	  "write the page of sentences of documents and the kernels on which they are true",
	  INTO(documents) },
	{ "atlas", OPTION_FLAG, NULL,
	  "write an HTML page about the effect of each operation on each kind of memory, from "
	  "records of `rssck atlas --grid`",
	  INTO(atlas) },
	{ "course", OPTION_FLAG, NULL,
	  "write an HTML page of lessons with questions and answers, from records of rssck "
	  "demo --format=json",
	  INTO(course) },
	{ "output", OPTION_WORD, "FILE",
	  "the file to write; - is stdout (default: README.md, report.html, HISTORY.md or "
	  "DOCUMENTS.md in the folder of the first result; atlas.html, ATLAS.md or course.html in the "
	  "folder above it)",
	  INTO(output) },
	{ .name = NULL },
};

static const struct report_page *page_of(const struct report_options *o)
{
	if ((o->format < PAGES) + o->html + o->history + o->documents + o->atlas + o->course > 1)
		return NULL;
	return &pages[o->format < PAGES ? o->format
		      : o->html         ? HTML
		      : o->history      ? HISTORY
		      : o->documents    ? DOCUMENTS
		      : o->atlas        ? ATLAS
		      : o->course       ? COURSE
					: MARKDOWN];
}

static int cmd_report(int argc, char **argv)
{
	struct report_options o = { .format = PAGES };
	int first = options_read(&command_report, &o, argc, argv);
	const struct report_page *page = page_of(&o);
	char path[PATH_MAX + 16];

	if (first <= 0)
		return first ? EXIT_TROUBLE : EXIT_HOLDS;
	if (first == argc)
		return usage_error("report", "it makes a page from results; name their files");
	if (!page)
		return usage_error(
			"report",
			"it makes one page at a time: give only one of --html, --history, --documents, --atlas, "
			"--course and --format");
	if (word_given_twice(argv + first, (size_t)(argc - first)))
		return usage_error("report", "%s is given more than once",
				   word_given_twice(argv + first, (size_t)(argc - first)));
	if (!o.output)
		o.output = beside(argv[first], page->file, path, sizeof(path));
	return (page->of_grids ? report_grids
		: page->of_runs || page->of_curves
			? report_files
			: report_course)(page, argv + first, (size_t)(argc - first),
					 strcmp(o.output, "-") ? o.output : NULL);
}

const struct command command_report = {
	.name = "report",
	.run = cmd_report,
	.usage =
		"[--html | --history | --documents | --atlas | --course] [--output=FILE] RESULT.json...",
	.help = "make a table of facts for each kernel from recorded runs",
	.rows = rows,
	.words = WORD_FILE,
};
