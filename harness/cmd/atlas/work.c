// SPDX-License-Identifier: MIT
/* One job of rssck atlas: runs batch after batch in its own worker. */
#include "atlas/prepare.h"
#include "base/clock.h"
#include "base/cpus.h"
#include "base/kmsg.h"
#include "base/memory.h"
#include "run.h"
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

enum { TROUBLES_MAX = 20, EACH_MOMENT_EACH = 16 };

static bool is_over(const struct run *r)
{
	return r->shared->stop || (r->o.time && now_ms() - r->start >= (int64_t)r->o.time * 1000);
}

/*
 * Stores the text of a sequence. The results of concurrent acts are not stored, because they may
 * differ each time.
 */
static void keep_view(void *data, const struct batch *b, unsigned i, enum moment_of at,
		      const struct view *v)
{
	struct run *r = data;
	uint64_t hash;

	if (!r->seen || (at >= AT_EVENT && sequence_is_at_once(&r->words, &b->of[i])))
		return;
	hash = view_hash(v->text, v->length);
	r->seen[order_place(&r->order, b->number[i])][at] = hash;
	texts_add(&r->known, hash, v->text, v->length);
}

static void report_found(void *data, const struct sequence *s, unsigned together,
			 const struct suspect *f)
{
	struct run *r = data;

	print_found(r->found[r->job], &r->words, s, together, f);
}

void print_found(FILE *out, const struct words *w, const struct sequence *s, unsigned together,
		 const struct suspect *f)
{
	char words[SEQUENCE_TEXT];

	sequence_until(w, s, f->at < AT_COUNT ? f->at : AT_ACCESS, words);
	fprintf(out, "# %s%s\n", words, f->d.process ? " (in the child)" : "");
	if (together > 1)
		fprintf(out, "# seen only together with %u other sequence%s\n", together - 1,
			together == 2 ? "" : "s");
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

/* Returns false if the run cannot continue. */
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

bool run_wants(const struct run *r, uint64_t number, struct sequence *s)
{
	return sequence_of(&r->words, r->o.length, number, s) && atlas_options_want(&r->o, s) &&
	       r->has_kind[s->kind] && (s->event == NO_WORD || r->has_event[s->event]);
}

static unsigned at_once(const struct run *r, const struct sequence *s)
{
	unsigned most = sequences_at_once(&r->words, s);

	if (r->words.kinds[s->kind].size != SIZE_HUGETLB)
		return most;
	return r->hugetlb_at_once < most ? r->hugetlb_at_once : most;
}

/*
 * Collects wanted sequences that may run in one batch, from position *at of the order on. Returns
 * false if there are no more.
 */
static bool next_batch(const struct run *r, uint64_t *at, struct batch *b)
{
	unsigned most = 1;

	for (b->nr = 0; *at < r->last && b->nr < most; ++*at) {
		struct sequence *s = &b->of[b->nr];
		uint64_t number = order_number(&r->order, *at);

		if (!run_wants(r, number, s))
			continue;
		if (b->nr && (b->nr >= at_once(r, s) ||
			      !sequences_go_together(&r->words, r->o.length, b->number[0], number)))
			break;
		most = b->nr && most < at_once(r, s) ? most : at_once(r, s);
		b->number[b->nr++] = number;
	}
	return b->nr;
}

static void leave_out_hung(struct run *r, const struct hung *h, struct batch *b)
{
	for (unsigned i = b->nr; i-- > 0;)
		if (has_hung(h, &b->of[i])) {
			leave_out(b, i);
			r->d->left_out++;
		}
}

static bool changes_machine(const struct run *r, const struct batch *b)
{
	for (unsigned i = 0; i < b->nr; i++)
		if (kind_is_of_machine(&r->words.kinds[b->of[i].kind]))
			return true;
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

/* Runs the batches of this run's share in their order. The next free job takes the next batch. */
static void run_batches(struct run *r, struct finder *x)
{
	uint64_t at = r->first, index = 0, mine;
	struct hung h = { .nr = 0 };
	struct batch b;
	bool goes_on = true;

	while (goes_on && !is_over(r)) {
		mine = __atomic_fetch_add(&r->shared->next, 1, __ATOMIC_RELAXED);
		b.each_moment = mine % EACH_MOMENT_EACH == 0;
		mine = mine * r->step + r->step_from;
		while ((goes_on = next_batch(r, &at, &b)) && index++ < mine)
			;
		r->shared->at = at;
		leave_out_hung(r, &h, &b);
		if (goes_on && b.nr)
			goes_on = run_locked(r, x, &h, &b);
	}
}

/* Keeps the job and its worker on one CPU, because each of them waits while the other runs. */
static void keep_to_one(struct run *r, unsigned job)
{
	struct host *h = &r->engine.host;
	int cpu = h->cpu_list[job % h->nr_cpu_list];

	cpus_keep_to_one(cpu);
	h->cpu_list[0] = cpu;
	h->nr_cpu_list = 1;
}

/*
 * All processes that share an open file description share its lock, so each job opens the file
 * again.
 */
static int open_again(int fd)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDWR | O_CLOEXEC);
}

/* Keeps freed memory in the process, because the next reading needs it again. */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

int work_job(void *data, unsigned job)
{
	struct run *r = data;
	struct atlas *z = calloc(1, sizeof(*z));
	struct finder *x = calloc(1, sizeof(*x));

	if (!z || !x)
		memory_gone("the atlas");
	r->job = job;
	r->d = &r->shared->of[job];
	r->known.out = r->seen ? r->texts[job] : NULL;
	r->lock = open_again(r->lock);
	r->pool = open_again(r->pool);
	keep_to_one(r, job);
	keep_memory();
	if (r->engine.log >= 0)
		r->engine.log = kmsg_open();
	if (atlas_open(z, &r->engine, &r->words) < 0)
		return trouble("atlas: %s", z->why);
	z->stop = &r->shared->stop;
	z->guest.only = r->nr_jobs == 1;
	z->viewed = keep_view;
	z->data = r;
	*x = (struct finder) { .z = z, .found = report_found, .data = r };
	z->is_reported_enough = finder_reported_enough;
	z->finder = x;
	run_batches(r, x);
	take_counts(r, z, x);
	atlas_close(z);
	texts_free(&r->known);
	fflush(NULL);
	free(x);
	free(z);
	return EXIT_HOLDS;
}
