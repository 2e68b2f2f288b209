// SPDX-License-Identifier: MIT
/* Audits the memory of a whole machine, and prints the result. */
#ifndef RSSCK_MACHINE_AUDIT_H
#define RSSCK_MACHINE_AUDIT_H

#include "judge.h"
#include "tree.h"
#include <jansson.h>
#include <stdio.h>

#define MACHINE_SCHEMA "rssck-machine/1"

struct machine_audit {
	struct machine_judgement judgement;
	struct machine_reading reading; /* the reading with the smallest moved_kb */
	struct memory_holders holders;
	struct machine_tree tree;
	char sentence[3][SENTENCE];
	char why[200]; /* why the page frames could not be read; empty: they were read */
	bool since;    /* machine_since() loaded an earlier audit */
	int64_t before[PART_COUNT]; /* the parts of the earlier audit, in kB */
	const struct host *host;
	const char *folder; /* also count the page cache of files below this folder; or NULL */
	int64_t took_ms;
};

/*
 * Repeats the reading until every line is decided, at most eight times. Returns 0, or -1 with a
 * sentence in `why`.
 */
int machine_audit(struct machine_audit *a, struct machine_reader *m, char *why, size_t size);
void machine_audit_free(struct machine_audit *a);

/*
 * Prints the audit; with `all`, also holders, and lines that are equal, moved or not judged.
 * Returns 0, or -1 with errno.
 */
int machine_text(const struct machine_audit *a, bool all, FILE *out);
json_t *machine_json(const struct machine_audit *a);

/*
 * Loads the parts of an earlier machine_json() into a->before. Returns -1 if `earlier` is not the
 * JSON of an audit, otherwise 0.
 */
int machine_since(struct machine_audit *a, json_t *earlier);

#endif
