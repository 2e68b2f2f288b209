// SPDX-License-Identifier: MIT
/*
 * A process that closes descriptors in the background, because closing a uprobe takes long (the
 * kernel waits for RCU).
 */
#ifndef RSSCK_CLOSER_H
#define RSSCK_CLOSER_H

/* Call this before there is memory or a descriptor that the closer must not share. */
void closer_start(void);

/* Closes the descriptor later; immediately if there is no such process. */
void closer_close(int fd);

#endif
