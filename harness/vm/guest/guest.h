// SPDX-License-Identifier: MIT
/* rssck as init of a virtual machine. */
#ifndef RSSCK_VM_GUEST_H
#define RSSCK_VM_GUEST_H

/* Mounts the file systems, runs check, sends the results, and ends the machine. */
int guest_main(void) __attribute__((noreturn));

/*
 * Reads the words in a file, each NUL-terminated, into a list that ends with NULL. `first`, unless
 * NULL, is inserted before them. The list is never freed. Returns NULL if there is no memory or no
 * such file.
 */
char **arguments_read(const char *path, char *first);

#endif
