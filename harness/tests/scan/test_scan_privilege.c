// SPDX-License-Identifier: MIT
/*
 * The reason why a process is hidden is named: the missing capability, and the mount options of
 * /proc.
 */
#include "scan/process/privilege.h"
#include "scan/process/process.h"
#include "tests/support/child.h"
#include <sched.h>
#include <sys/mount.h>

TEST(a_capability_is_a_bit_of_CapEff)
{
	static const char root[] = "Name:\tx\nCapPrm:\t0\nCapEff:\t000001ffffffffff\nCapBnd:\t0\n";
	static const char less[] = "Name:\tx\nCapPrm:\t80000\nCapEff:\t000001fffff7ffff\n";

	assert_true(status_has_capability(root, 19));
	assert_false(status_has_capability(less, 19));
	assert_true(status_has_capability(less, 18));
	assert_false(status_has_capability("Name:\tx\n", 19));
}

static void assert_hidepid(const char *mountinfo, const char *expected)
{
	char option[32];

	mountinfo_hidepid(mountinfo, option, sizeof(option));
	assert_string_equal(option, expected);
}

TEST(hidepid_is_read_from_the_visible_proc)
{
	assert_hidepid("", "");
	assert_hidepid("22 1 0:21 / /proc rw - proc proc rw\n", "");
	assert_hidepid("22 1 0:21 / /proc rw - proc proc rw,hidepid=off\n", "");
	assert_hidepid("22 1 0:21 / /proc rw - proc proc rw,gid=4,hidepid=invisible\n",
		       "hidepid=invisible");
	assert_hidepid(
		"22 1 0:21 / /proc rw - proc proc rw,hidepid=2\n23 1 0:5 / /x rw - proc p rw",
		"hidepid=2");
	/* A proc mounted elsewhere does not count, nor one that another proc on /proc hides. */
	assert_hidepid("22 1 0:21 / /proc rw - proc proc rw\n23 1 0:5 / /x/proc rw - proc p "
		       "rw,hidepid=2\n",
		       "");
	assert_hidepid(
		"22 1 0:21 / /proc rw - proc proc rw,hidepid=2\n23 22 0:5 / /proc rw - proc p "
		"rw\n",
		"");
}

enum { USER = 54321, DENIED_AND_NAMED = 0, WRONG = 1, CANNOT_TRY = 2 };

/*
 * Reads process 1 in a /proc that is mounted with these options. Runs in a child, as an ordinary
 * user.
 */
static int look_through(const char *options)
{
	struct reader r = { 0 };
	struct reading p;

	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/proc", "proc", 0, options) || setgid(USER) || setuid(USER))
		return CANNOT_TRY;
	process_read(&p, 1, &r);
	reader_free(&r);
	if (p.sight != SIGHT_DENIED || !strstr(p.why, "CAP_SYS_PTRACE") ||
	    !strstr(p.why, "hidepid="))
		return WRONG;
	process_read(&p, 999999, &r);
	return p.sight == SIGHT_GONE ? DENIED_AND_NAMED : WRONG;
}

/*
 * If valgrind finds a leak in the child, the exit status is that of valgrind, so the result is in
 * shared memory.
 */
static int result_of(const char *options)
{
	int *result = (int *)map_shared(sizeof(*result)), seen;
	pid_t pid;

	*result = WRONG;
	pid = fork();
	if (pid == 0) {
		*result = look_through(options);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	seen = *result;
	munmap(result, sizeof(*result));
	return seen;
}

TEST(a_process_hidden_by_hidepid_is_denied_not_ended)
{
	static const char *const options[] = { "hidepid=1", "hidepid=2" };

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		int result = result_of(options[i]);

		if (result == CANNOT_TRY)
			skip();
		assert_int_equal(result, DENIED_AND_NAMED);
	}
}
