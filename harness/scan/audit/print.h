// SPDX-License-Identifier: MIT
/* Writes the audit of one process as text and as JSON. */
#ifndef RSSCK_SCAN_AUDIT_PRINT_H
#define RSSCK_SCAN_AUDIT_PRINT_H

#include "audit.h"
#include <jansson.h>
#include <stdio.h>

void audit_print(const struct audit *a, const struct reading *p, const struct measured *m,
		 FILE *out, bool colour);

/* Writes one line, for a watched process if the screen cannot be redrawn. */
void audit_print_line(const struct audit *a, const struct reading *p, FILE *out);

json_t *audit_json(const struct audit *a, const struct reading *p, const struct measured *m);

#endif
