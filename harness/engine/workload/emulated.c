// SPDX-License-Identifier: MIT
/*
 * Detects another program that runs the workload: an emulator (qemu-user by binfmt_misc, Rosetta)
 * or valgrind.
 */
#include "emulated.h"
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Elf32_Half machine_of(const char *path)
{
	Elf32_Ehdr head = {
		.e_machine = EM_NONE
	}; /* up to e_machine, the 32-bit and 64-bit headers are equal */
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, &head, sizeof(head));

	if (fd >= 0)
		close(fd);
	if (n != (ssize_t)sizeof(head) || memcmp(head.e_ident, ELFMAG, SELFMAG))
		return EM_NONE;
	return head.e_machine;
}

/*
 * True if the files differ: valgrind --trace-children runs another program for the same machine,
 * which uses memory of its own.
 */
static bool is_another_file(const char *a, const char *b)
{
	struct stat x, y;

	/*
	 * The size is compared, too, because some file systems give a file a new inode number at
	 * each lookup.
	 */
	return stat(a, &x) == 0 && stat(b, &y) == 0 &&
	       (x.st_ino != y.st_ino || x.st_dev != y.st_dev) && x.st_size != y.st_size;
}

bool emulated(pid_t pid, const char *program, char *why, size_t size)
{
	Elf32_Half meant = machine_of(program), runs;
	char exe[32], name[128] = "";

	snprintf(exe, sizeof(exe), "/proc/%d/exe", (int)pid);
	runs = machine_of(exe);
	if (meant == EM_NONE || runs == EM_NONE ||
	    (meant == runs && !is_another_file(program, exe)))
		return false;
	if (readlink(exe, name, sizeof(name) - 1) < 0)
		snprintf(name, sizeof(name), "another program");
	if (meant == runs)
		snprintf(
			why, size,
			"%s runs the workload, and the kernel also counts that program's memory: start "
			"rssck without that program (valgrind: without --trace-children)",
			name);
	else
		snprintf(why, size,
			 "%s emulates the workload's CPU, and the kernel counts the "
			 "emulator's memory: use an rssck built for this machine",
			 name);
	return true;
}
