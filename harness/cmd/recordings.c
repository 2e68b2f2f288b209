// SPDX-License-Identifier: MIT
/* Runs recorded for plots: results/curves/6.1.json is "6.1". */
#include "recordings.h"
#include "report/report.h"
#include <dirent.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char suffix[] = ".json";

static int is_result(const struct dirent *e)
{
	size_t len = strlen(e->d_name), end = strlen(suffix);

	return len > end && !strcmp(e->d_name + len - end, suffix);
}

static int load_all(struct recordings *r, const char *folder, struct dirent **entries, size_t nr,
		    char *why, size_t size)
{
	char path[PATH_MAX + 300];

	r->of = calloc(nr + 1, sizeof(*r->of));
	r->names = calloc(nr + 1, sizeof(*r->names));
	if (!r->of || !r->names) {
		snprintf(why, size, "out of memory");
		return -1;
	}
	for (size_t i = 0; i < nr; i++) {
		const char *name = entries[i]->d_name;

		snprintf(path, sizeof(path), "%s/%s", folder, name);
		if (results_load(&r->of[i], path, why, size))
			return -1;
		snprintf(r->names[i], sizeof(r->names[i]), "%.*s",
			 (int)(strlen(name) - strlen(suffix)), name);
		r->nr++;
	}
	return 0;
}

int recordings_load(struct recordings *r, const char *file, char *why, size_t size)
{
	char beside[PATH_MAX], folder[PATH_MAX + 16];
	struct dirent **entries;
	int nr, failed;

	*r = (struct recordings) { 0 };
	snprintf(beside, sizeof(beside), "%s", file);
	snprintf(folder, sizeof(folder), "%s/curves", dirname(beside));
	nr = scandir(folder, &entries, is_result, alphasort);
	if (nr < 0)
		return 0;
	failed = load_all(r, folder, entries, (size_t)nr, why, size);
	for (int i = 0; i < nr; i++)
		free(entries[i]);
	free(entries);
	if (failed)
		recordings_free(r);
	return failed;
}

void recordings_free(struct recordings *r)
{
	for (size_t i = 0; i < r->nr; i++)
		results_free(&r->of[i]);
	free(r->of);
	free(r->names);
	*r = (struct recordings) { 0 };
}
