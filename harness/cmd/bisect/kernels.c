// SPDX-License-Identifier: MIT
/* Finds the kernels of a folder, sorted by version. */
#include "base/memory.h"
#include "bisect.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/*
 * Reads the kernel's name in kernels.tsv from the file `name` in the image's folder. `make kernels`
 * writes this file.
 */
static void read_row(struct candidate *k, const char *folder)
{
	char path[4096];
	FILE *f;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s/name", folder, k->name) >= sizeof(path))
		return;
	f = fopen(path, "re");
	if (f && fgets(k->row, sizeof(k->row), f))
		k->row[strcspn(k->row, "\n")] = '\0';
	if (f)
		fclose(f);
}

static bool candidate_read(struct candidate *k, const char *folder, const char *name)
{
	static const char *const forms[] = { "%s/%s/vmlinuz", "%s/%s/bzImage", "%s/%s" };

	*k = (struct candidate) { .result = "" };
	if (name[0] == '.' ||
	    (size_t)snprintf(k->name, sizeof(k->name), "%s", name) >= sizeof(k->name))
		return false;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if ((size_t)snprintf(k->image, sizeof(k->image), forms[i], folder, name) >=
			    sizeof(k->image) ||
		    !is_file(k->image))
			continue;
		read_row(k, folder);
		return true;
	}
	return false;
}

static int by_version(const void *a, const void *b)
{
	const struct candidate *one = a, *other = b;

	return strverscmp(one->name, other->name);
}

int candidates_find(struct candidates *c, const char *folder)
{
	const struct dirent *entry;
	DIR *d = opendir(folder);

	*c = (struct candidates) { NULL, 0 };
	if (!d)
		return trouble("bisect: %s: %s; name a folder of kernels with --kernels", folder,
			       strerror(errno)),
		       -1;
	while ((entry = readdir(d))) {
		c->of = memory_one_more(c->of, c->nr, sizeof(*c->of), "the kernels to try");
		c->nr += candidate_read(&c->of[c->nr], folder, entry->d_name);
	}
	closedir(d);
	if (c->nr)
		qsort(c->of, c->nr, sizeof(*c->of), by_version);
	return 0;
}

void candidates_free(struct candidates *c)
{
	free(c->of);
	*c = (struct candidates) { NULL, 0 };
}

int candidate_index(const struct candidates *c, const char *name)
{
	for (size_t i = 0; i < c->nr; i++)
		if (!strcmp(c->of[i].name, name) || !strcmp(c->of[i].row, name))
			return (int)i;
	return -1;
}
