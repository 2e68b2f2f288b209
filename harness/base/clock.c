// SPDX-License-Identifier: MIT
/* Reads CLOCK_MONOTONIC. */
#include "clock.h"
#include <time.h>

int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t now_ms(void)
{
	return now_us() / 1000;
}
