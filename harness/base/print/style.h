// SPDX-License-Identifier: MIT
/* Colour on terminals. */
#ifndef RSSCK_STYLE_H
#define RSSCK_STYLE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * True if output to this stream should be coloured: it is a terminal with colours, and NO_COLOR is
 * not set.
 */
bool style_is_wanted(FILE *out);

enum style { STYLE_GOOD, STYLE_NOTED, STYLE_BAD };

void style_begin(enum style s, FILE *out, bool colour);
void style_end(FILE *out, bool colour);

#endif
