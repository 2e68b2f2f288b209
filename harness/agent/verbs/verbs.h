// SPDX-License-Identifier: MIT
/*
 * The verbs of random programs. Each is a row of verbs[], with its function, which runs inside the
 * workload. The ledger (harness/fuzz) predicts the results of most verbs from their effects.
 */
#ifndef RSSCK_VERBS_H
#define RSSCK_VERBS_H

#include "agent/act.h"
#include <rssck/workload.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* What a verb does to pages. */
enum effect {
	EFFECT_NONE,      /* the ledger predicts no change */
	EFFECT_MAP,       /* the range is new, untouched memory, whatever it was before */
	EFFECT_MAP_AGAIN, /* the second region maps the same file */
	EFFECT_UNMAP,
	EFFECT_READ,    /* each readable page is present */
	EFFECT_WRITE,   /* each writable page is present: private to the process, or shared if its
			   mapping is */
	EFFECT_PROTECT, /* the option gives the new protection */
	EFFECT_LOCK,    /* locked and present */
	EFFECT_LOCK_LATER, /* locked; present after a touch */
	EFFECT_UNLOCK,
	EFFECT_MOVE, /* moved to the same place in the second region, or to the addresses directly
			after the range */
	EFFECT_MOVE_PAGES, /* like MOVE, but the old mapping stays, without pages */
	EFFECT_GROW,       /* adds pages after the range; the option is their number */
	EFFECT_GUARD,      /* an access raises a signal; no page is present */
	EFFECT_UNGUARD,
	EFFECT_WATCH, /* registered with userfaultfd; from then on the ledger predicts only the
			 protection of these pages */
	EFFECT_PROTECT_BY_WATCH, /* userfaultfd write-protects the pages, or unprotects them */
	EFFECT_SWAP_IN,          /* all swapped pages of all processes are read back */
	EFFECT_DROP,             /* the pages are no longer present */
	EFFECT_FREE, /* the kernel may drop anonymous pages at any time; swapped pages are freed */
	EFFECT_COLD, /* reclaim will take these pages before others; a huge page may be split */
	EFFECT_PAGE_OUT, /* the pages may be swapped out */
	EFFECT_COLLAPSE,
	EFFECT_HUGE,     /* later touches may allocate huge pages */
	EFFECT_PUNCH,    /* the pages are removed from the file, in all processes */
	EFFECT_EXTEND,   /* the file is written and then extends at least to the range's end */
	EFFECT_TRUNCATE, /* like PUNCH, from the range's start to the end of the file; private
			    copies are removed, too */
	EFFECT_FORK,
	EFFECT_EXIT,
	EFFECT_KEEP_FROM_FORK, /* a child does not get the range */
	EFFECT_GIVE_TO_FORK,
	EFFECT_WIPE_ON_FORK, /* a child gets the mapping without its pages */
	EFFECT_KEEP_ON_FORK,
	EFFECT_PIN,               /* like READ or WRITE; the pages are also pinned for a moment */
	EFFECT_PROVIDE,           /* userfaultfd fills in missing pages */
	EFFECT_PROVIDE_PROTECTED, /* like PROVIDE; the pages are write-protected, and the range
				     stays registered */
	EFFECT_PROBE, /* private mappings that are not writable get copies of the range's first page
			 while the uprobe is open */
	EFFECT_UNREFERENCE,      /* clears the accessed bit of all pages of the process */
	EFFECT_CLEAN,            /* clears the soft-dirty bit of all pages of the process */
	EFFECT_MERGE,            /* equal pages may be merged, in all processes */
	EFFECT_MERGE_ZEROES,     /* like MERGE, and zero-filled pages become the zero page */
	EFFECT_MERGE_ALL_ZEROES, /* all mergeable zero-filled pages become the zero page */
	EFFECT_UNMERGE,          /* merged pages become copies again */
	EFFECT_UFFD_MOVE,    /* moved to new memory of the second region; all soft-dirty bits are
				cleared */
	EFFECT_PROVIDE_ZERO, /* userfaultfd maps the zero page where no page is present */
	EFFECT_CONTINUE,     /* userfaultfd maps the file's cached pages */
	EFFECT_REMOTE_WRITE, /* writable pages are written; other pages raise no signal */
	EFFECT_REMOTE_FORCE, /* like REMOTE_WRITE, and read-only pages get private copies */
	EFFECT_MIGRATE,      /* moved to other frames; huge pages may be split */
	EFFECT_LOCK_NEW,     /* memory mapped later is locked and populated */
	EFFECT_UNLOCK_ALL,
};

enum operand {
	OPERAND_RANGE = 1 << 0,   /* a region, and a range of its pages */
	OPERAND_REGION = 1 << 1,  /* a second region, the target */
	OPERAND_PROCESS = 1 << 2, /* a process, the target */
};

#ifndef MAP_DROPPABLE
#define MAP_DROPPABLE 0x08 /* since 6.11 */
#endif

enum backing { BACKED_BY_NOTHING, BACKED_BY_FILE, BACKED_BY_MEMFD, BACKED_BY_HUGETLB };

struct worker;
struct data;
typedef void verb_fn(struct worker *k, const struct act *a);

struct verb {
	const char *name; /* "madvise" */
	const char *mode; /* further words of the verb's name, such as "PAGEOUT"; "" if none */
	unsigned operands;
	const char *options; /* the option's values, such as "rw|r|none"; NULL if none */
	enum effect effect;
	int value; /* argument of the function, such as MADV_PAGEOUT */
	enum backing backing;
	int flags;       /* extra flags for mmap(2): MAP_GROWSDOWN, MAP_DROPPABLE */
	bool shared;     /* the new mapping is MAP_SHARED */
	bool huge;       /* the new mapping may get huge pages */
	unsigned weight; /* how often random programs use it, relative to other verbs */
	const char
		*checks; /* what the checked number of the outcome is; NULL if nothing is checked */
	const char *rule;
	const char *reports; /* what the reported number is, which may differ between kernels; NULL
				if none */
	verb_fn *run;
};

extern const struct verb verbs[];
extern const size_t nr_verbs;

/* True if an act with this option ("by 2", "back") accesses page i of the range. */
bool act_touches(const struct act *a, uint32_t i);

/*
 * Returns by how many pages the option ("by 1", "by 16", "by 64") grows the range: at most the
 * pages that the region has after it.
 */
uint32_t act_growth(const struct act *a);

/*
 * Updates a mapping's region and length after an act. `whole` means that the act's range is the
 * whole mapping.
 */
void act_follow(const struct act *a, bool whole, uint8_t *region, uint32_t *pages);

/*
 * act_is_beside() is true if the act moves the range to the addresses directly after it, in the
 * same region. act_has_room_beside() is true if the region has room there.
 */
bool act_is_beside(const struct act *a);
bool act_has_room_beside(const struct act *a);

/*
 * True if threads of one process may run the act concurrently. Such an act neither starts nor ends
 * a process, and checks nothing.
 */
bool act_may_race(const struct act *a);

/* True for a fork, which the first thread may run while the other threads race. */
bool act_may_lead(const struct act *a);

/* Returns the PROT_ flags of an option "rw|r|none|rx|rwx", or `value`. */
int act_protection(const struct act *a);

#define KHUGEPAGED "/sys/kernel/mm/transparent_hugepage/khugepaged/"
/* With this value of scan_sleep_millisecs khugepaged is paused for 28 hours. */
#define KHUGEPAGED_PAUSED "100000000"

enum { ACT_TEXT = 96 };

/* Prints an act such as "p1 madvise r0 8..15 PAGEOUT" into buf. */
const char *act_print(const struct act *a, char buf[ACT_TEXT]);

/* Parses what act_print() prints. Returns 0, or -1 with a message in `why`. */
int act_parse(struct act *a, const char *text, char *why, size_t size);

/* Copies word `number` of a list such as "rw|r|none" into buf. */
const char *option_word(const char *list, unsigned number, char *buf, size_t size);
unsigned option_count(const char *list);

/* Everything below is used only inside the workload. */

struct region {
	char *at;
	uint16_t file; /* number of the file mapped last; 0 if none */
	bool huge;     /* a touch may allocate a huge page */
	bool hugetlb;
	bool watched; /* registered with userfaultfd */
	bool locked;  /* locked now or earlier */
	bool on_disk; /* maps a file whose pages may have to be read from disk (filemap_fault()) */
	bool merged;  /* MADV_MERGEABLE was called for its pages */
	bool placed;  /* a page's content depends on its position: a file, or shared memory */
};

struct worker {
	struct workload *w;
	const struct verb *verb;
	size_t page, stride; /* in bytes */
	char *arena;
	struct region regions[ACT_REGIONS];
	int files[ACT_STEPS_MAX + 1]; /* descriptors, by the file's number; -1 if none */
	int probe;                    /* the uprobe that "uprobe kept" keeps; -1 if none */
	int watch[2];   /* this process's userfaultfds: one that raises signals, and an asynchronous
			   one; -1 if not open */
	pid_t watcher;  /* the process that opened `watch` */
	bool locks_new; /* mlockall(MCL_FUTURE) is in effect */
	bool has_neighbours; /* regions of other sequences are in the same process */
	struct rlimit stack_limit;
	unsigned limit; /* 1 + the option of verb_limit(), for the next operation; 0 if none */
	struct act_outcome outcome;
	struct data *data; /* the stamps of its pages; NULL if it writes none */
};

/*
 * The limits that act_limits_set() has changed for one operation: that of verb_limit(), and
 * RLIMIT_STACK. With a low RLIMIT_STACK an access below a MAP_GROWSDOWN mapping raises a signal
 * instead of growing it (acct_stack_growth()).
 */
struct act_limits {
	unsigned limit; /* as worker.limit */
	struct rlimit address_space;
	int64_t mappings;
};

/* If `about_region`, no access of the operation may grow a MAP_GROWSDOWN mapping. */
void act_limits_set(struct worker *k, bool about_region, struct act_limits *l);
void act_limits_lift(const struct worker *k, const struct act_limits *l);

/*
 * Fails the operation, and returns true, if a region that maps a disk file would then be both
 * locked and registered with userfaultfd. A fault in such memory never ends if the page is
 * protected and not in the page cache, because filemap_fault_recheck_pte_none() takes the marker
 * for a page (FINDINGS 37).
 */
bool act_ends_no_fault(struct worker *k, const struct act *a, bool locked, bool watched);

/*
 * Runs one operation, with huge pages enabled if it needs them. The caller sets limits by
 * act_limits_set().
 */
void act_run(struct worker *k, const struct act *a);

char *act_address(const struct worker *k, const struct act *a);
size_t act_bytes(const struct worker *k, const struct act *a);

/* Reads the pagemap entries of this process's pages from `at` on. Returns 0, or -1 with errno. */
int act_entries(const struct worker *k, const char *at, size_t pages, uint64_t *words);

/* If the result of a call is negative, stores errno in the outcome. */
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
 * After rings_defer(true), an act that closes a ring does not wait until the kernel has freed it.
 * rings_await() waits for all rings that this thread has closed; it returns 0, or -1 with errno if
 * some remain.
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

/* Checks that `seen` is at least `least`; stores a larger number as `least`. */
void act_at_least(struct worker *k, int64_t seen, int64_t least);

/*
 * Opens a userfaultfd with those features and registers the range. Returns its descriptor, or -1 if
 * the operation has failed.
 */
int watch_for_now(struct worker *k, void *at, size_t bytes, uint64_t mode, uint64_t features);

/* Stores the `blocks` and `data` of the range's file in the outcome, if it is shmem. */
void act_blocks(struct worker *k, const struct act *a);

/* Clears soft-dirty bits ('4') or accessed bits ('1'). Returns 0, or -1 with errno. */
int act_clear_refs(char what);

/* Reads a number from memory. Returns false if the access raised a signal. */
bool act_load(const volatile void *at, uint64_t *value);

/* Installs the handlers of SIGSEGV and SIGBUS. */
void act_handle_faults(void);

/* Starts the threads for concurrent operations, before the baseline. */
void act_threads_start(struct workload *w, unsigned threads);

/*
 * act_beside() runs `there` in a thread and `here` in this one. Call act_thread_begins() before the
 * baseline: the library then allocates the memory that it keeps after a thread has ended.
 */
void act_beside(struct worker *k, const struct act *a, verb_fn *there, verb_fn *here);
void act_thread_begins(struct worker *k);

/* Runs all operations concurrently, each in its own thread. */
void act_race(struct worker *k, const struct act *acts, unsigned n, struct act_outcome *outcomes);

/* Fills each missing page of the range by UFFDIO_COPY with `mode`. */
int watch_copy_pages(int fd, uintptr_t to, size_t page, uint32_t pages, uint64_t mode);

/* Returns this process's userfaultfd for an operation of verb_watch(), or -1 with errno. */
int act_watch(struct worker *k, const struct act *a);

/*
 * Returns the descriptor of the file last mapped into the region; -1 with EBADF if there is none.
 */
int act_file(const struct worker *k, const struct act *a);

/* Returns the path of the process's own cgroup; "" if it has none. */
const char *act_cgroup(void);

/*
 * act_cgroup_enter() moves the process to a cgroup of its own. It returns false, and the process
 * stays where it is, if that fails. act_cgroup_back() moves the process back into it from the
 * cgroup of verb_cgroup_move().
 */
bool act_cgroup_enter(struct workload *w);
void act_cgroup_back(struct workload *w);

/*
 * True in a guest of rssck vm, whose settings may be changed. If false, the operation has failed.
 */
bool act_is_in_guest(struct worker *k);

#endif
