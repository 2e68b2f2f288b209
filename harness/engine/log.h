// SPDX-License-Identifier: MIT
#ifndef RSSCK_LOG_H
#define RSSCK_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* Open the kernel log at its end. Returns a descriptor, or -1 where it cannot be read. */
int log_open(void);

/*
 * Read what was logged since the last call; true if a line speaks of broken
 * books: it is then in `line`. Lines of others are passed over.
 */
bool log_find_trouble(int fd, char *line, size_t size);

/* True if a record of /dev/kmsg speaks of a BUG, a WARNING or a bad rss-counter. */
bool log_is_trouble(const char *record);

/*
 * Have every CPU in the list switch to our mm: a CPU that idles keeps the last
 * mm it ran alive, and the kernel checks its counters when it drops it.
 */
void log_make_cpus_drop_mm(const int *cpus, unsigned nr_cpus);

#endif
