// SPDX-License-Identifier: MIT
/*
 * Checks a kernel image before the boot, because QEMU boots any file, and with a wrong file the
 * machine would only be silent.
 */
#include "kernel.h"
#include "base/regular.h"

#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Offsets in the first two sectors of a bzImage (Documentation/arch/x86/boot.rst). */
enum {
	SETUP_SECTORS = 0x1f1,
	SYSTEM_SIZE = 0x1f4,
	MAGIC = 0x202,
	VERSION = 0x206,
	XLOADFLAGS = 0x236,
	INIT_SIZE = 0x260,
	HEADER_LEAST = 0x264,

	SECTOR = 512,
	PARAGRAPH = 16,
	DEFAULT_SETUP_SECTORS = 4,
	VERSION_WITH_XLOADFLAGS = 0x20c,
	LOADS_64_BIT = 1,
};

/*
 * Offsets in the header that arm64 and riscv share (Documentation/arch/arm64/booting.rst,
 * arch/riscv/boot-image-header.rst).
 */
enum {
	IMAGE_SIZE = 16,
	IMAGE_FLAGS = 24,
	IMAGE_MAGIC = 56,
	PAGE_SIZE_SHIFT = 1,
	PAGE_SIZE_MASK = 3
};

/* arch/s390/boot/head.S: the magic follows the part that a card reader would load. */
enum { S390_MAGIC = 0x10008, HEADER_SIZE = S390_MAGIC + 8 };

static uint32_t little_endian(const unsigned char *header, size_t offset, size_t length)
{
	uint32_t value = 0;

	while (length--)
		value = value << 8 | header[offset + length];
	return value;
}

static int truncated(const struct image *image, const char *path, const char *what, uint64_t whole,
		     char *why, size_t size)
{
	snprintf(
		why, size,
		"%s: this %s is truncated: it has only %llu of the %llu bytes that its header names; "
		"build or fetch it again",
		path, what, (unsigned long long)image->bytes, (unsigned long long)whole);
	return -1;
}

static int bzimage_check(struct image *image, const unsigned char *header, const char *path,
			 char *why, size_t size)
{
	uint32_t sectors = header[SETUP_SECTORS] ? header[SETUP_SECTORS] : DEFAULT_SETUP_SECTORS;
	uint64_t whole = (sectors + 1) * SECTOR +
			 (uint64_t)little_endian(header, SYSTEM_SIZE, 4) * PARAGRAPH;
	bool is_32_bit = little_endian(header, VERSION, 2) >= VERSION_WITH_XLOADFLAGS &&
			 !(little_endian(header, XLOADFLAGS, 2) & LOADS_64_BIT);

	if (image->bytes < whole)
		return truncated(image, path, "bzImage", whole, why, size);
	image->board = board_find(is_32_bit ? "i386" : "amd64");
	image->init_size = little_endian(header, INIT_SIZE, 4);
	return 0;
}

/*
 * Returns the end of a vmlinux, which is the end of its section headers. Returns 0 for a big-endian
 * or 32-bit file, whose header is not read.
 */
static uint64_t vmlinux_end(const struct elf_kind *kind, const unsigned char *header)
{
	Elf64_Ehdr elf;

	memcpy(&elf, header, sizeof(elf));
	if (kind->bits != ELFCLASS64 || kind->order != ELFDATA2LSB)
		return 0;
	return elf.e_shoff + (uint64_t)elf.e_shnum * elf.e_shentsize;
}

static int vmlinux_check(struct image *image, const struct elf_kind *kind,
			 const unsigned char *header, const char *path, char *why, size_t size)
{
	const struct board *board = board_of_elf(kind);
	uint16_t type = little_endian(header, offsetof(Elf64_Ehdr, e_type), 2);

	if (board && !board->boots_elf) {
		snprintf(why, size, "%s: QEMU does not boot an ELF file for %s; give %s", path,
			 board->name, board->image);
		return -1;
	}
	/*
	 * current programs are ET_DYN; the vmlinux of a relocatable ppc64el kernel is ET_DYN, too
	 */
	if (!board ||
	    (kind->order == ELFDATA2LSB && type != ET_EXEC && kind->machine != EM_PPC64)) {
		snprintf(why, size,
			 "%s: this ELF file is not a kernel for x86-64, ppc64el or s390x; give "
			 "arch/x86/boot/bzImage or vmlinux",
			 path);
		return -1;
	}
	if (image->bytes < vmlinux_end(kind, header))
		return truncated(image, path, "vmlinux", vmlinux_end(kind, header), why, size);
	image->board = board;
	return 0;
}

/* Reads the header of an Image. The kernel needs more memory than the size of its file. */
static int flat_check(struct image *image, const char *name, const unsigned char *header)
{
	static const unsigned sizes[] = { 0, 4096, 16384, 65536 };
	uint32_t flags = little_endian(header, IMAGE_FLAGS, 4);

	image->board = board_find(name);
	image->init_size = little_endian(header, IMAGE_SIZE, 4);
	image->page_size = strcmp(name, "arm64") ? 0
						 : sizes[flags >> PAGE_SIZE_SHIFT & PAGE_SIZE_MASK];
	return 0;
}

static ssize_t header_read(struct image *image, unsigned char *header, const char *path, char *why,
			   size_t size)
{
	const char *reason = NULL;
	ssize_t got = -1;
	off_t length = 0;
	int fd = regular_open(path, &length, &reason);

	memset(header, 0, HEADER_SIZE);
	if (fd >= 0) {
		got = pread(fd, header, HEADER_SIZE, 0);
		image->bytes = length;
		reason = got < 0 ? strerror(errno) : NULL;
	}
	if (got < 0)
		snprintf(why, size,
			 "%s: cannot read it: %s; give --kernel a bzImage or vmlinux that you "
			 "may read",
			 path, reason);
	if (fd >= 0)
		close(fd);
	if (got >= 0 && got < HEADER_LEAST) {
		snprintf(why, size,
			 "%s is not a kernel image: it has only %zd bytes; give --kernel "
			 "arch/x86/boot/bzImage",
			 path, got);
		return -1;
	}
	return got;
}

static int recognise(struct image *image, const unsigned char *header, const char *path, char *why,
		     size_t size)
{
	struct elf_kind kind;

	if (!memcmp(header + MAGIC, "HdrS", 4))
		return bzimage_check(image, header, path, why, size);
	if (!elf_kind_read(&kind, header, HEADER_SIZE))
		return vmlinux_check(image, &kind, header, path, why, size);
	if (!memcmp(header + IMAGE_MAGIC, "ARM\x64", 4))
		return flat_check(image, "arm64", header);
	if (!memcmp(header + IMAGE_MAGIC, "RSC\x05", 4))
		return flat_check(image, "riscv64", header);
	if (!memcmp(header + S390_MAGIC, "S390EP", 6)) {
		image->board = board_find("s390x");
		return 0;
	}
	snprintf(why, size,
		 "%s is not a kernel image: it is not a bzImage (no \"HdrS\" at %#x), not an "
		 "Image of arm64 or riscv64, and not an ELF vmlinux; give --kernel "
		 "arch/x86/boot/bzImage",
		 path, MAGIC);
	return -1;
}

int image_check(struct image *image, const char *path, char *why, size_t size)
{
	unsigned char header[HEADER_SIZE];
	char inside[64];
	int result;

	*image = (struct image) { .fd = -1 };
	if (header_read(image, header, path, why, size) < 0)
		return -1;
	if (!is_packed(header, HEADER_SIZE))
		return recognise(image, header, path, why, size);
	image->fd = image_unpack(path, why, size);
	if (image->fd < 0)
		return -1;
	snprintf(inside, sizeof(inside), "/proc/self/fd/%d", image->fd);
	result = header_read(image, header, inside, why, size) < 0 ||
		 recognise(image, header, path, why, size);
	if (!result)
		return 0;
	close(image->fd);
	image->fd = -1;
	return -1;
}
