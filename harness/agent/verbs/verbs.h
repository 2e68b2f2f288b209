// SPDX-License-Identifier: MIT
/*
 * The verbs of random programs: one row and one function each. A verb acts inside the
 * workload; what it makes of the pages the ledger (harness/fuzz) knows by its effect.
 */
#ifndef RSSCK_VERBS_H
#define RSSCK_VERBS_H

#include "agent/act.h"
#include <rssck/workload.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* What becomes of the pages that a verb is applied to. */
enum effect {
	EFFECT_NONE,      /* nothing that page tables or the counts of address space tell */
	EFFECT_MAP,       /* new, untouched memory, whatever was there before */
	EFFECT_MAP_AGAIN, /* the file behind them, in the other region, too */
	EFFECT_UNMAP,
	EFFECT_READ,       /* each is there, if it may be read */
	EFFECT_WRITE,      /* each is there and the process's own, if it may be written */
	EFFECT_PROTECT,    /* its protection is the option's */
	EFFECT_LOCK,       /* locked, and there */
	EFFECT_LOCK_LATER, /* locked, and there when it is touched */
	EFFECT_UNLOCK,
	EFFECT_MOVE,       /* they are in the other region, at the same place there; or beside */
	EFFECT_MOVE_PAGES, /* the same, and the mapping stays behind, empty */
	EFFECT_GROW,       /* so many pages more behind the range */
	EFFECT_GUARD,      /* an access is answered by a signal; no page is there */
	EFFECT_UNGUARD,
	EFFECT_WATCH, /* userfaultfd has a say: only the identities are known from now on */
	EFFECT_PROTECT_BY_WATCH, /* it write-protects them, or not any more */
	EFFECT_SWAP_IN,          /* of all processes, whatever was on swap */
	EFFECT_DROP,             /* not there any more */
	EFFECT_FREE, /* anonymous ones may go whenever the kernel wants them; on swap: at once */
	EFFECT_COLD, /* first to leave memory, some day; a huge page may be split */
	EFFECT_PAGE_OUT, /* they may leave memory */
	EFFECT_COLLAPSE, /* huge pages may be made of them */
	EFFECT_HUGE,     /* huge pages may come at a touch from now on */
	EFFECT_PUNCH,    /* gone from the file, in all processes */
	EFFECT_EXTEND,   /* the file is written to, and reaches at least so far */
	EFFECT_TRUNCATE, /* the same of all that is behind the range, private copies too */
	EFFECT_FORK,     /* another process has the same */
	EFFECT_EXIT,
	EFFECT_KEEP_FROM_FORK, /* a child does not get it */
	EFFECT_GIVE_TO_FORK,
	EFFECT_WIPE_ON_FORK, /* a child gets it empty */
	EFFECT_KEEP_ON_FORK,
	EFFECT_PIN,     /* there, and the process's own if it may be written; held for a moment */
	EFFECT_PROVIDE, /* userfaultfd fills in what is not there */
	EFFECT_PROVIDE_PROTECTED, /* the same, write-protects it, and has a say from now on */
	EFFECT_PROBE, /* of the range's first page processes get copies, and lose them again */
	EFFECT_UNREFERENCE,  /* no page of the process counts as touched */
	EFFECT_CLEAN,        /* no page of the process is soft-dirty */
	EFFECT_MERGE,        /* pages that hold the same may become one, in all processes */
	EFFECT_MERGE_ZEROES, /* the same, and the zero page takes the place of those of zeroes */
	EFFECT_MERGE_ALL_ZEROES, /* the zero page takes the place of all zeroes that may be merged
				  */
	EFFECT_UNMERGE,          /* each is a process's own again */
	EFFECT_CARRY, /* the pages are in new memory of the other region; all marks are gone */
	EFFECT_PROVIDE_ZERO,    /* userfaultfd maps the zero page where nothing is */
	EFFECT_CONTINUE,        /* userfaultfd maps what the file's page cache has */
	EFFECT_WRITE_FROM_AFAR, /* those that can be written are; nobody is told of the others */
	EFFECT_FORCE_FROM_AFAR, /* the same, and private copies of those that cannot */
	EFFECT_SHAKE,           /* they are in other frames; huge pages may be split */
	EFFECT_LOCK_NEW,        /* what the process maps from now on is locked, and there */
	EFFECT_UNLOCK_ALL,      /* of the process */
};

enum operand {
	OPERAND_RANGE = 1 << 0,   /* a region and pages of it */
	OPERAND_REGION = 1 << 1,  /* to another region */
	OPERAND_PROCESS = 1 << 2, /* to a process */
};

#ifndef MAP_DROPPABLE
#define MAP_DROPPABLE 0x08 /* 6.11 */
#endif

/* What a new mapping is of. */
enum backing { BACKED_BY_NOTHING, BACKED_BY_FILE, BACKED_BY_MEMFD, BACKED_BY_HUGETLB };

struct worker;
typedef void verb_fn(struct worker *k, const struct act *a);

struct verb {
	const char *name; /* "madvise" */
	const char *mode; /* words that belong to the name: "PAGEOUT"; "": none */
	unsigned operands;
	const char *options; /* "rw|r|none", one of which follows; NULL: none does */
	enum effect effect;
	int value; /* of the call: MADV_PAGEOUT */
	enum backing backing;
	int flags;        /* of mmap(2): MAP_GROWSDOWN, MAP_DROPPABLE; 0: those of all */
	bool shared;      /* the new mapping is */
	bool huge;        /* it may hold huge pages */
	unsigned weight;  /* how often it is drawn, beside the others */
	const char *asks; /* the number that the outcome holds, and what it must be; NULL: none */
	const char *rule;
	const char *tells; /* a number that kernels may choose, for records; NULL: none */
	verb_fn *run;
};

extern const struct verb verbs[];
extern const size_t nr_verbs;

/* Whether an access with that option ("by 2", "back") touches the page: `i` counts from the range's
 * first. */
bool act_touches(const struct act *a, uint32_t i);

/* By how many pages an option of "by 1|by 16|by 64" grows: within the region's room; 0: by none. */
uint32_t act_growth(const struct act *a);

/* Whether the range moves to right behind itself, in its region; and whether there is room. */
bool act_is_beside(const struct act *a);
bool act_has_room_beside(const struct act *a);

/* Whether threads of one process may do it at once: nobody is born or ends, nothing is asked. */
bool act_may_race(const struct act *a);

/* Whether the leading thread may do it while the others race: a fork. */
bool act_may_lead(const struct act *a);

/* PROT_READ ... of an option of "rw|r|none". */
int act_protection(const struct act *a);

/* "p1 madvise r0 8..15 PAGEOUT", into buf. */
enum { ACT_TEXT = 96 };
const char *act_print(const struct act *a, char buf[ACT_TEXT]);

/* The same backwards. Returns 0, or -1 with a sentence in `why`. */
int act_parse(struct act *a, const char *text, char *why, size_t size);

/* The word with that number of a list "rw|r|none", into buf. */
const char *option_word(const char *list, unsigned number, char *buf, size_t size);
unsigned option_count(const char *list);

/* ---- inside the workload ---- */

struct region {
	char *at;
	uint16_t file; /* the number of the file behind what was mapped there last; 0: none */
	bool huge;     /* a touch may bring huge pages */
	bool hugetlb;  /* of hugetlb pages */
	bool watched;  /* by userfaultfd */
	bool locked;   /* or was */
	bool on_disk;  /* a file's, of which pages may be read in (filemap_fault()) */
	bool merged;   /* by KSM, as far as it can */
	bool placed;   /* what is behind a page depends on its place: a file, or shared memory */
};

struct worker {
	struct workload *w;
	const struct verb *verb;
	size_t page, stride; /* bytes */
	char *arena;
	struct region regions[ACT_REGIONS];
	int files[ACT_STEPS_MAX + 1]; /* descriptors, by the number of the file; -1: none */
	int watch[2];   /* userfaultfds of this process: that answer by signals, and that do not ask
			 */
	pid_t watcher;  /* whose they are */
	bool locks_new; /* mlockall(MCL_FUTURE) */
	struct rlimit stack_limit;
	unsigned limit; /* the next act meets it: a word of verb_limit()'s list, from 1; 0: none */
	struct act_outcome outcome;
};

/*
 * Set what verb_limit() has asked for, around one act. And while an act is about a region no stack
 * grows: an access below a mapping that grows down (MAP_GROWSDOWN) is answered by a signal, as
 * elsewhere (acct_stack_growth() asks RLIMIT_STACK).
 */
struct act_limits {
	unsigned limit; /* 0: none is set */
	struct rlimit address_space;
	int64_t mappings;
};
/* `about_region`: no access is to grow a mapping that grows down. */
void act_limits_set(struct worker *k, bool about_region, struct act_limits *l);
void act_limits_lift(const struct worker *k, const struct act_limits *l);

/*
 * A fault on a locked file's page that userfaultfd has marked as protected, and that is not in
 * the page cache, never ends: filemap_fault_recheck_pte_none() takes the marker for a page
 * (FINDINGS 37). True, and the act has failed, where what it makes would be such memory.
 */
bool act_ends_no_fault(struct worker *k, const struct act *a, bool locked, bool watched);

/* One act; huge pages may come if it wants any. Limits are the caller's: act_limits_set(). */
void act_run(struct worker *k, const struct act *a);

char *act_address(const struct worker *k, const struct act *a);
size_t act_bytes(const struct worker *k, const struct act *a);

/* pagemap's entries of the process's own pages from `at` on, into words; 0, or -1 with errno. */
int act_entries(const struct worker *k, const char *at, size_t pages, uint64_t *words);

/* Keep what a call has returned: -1 with errno, or not. */
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

/* What the act asks for must be so much, or more: where it is more, the outcome says as much. */
void act_at_least(struct worker *k, int64_t seen, int64_t least);

/* A userfaultfd with those features, in which the range is registered; -1, and the act has failed.
 */
int watch_for_now(struct worker *k, void *at, size_t bytes, uint64_t mode, uint64_t features);

/* What the file behind the range is charged for, where it is shmem: into the outcome. */
void act_blocks(struct worker *k, const struct act *a);

/* Forget what is soft-dirty ('4'), or was touched ('1'): -1 with errno, or 0. */
int act_clear_refs(char what);

/* From now on a signal answers an access, and only that. */
void act_handle_faults(void);

/* Threads for acts that are done at once, beside the one that serves: before the baseline. */
void act_threads_start(struct workload *w, unsigned threads);

/* Before the baseline: what the library keeps of a thread that has ended is there. */
void act_beside(struct worker *k, const struct act *a, verb_fn *there, verb_fn *here);
void act_thread_begins(struct worker *k);

/* Do them all, each by a thread of its own, begun together. */
void act_race(struct worker *k, const struct act *acts, unsigned n, struct act_outcome *outcomes);

/* Each page of the range that is not there is put there by UFFDIO_COPY, in its `mode`. */
int watch_copy_pages(int fd, uintptr_t to, size_t page, uint32_t pages, uint64_t mode);

/* The process's own userfaultfd of an act of verb_watch(); -1 with errno. */
int act_watch(struct worker *k, const struct act *a);

/* The descriptor of the file that was mapped last into the region; -1 with EBADF: it has none. */
int act_file(const struct worker *k, const struct act *a);

/* KSM goes its rounds, over this memory, too: false if it has not done so in time. */
bool act_merge_all(void *p, size_t bytes);

/* A cgroup can be had that tells of each page; false: the act has failed. */
bool act_has_cgroup(struct worker *k);

/* True in a guest of rssck vm, whose settings are ours to change; false: the act has failed. */
bool act_is_in_guest(struct worker *k);

#endif
