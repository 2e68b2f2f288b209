// SPDX-License-Identifier: MIT
/* Identifies the file of a mapping by device and inode, never by name. */
#ifndef RSSCK_SCAN_KEY_H
#define RSSCK_SCAN_KEY_H

#include <rssck/snapshot.h>

/*
 * The inode of a System V segment is its number in an IPC namespace. Two namespaces can have the
 * same number on the same device, so the namespace is part of the key.
 */
struct file_key {
	unsigned dev_major, dev_minor;
	uint64_t inode;
	bool segment;     /* it is a System V segment */
	uint64_t ipc;     /* inode of its IPC namespace; 0: no segment, or unknown */
	const char *name; /* for people */
};

/*
 * Returns the key of a mapping's file. It is valid only while the mapping exists, because `name`
 * points into it.
 */
struct file_key file_key_of_mapping(const struct mapping *m, pid_t pid);

/*
 * Fills in *k with the key of a path, as maps would show it. Returns 0, or -1 with a message in
 * `why` if stat(2) fails.
 */
int file_key_of_path(struct file_key *k, const char *path, char *why, size_t size);

/* True if that mapping of process `pid` maps the file. */
bool file_key_has(const struct file_key *k, const struct mapping *m, pid_t pid);

#endif
