// SPDX-License-Identifier: MIT
#ifndef RSSCK_MEMORY_H
#define RSSCK_MEMORY_H

#include <stddef.h>

/*
 * With glibc, grows the heap at the start, so that later allocations, until the reserve is used up,
 * neither move the end of the heap nor map anything. A kernel that miscounts rssck's address space
 * would refuse that (mm/mmap.c may_expand_vm()), and rssck would end without reporting its
 * verdicts.
 */
void memory_prepare(void);

/*
 * Prints that there is no memory for `what`, calls memory_gone_hook with the same sentence, and
 * exits with status 2.
 */
_Noreturn void memory_gone(const char *what);

/*
 * Makes room for one more element in an array of `nr` elements of `size` bytes, and returns the
 * array, which may have moved. The array must grow only in this way, beginning with NULL. Calls
 * memory_gone() if there is no memory.
 */
void *memory_one_more(void *of, size_t nr, size_t size, const char *what);

/* memory_gone() calls this, so that an unfinished report can contain the error. Initially NULL. */
extern void (*memory_gone_hook)(const char *sentence);

#endif
