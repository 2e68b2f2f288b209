// SPDX-License-Identifier: MIT
/* What the cases share that use up the limits of all processes of a user. */
#ifndef CASES_VIRTUAL_USER_H
#define CASES_VIRTUAL_USER_H

#include <rssck/case.h>
#include <rssck/room.h>

enum { USER_SETTINGS = 8 };

/* A user of each process's own, because some things are given back later. */
static inline uid_t user_id(void)
{
	return WORKLOAD_UNUSED_USER + (uid_t)getpid();
}

static inline bool user_become(void)
{
	return !setresuid(user_id(), user_id(), user_id());
}

/* The hard limit stays open, because a user cannot raise it again. */
static inline bool user_limit(__rlimit_resource_t resource, int64_t n)
{
	struct rlimit l = { n == ROOM_INFINITE ? RLIM_INFINITY : (rlim_t)n, RLIM_INFINITY };

	return !setrlimit(resource, &l);
}

/* The files of the machine's settings that the rows change, up to NULL. */
static const char *const *user_settings;
static int64_t user_were[USER_SETTINGS];

static inline void user_restore(void)
{
	for (size_t i = 0; user_settings[i]; i++)
		if (user_were[i] >= 0)
			workload_try_to_set_number(user_settings[i], user_were[i]);
}

/* Tries the rows with room for n, and restores the settings even if a row fails. */
static inline void user_try_rooms(struct workload *w, const char *const settings[],
				  const struct room *rooms, size_t nr, int n)
{
	struct workload_guard g;

	user_settings = settings;
	for (size_t i = 0; settings[i]; i++)
		user_were[i] = workload_number(settings[i], NULL, -1);
	g = workload_guard_begin(w, user_restore);
	workload_try_rooms(w, rooms, nr, n, "a user of its own (setresuid(2))");
	workload_guard_end(w, &g);
}

#endif
