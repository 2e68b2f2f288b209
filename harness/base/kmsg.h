// SPDX-License-Identifier: MIT
/* Reads the kernel log from /dev/kmsg (Documentation/ABI/testing/dev-kmsg). */
#ifndef RSSCK_KMSG_H
#define RSSCK_KMSG_H

#include <stdbool.h>

/*
 * Bytes of the longest record: 8,192 on older kernels (CONSOLE_EXT_LOG_MAX of
 * include/linux/printk.h), 2,048 on 6.12 (PRINTK_MESSAGE_MAX of kernel/printk/internal.h). With a
 * smaller buffer a long record cannot be read (EINVAL).
 */
enum { KMSG_RECORD = 8192 };

/* Opens the kernel log at its end. Returns a descriptor, or -1 if it cannot be read. */
int kmsg_open(void);

/* Reads the next record. Returns false with errno; EAGAIN if there is none yet. */
bool kmsg_next(int fd, char record[KMSG_RECORD]);

#endif
