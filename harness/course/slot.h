// SPDX-License-Identifier: MIT
/* The parts of the page that differ between kernels. */
#ifndef RSSCK_COURSE_SLOT_H
#define RSSCK_COURSE_SLOT_H

#include "lesson.h"

struct course {
	json_t **records;
	size_t nr, shown; /* the record that is shown without a script */
	json_t *numbers;  /* for each fragment: its index in `strings` */
	json_t *strings;
	json_t *slots; /* [[index of each kernel]...] */
	bool failed;   /* there was no memory */
	FILE *out;
};

/* The subject of a fragment. */
struct spot {
	const struct lesson *lesson;
	size_t step, process;
	const char *name; /* of a number */
	const char *plus; /* another number that is added, or NULL */
	const struct ask *ask;
	const char *kind, *act; /* a cell of the grid */
	unsigned part;          /* a part of the machine */
};

typedef void fragment_fn(const json_t *record, const struct spot *s, FILE *out);

/* Writes an element whose content depends on the kernel. */
void course_slot(struct course *c, const char *tag, const char *attributes, fragment_fn *fragment,
		 const struct spot *s);

/* Writes a table cell with the name of its number, for tests; an empty cell without one. */
void course_cell(struct course *c, const struct spot *s, fragment_fn *fragment);

/* Fragments: the number; and the number with how much the step moved it. */
fragment_fn course_number, course_moved;

/* A step of the spot's case. */
const json_t *course_step(const json_t *record, const struct spot *s, size_t step);

#endif
