// SPDX-License-Identifier: MIT
#ifndef RSSCK_PATH_H
#define RSSCK_PATH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Look for a program in folders with ':' between them (NULL: none): its path into
 * `path`. A name with a slash is its own path. False where there is no such program.
 */
bool path_find(const char *name, const char *folders, char *path, size_t size);

/* The same in $PATH and in the sbin folders, which $PATH may lack. */
bool path_find_program(const char *name, char *path, size_t size);

/*
 * A program of ours: beside rssck, or below libexec where it is installed. Where ld.so was told to
 * run rssck, /proc/self/exe is ld.so, and argv[0] leads to rssck. False with errno, and the path
 * that was looked at first.
 */
bool path_beside(const char *name, char *path, size_t size);

#endif
