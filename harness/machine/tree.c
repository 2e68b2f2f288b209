// SPDX-License-Identifier: MIT
/* Splits the memory of a machine into parts. */
#include "tree.h"
#include "base/number.h"

static const struct {
	const char *name, *words;
	const char *by_counters; /* the words if page frames were not read; NULL: the same words */
	enum held_kind holder;
	bool free;
} parts[PART_COUNT] = {
	[PART_FREE] = { "free", .words = "free", .free = true },
	[PART_FREE_CPUS] = { "free_cpus", .words = "free, on per-CPU lists", .free = true },
	[PART_UNINITIALISED] = { "uninitialised", .words = "free, not initialised yet",
				 .free = true },
	[PART_ANON] = { "anon", .words = "anonymous memory", .holder = HELD_ANON },
	[PART_ANON_UNMAPPED] = { "anon_unmapped",
				 .words =
					 "anonymous memory that no process maps (being freed), and swap cache" },
	[PART_CACHE_MAPPED] = { "cache_mapped", .words = "page cache of files, mapped" },
	[PART_CACHE_UNMAPPED] = { "cache_unmapped", .words = "page cache of files, not mapped",
				  .holder = HELD_CACHE,
				  .by_counters = "page cache of files, mapped or not" },
	[PART_SHMEM_MAPPED] = { "shmem_mapped", .words = "shared memory and tmpfs, mapped",
				.holder = HELD_SHMEM_MAPPED },
	[PART_SHMEM_UNMAPPED] = { "shmem_unmapped",
				  .words = "shared memory and tmpfs that no process maps",
				  .holder = HELD_SHMEM,
				  .by_counters = "shared memory and tmpfs, mapped or not" },
	[PART_BATCH] = { "batch", .words = "pages on their way to an LRU list" },
	[PART_HUGETLB_USED] = { "hugetlb_used", .words = "hugetlb pages in use",
				.holder = HELD_HUGETLB },
	[PART_HUGETLB_FREE] = { "hugetlb_free", .words = "free hugetlb pages" },
	[PART_PGTABLE] = { "page_tables", .words = "page tables", .holder = HELD_PGTABLE },
	[PART_STACKS] = { "kernel_stacks", .words = "kernel stacks of threads",
			  .holder = HELD_STACKS },
	[PART_SLAB_RECLAIMABLE] = { "slab_reclaimable", .words = "slabs that can shrink",
				    .holder = HELD_SLAB_RECLAIMABLE },
	[PART_SLAB] = { "slab", .words = "other slabs", .holder = HELD_SLAB },
	[PART_KMALLOC] = { "kmalloc_large", .words = "large kmalloc" },
	[PART_VMALLOC] = { "vmalloc", .words = "vmalloc, without stacks", .holder = HELD_VMALLOC },
	[PART_PERCPU] = { "percpu", .words = "per-CPU areas" },
	[PART_PIPES] = { "pipes", .words = "pipes", .holder = HELD_PIPES },
	[PART_SOCKETS] = { "sockets", .words = "socket buffers", .holder = HELD_SOCKETS },
	[PART_RINGS] = { "rings",
			 .words = "rings that programs share with the kernel (io_uring, perf)",
			 .holder = HELD_RINGS },
	[PART_ZSMALLOC] = { "zsmalloc", .words = "compressed memory (zram, zswap)" },
	[PART_TRACING] = { "tracing", .words = "tracing: ring buffers, and records of functions" },
	[PART_POOLS] = { "pools",
			 .words = "buffers kept ready for devices (DMA, block integrity)" },
	[PART_OFFLINE] = { "balloon", .words = "taken by a balloon or offline" },
	[PART_POISON] = { "poison", .words = "poisoned" },
	[PART_UNEXPLAINED] = { "unexplained", .words = "unexplained" },
};

const char *part_words(enum part p)
{
	return parts[p].words;
}

const char *part_words_in(const struct machine_tree *t, enum part p)
{
	return !t->frames && parts[p].by_counters ? parts[p].by_counters : parts[p].words;
}

const char *part_name(enum part p)
{
	return parts[p].name;
}

enum held_kind part_holder(enum part p)
{
	return parts[p].holder;
}

bool part_is_free(enum part p)
{
	return parts[p].free;
}

static void put(struct machine_tree *t, enum part p, int64_t kb)
{
	t->of[p] = kb > 0 ? kb : 0;
}

/* Without page frames, uses lines of meminfo. */
static void add_frames(struct machine_tree *t, const struct machine_values *v)
{
	const int64_t *of = v->of;

	if (!t->frames) {
		put(t, PART_FREE, of[MACHINE_MEMINFO_MEMFREE]);
		put(t, PART_ANON, of[MACHINE_MEMINFO_ANONPAGES]);
		put(t, PART_CACHE_UNMAPPED,
		    of[MACHINE_MEMINFO_CACHED] + of[MACHINE_MEMINFO_BUFFERS] -
			    of[MACHINE_MEMINFO_SHMEM]);
		put(t, PART_SHMEM_UNMAPPED, of[MACHINE_MEMINFO_SHMEM]);
		put(t, PART_PGTABLE, of[MACHINE_MEMINFO_PAGETABLES]);
		put(t, PART_SLAB, of[MACHINE_MEMINFO_SUNRECLAIM]);
		return;
	}
	put(t, PART_FREE, of[MACHINE_FRAMES_FREE]);
	put(t, PART_UNINITIALISED, of[MACHINE_MEMINFO_MEMTOTAL] - of[MACHINE_SUM_MANAGED]);
	put(t, PART_ANON, of[MACHINE_FRAMES_ANON]);
	put(t, PART_ANON_UNMAPPED, of[MACHINE_FRAMES_ANON_UNMAPPED]);
	put(t, PART_CACHE_MAPPED, of[MACHINE_FRAMES_CACHE_MAPPED]);
	put(t, PART_CACHE_UNMAPPED,
	    of[MACHINE_FRAMES_CACHE] - of[MACHINE_FRAMES_SHMEM] - of[MACHINE_FRAMES_CACHE_MAPPED]);
	put(t, PART_SHMEM_MAPPED, of[MACHINE_FRAMES_SHMEM] - of[MACHINE_FRAMES_SHMEM_UNMAPPED]);
	put(t, PART_SHMEM_UNMAPPED, of[MACHINE_FRAMES_SHMEM_UNMAPPED]);
	put(t, PART_BATCH, of[MACHINE_FRAMES_BATCH]);
	put(t, PART_PGTABLE, of[MACHINE_FRAMES_PGTABLE]);
	put(t, PART_SLAB, of[MACHINE_FRAMES_SLAB] - of[MACHINE_MEMINFO_SRECLAIMABLE]);
	put(t, PART_KMALLOC, of[MACHINE_MEMINFO_SLAB] - of[MACHINE_FRAMES_SLAB]);
	put(t, PART_OFFLINE, of[MACHINE_FRAMES_OFFLINE]);
	put(t, PART_POISON, of[MACHINE_FRAMES_POISON]);
	t->unevictable = of[MACHINE_FRAMES_CACHE_UNEVICTABLE];
	t->compound = of[MACHINE_FRAMES_LARGE] - t->of[PART_KMALLOC];
}

/* The frames of most of these parts have no flag. */
static void add_counters(struct machine_tree *t, const struct machine_values *v)
{
	const int64_t *of = v->of;
	int64_t stacks = of[MACHINE_MEMINFO_KERNELSTACK], vmalloc = of[MACHINE_MEMINFO_VMALLOCUSED];

	put(t, PART_FREE_CPUS, of[MACHINE_SUM_PCP]);
	put(t, PART_HUGETLB_FREE, of[MACHINE_SUM_HUGE_FREE]);
	put(t, PART_HUGETLB_USED, of[MACHINE_MEMINFO_HUGETLB] - of[MACHINE_SUM_HUGE_FREE]);
	put(t, PART_STACKS, stacks);
	put(t, PART_SLAB_RECLAIMABLE, of[MACHINE_MEMINFO_SRECLAIMABLE]);
	put(t, PART_VMALLOC, vmalloc - stacks);
	put(t, PART_PERCPU, of[MACHINE_MEMINFO_PERCPU] - of[MACHINE_SUM_FIRST_CHUNK]);
	put(t, PART_ZSMALLOC, of[MACHINE_VMSTAT_NR_ZSPAGES]);
	put(t, PART_TRACING, of[MACHINE_SUM_FTRACE] + of[MACHINE_SUM_TRACE_BUFFERS]);
	put(t, PART_POOLS, of[MACHINE_SUM_DMA_POOLS] + of[MACHINE_SUM_INTEGRITY]);
	t->dirty = of[MACHINE_MEMINFO_DIRTY] + of[MACHINE_MEMINFO_WRITEBACK];
}

/*
 * Returns the pages of zsmalloc that look mapped on this kernel, although Mapped does not count
 * them.
 */
static int64_t zsmalloc_mapped(const struct machine_values *v)
{
	int64_t more = v->of[MACHINE_FRAMES_MAPPED] - v->of[MACHINE_MEMINFO_MAPPED];

	return more > 0 ? lesser(more, v->of[MACHINE_SUM_ZSMALLOC_MAPPED]) : 0;
}

/*
 * Rings are pages that programs map, or compound pages. Socket buffers are compound pages, or
 * single pages (see add_single_pages()). Some socket buffers are in slabs, and are counted there.
 */
static void add_holders(struct machine_tree *t, const struct machine_values *v,
			const struct memory_holders *h)
{
	int64_t left = t->compound > 0 ? t->compound : 0,
		rings = v->of[MACHINE_FRAMES_OTHER_MAPPED] - zsmalloc_mapped(v), more;

	if (!h || !t->frames)
		return;
	put(t, PART_PIPES, h->of[HELD_PIPES].all);
	more = lesser(h->of[HELD_RINGS].all - lesser(rings, h->of[HELD_RINGS].all), left);
	put(t, PART_RINGS, rings + more);
	left -= more;
	put(t, PART_SOCKETS, lesser(h->of[HELD_SOCKETS].all, left));
	t->compound = left - t->of[PART_SOCKETS];
}

/*
 * Socket buffers are single pages if a page has 32 KiB or more (SKB_FRAG_PAGE_ORDER), or if no
 * larger pages were free.
 */
static void add_single_pages(struct machine_tree *t, const struct memory_holders *h)
{
	int64_t single = t->of[PART_UNEXPLAINED] - t->compound,
		more = lesser(h->of[HELD_SOCKETS].all - t->of[PART_SOCKETS], single);

	if (more <= 0)
		return;
	t->of[PART_SOCKETS] += more;
	t->of[PART_UNEXPLAINED] -= more;
}

void machine_tree_make(struct machine_tree *t, const struct machine_reading *r,
		       const struct memory_holders *h)
{
	const struct machine_values *v = &r->after;

	*t = (struct machine_tree) { .total = v->of[MACHINE_MEMINFO_MEMTOTAL],
				     .frames = r->frames };
	add_frames(t, v);
	add_counters(t, v);
	add_holders(t, v, h);
	t->of[PART_UNEXPLAINED] = t->total;
	for (int p = 0; p < PART_UNEXPLAINED; p++)
		t->of[PART_UNEXPLAINED] -= t->of[p];
	if (h && t->frames)
		add_single_pages(t, h);
}
