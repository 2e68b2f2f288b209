// SPDX-License-Identifier: MIT
/* A table that maps the words of sequences to the texts that they show. */
#ifndef RSSCK_ATLAS_TABLE_H
#define RSSCK_ATLAS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shown {
	char *words;      /* owned; NULL if the slot is free */
	const char *text; /* one of the record's texts */
};

struct atlas_record {
	char release[96];
	char **texts; /* each text is stored only once, so equal texts have equal pointers; owned */
	size_t nr_texts;
	struct shown *of; /* open addressing */
	size_t room, nr;
	char **known; /* the known facts about kernels (exception.h) that excused a number; owned */
	size_t nr_known;
	bool has_known;   /* false if the record was written before this member existed */
	size_t otherwise; /* number of sequences whose text before the last act differed from
			   * that of the other sequences of their stem */
};

void table_add(struct atlas_record *r, const char *words, const char *text);
const struct shown *table_find(const struct atlas_record *r, const char *words);
void table_free(struct atlas_record *r);

#endif
