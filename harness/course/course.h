// SPDX-License-Identifier: MIT
/* The course as one page for a browser, which fetches nothing. */
#ifndef RSSCK_COURSE_H
#define RSSCK_COURSE_H

#include "lesson.h"

/* Sorts records by kernel; those with a page size other than 4 KiB come last. */
void course_sort(json_t **records, size_t nr);

/* Writes the course from the sorted records of one or more kernels. Returns 0, or -1 with errno. */
int course_page(json_t **records, size_t nr, FILE *out);

/* Writes a page of one case, which need not have a lesson, from one record. */
int course_case_page(json_t *record, const struct case_registration *c, FILE *out);

#endif
