// SPDX-License-Identifier: MIT
#ifndef RSSCK_CLOCK_H
#define RSSCK_CLOCK_H

#include <stdint.h>

/* Milliseconds of CLOCK_MONOTONIC, to measure intervals. */
int64_t now_ms(void);

/* The same in microseconds. */
int64_t now_us(void);

#endif
