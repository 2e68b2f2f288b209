// SPDX-License-Identifier: MIT
/* A workload that an emulator runs is distinguished from one that the machine runs. */
#include "engine/workload/emulated.h"
#include "tests/support/test.h"
#include <elf.h>

static char why[256];

/* A file that begins as this program does, made for `machine`. */
static void write_program(char *path, Elf32_Half machine)
{
	FILE *self = fopen("/proc/self/exe", "re");
	Elf32_Ehdr head;
	int fd = mkstemp(path);

	assert_non_null(self);
	assert_int_equal(fread(&head, sizeof(head), 1, self), 1);
	fclose(self);
	head.e_machine = machine;
	assert_int_equal(write(fd, &head, sizeof(head)), sizeof(head));
	close(fd);
}

TEST(a_process_of_its_own_program_is_not_emulated)
{
	assert_false(emulated(getpid(), "/proc/self/exe", why, sizeof(why)));
}

TEST(a_process_of_another_machine_is_and_its_emulator_is_named)
{
	char path[] = "/tmp/rssck-test.XXXXXX", exe[200] = "";

	write_program(path, EM_68K);
	assert_true(emulated(getpid(), path, why, sizeof(why)));
	unlink(path);
	assert_true(readlink("/proc/self/exe", exe, sizeof(exe) - 1) > 0);
	assert_says(why, strrchr(exe, '/'));
}

TEST(another_program_for_this_machine_is_named_too)
{
	char path[] = "/tmp/rssck-test.XXXXXX";
	Elf32_Ehdr own;
	FILE *self = fopen("/proc/self/exe", "re");

	assert_non_null(self);
	assert_int_equal(fread(&own, sizeof(own), 1, self), 1);
	fclose(self);
	write_program(path, own.e_machine);
	assert_true(emulated(getpid(), path, why, sizeof(why)));
	unlink(path);
}

TEST(what_cannot_be_read_is_no_reason)
{
	assert_false(emulated(getpid(), "/nonexistent", why, sizeof(why)));
	assert_false(emulated(0, "/proc/self/exe", why, sizeof(why)));
	assert_false(emulated(getpid(), "/proc/self/status", why, sizeof(why)));
}
