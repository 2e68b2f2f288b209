// SPDX-License-Identifier: MIT
/*
 * Finds a program's libraries by running its loader (`ld.so --list`), which lists the libraries and
 * does not run the program.
 */
#include "libraries.h"
#include "base/process/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads PT_INTERP into l->loader, which stays empty if the program has none. */
static int loader_read(struct libraries *l, int fd)
{
	Elf64_Ehdr elf;
	Elf64_Phdr segment;

	l->loader[0] = '\0';
	if (pread(fd, &elf, sizeof(elf), 0) != sizeof(elf) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG) || elf.e_ident[EI_CLASS] != ELFCLASS64)
		return -1;
	for (int i = 0; i < elf.e_phnum; i++) {
		if (pread(fd, &segment, sizeof(segment), elf.e_phoff + i * sizeof(segment)) !=
		    sizeof(segment))
			return -1;
		if (segment.p_type != PT_INTERP)
			continue;
		if (segment.p_filesz >= sizeof(l->loader) ||
		    pread(fd, l->loader, segment.p_filesz, segment.p_offset) !=
			    (ssize_t)segment.p_filesz)
			return -1;
		l->loader[segment.p_filesz] = '\0';
	}
	return 0;
}

/*
 * Parses a line of the loader's output: "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x...)".
 */
static int line_read(struct libraries *l, const char *line, const char *program, char *why,
		     size_t size)
{
	char name[NAME_MAX + 1], path[PATH_MAX];

	if (sscanf(line, " %255s => %4095s", name, path) != 2)
		return 0; /* the vdso, or the loader itself */
	if (path[0] != '/') {
		snprintf(why, size,
			 "%s: its library %s was not found; install the library, or build "
			 "the program again",
			 program, name);
		return -1;
	}
	if (l->count == LIBRARIES_MAX) {
		snprintf(why, size, "%s: more than %d libraries", program, LIBRARIES_MAX);
		return -1;
	}
	strcpy(l->list[l->count].name, name);
	strcpy(l->list[l->count].path, path);
	l->count++;
	return 0;
}

int libraries_find(struct libraries *l, const char *program, char *why, size_t size)
{
	char *save = NULL, *text;
	int result = 0, fd = open(program, O_RDONLY | O_CLOEXEC);

	l->count = 0;
	if (fd < 0 || loader_read(l, fd)) {
		snprintf(why, size, "%s: %s", program,
			 fd < 0 ? strerror(errno) : "not a 64-bit program of this machine");
		if (fd >= 0)
			close(fd);
		return -1;
	}
	close(fd);
	if (!l->loader[0])
		return 0;
	text = program_ask((char *[]) { l->loader, "--list", (char *)program, NULL }, why, size);
	if (!text)
		return -1;
	for (char *line = strtok_r(text, "\n", &save); line && !result;
	     line = strtok_r(NULL, "\n", &save))
		result = line_read(l, line, program, why, size);
	free(text);
	return result;
}
