// SPDX-License-Identifier: MIT
/* The course: one HTML page that fetches nothing. */
#ifndef RSSCK_COURSE_H
#define RSSCK_COURSE_H

#include "lesson.h"

/* Sorts records by kernel. Records with a page size other than 4 KiB come last. */
void course_sort(json_t **records, size_t nr);

/* Writes the course from the sorted records of one or more kernels. Returns 0, or -1 with errno. */
int course_page(json_t **records, size_t nr, FILE *out);

/* Writes a page about one case from one record. The case need not have a lesson. */
int course_case_page(json_t *record, const struct case_registration *c, FILE *out);

#endif
