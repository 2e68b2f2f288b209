// SPDX-License-Identifier: MIT
/*
 * A process that closes what takes the kernel long to close: a uprobe waits for RCU.
 */
#ifndef RSSCK_CLOSER_H
#define RSSCK_CLOSER_H

/* Call it before there is memory or a descriptor that the process should not share. */
void closer_start(void);

/* The descriptor is closed at some time from now on; at once if there is no such process. */
void closer_close(int fd);

#endif
