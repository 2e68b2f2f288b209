// SPDX-License-Identifier: MIT
/* Draws address spaces. */
#ifndef RSSCK_COURSE_PICTURE_H
#define RSSCK_COURSE_PICTURE_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* Writes the SVG patterns that all pictures of a page use. Call it once for each page. */
void picture_patterns(FILE *out);

void picture_legend(FILE *out);

/* Draws the processes of a step, with a picture of each mapping that the case has made. */
void picture_put(const json_t *step, FILE *out);

/* Writes RES and PSS of each process: "parent: RES 3,892 kB, PSS 2,448 kB; child: ..." */
void picture_sizes(const json_t *record, const json_t *step, FILE *out);

/*
 * Draws `pages` pages as cells of `each` pages. `runs` has the format of space.h, and `words`
 * describes them.
 */
void picture_pages(const char *runs, uint64_t pages, uint64_t each, const char *words, FILE *out);

/* The number of pages that a cell must have so that `pages` pages fit into the picture. */
uint64_t picture_each(uint64_t pages);

#endif
