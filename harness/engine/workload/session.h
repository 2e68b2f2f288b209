// SPDX-License-Identifier: MIT
/* The observer's end of a running workload. */
#ifndef RSSCK_SESSION_H
#define RSSCK_SESSION_H

#include "agent/protocol.h"
#include "state.h"

struct session {
	pid_t leader;
	pid_t pid[WORKLOAD_PROCESSES]; /* as the leader last told; 0: none */
	unsigned processes;            /* the most there can be, the leader included */
	int channel[WORKLOAD_PROCESSES];
	unsigned limit_s;
	volatile unsigned *steps; /* the engine's, or NULL */
	unsigned threads;
	bool limited;      /* the failure is a limit's, which ->why names */
	int64_t maxrss_kb; /* after session_end() */
	char why[256];     /* of the last failure, one sentence */
};

/* Start the workload of a case on those CPUs and wait until it stands still. 0, or -1 with ->why.
 */
int session_start(struct session *s, const struct engine *e, const struct case_registration *c,
		  const int *cpus, unsigned nr_cpus);

/* Send a request to a process and await its reply. -1: it died, or hung for longer than the limit.
 */
int session_ask(struct session *s, unsigned process, const struct request *q, struct reply *r);

/* The two halves of that: several processes act concurrently. Return 0, or -1 with s->why. */
int session_send(struct session *s, unsigned process, const struct request *q);
int session_receive(struct session *s, unsigned process, struct reply *r);

/* ->why of a process that is no more: the signal that ended it, else `what`: "is gone". */
void session_lost(struct session *s, unsigned process, const char *what);

/* End every process of the workload, reap the leader. Safe after a failed start. */
void session_end(struct session *s);

#endif
