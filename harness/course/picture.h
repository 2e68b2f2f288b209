// SPDX-License-Identifier: MIT
/* Draws an address space. */
#ifndef RSSCK_COURSE_PICTURE_H
#define RSSCK_COURSE_PICTURE_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* SVG patterns that all pictures of a page use; print them once for each page. */
void picture_patterns(FILE *out);

/* Explains the colours. */
void picture_legend(FILE *out);

/* Draws the processes of a step, with a picture of each mapping that the case has made. */
void picture_put(const json_t *step, FILE *out);

/* RES and PSS of each: "parent: RES 3,892 kB, PSS 2,448 kB; child: ..." */
void picture_sizes(const json_t *record, const json_t *step, FILE *out);

/* Pages as cells of so many pages each: runs as in space.h, and the words for them. */
void picture_pages(const char *runs, uint64_t pages, uint64_t each, const char *words, FILE *out);

/* How many pages a cell must be for so many pages to fit. */
uint64_t picture_each(uint64_t pages);

#endif
