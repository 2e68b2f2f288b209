// SPDX-License-Identifier: MIT
/*
 * Takes exactly as much as a limit allows, and tries to take one more. What is given back can be
 * taken again.
 */
#include "room.h"
#include "agent.h"
#include <errno.h>

static int must_take(int i)
{
	if (!room->take(i))
		return workload_say(room_refusal(), "number %d of %d is refused: %m", i + 1,
				    room_for);
	return room_must_use("after taking one", i + 1);
}

static int take_all(int n)
{
	int result = FINE;

	for (int i = 0; i < n && !result; i++)
		result = must_take(i);
	return result;
}

/* Takes one by one, so that the last one that fits is known. */
static int try_one_by_one(void)
{
	int result = take_all(room_for);

	result = result ? result : room_must_be_full();
	result = result ? result : room_must_give(room_for - 1);
	result = result ? result : must_take(room_for - 1);
	result = result ? result : room_must_be_full();
	return result ? result : room_give_all(room_for);
}

/* Gives back what one call took, in any order. */
static int give_many(int n)
{
	for (int i = n - 1; i >= 0; i--)
		if (!room->give(i))
			return workload_say(room_refusal(), "number %d cannot be given back: %m",
					    i + 1);
	return room_must_use("after all were given back", 0);
}

/* One more than there is room for, by one call, when `taken` are taken already. */
static int must_refuse_many(int taken)
{
	int64_t kept = 0;
	int result;

	if (room->many(taken, room_for + 1 - taken))
		return workload_say(WRONG, "one more than %d by one call is not refused", room_for);
	if (errno != room->refused)
		return workload_say(WRONG, "one more than %d by one call is refused, but with: %m",
				    room_for);
	kept = room->kept ? room->kept() : taken;
	result = room_must_use("after a call was refused that took some already", kept);
	return result ? result : give_many(room->kept ? room_for : taken);
}

static int must_take_many(int taken)
{
	int result;

	if (!room->many(taken, room_for - taken))
		return workload_say(room_refusal(), "%d by one call are refused: %m",
				    room_for - taken);
	result = room_must_use("after one call took all", room_for);
	result = result ? result : room_must_be_full();
	return result ? result : give_many(room_for);
}

/* The call meets one that is taken, in the middle of its range. */
static int must_pass_over(int taken)
{
	int result;

	if (!room->take(taken))
		return workload_say(room_refusal(), "number %d of %d is refused: %m", taken,
				    room_for);
	if (room->many(0, room_for + 1))
		return workload_say(WRONG, "one more than %d by one call is not refused", room_for);
	result = room_must_use("after a call was refused that met one",
			       room->kept ? room->kept() : 1);
	if (!room->give(taken))
		return workload_say(WRONG, "number %d cannot be given back: %m", taken);
	return result ? result : give_many(room->kept ? room_for : 0);
}

/* Is the call there at all? */
static bool has_many(void)
{
	if (!room->many)
		return false;
	if (room->many(0, 1))
		return room->give(0);
	return errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP;
}

static int try_many(void)
{
	const int taken[] = { 0, 1, room_for - 1 };
	int result = FINE;

	if (!has_many())
		return FINE;
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken) && !result; i++) {
		if (i && taken[i] == taken[i - 1])
			continue;
		result = take_all(taken[i]);
		result = result ? result : must_refuse_many(taken[i]);
		result = result ? result : take_all(taken[i]);
		result = result ? result : must_take_many(taken[i]);
		if (!result && room->over)
			result = must_pass_over(taken[i]);
	}
	return result;
}

static int try_failure(void)
{
	int result = FINE;

	if (!room->fails)
		return FINE;
	for (int i = 0; i < room_for && !result; i++) {
		int64_t other = room_beside();

		if (!room->fails(i))
			return workload_say(WRONG, "a call that must fail does not, with %d taken",
					    i);
		result = room_must_use("after a call that failed", i);
		result = result ? result : room_must_be_beside(other, "a call that failed");
		result = result ? result : must_take(i);
	}
	result = result ? result : room_must_be_full();
	return result ? result : room_give_all(room_for);
}

/* Is there room for n again after each way to use it? */
static int try_room(const struct workload *w)
{
	int64_t other;
	int result;

	(void)w;
	if (!room->limit(room_for))
		return workload_say(IMPOSSIBLE, "%m");
	other = room_beside();
	result = try_one_by_one();
	result = result ? result : try_many();
	result = result ? result : try_failure();
	result = result ? result : room_try_ends();
	return result ? result : room_must_be_beside(other, "all that");
}

static int try_no_limit(void)
{
	int i, result = FINE;

	for (i = 0; i < 2 * room_for && !result; i++)
		if (!room->take(i))
			result = workload_say(room_refusal(),
					      "number %d is refused although there is no limit: %m",
					      i + 1);
	while (!result && i-- > 0)
		if (!room->give(i))
			result = workload_say(WRONG, "number %d cannot be given back: %m", i + 1);
	return result;
}

static int try_zero(const struct workload *w)
{
	(void)w;
	if (!room->limit(0))
		return workload_say(IMPOSSIBLE, "a limit of 0: %m");
	if (room->zero == ROOM_NO_LIMIT)
		return try_no_limit();
	if (room->take(0))
		return workload_say(WRONG, "a limit of 0 refuses nothing");
	if (errno != room->zero)
		return workload_say(WRONG, "a limit of 0 refuses one, but with: %m");
	return room_must_use("after a limit of 0 refused one", 0);
}

static int try_infinite(const struct workload *w)
{
	(void)w;
	if (!room->limit(ROOM_INFINITE))
		return workload_say(IMPOSSIBLE, "no limit: %m");
	return try_no_limit();
}

typedef int try_fn(const struct workload *w);

static void try_one(struct workload *w, try_fn *fn, const char *needs)
{
	char text[256];
	int result = workload_in_child_that_says(w, fn, text, sizeof(text));

	if (result == WRONG)
		workload_fail(w, "%s: %s", room->name, text);
	if (result == IMPOSSIBLE && room->need == REQUIRED)
		workload_skip_step(w, "%s: %s", needs, text);
}

void workload_try_rooms(struct workload *w, const struct room *rooms, size_t nr, int n,
			const char *needs)
{
	room_for = n;
	for (room = rooms; room < rooms + nr; room++) {
		try_one(w, try_room, needs);
		if (room->zero)
			try_one(w, try_zero, needs);
		if (room->infinite)
			try_one(w, try_infinite, needs);
	}
	workload_checked(w);
}
