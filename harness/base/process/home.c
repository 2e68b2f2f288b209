// SPDX-License-Identifier: MIT
/* Makes a $HOME for one program, and writes the program's settings file into it. */
#include "program.h"
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tools ignore a $HOME that is too long for them: top of procps 4.0.2 one of 3,900 bytes. */
static bool folder_make(char home[HOME_MAX])
{
	enum { LONGEST = 1000 };
	const char *const folders[] = { getenv("TMPDIR"), "/tmp", "/var/tmp" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		if (!folders[i] || !*folders[i] || strlen(folders[i]) > LONGEST)
			continue;
		snprintf(home, HOME_MAX, "%s/rssck-home.XXXXXX", folders[i]);
		if (mkdtemp(home))
			return true;
	}
	return false;
}

bool home_make(const struct program *p, char home[HOME_MAX])
{
	char file[HOME_MAX + 64];
	size_t len;
	int fd;

	snprintf(home, HOME_MAX, "/nonexistent");
	if (!p->settings)
		return true;
	if (!folder_make(home))
		return false;
	snprintf(file, sizeof(file), "%s/%s", home, p->settings_name);
	fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	len = strlen(p->settings);
	if (fd < 0 || write(fd, p->settings, len) != (ssize_t)len)
		return false;
	return close(fd) == 0;
}

static int home_remove_entry(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

void home_remove(const struct program *p, const char *home)
{
	if (p->settings)
		nftw(home, home_remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}
