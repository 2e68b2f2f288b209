// SPDX-License-Identifier: MIT
/* Kinds of memory for virtual/committed, and the acts on those that cannot be changed in part. */
#ifndef CASES_VIRTUAL_COMMITTED_H
#define CASES_VIRTUAL_COMMITTED_H

#include <rssck/case.h>

/* A region has at most ALL pages; acts on a part use HALF pages. */
enum { PAGES = 128, HALF = PAGES / 2, ALL = 2 * PAGES, TIMES = 3, NEVER_OVERCOMMIT = 2 };

/*
 * What the kernel charges for: private writable pages; private pages once they become writable; a
 * whole shmem file; each page of a shmem file; nothing.
 */
enum charge { WRITABLE, READ_ONLY, SHARED, BY_PAGE, NOTHING, CHARGES };

enum backing { NO_FILE, MEMFD, PLAIN_FILE };

struct kind {
	const char *name;
	int prot, flags;
	enum charge charge;
	enum backing backing;
};

/*
 * The region of the current kind. `other` is a second place of the same size, reserved for moves.
 */
struct region {
	struct workload *w;
	const struct kind *kind;
	char *at, *other;
	int fd, segment;
	int mount, full;   /* a tmpfs, mounted nowhere, and its file */
	bool left;         /* MREMAP_DONTUNMAP has left the old mapping at `other` */
	int64_t for_child; /* pages that fork(2) charged for the region */
};

/*
 * The result of an act that does not apply to the kind of memory, or that this kernel may and does
 * refuse. Such an act changes nothing.
 */
enum { REFUSED = 1 };

static inline size_t bytes(const struct region *r, size_t pages)
{
	return pages * r->w->page_size;
}

static inline int raise_break(struct region *r)
{
	workload_break(r->w, PAGES);
	return 0;
}

static inline int lower_break(struct region *r)
{
	workload_break(r->w, -PAGES);
	return 0;
}

static inline int fill_tmpfs(struct region *r)
{
	char size[32];

	snprintf(size, sizeof(size), "size=%zu", bytes(r, PAGES));
	r->full = -1;
	r->mount = workload_tmpfs(size);
	if (r->mount < 0)
		return REFUSED; /* it needs CAP_SYS_ADMIN */
	r->full = openat(r->mount, "full", O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	for (size_t i = 0; i < PAGES; i++)
		if (pwrite(r->full, "1", 1, (off_t)bytes(r, i)) != 1)
			return -1;
	return 0;
}

static inline int write_to_full_tmpfs(struct region *r)
{
	if (r->full < 0)
		return REFUSED;
	return pwrite(r->full, "1", 1, (off_t)bytes(r, PAGES)) == 1 || errno != ENOSPC ? -1 : 0;
}

static inline int unmount_tmpfs(struct region *r)
{
	if (r->full < 0)
		return REFUSED;
	return close(r->full) || close(r->mount);
}

/* Maps and writes a hugetlb page, which is reserved in the pool of hugetlb pages instead. */
static inline int map_hugetlb(struct region *r, int flags)
{
	size_t size = workload_hugetlb_bytes();

	r->at = NULL;
	if (!size || !workload_number("/proc/meminfo", "HugePages_Free", 0))
		return REFUSED;
	r->at = workload_try_map(size, PROT_READ | PROT_WRITE, flags | MAP_HUGETLB, -1);
	if (!r->at)
		return -1;
	*r->at = 1;
	return 0;
}

static inline int map_private_hugetlb(struct region *r)
{
	return map_hugetlb(r, MAP_PRIVATE);
}

static inline int map_shared_hugetlb(struct region *r)
{
	return map_hugetlb(r, MAP_SHARED);
}

static inline int map_unreserved_hugetlb(struct region *r)
{
	return map_hugetlb(r, MAP_PRIVATE | MAP_NORESERVE);
}

static inline int unmap_hugetlb(struct region *r)
{
	return r->at ? munmap(r->at, workload_hugetlb_bytes()) : REFUSED;
}

/* A private mapping is charged, also if its file is charged page by page. */
static inline int map_private_memfd(struct region *r)
{
	r->fd = workload_shmem(r->w, PAGES);
	r->at = workload_try_map(bytes(r, PAGES), PROT_READ | PROT_WRITE, MAP_PRIVATE, r->fd);
	return r->at ? 0 : -1;
}

static inline int unmap_private_memfd(struct region *r)
{
	return munmap(r->at, bytes(r, PAGES));
}

static inline int make_segment(struct region *r, int flags)
{
	r->segment = shmget(IPC_PRIVATE, bytes(r, PAGES), IPC_CREAT | 0600 | flags);
	return r->segment < 0 ? -1 : 0;
}

static inline int make_reserved_segment(struct region *r)
{
	return make_segment(r, 0);
}

static inline int make_unreserved_segment(struct region *r)
{
	return make_segment(r, SHM_NORESERVE);
}

static inline int write_segment(struct region *r)
{
	r->at = shmat(r->segment, NULL, 0);
	if (r->at == (void *)-1)
		return -1;
	touch_write(r->w, r->at, PAGES);
	return 0;
}

static inline int remove_segment(struct region *r)
{
	return shmdt(r->at) || shmctl(r->segment, IPC_RMID, NULL) ? -1 : 0;
}

#endif
