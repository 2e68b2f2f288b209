// SPDX-License-Identifier: MIT
/*
 * Looks at a kernel image before the boot: QEMU itself boots anything, and a
 * wrong file would only show as a machine that stays silent.
 */
#include "kernel.h"
#include "base/regular.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Documentation/arch/x86/boot.rst: offsets in the first two sectors of a bzImage. */
enum {
	SETUP_SECTORS = 0x1f1,
	SYSTEM_SIZE = 0x1f4,
	MAGIC = 0x202,
	VERSION = 0x206,
	XLOADFLAGS = 0x236,
	INIT_SIZE = 0x260,
	HEADER_SIZE = 0x264,

	SECTOR = 512,
	PARAGRAPH = 16,
	DEFAULT_SETUP_SECTORS = 4,
	VERSION_WITH_XLOADFLAGS = 0x20c,
	LOADS_64_BIT = 1,
};

static uint32_t little_endian(const unsigned char *header, size_t offset, size_t length)
{
	uint32_t value = 0;

	while (length--)
		value = value << 8 | header[offset + length];
	return value;
}

static int bzimage_check(struct image *image, const unsigned char *header, const char *path,
			 char *why, size_t size)
{
	uint32_t sectors = header[SETUP_SECTORS] ? header[SETUP_SECTORS] : DEFAULT_SETUP_SECTORS;
	uint64_t whole = (sectors + 1) * SECTOR +
			 (uint64_t)little_endian(header, SYSTEM_SIZE, 4) * PARAGRAPH;

	if (image->bytes < whole) {
		snprintf(why, size,
			 "%s: truncated bzImage: it has %llu bytes of the %llu that its header "
			 "promises; "
			 "build or fetch it again",
			 path, (unsigned long long)image->bytes, (unsigned long long)whole);
		return -1;
	}
	if (little_endian(header, VERSION, 2) >= VERSION_WITH_XLOADFLAGS &&
	    !(little_endian(header, XLOADFLAGS, 2) & LOADS_64_BIT)) {
		snprintf(why, size,
			 "%s: a 32-bit kernel, and this rssck is a 64-bit program; build with "
			 "CONFIG_64BIT=y",
			 path);
		return -1;
	}
	image->init_size = little_endian(header, INIT_SIZE, 4);
	return 0;
}

static int vmlinux_check(struct image *image, const unsigned char *header, const char *path,
			 char *why, size_t size)
{
	Elf64_Ehdr elf;

	memcpy(&elf, header, sizeof(elf));
	if (elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_machine != EM_X86_64 ||
	    elf.e_type != ET_EXEC) {
		snprintf(why, size,
			 "%s: an ELF file, but no x86-64 kernel; give arch/x86/boot/bzImage or "
			 "vmlinux",
			 path);
		return -1;
	}
	/* the section headers are the last thing in a vmlinux */
	if (image->bytes < elf.e_shoff + (uint64_t)elf.e_shnum * elf.e_shentsize) {
		snprintf(why, size,
			 "%s: truncated vmlinux: it has %llu bytes and its section headers lie at "
			 "%llu; "
			 "build or fetch it again",
			 path, (unsigned long long)image->bytes, (unsigned long long)elf.e_shoff);
		return -1;
	}
	image->init_size = 0;
	return 0;
}

static int header_read(struct image *image, unsigned char *header, const char *path, char *why,
		       size_t size)
{
	const char *reason = NULL;
	ssize_t got = -1;
	off_t length = 0;
	int fd = regular_open(path, &length, &reason);

	if (fd >= 0) {
		got = pread(fd, header, HEADER_SIZE, 0);
		image->bytes = length;
		reason = got < 0 ? strerror(errno) : NULL;
	}
	if (got < 0)
		snprintf(why, size,
			 "%s: cannot be read: %s; give --kernel a bzImage, or vmlinux, that you "
			 "may read",
			 path, reason);
	if (fd >= 0)
		close(fd);
	if (got >= 0 && got < HEADER_SIZE) {
		snprintf(why, size,
			 "%s: not a kernel image: it has only %zd bytes; give --kernel "
			 "arch/x86/boot/bzImage",
			 path, got);
		return -1;
	}
	return got < 0 ? -1 : 0;
}

int image_check(struct image *image, const char *path, char *why, size_t size)
{
	unsigned char header[HEADER_SIZE];

	if (header_read(image, header, path, why, size))
		return -1;
	if (!memcmp(header + MAGIC, "HdrS", 4))
		return bzimage_check(image, header, path, why, size);
	if (!memcmp(header, ELFMAG, SELFMAG))
		return vmlinux_check(image, header, path, why, size);
	snprintf(why, size,
		 "%s: not a kernel image: neither a bzImage (no \"HdrS\" at %#x) nor an ELF "
		 "vmlinux; "
		 "give --kernel arch/x86/boot/bzImage",
		 path, MAGIC);
	return -1;
}
