// SPDX-License-Identifier: MIT
/* Beginnings of sequences, and what each shows: found by their words. */
#ifndef RSSCK_ATLAS_TABLE_H
#define RSSCK_ATLAS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shown {
	char *words;      /* NULL: free; owned */
	const char *text; /* one of the record's */
};

struct atlas_record {
	char release[96];
	char **texts; /* each a single time: the same text is the same pointer; owned */
	size_t nr_texts;
	struct shown *of; /* open addressing */
	size_t room, nr;
	char **known; /* facts that it has met; owned */
	size_t nr_known;
	bool has_known;   /* false: it was made before they were recorded */
	size_t otherwise; /* sequences whose beginning differed from that of their neighbours */
};

void table_add(struct atlas_record *r, const char *words, const char *text);
const struct shown *table_find(const struct atlas_record *r, const char *words);
void table_free(struct atlas_record *r);

#endif
