// SPDX-License-Identifier: MIT
#ifndef RSSCK_SNAPSHOT_PROBES_H
#define RSSCK_SNAPSHOT_PROBES_H

#include <rssck/source.h>

/*
 * True if smaps adds nothing to Pss for a huge page that only one process maps. If a long may be
 * too short for the size of a huge page, the function maps one to test this. False if no huge page
 * is available.
 */
bool pss_loses_huge_page(const struct host *h);

/*
 * True if private anonymous memory that was only read has pages of its own, because the kernel
 * forbids the zero page (mm_forbids_zeropage() on s390, pvm_no_zero_page=1 in some kernels of
 * guests). Tries a small page and, if the kernel has them, a huge page. False if one of them is a
 * zero page, or if pagemap cannot be read.
 */
bool reads_get_own_pages(const struct host *h);

#endif
