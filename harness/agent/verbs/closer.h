// SPDX-License-Identifier: MIT
/*
 * A process that closes what takes the kernel long to close. Up to 6.11 a uprobe waits for one RCU
 * grace period, from 6.12 on for about four, and all uprobes of a machine wait one after the other.
 */
#ifndef RSSCK_CLOSER_H
#define RSSCK_CLOSER_H

/* Call it before there is memory or a descriptor that the process should not share. */
void closer_start(void);

/* The descriptor is closed at some time from now on; at once if there is no such process. */
void closer_close(int fd);

#endif
