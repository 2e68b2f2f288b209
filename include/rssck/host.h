// SPDX-License-Identifier: MIT
/* The machine on which rssck runs. Everything is probed at the start. */
#ifndef RSSCK_HOST_H
#define RSSCK_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest number of CPUs for which Linux can be built. */
enum { HOST_CPUS_MAX = 8192 };

struct kept_tables;

struct host {
	long page_size;      /* bytes */
	long huge_page_size; /* bytes that one PMD maps, with or without huge pages; not 0 */
	unsigned cpus;       /* CPUs that are online */
	int cpu_list[HOST_CPUS_MAX]; /* the CPUs on which this process may run */
	unsigned nr_cpu_list;
	bool is_unbound;      /* CPUs cannot be chosen: cpu_list has only the current one */
	bool has_scan;        /* the kernel has PAGEMAP_SCAN */
	bool sees_pfns;       /* pagemap shows page frame numbers, and kpageflags can be opened */
	bool pss_loses_huge;  /* Pss leaves out a huge page that one process maps (32 bits) */
	bool reads_own_pages; /* reading untouched memory allocates pages: no zero page */
	int64_t written_back_ms;  /* age of dirty pages at writeback; 0: unknown */
	bool kpage_covered;       /* a file /proc/kpage* is empty (masked by a container) */
	struct kept_tables *kept; /* a cache of frames and entries, or NULL */
	int kpagecount;           /* descriptors, or -1 */
	int kpageflags;
	uint64_t *shmem_device; /* makedev() numbers of tmpfs; the internal mount is first; owned */
	size_t nr_shmem_devices;
	/* From uname(2), for the report; never used for a verdict. */
	char release[96], version[160], machine[32];
};

/*
 * Probes the machine and fills in *h. Returns 0, or -1 with a sentence in `why`: /proc is not
 * mounted, or this kernel has no smaps or pagemap (CONFIG_PROC_PAGE_MONITOR).
 */
int host_probe(struct host *h, char *why, size_t size);
void host_close(struct host *h);

/*
 * Returns true if the device (dev_t as from makedev()) is a tmpfs or the kernel's internal shmem
 * mount.
 */
bool host_is_shmem_device(const struct host *h, unsigned dev_major, unsigned dev_minor);

#endif
