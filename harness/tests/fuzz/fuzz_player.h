// SPDX-License-Identifier: MIT
/* An engine and a workload that play the random programs of a test. */
#ifndef RSSCK_FUZZ_PLAYER_H
#define RSSCK_FUZZ_PLAYER_H

#include "engine/engine.h"
#include "fuzz/record.h"
#include "fuzz/shrink.h"
#include "tests/support/test.h"

static struct engine engine;
static struct player player;
static struct program p;

FIXTURE(open_all)
{
	char why[512];

	if (engine_open(&engine, NULL, 0, why, sizeof(why)) < 0) {
		print_message("%s\n", why);
		return -1;
	}
	return player_open(&player, &engine);
}

FIXTURE(close_all)
{
	player_close(&player);
	engine_close(&engine);
	return 0;
}

static inline void parse(const char *text)
{
	char why[256];

	if (program_parse(&p, text, why, sizeof(why)))
		fail_msg("%s", why);
}

/*
 * Plays a program in which every number must be right. Afterwards player.reached counts only this
 * program.
 */
static inline void play(bool fresh, const char *text)
{
	struct finding f;

	parse(text);
	memset(&player.reached, 0, sizeof(player.reached));
	assert_int_equal(player_play(&player, &p, fresh, &f), PLAYED);
}

#endif
