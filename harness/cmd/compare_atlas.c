// SPDX-License-Identifier: MIT
/* rssck compare for records of rssck atlas. */
#include "atlas/differ.h"
#include "atlas/table.h"
#include "atlas/write_case.h"
#include "cmd/line/command.h"
#include "cmd/line/sink.h"
#include "commands.h"
#include <stdlib.h>
#include <string.h>

enum { OLD, NEW, AGAIN };

static const char *text_of(const struct atlas_record *r, const char *words)
{
	const char *text = atlas_record_text(r, words);

	return text ? text : "";
}

static int write_case(struct atlas_record *of[], const char *words, const char *path)
{
	enum { HUGE_OF_MOST = 512 };
	struct case_of c = { path,
			     words,
			     of[OLD]->release,
			     of[NEW]->release,
			     text_of(of[OLD], words),
			     text_of(of[NEW], words) };
	struct words *w = calloc(1, sizeof(*w));
	struct sink sink;
	char why[512];
	int status = EXIT_HOLDS;

	if (!w)
		return trouble("out of memory");
	words_make(w, HUGE_OF_MOST);
	if (sink_open(&sink, path, why, sizeof(why))) {
		status = trouble("%s", why);
	} else if (case_write(&c, w, sink.out, why, sizeof(why))) {
		sink_drop(&sink);
		status = trouble("no case was written: %s", why);
	} else if (sink_close(&sink, ferror(sink.out), why, sizeof(why))) {
		status = trouble("%s", why);
	}
	free(w);
	return status;
}

static int tell(struct atlas_record *of[AGAIN + COMPARE_AGAIN_MAX], unsigned nr, FILE *out,
		const char **shortest)
{
	const struct atlas_record *again[2] = { NULL, NULL };
	struct atlas_differences d;

	for (unsigned i = AGAIN; i < nr; i++)
		for (unsigned k = OLD; k <= NEW; k++)
			if (!again[k] && !strcmp(of[i]->release, of[k]->release)) {
				again[k] = of[i];
				break;
			}
	atlas_records_compare(of[OLD], of[NEW], again, &d, out);
	atlas_records_known(of[OLD], of[NEW], out);
	fprintf(out,
		"%zu results are in both records, %zu of them differ (%zu because the result of a shorter "
		"sequence differs): %zu group%s of differences\n",
		d.compared, d.differ, d.follow, d.groups, d.groups == 1 ? "" : "s");
	if (again[OLD] || again[NEW])
		fprintf(out,
			"%zu (%zu.%02zu %%) are noise: they differ between two runs on one kernel\n",
			d.noisy, d.noisy * 100 / (d.compared + !d.compared),
			d.noisy * 10000 / (d.compared + !d.compared) % 100);
	*shortest = d.shortest;
	return d.differ ? EXIT_FAILS : EXIT_HOLDS;
}

int compare_atlas(const char *const *paths, unsigned nr, const char *output, const char *as_case)
{
	struct atlas_record *of[AGAIN + COMPARE_AGAIN_MAX] = { NULL };
	const char *shortest = NULL;
	int status = EXIT_HOLDS;
	struct sink sink;
	char why[512];

	for (unsigned i = 0; i < nr && status == EXIT_HOLDS; i++) {
		of[i] = atlas_record_load(paths[i], why, sizeof(why));
		if (!of[i])
			status = trouble("cannot compare: %s", why);
	}
	if (status == EXIT_HOLDS && sink_open(&sink, output, why, sizeof(why)))
		status = trouble("%s", why);
	if (status == EXIT_HOLDS) {
		status = tell(of, nr, sink.out, &shortest);
		if (sink_close(&sink, ferror(sink.out), why, sizeof(why)))
			status = trouble("%s", why);
	}
	if (as_case && shortest && write_case(of, shortest, as_case) != EXIT_HOLDS)
		status = EXIT_TROUBLE;
	for (unsigned i = 0; i < nr; i++)
		atlas_record_free(of[i]);
	return status;
}
