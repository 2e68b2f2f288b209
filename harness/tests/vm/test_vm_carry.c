// SPDX-License-Identifier: MIT
/* The files that a command needs are in the guest's first file system, under their own names. */
#include "tests/support/files.h"
#include "tests/support/test.h"
#include "vm/image/initramfs.h"
#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

/* The archive that build() has made. */
static int fd = -1;

/*
 * Returns how often a name is in the archive, for example "usr/bin/env". Copies the target of a
 * link; "" if the name is missing or not a link.
 */
static int find(const char *name, char *target, size_t size)
{
	struct archive *a = archive_read_new();
	struct archive_entry *entry;
	int n = 0;

	target[0] = '\0';
	lseek(fd, 0, SEEK_SET);
	archive_read_support_format_cpio(a);
	assert_int_equal(archive_read_open_fd(a, fd, 65536), ARCHIVE_OK);
	while (archive_read_next_header(a, &entry) == ARCHIVE_OK) {
		if (strcmp(archive_entry_pathname(entry), name))
			continue;
		n++;
		if (archive_entry_filetype(entry) == AE_IFLNK)
			snprintf(target, size, "%s", archive_entry_symlink(entry));
	}
	archive_read_free(a);
	return n;
}

static int holds(const char *name)
{
	char target[4096];

	return find(name, target, sizeof(target));
}

static void write_file(const char *name, const char *text, mode_t mode)
{
	chmod(folder_put(name, text), mode);
}

/* `with` and `more` may be NULL. */
static void build(const char *run, const char *with, const char *more)
{
	struct vm_options o = {
		.kernel = "none", .run = run, .with = { with, more }, .nr_with = !!with + !!more
	};
	char why[1024] = "";

	close(fd);
	fd = initramfs_build(&o, why, sizeof(why));
	if (fd < 0)
		fail_msg("%s", why);
}

TEST(the_programs_of_a_command_and_the_shell_are_copied_once)
{
	build("env true && /usr/bin/env env; no-such-program --env=sort", NULL, NULL);
	assert_int_equal(holds("bin/sh"), 1);
	assert_int_equal(holds("usr/bin/env"), 1);
	assert_int_equal(holds("usr/bin/perl"), 0);
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
	build(NULL, NULL, NULL);
	assert_int_equal(holds("bin/sh"), 0);
	assert_int_equal(holds("bin/rssck"), 1);
}

TEST(a_script_brings_its_interpreter)
{
	write_file("script", "#!/usr/bin/env -S sed -f\n", 0755);
	build(in_folder("script"), NULL, NULL);
	assert_int_equal(holds(in_folder("script") + 1), 1);
	assert_int_equal(holds("usr/bin/env"), 1);
}

TEST(folders_are_copied_whole)
{
	write_file("deep/data", "1\n", 0644);
	build("true", in_folder("deep"), NULL);
	assert_int_equal(holds(in_folder("deep/data") + 1), 1);
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

static void make_link(const char *target, const char *name)
{
	char *path = in_folder("%s", name);

	unlink(path);
	assert_int_equal(symlink(target, path), 0);
}

/*
 * Checks that folder/NAME in the guest is a link to folder/TARGET, and that the target is in the
 * archive once.
 */
static void assert_leads(const char *name, const char *to)
{
	char target[4096];

	find(in_folder("%s", name) + 1, target, sizeof(target));
	assert_string_equal(target, in_folder("%s", to));
	assert_int_equal(holds(in_folder("%s", to) + 1), 1);
}

static void build_in_folder(const char *name)
{
	build("true", in_folder("%s", name), NULL);
}

TEST(a_link_is_copied_with_its_target)
{
	write_file("target", "1\n", 0644);
	make_link("target", "relative");
	make_link(in_folder("target"), "absolute");
	make_link("absolute", "two-steps");
	build_in_folder("relative");
	assert_leads("relative", "target");
	build_in_folder("absolute");
	assert_leads("absolute", "target");
	build_in_folder("two-steps");
	assert_leads("two-steps", "target");
}

TEST(a_path_through_a_link_exists_in_the_guest)
{
	make_link(".", "here");
	write_file("target", "1\n", 0644);
	build_in_folder("here/target");
	assert_leads("here/target", "target");
}

TEST(a_link_to_a_folder_is_copied_with_the_folder)
{
	write_file("whole/data", "1\n", 0644);
	make_link("whole", "to-folder");
	build_in_folder("to-folder");
	assert_leads("to-folder", "whole");
	assert_int_equal(holds(in_folder("whole/data") + 1), 1);
}

/*
 * Carrying twice/data makes `twice` a folder in the guest, so `twice` can no longer be a link. The
 * content of the link's target is copied into the folder instead.
 */
TEST(a_link_that_is_a_folder_in_the_guest_becomes_a_copy)
{
	write_file("real/data", "1\n", 0644);
	make_link("real", "twice");
	build(NULL, in_folder("twice/data"), in_folder("twice"));
	assert_int_equal(holds(in_folder("twice/data") + 1), 1);
}

TEST(a_relative_path_exists_from_the_root)
{
	char before[4096];

	write_file("target", "1\n", 0644);
	make_link("target", "relative");
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(in_folder(".")), 0);
	build("true", "./relative", NULL);
	assert_int_equal(chdir(before), 0);
	assert_leads("relative", "target");
}

TEST(a_link_to_its_own_folder_stays_a_link)
{
	char target[4096];

	mkdir(in_folder("round"), 0755);
	make_link("../round", "round/again");
	make_link("nothing", "round/loose");
	build_in_folder("round");
	assert_leads("round/again", "round");
	find(in_folder("round/loose") + 1, target, sizeof(target));
	assert_string_equal(target, "nothing");
}

static void assert_refused(const char *name, const char *reason)
{
	char *path = in_folder("%s", name), wanted[256], why[1024] = "";
	struct vm_options o = { .kernel = "none", .with = { path }, .nr_with = 1 };

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

FIXTURE(close_archive)
{
	close(fd);
	return 0;
}

TESTS_SHARE(NULL, close_archive);
