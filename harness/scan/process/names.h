// SPDX-License-Identifier: MIT
/* Undoes the kernel's escapes in names. */
#ifndef RSSCK_SCAN_NAMES_H
#define RSSCK_SCAN_NAMES_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Unescapes the Name of status, in place. proc_task_name() writes a newline as \n and a backslash
 * as two backslashes.
 */
void name_of_status(char *name);

/*
 * Unescapes the name of a mapping, in place. show_map_vma() writes a newline as \012, but does not
 * escape the four characters \012 themselves. The link in map_files shows the real name. If that
 * link may not be read, \012 is taken for a newline.
 */
void name_of_mapping(char *name, pid_t pid, uint64_t start, uint64_t end);

#endif
