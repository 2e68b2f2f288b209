// SPDX-License-Identifier: MIT
/* Everything that scan prints, for people and for machines. */
#ifndef RSSCK_SCAN_PRINT_H
#define RSSCK_SCAN_PRINT_H

#include "scan/audit/audit.h"
#include "scan/census/census.h"
#include "scan/files/runs.h"
#include "scan/files/sharers.h"
#include <jansson.h>
#include <stdio.h>

#define SCAN_SCHEMA "rssck-scan/1"

/* The name of a user, or his number where he has none; into buf. */
const char *user_name(uid_t uid, char *buf, size_t size);

void audit_print(const struct audit *a, const struct reading *p, const struct measured *m,
		 FILE *out, bool colour);

/* One line: for a process that is watched where nothing can be redrawn. */
void audit_print_line(const struct audit *a, const struct reading *p, FILE *out);

json_t *audit_json(const struct audit *a, const struct reading *p, const struct measured *m);

/* The mappings by file; what holds nothing is only counted. */
void files_print(const struct files *f, FILE *out);
json_t *files_json(const struct files *f);

/* `of` has an entry for each file of f; `pss` is what smaps_rollup says. */
void sharers_print(const struct sharers *of, const struct files *f, int64_t pss, long page_size,
		   FILE *out);
json_t *sharers_json(const struct sharers *of, const struct files *f);

void run_print_title(FILE *out);
void run_print(const struct run *r, FILE *out);
json_t *run_json(const struct run *r);

void census_print(const struct census *c, const struct census_wanted *w, FILE *out, bool colour);
json_t *census_json(const struct census *c, const struct census_wanted *w);

#endif
