// SPDX-License-Identifier: MIT
/* Describes how wrong a metric can be by its counter model, or why nothing is held back. */
#include "base/print/words.h"
#include "explain.h"
#include <stdlib.h>
#include <sys/utsname.h>

/* The metrics in the table are computed from another metric's count. */
enum metric_id metric_counted_as(enum metric_id id)
{
	static const struct {
		enum metric_id id, as;
	} table[] = {
		{ METRIC_STATUS_VMHWM, METRIC_STAT_RSS },
		{ METRIC_RUSAGE_MAXRSS, METRIC_STAT_RSS },
		{ METRIC_OOM_SCORE, METRIC_STAT_RSS },
		{ METRIC_STATUS_VMSWAP, METRIC_STATUS_RSSANON },
	};

	for (const enum metric_id *m = modelled; *m != METRIC_NONE; m++)
		if (*m == id)
			return id;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (table[i].id == id)
			return table[i].as;
	return METRIC_NONE;
}

enum metric_id metric_computed_as(const struct explanation *e, enum metric_id id)
{
	struct utsname own = { .release = "" };

	if (id != METRIC_OOM_SCORE)
		return metric_counted_as(id);
	if (!e->run && !e->release)
		uname(&own);
	return range_oom_is_summed(e->run       ? e->run->kernel_release
				   : e->release ? e->release
						: own.release)
		       ? METRIC_STATM_RESIDENT
		       : metric_counted_as(id);
}

const char *pages_words(int64_t pages, long page_size, char *buf, size_t size)
{
	char n[32], kb[32];

	snprintf(buf, size, "%s page%s (%s kB)", number_words(pages, n, sizeof(n)),
		 pages == 1 ? "" : "s", number_words(pages * (page_size / 1024), kb, sizeof(kb)));
	return buf;
}

static const char *threads_words(const struct explanation *e, unsigned threads, char *buf,
				 size_t size)
{
	if (e->process && threads == e->threads)
		snprintf(buf, size, "process %s of %u thread%s", e->process, threads,
			 threads == 1 ? "" : "s");
	else
		snprintf(buf, size, "a process of %u thread%s", threads, threads == 1 ? "" : "s");
	return buf;
}

/* Prints how the bound is computed from the measured numbers. */
static void put_mechanism(const struct explanation *e, enum metric_id id, FILE *out)
{
	const struct counter_model *c = &e->models->of[id];
	/*
	 * A peak has no accounts of its own, so the classes are those of the metric from which it
	 * is computed.
	 */
	unsigned accounts = metric(metric_computed_as(e, id))->accounts;
	unsigned classes = (unsigned)__builtin_popcount(accounts & IN_RSS);

	if (c->kind == MODEL_PER_CPU)
		fprintf(out,
			" Each of %u CPU%s holds back up to %u pages of each of %u class%s; how many "
			"threads it has does not matter.",
			e->models->cpus, e->models->cpus == 1 ? "" : "s", c->batch - 1, classes,
			classes == 1 ? "" : "es");
	else if (c->kind == MODEL_PER_THREAD && accounts & IN_SHR)
		fprintf(out,
			" Each thread holds back up to %u faults: one of anonymous memory is a "
			"page, one on a file's cached pages up to %u.",
			c->batch, e->models->fault_around);
	else if (c->kind == MODEL_PER_THREAD)
		fprintf(out, " Each thread holds back up to %u faults of one page each.", c->batch);
}

/*
 * Prints what a bound is based on: a measurement (here or recorded) or commits, and the number of
 * CPUs of --cpus.
 */
static void put_basis(const struct explanation *e, bool by_cpu, FILE *out)
{
	if (e->release && !e->run)
		fprintf(out, "By its commits, on %s", where_words(e));
	else if (e->cpus && by_cpu)
		fprintf(out, "As measured on %s", where_words(e));
	else
		fprintf(out, "Measured on %s", where_words(e));
	if (e->cpus && by_cpu)
		fprintf(out, ", computed for %u CPU%s", e->cpus, e->cpus == 1 ? "" : "s");
}

static void put_bound(const struct explanation *e, enum metric_id id, FILE *out)
{
	enum { MANY = 100 };
	int64_t bound = model_bound(e->models, id, e->threads);
	char pages[96], who[128];

	if (bound < 0) {
		fprintf(out,
			"Unknown: its steps of %u pages fit no known model. That is a finding; see "
			"`rssck check counters/calibrate`.",
			e->models->of[id].batch);
		return;
	}
	if (e->models->of[id].kind == MODEL_ABSENT) {
		fprintf(out, "%s does not print it.", e->where ? e->where : "This kernel");
		return;
	}
	if (!bound) {
		fprintf(out, "Not at all on %s: %s, it includes every page immediately.",
			where_words(e), e->release && !e->run ? "by its commits" : "measured");
		return;
	}
	put_basis(e, e->models->of[id].kind == MODEL_PER_CPU, out);
	fprintf(out, ": up to %s either way for %s.",
		pages_words(bound, e->page_size, pages, sizeof(pages)),
		e->threads == 1 && !e->process && e->models->of[id].kind == MODEL_PER_CPU
			? "any process"
			: threads_words(e, e->threads, who, sizeof(who)));
	put_mechanism(e, id, out);
	if (e->models->of[id].kind == MODEL_PER_THREAD && e->threads == 1)
		fprintf(out, " Of %s: %s.", threads_words(e, MANY, who, sizeof(who)),
			pages_words(model_bound(e->models, id, MANY), e->page_size, pages,
				    sizeof(pages)));
}

static void put_counter_error(const struct explanation *e, enum metric_id id, FILE *out)
{
	bool measured = e->models && e->models->of[id].kind != MODEL_ABSENT;
	enum metric_id as = measured ? id : metric_computed_as(e, id);

	if (as != id && id == METRIC_STATUS_VMSWAP)
		fprintf(out, "Not measured separately; the kernel counts it like %s. ",
			metric(as)->name);
	else if (as != id)
		fprintf(out, "It is computed from the count that %s shows. ", metric(as)->name);
	if (e->models)
		put_bound(e, as, out);
	else
		fprintf(out, "As much as its model allows, which was not measured: %s.",
			e->not_measured);
}

static void put_other_error(enum metric_id id, FILE *out)
{
	const struct metric *m = metric(id);
	static const char *const words[] = {
		[KIND_COUNTER] = "Nothing is held back: it includes each page immediately.",
		[KIND_PRECISE] =
			("Not at all while the process stands still. If it runs, it changes during "
			 "the walk."),
		[KIND_VMA] = "Nothing is held back: it is exact when it is read.",
		[KIND_PEAK] = "Not at all.",
		[KIND_EVENT] = "Not at all.",
	};

	if (!m->approximate)
		fputs(words[m->kind], out);
	else
		fprintf(out, "It holds nothing back, but: %s.", m->approximate);
}

char *metric_error_words(const struct explanation *e, enum metric_id id)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	if (metric_counted_as(id) == METRIC_NONE)
		put_other_error(id, out);
	else
		put_counter_error(e, id, out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

const char *where_words(const struct explanation *e)
{
	return e->where ? e->where : "this kernel";
}
