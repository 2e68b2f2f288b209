// SPDX-License-Identifier: MIT
/* A workload that an emulator runs is distinguished from a workload that the machine runs. */
#include "engine/workload/emulated.h"
#include "tests/support/test.h"
#include <elf.h>

static char why[256];

/* Writes the ELF header of this program, but with another machine. */
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

TEST(a_native_process_is_not_emulated)
{
	assert_false(emulated(getpid(), "/proc/self/exe", why, sizeof(why)));
}

TEST(the_emulator_of_a_foreign_program_is_named)
{
	char path[] = "/tmp/rssck-test.XXXXXX", exe[200] = "";

	write_program(path, EM_68K);
	assert_true(emulated(getpid(), path, why, sizeof(why)));
	unlink(path);
	assert_true(readlink("/proc/self/exe", exe, sizeof(exe) - 1) > 0);
	assert_says(why, strrchr(exe, '/'));
}

TEST(an_emulator_of_a_native_program_is_named)
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

TEST(an_unreadable_program_is_not_called_emulated)
{
	assert_false(emulated(getpid(), "/nonexistent", why, sizeof(why)));
	assert_false(emulated(0, "/proc/self/exe", why, sizeof(why)));
	assert_false(emulated(getpid(), "/proc/self/status", why, sizeof(why)));
}
