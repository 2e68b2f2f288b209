/* SPDX-License-Identifier: GPL-2.0 */
/* What hooks.py puts into the functions that print; see rssck_line.c. */
#ifndef _LINUX_RSSCK_LINE_H
#define _LINUX_RSSCK_LINE_H

#include <linux/types.h>

struct seq_file;
struct vm_area_struct;

/* RSSCK_HUGETLB: also for a word of a huge page of hugetlbfs that is printed without its mapping.
 */
enum { RSSCK_NO_MAPPING, RSSCK_ANONYMOUS, RSSCK_SHMEM, RSSCK_FILE, RSSCK_HUGETLB };

int rssck_show(struct seq_file *m, void *p);
int rssck_kind(const struct vm_area_struct *vma);
void *rssck_word(void *word, int site, int kind);
void rssck_bytes(unsigned char *from, unsigned char *to, int site, int kind);

#endif
