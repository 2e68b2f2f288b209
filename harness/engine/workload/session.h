// SPDX-License-Identifier: MIT
/* A running workload, as rssck sees it. */
#ifndef RSSCK_SESSION_H
#define RSSCK_SESSION_H

#include "agent/protocol.h"
#include "state.h"

struct session {
	pid_t leader;
	pid_t pid[WORKLOAD_PROCESSES]; /* as last reported by the leader; 0: no such process */
	unsigned processes;            /* maximum number of processes, with the leader */
	int channel[WORKLOAD_PROCESSES];
	unsigned limit_s;
	volatile unsigned *steps; /* the engine's step counter, or NULL */
	unsigned threads;
	bool limited;      /* skip the case: ->why names a limit, or what is missing */
	int64_t maxrss_kb; /* known after session_end() */
	char why[256];     /* the last failure, as one sentence */
};

/*
 * Starts the workload of a case on those CPUs, and waits until it is ready. Returns 0, or -1 with
 * ->why.
 */
int session_start(struct session *s, const struct engine *e, const struct case_registration *c,
		  const int *cpus, unsigned nr_cpus);

/*
 * Sends a request to a process and waits for its reply. Returns 0, or -1 with s->why if the process
 * has died or exceeded the time limit.
 */
int session_ask(struct session *s, unsigned process, const struct request *q, struct reply *r);

/*
 * The two halves of session_ask(), for processes that act concurrently. They return 0, or -1 with
 * s->why.
 */
int session_send(struct session *s, unsigned process, const struct request *q);
int session_receive(struct session *s, unsigned process, struct reply *r);

/*
 * Sets ->why for a process that has ended: the signal that ended it, else `what`, such as "is
 * gone".
 */
void session_lost(struct session *s, unsigned process, const char *what);

/* Ends every process of the workload and reaps the leader. Safe after a failed start. */
void session_end(struct session *s);

#endif
