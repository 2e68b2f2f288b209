// SPDX-License-Identifier: MIT
#ifndef RSSCK_CMD_COMPARE_ATLAS_H
#define RSSCK_CMD_COMPARE_ATLAS_H

enum { COMPARE_AGAIN_MAX = 2 };

/*
 * Compares two records of rssck atlas. They are followed by others of the same kernels: what
 * differs between records of one kernel is noise. `output`: a file, or NULL; `as_case`: the file to
 * which the shortest sequence that differs is written as a case, or NULL. Returns the exit status
 * of rssck compare.
 */
int compare_atlas(const char *const *paths, unsigned nr, const char *output, const char *as_case);

#endif
