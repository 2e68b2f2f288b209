// SPDX-License-Identifier: MIT
/* rssck atlas: runs all short sequences of acts on memory, many of them in one process. */
#include "atlas.h"
#include "atlas/prepare.h"
#include "atlas/record.h"
#include "base/clock.h"
#include "base/guest.h"
#include "base/kernel_file.h"
#include "base/memory.h"
#include "base/print/ticker.h"
#include "base/print/words.h"
#include "base/process/limits.h"
#include "engine/workload/guard.h"
#include "run.h"
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TICK_MS = 500 };

/* Memory shared with the jobs; the signal handler sets its `stop`. */
static struct shared *shared;

static void on_signal(int sig)
{
	(void)sig;
	shared->stop = true;
}

static void sum(const struct run *r, struct done *all)
{
	*all = (struct done) { .sequences = 0 };
	for (unsigned i = 0; i < r->nr_jobs; i++) {
		const uint64_t *from = (const uint64_t *)&r->shared->of[i];
		uint64_t *to = (uint64_t *)all;

		for (size_t k = 0; k < sizeof(*all) / sizeof(*to); k++)
			to[k] += from[k];
	}
}

/*
 * Prints the findings that a job has added. The job still writes to the file, so its file offset
 * must not change.
 */
static void print_new(struct run *r, FILE *found, off_t *printed)
{
	char some[4096];
	ssize_t n;

	while ((n = pread(fileno(found), some, sizeof(some), *printed)) > 0) {
		ticker_clear(&r->ticker);
		fwrite(some, 1, (size_t)n, r->text);
		*printed += n;
	}
	fflush(r->text);
}

/* Prints the findings so far while the jobs still run, because a run may be interrupted. */
static void print_all_found(struct run *r)
{
	for (unsigned i = 0; i < r->nr_jobs; i++)
		print_new(r, r->found[i], &r->printed[i]);
}

static void show_progress(void *data)
{
	struct run *r = data;
	int64_t now = now_ms();
	struct done all;

	print_all_found(r);
	if (now - r->start < 2000 || now - r->shown < TICK_MS)
		return;
	r->shown = now;
	sum(r, &all);
	ticker_show(&r->ticker, "%" PRIu64 " sequences, %" PRIu64 " %%, %" PRId64 " acts a second",
		    all.sequences, 100 * (r->shared->at - r->first) / (r->last - r->first + 1),
		    (int64_t)all.acts * 1000 / (now - r->start + 1));
}

static void tell_exceptions(const struct run *r, const struct done *all)
{
	json_t *known = atlas_record_known(all->excepted), *words;
	size_t i;

	json_array_foreach(known, i, words)
		fprintf(r->text, "known: %s\n", json_string_value(words));
	json_decref(known);
}

static int64_t peak_kb(void)
{
	struct rusage own, children;

	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	return own.ru_maxrss > children.ru_maxrss ? own.ru_maxrss : children.ru_maxrss;
}

static int tell(struct run *r)
{
	int64_t ms = now_ms() - r->start;
	char sequences[32], acts[32], numbers[32];
	struct done all;

	sum(r, &all);
	print_all_found(r);
	ticker_close(&r->ticker);
	all.findings += r->broken;
	number_words((int64_t)all.sequences, sequences, sizeof(sequences));
	number_words((int64_t)all.acts, acts, sizeof(acts));
	number_words((int64_t)all.numbers, numbers, sizeof(numbers));
	fprintf(r->text,
		"%s sequences, %s acts audited in %" PRId64 ".%" PRId64 " s (%" PRId64
		" per second, %u jobs of up to %" PRId64 " MiB), %s numbers compared: ",
		sequences, acts, ms / 1000, ms / 100 % 10, (int64_t)all.acts * 1000 / (ms + 1),
		r->nr_jobs, peak_kb() / 1024, numbers);
	if (all.findings)
		fprintf(r->text, "%" PRIu64 " finding%s\n", all.findings,
			all.findings == 1 ? "" : "s");
	else
		fputs("no findings\n", r->text);
	if (all.unconfirmed)
		fprintf(r->text, "%" PRIu64 " error%s seen only once, so not counted as findings\n",
			all.unconfirmed, all.unconfirmed == 1 ? "" : "s");
	if (all.left_out)
		fprintf(r->text,
			"left out: %" PRIu64 " sequence%s in which an act does not return\n",
			all.left_out, all.left_out == 1 ? "" : "s");
	tell_exceptions(r, &all);
	if (all.findings)
		return EXIT_FAILS;
	if (all.troubles)
		return EXIT_TROUBLE;
	return all.sequences ? EXIT_HOLDS : EXIT_NOTHING;
}

static void leave_out(const struct run *r, const char *name, const char *why)
{
	fprintf(r->text, "left out: %s: %s\n", name, why);
}

static int find_kinds(struct run *r, struct atlas *z)
{
	for (unsigned i = 0; i < r->words.nr_kinds; i++) {
		const struct kind *k = &r->words.kinds[i];
		int error = 0;

		if (r->o.some_kinds && !r->o.kinds[i])
			continue;
		if (r->words.not_had[k->size][0]) {
			leave_out(r, k->name, r->words.not_had[k->size]);
			continue;
		}
		if (kind_try(z, i, &error) < 0)
			return -1;
		r->has_kind[i] = !error;
		if (error)
			leave_out(r, k->name, strerror(error));
	}
	return 0;
}

static int find_events(struct run *r, struct atlas *z)
{
	for (unsigned i = 0; i < r->words.nr_events; i++) {
		int error = 0;

		if (r->o.some_events ? !r->o.events[i] : r->words.events[i].when == NAMED)
			continue;
		if (event_try(z, i, &error) < 0)
			return -1;
		r->has_event[i] = !error;
		if (error)
			leave_out(r, r->words.events[i].name, strerror(error));
	}
	return 0;
}

static int find_words(struct run *r)
{
	struct atlas *z = calloc(1, sizeof(*z));
	int status = EXIT_HOLDS;

	if (!z)
		memory_gone("the atlas");
	if (atlas_open(z, &r->engine, &r->words) < 0)
		return trouble("atlas: %s", z->why);
	if (find_kinds(r, z) < 0 || (!r->o.grid && find_events(r, z) < 0))
		status = trouble("atlas: %s", z->why);
	atlas_close(z);
	free(z);
	return status;
}

static void *map_shared(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		memory_gone("the results of the jobs");
	return p;
}

static FILE *memory_file(void)
{
	FILE *f = fdopen(memfd_create("rssck-atlas", MFD_CLOEXEC), "w+");

	if (!f)
		exit(trouble("atlas: memfd_create(2): %m"));
	return f;
}

/* Returns the number of regions for which the hugetlb pool has pages, but at least 1. */
static unsigned hugetlb_at_once(void)
{
	unsigned pages = (unsigned)kernel_number("/proc/meminfo", "HugePages_Free", 0);

	return pages < 2 * HUGETLB_EACH ? 1 : pages / HUGETLB_EACH;
}

static bool is_asked_for(const void *options, const struct sequence *s)
{
	return atlas_options_want(options, s);
}

/* Takes a share of the order. Without a sorted list (three acts), a share is every Nth batch. */
static void take_share(struct run *r)
{
	uint64_t shares = r->o.shares ? r->o.shares : 1, before = shares > 1 ? r->o.share - 1 : 0;

	r->last = r->order.nr;
	r->step = 1;
	if (r->order.of) {
		r->first = r->order.nr * before / shares;
		r->last = r->order.nr * (before + 1) / shares;
	} else {
		r->step = shares;
		r->step_from = before;
	}
	r->shared->at = r->first;
}

/*
 * A job spends more time waiting (for RCU, io_uring or writeback) than working. So 4 jobs run per
 * CPU, up to 16 in all, and fewer if memory is short; but at least one per CPU. In a guest with one
 * CPU only one job runs, because the machine's own numbers are checked there.
 */
static unsigned jobs_here(unsigned cpus)
{
	enum { EACH = 4, MOST = 16, MIB = 128 };
	int64_t kb = kernel_number("/proc/meminfo", "MemAvailable", 0);
	unsigned jobs = EACH * cpus < MOST ? EACH * cpus : MOST;

	if (cpus == 1 && guest_is_here())
		return 1;
	if (jobs > (uint64_t)kb / 1024 / MIB)
		jobs = (unsigned)(kb / 1024 / MIB);
	return jobs > cpus ? jobs : cpus;
}

static int run_all(struct run *r)
{
	const struct host *h = &r->engine.host;
	int status = find_words(r);

	if (status != EXIT_HOLDS)
		return status;
	r->nr_jobs = r->o.jobs ? r->o.jobs : jobs_here(h->nr_cpu_list);
	r->nr_jobs = r->nr_jobs < JOBS_MAX ? r->nr_jobs : JOBS_MAX;
	r->hugetlb_at_once = hugetlb_at_once();
	order_make(&r->order, &r->words, r->o.length, is_asked_for, &r->o);
	take_share(r);
	/* There are too many sequences of three acts to keep their results. */
	if (r->o.length < LENGTH_MAX)
		r->seen = map_shared((r->order.nr + 1) * sizeof(*r->seen));
	r->lock = memfd_create("rssck-atlas-lock", MFD_CLOEXEC);
	r->pool = memfd_create("rssck-atlas-pool", MFD_CLOEXEC);
	for (unsigned i = 0; i < r->nr_jobs; i++) {
		r->found[i] = memory_file();
		r->texts[i] = memory_file();
	}
	r->start = now_ms();
	ticker_open(&r->ticker);
	status = jobs_run(r->nr_jobs, work_job, show_progress, r);
	if (status != EXIT_HOLDS)
		return status;
	if (r->seen && r->o.length == 2 && !r->shared->stop) {
		print_all_found(r);
		r->broken = check_laws(r, r->text);
		r->broken += check_copies(r, r->text);
	}
	return tell(r);
}

static int run_grid(struct run *r)
{
	int status = find_words(r);

	return status == EXIT_HOLDS ? grid_make(r, r->sink.out) : status;
}

static int write_record(struct run *r)
{
	struct done all;
	struct record_of of = { .words = &r->words,
				.length = r->o.length,
				.order = &r->order,
				.first = r->first,
				.last = r->last,
				.seen = r->seen,
				.texts = r->texts,
				.nr_texts = r->nr_jobs,
				.excepted = all.excepted,
				.host = &r->engine.host };

	sum(r, &all);
	return atlas_record_write(&of, r->sink.out);
}

static int open_and_run(struct run *r)
{
	struct guard guard = { .alive = -1 };
	char why[512];
	int status, failed = 0;

	if (sink_open(&r->sink, r->o.output, why, sizeof(why)))
		return trouble("atlas: %s", why);
	r->text = r->o.json || r->o.grid ? stderr : r->sink.out;
	if (engine_open(&r->engine, r->o.directory, 0, why, sizeof(why)) < 0) {
		sink_drop(&r->sink);
		return trouble("atlas: %s", why);
	}
	/* A guest's processes end with it, and it has no other users, so it needs no guard. */
	if (!guest_is_here())
		guard_start(&guard, &r->engine, guard_folders());
	atlas_prepare();
	words_make(&r->words, (uint32_t)(r->engine.host.huge_page_size / r->engine.host.page_size));
	r->words.at_once = r->o.at_once;
	if (r->o.sequence)
		status = steps_show(&r->engine, &r->words, r->o.sequence, r->text);
	else if (r->o.grid)
		status = run_grid(r);
	else
		status = run_all(r);
	if (r->o.json && r->seen)
		failed = write_record(r);
	guard_end(&guard);
	engine_close(&r->engine);
	if (sink_close(&r->sink, failed, why, sizeof(why)))
		status = trouble("atlas: %s", why);
	return status;
}

static int cmd_atlas(int argc, char **argv)
{
	struct run *r = calloc(1, sizeof(*r));
	int status = EXIT_TROUBLE, read;

	if (!r)
		memory_gone("rssck atlas");
	r->shared = shared = map_shared(sizeof(*shared));
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	limits_raise();
	read = atlas_options_read(&command_atlas, &r->o, argc, argv);
	if (read > 0)
		status = r->o.list ? list_words(&r->o) : open_and_run(r);
	else if (!read)
		status = EXIT_HOLDS;
	free(r);
	return status;
}

const struct command command_atlas = {
	.name = "atlas",
	.run = cmd_atlas,
	.usage = "[OPTION]...",
	.help = "try all short sequences of memory operations on every kind of memory",
	.about =
		"A sequence is a kind of memory, an act, an event or none, a second act, and a read or "
		"a write. All sequences are tried, many of them in regions of one process. After "
		"each round, all sources are read once and compared "
		"with each other. A disagreement is a finding if several readings show it, and again "
		"when the sequence runs alone in a process. Other findings are an act that does "
		"not return, and memory that is still counted when everything is unmapped.",
	.rows = atlas_rows,
	.exits = "0 no finding, 1 a finding, 2 rssck failed (usage or internal error), "
		 "4 nothing could run",
};
