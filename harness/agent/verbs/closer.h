// SPDX-License-Identifier: MIT
/*
 * A process that closes descriptors in the background, because closing a uprobe takes long (the
 * kernel waits for RCU).
 */
#ifndef RSSCK_CLOSER_H
#define RSSCK_CLOSER_H

/*
 * Starts the process. Call this before there is memory or a descriptor that the process must not
 * share.
 */
void closer_start(void);

/*
 * Closes the descriptor at a later time. Without the process it closes the descriptor immediately.
 */
void closer_close(int fd);

#endif
