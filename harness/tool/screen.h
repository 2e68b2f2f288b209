// SPDX-License-Identifier: MIT
#ifndef RSSCK_SOURCE_SCREEN_H
#define RSSCK_SOURCE_SCREEN_H

#include <rssck/source.h>

/*
 * What a program wrote to a terminal of TERMINAL_LINES x TERMINAL_COLUMNS
 * becomes what was to be seen there at the end, line by line. Knows the
 * movements that curses uses for a vt100, and no colours.
 */
void screen_draw(struct text *t);

#endif
