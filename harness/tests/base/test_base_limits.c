// SPDX-License-Identifier: MIT
/* The limit that explains the error of a call, or the end of a process. */
#include "base/process/ended.h"
#include "base/process/limits.h"
#include "tests/support/test.h"
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Makes the limit finite, but too large to be reached, and checks that it is named. */
static void assert_named(int resource, int error, const char *name)
{
	const rlim_t much = (rlim_t)1 << 50;
	char text[200] = "";
	struct rlimit before, finite;

	assert_int_equal(getrlimit((__rlimit_resource_t)resource, &before), 0);
	finite = before;
	if (finite.rlim_cur > much)
		finite.rlim_cur = much;
	setrlimit((__rlimit_resource_t)resource, &finite);
	limit_behind(error, text, sizeof(text));
	setrlimit((__rlimit_resource_t)resource, &before);
	if (!strstr(text, name))
		fail_msg("%s is not named for %s", name, strerror(error));
}

TEST(a_limit_that_explains_the_error_is_named)
{
	assert_named(RLIMIT_NOFILE, EMFILE, "RLIMIT_NOFILE");
	assert_named(RLIMIT_AS, ENOMEM, "RLIMIT_AS");
	assert_named(RLIMIT_DATA, ENOMEM, "RLIMIT_DATA");
	assert_named(RLIMIT_FSIZE, EFBIG, "RLIMIT_FSIZE");
}

/* Every second page is writable, so that each page is a mapping of its own. */
TEST(a_full_table_of_mappings_explains_ENOMEM)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = 1 << 18;
	char *p = mmap(NULL, pages * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		       -1, 0);
	char text[200] = "";
	size_t i = 0;

	if (p == MAP_FAILED)
		skip();
	while (i < pages && !mprotect(p + i * page, page, PROT_READ))
		i += 2;
	if (i < pages)
		limit_behind(ENOMEM, text, sizeof(text));
	munmap(p, pages * page);
	if (i < pages)
		assert_true(strstr(text, "vm.max_map_count is ") == text);
	limit_behind(ENOMEM, text, sizeof(text));
	assert_null(strstr(text, "vm.max_map_count"));
}

TEST(an_error_that_no_limit_causes_names_no_limit)
{
	char text[200] = "?";

	assert_string_equal(limit_behind(EINVAL, text, sizeof(text)), "");
}

TEST(while_a_process_can_start_no_task_limit_is_reached)
{
	char text[200] = "?";
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid < 0)
		skip();
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_string_equal(tasks_full(text, sizeof(text)), "");
}

TEST(SIGSYS_is_explained_by_a_seccomp_filter)
{
	char text[200];

	assert_non_null(strstr(ended_by(SIGSYS, text, sizeof(text)), "seccomp"));
	assert_non_null(strstr(ended_by(SIGXCPU, text, sizeof(text)), "RLIMIT_CPU"));
}
