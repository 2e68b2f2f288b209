// SPDX-License-Identifier: MIT
/* Writes the result of a program's audit as text and as JSON. */
#ifndef RSSCK_AUDIT_REPORT_H
#define RSSCK_AUDIT_REPORT_H

#include "audit.h"
#include <jansson.h>
#include <rssck/verdict.h>
#include <stdio.h>

#define RUN_SCHEMA "rssck-run/1"

/*
 * Makes a result of each check ("run/identities"), for KTAP, JUnit and the verdict. The caller
 * frees them.
 */
void audit_results(const struct auditor *a, struct results *r);

/*
 * Writes the table at the end, fitted to the width of a terminal. `command` is the program's argv.
 * Returns 0, or -1 with errno.
 */
int audit_text(const struct auditor *a, const struct results *r, char *const *command, FILE *out,
	       bool colour);

/* Describes one audit in a line of less than 80 columns. */
void audit_line(const struct point *p, char *buf, size_t size);

/* Returns JSON of schema "rssck-run/1". */
json_t *audit_as_json(const struct auditor *a, const struct results *r, char *const *command);

/*
 * Writes how the command ended: "exited with status 3", "was killed by signal 9 (Killed)", "is
 * still running".
 */
const char *audit_ended(const struct auditor *a, char *buf, size_t size);

/*
 * Writes where a finding was seen: "redis-server (4711), 0.5 to 3.1 s, 3 audits, larger each time:
 * perhaps a leak".
 */
const char *finding_where(const struct finding *f, char *buf, size_t size);

#endif
