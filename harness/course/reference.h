// SPDX-License-Identifier: MIT
/* The pages that each number includes, and other questions, in the words of rssck explain. */
#ifndef RSSCK_COURSE_REFERENCE_H
#define RSSCK_COURSE_REFERENCE_H

#include <stdio.h>

/* Return 0, or -1 if there is no memory. */
int reference_numbers(FILE *out);
int reference_asked(FILE *out);

#endif
