// SPDX-License-Identifier: MIT
/*
 * Performs one act on several kinds of memory side by side in one process. A step maps new memory
 * of each kind and performs the act on it; a table lists the pages that must exist afterwards.
 * Twelve kernels (5.10 to 7.3, results/atlas) agree with the tables. Where kernels or file systems
 * differ, the table contains ANY.
 */
#ifndef CASES_ATLAS_KINDS_H
#define CASES_ATLAS_KINDS_H

#include "agent/agent.h"
#include "agent/verbs/verbs.h"
#include <rssck/case.h>

/* <rssck/step.h> defines ACT() for cases; the atlas defines its own below. */
#pragma push_macro("ACT")
#undef ACT
enum { KIND_ACTS = 5, KIND_PAGES = 4, KIND_STRIDE = 64, KINDS = 12 };

/* The kinds of atlas/words.def, without its acts and events. */
static const struct kind_words {
	const char *name, *acts[KIND_ACTS];
} kind_words[] = {
#define KIND(name, size, needs, ...) { name, { __VA_ARGS__ } },
#define ACT(name, parts, needs, first, second)
#define EVENT(name, how, act, when)
#include "atlas/words.def"
#undef KIND
#undef ACT
#undef EVENT
};
#pragma pop_macro("ACT")

/*
 * The kinds that every machine has and whose numbers no other process changes, in the order of the
 * tables' columns.
 */
static const char *const kinds[KINDS] = {
	"anon",        "anon read",     "anon untouched",
	"anon locked", "shm",           "shm untouched",
	"memfd",       "memfd private", "memfd private written",
	"file read",   "file private",  "file private written",
};

/*
 * The digits of a number such as 4440 count the pages after an act: mapped, resident, anonymous,
 * locked. 20440 means 20 mapped pages. A number below 0 means that the kernel refuses the act. ANY
 * means that the table claims nothing.
 */
enum { ANY = 0 };
struct kind_row {
	const char *act;
	int after[KINDS];
	const char *later; /* the act's name and first kernel; NULL: every kernel has the act */
};

/* Each kind has a worker with its own regions. The act is done to region 0 of each worker. */
static struct worker *kind_workers;

static void kinds_begin(struct workload *w)
{
	size_t bytes = 2 * (size_t)KINDS * KIND_STRIDE * w->page_size;
	char *arena = workload_try_map(bytes, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE, -1);

	if (!arena)
		workload_die(w, "mmap: %s", strerror(errno));
	munmap(arena, bytes);
	kind_workers = calloc(KINDS, sizeof(*kind_workers));
	if (!kind_workers)
		workload_die(w, "calloc: %s", strerror(errno));
	for (unsigned i = 0; i < KINDS; i++) {
		struct worker *k = &kind_workers[i];

		k->w = w;
		k->page = w->page_size;
		k->stride = KIND_STRIDE * w->page_size;
		k->arena = arena + 2 * i * k->stride;
		k->watcher = getpid();
		getrlimit(RLIMIT_STACK, &k->stack_limit);
	}
	act_handle_faults();
	workload_remember(w, arena, bytes);
}

static void kinds_clear(struct workload *w)
{
	munmap(kind_workers[0].arena, 2 * KINDS * kind_workers[0].stride);
	for (unsigned i = 0; i < KINDS; i++) {
		struct worker *k = &kind_workers[i];

		for (unsigned n = 0; n < 2; n++)
			k->regions[n] = (struct region) { .at = k->arena + n * k->stride };
		memset(k->files, -1, sizeof(k->files));
		memset(k->watch, -1, sizeof(k->watch));
	}
	while (w->private->nr_files)
		close(w->private->files[--w->private->nr_files]);
}

/*
 * Performs the act; "@" in `text` stands for pages 0 to 3 of region 0. Returns the act's errno, or
 * 0.
 */
static int kind_act(struct workload *w, struct worker *k, const char *text, unsigned serial)
{
	const char *at = strchr(text, '@');
	char whole[128], why[128];
	struct act a;

	snprintf(whole, sizeof(whole), "%.*s%s%s", at ? (int)(at - text) : (int)strlen(text), text,
		 at ? "r0 0..3" : "", at ? at + 1 : "");
	if (act_parse(&a, whole, why, sizeof(why)) < 0)
		workload_die(w, "%s", why);
	a.serial = (uint16_t)serial;
	k->outcome = (struct act_outcome) { 0 };
	act_run(k, &a);
	return k->outcome.error;
}

static int kind_map(struct workload *w, struct worker *k, const char *name)
{
	const struct kind_words *words = kind_words;
	int failed = 0;

	while (strcmp(words->name, name) != 0)
		if (++words == kind_words + sizeof(kind_words) / sizeof(*kind_words))
			workload_die(w, "the atlas has no kind of memory named %s", name);
	for (unsigned i = 0; i < KIND_ACTS && words->acts[i] && !failed; i++)
		failed = kind_act(w, k, words->acts[i], i + 1);
	return failed;
}

/*
 * EINVAL means that the kernel refuses the act for this kind of memory. Any other error may come
 * from a limit, a missing privilege or a missing file, and proves nothing.
 */
static bool kind_is_limited(int error)
{
	return error && error != EINVAL;
}

/*
 * Returns true if a folio of the file is larger than the file: with shmem_enabled=always, write(2)
 * allocates a huge page for a file of any size. The file's blocks count the whole folio.
 */
static bool kind_is_large(const struct worker *k)
{
	return k->outcome.blocks > k->outcome.data;
}

/* Returns true if the act removes pages of the file, and so splits its large folios. */
static bool kind_is_split(const struct worker *k)
{
	return k->verb->effect == EFFECT_PUNCH || k->verb->effect == EFFECT_TRUNCATE;
}

static void kinds_step(struct workload *w, const struct kind_row *rows)
{
	const struct kind_row *row = &rows[w->argument];
	int64_t there = 0, refused = 0, split = 0, reads = 0;

	if (!kind_workers)
		kinds_begin(w);
	kinds_clear(w);
	for (unsigned i = 0; i < KINDS; i++) {
		struct worker *k = &kind_workers[i];
		bool large;
		int error;

		if (row->after[i] == ANY || kind_map(w, k, kinds[i]))
			continue;
		large = kind_is_large(k);
		error = kind_act(w, k, row->act, KIND_ACTS + 1);
		if (row->later && !i && error == EINVAL)
			workload_skip_step(w, "%s", row->later);
		there |= (int64_t)!kind_is_limited(error) << i;
		refused |= (int64_t)(error != 0) << i;
		split |= (int64_t)(large && !error && kind_is_split(k)) << i;
		reads |= (int64_t)(k->verb->effect == EFFECT_READ) << i;
	}
	workload_report(w, "arena", (int64_t)(uintptr_t)kind_workers[0].arena);
	workload_report(w, "there", there);
	workload_report(w, "refused", refused);
	workload_report(w, "split", split);
	workload_report(w, "reads", reads);
}

/* Returns the sums over the mappings of one kind, from smaps, encoded as in the tables. */
static int64_t kind_after(const struct trial *t, const struct snapshot *s, uint64_t start)
{
	int64_t page = t->host->page_size, mapped = 0, rss = 0, anon = 0, locked = 0;
	uint64_t end = start + 2 * KIND_STRIDE * (uint64_t)page;

	for (size_t i = 0; i < s->nr_maps; i++) {
		const struct mapping *m = &s->maps[i];
		int64_t bytes = (int64_t)(m->end - m->start);

		if (m->start < start || m->end > end)
			continue;
		mapped += bytes;
		rss += mapping_smaps(m, METRIC_SMAPS_RSS) * 1024;
		anon += mapping_smaps(m, METRIC_SMAPS_ANONYMOUS) * 1024;
		locked += mapping_has_flag(m, "lo") ? bytes : 0;
	}
	return (1000 * mapped + 100 * rss + 10 * anon + locked) / page;
}

/*
 * Returns true if no file page is resident, only private copies. A split of a file's folio unmaps
 * all its pages (unmap_folio()), and a later access maps those that remain in the file. If the
 * split fails, those pages stay mapped.
 */
static bool kind_was_split(int64_t seen, int64_t after)
{
	int64_t resident = after / 100 % 10, anonymous = after / 10 % 10;

	return seen == after - 100 * (resident - anonymous);
}

/*
 * Returns the table's value for a kind. If the kernel forbids the zero page, memory that was only
 * read has pages of its own, as if it had been written.
 */
static int kind_expected(const struct trial *t, const struct kind_row *row, unsigned kind,
			 bool is_read)
{
	enum { ANON, ANON_READ, ANON_UNTOUCHED };

	is_read = kind == ANON_READ || (kind == ANON_UNTOUCHED && is_read);
	return row->after[t->host->reads_own_pages && is_read ? ANON : kind];
}

static void kinds_judge(const struct trial *t, struct judgement *j, const struct kind_row *rows)
{
	for (unsigned n = 0; t->c->steps[n].name; n++) {
		unsigned at = STEP_NUMBERED + n;
		const struct kind_row *row = &rows[t->c->steps[n].argument];
		const struct snapshot *s = trial_snapshot(t, at, 0);
		int64_t there, refused, split, reads;

		if (!s)
			continue;
		there = trial_reported(t, at, "there");
		refused = trial_reported(t, at, "refused");
		split = trial_reported(t, at, "split");
		reads = trial_reported(t, at, "reads");
		for (unsigned i = 0; i < KINDS; i++) {
			uint64_t start = (uint64_t)trial_reported(t, at, "arena") +
					 2 * i * KIND_STRIDE * (uint64_t)t->host->page_size;
			int64_t seen = kind_after(t, s, start);
			int after = kind_expected(t, row, i, reads >> i & 1);

			if (split >> i & 1 && kind_was_split(seen, after))
				continue;
			if (there >> i & 1)
				judge_equal_in(j, "", at, kinds[i], refused >> i & 1 ? -seen : seen,
					       after,
					       "one digit each for the pages mapped, resident, "
					       "anonymous and locked; below 0: refused");
		}
	}
}

#define KINDS_OF(rows)                                                      \
	static void step_kinds(struct workload *w)                          \
	{                                                                   \
		kinds_step(w, rows);                                        \
	}                                                                   \
	static void judge_kinds(const struct trial *t, struct judgement *j) \
	{                                                                   \
		kinds_judge(t, j, rows);                                    \
	}
#define KINDS_STEP(title, row) STEP(title, step_kinds, .argument = row, .flags = STEP_ANY_PAGES)

#endif
