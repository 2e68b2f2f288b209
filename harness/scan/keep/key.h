// SPDX-License-Identifier: MIT
/* The file of a mapping: by device and inode, never by name. */
#ifndef RSSCK_SCAN_KEY_H
#define RSSCK_SCAN_KEY_H

#include <rssck/snapshot.h>

/*
 * The inode of a System V segment is its number in an IPC namespace: two
 * namespaces can have the same one, on the same device.
 */
struct file_key {
	unsigned dev_major, dev_minor;
	uint64_t inode;
	bool segment;     /* of System V shared memory */
	uint64_t ipc;     /* its IPC namespace; 0: not a segment, or not known */
	const char *name; /* for people */
};

/* Valid only as long as the mapping: `name` points into it. */
struct file_key file_key_of_mapping(const struct mapping *m, pid_t pid);

/*
 * The key of a path, as maps would show it; -1 with a sentence in `why` if there is no such file.
 */
int file_key_of_path(struct file_key *k, const char *path, char *why, size_t size);

/* True if that mapping of that process maps the file. */
bool file_key_has(const struct file_key *k, const struct mapping *m, pid_t pid);

#endif
