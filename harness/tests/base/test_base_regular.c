// SPDX-License-Identifier: MIT
/* A name that the user gives may belong to any kind of file; opening the file must not block. */
#include "base/regular.h"
#include "tests/support/files.h"
#include "tests/support/test.h"
#include <sys/stat.h>

static void assert_refused(const char *path, const char *reason)
{
	const char *why = "";
	off_t length;

	alarm(5); /* opening a FIFO without a writer might block */
	assert_int_equal(regular_open(path, &length, &why), -1);
	alarm(0);
	if (!strstr(why, reason))
		fail_msg("%s: %s", path, why);
}

TEST(a_regular_file_is_opened_and_its_size_returned)
{
	const char *why;
	off_t length;
	int fd = regular_open(folder_put("file", "12345"), &length, &why);

	assert_true(fd >= 0);
	assert_int_equal(length, 5);
	close(fd);
}

TEST(a_pipe_without_a_writer_does_not_block)
{
	assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
	assert_refused(in_folder("pipe"), "pipe");
}

TEST(a_folder_a_device_and_a_missing_file_are_refused_by_kind)
{
	assert_refused("/", "directory");
	assert_refused("/dev/zero", "device");
	assert_refused("/nonexistent", "No such file");
}
