// SPDX-License-Identifier: MIT
#ifndef RSSCK_HOME_H
#define RSSCK_HOME_H

#include "program.h"

enum { HOME_MAX = 4096 };

/*
 * Makes a home directory with the program's settings file. A program without settings gets a path
 * that does not exist. Returns false with errno on failure.
 */
bool home_make(const struct program *p, char home[HOME_MAX]);

/* Removes the home directory with everything in it. */
void home_remove(const struct program *p, const char *home);

#endif
