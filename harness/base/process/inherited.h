// SPDX-License-Identifier: MIT
#ifndef RSSCK_INHERITED_H
#define RSSCK_INHERITED_H

/*
 * What a parent may have left us is made ordinary: descriptors 0 to 2 are open,
 * no signal is blocked, a child's end is reported, limits are as high as they may be,
 * and the scheduler treats us like everybody else.
 */
void inherited_mend(void);

/* The same for a program of ours, between fork and exec: signals as at first, files for us alone.
 */
void inherited_forget(void);

/*
 * Signals, limits and scheduling as they were before inherited_mend(), between fork and exec of a
 * program that is to find what whoever started us has left for it.
 */
void inherited_give_back(void);

#endif
