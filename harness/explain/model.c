// SPDX-License-Identifier: MIT
/* Explains counter models: what each is, and which counters follow it here. */
#include "explain.h"

const char *model_words(enum model_kind kind)
{
	static const char *const words[] = {
		[MODEL_UNKNOWN] =
			"A counter whose steps, while pages are touched one by one, fit none of the "
			"models that rssck knows. No bound can be computed from it; that is a finding.",
		[MODEL_EXACT] =
			"A counter that includes every page immediately, whichever thread touches it "
			"on whichever CPU.",
		[MODEL_PER_THREAD] =
			"Each thread keeps its own counts and adds them to the total after a batch "
			"of page faults, when it unmaps pages, and when it exits "
			"(SPLIT_RSS_COUNTING). It counts faults, not pages: one fault can map many.",
		[MODEL_PER_CPU] =
			"Each CPU keeps its own count, and adds it to the total when it reaches a "
			"batch (percpu_counter). A read that takes only the total is off by what "
			"the CPUs hold back; one that adds up the CPUs is exact.",
	};

	return words[kind];
}

const char *model_bound_words(enum model_kind kind)
{
	static const char *const words[] = {
		[MODEL_UNKNOWN] = "",
		[MODEL_EXACT] = "It is never off.",
		[MODEL_PER_THREAD] =
			("It is off by at most threads x batch pages; if it counts a file's cached "
			 "pages, times the number of pages that one fault maps."),
		[MODEL_PER_CPU] =
			"It is off by at most CPUs x (batch - 1) x the number of page classes that "
			"it sums.",
	};

	return words[kind];
}

static const char *model_is_not(enum model_kind kind)
{
	static const char *const words[] = {
		[MODEL_UNKNOWN] =
			"Necessarily a broken counter: a new way of counting looks like that as well.",
		[MODEL_EXACT] =
			"The way in which the kernel counts: a read that adds up per-CPU parts is exact, too.",
		[MODEL_PER_THREAD] =
			"Bounded for a process with any number of threads: every thread can hold back more.",
		[MODEL_PER_CPU] =
			"Dependent on threads: one thread that visits all CPUs can hold back as "
			"much as a hundred. The worst case grows with the square of the CPUs, "
			"because the batch grows as well.",
	};

	return words[kind];
}

static void explain_model_here(const struct explanation *e, enum model_kind kind)
{
	bool any = false;
	char pages[96];

	if (!e->models) {
		prose_item(&e->prose, "Here", "Not measured: %s.", e->not_measured);
		return;
	}
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		int64_t bound = model_bound(e->models, *id, e->threads);

		if (e->models->of[*id].kind != kind)
			continue;
		prose_item(&e->prose, any ? NULL : "Here", "%s: may be off by %s",
			   metric(*id)->name,
			   bound < 0 ? "any number"
				     : pages_words(bound, e->page_size, pages, sizeof(pages)));
		any = true;
	}
	if (any)
		prose_item(&e->prose, NULL, "(%u thread%s, %u CPU%s, measured on this kernel)",
			   e->threads, e->threads == 1 ? "" : "s", e->models->cpus,
			   e->models->cpus == 1 ? "" : "s");
	else
		prose_item(&e->prose, "Here", "No counter of this kernel has this model.");
}

static bool counts_so(const struct results *r, enum model_kind kind)
{
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		if (r->models.of[*id].kind == kind)
			return true;
	return false;
}

void explain_model(const struct explanation *e, enum model_kind kind)
{
	bool set[e->kernels.nr + 1];
	char names[512];

	prose_title(&e->prose, model_kind_name(kind));
	prose_text(&e->prose, 2, "A counter model: how a counter lags. Measured, never looked up.");
	prose_item(&e->prose, "It is", "%s", model_words(kind));
	prose_item(&e->prose, "It is not", "%s", model_is_not(kind));
	explain_model_here(e, kind);
	for (size_t i = 0; i < e->kernels.nr; i++)
		set[i] = counts_so(&e->kernels.of[i], kind);
	if (e->kernels.nr)
		prose_item(&e->prose, "Since when",
			   "%s of the recorded kernels have a counter with this model.",
			   kernels_words(&e->kernels, set, names, sizeof(names)));
	prose_item(&e->prose, "Proved by",
		   "counters/calibrate, counters/threads_malloc, "
		   "counters/many_cpus, counters/thread_exit");
}
