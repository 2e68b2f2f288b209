// SPDX-License-Identifier: MIT
#include "files.h"
#include "tests/support/test.h"
#include <ftw.h>
#include <sys/stat.h>

enum { PATHS = 8, PATH_SIZE = 512, OPEN_FOLDERS = 16 };

static char folder[PATH_SIZE];
static pid_t owner;

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *place)
{
	(void)st, (void)kind, (void)place;
	return remove(path);
}

/* A child that calls exit(3) must leave the folder. */
static void folder_remove(void)
{
	if (getpid() == owner)
		nftw(folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

static void folder_make(void)
{
	const char *place = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/rssck-test.XXXXXX", place ? place : "/tmp");
	assert_non_null(mkdtemp(folder));
	owner = getpid();
	atexit(folder_remove);
}

char *in_folder(const char *format, ...)
{
	static char paths[PATHS][PATH_SIZE];
	static unsigned next;
	char *path = paths[next++ % PATHS];
	va_list args;
	int length;

	if (!owner)
		folder_make();
	length = snprintf(path, PATH_SIZE, "%s/", folder);
	va_start(args, format);
	vsnprintf(path + length, (size_t)(PATH_SIZE - length), format, args);
	va_end(args);
	return path;
}

char *folder_put(const char *name, const char *text)
{
	char *path = in_folder("%s", name);
	FILE *f;

	for (char *at = path + strlen(folder) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0700);
		*at = '/';
	}
	f = fopen(path, "we");
	if (!f)
		fail_msg("%s cannot be written", path);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	return path;
}

char *file_text(const char *path)
{
	FILE *in = fopen(path, "re"), *out = printing();
	char block[4096];
	size_t length;

	if (!in)
		fail_msg("%s cannot be read", path);
	while ((length = fread(block, 1, sizeof(block), in)) > 0)
		fwrite(block, 1, length, out);
	fclose(in);
	return printed(out);
}
