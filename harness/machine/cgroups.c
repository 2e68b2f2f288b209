// SPDX-License-Identifier: MIT
/* Finds and walks cgroups. */
#include "cgroups.h"
#include <dirent.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/*
 * The memory controller belongs either to cgroup v2 or to v1. If it belongs to v2, the
 * cgroup.controllers of the root lists "memory".
 */
static bool has_memory(const struct mntent *m, bool v1)
{
	char path[400], list[256] = "";
	FILE *f;

	if (v1)
		return !strcmp(m->mnt_type, "cgroup") && hasmntopt(m, "memory");
	if (strcmp(m->mnt_type, "cgroup2"))
		return false;
	snprintf(path, sizeof(path), "%s/cgroup.controllers", m->mnt_dir);
	f = fopen(path, "re");
	if (f && !fgets(list, sizeof(list), f))
		list[0] = '\0';
	if (f)
		fclose(f);
	return strstr(list, "memory");
}

bool cgroups_mount(char *folder, size_t size, bool *v1)
{
	bool found = false;

	for (int version = 2; version > 0 && !found; version--) {
		FILE *f = setmntent("/proc/self/mounts", "re");
		struct mntent *m;

		*v1 = version == 1;
		while (f && !found && (m = getmntent(f))) {
			found = has_memory(m, *v1);
			snprintf(folder, size, "%s", m->mnt_dir);
		}
		if (f)
			endmntent(f);
	}
	return found;
}

int cgroups_walk(const char *folder, int (*found)(const char *folder, uint64_t inode, void *arg),
		 void *arg)
{
	struct dirent *e;
	struct stat s;
	DIR *d;
	int result;

	if (stat(folder, &s))
		return 0;
	result = found(folder, s.st_ino, arg);
	d = result ? NULL : opendir(folder);
	while (d && !result && (e = readdir(d))) {
		char below[1024];

		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		if (snprintf(below, sizeof(below), "%s/%s", folder, e->d_name) < (int)sizeof(below))
			result = cgroups_walk(below, found, arg);
	}
	if (d)
		closedir(d);
	return result;
}

struct search {
	uint64_t inode;
	char *path;
	size_t size;
};

static int is_it(const char *folder, uint64_t inode, void *arg)
{
	struct search *s = arg;

	if (inode != s->inode)
		return 0;
	snprintf(s->path, s->size, "%s", folder);
	return 1;
}

void cgroups_path(uint64_t inode, char *path, size_t size)
{
	struct search s = { inode, path, size };
	char mount[256];
	size_t len;
	bool v1;

	path[0] = '\0';
	if (!cgroups_mount(mount, sizeof(mount), &v1) || !cgroups_walk(mount, is_it, &s)) {
		path[0] = '\0';
		return;
	}
	len = strlen(mount);
	if (!path[len])
		snprintf(path, size, "/");
	else
		memmove(path, path + len, strlen(path + len) + 1);
}
