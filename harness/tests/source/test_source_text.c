// SPDX-License-Identifier: MIT
/* Complete files are read into a buffer that grows. */
#include "tests/support/recorded.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* A signal interrupts this many calls of each kind before one succeeds. */
static int before_open, before_read;

static bool is_interrupted(int *left)
{
	if (*left == 0)
		return false;
	--*left;
	errno = EINTR;
	return true;
}

int openat(int folder, const char *path, int flags, ...)
{
	return is_interrupted(&before_open) ? -1 : (int)syscall(SYS_openat, folder, path, flags);
}

ssize_t read(int fd, void *to, size_t size)
{
	return is_interrupted(&before_read) ? -1 : syscall(SYS_read, fd, to, size);
}

/* Returns a nameless file that text_read() can open by path. */
static int file_of(size_t len, char *path, size_t size)
{
	int fd = memfd_create("text", 0);

	assert_true(fd >= 0);
	for (size_t i = 0; i < len; i++) {
		char c = (char)('a' + i % 26);

		assert_int_equal(pwrite(fd, &c, 1, (off_t)i), 1);
	}
	snprintf(path, size, "/proc/self/fd/%d", fd);
	return fd;
}

TEST(a_file_of_any_size_is_read_whole)
{
	static const size_t sizes[] = {
		0, 1, 4095, 4096, 57343, 57344, 65535, 65536, 65537, 200000
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct text t = { .data = NULL };
		char path[64];
		int fd = file_of(sizes[i], path, sizeof(path));

		assert_int_equal(text_read(&t, 0, path), 0);
		assert_int_equal(t.len, sizes[i]);
		assert_int_equal(t.data[t.len], '\0');
		for (size_t at = 0; at < t.len; at++)
			assert_int_equal(t.data[at], 'a' + at % 26);
		text_free(&t);
		close(fd);
	}
}

TEST(a_signal_while_reading_is_no_error)
{
	OWNED(text_free) struct text t = { .data = NULL };
	char path[64];
	int fd = file_of(10, path, sizeof(path));

	before_open = 3;
	before_read = 3;
	assert_int_equal(text_read(&t, 0, path), 0);
	assert_string_equal(t.data, "abcdefghij");
	assert_int_equal(before_open + before_read, 0);
	before_open = before_read = 0;
	close(fd);
}

TEST(the_buffer_is_reused)
{
	struct text t = { .data = NULL };
	char path[64];
	int fd = file_of(10, path, sizeof(path));
	const char *before;

	assert_int_equal(text_read(&t, getpid(), "smaps"), 0);
	before = t.data;
	assert_int_equal(text_read(&t, 0, path), 0);
	assert_ptr_equal(t.data, before);
	assert_string_equal(t.data, "abcdefghij");
	text_free(&t);
	assert_null(t.data);
	text_free(&t);
	close(fd);
}

TEST(an_ended_process_and_a_missing_file_have_different_errors)
{
	OWNED(text_free) struct text t = { .data = NULL };
	pid_t gone = fork();

	if (gone == 0)
		_exit(0);
	waitpid(gone, NULL, 0);
	assert_int_equal(text_read(&t, gone, "stat"), -ESRCH);
	assert_int_equal(text_read(&t, getpid(), "no_such_file"), -ENOENT);
	assert_int_equal(text_read(&t, 0, "/no/such/file"), -ENOENT);
	assert_int_equal(text_read(&t, 0, "/"), -EISDIR);
}

TEST(the_files_of_a_thread_are_read)
{
	OWNED(text_free) struct text t = { .data = NULL };
	char file[64];

	snprintf(file, sizeof(file), "task/%d/stat", getpid());
	assert_int_equal(text_read(&t, getpid(), file), 0);
	assert_int_equal(strtol(t.data, NULL, 10), getpid());
}
