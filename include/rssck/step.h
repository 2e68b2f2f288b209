// SPDX-License-Identifier: MIT
/*
 * Steps: what a case does, one thing at a time.
 *
 * 	STEP("write", step_map, .pages = 256, .written = 256,
 * 	     MOVES(VIRT_DATA(256), ANON_WRITE(256))),
 * 	STEP_AS(FORK, "fork", step_fork, .child = CHILD, ...),
 * 	STEP("the child writes", step_write, .process = CHILD, .pages = 128, ...),
 *
 * A step is a title, a function and the fields of struct step that are not 0. The functions that
 * many cases use are declared below. A function that only one case needs is in that case's file,
 * and finds the fields of its step in w->step.
 *
 * The title is for people. judge() refers to a step by its symbol, the first argument of
 * STEP_AS(), which is also in the case's list of symbols:
 *
 * 	STEP_SYMBOLS(FORK);
 * 	...
 * 	trial_snapshot(t, FORK, CHILD)
 */
#ifndef RSSCK_STEP_H
#define RSSCK_STEP_H

#include <rssck/posting.h>

struct workload;

enum step_flag {
	STEP_ANY_PAGES = 1 << 0, /* moves an unknown number of pages; only invariants are checked */
	STEP_UNSETTLED = 1 << 1, /* do not settle after this step; the lag is the subject */
	STEP_REPLACES = 1 << 2,  /* afterwards another program runs; begin a new baseline */
	STEP_NO_TOOLS = 1 << 3,  /* do not run the tools after this step */
};

/* The `prot` of a new mapping with PROT_NONE, because 0 means readable and writable. */
enum { NO_ACCESS = 1 << 30 };

enum { STEPS_MAX = 16 };

/*
 * Symbols are larger than the number of any process, slot or metric, so that a case that passes one
 * of these as a step ends with an error.
 */
enum {
	STEP_BASELINE = 1000, /* before the first step */
	STEP_CLOSED, /* after the last step, when all that the steps have mapped is unmapped */
	STEP_EXIT,   /* for what wait4(2) reports of an ended process */
	STEP_NUMBERED = 1100, /* STEP_NUMBERED + i is step i if it has no symbol */
	STEP_FIRST_SYMBOL = 1200,
};

/* Declares the symbols of the steps that judge() uses, in any order. */
#define STEP_SYMBOLS(...) enum { STEP_BEFORE_SYMBOLS = STEP_FIRST_SYMBOL, __VA_ARGS__ }

struct step {
	const char *name;
	unsigned symbol; /* 0 if judge() does not use the step */
	void (*run)(struct workload *w);
	unsigned process;         /* the process that runs the step; 0 is the leader */
	unsigned flags;           /* enum step_flag */
	int64_t argument;         /* passed to run() as w->argument */
	struct postings postings; /* what the step moves (MOVES()); all other numbers must stay */
	unsigned checks;          /* how often run() must call workload_checked() */

	/* Fields that the library's steps read. */
	unsigned slot;      /* the memory: w->slot[slot] */
	unsigned file;      /* its file: w->fd[file] */
	size_t first;       /* the first page of the range; may contain THP */
	size_t pages;       /* number of pages in the range; 0 if there is none; may contain THP */
	size_t written;     /* how many of the mapped pages are written */
	size_t read;        /* how many of the mapped pages are read */
	size_t becomes;     /* how many pages a mapping of `pages` pages has afterwards */
	int prot;           /* PROT_READ and so on; 0 makes a new mapping readable and writable */
	int mapping;        /* MAP_PRIVATE, MAP_SHARED and so on; 0 for the function's default */
	int advice;         /* MADV_COLD and so on; for a new mapping, before it is touched */
	char refs;          /* '1' to '5' */
	unsigned child;     /* the process to fork or reap */
	const char *report; /* the name under which judge() gets the address of the memory */
	const char *act;    /* for step_act(): as rssck fuzz prints it, without the process */
};

/* clang-format off */

#define STEP(title, function, ...) { .name = title, .run = function, __VA_ARGS__ }
#define STEP_AS(sym, title, function, ...) STEP(title, function, .symbol = sym, __VA_ARGS__)
/*
 * A step that performs an operation of a random program in process `by`. Only the identities are
 * checked after it.
 */
#define ACT(by, text)              STEP(text, step_act, .process = by, .act = text, .flags = STEP_ANY_PAGES)
#define STEPS(...)                 (const struct step[]) { __VA_ARGS__, { .name = NULL } }

/*
 * What the step moves: MOVES(VIRT_DATA(8), ANON_WRITE(4, .process = CHILD)), with at most
 * POSTINGS_MAX words.
 */
#define MOVES(...)                                                                          \
	.postings = { .list = (const struct posting[]) { __VA_ARGS__ },                     \
		      .nr = NR_POSTINGS(__VA_ARGS__) + NOT_TOO_MANY(NR_POSTINGS(__VA_ARGS__)) }
/* Fields of common steps, with what they move; for step_map(), step_fork(), step_page_out() ... */
#define ALL_WRITTEN(n)         .pages = (n), .written = (n), MOVES(VIRT_DATA(n), ANON_WRITE(n))
#define FORKED(by, word, n)    .child = (by), MOVES(VIRT_DATA(n, .process = (by)), SHARED_WITH(by, word, n))
#define PAGED_OUT(n)           .pages = (n), MOVES(ANON_WRITE(-(n)), SWAPPED(n))
#define ALL_PAGED_OUT(n)       .pages = (n), MOVES(VIRT_DATA(n), SWAPPED(n)) /* for step_map_paged_out() */

#define NOT_TOO_MANY(nr)                                                                    \
	(0 * sizeof(struct { int unused; _Static_assert((nr) <= POSTINGS_MAX, "too many postings"); }))

/* clang-format on */

/*
 * Functions for the steps of many cases. After the colon are the fields of struct step that a
 * function reads. The range is the `pages` pages of w->slot[slot] from page `first` on (fields
 * slot, first and pages).
 */

/* Maps new private anonymous memory: pages, written, read, prot, mapping, advice, slot, report. */
void step_map(struct workload *w);

/* Maps a new file on a real file system, private by default: the fields of step_map() and file. */
void step_map_file(struct workload *w);

/* Maps a new memfd, shared by default: the fields of step_map() and file. */
void step_map_shmem(struct workload *w);

/* Maps the existing file w->fd[file], shared by default: the fields of step_map() and file. */
void step_map_again(struct workload *w);

/*
 * Maps new anonymous memory and locks the range: the fields of step_map() and first. Skips the case
 * if it cannot be locked.
 */
void step_map_locked(struct workload *w);

/*
 * Maps new anonymous memory, writes the range and pages it out: the fields of step_map() and first.
 */
void step_map_paged_out(struct workload *w);

/* Makes one transparent huge page and adds its postings: slot, report. */
void step_huge_page(struct workload *w);

/* Write or read one byte in each page of the range. */
void step_write(struct workload *w);
void step_read(struct workload *w);

/* Writes a new byte to each page of the range, and reads it back. Needs .checks = 1. */
void step_rewrite(struct workload *w);

/* Reads the byte of step_write() from each page of the range. Needs .checks = 1. */
void step_read_back(struct workload *w);

/* Reads 0 from each page of the range. Needs .checks = 1. */
void step_read_zeroes(struct workload *w);

/* Calls munmap(2) for the range. */
void step_unmap(struct workload *w);

/*
 * Calls mremap(2) for the range, which may move, and puts the new address into the slot: becomes,
 * report.
 */
void step_remap(struct workload *w);

/* Calls mremap(2) for the range without MREMAP_MAYMOVE: becomes. */
void step_grow_in_place(struct workload *w);

/* Calls madvise(2) for the range: advice. */
void step_advise(struct workload *w);

/*
 * Calls mprotect(2) for the range: prot (0 is PROT_NONE). Skips the case if PROT_EXEC is refused.
 */
void step_protect(struct workload *w);

/*
 * Makes the range readable, writable and executable. Skips the step if this is refused, for example
 * by a security module.
 */
void step_make_writable_text(struct workload *w);

/* Call mlock(2) or munlock(2) for the range. step_lock() skips the case if mlock(2) fails. */
void step_lock(struct workload *w);
void step_unlock(struct workload *w);

void step_unlock_all(struct workload *w);

/* Pages out the range, or skips the case. */
void step_page_out(struct workload *w);

/*
 * Reads the range back from swap. Adds its postings from smaps, because it depends on the kernel
 * and the swap device whether the pages are then clean or dirty.
 */
void step_read_from_swap(struct workload *w);

/* Makes reclaim drop the range's MADV_FREE pages. */
void step_reclaim(struct workload *w);

/* Pages out a shared mapping of a whole file, or skips the case. */
void step_page_out_shmem(struct workload *w);

/* Calls ftruncate(2) with the size of `pages` pages: file, pages. */
void step_truncate(struct workload *w);

/* Calls fsync(2): file. */
void step_sync(struct workload *w);

/* Fork a process, or end it and reap it: child. */
void step_fork(struct workload *w);
void step_reap(struct workload *w);

/* Starts a process that executes the workload's program, which then only waits: child. */
void step_exec(struct workload *w);

/* Ends all threads. */
void step_end_threads(struct workload *w);

/* Writes a number to clear_refs: refs. */
void step_clear_refs(struct workload *w);

/* Reports maxrss (in pages), minflt and majflt of getrusage(2) for the process. */
void step_report_rusage(struct workload *w);

void step_nothing(struct workload *w);

/*
 * Performs an operation of a random program: the step's .act, or the operation that rssck fuzz
 * sends. The verbs of harness/agent/verbs implement the operations.
 */
void step_act(struct workload *w);

/* Perform the operations of rssck atlas in many regions side by side (harness/agent/side.h). */
void step_side_begin(struct workload *w);
void step_side_round(struct workload *w);
void step_side_event(struct workload *w);
void step_side_clear(struct workload *w);

#endif
