// SPDX-License-Identifier: MIT
/* What is in a number, and what people also ask: the words of rssck explain. */
#ifndef RSSCK_COURSE_REFERENCE_H
#define RSSCK_COURSE_REFERENCE_H

#include <stdio.h>

/* Return 0, or -1 where there is no memory. */
int reference_numbers(FILE *out);
int reference_asked(FILE *out);

#endif
