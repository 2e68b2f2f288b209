// SPDX-License-Identifier: MIT
/* Why kernels differ, from the project's own table of commits. */
#ifndef RSSCK_NOTES_H
#define RSSCK_NOTES_H

/* Why a counter or fact differs between kernels, or "". */
const char *note_of(const char *name);

#endif
