// SPDX-License-Identifier: MIT
/* The result of a program's audit, as text and as JSON. */
#ifndef RSSCK_AUDIT_REPORT_H
#define RSSCK_AUDIT_REPORT_H

#include "audit.h"
#include <jansson.h>
#include <rssck/verdict.h>
#include <stdio.h>

#define RUN_SCHEMA "rssck-run/1"

/*
 * Each check as a result ("run/identities"), for KTAP, JUnit and the verdict; the caller
 * frees them.
 */
void audit_results(const struct auditor *a, struct results *r);

/*
 * Prints the table at the end, in 80 columns. `command` is its argv. Returns 0, or -1 with
 * errno.
 */
int audit_text(const struct auditor *a, const struct results *r, char *const *command, FILE *out,
	       bool colour);

/* Describes one audit in a line of less than 80 columns. */
void audit_line(const struct point *p, char *buf, size_t size);

/* schema "rssck-run/1" */
json_t *audit_as_json(const struct auditor *a, const struct results *r, char *const *command);

/* "exited with status 3", "was killed by signal 9 (Killed)", "lives on": how the command ended. */
const char *audit_ended(const struct auditor *a, char *buf, size_t size);

/* "counters of redis-server 4711 (0.5 to 3.1 s, 3 audits, further each time)" */
const char *finding_where(const struct finding *f, char *buf, size_t size);

#endif
