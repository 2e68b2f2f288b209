// SPDX-License-Identifier: MIT
/* Takes as much as a limit lets a process take, and one more. */
#include "agent.h"
#include <errno.h>
#include <rssck/room.h>

enum { FINE, WRONG, IMPOSSIBLE };

static const struct room *room;
static int room_for;

static int must_use(const char *when, int64_t expected)
{
	int64_t used = room->used();

	if (used < 0 || used == expected)
		return FINE;
	return workload_say(WRONG, "%lld are counted %s, should be %lld", (long long)used, when,
			    (long long)expected);
}

/* What a refused call means, by its errno. */
static int refusal(void)
{
	return agent_may_be_filtered(errno) ? IMPOSSIBLE : WRONG;
}

static int must_take(int i)
{
	if (!room->take(i))
		return workload_say(refusal(), "number %d of %d is refused: %m", i + 1, room_for);
	return must_use("after taking one", i + 1);
}

static int must_be_full(void)
{
	int64_t refusals = room->refusals ? room->refusals() : -1;

	if (room->take(room_for))
		return workload_say(WRONG, "one more than %d is not refused", room_for);
	if (errno != room->refused)
		return workload_say(WRONG, "one more than %d is refused, but with: %m", room_for);
	if (refusals >= 0 && room->refusals() <= refusals)
		return workload_say(WRONG, "the event that one is refused is not counted");
	return must_use("after one was refused", room_for);
}

static int must_give(int i)
{
	if (!room->give(i))
		return workload_say(refusal(), "number %d cannot be given back: %m", i + 1);
	return must_use("after giving one back", i);
}

static int try_room(const struct workload *w)
{
	int result = FINE;

	(void)w;
	if (!room->limit(room_for))
		return workload_say(IMPOSSIBLE, "%m");
	for (int i = 0; i < room_for && !result; i++)
		result = must_take(i);
	result = result ? result : must_be_full();
	result = result ? result : must_give(room_for - 1);
	result = result ? result : must_take(room_for - 1);
	result = result ? result : must_be_full();
	for (int i = room_for - 1; i >= 0 && !result; i--)
		result = must_give(i);
	return result;
}

void workload_try_rooms(struct workload *w, const struct room *rooms, size_t nr, int n,
			const char *needs)
{
	char text[256];

	room_for = n;
	for (room = rooms; room < rooms + nr; room++) {
		int result = workload_in_child_that_says(w, try_room, text, sizeof(text));

		if (result == WRONG)
			workload_fail(w, "%s: %s", room->name, text);
		if (result == IMPOSSIBLE && room->need == REQUIRED)
			workload_skip_step(w, "%s: %s", needs, text);
	}
	workload_checked(w);
}
