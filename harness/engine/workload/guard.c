// SPDX-License-Identifier: MIT
/*
 * Removes objects that a killed workload leaves behind. A step that ends normally removes its own.
 */
#include "guard.h"
#include "base/kernel_file.h"
#include "base/process/inherited.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The kernel may refuse to remove a cgroup for some time after its last process has ended. */
enum { TRIES = 300, PAUSE_NS = 10000000 };

#define CGROUPS "/sys/fs/cgroup"

/* Controllers of cgroup v1 in which a step makes cgroups below its own. */
static const char *const controllers[] = { "memory", "hugetlb" };

enum { CONTROLLERS = sizeof(controllers) / sizeof(*controllers), PATH = 512 };

static void find_home(const char *controller, char home[PATH])
{
	char path[256] = "";

	kernel_cgroup(controller, path, sizeof(path));
	snprintf(home, PATH, CGROUPS "/%s%s", controller, path);
	if (access(home, F_OK))
		snprintf(home, PATH, CGROUPS "/%s", controller);
}

const char *const *guard_folders(void)
{
	static char homes[CONTROLLERS][PATH];
	static const char *all[CONTROLLERS + 4] = { "/dev/shm", "/tmp", CGROUPS };

	for (size_t i = 0; i < CONTROLLERS; i++) {
		find_home(controllers[i], homes[i]);
		all[3 + i] = homes[i];
	}
	return all;
}

const char *const *guard_cgroups(void)
{
	return guard_folders() + 2;
}

/* Returns how many objects with that prefix are left. */
static size_t sweep(const char *folder, const char *mark)
{
	DIR *d = opendir(folder);
	size_t len = strlen(mark), left = 0;

	for (struct dirent *entry; d && (entry = readdir(d));) {
		const char *name = entry->d_name;

		if (strncmp(name, mark, len) || name[len] != '.')
			continue;
		left += unlinkat(dirfd(d), name, 0) && unlinkat(dirfd(d), name, AT_REMOVEDIR) &&
			errno != ENOENT;
	}
	if (d)
		closedir(d);
	return left;
}

struct swept {
	const struct engine *e;
	const char *const *folders;
};

static void sweep_all(const void *of)
{
	const struct swept *s = of;
	const struct engine *e = s->e;

	for (int i = 0; i < TRIES; i++) {
		size_t left = sweep(e->directory, e->mark);

		for (const char *const *folder = s->folders; *folder; folder++)
			left += sweep(*folder, e->mark);
		if (!left)
			return;
		nanosleep(&(struct timespec) { .tv_nsec = PAUSE_NS }, NULL);
	}
}

/*
 * Closes all descriptors below RLIMIT_NOFILE (at most 4,096) but one, so that a reader of our
 * output does not wait for the guard.
 */
static void close_others(int kept)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) < 0 || l.rlim_cur > 4096)
		l.rlim_cur = 4096;
	for (int fd = 0; fd < (int)l.rlim_cur; fd++)
		if (fd != kept)
			close(fd);
}

/*
 * Waits until rssck closes the pipe, then runs do_then(). It ignores signals that a user sends to
 * all of rssck's processes.
 */
static _Noreturn void become_guard(guard_fn *do_then, const void *of, int alive)
{
	static const int outlived[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	char byte;

	setpgid(0, 0);
	prctl(PR_SET_NAME, "rssck-guard", 0, 0, 0);
	inherited_forget();
	for (size_t i = 0; i < sizeof(outlived) / sizeof(*outlived); i++)
		signal(outlived[i], SIG_IGN);
	close_others(alive);
	while (read(alive, &byte, 1) < 0 && errno == EINTR)
		;
	do_then(of);
	_exit(0);
}

void guard_start_for(struct guard *g, guard_fn *do_then, const void *of)
{
	int ends[2];

	*g = (struct guard) { .alive = -1 };
	if (pipe2(ends, O_CLOEXEC) < 0)
		return;
	g->pid = fork();
	if (g->pid == 0) {
		close(ends[1]);
		become_guard(do_then, of, ends[0]);
	}
	close(ends[0]);
	if (g->pid > 0)
		g->alive = ends[1];
	else
		close(ends[1]);
}

void guard_start(struct guard *g, const struct engine *e, const char *const *folders)
{
	guard_start_for(g, sweep_all, &(struct swept) { e, folders });
}

void guard_end(struct guard *g)
{
	if (g->alive < 0)
		return;
	close(g->alive);
	g->alive = -1;
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static void remove_stale(const char *root)
{
	DIR *d = opendir(root);

	for (struct dirent *entry; d && (entry = readdir(d));) {
		int pid;

		if (sscanf(entry->d_name, "rssck.%d", &pid) == 1 && pid > 0 && kill(pid, 0) < 0 &&
		    errno == ESRCH)
			unlinkat(dirfd(d), entry->d_name, AT_REMOVEDIR);
	}
	if (d)
		closedir(d);
}

void guard_remove_stale_cgroups(const char *const *folders)
{
	for (; *folders; folders++)
		remove_stale(*folders);
}
