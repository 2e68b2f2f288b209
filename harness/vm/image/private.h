// SPDX-License-Identifier: MIT
/* The parts of the initramfs. Each function returns 0, or -1 with a sentence in i->why. */
#ifndef RSSCK_VM_INITRAMFS_PRIVATE_H
#define RSSCK_VM_INITRAMFS_PRIVATE_H

#include "initramfs.h"
#include "libraries.h"

#include <archive.h>
#include <limits.h>

enum { NAMES_MAX = 16384 };

struct initramfs {
	struct archive *archive;
	struct libraries *libraries;
	char *names[NAMES_MAX]; /* the names in the archive, so that no file is added a second time
				 */
	size_t nr_names;
	char library_folder[PATH_MAX];
	bool foreign; /* the guest is another machine: it cannot run programs of this one */
	char *why;
	size_t size;
};

/* Puts what libarchive says of that name into i->why. Returns -1. */
int initramfs_failed(struct initramfs *i, const char *name);

/* Add a file with that text. */
int initramfs_text(struct initramfs *i, const char *name, const char *text, size_t length);

/* Adds a file of the host under another name; an existing name is left alone. */
int initramfs_file(struct initramfs *i, const char *path, const char *name);

/* Adds the folders above a name, from the root down, because the kernel creates none itself. */
int initramfs_folders(struct initramfs *i, const char *name);

/* Adds a symbolic link. Returns 1, or 0 if the name exists already. */
int initramfs_link(struct initramfs *i, const char *target, const char *name);

/* A program with its loader and its libraries. */
int initramfs_program(struct initramfs *i, const char *path, const char *name);

/* The shell and the programs that o->run names; files and folders of o->with. */
int carry_command(struct initramfs *i, const struct vm_options *o);
int carry_paths(struct initramfs *i, const struct vm_options *o);

#endif
