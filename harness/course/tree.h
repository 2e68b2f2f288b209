// SPDX-License-Identifier: MIT
/* The machine's memory in a step of a record: record.h. */
#ifndef RSSCK_COURSE_TREE_H
#define RSSCK_COURSE_TREE_H

#include <jansson.h>
#include <rssck/source.h>
#include <stdio.h>

struct host;

/* Reads all of it, which takes a fifth of a second for each GiB, and stores it in the step. */
void tree_read(json_t *step, const struct host *h);

/* The parts, [0, tree_parts()): the name in a record, the words, and the size in kB. */
unsigned tree_parts(void);
const char *tree_name(unsigned part);
const char *tree_words(unsigned part);
int64_t tree_kb(const json_t *step, unsigned part);

/* Draws all memory as a bar of a few colours, with a legend. */
void tree_draw(const json_t *step, FILE *out);

#endif
