// SPDX-License-Identifier: MIT
/*
 * A metric is one number that the kernel shows to user space. Parsers, the judge, reports, explain
 * and the manual page all read the rows of metrics.def, so a new field of a file that rssck already
 * reads needs no new code.
 */
#ifndef RSSCK_METRIC_H
#define RSSCK_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file, ioctl or call from which a metric is read. */
enum source {
	SOURCE_STAT,    /* /proc/PID/stat */
	SOURCE_STATM,   /* /proc/PID/statm */
	SOURCE_STATUS,  /* /proc/PID/status */
	SOURCE_SMAPS,   /* /proc/PID/smaps, summed over the mappings */
	SOURCE_ROLLUP,  /* /proc/PID/smaps_rollup */
	SOURCE_PAGEMAP, /* /proc/PID/pagemap, with kpageflags if permitted */
	SOURCE_SCAN,    /* the PAGEMAP_SCAN ioctl (6.7+) */
	SOURCE_NUMA,    /* /proc/PID/numa_maps, summed over the mappings */
	SOURCE_FRAMES,  /* /proc/kpageflags and kpagecount of the frames, if permitted */
	SOURCE_OOM,     /* /proc/PID/oom_score */
	SOURCE_RUSAGE,  /* struct rusage of wait4(2), after the process is reaped */
	SOURCE_COUNT,
};

enum unit {
	UNIT_PAGES,
	UNIT_KB,
	UNIT_BYTES,
	UNIT_COUNT, /* a plain number: faults, points */
};

enum metric_kind {
	KIND_COUNTER, /* a running total in the mm; may lag */
	KIND_PRECISE, /* computed by walking page tables */
	KIND_VMA,     /* a size of address space; does not depend on resident pages */
	KIND_PEAK,    /* the peak of a counter */
	KIND_EVENT,   /* a count of events, or any other number */
};

/*
 * What a step can move. A page account counts pages of one class in the page tables; an address
 * account counts pages of address space.
 */
enum account {
	ACCOUNT_ANON,             /* resident, PageAnon */
	ACCOUNT_FILE,             /* resident, page cache of a file */
	ACCOUNT_SHMEM,            /* resident, page cache of tmpfs: shared anonymous, memfd, SysV */
	ACCOUNT_ZERO,             /* present; the zero page, which is in no RSS */
	ACCOUNT_SWAP,             /* an anonymous page's swap entry in the page table */
	ACCOUNT_SHMEM_SWAP,       /* a shmem page on swap, counted per mapping; in no page table */
	ACCOUNT_HUGETLB,          /* resident in a hugetlb mapping, which is in no RSS */
	ACCOUNT_SPECIAL,          /* present, without a struct page: vvar, PFN mappings */
	ACCOUNT_PRIVATE_WRITABLE, /* address space: private and writable, not stack */
	ACCOUNT_STACK,            /* address space: VM_GROWSDOWN, or a shadow stack */
	ACCOUNT_EXEC,             /* address space: executable, not writable, not stack */
	ACCOUNT_OTHER,            /* address space: the rest, shared or not writable */
	ACCOUNT_LOCKED_VM,        /* address space under mlock; also in one of the four above */
	ACCOUNT_GUARD,            /* a guard marker in the page table */
	ACCOUNT_UFFD_WP,          /* an entry that userfaultfd write-protects; also in its class */
	ACCOUNT_PINNED,           /* a page with a long-term pin; also in its class */
	ACCOUNT_COUNT,
};

#define ACCOUNT_BIT(a) (1u << (a))
#define IN_RSS         (ACCOUNT_BIT(ACCOUNT_ANON) | ACCOUNT_BIT(ACCOUNT_FILE) | ACCOUNT_BIT(ACCOUNT_SHMEM))
#define IN_SHR         (ACCOUNT_BIT(ACCOUNT_FILE) | ACCOUNT_BIT(ACCOUNT_SHMEM))
#define IN_VM                                                                 \
	(ACCOUNT_BIT(ACCOUNT_PRIVATE_WRITABLE) | ACCOUNT_BIT(ACCOUNT_STACK) | \
	 ACCOUNT_BIT(ACCOUNT_EXEC) | ACCOUNT_BIT(ACCOUNT_OTHER))

/* Properties of a resident page, besides its class. */
enum page_attribute {
	PAGE_DIRTY = 1 << 0,      /* pte_dirty or PageDirty */
	PAGE_REFERENCED = 1 << 1, /* pte_young or PageReferenced */
	PAGE_LOCKED = 1 << 2,     /* in a VM_LOCKED mapping */
	PAGE_LAZYFREE = 1 << 3,   /* advised by MADV_FREE, and clean */
	PAGE_HUGE = 1 << 4,       /* mapped by a PMD */
	PAGE_KSM = 1 << 5,
	PAGE_NOT_SWAPBACKED = 1 << 6, /* advised by MADV_FREE; a write alone does not clear this */
	PAGE_ONLY_READ = 1 << 7,      /* only read: the zero page, if the kernel allows it */
	PAGE_UNWRITABLE = 1 << 8,     /* in a mapping without PROT_WRITE, so its entry is clean */
};

/* How a metric depends on the number of page table entries that map a page. */
enum sharing {
	SHARING_ANY,          /* counts every page in full */
	SHARING_PRIVATE,      /* counts pages that are mapped once */
	SHARING_SHARED,       /* counts pages that are mapped twice or more */
	SHARING_PROPORTIONAL, /* divides every page by the number of its mappings */
};

/*
 * METRIC_STATM_FIRST, METRIC_STATM_LAST and the like repeat ids of rows, so they do not change the
 * numbering.
 */
#define METRIC(id, ...) METRIC_##id,
#define METRICS_BEGIN(source) \
	METRIC_##source##_FIRST, METRIC_##source##_BEFORE = METRIC_##source##_FIRST - 1,
#define METRICS_END(source) \
	METRIC_##source##_PAST, METRIC_##source##_LAST = METRIC_##source##_PAST - 1,
enum metric_id {
#include <rssck/metrics.def>
	METRIC_COUNT,
	METRIC_STAT_FIRST = 0,
	METRIC_NONE = METRIC_COUNT,
};
#undef METRIC

struct metric {
	const char *name; /* "status.VmRSS": the source, a dot, the kernel's field name */
	const char *key;  /* the name in the file; for stat and statm the number of the field */
	enum source source;
	enum unit unit;
	const char *counts; /* what a UNIT_COUNT counts: "faults"; "" for a setting or a key */
	enum metric_kind kind;
	unsigned accounts; /* ACCOUNT_BITs of the accounts that the metric adds up */
	unsigned with;     /* page attributes a page must have */
	unsigned without;  /* page attributes a page must not have */
	enum sharing sharing;
	bool unconstrained;      /* may move at any time; checked only if a step names it */
	bool constant;           /* never moves; every case checks this */
	const char *maintained;  /* the kernel function that maintains the number */
	const char *prose;       /* what the number is */
	const char *is_not;      /* what the number is not, or NULL; see metric_is_not() */
	const char *approximate; /* why it may be inexact though no counter lags, or NULL */
};

/* Returns the row of a metric; id must be below METRIC_COUNT. */
const struct metric *metric(enum metric_id id);

/* Returns the metric with this name ("statm.resident"), or METRIC_NONE. */
enum metric_id metric_by_name(const char *name);

/*
 * Returns the metric of a source with this key, or METRIC_NONE. The search begins at `hint`. Files
 * list their fields in table order, so a reader passes the id after the last one found.
 */
enum metric_id metric_by_key(enum source source, const char *key, size_t len, enum metric_id hint);

/*
 * Returns the smaps metric that a line of smaps_rollup sums, or the pagemap metric that
 * PAGEMAP_SCAN also counts; METRIC_NONE if there is none.
 */
enum metric_id metric_twin(enum metric_id id);

/*
 * Returns the unit in which a case compares a number of this name: what the metric of this name
 * counts, or "pages".
 */
const char *metric_noun(const char *what);

/* Returns what the metric is not: its own text, or its twin's; NULL if it has neither. */
const char *metric_is_not(enum metric_id id);

/* Returns the name of a source for messages, such as "/proc/PID/statm". */
const char *source_name(enum source source);

#endif
