// SPDX-License-Identifier: MIT
/* However a check ends, its guard removes the named objects that its steps made. */
#include "engine/workload/guard.h"
#include "tests/support/child.h"
#include "tests/support/files.h"
#include <sys/stat.h>

static char cgroups[64];

static const char *const folders[] = { cgroups, "/nonexistent", NULL };

FIXTURE(make_folders)
{
	snprintf(cgroups, sizeof(cgroups), "%s", in_folder("cgroups"));
	return mkdir(in_folder("files"), 0700) || mkdir(cgroups, 0700);
}

/* All files and folders of the test are gone: nothing was left, and nothing else was removed. */
FIXTURE(remove_folders)
{
	return rmdir(in_folder("files")) || rmdir(cgroups);
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

	snprintf(e.directory, sizeof(e.directory), "%s", in_folder("files"));
	guard_start(&g, &e, folders);
	folder_put("files/rssck.1-0a.2", "");
	mkdir(in_folder("cgroups/rssck.1-0a.2"), 0700);
	if (sig)
		kill(getpid(), sig);
	guard_end(&g);
	guard_end(&g);
	_exit(0);
}

static void assert_cleaned_up(int sig)
{
	pid_t pid;

	folder_put("files/rssck.1-0b.2", "");
	folder_put("files/rssck.1-0a", "");
	pid = fork();
	if (pid == 0)
		observe(sig);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	for (int i = 0; i < 200 && (is_there(in_folder("files/rssck.1-0a.2")) ||
				    is_there(in_folder("cgroups/rssck.1-0a.2")));
	     i++)
		usleep(10000);
	assert_false(is_there(in_folder("files/rssck.1-0a.2")));
	assert_false(is_there(in_folder("cgroups/rssck.1-0a.2")));
	/* One file belongs to another check's process, one only looks like a file of the test. */
	assert_int_equal(unlink(in_folder("files/rssck.1-0b.2")), 0);
	assert_int_equal(unlink(in_folder("files/rssck.1-0a")), 0);
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
	assert_int_equal(mkdir(in_folder("cgroups/%s", live), 0700), 0);
	assert_int_equal(mkdir(in_folder("cgroups/%s", dead), 0700), 0);
	assert_int_equal(mkdir(in_folder("cgroups/somebody"), 0700), 0);
	guard_remove_stale_cgroups((const char *const[]) { cgroups, NULL });
	assert_false(is_there(in_folder("cgroups/%s", dead)));
	assert_int_equal(rmdir(in_folder("cgroups/%s", live)), 0);
	assert_int_equal(rmdir(in_folder("cgroups/somebody")), 0);
	guard_remove_stale_cgroups((const char *const[]) { "/nonexistent", NULL });
}

TESTS_SHARE(make_folders, remove_folders);
