// SPDX-License-Identifier: MIT
/* What room.c, room_ends.c and room_must.c share. */
#ifndef AGENT_ROOM_H
#define AGENT_ROOM_H

#include <rssck/room.h>

enum { FINE, WRONG, IMPOSSIBLE };

/* The row that is tried, and for how many it has room. */
extern const struct room *room;
extern int room_for;

/* What a refused call means, by its errno: WRONG or IMPOSSIBLE. */
int room_refusal(void);

/* What a refused call must leave as it was; 0 if the row names nothing. */
int64_t room_beside(void);

/* Each returns FINE, or says what is wrong. `when` completes its sentence. */
int room_must_use(const char *when, int64_t expected);
int room_must_be_beside(int64_t before, const char *when);

/* All are taken: one more is refused, and changes nothing. */
int room_must_be_full(void);

/* All can be taken again, and one more cannot; gives all back. */
int room_must_be_empty(const char *when);

int room_must_give(int i);
int room_give_all(int n);

/* Another process takes all, and ends in each way. */
int room_try_ends(void);

#endif
