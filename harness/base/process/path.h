// SPDX-License-Identifier: MIT
#ifndef RSSCK_PATH_H
#define RSSCK_PATH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Looks for a program in folders separated by ':' (NULL: none) and writes its path into
 * `path`. A name with a slash is a path already. False if there is no such program.
 */
bool path_find(const char *name, const char *folders, char *path, size_t size);

/* The same in $PATH and in the sbin folders, which $PATH may lack. */
bool path_find_program(const char *name, char *path, size_t size);

/*
 * A program of rssck's: in the folder of rssck, or below libexec if installed. If rssck was
 * started by naming ld.so, /proc/self/exe is ld.so, and argv[0] gives the folder. False with
 * errno, and with the path that was tried first.
 */
bool path_beside(const char *name, char *path, size_t size);

#endif
