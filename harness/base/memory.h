// SPDX-License-Identifier: MIT
#ifndef RSSCK_MEMORY_H
#define RSSCK_MEMORY_H

/*
 * Grows the heap at the start, so that later allocations neither move the end of the heap nor map
 * anything: a kernel that miscounts our address space would refuse that (mm/mmap.c
 * may_expand_vm()), and the observer would end without reporting its verdicts.
 */
void memory_prepare(void);

/* Reports that there is no memory for `what`, also to memory_gone_hook, and exits with status 2. */
_Noreturn void memory_gone(const char *what);

/* Called with the same sentence, for an early report; NULL at first. */
extern void (*memory_gone_hook)(const char *sentence);

#endif
