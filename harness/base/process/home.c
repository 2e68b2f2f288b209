// SPDX-License-Identifier: MIT
/* Makes a $HOME for one program, and writes the program's settings file into it. */
#include "program.h"
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool home_make(const struct program *p, char home[HOME_MAX])
{
	const char *folder = getenv("TMPDIR");
	char file[HOME_MAX + 64];
	size_t len;
	int fd;

	snprintf(home, HOME_MAX, "/nonexistent");
	if (!p->settings)
		return true;
	snprintf(home, HOME_MAX, "%s/rssck-home.XXXXXX", folder && *folder ? folder : "/tmp");
	if (!mkdtemp(home))
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
