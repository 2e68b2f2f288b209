// SPDX-License-Identifier: MIT
/* The guest's arguments. */
#ifndef RSSCK_GUEST_ARGUMENTS_H
#define RSSCK_GUEST_ARGUMENTS_H

/*
 * The words in a file, each ended by a NUL: a list that ends with NULL, behind
 * `first`, if that is not NULL. They live as long as the guest. NULL: there is
 * no memory, or no such file.
 */
char **arguments_read(const char *path, char *first);

#endif
