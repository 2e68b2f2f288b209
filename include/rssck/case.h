// SPDX-License-Identifier: MIT
/*
 * What the author of a case writes. A case is one file below cases/, and the file's path there is
 * its id. See harness/doc/cases.md.
 */
#ifndef RSSCK_CASE_H
#define RSSCK_CASE_H

/* Headers that most steps need; a case includes only the others. */
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
 * A fact: a name, its known values ("yes|no"), and a sentence. The value completes or answers the
 * sentence: "VmRSS of a process that has just started is" "short". Any other value fails the case.
 */
struct fact_known {
	const char *name;
	const char *values; /* NULL: any value is known */
	const char *sentence;
};

enum case_flag {
	CASE_KEEPS_MEMORY = 1 << 0, /* malloc keeps arenas, so memory stays above the baseline */
	CASE_ALL_CPUS = 1 << 1,     /* may use all CPUs; other cases are pinned to one */
	CASE_ONE_CPU = 1 << 2,      /* uses much memory, so it runs only on the last CPU */
	CASE_THP = 1 << 3,          /* uses transparent huge pages (other cases run without them) */
	CASE_UNSETTLED = 1 << 4,    /* the counters are not settled before the first step */
	CASE_PAGES = 1 << 5,  /* needs the frame number and mapcount of every page, if permitted */
	CASE_HIDDEN = 1 << 6, /* a workload of the engine, not a case */
	CASE_RECLAIMS = 1 << 7, /* drops caches, compacts memory or wakes kswapd itself */
};

struct testcase {
	const char *claim;
	const char *because;
	const char *const *said_by;
	const char *const *tools; /* programs that run after each step; the case needs them */
	const char *const *needs; /* "root", "pfn" ...; without them the case is skipped */
	const struct step *steps; /* ends with a NULL name */
	unsigned processes;       /* number of processes besides the leader */
	unsigned flags;
	unsigned limit_s;               /* time limit of a step; 0: the default */
	const struct fact_known *facts; /* ends with a NULL name */
	struct postings posts;       /* examples of what workload_expect() adds, for the coverage */
	const enum metric_id *moves; /* checked by judge_moved(); ends with METRIC_NONE */
	/* Checks that postings and `moves` cannot express; may be NULL. */
	void (*judge)(const struct trial *t, struct judgement *j);
};

struct case_registration {
	const struct testcase *c;
	const char *file; /* "cases/file/private_write.c" */
};

/* lld drops a section without references unless it has the attribute `retain`. */
#if __has_attribute(retain)
#define CASE_RETAIN retain,
#else
#define CASE_RETAIN
#endif

/*
 * Defines and registers a case: CASE(file_private_write) { .claim = ..., .steps = STEPS(...) };
 *
 * The linker collects the registrations, so no other file names the case.
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

/* Returns all cases in the order of their ids: [0, *nr), the linker's own array. */
const struct case_registration *cases_all(size_t *nr);

/*
 * Returns true if the case checks how the metric moves (by its steps' postings, by `posts` or by
 * `moves`), so that it would fail if the metric never moved. If a run does not make a declared
 * check, the case ends with an error.
 */
bool case_moves(const struct testcase *c, enum metric_id id, long page_size);

/* Writes the id, such as "file/private_write" for "cases/file/private_write.c", into buf. */
const char *case_id(const struct case_registration *r, char *buf, size_t size);

/* Returns the case with this id, or NULL. */
const struct case_registration *case_by_id(const char *id);
const struct testcase *testcase_by_id(const char *id);

#endif
