// SPDX-License-Identifier: MIT
/*
 * Unpacks a kernel with an external program, which libarchive runs. Linking the decompression
 * libraries would add them to every guest.
 */
#include "base/regular.h"
#include "kernel.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

/*
 * The header of drivers/firmware/efi/libstub/zboot-header.S: offsets of the payload and its
 * compression.
 */
enum { ZBOOT_MAGIC = 4, ZBOOT_OFFSET = 8, ZBOOT_SIZE = 12, ZBOOT_TYPE = 24, ZBOOT_HEADER = 56 };

static const struct {
	const char *name, *magic, *command;
	size_t length;
} packers[] = {
	{ "gzip", "\x1f\x8b", "gzip -dc", 2 },
	{ "zstd", "\x28\xb5\x2f\xfd", "zstd -qdc", 4 },
	{ "xz",
	  "\xfd"
	  "7zXZ",
	  "xz -dc", 5 },
	{ "lzma", "\x5d\0\0", "xz --format=lzma -dc", 3 },
};

enum { NR_PACKERS = sizeof(packers) / sizeof(*packers) };

static bool is_zboot(const unsigned char *header, size_t length)
{
	return length >= ZBOOT_HEADER && !memcmp(header, "MZ", 2) &&
	       !memcmp(header + ZBOOT_MAGIC, "zimg", 4);
}

static const char *command_for(const unsigned char *bytes, size_t length)
{
	for (size_t i = 0; i < NR_PACKERS; i++)
		if (length >= packers[i].length &&
		    !memcmp(bytes, packers[i].magic, packers[i].length))
			return packers[i].command;
	return NULL;
}

bool is_packed(const unsigned char *header, size_t length)
{
	return is_zboot(header, length) || command_for(header, length);
}

static uint32_t little_endian(const unsigned char *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/*
 * Unpacks `bytes` with `command`, such as "gzip -dc", and writes its output into `fd`. Returns
 * libarchive's status.
 */
static int unpack_into(struct archive *a, const char *command, const void *bytes, size_t length,
		       int fd)
{
	struct archive_entry *entry;
	int status;

	archive_read_support_format_raw(a);
	archive_read_support_filter_program(a, command);
	status = archive_read_open_memory(a, bytes, length);
	if (status == ARCHIVE_OK)
		status = archive_read_next_header(a, &entry);
	return status == ARCHIVE_OK ? archive_read_data_into_fd(a, fd) : status;
}

static int payload_unpack(const unsigned char *bytes, size_t length, const char *path, char *why,
			  size_t size)
{
	const char *command = command_for(bytes, length);
	int fd = memfd_create("rssck-kernel", MFD_CLOEXEC), status = ARCHIVE_FATAL;
	struct archive *a = archive_read_new();

	if (fd >= 0 && a && command)
		status = unpack_into(a, command, bytes, length, fd);
	if (status != ARCHIVE_OK)
		snprintf(why, size,
			 "%s: cannot unpack it%s%s: %s; give the image before it "
			 "was packed (Image)",
			 path, command ? " by " : "", command ? command : "",
			 !command                       ? "unknown compression"
			 : a && archive_error_string(a) ? archive_error_string(a)
							: strerror(errno));
	archive_read_free(a);
	if (status == ARCHIVE_OK)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static int bytes_unpack(const unsigned char *bytes, size_t length, const char *path, char *why,
			size_t size)
{
	uint32_t offset, payload;

	if (!is_zboot(bytes, length))
		return payload_unpack(bytes, length, path, why, size);
	offset = little_endian(bytes + ZBOOT_OFFSET);
	payload = little_endian(bytes + ZBOOT_SIZE);
	if (offset <= length && payload <= length - offset)
		return payload_unpack(bytes + offset, payload, path, why, size);
	snprintf(
		why, size,
		"%s: the file is truncated: it has %zu bytes, and its payload ends at %llu; build or fetch "
		"it again",
		path, length, (unsigned long long)offset + payload);
	return -1;
}

int image_unpack(const char *path, char *why, size_t size)
{
	const char *reason = "mmap(2) fails";
	off_t length = 0;
	int unpacked = -1, fd = regular_open(path, &length, &reason);
	void *bytes = fd < 0 ? MAP_FAILED : mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);

	if (fd >= 0)
		close(fd);
	if (bytes == MAP_FAILED) {
		snprintf(why, size, "%s: %s", path, reason);
		return -1;
	}
	unpacked = bytes_unpack(bytes, length, path, why, size);
	munmap(bytes, length);
	return unpacked;
}
