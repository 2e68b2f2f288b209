// SPDX-License-Identifier: MIT
/* The kernel's log. */
#ifndef RSSCK_MACHINE_LOG_H
#define RSSCK_MACHINE_LOG_H

/* The whole log, which the caller frees; NULL if it may not be read. */
char *kernel_log_read(void);

#endif
