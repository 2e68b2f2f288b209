// SPDX-License-Identifier: MIT
/* The guest's arguments. */
#ifndef RSSCK_GUEST_ARGUMENTS_H
#define RSSCK_GUEST_ARGUMENTS_H

/*
 * Reads the words in a file, each ended by a NUL, into a list that ends with NULL;
 * `first`, if not NULL, comes before them. They live as long as the guest. NULL: there is
 * no memory, or no such file.
 */
char **arguments_read(const char *path, char *first);

#endif
