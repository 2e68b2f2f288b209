// SPDX-License-Identifier: MIT
/* Makes, reads and removes a cgroup for the program. */
#include "group.h"
#include "base/kernel_file.h"
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The kernel may refuse to remove a cgroup for some time after its last process has ended. */
enum { TRIES = 300, PAUSE_NS = 10000000 };

static int refuse(struct group *g, const char *why)
{
	snprintf(g->why, sizeof(g->why), "%s", why);
	return -1;
}

static bool find_mount(char *folder, size_t size)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	struct mntent *m;
	bool found = false;

	while (f && !found && (m = getmntent(f))) {
		found = !strcmp(m->mnt_type, "cgroup2");
		snprintf(folder, size, "%s", m->mnt_dir);
	}
	if (f)
		endmntent(f);
	return found;
}

static int find_home(struct group *g)
{
	char mount[200] = "", below[200] = "";

	if (!find_mount(mount, sizeof(mount)))
		return refuse(g, "no cgroup v2 is mounted (rssck run does not support v1)");
	if (!kernel_cgroup(NULL, below, sizeof(below)))
		return refuse(g, "this process is in no cgroup v2");
	if (!strcmp(below, "/"))
		below[0] = '\0';
	snprintf(g->home, sizeof(g->home), "%s%s", mount, below);
	snprintf(g->path, sizeof(g->path), "%s/rssck.%d", g->home, (int)getpid());
	snprintf(g->name, sizeof(g->name), "0::%s/rssck.%d\n", below, (int)getpid());
	return 0;
}

void group_find(struct group *g)
{
	*g = (struct group) { .asked = true, .charged_to = -1 };
	find_home(g);
}

static int make(struct group *g)
{
	struct stat s;

	if (mkdir(g->path, 0755)) {
		snprintf(g->why, sizeof(g->why), "no cgroup can be made in %.120s: %s", g->home,
			 strerror(errno));
		return -1;
	}
	if (group_number(g, "memory.stat", "anon") >= 0 && stat(g->path, &s) == 0) {
		g->inode = s.st_ino;
		return 0;
	}
	rmdir(g->path);
	snprintf(
		g->why, sizeof(g->why),
		"cgroups in %.100s have no memory controller (cgroup.subtree_control does not enable it, "
		"or cgroup v1 uses it)",
		g->home);
	return -1;
}

void group_make(struct group *g)
{
	if (g->path[0] && make(g))
		g->path[0] = '\0';
	if (!g->path[0])
		return;
	g->charged_to = open("/proc/kpagecgroup", O_RDONLY | O_CLOEXEC);
	if (g->charged_to >= 0)
		return;
	rmdir(g->path);
	g->path[0] = '\0';
	refuse(g, "only root can read which cgroup a page is charged to (/proc/kpagecgroup)");
}

static bool put(const char *folder, pid_t pid)
{
	char path[480];
	int fd;
	bool done;

	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	done = fd >= 0 && dprintf(fd, "%d", (int)pid) > 0;
	if (fd >= 0)
		close(fd);
	return done;
}

void group_enter(struct group *g, pid_t pid)
{
	if (put(g->path, pid))
		return;
	snprintf(g->why, sizeof(g->why), "the command cannot be moved to %.120s: %s", g->path,
		 strerror(errno));
	rmdir(g->path);
	g->path[0] = '\0';
}

bool group_has(const struct group *g, pid_t pid)
{
	struct text t = { .data = NULL };
	bool has = text_read(&t, pid, "cgroup") == 0 && strstr(t.data, g->name);

	text_free(&t);
	return has;
}

static int read_file(const struct group *g, const char *file, struct text *t)
{
	char path[500];

	snprintf(path, sizeof(path), "%s/%s", g->path, file);
	return text_read(t, 0, path);
}

int64_t group_number(const struct group *g, const char *file, const char *field)
{
	size_t length = field ? strlen(field) : 0;
	struct text t = { .data = NULL };
	int64_t number = -1;

	if (read_file(g, file, &t)) {
		text_free(&t);
		return -1;
	}
	for (const char *line = t.data; *line; line += strcspn(line, "\n") + 1) {
		if (!field || (!strncmp(line, field, length) && line[length] == ' '))
			number = strtoll(line + length, NULL, 10);
		if (number >= 0 || !line[strcspn(line, "\n")])
			break;
	}
	text_free(&t);
	return number;
}

bool group_is_empty(const struct group *g)
{
	return group_number(g, "cgroup.events", "populated") == 0;
}

bool group_has_none_below(const struct group *g)
{
	return group_number(g, "cgroup.stat", "nr_descendants") == 0;
}

static void send_home(const struct group *g)
{
	struct text t = { .data = NULL };
	char *end;

	if (read_file(g, "cgroup.procs", &t) == 0)
		for (const char *p = t.data; *p; p = end + 1) {
			pid_t pid = (pid_t)strtol(p, &end, 10);

			if (end == p || !put(g->home, pid) || !*end)
				break;
		}
	text_free(&t);
}

void group_remove(const struct group *g)
{
	for (int i = 0; g->path[0] && i < TRIES; i++) {
		if (rmdir(g->path) == 0 || errno == ENOENT)
			return;
		send_home(g);
		nanosleep(&(struct timespec) { .tv_nsec = PAUSE_NS }, NULL);
	}
}
