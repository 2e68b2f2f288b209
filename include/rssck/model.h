// SPDX-License-Identifier: MIT
/*
 * The counter model: how a counter lags on this kernel. Models are measured, never looked up by
 * version. model_bound() computes every tolerance.
 */
#ifndef RSSCK_MODEL_H
#define RSSCK_MODEL_H

#include <rssck/metric.h>

enum model_kind {
	MODEL_UNKNOWN,    /* the measured staircase fits none of the models below */
	MODEL_EXACT,      /* every page is counted immediately */
	MODEL_PER_THREAD, /* each thread keeps up to `batch` faults (SPLIT_RSS_COUNTING,
			     up to 6.1) */
	MODEL_PER_CPU,    /* each CPU keeps up to `batch` - 1 pages of each class
			     (percpu_counter, since 6.2) */
	MODEL_ABSENT,     /* not printed by this kernel, or not measured */
};

struct counter_model {
	enum model_kind kind;
	unsigned batch; /* faults or pages; 0 if exact */
};

/* The models of all counters, and the numbers from which bounds are computed. */
struct models {
	/* Set for the metrics in modelled and modelled_apart; MODEL_ABSENT for all others. */
	struct counter_model of[METRIC_COUNT];
	unsigned fault_around; /* pages that one read fault on cached file pages maps */
	unsigned cpus;         /* CPUs on which the workloads may run */
};

/* Returns false if a number's measurement fits no model; the caller then measures again. */
bool models_are_known(const struct models *m);

/*
 * Returns the model from which a number's bound is computed. For a number of modelled_apart that
 * could not be measured this is the worst measured model; for VmSwap it is RssAnon's.
 */
const struct counter_model *model_for(const struct models *m, enum metric_id id);

/*
 * Returns the worse model, a if they are equal. Unknown is the worst, absent the best; of two other
 * models the one with the larger batch is worse.
 */
const struct counter_model *model_worse(const struct counter_model *a,
					const struct counter_model *b);

/*
 * Returns by how many pages a counter of a process with `threads` threads may be off, in either
 * direction; 0 if it has no model, -1 if its model is unknown.
 *
 * per-thread: each thread may keep `batch` faults. An anonymous fault is one page; a fault on
 * cached file or shmem pages maps up to fault_around pages. per-CPU: each of the summed classes may
 * keep batch - 1 pages on each CPU. The bound of ru_maxrss is at least that of VmHWM.
 */
int64_t model_bound(const struct models *m, enum metric_id id, unsigned threads);

/*
 * For a case that knows more than its number of threads: since the last settling, `threads` threads
 * have taken faults on `cpus` CPUs, in pages of `classes` classes, and each fault mapped one page.
 */
struct holders {
	unsigned threads, cpus, classes;
};

/*
 * Returns by how many pages a counter may be off with these holders; 0 if it has no model of its
 * own, -1 if that is unknown.
 */
int64_t model_bound_of(const struct models *m, enum metric_id id, const struct holders *h);

/* Returns the model's name in JSON: "exact", "per-thread", "per-cpu", "unknown", "absent". */
const char *model_kind_name(enum model_kind kind);

/* Describes the model in words, into buf: "per-CPU, batch 32, 2 CPUs". */
const char *model_describe(const struct models *m, enum metric_id id, char *buf, size_t size);

/* The counters that have a model: stat.rss, statm.resident ...; ends with METRIC_NONE. */
extern const enum metric_id modelled[];

/*
 * Numbers derived from those counters in other ways, each measured separately. If one could not be
 * measured, the worst measured model bounds it; if VmSwap could not (for example without swap),
 * RssAnon's model does.
 */
extern const enum metric_id modelled_apart[];

#endif
