// SPDX-License-Identifier: MIT
/*
 * The verbs of random programs: one row and one function each. A verb runs inside the workload; the
 * ledger (harness/fuzz) predicts its result from its effect.
 */
#ifndef RSSCK_VERBS_H
#define RSSCK_VERBS_H

#include "agent/act.h"
#include <rssck/workload.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* The effect of a verb on its pages. */
enum effect {
	EFFECT_NONE,      /* moves nothing in page tables and no count of address space */
	EFFECT_MAP,       /* new, untouched memory, whatever was mapped before */
	EFFECT_MAP_AGAIN, /* the same file is also mapped in the other region */
	EFFECT_UNMAP,
	EFFECT_READ,       /* each page is present, if it may be read */
	EFFECT_WRITE,      /* each page is present and the process's own, if it may be written */
	EFFECT_PROTECT,    /* the option is the new protection */
	EFFECT_LOCK,       /* locked and present */
	EFFECT_LOCK_LATER, /* locked, and present once touched */
	EFFECT_UNLOCK,
	EFFECT_MOVE,       /* moved to the same place in the other region, or to the addresses
			    * behind it */
	EFFECT_MOVE_PAGES, /* the same, but the empty mapping stays */
	EFFECT_GROW,       /* the option's number of pages is added behind the range */
	EFFECT_GUARD,      /* an access raises a signal; no page is present */
	EFFECT_UNGUARD,
	EFFECT_WATCH, /* registered with userfaultfd: from now on only the identities are checked */
	EFFECT_PROTECT_BY_WATCH, /* userfaultfd write-protects them, or stops protecting them */
	EFFECT_SWAP_IN,          /* all swapped pages of all processes are read back */
	EFFECT_DROP,             /* no longer present */
	EFFECT_FREE, /* the kernel may drop anonymous ones at any time; swapped ones are freed */
	EFFECT_COLD, /* reclaimed first, at some later time; a huge page may be split */
	EFFECT_PAGE_OUT, /* they may be paged out */
	EFFECT_COLLAPSE, /* they may be collapsed into huge pages */
	EFFECT_HUGE,     /* later touches may allocate huge pages */
	EFFECT_PUNCH,    /* removed from the file, in all processes */
	EFFECT_EXTEND,   /* the file is written to, and extends at least to the range's end */
	EFFECT_TRUNCATE, /* like PUNCH, from the range's start to the end of the file, including
			    private copies */
	EFFECT_FORK,     /* another process has the same pages */
	EFFECT_EXIT,
	EFFECT_KEEP_FROM_FORK, /* a child does not get them */
	EFFECT_GIVE_TO_FORK,
	EFFECT_WIPE_ON_FORK, /* a child gets the mapping without pages */
	EFFECT_KEEP_ON_FORK,
	EFFECT_PIN,               /* like READ or WRITE, and pinned for a moment */
	EFFECT_PROVIDE,           /* userfaultfd fills in missing pages */
	EFFECT_PROVIDE_PROTECTED, /* the same; the pages are write-protected, and the range stays
				     registered */
	EFFECT_PROBE, /* processes get copies of the range's first page, and lose them again */
	EFFECT_UNREFERENCE,      /* no page of the process has its accessed bit set */
	EFFECT_CLEAN,            /* no page of the process is soft-dirty */
	EFFECT_MERGE,            /* equal pages may be merged, in all processes */
	EFFECT_MERGE_ZEROES,     /* the same, and zero-filled pages become the zero page */
	EFFECT_MERGE_ALL_ZEROES, /* all mergeable zero-filled pages become the zero page */
	EFFECT_UNMERGE,          /* merged pages are copied again */
	EFFECT_UFFD_MOVE,        /* moved to new memory of the other region; all soft-dirty bits are
				    cleared */
	EFFECT_PROVIDE_ZERO,     /* userfaultfd maps the zero page where no page is present */
	EFFECT_CONTINUE,         /* userfaultfd maps the pages of the file's page cache */
	EFFECT_REMOTE_WRITE,     /* writable pages are written; others raise no signal */
	EFFECT_REMOTE_FORCE,     /* the same, with private copies of read-only pages */
	EFFECT_MIGRATE,          /* moved to other frames; huge pages may be split */
	EFFECT_LOCK_NEW,         /* memory mapped from now on is locked and populated */
	EFFECT_UNLOCK_ALL,       /* the whole process's memory is unlocked */
};

enum operand {
	OPERAND_RANGE = 1 << 0,   /* a region and a range of its pages */
	OPERAND_REGION = 1 << 1,  /* a second region, as the target */
	OPERAND_PROCESS = 1 << 2, /* to a process */
};

#ifndef MAP_DROPPABLE
#define MAP_DROPPABLE 0x08 /* 6.11 */
#endif

/* The object that a new mapping maps. */
enum backing { BACKED_BY_NOTHING, BACKED_BY_FILE, BACKED_BY_MEMFD, BACKED_BY_HUGETLB };

struct worker;
typedef void verb_fn(struct worker *k, const struct act *a);

struct verb {
	const char *name; /* "madvise" */
	const char *mode; /* words that belong to the verb's name: "PAGEOUT"; "": none */
	unsigned operands;
	const char *options; /* "rw|r|none", one of which follows; NULL: no option */
	enum effect effect;
	int value; /* argument of the call: MADV_PAGEOUT */
	enum backing backing;
	int flags;          /* for mmap(2): MAP_GROWSDOWN, MAP_DROPPABLE; 0: the usual ones */
	bool shared;        /* the new mapping is MAP_SHARED */
	bool huge;          /* the new mapping may hold huge pages */
	unsigned weight;    /* how often it is drawn, relative to the others */
	const char *checks; /* the number in the outcome that is checked; NULL: none */
	const char *rule;
	const char *reports; /* a number for records that may differ between kernels; NULL: none */
	verb_fn *run;
};

extern const struct verb verbs[];
extern const size_t nr_verbs;

/*
 * Returns whether an access with that option ("by 2", "back") touches the page: `i` counts from the
 * range's first.
 */
bool act_touches(const struct act *a, uint32_t i);

/*
 * The number of pages that an option of "by 1|by 16|by 64" adds, within the region's room; 0: none.
 */
uint32_t act_growth(const struct act *a);

/* The act's effect on a mapping's region and length; `whole`: the act's range is all of it. */
void act_follow(const struct act *a, bool whole, uint8_t *region, uint32_t *pages);

/*
 * Returns whether the range moves to directly behind itself, in its region; and whether there is
 * room.
 */
bool act_is_beside(const struct act *a);
bool act_has_room_beside(const struct act *a);

/*
 * Returns whether threads of one process may run it concurrently: it starts and ends no process,
 * and checks nothing.
 */
bool act_may_race(const struct act *a);

/* Returns whether the leading thread may run it while the others race: a fork. */
bool act_may_lead(const struct act *a);

/* The PROT_READ ... flags of an option of "rw|r|none". */
int act_protection(const struct act *a);

/* Writes "p1 madvise r0 8..15 PAGEOUT" into buf. */
enum { ACT_TEXT = 96 };
const char *act_print(const struct act *a, char buf[ACT_TEXT]);

/* The reverse of act_print(). Returns 0, or -1 with a sentence in `why`. */
int act_parse(struct act *a, const char *text, char *why, size_t size);

/* Copies the word with that number from a list like "rw|r|none" into buf. */
const char *option_word(const char *list, unsigned number, char *buf, size_t size);
unsigned option_count(const char *list);

/* ---- inside the workload ---- */

struct region {
	char *at;
	uint16_t file; /* the number of the file that was last mapped there; 0: none */
	bool huge;     /* a touch may allocate huge pages */
	bool hugetlb;  /* the region has hugetlb pages */
	bool watched;  /* by userfaultfd */
	bool locked;   /* or was */
	bool on_disk;  /* maps a file whose pages may have to be read in (filemap_fault()) */
	bool merged;   /* KSM has merged its pages, as far as possible */
	bool placed;   /* the content of a page depends on its position: a file, or shared memory */
};

struct worker {
	struct workload *w;
	const struct verb *verb;
	size_t page, stride; /* bytes */
	char *arena;
	struct region regions[ACT_REGIONS];
	int files[ACT_STEPS_MAX + 1]; /* descriptors, by the number of the file; -1: none */
	int probe;                    /* a uprobe that is kept; -1: none */
	int watch[2];        /* userfaultfds of this process: one that raises signals, and an
			      * asynchronous one */
	pid_t watcher;       /* the process that opened them */
	bool locks_new;      /* mlockall(MCL_FUTURE) */
	bool has_neighbours; /* other sequences' regions are in the same process */
	struct rlimit stack_limit;
	unsigned limit; /* limit for the next operation: a word of verb_limit()'s list, from 1; 0:
			 * none */
	struct act_outcome outcome;
};

/*
 * Applies the limit of verb_limit() during one operation. In addition, no stack grows during an
 * operation on a region: an access below a MAP_GROWSDOWN mapping raises a signal, as below any
 * other mapping (acct_stack_growth() checks RLIMIT_STACK).
 */
struct act_limits {
	unsigned limit; /* 0: none is set */
	struct rlimit address_space;
	int64_t mappings;
};
/* `about_region`: the operation is on a region, so no access may grow a MAP_GROWSDOWN mapping. */
void act_limits_set(struct worker *k, bool about_region, struct act_limits *l);
void act_limits_lift(const struct worker *k, const struct act_limits *l);

/*
 * A fault on a locked file's page that userfaultfd has protected and that is not in the page cache
 * never ends: filemap_fault_recheck_pte_none() takes the marker for a page (FINDINGS 37). True, and
 * the operation has failed, if it would make such memory.
 */
bool act_ends_no_fault(struct worker *k, const struct act *a, bool locked, bool watched);

/*
 * Runs one operation; enables huge pages if it needs them. The caller sets limits:
 * act_limits_set().
 */
void act_run(struct worker *k, const struct act *a);

char *act_address(const struct worker *k, const struct act *a);
size_t act_bytes(const struct worker *k, const struct act *a);

/*
 * Reads pagemap's entries of the process's own pages from `at` on into words; 0, or -1 with errno.
 */
int act_entries(const struct worker *k, const char *at, size_t pages, uint64_t *words);

/* Stores the result of a call: -1 with errno, or success. */
void act_result(struct worker *k, long result);

void verb_mmap(struct worker *k, const struct act *a);
void verb_mmap_again(struct worker *k, const struct act *a);
void verb_mmap_beside(struct worker *k, const struct act *a);
void verb_munmap(struct worker *k, const struct act *a);
void verb_mprotect(struct worker *k, const struct act *a);
void verb_mremap(struct worker *k, const struct act *a);
void verb_grow(struct worker *k, const struct act *a);
void verb_mlock(struct worker *k, const struct act *a);
void verb_read(struct worker *k, const struct act *a);
void verb_write_elsewhere(struct worker *k, const struct act *a);
void verb_write(struct worker *k, const struct act *a);
void verb_madvise(struct worker *k, const struct act *a);
void verb_process_madvise(struct worker *k, const struct act *a);
void verb_truncate(struct worker *k, const struct act *a);
void verb_punch(struct worker *k, const struct act *a);
void verb_stat(struct worker *k, const struct act *a);
void verb_pwrite(struct worker *k, const struct act *a);
void verb_fork(struct worker *k, const struct act *a);
void verb_exit(struct worker *k, const struct act *a);
void verb_clear_refs(struct worker *k, const struct act *a);
void verb_watch(struct worker *k, const struct act *a);
void verb_watch_protect(struct worker *k, const struct act *a);
void verb_watch_end(struct worker *k, const struct act *a);
void verb_watch_close(struct worker *k, const struct act *a);
void verb_scan_protect(struct worker *k, const struct act *a);
void verb_swapoff(struct worker *k, const struct act *a);
void verb_cpu(struct worker *k, const struct act *a);
void verb_watch_copy(struct worker *k, const struct act *a);
void verb_watch_copy_protected(struct worker *k, const struct act *a);
void verb_pin(struct worker *k, const struct act *a);
void verb_pin_closed(struct worker *k, const struct act *a);
/*
 * If deferred, an act that closes a ring does not wait until the kernel has removed it: the caller
 * waits for all of them together. rings_await() returns 0, or -1 with errno: some are still there.
 */
void rings_defer(bool deferred);
int rings_await(struct worker *k);
void verb_probe(struct worker *k, const struct act *a);
void verb_mincore(struct worker *k, const struct act *a);
void verb_scan_ask(struct worker *k, const struct act *a);
void verb_scan_each(struct worker *k, const struct act *a);
void verb_mincore_mapped(struct worker *k, const struct act *a);
void verb_cgroup_read(struct worker *k, const struct act *a);
void verb_ksm_merge(struct worker *k, const struct act *a);
void verb_ksm_zeroes(struct worker *k, const struct act *a);
void verb_ksm_unmerge(struct worker *k, const struct act *a);
void verb_limit(struct worker *k, const struct act *a);
void verb_watch_move(struct worker *k, const struct act *a);
void verb_watch_zero(struct worker *k, const struct act *a);
void verb_watch_continue(struct worker *k, const struct act *a);
void verb_watch_poison(struct worker *k, const struct act *a);
void verb_pread(struct worker *k, const struct act *a);
void verb_mem_write(struct worker *k, const struct act *a);
void verb_process_write(struct worker *k, const struct act *a);
void verb_mem_write_to(struct worker *k, const struct act *a);
void verb_poke(struct worker *k, const struct act *a);
void verb_mmap_secret(struct worker *k, const struct act *a);
void verb_mmap_ring(struct worker *k, const struct act *a);
void verb_mmap_sysv(struct worker *k, const struct act *a);
void verb_ksm_round(struct worker *k, const struct act *a);
void verb_khugepaged(struct worker *k, const struct act *a);
void verb_cgroup_move(struct worker *k, const struct act *a);
void verb_cgroup_reclaim(struct worker *k, const struct act *a);
void verb_migrate_all(struct worker *k, const struct act *a);
void verb_shrink(struct worker *k, const struct act *a);
void verb_mlockall(struct worker *k, const struct act *a);
void verb_munlockall(struct worker *k, const struct act *a);
void verb_name(struct worker *k, const struct act *a);
void verb_brk(struct worker *k, const struct act *a);
void verb_stack(struct worker *k, const struct act *a);
void verb_compact(struct worker *k, const struct act *a);
void verb_drop_caches(struct worker *k, const struct act *a);
void verb_move_pages(struct worker *k, const struct act *a);
void verb_swap_ask(struct worker *k, const struct act *a);
void verb_msync(struct worker *k, const struct act *a);
void verb_thread_write(struct worker *k, const struct act *a);

/* The checked number must be at least `least`; if it is more, the outcome expects that. */
void act_at_least(struct worker *k, int64_t seen, int64_t least);

/*
 * Makes a userfaultfd with those features and registers the range. Returns its descriptor; -1: the
 * operation has failed.
 */
int watch_for_now(struct worker *k, void *at, size_t bytes, uint64_t mode, uint64_t features);

/* Puts the pages charged to the file behind the range into the outcome, if it is shmem. */
void act_blocks(struct worker *k, const struct act *a);

/* Clears soft-dirty bits ('4') or accessed bits ('1'): -1 with errno, or 0. */
int act_clear_refs(char what);

/* From now on a failing access raises a signal that is handled. */
void act_handle_faults(void);

/* Starts threads for concurrent operations, besides the serving one. Call before the baseline. */
void act_threads_start(struct workload *w, unsigned threads);

/*
 * Call before the baseline: the memory that the library keeps of an ended thread is then allocated.
 */
void act_beside(struct worker *k, const struct act *a, verb_fn *there, verb_fn *here);
void act_thread_begins(struct worker *k);

/* Runs all operations concurrently, each in a thread of its own. */
void act_race(struct worker *k, const struct act *acts, unsigned n, struct act_outcome *outcomes);

/* Provides each missing page of the range by UFFDIO_COPY, with `mode`. */
int watch_copy_pages(int fd, uintptr_t to, size_t page, uint32_t pages, uint64_t mode);

/* The process's own userfaultfd for an operation of verb_watch(); -1 with errno. */
int act_watch(struct worker *k, const struct act *a);

/* The descriptor of the file last mapped into the region; -1 with EBADF if there is none. */
int act_file(const struct worker *k, const struct act *a);

/*
 * act_cgroup_enter() moves the process to a cgroup of its own. act_cgroup_back() moves it back,
 * also from the cgroup that verb_cgroup_move() entered. False: it cannot have one, and nothing has
 * changed.
 */
/* The folder of that cgroup; "": there is none. */
const char *act_cgroup(void);
bool act_cgroup_enter(struct workload *w);
void act_cgroup_back(struct workload *w);

/* True in a guest of rssck vm, whose settings may be changed; false: the operation has failed. */
bool act_is_in_guest(struct worker *k);

#endif
