// SPDX-License-Identifier: MIT
/* The kernel's log. */
#ifndef RSSCK_MACHINE_LOG_H
#define RSSCK_MACHINE_LOG_H

/* All that it has, to be freed; NULL if it may not be read. */
char *kernel_log_read(void);

#endif
