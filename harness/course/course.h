// SPDX-License-Identifier: MIT
/* The course as one page for a browser, which fetches nothing. */
#ifndef RSSCK_COURSE_H
#define RSSCK_COURSE_H

#include "lesson.h"

/* In the order of their kernels; those whose pages are not of 4 KiB last. */
void course_sort(json_t **records, size_t nr);

/* The course, by records of one kernel or more, which are sorted. Returns 0, or -1 with errno. */
int course_page(json_t **records, size_t nr, FILE *out);

/* The same of one case, which need not have a lesson, by one record. */
int course_case_page(json_t *record, const struct case_registration *c, FILE *out);

#endif
