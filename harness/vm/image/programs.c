// SPDX-License-Identifier: MIT
/*
 * Finds the programs for a guest. Programs of another machine must be static, because the loader
 * that would list their libraries does not run here.
 */
#include "programs.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static ssize_t program_read(const char *path, struct elf_kind *kind, unsigned char *header,
			    size_t length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : pread(fd, header, length, 0);

	if (fd >= 0)
		close(fd);
	if (got >= 0 && elf_kind_read(kind, header, got)) {
		errno = ENOEXEC;
		return -1;
	}
	return got;
}

bool programs_are_ours(const struct board *b)
{
	unsigned char header[sizeof(Elf64_Ehdr)];
	struct elf_kind kind;

	return program_read("/proc/self/exe", &kind, header, sizeof(header)) > 0 &&
	       board_runs(b, &kind);
}

int programs_own_folder(char *folder, size_t length, char *why, size_t size)
{
	char path[PATH_MAX];
	ssize_t got = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (got < 0) {
		snprintf(why, size, "/proc/self/exe: %s; mount /proc", strerror(errno));
		return -1;
	}
	path[got] = '\0';
	snprintf(folder, length, "%s", dirname(path));
	return 0;
}

static uint16_t half(const unsigned char *header, size_t at, unsigned char order)
{
	return order == ELFDATA2MSB ? header[at] << 8 | header[at + 1]
				    : header[at + 1] << 8 | header[at];
}

/* True if one of the segments in the header names a loader. */
static bool has_loader(const unsigned char *header, size_t length, const struct elf_kind *kind)
{
	bool wide = kind->bits == ELFCLASS64;
	size_t first = wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	size_t each = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	size_t nr = half(header,
			 wide ? offsetof(Elf64_Ehdr, e_phnum) : offsetof(Elf32_Ehdr, e_phnum),
			 kind->order);
	size_t low = kind->order == ELFDATA2MSB ? 2 : 0;

	/*
	 * riscv64 has an additional segment type whose lower half is the same, so both halves are
	 * compared
	 */
	for (size_t i = 0; i < nr && first + (i + 1) * each <= length; i++)
		if (half(header, first + i * each + low, kind->order) == PT_INTERP &&
		    !half(header, first + i * each + 2 - low, kind->order))
			return true;
	return false;
}

static int program_check(const char *path, const struct board *b, char *why, size_t size)
{
	unsigned char header[4096];
	struct elf_kind kind;
	ssize_t got = program_read(path, &kind, header, sizeof(header));
	const char *wrong = NULL;

	if (got < 0)
		wrong = strerror(errno);
	else if (!board_runs(b, &kind))
		wrong = "a program of another machine";
	else if (has_loader(header, got, &kind))
		wrong = "not a static program";
	if (!wrong)
		return 0;
	snprintf(
		why, size,
		"%s: %s; a guest of %s needs rssck built for it: run make cross ARCH=%s, or name a "
		"folder with a static rssck and rssck-workload with --programs",
		path, wrong, b->name, b->name);
	return -1;
}

int programs_find(const struct vm_options *o, char *folder, size_t length, char *why, size_t size)
{
	static const char *const names[] = { "rssck", "rssck-workload" };
	char path[PATH_MAX], own[PATH_MAX];

	if (o->programs)
		snprintf(folder, length, "%s", o->programs);
	else if (programs_own_folder(own, sizeof(own), why, size))
		return -1;
	else
		snprintf(folder, length, "%s/build/cross/%s", own, o->board->name);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%.4000s/%s", folder, names[i]);
		if (program_check(path, o->board, why, size))
			return -1;
	}
	return 0;
}
