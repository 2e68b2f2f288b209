// SPDX-License-Identifier: MIT
/*
 * The counter model: how a counter lags on this kernel. Up to 6.1 counters lag per thread
 * (SPLIT_RSS_COUNTING), since 6.2 per CPU (percpu_counter); some are exact. A run measures its
 * models. model_bound() turns them into tolerances.
 */
#ifndef RSSCK_MODEL_H
#define RSSCK_MODEL_H

#include <rssck/metric.h>

enum model_kind {
	MODEL_UNKNOWN,    /* the measured staircase fits none of the models below */
	MODEL_EXACT,      /* every page is counted immediately */
	MODEL_PER_THREAD, /* each thread holds back up to `batch` faults (up to 6.1) */
	MODEL_PER_CPU,    /* each CPU holds back up to `batch` - 1 pages of each class */
	MODEL_ABSENT,     /* the kernel does not print the number, or it was not measured */
};

struct counter_model {
	enum model_kind kind;
	unsigned batch; /* faults or pages; 0 if exact */
};

/* The models of all counters, and the numbers from which bounds are computed. */
struct models {
	/* MODEL_ABSENT for metrics that are not in modelled or modelled_apart */
	struct counter_model of[METRIC_COUNT];
	unsigned fault_around; /* pages that one read fault on cached file pages may map */
	unsigned cpus;         /* CPUs on which the workloads may run */
};

/* Returns false if the measurement of a number fits no model; the caller then measures again. */
bool models_are_known(const struct models *m);

/*
 * Returns the model from which a number's bound is computed. If a number of modelled_apart was not
 * measured, this is the worst measured model; for VmSwap it is RssAnon's.
 */
const struct counter_model *model_for(const struct models *m, enum metric_id id);

/*
 * Returns the worse model; a if both are equal. MODEL_UNKNOWN is the worst and MODEL_ABSENT the
 * best; of any two others, the one with the larger batch is worse.
 */
const struct counter_model *model_worse(const struct counter_model *a,
					const struct counter_model *b);

/*
 * Returns by how many pages a counter of a process with `threads` threads may be off, in either
 * direction; 0 if it has no model, -1 if its model is unknown.
 *
 * Per-thread: each thread may hold back `batch` faults, of one page each if anonymous, of up to
 * fault_around pages on a cached file or shmem. Per-CPU: each CPU may hold back batch - 1 pages of
 * each class that the counter sums. The bound of ru_maxrss is at least VmHWM's bound.
 */
int64_t model_bound(const struct models *m, enum metric_id id, unsigned threads);

/*
 * What may hold pages back, for a case that knows more than the number of threads: since the last
 * settling, `threads` threads on `cpus` CPUs have faulted in pages of `classes` classes, and each
 * fault mapped one page.
 */
struct holders {
	unsigned threads, cpus, classes;
};

/*
 * Returns by how many pages a counter may be off with these holders; 0 if it has no model of its
 * own, -1 if its model is unknown.
 */
int64_t model_bound_of(const struct models *m, enum metric_id id, const struct holders *h);

/* Returns the model's name in JSON: "exact", "per-thread", "per-cpu", "unknown", "absent". */
const char *model_kind_name(enum model_kind kind);

/* Writes the model in words into buf: "per-CPU, batch 32, 2 CPUs". Returns buf. */
const char *model_describe(const struct models *m, enum metric_id id, char *buf, size_t size);

/* The counters that have a model: stat.rss, statm.resident ...; ends with METRIC_NONE. */
extern const enum metric_id modelled[];

/*
 * Numbers that the kernel derives from the counters of modelled[] in other ways; each is measured
 * separately. If one could not be measured, model_for() chooses a model for it.
 */
extern const enum metric_id modelled_apart[];

#endif
