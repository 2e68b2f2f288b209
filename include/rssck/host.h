// SPDX-License-Identifier: MIT
/* The machine that rssck runs on. Everything is probed at the start; nothing is assumed. */
#ifndef RSSCK_HOST_H
#define RSSCK_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest number of CPUs that Linux can be built for. */
enum { HOST_CPUS_MAX = 8192 };

struct kept_tables;

struct host {
	long page_size;              /* bytes */
	long huge_page_size;         /* bytes that one PMD maps; 0: no huge pages */
	unsigned cpus;               /* online */
	int cpu_list[HOST_CPUS_MAX]; /* the CPUs this process may run on */
	unsigned nr_cpu_list;
	bool is_unbound; /* sched_setaffinity(2) is refused, so a process may run on any of them */
	bool has_scan;   /* PAGEMAP_SCAN works */
	bool sees_pfns;  /* pagemap shows page frame numbers, and kpageflags can be opened */
	bool pss_loses_huge; /* Pss leaves out a huge page that only one process maps, as measured
			      * here */
	int64_t written_back_ms; /* age at which the kernel writes back a file's dirty page; 0: not
				  * known */
	bool kpage_covered;      /* one of these files exists but is empty, because a container
				  * runtime masks it */
	struct kept_tables
		*kept;  /* <rssck/source.h>: a cache of frames and entries already read, or NULL */
	int kpagecount; /* descriptors, or -1 */
	int kpageflags;
	uint64_t *
		shmem_device; /* makedev() numbers of tmpfs mounts, the internal one first; owned */
	size_t nr_shmem_devices;
	char release[96], version[160],
		machine[32]; /* uname(2): for the report, never used for a verdict */
};

/*
 * Fills in *h. Returns 0, or -1 with a sentence in `why`: /proc is not mounted, or this kernel has
 * no smaps or pagemap (CONFIG_PROC_PAGE_MONITOR).
 */
int host_probe(struct host *h, char *why, size_t size);
void host_close(struct host *h);

/* True if the device (dev_t as makedev gives it) is a tmpfs or the kernel's internal shmem mount.
 */
bool host_is_shmem_device(const struct host *h, unsigned dev_major, unsigned dev_minor);

#endif
