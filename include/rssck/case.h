// SPDX-License-Identifier: MIT
/*
 * What the author of a case writes. A case is one file below cases/; its id is
 * the file's path there. See README.md, "How to write a case".
 */
#ifndef RSSCK_CASE_H
#define RSSCK_CASE_H

#include <rssck/metric.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct workload;
struct trial;
struct judgement;

/* So many pages came (or, negative, went) of one account, seen from one process. */
struct posting {
	enum account account;
	int64_t pages;
	unsigned attributes; /* PAGE_DIRTY and so on */
	unsigned sharers;    /* page tables that map each page; 0 and 1 both mean one */
	unsigned process;    /* whose books: 0 is the leader */
};

enum step_flag {
	STEP_ANY_PAGES = 1 << 0, /* moves an unknown number of pages: only invariants are checked */
	STEP_UNSETTLED = 1 << 1, /* do not settle after it: the lag is the subject */
	STEP_REPLACES = 1 << 2,  /* another program runs now: no delta, a new baseline */
};

enum { POSTINGS_MAX = 24, STEPS_MAX = 16 };

struct step {
	const char *name;
	void (*run)(struct workload *w);
	unsigned process; /* which process takes it */
	unsigned flags;
	int64_t argument;                      /* what run() finds as w->argument */
	struct posting postings[POSTINGS_MAX]; /* ends with pages == 0 */
};

/* A fact's name and the values that are known for it, "yes|no"; another value fails the case. */
struct fact_known {
	const char *name;
	const char *values; /* NULL: any value is known */
};

enum case_flag {
	CASE_OPEN_BOOKS = 1 << 0, /* does not end at its baseline: malloc keeps arenas */
	CASE_ALL_CPUS = 1 << 1,   /* not pinned; others run on the first, then on the last CPU */
	CASE_ONE_CPU = 1 << 2,    /* moves much memory: runs on the last CPU only */
	CASE_THP = 1 << 3,        /* wants transparent huge pages; others are kept from them */
	CASE_UNSETTLED = 1 << 4,  /* the baseline is not settled either */
	CASE_PAGES = 1 << 5,      /* wants every page frame and its mapcount, where permitted */
	CASE_HIDDEN = 1 << 6,     /* not a case but a workload of the engine's */
};

struct testcase {
	const char *claim;
	const char *because;
	const char *const *said_by;
	const char *const
		*tools; /* programs that are run on the leader after each step; skip likewise */
	const char *const *needs; /* privileges asked for: "root", "pfn" ... skip where absent */
	const struct step *steps; /* ends with a NULL name */
	unsigned processes;       /* how many besides the leader */
	unsigned flags;
	unsigned limit_s;               /* time limit of a step; 0: the default */
	const struct fact_known *facts; /* ends with a NULL name */
	const struct posting *posts; /* for the coverage: what the steps add by workload_expect(),
					one of each kind; ends with pages == 0 */
	const enum metric_id *moves; /* for the coverage: what judge() checks the movement of, by
					judge_moved(); ends with METRIC_NONE */
	void (*judge)(const struct trial *t,
		      struct judgement *j); /* beyond double entry; may be NULL */
};

struct case_registration {
	const struct testcase *c;
	const char *file; /* "cases/file/private_write.c" */
};

/*
 * CASE(file_private_write) { .claim = ..., .steps = STEPS(...) };
 * The linker gathers the pointers; nothing else needs to know of the case.
 */
#define CASE(id)                                                                     \
	extern const struct testcase case_##id;                                      \
	static const struct case_registration registration_##id                      \
		__attribute__((used, section("rssck_cases"),                         \
			       aligned(sizeof(void *)))) = { &case_##id, __FILE__ }; \
	const struct testcase case_##id =

#define STEPS(...)                   \
	(const struct step[])        \
	{                            \
		__VA_ARGS__,         \
		{                    \
			.name = NULL \
		}                    \
	}
#define STEP(name, run, ...)        \
	{                           \
		name, run, 0, 0, 0, \
		{                   \
			__VA_ARGS__ \
		}                   \
	}
#define STEP_OF(process, name, run, ...)  \
	{                                 \
		name, run, process, 0, 0, \
		{                         \
			__VA_ARGS__       \
		}                         \
	}
#define STEP_FLAGS(flags, name, run, ...) \
	{                                 \
		name, run, 0, flags, 0,   \
		{                         \
			__VA_ARGS__       \
		}                         \
	}
#define STEP_ARGUMENT(value, how, title, function)                              \
	{                                                                       \
		.name = title, .run = function, .flags = how, .argument = value \
	}
#define SAID_BY(...)              \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}
#define NEEDS(...)                \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}
#define TOOLS(...)                \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}
#define FACTS(...)                  \
	(const struct fact_known[]) \
	{                           \
		__VA_ARGS__,        \
		{                   \
			NULL, NULL  \
		}                   \
	}
#define FACT(name, values)   \
	{                    \
		name, values \
	}

#define POSTS(...)                 \
	(const struct posting[])   \
	{                          \
		__VA_ARGS__,       \
		{                  \
			.pages = 0 \
		}                  \
	}
#define METRICS(...)                     \
	(const enum metric_id[])         \
	{                                \
		__VA_ARGS__, METRIC_NONE \
	}

/* ---- postings: what came and went ---- */
/* clang-format off: the tables of macros are aligned by hand. */

/* Address space. */
#define VIRT_DATA(pages)                                   \
	{                                                  \
		ACCOUNT_PRIVATE_WRITABLE, (pages), 0, 0, 0 \
	} /* private, writable */
#define VIRT_STACK(pages)                       \
	{                                       \
		ACCOUNT_STACK, (pages), 0, 0, 0 \
	}
#define VIRT_EXEC(pages)                       \
	{                                      \
		ACCOUNT_EXEC, (pages), 0, 0, 0 \
	}
#define VIRT_OTHER(pages)                       \
	{                                       \
		ACCOUNT_OTHER, (pages), 0, 0, 0 \
	} /* shared, or private read-only */
#define VIRT_LOCKED(pages)                          \
	{                                           \
		ACCOUNT_LOCKED_VM, (pages), 0, 0, 0 \
	}

/* Resident pages that one page table maps. */
#define ANON_WRITE(pages)                               \
	{                                               \
		ACCOUNT_ANON, (pages), PAGE_DIRTY, 1, 0 \
	}
#define ANON_CLEAN(pages)                      \
	{                                      \
		ACCOUNT_ANON, (pages), 0, 1, 0 \
	}
#define ANON_LOCKED(pages)                                            \
	{                                                             \
		ACCOUNT_ANON, (pages), PAGE_DIRTY | PAGE_LOCKED, 1, 0 \
	}
#define ANON_LAZYFREE(pages)                                               \
	{                                                                  \
		ACCOUNT_ANON, (pages), PAGE_LAZYFREE | PAGE_UNBACKED, 1, 0 \
	}
#define ANON_TAKEN_BACK(pages)                                          \
	{                                                               \
		ACCOUNT_ANON, (pages), PAGE_DIRTY | PAGE_UNBACKED, 1, 0 \
	} /* written again after MADV_FREE */
#define FILE_READ(pages)                       \
	{                                      \
		ACCOUNT_FILE, (pages), 0, 1, 0 \
	}
#define FILE_WRITE(pages)                               \
	{                                               \
		ACCOUNT_FILE, (pages), PAGE_DIRTY, 1, 0 \
	}
#define SHMEM_READ(pages)                       \
	{                                       \
		ACCOUNT_SHMEM, (pages), 0, 1, 0 \
	}
#define SHMEM_WRITE(pages)                               \
	{                                                \
		ACCOUNT_SHMEM, (pages), PAGE_DIRTY, 1, 0 \
	}
#define ANON_HUGE(pages)                                            \
	{                                                           \
		ACCOUNT_ANON, (pages), PAGE_DIRTY | PAGE_HUGE, 1, 0 \
	} /* mapped by a PMD */
#define SHMEM_HUGE(pages)                                            \
	{                                                            \
		ACCOUNT_SHMEM, (pages), PAGE_DIRTY | PAGE_HUGE, 1, 0 \
	}
#define HUGETLB(pages)                                     \
	{                                                  \
		ACCOUNT_HUGETLB, (pages), PAGE_DIRTY, 1, 0 \
	}
#define SWAPPED(pages)                         \
	{                                      \
		ACCOUNT_SWAP, (pages), 0, 1, 0 \
	}
#define ZERO_READ(pages)                       \
	{                                      \
		ACCOUNT_ZERO, (pages), 0, 0, 0 \
	}
/* Entries, whatever they lead to. */
#define GUARDED(pages)                          \
	{                                       \
		ACCOUNT_GUARD, (pages), 0, 0, 0 \
	}
#define UFFD_PROTECTED(pages)                     \
	{                                         \
		ACCOUNT_UFFD_WP, (pages), 0, 0, 0 \
	}
#define PINNED(pages)                            \
	{                                        \
		ACCOUNT_PINNED, (pages), 0, 0, 0 \
	}
#define FILE_TO_ANON(pages)  FILE_READ(-(pages)), ANON_WRITE(pages)
#define SHMEM_TO_ANON(pages) SHMEM_WRITE(-(pages)), ANON_WRITE(pages)
#define ZERO_TO_ANON(pages)  ZERO_READ(-(pages)), ANON_WRITE(pages)
#define FILE_DIRTIED(pages)  FILE_READ(-(pages)), FILE_WRITE(pages)
#define FILE_CLEANED(pages)  FILE_WRITE(-(pages)), FILE_READ(pages)

/* The same pages, seen by `process`, mapped by `sharers` page tables before and after. */
#define RESHARED(process, account, attributes, pages, before, after) \
	{ account, -(pages), attributes, before, process },          \
	{                                                            \
		account, (pages), attributes, after, process         \
	}

/* clang-format on */

/* All cases in order of their ids: [0, *nr), the linker's own array. */
const struct case_registration *cases_all(size_t *nr);

/*
 * True if the case checks how the metric moves: if it stood still, the case
 * would fail. By the postings of its steps through the table, by `posts` and
 * by `moves`. A run of which this is not true ends in an error, so it is no mere claim.
 */
bool case_moves(const struct testcase *c, enum metric_id id, long page_size);

/* "file/private_write" of "cases/file/private_write.c", into buf. */
const char *case_id(const struct case_registration *r, char *buf, size_t size);

/* What steps and a judge() are written with. At the end, because they know what a case is. */
#include <rssck/judge.h>
#include <rssck/workload.h>

#endif
