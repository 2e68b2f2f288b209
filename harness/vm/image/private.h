// SPDX-License-Identifier: MIT
/*
 * The parts of the initramfs. The functions return 0 (initramfs_link() also 1), or -1 with a
 * sentence in i->why.
 */
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
	char *names[NAMES_MAX]; /* all names in the archive, so that no file is added twice */
	size_t nr_names;
	char library_folder[PATH_MAX];
	bool foreign; /* the guest is another machine and cannot run programs of this one */
	char *why;
	size_t size;
};

/* Writes libarchive's error about `name` into i->why. Returns -1. */
int initramfs_failed(struct initramfs *i, const char *name);

/* Adds a file with this text. */
int initramfs_text(struct initramfs *i, const char *name, const char *text, size_t length);

/* Adds a file of the host under another name. Does nothing if the name exists already. */
int initramfs_file(struct initramfs *i, const char *path, const char *name);

/*
 * Adds the folders above a name, beginning at the root, because the kernel creates no missing
 * folder.
 */
int initramfs_folders(struct initramfs *i, const char *name);

/* Adds a symbolic link. Returns 1, or 0 if the name exists already. */
int initramfs_link(struct initramfs *i, const char *target, const char *name);

/* Adds a program with its loader and its libraries. */
int initramfs_program(struct initramfs *i, const char *path, const char *name);

/*
 * carry_command() adds the shell and the programs that o->run names; carry_paths() adds the files
 * and folders in o->with.
 */
int carry_command(struct initramfs *i, const struct vm_options *o);
int carry_paths(struct initramfs *i, const struct vm_options *o);

#endif
