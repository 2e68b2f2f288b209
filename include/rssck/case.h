// SPDX-License-Identifier: MIT
/*
 * What the author of a case writes. A case is one file below cases/; its id is
 * the file's path there. See harness/doc/cases.md.
 */
#ifndef RSSCK_CASE_H
#define RSSCK_CASE_H

/* Headers that most steps need, so that a case includes only rare ones. */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <rssck/judge.h>
#include <rssck/pages.h>
#include <rssck/source.h>
#include <rssck/states.h>
#include <rssck/step.h>
#include <rssck/workload.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * A fact: its name, its known values ("yes|no"), and a sentence that the value completes or
 * answers: "VmRSS of a process that has just started is" "short". Any other value fails the case.
 */
struct fact_known {
	const char *name;
	const char *values; /* NULL: any value is known */
	const char *sentence;
};

enum case_flag {
	CASE_KEEPS_MEMORY = 1
			    << 0, /* does not return to its baseline, because malloc keeps arenas */
	CASE_ALL_CPUS = 1 << 1,   /* not pinned to one CPU; other cases run on the first CPU, then
				   * on the last */
	CASE_ONE_CPU = 1 << 2,    /* uses much memory: runs on the last CPU only */
	CASE_THP = 1 << 3,        /* uses transparent huge pages; they are disabled for other
				   * cases */
	CASE_UNSETTLED = 1 << 4,  /* do not settle the baseline either */
	CASE_PAGES = 1 << 5,      /* needs every page frame and its mapcount, where permitted */
	CASE_HIDDEN = 1 << 6,     /* not a case but a workload of the engine */
	CASE_RECLAIMS = 1 << 7,   /* drops caches or compacts memory itself */
};

struct testcase {
	const char *claim;
	const char *because;
	const char *const *said_by;
	const char *const *tools; /* programs to run on the leader after each step; skip likewise */
	const char *const *
		needs; /* privileges and features needed: "root", "pfn" ...; skipped without them */
	const struct step *steps; /* ends with a NULL name */
	unsigned processes;       /* number of processes besides the leader */
	unsigned flags;
	unsigned limit_s;               /* time limit of a step; 0: the default */
	const struct fact_known *facts; /* ends with a NULL name */
	struct postings posts;          /* for the coverage: one example of each posting that the
					 * steps add with workload_expect() */
	const enum metric_id *moves; /* for the coverage: metrics whose movement judge() checks by
				      * judge_moved(); ends with METRIC_NONE */
	void (*judge)(const struct trial *t,
		      struct judgement *j); /* checks beyond double entry; may be NULL */
};

struct case_registration {
	const struct testcase *c;
	const char *file; /* "cases/file/private_write.c" */
};

/* lld drops a section without references, unless it is marked to be retained. */
#if __has_attribute(retain)
#define CASE_RETAIN retain,
#else
#define CASE_RETAIN
#endif

/*
 * CASE(file_private_write) { .claim = ..., .steps = STEPS(...) }; The linker collects the pointers;
 * no other file names the case.
 */
#define CASE(id)                                                                     \
	extern const struct testcase case_##id;                                      \
	static const struct case_registration registration_##id                      \
		__attribute__((used, CASE_RETAIN section("rssck_cases"),             \
			       aligned(sizeof(void *)))) = { &case_##id, __FILE__ }; \
	const struct testcase case_##id =

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
#define FACTS(...)                   \
	(const struct fact_known[])  \
	{                            \
		__VA_ARGS__,         \
		{                    \
			.name = NULL \
		}                    \
	}
#define FACT(name, sentence, values)   \
	{                              \
		name, values, sentence \
	}

#define POSTS(...) POSTINGS(__VA_ARGS__)
#define METRICS(...)                     \
	(const enum metric_id[])         \
	{                                \
		__VA_ARGS__, METRIC_NONE \
	}

/* All cases in the order of their ids: [0, *nr), the linker's own array. */
const struct case_registration *cases_all(size_t *nr);

/*
 * True if the case checks how the metric moves (by the postings of its steps, by `posts` or by
 * `moves`), so that it would fail if the metric stood still. A run that does not make a declared
 * check ends in an error.
 */
bool case_moves(const struct testcase *c, enum metric_id id, long page_size);

/* "file/private_write" of "cases/file/private_write.c", into buf. */
const char *case_id(const struct case_registration *r, char *buf, size_t size);

/* The case with that id, or NULL. */
const struct case_registration *case_by_id(const char *id);
const struct testcase *testcase_by_id(const char *id);

#endif
