// SPDX-License-Identifier: MIT
/*
 * Recognizes a guest of rssck vm. Only rssck uses such a guest, so rssck may change the guest's
 * settings.
 */
#ifndef RSSCK_BASE_GUEST_H
#define RSSCK_BASE_GUEST_H

#include <stdbool.h>
#include <unistd.h>

/*
 * rssck vm puts this file into the initramfs. It contains rssck's arguments, each ended by a NUL.
 */
#define GUEST_MARKER "/rssck-guest"

static inline bool guest_is_here(void)
{
	return access(GUEST_MARKER, F_OK) == 0;
}

#endif
