// SPDX-License-Identifier: MIT
/* rssck compare of two records of rssck atlas. */
#include "compare_atlas.h"
#include "atlas/differ.h"
#include "atlas/table.h"
#include "cmd/line/command.h"
#include "cmd/line/sink.h"
#include <stdbool.h>
#include <string.h>

enum { OLD, NEW, AGAIN };

static int tell(struct atlas_record *of[AGAIN + COMPARE_AGAIN_MAX], unsigned nr, FILE *out)
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
	fprintf(out,
		"%zu beginnings of sequences in both, %zu differ, %zu of these behind a shorter "
		"one that does: %zu group%s\n",
		d.compared, d.differ, d.follow, d.groups, d.groups == 1 ? "" : "s");
	if (again[OLD] || again[NEW])
		fprintf(out, "%zu differ between two runs on one kernel, %zu.%02zu %%: noise\n",
			d.noisy, d.noisy * 100 / (d.compared + !d.compared),
			d.noisy * 10000 / (d.compared + !d.compared) % 100);
	return d.differ ? EXIT_FAILS : EXIT_HOLDS;
}

int compare_atlas(const char *const *paths, unsigned nr, const char *output)
{
	struct atlas_record *of[AGAIN + COMPARE_AGAIN_MAX] = { NULL };
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
		status = tell(of, nr, sink.out);
		if (sink_close(&sink, ferror(sink.out), why, sizeof(why)))
			status = trouble("%s", why);
	}
	for (unsigned i = 0; i < nr; i++)
		atlas_record_free(of[i]);
	return status;
}
