// SPDX-License-Identifier: MIT
/* A table from the words of sequences to the texts that they show. */
#ifndef RSSCK_ATLAS_TABLE_H
#define RSSCK_ATLAS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shown {
	char *words;      /* NULL: free slot; owned */
	const char *text; /* points into texts */
};

struct atlas_record {
	char release[96];
	char **texts; /* each text is stored once, so that equal texts have equal pointers; owned */
	size_t nr_texts;
	struct shown *of; /* open addressing */
	size_t room, nr;
	char **known; /* known facts that it has met; owned */
	size_t nr_known;
	bool has_known;   /* false: the record is older than this member */
	size_t otherwise; /* number of sequences whose beginning differed from their neighbours' */
};

void table_add(struct atlas_record *r, const char *words, const char *text);
const struct shown *table_find(const struct atlas_record *r, const char *words);
void table_free(struct atlas_record *r);

#endif
