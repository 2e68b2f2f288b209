// SPDX-License-Identifier: MIT
/* The parts of the page that differ between kernels. */
#ifndef RSSCK_COURSE_SLOT_H
#define RSSCK_COURSE_SLOT_H

#include "lesson.h"

struct course {
	json_t **records;
	size_t nr, shown; /* the index of the record that is shown without a script */
	json_t *numbers;  /* for each fragment: its index in `strings` */
	json_t *strings;
	json_t *slots; /* for each slot, a list with the fragment's index for each kernel */
	bool failed;   /* there was no memory */
	FILE *out;
};

/* The subject of a fragment. */
struct spot {
	const struct lesson *lesson;
	size_t step, process;
	const char *name; /* the name of a number */
	const char *plus; /* the name of another number to add, or NULL */
	const struct ask *ask;
	const char *kind, *act; /* a cell of the grid */
	unsigned part;          /* a part of the machine */
};

typedef void fragment_fn(const json_t *record, const struct spot *s, FILE *out);

/* Writes an element whose content depends on the kernel. */
void course_slot(struct course *c, const char *tag, const char *attributes, fragment_fn *fragment,
		 const struct spot *s);

/*
 * Writes a table cell. For tests, the cell has the name of its number. Without a name the cell is
 * empty.
 */
void course_cell(struct course *c, const struct spot *s, fragment_fn *fragment);

/*
 * Fragments: course_number() writes a number; course_moved() also writes how much the step has
 * changed it.
 */
fragment_fn course_number, course_moved;

/* A step of the case that the spot is about. */
const json_t *course_step(const json_t *record, const struct spot *s, size_t step);

#endif
