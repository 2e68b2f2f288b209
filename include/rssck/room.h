// SPDX-License-Identifier: MIT
/*
 * Limits that let exactly N of something be taken, such as pages of a tmpfs: takes N, is refused
 * one more, gives one back, and takes it again. What the kernel counts as taken must follow.
 */
#ifndef RSSCK_ROOM_H
#define RSSCK_ROOM_H

#include <rssck/workload.h>

/* Some kernels lack what an OPTIONAL row needs. */
enum room_need { REQUIRED, OPTIONAL };

/* A limit, and a way to take what it limits. */
struct room {
	const char *name;
	bool (*limit)(int64_t n);  /* makes room for n; false with errno: not on this machine */
	bool (*take)(int i);       /* takes number i; false with errno if it is refused */
	bool (*give)(int i);       /* gives number i back */
	int64_t (*used)(void);     /* how many are taken; -1: no file says it */
	int64_t (*refusals)(void); /* an event counter that rises if one is refused; or NULL */
	int refused;               /* errno if there is no room */
	enum room_need need;
};

/*
 * Tries each row, in a process of its own, with room for n. Fails the step if a number is wrong.
 * Skips it if the machine lacks what a row needs that is not optional; `needs` says what that is.
 */
void workload_try_rooms(struct workload *w, const struct room *rooms, size_t nr, int n,
			const char *needs);

/* The same for an array. */
#define WORKLOAD_TRY_ROOMS(w, rooms, n, needs) \
	workload_try_rooms(w, rooms, sizeof(rooms) / sizeof(*(rooms)), n, needs)

#endif
