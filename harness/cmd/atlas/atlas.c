// SPDX-License-Identifier: MIT
/* rssck atlas: all short sequences, side by side. */
#include "atlas.h"
#include "atlas/find.h"
#include "atlas/prepare.h"
#include "atlas/record.h"
#include "atlas/views.h"
#include "base/clock.h"
#include "base/cpus.h"
#include "base/memory.h"
#include "base/print/ticker.h"
#include "base/print/words.h"
#include "base/process/limits.h"
#include "cmd/fuzz/jobs.h"
#include "engine/log/log.h"
#include "steps.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TICK_MS = 500, TROUBLES_MAX = 20, EACH_MOMENT_EACH = 16 };

/* What jobs have done, seen by all. */
struct done {
	uint64_t sequences, acts, looks, numbers, findings, unconfirmed, troubles, left_out;
	uint64_t excepted[EXCEPTIONS_MAX];
};

struct shared {
	volatile bool stop;
	uint64_t next; /* the block that is taken next */
	struct done of[JOBS_MAX];
};

static struct shared *shared;

struct run {
	struct atlas_options o;
	struct words words; /* of this machine's huge pages */
	struct engine engine;
	struct ticker ticker;
	struct sink sink;
	FILE *text; /* what is for people */
	bool has_kind[KINDS_MAX];
	uint64_t count; /* numbers that there are */
	seen_at *seen;  /* or NULL */
	FILE *found[JOBS_MAX], *texts[JOBS_MAX];
	int lock; /* what changes the machine is done while nothing else is */
	int pool; /* of hugetlb pages: one at a time takes from it */
	unsigned nr_jobs, job;
	struct done *d;
	struct texts known;
	int64_t start, shown;
};

static void on_signal(int sig)
{
	(void)sig;
	shared->stop = true;
}

static bool is_over(const struct run *r)
{
	return shared->stop || (r->o.time && now_ms() - r->start >= (int64_t)r->o.time * 1000);
}

static void sum(const struct run *r, struct done *all)
{
	*all = (struct done) { .sequences = 0 };
	for (unsigned i = 0; i < r->nr_jobs; i++) {
		const uint64_t *from = (const uint64_t *)&shared->of[i];
		uint64_t *to = (uint64_t *)all;

		for (size_t k = 0; k < sizeof(*all) / sizeof(*to); k++)
			to[k] += from[k];
	}
}

static void show_progress(void *data)
{
	struct run *r = data;
	int64_t now = now_ms();
	struct done all;

	if (now - r->start < 2000 || now - r->shown < TICK_MS)
		return;
	r->shown = now;
	sum(r, &all);
	ticker_show(&r->ticker, "%" PRIu64 " sequences, %" PRIu64 " %%, %" PRId64 " acts a second",
		    all.sequences, 100 * shared->next / (r->count + 1),
		    (int64_t)all.acts * 1000 / (now - r->start + 1));
}

static void keep_view(void *data, const struct batch *b, unsigned i, enum moment_of at,
		      const struct view *v)
{
	struct run *r = data;
	uint64_t hash = view_hash(v->text, v->length);

	if (!r->seen)
		return;
	r->seen[b->number[i]][at] = hash;
	texts_add(&r->known, hash, v->text, v->length);
}

static void tell_found(void *data, const struct sequence *s, unsigned company,
		       const struct suspect *f)
{
	struct run *r = data;
	char words[SEQUENCE_TEXT];
	FILE *out = r->found[r->job];

	sequence_until(&r->words, s, f->at < AT_COUNT ? f->at : AT_ACCESS, words);
	fprintf(out, "# %s%s\n", words, f->d.process ? " (in the child)" : "");
	if (company > 1)
		fprintf(out, "# in the company of %u others\n", company - 1);
	if (f->wrong == WRONG_NUMBERS || f->wrong == WRONG_REST)
		fprintf(out, "%s: %" PRId64 " %s instead of %" PRId64 "\n  %s\n\n", f->d.metric,
			f->d.counter, f->d.unit, f->d.precise, f->d.text);
	else if (f->wrong == WRONG_HANGS)
		fprintf(out, "%s does not return\n\n", f->d.metric);
	else
		fprintf(out, "%s: %s\n\n", f->d.metric, f->d.text);
	fflush(out);
}

static void take_counts(struct run *r, const struct atlas *z, const struct finder *x)
{
	r->d->acts = z->acts;
	r->d->looks = z->looks;
	r->d->numbers = z->numbers;
	r->d->findings = x->findings;
	r->d->unconfirmed = x->unconfirmed;
	memcpy(r->d->excepted, z->excepted, sizeof(r->d->excepted));
}

static bool trouble_ends(struct run *r, const struct atlas *z)
{
	fprintf(stderr, "rssck atlas: %.200s\n", z->why);
	return ++r->d->troubles >= TROUBLES_MAX;
}

/* The others of a batch go on without the one whose act has not returned. */
static void leave_out(struct batch *b, unsigned window)
{
	memmove(&b->of[window], &b->of[window + 1], (b->nr - window - 1) * sizeof(*b->of));
	memmove(&b->number[window], &b->number[window + 1],
		(b->nr - window - 1) * sizeof(*b->number));
	b->nr--;
}

static bool has_hung(const struct hung *h, const struct sequence *s)
{
	for (unsigned i = 0; i < h->nr; i++)
		if (h->of[i].kind == s->kind && !memcmp(h->of[i].act, s->act, sizeof(s->act)))
			return true;
	return false;
}

/* False: there is no use in going on. */
static bool run_batch(struct run *r, struct finder *x, struct hung *h, struct batch *b)
{
	struct suspect f;
	enum ran ran = RAN_WRONG;

	while (ran == RAN_WRONG && b->nr) {
		ran = atlas_run(x->z, b, false, &f);
		if (ran == RAN_WRONG) {
			enum ran searched = finder_search(x, b, &f);

			ran = searched == RAN ? RAN_WRONG : searched;
		}
		if (ran != RAN_WRONG || f.wrong != WRONG_HANGS || f.at == AT_COUNT)
			break;
		if (h->nr < HUNG_MAX)
			h->of[h->nr++] = b->of[f.window];
		leave_out(b, f.window);
		r->d->left_out++;
	}
	r->d->sequences += b->nr;
	take_counts(r, x->z, x);
	return ran != RAN_STOPPED && (ran != RAN_TROUBLE || !trouble_ends(r, x->z));
}

/* The sequences of a block that are wanted and can be. */
static void fill_batch(const struct run *r, uint64_t from, uint64_t to, const struct hung *h,
		       struct batch *b)
{
	b->nr = 0;
	for (uint64_t n = from; n < to; n++) {
		struct sequence *s = &b->of[b->nr];

		b->number[b->nr] = n;
		if (sequence_of(&r->words, r->o.length, n, s) && atlas_options_want(&r->o, s) &&
		    r->has_kind[s->kind]) {
			if (has_hung(h, s))
				r->d->left_out++;
			else
				b->nr++;
		}
	}
}

static bool changes_machine(const struct run *r, const struct batch *b)
{
	return b->nr && b->of[0].event != NO_WORD &&
	       event_is_of_machine(&r->words.events[b->of[0].event]);
}

static bool run_locked(struct run *r, struct finder *x, struct hung *h, struct batch *b)
{
	bool from_pool = r->words.kinds[b->of[0].kind].size == SIZE_HUGETLB, goes_on;

	if (from_pool)
		flock(r->pool, LOCK_EX);
	flock(r->lock, changes_machine(r, b) ? LOCK_EX : LOCK_SH);
	goes_on = run_batch(r, x, h, b);
	flock(r->lock, LOCK_UN);
	flock(r->pool, LOCK_UN);
	return goes_on;
}

/* Blocks in their order, each by whoever is free. */
static int run_blocks(struct run *r, struct finder *x)
{
	struct hung h = { .nr = 0 };
	struct batch b;
	uint64_t block, at = 0, end = 0, index = 0;

	for (block = 0; !is_over(r); block++) {
		uint64_t mine = __atomic_fetch_add(&shared->next, 1, __ATOMIC_RELAXED);
		bool goes_on = true;

		for (; at < r->count && index <= mine; index++) {
			uint64_t from = at;

			sequences_block(&r->words, r->o.length, from, &end);
			at = end;
			if (index < mine)
				continue;
			if (r->o.shares && index % r->o.shares != r->o.share - 1)
				break;
			fill_batch(r, from, end, &h, &b);
			b.each_moment = index / (r->o.shares + !r->o.shares) % EACH_MOMENT_EACH ==
					0;
			if (!b.nr)
				break;
			goes_on = run_locked(r, x, &h, &b);
		}
		if (index <= mine)
			index = mine + 1;
		if (!goes_on || at >= r->count)
			break;
	}
	return EXIT_HOLDS;
}

/* On one CPU, beside the worker: each waits while the other runs. */
static void keep_to_one(struct run *r, unsigned job)
{
	struct host *h = &r->engine.host;
	int cpu = h->cpu_list[job % h->nr_cpu_list];

	cpus_keep_to_one(cpu);
	h->cpu_list[0] = cpu;
	h->nr_cpu_list = 1;
}

/* A lock belongs to whoever has opened the file. */
static int open_again(int fd)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDWR | O_CLOEXEC);
}

static int work(void *data, unsigned job)
{
	struct run *r = data;
	struct atlas *z = calloc(1, sizeof(*z));
	struct finder *x = calloc(1, sizeof(*x));

	if (!z || !x)
		memory_gone("the atlas");
	r->job = job;
	r->d = &shared->of[job];
	r->known.out = r->seen ? r->texts[job] : NULL;
	r->lock = open_again(r->lock);
	r->pool = open_again(r->pool);
	keep_to_one(r, job);
	if (r->engine.log >= 0)
		r->engine.log = log_open();
	if (atlas_open(z, &r->engine, &r->words) < 0)
		return trouble("atlas: %s", z->why);
	z->stop = &shared->stop;
	z->viewed = keep_view;
	z->data = r;
	*x = (struct finder) { .z = z, .found = tell_found, .data = r };
	run_blocks(r, x);
	take_counts(r, z, x);
	atlas_close(z);
	texts_free(&r->known);
	fflush(NULL);
	free(x);
	free(z);
	return EXIT_HOLDS;
}

static void tell_exceptions(const struct run *r, const struct done *all)
{
	const char *last = "";

	for (unsigned i = 0; i < EXCEPTIONS_MAX; i++) {
		if (!all->excepted[i] || !strcmp(exception_words(i), last))
			continue;
		last = exception_words(i);
		fprintf(r->text, "known: %s\n", last);
	}
}

static void copy_found(const struct run *r)
{
	for (unsigned i = 0; i < r->nr_jobs; i++) {
		int c;

		rewind(r->found[i]);
		while ((c = getc(r->found[i])) != EOF)
			putc(c, r->text);
	}
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
	ticker_close(&r->ticker);
	copy_found(r);
	number_words((int64_t)all.sequences, sequences, sizeof(sequences));
	number_words((int64_t)all.acts, acts, sizeof(acts));
	number_words((int64_t)all.numbers, numbers, sizeof(numbers));
	fprintf(r->text,
		"%s sequences, %s acts audited in %" PRId64 ".%" PRId64 " s (%" PRId64
		" a second, %u jobs of up to %" PRId64 " MiB), %s numbers compared: ",
		sequences, acts, ms / 1000, ms / 100 % 10, (int64_t)all.acts * 1000 / (ms + 1),
		r->nr_jobs, peak_kb() / 1024, numbers);
	if (all.findings)
		fprintf(r->text, "%" PRIu64 " finding%s\n", all.findings,
			all.findings == 1 ? "" : "s");
	else
		fputs("every one as it must be\n", r->text);
	if (all.unconfirmed)
		fprintf(r->text, "%" PRIu64 " seen once and not again: no finding\n",
			all.unconfirmed);
	if (all.left_out)
		fprintf(r->text,
			"%" PRIu64 " left out: they go on behind an act that does not return\n",
			all.left_out);
	tell_exceptions(r, &all);
	if (all.findings)
		return EXIT_FAILS;
	if (all.troubles)
		return EXIT_TROUBLE;
	return all.sequences ? EXIT_HOLDS : EXIT_NOTHING;
}

/* A kind that cannot be had here is named, and left out. */
static int find_kinds(struct run *r)
{
	struct atlas *z = calloc(1, sizeof(*z));

	if (!z)
		memory_gone("the atlas");
	if (atlas_open(z, &r->engine, &r->words) < 0)
		return trouble("atlas: %s", z->why);
	for (unsigned i = 0; i < r->words.nr_kinds; i++) {
		int error = 0;

		if (r->o.some_kinds && !r->o.kinds[i])
			continue;
		if (kind_try(z, i, &error) < 0) {
			int status = trouble("atlas: %s", z->why);

			atlas_close(z);
			free(z);
			return status;
		}
		r->has_kind[i] = !error;
		if (error)
			fprintf(r->text, "left out: %s: %s\n", r->words.kinds[i].name,
				strerror(error));
	}
	atlas_close(z);
	free(z);
	return EXIT_HOLDS;
}

static void *map_shared(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		memory_gone("what the jobs have seen");
	return p;
}

static FILE *memory_file(void)
{
	FILE *f = fdopen(memfd_create("rssck-atlas", MFD_CLOEXEC), "w+");

	if (!f)
		memory_gone("what the jobs have found");
	return f;
}

static int run_all(struct run *r)
{
	const struct host *h = &r->engine.host;
	int status = find_kinds(r);

	if (status != EXIT_HOLDS)
		return status;
	r->nr_jobs = r->o.jobs ? r->o.jobs : h->nr_cpu_list;
	r->nr_jobs = r->nr_jobs < JOBS_MAX ? r->nr_jobs : JOBS_MAX;
	r->count = sequences_count(&r->words, r->o.length);
	if (r->o.json)
		r->seen = map_shared(r->count * sizeof(*r->seen));
	r->lock = memfd_create("rssck-atlas-lock", MFD_CLOEXEC);
	r->pool = memfd_create("rssck-atlas-pool", MFD_CLOEXEC);
	for (unsigned i = 0; i < r->nr_jobs; i++) {
		r->found[i] = memory_file();
		r->texts[i] = memory_file();
	}
	r->start = now_ms();
	ticker_open(&r->ticker);
	status = jobs_run(r->nr_jobs, work, show_progress, r);
	return status == EXIT_HOLDS ? tell(r) : status;
}

static int write_record(struct run *r)
{
	struct record_of of = { &r->words, r->o.length, r->seen,
				r->texts,  r->nr_jobs,  &r->engine.host };

	return atlas_record_write(&of, r->sink.out);
}

static int open_and_run(struct run *r)
{
	char why[512];
	int status, failed = 0;

	if (sink_open(&r->sink, r->o.output, why, sizeof(why)))
		return trouble("atlas: %s", why);
	r->text = r->o.json ? stderr : r->sink.out;
	if (engine_open(&r->engine, r->o.directory, 0, why, sizeof(why)) < 0) {
		sink_drop(&r->sink);
		return trouble("atlas: %s", why);
	}
	atlas_prepare();
	words_make(&r->words, (uint32_t)(r->engine.host.huge_page_size / r->engine.host.page_size));
	if (r->o.sequence)
		status = steps_show(&r->engine, &r->words, r->o.sequence, r->text);
	else
		status = run_all(r);
	if (r->seen)
		failed = write_record(r);
	engine_close(&r->engine);
	if (sink_close(&r->sink, failed, why, sizeof(why)))
		status = trouble("atlas: %s", why);
	return status;
}

static int list_words(const struct atlas_options *o)
{
	const struct words *w = &o->words;
	uint64_t n = 0, count = sequences_count(w, o->length);
	struct sequence s;

	puts("kinds:");
	for (unsigned i = 0; i < w->nr_kinds; i++)
		printf("  %s\n", w->kinds[i].name);
	puts("acts:");
	for (unsigned i = 0; i < w->nr_acts; i++)
		printf("  %s\n", w->acts[i].name);
	puts("events:");
	for (unsigned i = 0; i < w->nr_events; i++)
		printf("  %s%s\n", w->events[i].name,
		       w->events[i].when == ASKED_FOR       ? " (where it is named)"
		       : w->events[i].when == AFTER_PAGEOUT ? " (behind pageout)"
							    : "");
	for (uint64_t i = 0; i < count; i++)
		n += sequence_of(w, o->length, i, &s) && atlas_options_want(o, &s);
	printf("%" PRIu64 " sequences\n", n);
	return stream_end(stdout) ? trouble("stdout: %m") : EXIT_HOLDS;
}

int cmd_atlas(int argc, char **argv)
{
	struct run *r = calloc(1, sizeof(*r));
	int status = EXIT_TROUBLE, read;

	if (!r)
		memory_gone("rssck atlas");
	shared = map_shared(sizeof(*shared));
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	limits_raise();
	read = atlas_options_read(&r->o, argc, argv);
	if (read > 0)
		status = r->o.list ? list_words(&r->o) : open_and_run(r);
	else if (!read)
		status = EXIT_HOLDS;
	free(r);
	return status;
}
