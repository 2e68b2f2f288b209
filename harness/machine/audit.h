// SPDX-License-Identifier: MIT
/* Audits a whole machine, and prints the result. */
#ifndef RSSCK_MACHINE_AUDIT_H
#define RSSCK_MACHINE_AUDIT_H

#include "judge.h"
#include "tree.h"
#include <jansson.h>
#include <stdio.h>

#define MACHINE_SCHEMA "rssck-machine/1"

struct machine_audit {
	struct machine_judgement judgement;
	struct machine_reading reading; /* the reading during which least moved */
	struct memory_holders holders;
	struct machine_tree tree;
	char sentence[3][SENTENCE];
	char why[200];              /* why the page frames could not be read; empty: they were */
	bool since;                 /* an earlier audit was loaded for comparison */
	int64_t before[PART_COUNT]; /* the parts of that earlier audit, in kB */
	const struct host *host;
	const char *folder; /* files below it are counted, too; NULL: only open ones */
	int64_t took_ms;
};

/*
 * Reads until all lines are equal, or often enough to call one wrong. Returns 0, or -1 with
 * a sentence in `why`.
 */
int machine_audit(struct machine_audit *a, struct machine_reader *m, char *why, size_t size);
void machine_audit_free(struct machine_audit *a);

/* `all`: prints also lines that are equal. Returns 0, or -1 with errno. */
int machine_text(const struct machine_audit *a, bool all, FILE *out);
json_t *machine_json(const struct machine_audit *a);

/*
 * Loads the parts of an earlier machine_json() into a->before. Returns 0, or -1 if it is no
 * such JSON.
 */
int machine_since(struct machine_audit *a, json_t *earlier);

#endif
