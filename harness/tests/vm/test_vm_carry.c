// SPDX-License-Identifier: MIT
/* The files that a command needs are in the guest's first file system, under their own names. */
#include "tests/support/test.h"
#include "vm/image/initramfs.h"
#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

static char folder[] = "/tmp/rssck-carry-XXXXXX";

/* Returns how often a name is in the archive, for example "usr/bin/env". */
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

TEST(the_programs_of_a_command_and_the_shell_are_copied_once)
{
	int fd = build("env true && /usr/bin/env env; no-such-program --env=sort", NULL);

	assert_int_equal(holds(fd, "bin/sh"), 1);
	assert_int_equal(holds(fd, "usr/bin/env"), 1);
	assert_int_equal(holds(fd, "usr/bin/perl"), 0);
	close(fd);
}

TEST(a_path_that_the_guest_would_hide_is_refused)
{
	struct vm_options o = { .kernel = "none", .with = { "/proc/version" }, .nr_with = 1 };
	char why[1024] = "";

	assert_int_equal(initramfs_build(&o, why, sizeof(why)), -1);
	assert_says(why, "/proc/version: the guest mounts its own /proc");
}

TEST(without_a_command_there_is_no_shell)
{
	int fd = build(NULL, NULL);

	assert_int_equal(holds(fd, "bin/sh"), 0);
	assert_int_equal(holds(fd, "bin/rssck"), 1);
	close(fd);
}

TEST(a_script_brings_its_interpreter)
{
	char script[128];
	int fd;

	write_file("script", "#!/usr/bin/env -S sed -f\n", 0755);
	snprintf(script, sizeof(script), "%s/script", folder);
	fd = build(script, NULL);
	assert_int_equal(holds(fd, script + 1), 1);
	assert_int_equal(holds(fd, "usr/bin/env"), 1);
	close(fd);
}

TEST(folders_are_copied_whole)
{
	char name[256];
	int fd;

	snprintf(name, sizeof(name), "%s/deep", folder);
	mkdir(name, 0755);
	write_file("deep/data", "1\n", 0644);
	fd = build("true", folder);
	snprintf(name, sizeof(name), "%s/deep/data", folder + 1);
	assert_int_equal(holds(fd, name), 1);
	close(fd);
}

TEST(a_missing_path_is_refused)
{
	struct vm_options o = {
		.kernel = "none", .run = "true", .with = { "/no/such" }, .nr_with = 1
	};
	char why[1024] = "";

	assert_int_equal(initramfs_build(&o, why, sizeof(why)), -1);
	assert_string_equal(why, "--with=/no/such: No such file or directory");
}

/* Copies the target of a link in the archive; "" if the name is no link or missing. */
static void leads_to(int fd, const char *name, char *target, size_t size)
{
	struct archive *a = archive_read_new();
	struct archive_entry *entry;

	target[0] = '\0';
	lseek(fd, 0, SEEK_SET);
	archive_read_support_format_cpio(a);
	assert_int_equal(archive_read_open_fd(a, fd, 65536), ARCHIVE_OK);
	while (archive_read_next_header(a, &entry) == ARCHIVE_OK)
		if (!strcmp(archive_entry_pathname(entry), name) &&
		    archive_entry_filetype(entry) == AE_IFLNK)
			snprintf(target, size, "%s", archive_entry_symlink(entry));
	archive_read_free(a);
}

static void make_link(const char *target, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	unlink(path);
	assert_int_equal(symlink(target, path), 0);
}

/*
 * Checks that folder/NAME in the guest is a link to folder/TARGET, and that the target is in the
 * archive once.
 */
static void assert_leads(int fd, const char *name, const char *to)
{
	char inside[128], target[4096], wanted[128];

	snprintf(inside, sizeof(inside), "%s/%s", folder + 1, name);
	snprintf(wanted, sizeof(wanted), "%s/%s", folder, to);
	leads_to(fd, inside, target, sizeof(target));
	assert_string_equal(target, wanted);
	assert_int_equal(holds(fd, wanted + 1), 1);
}

static int build_in_folder(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return build("true", path);
}

TEST(a_link_is_copied_with_its_target)
{
	char absolute[128];
	int fd;

	write_file("target", "1\n", 0644);
	snprintf(absolute, sizeof(absolute), "%s/target", folder);
	make_link("target", "relative");
	make_link(absolute, "absolute");
	make_link("absolute", "two-steps");
	fd = build_in_folder("relative");
	assert_leads(fd, "relative", "target");
	close(fd);
	fd = build_in_folder("absolute");
	assert_leads(fd, "absolute", "target");
	close(fd);
	fd = build_in_folder("two-steps");
	assert_leads(fd, "two-steps", "target");
	close(fd);
}

TEST(a_path_through_a_link_exists_in_the_guest)
{
	int fd;

	make_link(".", "here");
	write_file("target", "1\n", 0644);
	fd = build_in_folder("here/target");
	assert_leads(fd, "here/target", "target");
	close(fd);
}

TEST(a_link_to_a_folder_is_copied_with_the_folder)
{
	char name[128];
	int fd;

	snprintf(name, sizeof(name), "%s/whole", folder);
	mkdir(name, 0755);
	write_file("whole/data", "1\n", 0644);
	make_link("whole", "to-folder");
	fd = build_in_folder("to-folder");
	assert_leads(fd, "to-folder", "whole");
	snprintf(name, sizeof(name), "%s/whole/data", folder + 1);
	assert_int_equal(holds(fd, name), 1);
	close(fd);
}

/*
 * In the guest a folder with another file has the name of the link, so the link's target is copied
 * into the folder.
 */
TEST(a_link_that_is_a_folder_in_the_guest_becomes_a_copy)
{
	char first[128], second[128], name[160];
	struct vm_options o = { .kernel = "none", .with = { first, second }, .nr_with = 2 };
	char why[1024] = "";
	int fd;

	snprintf(name, sizeof(name), "%s/real", folder);
	mkdir(name, 0755);
	write_file("real/data", "1\n", 0644);
	make_link("real", "twice");
	snprintf(first, sizeof(first), "%s/twice/data", folder);
	snprintf(second, sizeof(second), "%s/twice", folder);
	fd = initramfs_build(&o, why, sizeof(why));
	assert_true(fd >= 0);
	snprintf(name, sizeof(name), "%s/twice/data", folder + 1);
	assert_int_equal(holds(fd, name), 1);
	close(fd);
}

TEST(a_relative_path_exists_from_the_root)
{
	char before[4096];
	int fd;

	write_file("target", "1\n", 0644);
	make_link("target", "relative");
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(folder), 0);
	fd = build("true", "./relative");
	assert_int_equal(chdir(before), 0);
	assert_leads(fd, "relative", "target");
	close(fd);
}

TEST(a_link_to_its_own_folder_stays_a_link)
{
	char name[128], target[4096];
	int fd;

	snprintf(name, sizeof(name), "%s/round", folder);
	mkdir(name, 0755);
	make_link("../round", "round/again");
	make_link("nothing", "round/loose");
	fd = build_in_folder("round");
	assert_leads(fd, "round/again", "round");
	snprintf(name, sizeof(name), "%s/round/loose", folder + 1);
	leads_to(fd, name, target, sizeof(target));
	assert_string_equal(target, "nothing");
	close(fd);
}

static void assert_refused(const char *name, const char *reason)
{
	char path[128], wanted[256], why[1024] = "";
	struct vm_options o = { .kernel = "none", .with = { path }, .nr_with = 1 };

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	snprintf(wanted, sizeof(wanted), "--with=%s: %s", path, reason);
	assert_int_equal(initramfs_build(&o, why, sizeof(why)), -1);
	assert_string_equal(why, wanted);
}

TEST(loops_and_dangling_links_are_refused)
{
	make_link("there", "back");
	make_link("back", "there");
	assert_refused("back", "its symbolic links form a loop; name a file or a folder");
	make_link("not-there", "astray");
	assert_refused("astray", "it is a symbolic link to not-there, which does not exist");
}

FIXTURE(setup)
{
	return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(teardown)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

TESTS_SHARE(setup, teardown);
