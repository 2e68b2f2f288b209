/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Code for all mutants; copied into include/linux/ of the kernel that make.py changes. It selects a
 * mutant and defines its effect.
 */
#ifndef _LINUX_RSSCK_MUTANT_H
#define _LINUX_RSSCK_MUTANT_H

#include <linux/compiler.h>

#define RSSCK_MUTANTS 8192

extern int rssck_mutant;
extern unsigned char rssck_site_seen[RSSCK_MUTANTS];
extern unsigned char rssck_round;
void rssck_site_report(int number);

static __always_inline bool rssck_is(int number)
{
	return unlikely(READ_ONCE(rssck_mutant) == number);
}

/*
 * A place that a mutant changes. It is listed in the object file, and reported when it is first
 * reached in a round. A round lasts for the whole run, or for rssck_round_ms milliseconds.
 */
#define rssck_site(number)                                                                        \
	do {                                                                                      \
		asm volatile(                                                                     \
			".pushsection .discard.rssck\n\t.long %c0\n\t.popsection" ::"i"(number)); \
		if (unlikely(rssck_site_seen[number] != rssck_round))                             \
			rssck_site_report(number);                                                \
	} while (0)

/*
 * Like rssck_site(), for an upstream bug that was put back by hand; true if this bug is selected.
 */
#define rssck_real(number)          \
	({                          \
		rssck_site(number); \
		rssck_is(number);   \
	})

/*
 * Returns `value` as the selected mutant changes it: 0, twice the value, its negative, or its sign.
 */
static inline long rssck_changed(long value, int number)
{
	switch (READ_ONCE(rssck_mutant) - number) {
	case 0:
		return 0;
	case 1:
		return 2 * value;
	case 2:
		return -value;
	case 3:
		return value > 0 ? 1 : value < 0 ? -1 : 0;
	}
	return value;
}

#define rssck_amount(value, number)                                      \
	({                                                               \
		__auto_type rssck_value = (value);                       \
		rssck_site(number);                                      \
		(typeof(rssck_value))rssck_changed(rssck_value, number); \
	})

#endif
