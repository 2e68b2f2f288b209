// SPDX-License-Identifier: MIT
/*
 * The messages between rssck and the workload. Each process has one SOCK_SEQPACKET channel with one
 * reply for each request. The messages are plain structs, because both programs are built from the
 * same source. The layout is the same for 32 and 64 bits, so that a 64-bit rssck can drive a 32-bit
 * workload.
 */
#ifndef RSSCK_PROTOCOL_H
#define RSSCK_PROTOCOL_H

#include "act.h"
#include "base/cpus.h"
#include <rssck/case.h>
#include <rssck/workload.h>
#include <stddef.h>
#include <sys/types.h>

enum { CHANNEL_FD = 3, REPORTED_MAX = 32 };

/* How to make lagging counters exact; see agent/runtime/settle.c. */
struct settle_plan {
	uint32_t faults;     /* zero-page read faults needed in each thread; 0 if none */
	uint32_t batch;      /* a CPU holds back fewer pages of each class than this; 0 if CPUs hold
				nothing back */
	uint32_t everywhere; /* settle on all CPUs that rssck may use, not only where the process
				may run */
};

struct hello {
	char directory[4096];
	char mark[32];        /* prefix of all names that a step creates */
	struct cpu_mask cpus; /* the CPUs that the case may use */
	struct cpu_mask all;  /* the CPUs that rssck may use */
	_Alignas(8) uint64_t huge_page_size;
};

enum request_kind { REQUEST_STEP, REQUEST_SETTLE, REQUEST_CLOSE };

struct request {
	uint32_t kind;
	uint32_t step;
	_Alignas(8) int64_t argument;
	struct settle_plan settle;
	uint32_t nr_acts; /* number of acts; used only by step_act, whose threads run them
			     concurrently */
	struct act acts[ACT_THREADS];
};

enum reply_kind {
	REPLY_DONE,
	REPLY_SKIP,      /* the case cannot run here */
	REPLY_SKIP_STEP, /* this step cannot run here */
	REPLY_FAIL,      /* the workload saw that the claim is false */
	REPLY_FAIL_ONCE, /* the same; not tried again, because a second try would pass */
	REPLY_DIE,       /* a call that the case needs has failed */
};

struct reported {
	char name[32];
	_Alignas(8) int64_t value;
};

struct reply {
	uint32_t kind;
	uint32_t nr_postings, nr_reported, nr_threads, nr_checked;
	struct posting postings[POSTINGS_MAX];
	struct reported reported[REPORTED_MAX];
	pid_t pid[WORKLOAD_PROCESSES]; /* PIDs of the live processes, by process number; 0 is the
					  leader's */
	struct act_outcome outcomes[ACT_THREADS];
	char text[256];
};

_Static_assert(sizeof(struct hello) == 4096 + 32 + 2 * HOST_CPUS_MAX / 8 + 8, "same layout as on "
									      "64 bits");
_Static_assert(sizeof(struct request) == 112, "same layout as on 64 bits");
_Static_assert(offsetof(struct reply, text) == 24 + 32 * POSTINGS_MAX + 40 * REPORTED_MAX +
						       4 * WORKLOAD_PROCESSES + 4 +
						       72 * ACT_THREADS,
	       "same layout as on 64 bits");

#endif
