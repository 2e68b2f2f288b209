// SPDX-License-Identifier: MIT
#ifndef RSSCK_SOURCE_SCREEN_H
#define RSSCK_SOURCE_SCREEN_H

#include <rssck/source.h>

/*
 * Replaces a program's terminal output by the final contents of the screen, line by line. The
 * screen has TERMINAL_LINES x TERMINAL_COLUMNS. It supports the movements that curses uses for a
 * vt100, but no colours.
 */
void screen_draw(struct text *t);

#endif
