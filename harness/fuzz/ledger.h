// SPDX-License-Identifier: MIT
/*
 * The ledger holds the state of each page of a random program; every operation updates it. If the
 * result of an operation is defined, the ledger knows one state. If the kernel may choose, the
 * ledger knows the possible states and reads the choice from pagemap. All other numbers must then
 * agree with that choice.
 */
#ifndef RSSCK_FUZZ_LEDGER_H
#define RSSCK_FUZZ_LEDGER_H

#include "agent/verbs/verbs.h"
#include <rssck/discrepancy.h>
#include <rssck/snapshot.h>
#include <stdint.h>

/* The possible states of a page table entry, as bits. */
enum page_state {
	PAGE_ABSENT = 1 << 0,
	PAGE_ZERO = 1 << 1,
	PAGE_ANON = 1 << 2,
	PAGE_CACHE = 1 << 3, /* page cache, including shmem */
	PAGE_SWAPPED = 1 << 4,
	PAGE_MARKER = 1 << 5,    /* an entry that is neither a page nor swap */
	PAGE_ANY = (1 << 6) - 1, /* hugetlb pages, and pages whose state is not predicted: only
				  * identities are checked */
};

enum page_flag {
	PF_MAPPED = 1 << 0,
	PF_READ = 1 << 1,
	PF_WRITE = 1 << 2,
	PF_SHARED = 1 << 3,
	PF_LOCKED = 1 << 4,
	PF_NEW = 1 << 5,   /* in a mapping with VM_SOFTDIRTY */
	PF_FREED = 1 << 6, /* advised with MADV_FREE, and not written since */
	PF_HUGE = 1 << 7,  /* a huge page may map it */
	PF_NOT_FORKED = 1 << 8,
	PF_WIPED = 1 << 9, /* emptied by a fork (MADV_WIPEONFORK) */
	/* the state is unknown, e.g. after a failed call: adopt what maps shows */
	PF_ADOPT = 1 << 10,
	PF_ADOPT_NEW = 1 << 11,  /* like PF_ADOPT, but only for PF_NEW */
	PF_LOOSE = 1 << 13,      /* the kernel decides; the state is not predicted */
	PF_ASYNC = 1 << 14,      /* registered with a userfaultfd in WP_ASYNC mode */
	PF_MAY_UNLOCK = 1 << 12, /* locked, in a mapping from which MREMAP_DONTUNMAP has moved
				  * pages */
};

enum page_kind {
	KIND_ORDINARY,
	KIND_STACK, /* grows down: VmStk counts it, VmData does not */
	/* MAP_DROPPABLE: mlock(2) skips it; the kernel may drop its pages and never swaps them */
	KIND_DROPPABLE,
	KIND_DROPPABLE_LOCKED, /* MAP_DROPPABLE memory that was locked when it was mapped, on
				  kernels that do so */
};

/* The userfaultfd registration of a page, as bits. */
enum page_watch {
	WATCH_SEEN = 1 << 0,        /* registered when last read (VmFlags uw), or registered by an
				     * operation since */
	WATCH_MAY_BE_LOST = 1 << 1, /* mremap of memory that may have merged with this page may
				     * have removed the registration: see known.h */
};

/* The possible values of an entry's bit 55, as bits. Each page of a PF_NEW mapping shows 1. */
enum soft_dirty { CLEAN = 1 << 0, DIRTY = 1 << 1, CLEAN_OR_DIRTY = 3 };

struct ledger_page {
	uint16_t flags;    /* bits of enum page_flag */
	uint8_t state;     /* bits of enum page_state */
	uint8_t dirty;     /* enum soft_dirty */
	uint16_t file;     /* the number of the operation that mapped its file; 0: no file */
	uint8_t kind;      /* enum page_kind */
	uint8_t protected; /* possible values of bit 57 (userfaultfd's write protection), as in
			    * enum soft_dirty */
	uint8_t seen_protected;
	uint8_t watch;            /* enum page_watch */
	uint8_t seen, seen_dirty; /* the possible values that agree with the last reading */
	uint8_t there; /* enum page_state as last read, even if it is not predicted; 0: not read
			* yet */
};

struct ledger_region {
	int64_t markers; /* userfaultfd markers: entries that are neither page, swap nor guard */
	int64_t protected_guards;
	bool by_pmd; /* at the last stop the region had anonymous pages, all mapped by PMDs */
	struct ledger_page *pages; /* ACT_REGION_PAGES elements; NULL: never mapped */
	uint32_t top;              /* the highest page number that was ever mapped, plus 1 */
	uint16_t file;             /* the file that the region's file operations use; 0: no file */
	int64_t unclear, zeroes;   /* pages that are either anonymous or the zero page; and how
				    * many of them are the zero page */
};

struct ledger_process {
	bool alive;
	bool unreferenced; /* the last operation cleared the accessed bits */
	struct ledger_region regions[ACT_REGIONS];
	int64_t outside[4]; /* VmSize, VmData, VmLck and VmPin of all memory outside the regions,
			     * in pages */
	bool outside_known;
	int64_t lost_locks; /* pages that MREMAP_DONTUNMAP has unlocked and VmLck may still count */
	bool locks_new;     /* new mappings are locked (MCL_FUTURE) */
	bool locked_droppable; /* droppable memory is locked: a known bug, see known.h */
	bool dontunmap_beside; /* MREMAP_DONTUNMAP has moved pages of this process next to their
				* old place */
	int64_t zeroed;   /* anonymous pages that the kernel may have replaced by the zero page */
	int64_t dropped;  /* file pages that the kernel may have unmapped when it removed a huge
			   * page's entry */
	bool forgot_peak; /* VmHWM may be too small: a known bug, see known.h */
	bool lost_marks;  /* swapoff has cleared soft-dirty or uffd-wp bits: a known bug, see
			   * known.h */
	int64_t highest_rss, highest_size; /* the largest values seen at any stop, in pages */
};

struct ledger {
	struct ledger_process of[ACT_PROCESSES];
	uint32_t file_pages[ACT_STEPS_MAX + 1]; /* the length of each file, in pages */
	bool soft_dirty;                        /* this kernel has soft-dirty bits */
	bool soft_dirty_asked;
	bool reads_own_pages; /* see struct host */
	bool protection;      /* this kernel has shown bit 57 (Linux 5.14) */
	uint32_t huge;        /* number of pages that one PMD maps; 0: no huge pages */
	bool merged;          /* KSM has scanned pages of this program */
	bool swapped_in;      /* the last operation was swapoff */
	uint32_t faulted;     /* accesses of the last operation that must raise a signal */
	bool faulted_known;
};

void ledger_open(struct ledger *l, uint32_t huge);
void ledger_close(struct ledger *l);

/* Sets the state before a program: one process, nothing mapped. */
void ledger_begin(struct ledger *l);

/* Applies an operation to the pages. */
void ledger_act(struct ledger *l, const struct act *a, const struct act_outcome *o);

/*
 * Call after several processes or threads have run operations concurrently: the states of all pages
 * become unknown.
 */
void ledger_loosen(struct ledger *l);

/*
 * Call after threads of one process have run operations concurrently: lost locks and peaks become
 * unknown, too.
 */
void ledger_race(struct ledger *l, const struct act *acts, unsigned n);

/* The addresses of a program's regions. */
struct ledger_place {
	uint64_t arena, stride;
	long page_size;
	bool sees_pfns;
};

/*
 * Compares each page of the region with `words`, pagemap's entries from page 0 to the region's top.
 * Returns false and sets *d if an entry is not possible.
 */
bool ledger_check_pages(struct ledger *l, unsigned process, unsigned region, const uint64_t *words,
			bool sees_pfns, struct discrepancy *d);

/* Adopts the states that were read: from now on the ledger knows what the kernel has chosen. */
void ledger_take(struct ledger *l, unsigned process);

/*
 * Compares the mappings with the ledger: which pages are mapped, their permissions and their flags.
 */
bool ledger_check_maps(struct ledger *l, unsigned process, const struct snapshot *s,
		       const struct ledger_place *place, struct discrepancy *d);

/*
 * Number of pages that MREMAP_DONTUNMAP has unlocked up to this snapshot and VmLck may still count.
 */
int64_t ledger_lost_locks(const struct ledger *l, unsigned process, const struct snapshot *s,
			  const struct ledger_place *place);

/*
 * True if every write-protected page without a registered userfaultfd may have lost its
 * registration by a move.
 */
bool ledger_has_lost_watch(const struct ledger *l, unsigned process, const struct snapshot *s,
			   const struct ledger_place *place);

/*
 * Compares VmSize, VmData, VmLck and VmPin with the ledger, and the peaks with the largest values
 * seen. VmHWM may be too small by `lag` pages.
 */
bool ledger_check_counts(struct ledger *l, unsigned process, const struct snapshot *s,
			 long page_size, int64_t lag, struct discrepancy *d);

/* Returns false if Referenced counts a page whose accessed bit was cleared. */
bool ledger_check_referenced(const struct ledger *l, unsigned process, const struct snapshot *s,
			     const struct ledger_place *place, struct discrepancy *d);

/* Compares the page classes with the ledger, summed over the region's mappings. */
bool ledger_check_classes(struct ledger *l, unsigned process, unsigned region,
			  const struct snapshot *s, const struct ledger_place *place,
			  struct discrepancy *d);

#endif
