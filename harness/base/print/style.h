// SPDX-License-Identifier: MIT
/* Colour, where somebody looks. */
#ifndef RSSCK_STYLE_H
#define RSSCK_STYLE_H

#include <stdbool.h>
#include <stdio.h>

/* True if whoever reads this stream wants colour: on a terminal that has it, without NO_COLOR. */
bool style_is_wanted(FILE *out);

enum style { STYLE_GOOD, STYLE_NOTED, STYLE_BAD };

void style_begin(enum style s, FILE *out, bool colour);
void style_end(FILE *out, bool colour);

#endif
