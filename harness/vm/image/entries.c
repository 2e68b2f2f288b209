// SPDX-License-Identifier: MIT
/* Writes files, folders, links, and programs with their libraries into the initramfs. */
#include "base/regular.h"
#include "private.h"

#include <archive_entry.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	FOLDER = S_IFDIR | 0755,
	PROGRAM = S_IFREG | 0755,
	TEXT = S_IFREG | 0644,
	LINK = S_IFLNK | 0777,
};

int initramfs_failed(struct initramfs *i, const char *name)
{
	snprintf(i->why, i->size, "initramfs: %s: %s", name, archive_error_string(i->archive));
	return -1;
}

/* Returns 1 if the name is new, 0 if it exists already, -1 if there are too many names. */
static int name_is_new(struct initramfs *i, const char *name)
{
	for (size_t n = 0; n < i->nr_names; n++)
		if (!strcmp(i->names[n], name))
			return 0;
	if (i->nr_names == NAMES_MAX || !(i->names[i->nr_names] = strdup(name))) {
		snprintf(i->why, i->size, "initramfs: %s: more than %d files", name, NAMES_MAX);
		return -1;
	}
	i->nr_names++;
	return 1;
}

static int entry_write(struct initramfs *i, const char *name, mode_t mode, size_t length,
		       const char *target)
{
	struct archive_entry *entry = archive_entry_new();
	int result;

	archive_entry_set_pathname(entry, name + strspn(name, "/"));
	archive_entry_set_mode(entry, mode);
	archive_entry_set_nlink(entry, 1);
	archive_entry_set_size(entry, length);
	if (target)
		archive_entry_set_symlink(entry, target);
	result = archive_write_header(i->archive, entry);
	archive_entry_free(entry);
	return result == ARCHIVE_OK ? 0 : initramfs_failed(i, name);
}

static int header_write(struct initramfs *i, const char *name, mode_t mode, size_t length)
{
	return entry_write(i, name, mode, length, NULL);
}

int initramfs_folders(struct initramfs *i, const char *name)
{
	char folder[PATH_MAX];
	int is_new;

	for (const char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(folder, sizeof(folder), "%.*s", (int)(slash - name), name);
		is_new = name_is_new(i, folder);
		if (is_new < 0 || (is_new && header_write(i, folder, FOLDER, 0)))
			return -1;
	}
	return 0;
}

int initramfs_link(struct initramfs *i, const char *target, const char *name)
{
	int is_new = name_is_new(i, name);

	if (is_new <= 0)
		return is_new;
	return initramfs_folders(i, name) || entry_write(i, name, LINK, 0, target) ? -1 : 1;
}

int initramfs_text(struct initramfs *i, const char *name, const char *text, size_t length)
{
	if (initramfs_folders(i, name) || header_write(i, name, TEXT, length))
		return -1;
	return archive_write_data(i->archive, text, length) == (la_ssize_t)length
		       ? 0
		       : initramfs_failed(i, name);
}

static int content_write(struct initramfs *i, int fd, const char *path, off_t length)
{
	void *content;
	la_ssize_t written;

	if (!length)
		return 0;
	content = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
	if (content == MAP_FAILED) {
		snprintf(i->why, i->size, "%s: %s", path, strerror(errno));
		return -1;
	}
	written = archive_write_data(i->archive, content, length);
	munmap(content, length);
	return written == length ? 0 : initramfs_failed(i, path);
}

int initramfs_file(struct initramfs *i, const char *path, const char *name)
{
	const char *reason;
	off_t length;
	int fd, result, is_new = name_is_new(i, name);

	if (is_new <= 0)
		return is_new;
	fd = regular_open(path, &length, &reason);
	if (fd < 0) {
		snprintf(i->why, i->size, "%s: cannot read it: %s", path, reason);
		return -1;
	}
	result = initramfs_folders(i, name) || header_write(i, name, PROGRAM, length) ||
		 content_write(i, fd, path, length);
	close(fd);
	return result ? -1 : 0;
}

/* Finds libc's folder, which is the same in the host and in the guest. */
static void library_folder_find(struct initramfs *i)
{
	if (i->library_folder[0])
		return;
	for (size_t n = 0; n < i->libraries->count; n++) {
		if (strncmp(i->libraries->list[n].name, "libc.", strlen("libc.")))
			continue;
		strcpy(i->library_folder, i->libraries->list[n].path);
		dirname(i->library_folder);
	}
}

int initramfs_program(struct initramfs *i, const char *path, const char *name)
{
	char inside[2 * PATH_MAX];

	if (libraries_find(i->libraries, path, i->why, i->size))
		return -1;
	library_folder_find(i);
	for (size_t n = 0; n < i->libraries->count; n++) {
		snprintf(inside, sizeof(inside), "%s/%s", i->library_folder,
			 i->libraries->list[n].name);
		if (initramfs_file(i, i->libraries->list[n].path, inside))
			return -1;
	}
	if (i->libraries->loader[0] &&
	    initramfs_file(i, i->libraries->loader, i->libraries->loader))
		return -1;
	return initramfs_file(i, path, name);
}
