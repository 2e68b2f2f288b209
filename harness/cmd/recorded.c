// SPDX-License-Identifier: MIT
/* Finds and loads the recorded runs that come with rssck. */
#include "recorded.h"
#include "commands.h"
#include "report/report.h"
#include "runs/kernels.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_json(const char *name)
{
	size_t len = strlen(name);

	return len > 5 && !strcmp(name + len - 5, ".json");
}

static int load_file(struct recorded *r, const char *folder, const char *name)
{
	char path[4096 + 256], why[512];
	struct results *more = reallocarray(r->of, r->nr + 1, sizeof(*more));

	if (!more)
		return trouble("out of memory"), -1;
	r->of = more;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (results_load(&more[r->nr], path, why, sizeof(why)))
		trouble("left out: %s", why);
	else
		r->nr++;
	return 0;
}

static int load_folder(struct recorded *r, const char *folder, DIR *d)
{
	const struct dirent *entry;

	while ((entry = readdir(d)))
		if (is_json(entry->d_name) && load_file(r, folder, entry->d_name))
			return -1;
	kernels_sort(r->of, r->nr);
	return 0;
}

/* Beside the program or the folder that it was built in, or below share where it is in bin. */
static DIR *open_own_folder(char *folder, size_t size)
{
	static const char *const places[] = { "results", "../results", "../share/rssck/results" };
	char self[3072];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	DIR *d = NULL;

	if (n < 0)
		return NULL;
	self[n] = '\0';
	*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && !d; i++) {
		snprintf(folder, size, "%s/%s", self, places[i]);
		d = opendir(folder);
	}
	return d;
}

int recorded_load(struct recorded *r, const char *folder)
{
	char own[4096];
	DIR *d = folder ? opendir(folder) : open_own_folder(own, sizeof(own));
	int failed;

	*r = (struct recorded) { NULL, 0 };
	if (!d && folder)
		return trouble("%s: %s; name a folder of results of `rssck check --format=json`",
			       folder, strerror(errno)),
		       -1;
	if (!d)
		return 0;
	failed = load_folder(r, folder ? folder : own, d);
	closedir(d);
	if (failed)
		recorded_free(r);
	return failed;
}

void recorded_free(struct recorded *r)
{
	for (size_t i = 0; i < r->nr; i++)
		results_free(&r->of[i]);
	free(r->of);
	*r = (struct recorded) { NULL, 0 };
}
