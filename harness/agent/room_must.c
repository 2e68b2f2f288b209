// SPDX-License-Identifier: MIT
/* What must hold while a limit is used: how many are counted, and whether all came back. */
#include "agent.h"
#include "room.h"
#include <errno.h>

const struct room *room;
int room_for;

int room_must_use(const char *when, int64_t expected)
{
	int64_t used = room->used ? room->used() : -1;

	if (used < 0 || used == expected)
		return FINE;
	return workload_say(WRONG, "%lld are counted %s, should be %lld", (long long)used, when,
			    (long long)expected);
}

int room_refusal(void)
{
	return agent_may_be_filtered(errno) && errno != room->refused ? IMPOSSIBLE : WRONG;
}

int64_t room_beside(void)
{
	return room->beside ? room->beside() : 0;
}

int room_must_be_beside(int64_t before, const char *when)
{
	int64_t now = room_beside();

	if (now == before)
		return FINE;
	return workload_say(WRONG, "%s changed something else from %lld to %lld", when,
			    (long long)before, (long long)now);
}

int room_must_be_full(void)
{
	int64_t refusals = room->refusals ? room->refusals() : -1, other = room_beside();
	int result;

	if (room->take(room_for))
		return workload_say(WRONG, "one more than %d is not refused", room_for);
	if (errno != room->refused)
		return workload_say(WRONG, "one more than %d is refused, but with: %m", room_for);
	if (refusals >= 0 && room->refusals() <= refusals)
		return workload_say(WRONG, "the event that one is refused is not counted");
	result = room_must_use("after one was refused", room_for);
	return result ? result : room_must_be_beside(other, "a refused call");
}

int room_must_give(int i)
{
	if (!room->give(i))
		return workload_say(room_refusal(), "number %d cannot be given back: %m", i + 1);
	return room_must_use("after giving one back", i);
}

int room_give_all(int n)
{
	int result = FINE;

	while (n-- > 0 && !result)
		result = room_must_give(n);
	return result;
}

/*
 * Takes all again, to the last one; the kernel may give back some time after a process has ended.
 */
int room_must_be_empty(const char *when)
{
	struct patience p = { .seconds = 8 };
	int i, error;

	for (;;) {
		for (i = 0; i < room_for && room->take(i); i++)
			;
		if (i == room_for)
			break;
		error = errno;
		while (i > 0)
			room->give(--i);
		if (!workload_pause(&p))
			return workload_say(WRONG, "after %s not all have come back: %s", when,
					    strerror(error));
	}
	i = room_must_be_full();
	return i ? i : room_give_all(room_for);
}
