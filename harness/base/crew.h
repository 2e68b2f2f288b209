// SPDX-License-Identifier: MIT
/* Several threads at the same work: most of scan's time is the kernel's, walking page tables. */
#ifndef RSSCK_SCAN_CREW_H
#define RSSCK_SCAN_CREW_H

/*
 * Run work(arg) on each CPU that is ours, `most` at most, and wait for all of
 * them. The calling thread is one; where no other can be had it is alone.
 */
void crew_run(void *(*work)(void *arg), void *arg, unsigned long most);

#endif
