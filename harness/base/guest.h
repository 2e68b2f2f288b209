// SPDX-License-Identifier: MIT
/*
 * Returns whether this is a guest of rssck vm: only rssck uses it, so its settings may be
 * changed.
 */
#ifndef RSSCK_BASE_GUEST_H
#define RSSCK_BASE_GUEST_H

#include <stdbool.h>
#include <unistd.h>

/* init recognizes a guest by this file. It contains rssck's arguments, each ended by a NUL. */
#define GUEST_MARKER "/rssck-guest"

static inline bool guest_is_here(void)
{
	return access(GUEST_MARKER, F_OK) == 0;
}

#endif
