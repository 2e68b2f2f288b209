// SPDX-License-Identifier: MIT
/*
 * The counter model: how a counter lags on this kernel. Measured, never looked up by version. Every
 * tolerance comes from model_bound().
 */
#ifndef RSSCK_MODEL_H
#define RSSCK_MODEL_H

#include <rssck/metric.h>

enum model_kind {
	MODEL_UNKNOWN,    /* a staircase that fits no model below: a finding */
	MODEL_EXACT,      /* every page shows without delay */
	MODEL_PER_THREAD, /* each thread holds back up to `batch` faults (SPLIT_RSS_COUNTING,
			     until 6.1) */
	MODEL_PER_CPU,    /* each CPU holds back up to `batch` - 1 pages of each class
			     (percpu_counter, 6.2+) */
	MODEL_ABSENT,     /* this kernel does not print the metric */
};

struct counter_model {
	enum model_kind kind;
	unsigned batch; /* faults or pages; 0 if exact */
};

/* The models of all counters, with the numbers that the bounds are computed from. */
struct models {
	struct counter_model
		of[METRIC_COUNT]; /* for modelled and modelled_apart; else MODEL_ABSENT */
	unsigned
		fault_around; /* pages that one read fault on cached file pages maps, as measured */
	unsigned cpus;        /* CPUs that the workloads may run on */
};

/* False if the measurement of a number fits no model: then it is repeated. */
bool models_are_known(const struct models *m);

/*
 * The model from which a number's bound is computed: its own. For a number of modelled_apart that
 * could not be measured it is the worst measured model; for VmSwap, RssAnon's.
 */
const struct counter_model *model_for(const struct models *m, enum metric_id id);

/* The one of two models with the larger bound: unknown is the largest, absent the smallest. */
const struct counter_model *model_worse(const struct counter_model *a,
					const struct counter_model *b);

/*
 * The most that a counter may be off, in pages, in either direction, for a process with that many
 * threads; -1 if the model is unknown.
 *
 * per-thread: each thread may hold back `batch` faults; an anonymous fault is one page, a fault on
 * cached file or shmem pages maps up to fault_around. per-CPU: each of the summed classes may hold
 * back batch - 1 pages on each CPU.
 */
int64_t model_bound(const struct models *m, enum metric_id id, unsigned threads);

/*
 * For a case that knows more than its number of threads: since the last settling this many threads
 * have faulted, on this many CPUs, in pages of this many classes, and each fault mapped one page.
 */
struct holders {
	unsigned threads, cpus, classes;
};

/* The most that a counter may be off with these holders; -1 if the model is unknown. */
int64_t model_bound_of(const struct models *m, enum metric_id id, const struct holders *h);

/* The names in JSON: "exact", "per-thread", "per-cpu", "unknown". */
const char *model_kind_name(enum model_kind kind);

/* "per-CPU, batch 32, 2 CPUs": the model in words, into buf. */
const char *model_describe(const struct models *m, enum metric_id id, char *buf, size_t size);

/* The counters that have a model: stat.rss, statm.resident ... ends with METRIC_NONE. */
extern const enum metric_id modelled[];

/*
 * Numbers that are derived from those counters in other ways; each is measured separately. One
 * that could not be measured (there is no swap) may be off by as much as the worst of the others.
 */
extern const enum metric_id modelled_apart[];

#endif
