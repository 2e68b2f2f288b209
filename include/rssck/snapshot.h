// SPDX-License-Identifier: MIT
/*
 * A snapshot: the numbers of one process from every source. The process of a case waits while it is
 * read. If a process runs meanwhile, `moved` says what changed. A snapshot is a plain value, so the
 * judge needs no kernel.
 */
#ifndef RSSCK_SNAPSHOT_H
#define RSSCK_SNAPSHOT_H

#include <rssck/metric.h>
#include <sys/types.h>

struct source_error {
	enum source source;
	int number;     /* errno, or 0 if the content is wrong */
	char text[160]; /* one sentence, without the file's name */
};

/* The values of all metrics, each in its metric's unit; have[] is false for an absent metric. */
struct values {
	int64_t of[METRIC_COUNT];
	bool have[METRIC_COUNT];
};

/* Classes of a mapping's pages in its page tables: present, or on swap (CLASS_SWAP). */
enum page_class {
	CLASS_ANON,
	CLASS_FILE,
	CLASS_SHMEM,
	CLASS_ZERO,
	CLASS_HUGETLB,
	CLASS_SPECIAL,
	CLASS_SWAP,
	CLASS_COUNT,
};

struct page_counts {
	int64_t of[CLASS_COUNT];   /* base pages */
	int64_t exclusive;         /* PM_MMAP_EXCLUSIVE, without hugetlb and known zero pages */
	int64_t hugetlb_exclusive; /* PM_MMAP_EXCLUSIVE in hugetlb mappings only */
	int64_t file_bit;          /* present with PM_FILE, outside of hugetlb */
	int64_t hugetlb_file;      /* present with PM_FILE, in hugetlb mappings */
	int64_t soft_dirty;
	int64_t soft_dirty_entries; /* soft-dirty entries that have a page or a swap entry */
	int64_t uffd_wp, guards;
	int64_t poisoned;           /* pages with a memory error (hwpoison); 0 if PFNs are hidden */
	enum page_class file_class; /* class of the page cache in this mapping */
	bool walked;
	bool sampled;    /* some frames of this mapping were not looked up */
	bool zero_known; /* if false, zero pages are counted in CLASS_ANON */
};

/* How many of the mapping's pages PAGEMAP_SCAN reports in each category. */
struct scan_counts {
	/* In base pages. */
	int64_t present, file, swapped, pfnzero, huge, written, wpallowed, soft_dirty;
	int64_t guards;
	bool scanned;
};

enum {
	SMAPS_FIELDS = METRIC_SMAPS_LAST - METRIC_SMAPS_FIRST + 1,
	NUMA_FIELDS = METRIC_NUMA_LAST - METRIC_NUMA_FIRST + 1,
	FRAMES_FIELDS = METRIC_FRAMES_LAST - METRIC_FRAMES_FIRST + 1,
	NODES_MAX = 1024, /* the largest MAX_NUMNODES (include/linux/numa.h) */
	NODES_KEPT = 8,
};

/* A mapping: its line in maps, its block in smaps, and the counts of the readers of page tables. */
/* What PROCMAP_QUERY answered about a mapping; all 0 if the kernel knows no such mapping. */
struct map_query {
	bool asked, same_name; /* same_name: as in maps */
	uint64_t start, end, offset, inode;
	int64_t page_kb;
	unsigned flags; /* QUERY_READABLE ... */
	unsigned dev_major, dev_minor;
};

enum { QUERY_READABLE = 1, QUERY_WRITABLE = 2, QUERY_EXECUTABLE = 4, QUERY_SHARED = 8 };

struct mapping {
	uint64_t start, end; /* bytes */
	uint64_t offset, inode;
	unsigned dev_major, dev_minor;
	bool readable, writable, executable;
	bool shared;       /* VM_MAYSHARE: 's' in maps */
	const char *name;  /* as the kernel escapes it; "" if there is none */
	const char *flags; /* VmFlags, "rd wr mr mw me ac"; "" if unknown */
	int64_t smaps[SMAPS_FIELDS];
	uint64_t smaps_have; /* bit i is set if smaps printed smaps[i] */
	struct page_counts pagemap;
	struct scan_counts scan;
	int64_t numa[NUMA_FIELDS];
	/*
	 * Pages by node from numa_maps, for the first NODES_KEPT nodes with pages; in hugetlb pages
	 * if the mapping is hugetlb.
	 */
	struct {
		int node;
		int64_t pages;
	} on_node[NODES_KEPT];
	unsigned nr_nodes; /* number of nodes with pages, including those beyond NODES_KEPT */
	bool numa_read;
	int64_t frames[FRAMES_FIELDS];
	bool frames_read;
	struct map_query query;
};

/* Returns a smaps field of a mapping in the metric's unit, mostly kB; 0 if it was not printed. */
static inline int64_t mapping_smaps(const struct mapping *m, enum metric_id id)
{
	return m->smaps[id - METRIC_SMAPS_FIRST];
}

/* Returns Private_Clean + Private_Dirty of a mapping, in kB. */
static inline int64_t mapping_private(const struct mapping *m)
{
	return mapping_smaps(m, METRIC_SMAPS_PRIVATE_CLEAN) +
	       mapping_smaps(m, METRIC_SMAPS_PRIVATE_DIRTY);
}

/* A field that metrics.def does not describe. */
struct unknown_field {
	enum source source;
	char key[32];
	char value[32]; /* the first value that was seen */
};

enum { UNKNOWN_FIELDS_MAX = 32 };

struct snapshot {
	pid_t pid;
	struct values values;
	struct mapping *maps; /* in address order; owned */
	size_t nr_maps;
	char *strings;      /* what `name` and `flags` of the mappings point into; owned */
	struct page *pages; /* <rssck/pages.h>, if a case needs them; owned */
	size_t nr_pages;
	struct unknown_field unknown[UNKNOWN_FIELDS_MAX];
	size_t nr_unknown;
	char moved[120];  /* what moved while the sources were read, or "" */
	bool moved_pages; /* pages of the process changed meanwhile, by faults or by reclaim */
	struct source_error error[SOURCE_COUNT]; /* .text is empty if the source was read */
};

void snapshot_free(struct snapshot *s);

/*
 * Metrics that count the pages of some classes by walking page tables: `first` + `second`, or
 * `first` - `second` if `beyond` is true. `second` may be METRIC_NONE.
 */
struct walked {
	unsigned accounts; /* ACCOUNT_BITs */
	enum metric_id first, second;
	bool beyond;
};

/*
 * Returns the row for these classes, or NULL if no walk counts them. If `rollup` is true, the row
 * is of smaps_rollup, where only Pss separates file from shmem; else it is of smaps and pagemap.
 */
const struct walked *walked_by(unsigned accounts, bool rollup);

/* Returns a metric of a snapshot in its own unit; -1 if it is absent. */
int64_t snapshot_value(const struct snapshot *s, enum metric_id id);

/*
 * Returns a metric in pages, rounded down; in its own unit if it is not a size; -1 if it is absent.
 */
int64_t snapshot_pages(const struct snapshot *s, enum metric_id id, long page_size);

/* Returns how many kB of the process, without hugetlb, are mapped by PMDs according to smaps. */
int64_t snapshot_huge_kb(const struct snapshot *s);

/* Returns the mapping that contains an address, or NULL. */
const struct mapping *snapshot_mapping(const struct snapshot *s, uint64_t address);

/*
 * Returns how many pages of the mapping (hugetlb pages if it is hugetlb) are on a memory node; -1
 * if that is unknown, because the mapping has pages on more than NODES_KEPT nodes and this node is
 * not a kept one.
 */
int64_t mapping_on_node(const struct mapping *m, int node);

/* Returns true if the mapping's VmFlags contain these two letters. */
bool mapping_has_flag(const struct mapping *m, const char *flag);

/*
 * Returns true if the mapping maps a file, including shmem. The device of a file is never 0:0. Its
 * inode may be 0: the inode of a System V segment is its id, and the first id since boot is 0.
 */
bool mapping_has_file(const struct mapping *m);

/* Returns true for the gate page [vsyscall], which maps and smaps list, but which is in no mm. */
bool mapping_is_gate(const struct mapping *m);

/*
 * Returns the account of address space in which the kernel counts a mapping; ACCOUNT_SPECIAL for
 * the gate page, which it does not count.
 */
enum account mapping_account(const struct mapping *m);

#endif
