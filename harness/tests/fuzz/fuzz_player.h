// SPDX-License-Identifier: MIT
/* A workload that plays random programs. */
#ifndef RSSCK_FUZZ_PLAYER_H
#define RSSCK_FUZZ_PLAYER_H

#include "engine/engine.h"
#include "fuzz/record.h"
#include "fuzz/shrink.h"
#include "tests/support/test.h"

static struct engine engine;
static struct player player;

static inline int open_all(void **state)
{
	char why[512];

	(void)state;
	if (engine_open(&engine, NULL, 0, why, sizeof(why)) < 0) {
		print_message("%s\n", why);
		return -1;
	}
	return player_open(&player, &engine);
}

static inline int close_all(void **state)
{
	(void)state;
	player_close(&player);
	engine_close(&engine);
	return 0;
}

static inline void parse(struct program *p, const char *text)
{
	char why[256];

	if (program_parse(p, text, why, sizeof(why)))
		fail_msg("%s", why);
}

#endif
