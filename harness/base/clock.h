// SPDX-License-Identifier: MIT
#ifndef RSSCK_CLOCK_H
#define RSSCK_CLOCK_H

#include <stdint.h>

/* Returns CLOCK_MONOTONIC in milliseconds, to measure intervals. */
int64_t now_ms(void);

int64_t now_us(void);

#endif
