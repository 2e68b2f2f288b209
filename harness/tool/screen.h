// SPDX-License-Identifier: MIT
#ifndef RSSCK_SOURCE_SCREEN_H
#define RSSCK_SOURCE_SCREEN_H

#include <rssck/source.h>

/*
 * Replaces what a program wrote to a terminal of TERMINAL_LINES x TERMINAL_COLUMNS by
 * what that terminal showed at the end, line by line. It knows the movements that curses
 * uses for a vt100, and no colours.
 */
void screen_draw(struct text *t);

#endif
