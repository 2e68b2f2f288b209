// SPDX-License-Identifier: MIT
/*
 * The counter model: how a counter lags on this kernel. Measured, never looked
 * up by version. Every tolerance of the suite comes from model_bound().
 */
#ifndef RSSCK_MODEL_H
#define RSSCK_MODEL_H

#include <rssck/metric.h>

enum model_kind {
	MODEL_UNKNOWN,    /* a staircase that fits nothing below: a finding */
	MODEL_EXACT,      /* every page shows at once */
	MODEL_PER_THREAD, /* each thread holds back up to `batch` faults (SPLIT_RSS_COUNTING,
			     until 6.1) */
	MODEL_PER_CPU,    /* each CPU holds back up to `batch` - 1 pages of each class
			     (percpu_counter, 6.2+) */
	MODEL_ABSENT,     /* this kernel does not print the metric */
};

struct counter_model {
	enum model_kind kind;
	unsigned batch; /* faults or pages; 0 where exact */
};

/* The models of every counter, with what the bounds are computed from. */
struct models {
	struct counter_model
		of[METRIC_COUNT]; /* of modelled and modelled_apart; else MODEL_ABSENT */
	unsigned fault_around; /* pages that one read fault on cached file pages maps, measured */
	unsigned cpus;         /* CPUs that the workloads may run on */
};

/* False if what was measured of any number fits no model: then it is measured again. */
bool models_are_known(const struct models *m);

/*
 * The model that a number's bound is computed from: its own. Of one of
 * modelled_apart that could not be measured the worst of the measured ones, of
 * VmSwap RssAnon's.
 */
const struct counter_model *model_for(const struct models *m, enum metric_id id);

/* The one of two by which more may be off: unknown above all, absent below all. */
const struct counter_model *model_worse(const struct counter_model *a,
					const struct counter_model *b);

/*
 * The most that a counter may be off, in pages, either way, for a process
 * with that many threads. -1 where the model is unknown: nothing can be said.
 *
 * per-thread: each thread may hold back `batch` faults; an anonymous fault is
 * one page, a fault on cached file or shmem pages maps up to fault_around.
 * per-CPU: each of the summed classes may hold back batch - 1 pages a CPU.
 */
int64_t model_bound(const struct models *m, enum metric_id id, unsigned threads);

/*
 * Which threads or CPUs hold pages back, where a case knows more than its number of threads:
 * since the last settling so many threads have faulted, on so many CPUs, in
 * pages of so many classes, and each fault brought one page.
 */
struct holders {
	unsigned threads, cpus, classes;
};

/* The most that a counter may be off then. -1 where the model is unknown. */
int64_t model_bound_of(const struct models *m, enum metric_id id, const struct holders *h);

/* "exact", "per-thread", "per-cpu", "unknown": the words of the JSON. */
const char *model_kind_name(enum model_kind kind);

/* "per-CPU, batch 32, 2 CPUs": the model in words, into buf. */
const char *model_describe(const struct models *m, enum metric_id id, char *buf, size_t size);

/* The counters that have a model: stat.rss, statm.resident ... ends with METRIC_NONE. */
extern const enum metric_id modelled[];

/*
 * Numbers that are made from those counters in ways of their own: each is
 * measured for itself. One that could not be (there is no swap) may be off by
 * what the worst of the others may be.
 */
extern const enum metric_id modelled_apart[];

#endif
