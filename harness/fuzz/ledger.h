// SPDX-License-Identifier: MIT
/*
 * The ledger: what each page of a random program is, carried through every act. Where
 * the outcome is defined it knows one state; where the kernel may choose it knows those
 * that it may choose from, and takes the choice from pagemap: everything else must follow.
 */
#ifndef RSSCK_FUZZ_LEDGER_H
#define RSSCK_FUZZ_LEDGER_H

#include "agent/verbs/verbs.h"
#include <rssck/discrepancy.h>
#include <rssck/snapshot.h>
#include <stdint.h>

/* What an entry of a page table may lead to: bits. */
enum page_state {
	PAGE_ABSENT = 1 << 0,
	PAGE_ZERO = 1 << 1,
	PAGE_ANON = 1 << 2,
	PAGE_CACHE = 1 << 3, /* of a file, shmem too */
	PAGE_SWAPPED = 1 << 4,
	PAGE_MARKER = 1 << 5, /* an entry that is no page and no swap */
	PAGE_ANY = (1 << 6) -
		   1, /* hugetlb pages, and what others decide, are looked at by identities */
};

enum page_flag {
	PF_MAPPED = 1 << 0,
	PF_READ = 1 << 1,
	PF_WRITE = 1 << 2,
	PF_SHARED = 1 << 3,
	PF_LOCKED = 1 << 4,
	PF_NEW = 1 << 5,   /* in a mapping that is soft-dirty as a whole */
	PF_FREED = 1 << 6, /* given up, and not written since */
	PF_HUGE = 1 << 7,  /* huge pages may be there */
	PF_NOT_FORKED = 1 << 8,
	PF_WIPED = 1 << 9,      /* by a fork */
	PF_ADOPT = 1 << 10,     /* a call has failed half-way: what maps says is taken over */
	PF_ADOPT_NEW = 1 << 11, /* the same of PF_NEW alone */
	PF_LOOSE = 1 << 13,     /* somebody else decides: the states are not predicted */
	PF_ASYNC = 1 << 14,     /* watched by a userfaultfd that does not ask (WP_ASYNC) */
	PF_MAY_UNLOCK = 1
			<< 12, /* locked, in a mapping that MREMAP_DONTUNMAP has taken pages from */
};

/* What else a mapping is. */
enum page_kind {
	KIND_ORDINARY,
	KIND_STACK,            /* it grows down: VmStk has it, not VmData */
	KIND_DROPPABLE,        /* never on swap, but gone when the kernel wants; nothing locks it */
	KIND_DROPPABLE_LOCKED, /* the same, but some kernels have locked it as it was mapped */
};

/* What userfaultfd has to do with it: bits. */
enum page_watch {
	WATCH_SEEN = 1 << 0, /* as the last look saw it (VmFlags uw), or an act has asked since */
	WATCH_MAY_BE_LOST = 1 << 1, /* by mremap of what it may have merged with: see known.h */
};

/* What bit 55 of an entry may be: bits. A page of a PF_NEW mapping shows 1 whatever it is. */
enum soft_dirty { CLEAN = 1 << 0, DIRTY = 1 << 1, CLEAN_OR_DIRTY = 3 };

struct ledger_page {
	uint16_t flags; /* enum page_flag */
	uint8_t state;  /* enum page_state */
	uint8_t dirty;  /* enum soft_dirty */
	uint16_t file; /* whose pages come at a touch: the number of the act that mapped it; 0: none
			*/
	uint8_t kind;  /* enum page_kind */
	uint8_t protected; /* enum soft_dirty, of bit 57: userfaultfd's write protection */
	uint8_t seen_protected;
	uint8_t watch;            /* enum page_watch */
	uint8_t seen, seen_dirty; /* of that, what the last look has left */
	uint8_t there; /* enum page_state: as the last look saw it, whoever decides; 0: not yet */
};

struct ledger_region {
	int64_t markers; /* entries that are no page, no swap and no guard: userfaultfd's */
	int64_t protected_guards;
	bool by_pmd; /* all that was there at the last stop were whole huge pages, unshared by files
		      */
	struct ledger_page *pages; /* ACT_REGION_PAGES; NULL: never mapped */
	uint32_t top;              /* behind the last page that was ever mapped */
	uint16_t file;             /* that calls on the file mean; 0: none */
	int64_t unclear,
		zeroes; /* pages that are anonymous or the zero page, and how many are that */
};

struct ledger_process {
	bool alive;
	bool unreferenced; /* the last act was to forget what was touched */
	struct ledger_region regions[ACT_REGIONS];
	int64_t outside[4]; /* VmSize, VmData, VmLck, VmPin of everything else, in pages */
	bool outside_known;
	int64_t lost_locks; /* pages that MREMAP_DONTUNMAP has unlocked: VmLck may still count them
			     */
	bool locks_new;     /* MCL_FUTURE */
	bool locked_droppable; /* droppable memory is locked: a known bug, see known.h */
	bool dontunmap_beside; /* it has moved pages to right beside themselves so */
	int64_t zeroed;   /* anonymous pages that the kernel may have replaced by the zero page */
	int64_t dropped;  /* pages of files that it may have unmapped with the entry of a huge page
			   */
	bool forgot_peak; /* by so much VmHWM is too small: a known bug, see known.h */
	bool lost_marks;  /* swapoff has taken marks from pages: a known bug, see known.h */
	int64_t highest_rss, highest_size; /* seen at the stops, in pages */
};

struct ledger {
	struct ledger_process of[ACT_PROCESSES];
	uint32_t file_pages[ACT_STEPS_MAX + 1]; /* how long each file is */
	bool soft_dirty;                        /* this kernel has it */
	bool soft_dirty_asked;
	bool protection;  /* this kernel has shown bit 57 (5.14) */
	uint32_t huge;    /* pages that one PMD maps; 0: none */
	bool merged;      /* KSM has looked at pages of this program */
	bool swapped_in;  /* the last act was swapoff */
	uint32_t faulted; /* accesses of the last act that a signal must answer */
	bool faulted_known;
};

void ledger_open(struct ledger *l, uint32_t huge);
void ledger_close(struct ledger *l);

/* Before a program: one process, and nothing mapped. */
void ledger_begin(struct ledger *l);

/* What an act makes of the pages. */
void ledger_act(struct ledger *l, const struct act *a, const struct act_outcome *o);

/* Several processes have acted at once: the states of all pages are open from now on. */
void ledger_loosen(struct ledger *l);

/* Threads of one process have: neither is known which locks it has lost, nor which peaks. */
void ledger_race(struct ledger *l, const struct act *acts, unsigned n);

/* Where a program's regions are. */
struct ledger_place {
	uint64_t arena, stride;
	long page_size;
	bool sees_pfns;
};

/*
 * How each page of the region is seen. `words` are pagemap's, from page 0 to the region's top.
 * Returns true if all is as it may be.
 */
bool ledger_check_pages(struct ledger *l, unsigned process, unsigned region, const uint64_t *words,
			bool sees_pfns, struct discrepancy *d);

/* What was looked at is taken over: the ledger knows now what the kernel has chosen. */
void ledger_take(struct ledger *l, unsigned process);

/* What the mappings are: there, and with which rights and marks. */
bool ledger_check_maps(struct ledger *l, unsigned process, const struct snapshot *s,
		       const struct ledger_place *place, struct discrepancy *d);

/* Pages that have lost their lock by MREMAP_DONTUNMAP, as of that snapshot. */
int64_t ledger_lost_locks(const struct ledger *l, unsigned process, const struct snapshot *s,
			  const struct ledger_place *place);

/*
 * Whether all that is write-protected, and that no userfaultfd watches, may have lost its watch to
 * a move.
 */
bool ledger_has_lost_watch(const struct ledger *l, unsigned process, const struct snapshot *s,
			   const struct ledger_place *place);

/* VmSize, VmData, VmLck against the ledger; peaks against what was seen. `lag` in pages: of VmHWM.
 */
bool ledger_check_counts(struct ledger *l, unsigned process, const struct snapshot *s,
			 long page_size, int64_t lag, struct discrepancy *d);

/* Whether what shall not be referenced any more is not. */
bool ledger_check_referenced(const struct ledger *l, unsigned process, const struct snapshot *s,
			     const struct ledger_place *place, struct discrepancy *d);

/* The classes of what the mappings of a region hold, summed. */
bool ledger_check_classes(struct ledger *l, unsigned process, unsigned region,
			  const struct snapshot *s, const struct ledger_place *place,
			  struct discrepancy *d);

#endif
