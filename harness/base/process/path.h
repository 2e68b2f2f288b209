// SPDX-License-Identifier: MIT
#ifndef RSSCK_PATH_H
#define RSSCK_PATH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Looks for a program in `folders`, separated by ':' (NULL for none), and writes its path into
 * `path`. A name with a slash is used as a path. Returns false if there is no such program.
 */
bool path_find(const char *name, const char *folders, char *path, size_t size);

/* Like path_find(), in $PATH and then in the usual folders, which $PATH may lack. */
bool path_find_program(const char *name, char *path, size_t size);

/*
 * Looks for one of rssck's own programs, in rssck's folder and in libexec. If rssck was started
 * through ld.so, /proc/self/exe is ld.so, so the folder of argv[0] is tried, too. On failure
 * returns false with errno, and `path` is the first path tried, or /proc/self/exe if that link
 * cannot be read.
 */
bool path_beside(const char *name, char *path, size_t size);

#endif
