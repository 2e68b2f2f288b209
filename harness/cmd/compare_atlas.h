// SPDX-License-Identifier: MIT
#ifndef RSSCK_CMD_COMPARE_ATLAS_H
#define RSSCK_CMD_COMPARE_ATLAS_H

enum { COMPARE_AGAIN_MAX = 2 };

/*
 * Two records of rssck atlas, followed by others of the same kernels: where these differ is noise.
 * `output`: a file, or NULL; `as_case`: the file that the shortest sequence that differs is written
 * to as a case, or NULL. Returns the exit status of rssck compare.
 */
int compare_atlas(const char *const *paths, unsigned nr, const char *output, const char *as_case);

#endif
