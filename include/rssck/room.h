// SPDX-License-Identifier: MIT
/*
 * Limits that let exactly N of something be taken, such as pages of a tmpfs: takes N, is refused
 * one more, gives one back, and takes it again. What the kernel counts as taken must follow. What
 * is taken must come back after a call that fails halfway, and when the process ends that took it.
 */
#ifndef RSSCK_ROOM_H
#define RSSCK_ROOM_H

#include <rssck/workload.h>

/* Some kernels lack what an OPTIONAL row needs. */
enum room_need { REQUIRED, OPTIONAL };

/* How long what was taken stays taken. */
enum room_lasts {
	LASTS,           /* until it is given back */
	LASTS_TAKER,     /* until the process that took it ends or executes a program */
	LASTS_ALONE,     /* the same, but not tried with a child that shares it */
	LASTS_INHERITED, /* the same, but a forked child keeps it, too */
};

/* As `zero` of a row: a limit of 0 means no limit. */
enum { ROOM_NO_LIMIT = -1 };

/* As an argument of limit(): no limit. */
enum { ROOM_INFINITE = -1 };

/* A limit, and a way to take what it limits. */
struct room {
	const char *name;
	bool (*limit)(int64_t n);  /* makes room for n; false with errno: not on this machine */
	bool (*take)(int i);       /* takes number i; false with errno if it is refused */
	bool (*give)(int i);       /* gives number i back */
	int64_t (*used)(void);     /* how many are taken; -1, or NULL: no file says it */
	int64_t (*refusals)(void); /* an event counter that rises if one is refused; or NULL */
	int refused;               /* errno if there is no room */
	enum room_need need;

	/* The rest may be left out. */
	int zero;                      /* errno if there is room for 0, or ROOM_NO_LIMIT */
	bool infinite;                 /* limit(ROOM_INFINITE) is possible */
	bool (*many)(int from, int n); /* takes n by one call, or is refused */
	bool over;                     /* many() passes over what is taken already */
	int64_t (*kept)(void);         /* how many a refused many() leaves taken; NULL: none */
	bool (*fails)(int i);          /* tries to take i when i are taken, in a way that fails
					  for another reason; true if it failed */
	int64_t (*beside)(void);       /* something else, which a refused call leaves as it was */
	enum room_lasts lasts;
};

/*
 * Tries each row, in a process of its own, with room for n. Fails the step if a number is wrong.
 * Skips it if the machine lacks what a row needs, unless the row is optional; `needs` names what is
 * missing.
 */
void workload_try_rooms(struct workload *w, const struct room *rooms, size_t nr, int n,
			const char *needs);

/* The same for an array. */
#define WORKLOAD_TRY_ROOMS(w, rooms, n, needs) \
	workload_try_rooms(w, rooms, sizeof(rooms) / sizeof(*(rooms)), n, needs)

#endif
