// SPDX-License-Identifier: MIT
/* Several checks run at the same time: none changes the numbers of another. */
#include "engine/workload/paths.h"
#include "tests/support/child.h"
#include <sys/stat.h>

enum { AT_ONCE = 3 };

static struct stat workload_of_a_check(struct engine *e)
{
	struct stat st;
	char why[400];

	*e = (struct engine) { .copy = -1 };
	if (paths_find_workload(e, why, sizeof(why)))
		fail_msg("%s", why);
	snprintf(e->directory, sizeof(e->directory), "/var/tmp");
	copy_make(e);
	assert_int_equal(stat(e->workload, &st), 0);
	return st;
}

TEST(each_check_runs_its_own_nameless_copy_of_the_workload)
{
	struct engine one, other;
	struct stat first = workload_of_a_check(&one), second = workload_of_a_check(&other);

	assert_false(first.st_dev == second.st_dev && first.st_ino == second.st_ino);
	assert_int_equal(first.st_nlink, 0);
	assert_int_equal(second.st_nlink, 0);
	assert_int_equal(access(one.workload, X_OK), 0);
	copy_drop(&one);
	copy_drop(&other);
	copy_drop(&other);
}

/* In /proc no file can be created. */
TEST(without_a_writable_folder_the_copy_is_in_memory)
{
	struct engine e, other;
	struct stat original = workload_of_a_check(&other), copy;
	char home[4096];

	snprintf(home, sizeof(home), "%s", getenv("HOME") ? getenv("HOME") : "");
	setenv("HOME", "/proc", 1);
	e = (struct engine) { .directory = "/proc", .copy = -1 };
	snprintf(e.workload, sizeof(e.workload), "%s", other.workload);
	copy_make(&e);
	setenv("HOME", home, 1);
	assert_true(e.copy >= 0);
	assert_int_equal(stat(e.workload, &copy), 0);
	assert_false(copy.st_dev == original.st_dev && copy.st_ino == original.st_ino);
	copy_drop(&e);
	copy_drop(&other);
}

static pid_t start_check(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		execl(program(), program(), "check", "--quiet", "tools", "file", "fork",
		      (char *)NULL);
		_exit(127);
	}
	return pid;
}

TEST(three_concurrent_checks_pass)
{
	pid_t pid[AT_ONCE];

	for (int i = 0; i < AT_ONCE; i++)
		pid[i] = start_check();
	for (int i = 0; i < AT_ONCE; i++)
		assert_int_equal(child_status(pid[i]), 0);
}
