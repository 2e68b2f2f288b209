// SPDX-License-Identifier: MIT
#ifndef RSSCK_TEST_HOST_H
#define RSSCK_TEST_HOST_H

#include "tests/support/test.h"
#include <rssck/host.h>

/* Probes this host, or fails the test. The caller closes it. */
static inline struct host host_here(void)
{
	struct host h;
	char why[512];

	if (host_probe(&h, why, sizeof(why)))
		fail_msg("%s", why);
	return h;
}

#endif
