// SPDX-License-Identifier: MIT
/* An address space, drawn. */
#ifndef RSSCK_COURSE_PICTURE_H
#define RSSCK_COURSE_PICTURE_H

#include <jansson.h>
#include <stdio.h>

/* What all pictures of a page refer to; once a page. */
void picture_patterns(FILE *out);

/* What the colours stand for. */
void picture_legend(FILE *out);

/* The processes of a step, with a picture of each mapping that the case has made. */
void picture_put(const json_t *step, FILE *out);

#endif
