// SPDX-License-Identifier: MIT
/* The machine on which rssck runs, probed at the start. */
#ifndef RSSCK_HOST_H
#define RSSCK_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest value of CONFIG_NR_CPUS. */
enum { HOST_CPUS_MAX = 8192 };

struct kept_tables;

struct host {
	long page_size;      /* bytes */
	long huge_page_size; /* bytes that one PMD maps, even if huge pages are disabled; not 0 */
	unsigned cpus;       /* number of online CPUs */
	int cpu_list[HOST_CPUS_MAX]; /* the CPUs on which this process may run */
	unsigned nr_cpu_list;
	bool is_unbound;     /* CPUs cannot be chosen; cpu_list has only the current one */
	bool has_scan;       /* the kernel has PAGEMAP_SCAN */
	bool sees_pfns;      /* pagemap shows PFNs, and kpageflags can be opened */
	bool pss_loses_huge; /* Pss leaves out a huge page that one process maps (32-bit kernels) */
	bool reads_own_pages;     /* a read of untouched memory allocates pages: no zero page */
	int64_t written_back_ms;  /* age at which dirty pages are written back; 0 if unknown */
	bool kpage_covered;       /* a file /proc/kpage* is empty, because a container masks it */
	struct kept_tables *kept; /* cache of page frames and pagemap entries, or NULL */
	int kpagecount;           /* descriptor, or -1 */
	int kpageflags;
	uint64_t *shmem_device; /* makedev() numbers of tmpfs, internal mount first; owned */
	size_t nr_shmem_devices;
	/* From uname(2), for the report; never used for a verdict. */
	char release[96], version[160], machine[32];
};

/*
 * Probes the machine and fills in *h. Returns 0; -1 with a sentence in `why` if /proc is not
 * mounted or the kernel has no smaps or pagemap (CONFIG_PROC_PAGE_MONITOR).
 */
int host_probe(struct host *h, char *why, size_t size);

/*
 * Returns -1 with a message if /proc was mounted in another PID namespace: it then shows this
 * process's children under other PIDs.
 */
int host_shows_ours(char *why, size_t size);
void host_close(struct host *h);

/* Returns true if the device is that of a tmpfs or of the kernel's internal shmem mount. */
bool host_is_shmem_device(const struct host *h, unsigned dev_major, unsigned dev_minor);

#endif
