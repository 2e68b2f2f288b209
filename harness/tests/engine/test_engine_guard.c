// SPDX-License-Identifier: MIT
/* However a check ends, its guard removes the named objects that its steps made. */
#include "engine/workload/guard.h"
#include "tests/support/test.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char folder[] = "/tmp/rssck-test.XXXXXX", files[64], cgroups[64];

static const char *const folders[] = { cgroups, "/nonexistent", NULL };

FIXTURE(make_folders)
{
	if (!mkdtemp(folder))
		return -1;
	snprintf(files, sizeof(files), "%s/files", folder);
	snprintf(cgroups, sizeof(cgroups), "%s/cgroups", folder);
	return mkdir(files, 0700) || mkdir(cgroups, 0700);
}

FIXTURE(remove_folders)
{
	return rmdir(files) || rmdir(cgroups) || rmdir(folder);
}

static const char *in(const char *where, const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", where, name);
	return path;
}

static void make_file(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	close(fd);
}

static bool is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

/* An observer that dies by this signal in the middle of a step; with 0 it ends normally. */
static _Noreturn void observe(int sig)
{
	struct engine e = { .mark = "rssck.1-0a" };
	struct guard g;

	snprintf(e.directory, sizeof(e.directory), "%s", files);
	guard_start(&g, &e, folders);
	make_file(in(files, "rssck.1-0a.2"));
	mkdir(in(cgroups, "rssck.1-0a.2"), 0700);
	if (sig)
		kill(getpid(), sig);
	guard_end(&g);
	guard_end(&g);
	_exit(0);
}

static void assert_cleaned_up(int sig)
{
	pid_t pid;

	make_file(in(files, "rssck.1-0b.2"));
	make_file(in(files, "rssck.1-0a"));
	pid = fork();
	if (pid == 0)
		observe(sig);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	for (int i = 0; i < 200 && (is_there(in(files, "rssck.1-0a.2")) ||
				    is_there(in(cgroups, "rssck.1-0a.2")));
	     i++)
		usleep(10000);
	assert_false(is_there(in(files, "rssck.1-0a.2")));
	assert_false(is_there(in(cgroups, "rssck.1-0a.2")));
	/* One file belongs to another check's process, one only looks like a file of the test. */
	assert_int_equal(unlink(in(files, "rssck.1-0b.2")), 0);
	assert_int_equal(unlink(in(files, "rssck.1-0a")), 0);
}

TEST(named_objects_are_removed_at_the_end_of_the_check)
{
	static const int ends[] = { SIGKILL, SIGTERM, SIGHUP, 0 };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		assert_cleaned_up(ends[i]);
}

TEST(a_cgroup_of_an_ended_process_is_removed_at_the_next_start)
{
	char live[64], dead[64];
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	snprintf(live, sizeof(live), "rssck.%d-00000001.5", (int)getpid());
	snprintf(dead, sizeof(dead), "rssck.%d-00000001.5", (int)pid);
	assert_int_equal(mkdir(in(cgroups, live), 0700), 0);
	assert_int_equal(mkdir(in(cgroups, dead), 0700), 0);
	assert_int_equal(mkdir(in(cgroups, "somebody"), 0700), 0);
	guard_remove_stale_cgroups((const char *const[]) { cgroups, NULL });
	assert_false(is_there(in(cgroups, dead)));
	assert_int_equal(rmdir(in(cgroups, live)), 0);
	assert_int_equal(rmdir(in(cgroups, "somebody")), 0);
	guard_remove_stale_cgroups((const char *const[]) { "/nonexistent", NULL });
}

TESTS_SHARE(make_folders, remove_folders);
