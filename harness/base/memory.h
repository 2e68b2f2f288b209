// SPDX-License-Identifier: MIT
#ifndef RSSCK_MEMORY_H
#define RSSCK_MEMORY_H

/*
 * Grows the heap at the start, so that later allocations neither move the end of the heap nor map
 * anything. A kernel that miscounts rssck's address space would refuse to grow it (mm/mmap.c
 * may_expand_vm()), and rssck would end without reporting its verdicts.
 */
void memory_prepare(void);

/*
 * Prints that there is no memory for `what`, calls memory_gone_hook with the same sentence, and
 * exits with status 2.
 */
_Noreturn void memory_gone(const char *what);

/* Called by memory_gone(), so that an unfinished report can contain the error. Initially NULL. */
extern void (*memory_gone_hook)(const char *sentence);

#endif
