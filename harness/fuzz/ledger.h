// SPDX-License-Identifier: MIT
/*
 * The ledger: the state of each page of a random program, updated by every operation. If the
 * outcome is defined it knows one state; if the kernel may choose it knows the possible ones and
 * reads the choice from pagemap: all other numbers must follow.
 */
#ifndef RSSCK_FUZZ_LEDGER_H
#define RSSCK_FUZZ_LEDGER_H

#include "agent/verbs/verbs.h"
#include <rssck/discrepancy.h>
#include <rssck/snapshot.h>
#include <stdint.h>

/* Bits of a page table entry. */
enum page_state {
	PAGE_ABSENT = 1 << 0,
	PAGE_ZERO = 1 << 1,
	PAGE_ANON = 1 << 2,
	PAGE_CACHE = 1 << 3, /* of a file, including shmem */
	PAGE_SWAPPED = 1 << 4,
	PAGE_MARKER = 1 << 5,    /* an entry that is neither page nor swap */
	PAGE_ANY = (1 << 6) - 1, /* hugetlb pages, and pages whose state others decide: only
				  * identities are checked */
};

enum page_flag {
	PF_MAPPED = 1 << 0,
	PF_READ = 1 << 1,
	PF_WRITE = 1 << 2,
	PF_SHARED = 1 << 3,
	PF_LOCKED = 1 << 4,
	PF_NEW = 1 << 5,   /* in a mapping that has VM_SOFTDIRTY */
	PF_FREED = 1 << 6, /* advised by MADV_FREE, and not written since */
	PF_HUGE = 1 << 7,  /* may be in a huge page */
	PF_NOT_FORKED = 1 << 8,
	PF_WIPED = 1 << 9,       /* by a fork */
	PF_ADOPT = 1 << 10,      /* a call failed half-way: adopt what maps shows */
	PF_ADOPT_NEW = 1 << 11,  /* the same, but only for PF_NEW */
	PF_LOOSE = 1 << 13,      /* the kernel decides: the states are not predicted */
	PF_ASYNC = 1 << 14,      /* registered with a userfaultfd in WP_ASYNC mode */
	PF_MAY_UNLOCK = 1 << 12, /* locked, in a mapping from which MREMAP_DONTUNMAP has moved pages
				  */
};

/* Further properties of a mapping. */
enum page_kind {
	KIND_ORDINARY,
	KIND_STACK,            /* it grows down: counted in VmStk, not in VmData */
	KIND_DROPPABLE,        /* never swapped, but the kernel may drop it; cannot be locked */
	KIND_DROPPABLE_LOCKED, /* the same, but some kernels locked it when it was mapped */
};

/* The page's userfaultfd: bits. */
enum page_watch {
	WATCH_SEEN = 1 << 0, /* registered when last read (VmFlags uw), or by an operation since */
	WATCH_MAY_BE_LOST = 1 << 1, /* lost by mremap of memory that it may have merged with: see
				     * known.h */
};

/* The possible values of bit 55 of an entry: bits. A page of a PF_NEW mapping always shows 1. */
enum soft_dirty { CLEAN = 1 << 0, DIRTY = 1 << 1, CLEAN_OR_DIRTY = 3 };

struct ledger_page {
	uint16_t flags; /* bits of enum page_flag */
	uint8_t state;  /* bits of enum page_state */
	uint8_t dirty;  /* enum soft_dirty */
	uint16_t file; /* the file behind it: the number of the operation that mapped it; 0: none */
	uint8_t kind;  /* enum page_kind */
	uint8_t protected; /* the possible values of bit 57, userfaultfd's write protection, as in
			      enum soft_dirty */
	uint8_t seen_protected;
	uint8_t watch;            /* enum page_watch */
	uint8_t seen, seen_dirty; /* the possible values that agree with the last reading */
	uint8_t there; /* enum page_state as last read, even if not predicted; 0: not read yet */
};

struct ledger_region {
	int64_t markers; /* entries that are neither page, swap nor guard: userfaultfd's */
	int64_t protected_guards;
	bool by_pmd; /* at the last stop all pages there were whole huge pages, not shared by files
		      */
	struct ledger_page *pages; /* ACT_REGION_PAGES; NULL: never mapped */
	uint32_t top;              /* one more than the last page that was ever mapped */
	uint16_t file;             /* the file that file operations on the region use; 0: none */
	int64_t unclear, zeroes;   /* pages that are either anonymous or the zero page, and how many
				    * are the   latter */
};

struct ledger_process {
	bool alive;
	bool unreferenced; /* the last operation cleared the accessed bits */
	struct ledger_region regions[ACT_REGIONS];
	int64_t outside[4]; /* VmSize, VmData, VmLck, VmPin of everything else, in pages */
	bool outside_known;
	int64_t lost_locks; /* pages that MREMAP_DONTUNMAP has unlocked: VmLck may still count them
			     */
	bool locks_new;     /* MCL_FUTURE */
	bool locked_droppable; /* droppable memory is locked: a known bug, see known.h */
	bool dontunmap_beside; /* it has moved pages next to themselves with MREMAP_DONTUNMAP */
	int64_t zeroed;   /* anonymous pages that the kernel may have replaced by the zero page */
	int64_t dropped;  /* file pages that the kernel may have unmapped together with a huge
			   * page's entry */
	bool forgot_peak; /* the amount by which VmHWM is too small: a known bug, see known.h */
	bool lost_marks;  /* swapoff has removed soft-dirty bits: a known bug, see known.h */
	int64_t highest_rss, highest_size; /* largest values seen at the stops, in pages */
};

struct ledger {
	struct ledger_process of[ACT_PROCESSES];
	uint32_t file_pages[ACT_STEPS_MAX + 1]; /* the length of each file */
	bool soft_dirty;                        /* this kernel has soft-dirty bits */
	bool soft_dirty_asked;
	bool protection;  /* this kernel has shown bit 57 (5.14) */
	uint32_t huge;    /* number of pages that one PMD maps; 0: none */
	bool merged;      /* KSM has scanned pages of this program */
	bool swapped_in;  /* the last operation was swapoff */
	uint32_t faulted; /* accesses of the last operation that must raise a signal */
	bool faulted_known;
};

void ledger_open(struct ledger *l, uint32_t huge);
void ledger_close(struct ledger *l);

/* The state before a program: one process, nothing mapped. */
void ledger_begin(struct ledger *l);

/* Applies an operation to the pages. */
void ledger_act(struct ledger *l, const struct act *a, const struct act_outcome *o);

/* Several processes have acted concurrently: the states of all pages are unknown from now on. */
void ledger_loosen(struct ledger *l);

/* Threads of one process have acted concurrently: lost locks and peaks are unknown, too. */
void ledger_race(struct ledger *l, const struct act *acts, unsigned n);

/* The addresses of a program's regions. */
struct ledger_place {
	uint64_t arena, stride;
	long page_size;
	bool sees_pfns;
};

/*
 * Compares each page of the region. `words` are pagemap's, from page 0 to the region's top. Returns
 * true if all of them are possible.
 */
bool ledger_check_pages(struct ledger *l, unsigned process, unsigned region, const uint64_t *words,
			bool sees_pfns, struct discrepancy *d);

/* Adopts what was read: the ledger then knows what the kernel has chosen. */
void ledger_take(struct ledger *l, unsigned process);

/* Compares the mappings: their existence, permissions and flags. */
bool ledger_check_maps(struct ledger *l, unsigned process, const struct snapshot *s,
		       const struct ledger_place *place, struct discrepancy *d);

/* Number of pages in that snapshot that have lost their lock by MREMAP_DONTUNMAP. */
int64_t ledger_lost_locks(const struct ledger *l, unsigned process, const struct snapshot *s,
			  const struct ledger_place *place);

/*
 * True if everything that is write-protected without a registered userfaultfd may have lost the
 * registration by a move.
 */
bool ledger_has_lost_watch(const struct ledger *l, unsigned process, const struct snapshot *s,
			   const struct ledger_place *place);

/*
 * Compares VmSize, VmData, VmLck with the ledger, and peaks with the largest values seen. `lag`:
 * how far VmHWM may lag, in pages.
 */
bool ledger_check_counts(struct ledger *l, unsigned process, const struct snapshot *s,
			 long page_size, int64_t lag, struct discrepancy *d);

/* True if Referenced counts none of the pages whose accessed bits were cleared. */
bool ledger_check_referenced(const struct ledger *l, unsigned process, const struct snapshot *s,
			     const struct ledger_place *place, struct discrepancy *d);

/* Compares the page classes of a region's mappings, summed. */
bool ledger_check_classes(struct ledger *l, unsigned process, unsigned region,
			  const struct snapshot *s, const struct ledger_place *place,
			  struct discrepancy *d);

#endif
