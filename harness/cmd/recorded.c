// SPDX-License-Identifier: MIT
/* Finds and loads folders of recorded runs. */
#include "recorded.h"
#include "cmd/line/command.h"
#include "report/report.h"
#include "runs/kernels.h"
#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUFFIX = sizeof(".json") - 1 };

static int is_result(const struct dirent *e)
{
	size_t len = strlen(e->d_name);

	return len > SUFFIX && !strcmp(e->d_name + len - SUFFIX, ".json");
}

/*
 * Loads all results in a folder, sorted by name. Returns the number of files that cannot be read,
 * or -1 if the folder cannot be read.
 */
static int load_folder(struct recordings *r, const char *folder)
{
	struct dirent **entries;
	int nr = scandir(folder, &entries, is_result, alphasort), left_out = 0;
	char path[PATH_MAX + 300], why[512];

	*r = (struct recordings) { .nr = 0 };
	if (nr < 0)
		return -1;
	r->of = calloc((size_t)nr + 1, sizeof(*r->of));
	r->names = calloc((size_t)nr + 1, sizeof(*r->names));
	for (int i = 0; i < nr; i++) {
		const char *name = entries[i]->d_name;

		snprintf(path, sizeof(path), "%s/%s", folder, name);
		if (!r->of || !r->names)
			continue;
		if (results_load(&r->of[r->nr], path, why, sizeof(why)))
			trouble("left out: %s", why), left_out++;
		else
			snprintf(r->names[r->nr++], sizeof(*r->names), "%.*s",
				 (int)strlen(name) - SUFFIX, name);
		free(entries[i]);
	}
	free(entries);
	return left_out;
}

int recordings_load(struct recordings *r, const char *file)
{
	char beside[PATH_MAX], folder[PATH_MAX + 16];

	snprintf(beside, sizeof(beside), "%s", file);
	snprintf(folder, sizeof(folder), "%s/curves", dirname(beside));
	return load_folder(r, folder) > 0 ? -1 : 0;
}

void recordings_free(struct recordings *r)
{
	for (size_t i = 0; i < r->nr; i++)
		results_free(&r->of[i]);
	free(r->of);
	free(r->names);
	*r = (struct recordings) { 0 };
}

static const char *const places[] = { "results", "../results", "../share/rssck/results" };

enum { PLACES = sizeof(places) / sizeof(*places) };

/*
 * Makes the path of places[place] below the program's folder. Returns false if the program's own
 * path is unknown.
 */
static bool own_folder(unsigned place, char folder[PATH_MAX])
{
	char self[3072];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n < 0)
		return false;
	self[n] = '\0';
	*strrchr(self, '/') = '\0';
	snprintf(folder, PATH_MAX, "%s/%s", self, places[place]);
	return true;
}

static void load_own_folder(struct recordings *r)
{
	char folder[PATH_MAX];

	for (unsigned i = 0; i < PLACES && own_folder(i, folder); i++)
		if (load_folder(r, folder) >= 0)
			return;
}

/*
 * Gets the paths of a folder's records, which the caller frees. Returns their number, or -1 if
 * there are none.
 */
static int paths_in(const char *folder, char ***paths)
{
	struct dirent **entries;
	int nr = scandir(folder, &entries, is_result, alphasort);

	*paths = nr > 0 ? calloc((size_t)nr, sizeof(**paths)) : NULL;
	for (int i = 0; i < nr; i++) {
		if (*paths && asprintf(&(*paths)[i], "%s/%s", folder, entries[i]->d_name) < 0)
			(*paths)[i] = NULL;
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
	return *paths ? nr : -1;
}

void grids_recorded(struct grids *g, const char *folder)
{
	char own[PATH_MAX], atlas[PATH_MAX + 16], why[512], **paths = NULL;
	int nr = -1;

	*g = (struct grids) { .nr = 0 };
	for (unsigned i = 0; nr < 0 && i < PLACES && (folder || own_folder(i, own)); i++) {
		snprintf(atlas, sizeof(atlas), "%s/atlas", folder ? folder : own);
		nr = paths_in(atlas, &paths);
	}
	if (nr > 0 && grids_load(g, paths, (size_t)nr, why, sizeof(why))) {
		trouble("left out: %s", why);
		grids_free(g);
	}
	while (nr > 0)
		free(paths[--nr]);
	free(paths);
}

int recorded_load(struct recordings *r, const char *folder)
{
	*r = (struct recordings) { .nr = 0 };
	if (!folder)
		load_own_folder(r);
	else if (load_folder(r, folder) < 0)
		return trouble("%s: %s; name a folder with results of `rssck check --format=json`",
			       folder, strerror(errno)),
		       -1;
	kernels_sort(r->of, r->nr);
	return 0;
}
