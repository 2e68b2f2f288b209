// SPDX-License-Identifier: MIT
/* Random numbers that are the same on every machine: splitmix64 (Steele, Lea, Flood 2014). */
#ifndef RSSCK_FUZZ_RANDOM_H
#define RSSCK_FUZZ_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct dice {
	uint64_t state;
};

static inline uint64_t dice_roll(struct dice *d)
{
	uint64_t z = d->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* Returns a number from 0 to n - 1. */
static inline unsigned dice_below(struct dice *d, unsigned n)
{
	return n ? (unsigned)(dice_roll(d) % n) : 0;
}

/* Returns true with a probability of `percent` / 100. */
static inline bool dice_says(struct dice *d, unsigned percent)
{
	return dice_below(d, 100) < percent;
}

#endif
