// SPDX-License-Identifier: MIT
/* A workload that an emulator runs is distinguished from a workload that the machine runs. */
#include "engine/workload/emulated.h"
#include "tests/support/files.h"
#include "tests/support/test.h"
#include <elf.h>

static char why[256];

static Elf32_Ehdr own_header(void)
{
	FILE *self = fopen("/proc/self/exe", "re");
	Elf32_Ehdr head;

	assert_non_null(self);
	assert_int_equal(fread(&head, sizeof(head), 1, self), 1);
	fclose(self);
	return head;
}

/* Writes the ELF header of this program, but with another machine. Returns its path. */
static const char *program_for(Elf32_Half machine)
{
	const char *path = folder_put("program", "");
	Elf32_Ehdr head = own_header();
	FILE *out = fopen(path, "we");

	head.e_machine = machine;
	assert_int_equal(fwrite(&head, sizeof(head), 1, out), 1);
	fclose(out);
	return path;
}

TEST(a_native_process_is_not_emulated)
{
	assert_false(emulated(getpid(), "/proc/self/exe", why, sizeof(why)));
}

TEST(the_emulator_of_a_foreign_program_is_named)
{
	char exe[200] = "";

	assert_true(emulated(getpid(), program_for(EM_68K), why, sizeof(why)));
	assert_true(readlink("/proc/self/exe", exe, sizeof(exe) - 1) > 0);
	assert_says(why, strrchr(exe, '/'));
}

TEST(an_emulator_of_a_native_program_is_named)
{
	assert_true(emulated(getpid(), program_for(own_header().e_machine), why, sizeof(why)));
}

TEST(an_unreadable_program_is_not_called_emulated)
{
	assert_false(emulated(getpid(), "/nonexistent", why, sizeof(why)));
	assert_false(emulated(0, "/proc/self/exe", why, sizeof(why)));
	assert_false(emulated(getpid(), "/proc/self/status", why, sizeof(why)));
}
