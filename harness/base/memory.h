// SPDX-License-Identifier: MIT
#ifndef RSSCK_MEMORY_H
#define RSSCK_MEMORY_H

/*
 * Grow the heap once, so that what the program allocates later neither moves the end of
 * the heap nor maps anything: a kernel that is wrong in what it counts of our address
 * space would refuse that (mm/mmap.c may_expand_vm()), and the observer would end with
 * its verdicts untold.
 */
void memory_prepare(void);

/* Says that there is no memory for `what`, to where memory_gone_hook is, and ends the program: 2.
 */
_Noreturn void memory_gone(const char *what);

/* Called with the same sentence, for an early report; NULL at first. */
extern void (*memory_gone_hook)(const char *sentence);

#endif
