// SPDX-License-Identifier: MIT
/* The kernel log. */
#ifndef RSSCK_MACHINE_LOG_H
#define RSSCK_MACHINE_LOG_H

/* Returns the whole log, which the caller frees. Returns NULL if this user may not read it. */
char *kernel_log_read(void);

#endif
