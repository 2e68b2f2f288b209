// SPDX-License-Identifier: MIT
/* The guest's arguments. */
#ifndef RSSCK_GUEST_ARGUMENTS_H
#define RSSCK_GUEST_ARGUMENTS_H

/*
 * Reads the words in a file, each NUL-terminated, into a list that ends with NULL. `first`, unless
 * NULL, is inserted before them. The list is never freed. Returns NULL if there is no memory or no
 * such file.
 */
char **arguments_read(const char *path, char *first);

#endif
