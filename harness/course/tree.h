// SPDX-License-Identifier: MIT
/* The machine's memory in a step of a record: see record.h. */
#ifndef RSSCK_COURSE_TREE_H
#define RSSCK_COURSE_TREE_H

#include <jansson.h>
#include <stdio.h>

struct host;

/*
 * Reads all memory of the machine and stores it in the step. This takes about 0.2 s for each GiB.
 */
void tree_read(json_t *step, const struct host *h);

/*
 * The parts have numbers below tree_parts(). Each has a name in the record, a text, and a size in
 * kB.
 */
unsigned tree_parts(void);
const char *tree_name(unsigned part);
const char *tree_words(unsigned part);
int64_t tree_kb(const json_t *step, unsigned part);

/* Draws all memory as a bar with a few colours, and a legend. */
void tree_draw(const json_t *step, FILE *out);

#endif
