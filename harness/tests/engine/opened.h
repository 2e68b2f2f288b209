// SPDX-License-Identifier: MIT
/* An engine that has measured this kernel, shared by all tests of one test program. */
#ifndef RSSCK_TEST_OPENED_H
#define RSSCK_TEST_OPENED_H

#include "engine/engine.h"
#include "tests/support/test.h"

static struct engine engine;

FIXTURE(open_engine)
{
	char why[512];

	if (engine_open(&engine, NULL, 60, why, sizeof(why)))
		fail_msg("%s", why);
	return 0;
}

FIXTURE(close_engine)
{
	engine_close(&engine);
	return 0;
}

#endif
