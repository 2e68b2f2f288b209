// SPDX-License-Identifier: MIT
/* What a command needs is in the guest's first file system, under its own name. */
#include "vm/image/initramfs.h"
#include <archive.h>
#include <archive_entry.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/rssck-carry-XXXXXX";

/* How often a name is in the archive, "usr/bin/env". */
static int holds(int fd, const char *name)
{
	struct archive *a = archive_read_new();
	struct archive_entry *entry;
	int n = 0;

	lseek(fd, 0, SEEK_SET);
	archive_read_support_format_cpio(a);
	assert_int_equal(archive_read_open_fd(a, fd, 65536), ARCHIVE_OK);
	while (archive_read_next_header(a, &entry) == ARCHIVE_OK)
		n += !strcmp(archive_entry_pathname(entry), name);
	archive_read_free(a);
	return n;
}

static void write_file(const char *name, const char *text, mode_t mode)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	chmod(path, mode);
}

static int build(const char *run, const char *with)
{
	struct vm_options o = { .kernel = "none", .run = run, .with = { with }, .nr_with = !!with };
	char why[1024] = "";
	int fd = initramfs_build(&o, why, sizeof(why));

	if (fd < 0)
		fail_msg("%s", why);
	return fd;
}

static void test_the_programs_of_a_line_and_the_shell_are_carried_once(void **state)
{
	int fd = build("env true && /usr/bin/env env; no-such-program --env=sort", NULL);

	(void)state;
	assert_int_equal(holds(fd, "bin/sh"), 1);
	assert_int_equal(holds(fd, "usr/bin/env"), 1);
	assert_int_equal(holds(fd, "usr/bin/perl"), 0);
	close(fd);
}

static void test_what_the_guest_would_hide_is_refused(void **state)
{
	struct vm_options o = { .kernel = "none", .with = { "/proc/version" }, .nr_with = 1 };
	char why[1024] = "";

	(void)state;
	assert_int_equal(initramfs_build(&o, why, sizeof(why)), -1);
	assert_non_null(strstr(why, "/proc/version: the guest has a /proc of its own"));
}

static void test_without_a_command_there_is_no_shell(void **state)
{
	int fd = build(NULL, NULL);

	(void)state;
	assert_int_equal(holds(fd, "bin/sh"), 0);
	assert_int_equal(holds(fd, "bin/rssck"), 1);
	close(fd);
}

static void test_a_script_brings_its_interpreter(void **state)
{
	char script[128];
	int fd;

	(void)state;
	write_file("script", "#!/usr/bin/env -S sed -f\n", 0755);
	snprintf(script, sizeof(script), "%s/script", folder);
	fd = build(script, NULL);
	assert_int_equal(holds(fd, script + 1), 1);
	assert_int_equal(holds(fd, "usr/bin/env"), 1);
	close(fd);
}

static void test_folders_are_carried_whole(void **state)
{
	char name[256];
	int fd;

	(void)state;
	snprintf(name, sizeof(name), "%s/deep", folder);
	mkdir(name, 0755);
	write_file("deep/data", "1\n", 0644);
	fd = build("true", folder);
	snprintf(name, sizeof(name), "%s/deep/data", folder + 1);
	assert_int_equal(holds(fd, name), 1);
	close(fd);
}

static void test_what_is_not_there_is_said(void **state)
{
	struct vm_options o = {
		.kernel = "none", .run = "true", .with = { "/no/such" }, .nr_with = 1
	};
	char why[1024] = "";

	(void)state;
	assert_int_equal(initramfs_build(&o, why, sizeof(why)), -1);
	assert_string_equal(why, "--with=/no/such: No such file or directory");
}

static int setup(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_programs_of_a_line_and_the_shell_are_carried_once),
		cmocka_unit_test(test_what_the_guest_would_hide_is_refused),
		cmocka_unit_test(test_without_a_command_there_is_no_shell),
		cmocka_unit_test(test_a_script_brings_its_interpreter),
		cmocka_unit_test(test_folders_are_carried_whole),
		cmocka_unit_test(test_what_is_not_there_is_said),
	};

	/* There the loader that tells the libraries does not run. */
	if (getenv("VALGRIND"))
		return 0;
	return cmocka_run_group_tests(tests, setup, teardown);
}
