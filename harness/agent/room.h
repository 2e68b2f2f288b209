// SPDX-License-Identifier: MIT
/* What room.c and room_ends.c share. */
#ifndef AGENT_ROOM_H
#define AGENT_ROOM_H

#include <rssck/room.h>

enum { FINE, WRONG, IMPOSSIBLE };

/* The row that is tried, and for how many it has room. */
extern const struct room *room;
extern int room_for;

/* All are taken: one more is refused, and changes nothing. */
int room_must_be_full(void);

/* All can be taken again, and one more cannot; gives all back. */
int room_must_be_empty(const char *when);

/* Another process takes all, and ends in each way. */
int room_try_ends(void);

#endif
