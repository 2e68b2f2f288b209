// SPDX-License-Identifier: MIT
/*
 * What the author of a case needs. A case is one file below cases/; its path there, without ".c",
 * is the case's id. See harness/doc/cases.md.
 */
#ifndef RSSCK_CASE_H
#define RSSCK_CASE_H

/* Headers that most cases need; a case includes further ones itself. */
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
 * A fact: a name, its known values ("yes|no"), and a sentence that the value completes or answers:
 * "VmRSS of a process that has just started is" "short". A value that is not known fails the case.
 */
struct fact_known {
	const char *name;
	const char *values; /* NULL if any value is allowed */
	const char *sentence;
};

enum case_flag {
	CASE_KEEPS_MEMORY = 1 << 0, /* numbers need not return to the baseline */
	CASE_ALL_CPUS = 1 << 1,     /* may use all CPUs; other cases are pinned to one */
	CASE_ONE_CPU = 1 << 2,      /* runs only on the last CPU */
	CASE_THP = 1 << 3,          /* uses transparent huge pages (other cases run without them) */
	CASE_UNSETTLED = 1 << 4,    /* the counters are not settled before the first step */
	CASE_PAGES = 1 << 5,  /* needs the frame number and mapcount of every page, if permitted */
	CASE_HIDDEN = 1 << 6, /* a selftest or engine workload; selected only by its full id */
	CASE_RECLAIMS = 1 << 7, /* drops caches, compacts memory or wakes kswapd itself */
	CASE_POISONS = 1 << 8,  /* makes memory errors: the machine loses those pages */
	CASE_OFFLINES = 1 << 9, /* takes memory offline: free pages go without an allocation */
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
	unsigned limit_s;               /* time limit of a step in seconds; 0 for the default */
	const struct fact_known *facts; /* ends with a NULL name */
	struct postings posts;          /* examples of what workload_expect() adds, for coverage */
	const enum metric_id *moves;    /* checked by judge_moved(); ends with METRIC_NONE */
	/* Checks what postings and `moves` cannot express; may be NULL. */
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
 * The linker collects the registrations, so no list names the cases.
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

/* Returns the linker's array of all cases, sorted by id; sets *nr to their number. */
const struct case_registration *cases_all(size_t *nr);

/*
 * Returns true if the case checks how the metric moves (by its steps' postings, `posts` or `moves`)
 * and so would fail if the metric never moved. If a run does not make a check that the case
 * declares, the case ends with an error.
 */
bool case_moves(const struct testcase *c, enum metric_id id, long page_size);

/* Writes the id into buf: "file/private_write" for "cases/file/private_write.c". Returns buf. */
const char *case_id(const struct case_registration *r, char *buf, size_t size);

/* Return the case with this id, or NULL. */
const struct case_registration *case_by_id(const char *id);
const struct testcase *testcase_by_id(const char *id);

#endif
