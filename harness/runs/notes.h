// SPDX-License-Identifier: MIT
/* Reasons for differences between kernels, from our own table of commits. */
#ifndef RSSCK_NOTES_H
#define RSSCK_NOTES_H

/*
 * Returns why a counter, a fact or the verdict of a case differs between kernels; "" if no reason
 * is known.
 */
const char *note_of(const char *name);

#endif
