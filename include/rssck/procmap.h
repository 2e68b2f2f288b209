// SPDX-License-Identifier: MIT
/* PROCMAP_QUERY of /proc/PID/maps (Linux 6.11), which older headers lack. */
#ifndef RSSCK_PROCMAP_H
#define RSSCK_PROCMAP_H

#include <stdint.h>
#include <sys/ioctl.h>

/* struct procmap_query of include/uapi/linux/fs.h */
struct query {
	uint64_t size, query_flags, query_addr;
	uint64_t vma_start, vma_end, vma_flags, vma_page_size, vma_offset, inode;
	uint32_t dev_major, dev_minor, vma_name_size, build_id_size;
	uint64_t vma_name_addr, build_id_addr;
};

#define QUERY _IOWR('f', 17, struct query)

#endif
