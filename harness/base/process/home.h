// SPDX-License-Identifier: MIT
#ifndef RSSCK_HOME_H
#define RSSCK_HOME_H

#include "program.h"

enum { HOME_MAX = 4096 };

/*
 * Makes a home with the program's settings in it; for a program without settings, a path that does
 * not exist. False with errno if it cannot be made.
 */
bool home_make(const struct program *p, char home[HOME_MAX]);

/* Removes the home with everything in it. */
void home_remove(const struct program *p, const char *home);

#endif
