// SPDX-License-Identifier: MIT
/*
 * The reference at the end of the page, in the words of rssck explain: the pages that each number
 * includes, and further questions.
 */
#ifndef RSSCK_COURSE_REFERENCE_H
#define RSSCK_COURSE_REFERENCE_H

#include <stdio.h>

/* Each returns 0, or -1 if there is no memory. */
int reference_numbers(FILE *out);
int reference_asked(FILE *out);

#endif
