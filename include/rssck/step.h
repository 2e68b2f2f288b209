// SPDX-License-Identifier: MIT
/*
 * Steps: what a case does, one thing at a time.
 *
 * 	STEP("write", step_map, .pages = 256, .written = 256,
 * 	     MOVES(VIRT_DATA(256), ANON_WRITE(256))),
 * 	STEP_AS(FORK, "fork", step_fork, .child = CHILD, ...),
 * 	STEP("the child writes", step_write, .process = CHILD, .pages = 128, ...),
 *
 * A step is a title, a function and the fields of struct step that are not 0. The table
 * below lists the functions that many cases use; a function that only one case needs is
 * in its file, and finds the fields of its step in w->step.
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
	STEP_ANY_PAGES = 1 << 0, /* moves an unknown number of pages: only invariants are checked */
	STEP_UNSETTLED = 1 << 1, /* do not settle after it: the lag is the subject */
	STEP_REPLACES = 1 << 2,  /* another program runs afterwards: no delta, a new baseline */
	STEP_NO_TOOLS = 1 << 3,  /* do not run the tools yet: the state that distinguishes columns
				  * lasts until they run */
};

/* The `prot` of a new mapping with PROT_NONE, which is 0. */
enum { NO_ACCESS = 1 << 30 };

enum { STEPS_MAX = 16 };

/*
 * Symbols are far from all other numbers, so passing a process, a slot or a metric as a step,
 * or a step that the case does not have, is an error.
 */
enum {
	STEP_BASELINE = 1000, /* before the first step */
	STEP_CLOSED, /* after the last step: everything that the steps mapped is unmapped */
	STEP_EXIT,   /* for the numbers that wait4(2) reports of an ended process */
	STEP_NUMBERED = 1100, /* a step without a symbol of its own: this plus its index */
	STEP_FIRST_SYMBOL = 1200,
};

/* The symbols of the steps that judge() uses, in any order. */
#define STEP_SYMBOLS(...) enum { STEP_BEFORE_SYMBOLS = STEP_FIRST_SYMBOL, __VA_ARGS__ }

struct step {
	const char *name; /* its title */
	unsigned symbol;  /* 0: judge() does not use it */
	void (*run)(struct workload *w);
	unsigned process;         /* the process that runs it; 0: the leader */
	unsigned flags;           /* enum step_flag */
	int64_t argument;         /* passed to run() as w->argument */
	struct postings postings; /* what it moves, see MOVES(); nothing else may move */
	unsigned checks;          /* exactly how often run() must call workload_checked() */

	/* Fields that the library's steps read. */
	unsigned slot;  /* the memory: w->slot[slot] */
	unsigned file;  /* its file: w->fd[file] */
	size_t first;   /* the first page of the range */
	size_t pages;   /* number of pages in the range; never 0 */
	size_t written; /* how many of the mapped pages are then written */
	size_t read;    /* or read */
	size_t becomes; /* how many pages a mapping of `pages` pages has afterwards */
	int prot;       /* PROT_READ and so on; a new mapping is readable and writable if 0 */
	int mapping;    /* MAP_PRIVATE, MAP_SHARED and so on; 0: the default in the table below */
	int advice;     /* MADV_COLD and so on; for a new mapping: before it is touched */
	char refs;      /* '1' to '5' */
	unsigned child; /* the process to fork or reap */
	const char *report; /* the name under which the address of the memory is reported to the
			     * judge */
	const char *act;    /* for step_act: the operation as rssck fuzz prints it, without the
			     * process number */
};

/* clang-format off */

#define STEP(title, function, ...) { .name = title, .run = function, __VA_ARGS__ }
#define STEP_AS(sym, title, function, ...) STEP(title, function, .symbol = sym, __VA_ARGS__)
/*
 * An operation of a random program, in process 0 or another. Only the identities are checked
 * afterwards.
 */
#define ACT(by, text)              STEP(text, step_act, .process = by, .act = text, .flags = STEP_ANY_PAGES)
#define STEPS(...)                 (const struct step[]) { __VA_ARGS__, { .name = NULL } }

/*
 * What the step moves: MOVES(VIRT_DATA(8), ANON_WRITE(4, .process = CHILD)).
 * More than POSTINGS_MAX words do not compile.
 */
#define MOVES(...)                                                                          \
	.postings = { .list = (const struct posting[]) { __VA_ARGS__ },                     \
		      .nr = NR_POSTINGS(__VA_ARGS__) + NOT_TOO_MANY(NR_POSTINGS(__VA_ARGS__)) }
#define NOT_TOO_MANY(nr)                                                                    \
	(0 * sizeof(struct { int unused; _Static_assert((nr) <= POSTINGS_MAX, "too many postings"); }))

/* clang-format on */

/*
 * Ready steps, and the fields that each reads. Each range is the `pages` pages of w->slot[slot]
 * that begin at page `first`.
 *
 * 	step_map              pages written read prot mapping advice slot report
 * 	                      new anonymous memory, private
 * 	step_map_file         the same fields and `file`: maps a new file on a real file system,
 * private step_map_shmem        the same fields: maps a new memfd, shared step_map_again        the
 * same fields: maps the existing file w->fd[file], shared step_map_locked       pages slot: new
 * anonymous memory, under mlock(2) step_map_paged_out    pages slot: new anonymous memory, written
 * and then paged out step_huge_page        slot report: one transparent huge page, written; adds
 * its own postings step_write, step_read one byte in each page of the range step_rewrite write
 * another byte in each page and read it back; .checks = 1 step_read_back        read the byte that
 * step_write wrote in each page; .checks = 1 step_read_zeroes      read a zero in each page;
 * .checks = 1 step_unmap            munmap(2) of the range step_remap            becomes:
 * mremap(2), which may move the range step_advise           advice: madvise(2) of the range
 * 	step_protect          prot: mprotect(2) of the range
 * 	step_lock, _unlock    mlock(2), munlock(2) of the range
 * 	step_page_out         page out the whole range, or skip the case
 * 	step_page_out_shmem   the same for a shared mapping of a whole file
 * 	step_truncate         file pages: ftruncate(2) to that many pages
 * 	step_sync             file: fsync(2)
 * 	step_fork, step_reap  child: fork that process; end and reap it
 * 	step_exec             child: start it as another program
 * 	step_end_threads      end all threads
 * 	step_clear_refs       refs: write that number to clear_refs
 * 	step_nothing          stand still
 */
void step_map(struct workload *w);
void step_map_file(struct workload *w);
void step_map_shmem(struct workload *w);
void step_map_again(struct workload *w);
void step_map_locked(struct workload *w);
void step_map_paged_out(struct workload *w);
void step_huge_page(struct workload *w);
void step_write(struct workload *w);
void step_read(struct workload *w);
void step_rewrite(struct workload *w);
void step_read_back(struct workload *w);
void step_read_zeroes(struct workload *w);
void step_unmap(struct workload *w);
void step_remap(struct workload *w);
void step_advise(struct workload *w);
void step_protect(struct workload *w);
void step_lock(struct workload *w);
void step_unlock(struct workload *w);
void step_page_out(struct workload *w);
void step_page_out_shmem(struct workload *w);
void step_truncate(struct workload *w);
void step_sync(struct workload *w);
void step_fork(struct workload *w);
void step_reap(struct workload *w);
void step_exec(struct workload *w);
void step_end_threads(struct workload *w);
void step_clear_refs(struct workload *w);
void step_nothing(struct workload *w);

/*
 * Runs an operation of a random program, implemented by a verb of harness/agent/verbs: the step's
 * .act, or the one that rssck fuzz sends.
 */
void step_act(struct workload *w);

/* Runs rssck atlas's operations in many regions side by side (harness/agent/side.h). */
void step_side_begin(struct workload *w);
void step_side_round(struct workload *w);
void step_side_event(struct workload *w);
void step_side_clear(struct workload *w);

#endif
