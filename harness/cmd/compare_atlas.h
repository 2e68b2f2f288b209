// SPDX-License-Identifier: MIT
#ifndef RSSCK_CMD_COMPARE_ATLAS_H
#define RSSCK_CMD_COMPARE_ATLAS_H

enum { COMPARE_AGAIN_MAX = 2 };

/*
 * Compares two records of rssck atlas, the first two of `paths`. Further paths are records of the
 * same kernels, because differences between records of one kernel are noise. `output` is a file, or
 * NULL. `as_case` is the file to which the shortest sequence that differs is written as a case, or
 * NULL. Returns the exit status of rssck compare.
 */
int compare_atlas(const char *const *paths, unsigned nr, const char *output, const char *as_case);

#endif
