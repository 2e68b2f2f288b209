// SPDX-License-Identifier: MIT
/* smaps, smaps_rollup, pagemap and PAGEMAP_SCAN agree on 1000 mappings of ten kinds. */
#include <rssck/case.h>

/* An unused page after each mapping separates it from the next. */
enum { MAPPINGS = 1000, PAGES = 3, STRIDE = PAGES + 1 };
STEP_SYMBOLS(MAP_1000_OF_TEN_KINDS);

#define RW        (PROT_READ | PROT_WRITE)
#define ANONYMOUS (MAP_PRIVATE | MAP_ANONYMOUS)

enum content { UNTOUCHED, READ, WRITTEN, WRITTEN_ONE };

static const struct kind {
	int prot, flags;
	enum content content;
	enum account space, pages;
	unsigned attributes;
} kinds[] = {
	{ RW, ANONYMOUS, UNTOUCHED, ACCOUNT_PRIVATE_WRITABLE, ACCOUNT_ANON, 0 },
	{ RW, ANONYMOUS, WRITTEN, ACCOUNT_PRIVATE_WRITABLE, ACCOUNT_ANON, PAGE_DIRTY },
	{ RW, ANONYMOUS, WRITTEN_ONE, ACCOUNT_PRIVATE_WRITABLE, ACCOUNT_ANON, PAGE_DIRTY },
	{ RW, ANONYMOUS, READ, ACCOUNT_PRIVATE_WRITABLE, ACCOUNT_ZERO, PAGE_ONLY_READ },
	{ PROT_READ, ANONYMOUS, READ, ACCOUNT_OTHER, ACCOUNT_ZERO,
	  PAGE_ONLY_READ | PAGE_UNWRITABLE },
	{ RW, MAP_SHARED | MAP_ANONYMOUS, WRITTEN, ACCOUNT_OTHER, ACCOUNT_SHMEM, PAGE_DIRTY },
	{ RW, MAP_SHARED | MAP_ANONYMOUS, WRITTEN_ONE, ACCOUNT_OTHER, ACCOUNT_SHMEM, PAGE_DIRTY },
	{ PROT_READ, MAP_PRIVATE, READ, ACCOUNT_OTHER, ACCOUNT_FILE, 0 },
	{ RW, MAP_PRIVATE, WRITTEN, ACCOUNT_PRIVATE_WRITABLE, ACCOUNT_ANON, PAGE_DIRTY },
	{ PROT_NONE, ANONYMOUS, UNTOUCHED, ACCOUNT_OTHER, ACCOUNT_ANON, 0 },
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static int64_t touch_kind(const struct workload *w, const struct kind *k, char *p)
{
	if (k->content == READ)
		touch_read(w, p, PAGES);
	else if (k->content == WRITTEN)
		touch_write(w, p, PAGES);
	else if (k->content == WRITTEN_ONE)
		touch_write(w, p + w->page_size, 1);
	return k->content == UNTOUCHED ? 0 : k->content == WRITTEN_ONE ? 1 : PAGES;
}

static void map_many(struct workload *w)
{
	size_t page = w->page_size, stride = STRIDE * page;
	char *region = workload_map(w, MAPPINGS * stride, PROT_NONE, ANONYMOUS | MAP_NORESERVE, -1,
				    0);
	int64_t space = MAPPINGS * STRIDE;
	/* Each file mapping has its own pages of the file. */
	int fd = workload_file(w, MAPPINGS * PAGES);

	for (int i = 0; i < MAPPINGS; i++) {
		const struct kind *k = &kinds[i % KINDS];
		bool file = !(k->flags & MAP_ANONYMOUS);
		char *p = mmap(region + i * stride, PAGES * page, k->prot, k->flags | MAP_FIXED,
			       file ? fd : -1, file ? (off_t)(i * PAGES * page) : 0);

		if (p == MAP_FAILED)
			workload_die(w, "mapping %d: %m", i);
		w->number[i % KINDS] += touch_kind(w, k, p);
	}
	for (unsigned i = 0; i < KINDS; i++) {
		const struct kind *k = &kinds[i];
		int64_t of_kind = (MAPPINGS - (int64_t)i + KINDS - 1) / KINDS * PAGES;

		workload_expect(w, POSTING(k->space, 0, of_kind),
				POSTING(k->pages, k->attributes, w->number[i]));
		space -= of_kind;
	}
	workload_expect(w, VIRT_OTHER(space));
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *s = trial_snapshot(t, MAP_1000_OF_TEN_KINDS, 0);

	/* PROT_NONE mappings merge with the unused pages next to them, so they are not counted. */
	judge_true(j, MAP_1000_OF_TEN_KINDS, s && s->nr_maps >= 2 * MAPPINGS * (KINDS - 1) / KINDS,
		   "smaps lists the mappings that the step made");
}

CASE(scanners_agree) {
	.claim =
		"smaps, pagemap and PAGEMAP_SCAN report the same numbers for each of 1000 mappings of ten kinds, and smaps_rollup reports the sums",
	.because = "smaps, smaps_rollup, pagemap and PAGEMAP_SCAN walk the same page tables. They "
		   "differ in which entries they count as a page (metrics.def lists the "
		   "differences).",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst", "proc_pid_smaps(5)"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(MAP_1000_OF_TEN_KINDS, "map 1000 of ten kinds", map_many)),
	.posts = POSTS(VIRT_DATA(1), VIRT_OTHER(1), ANON_WRITE(1), FILE_READ(1)),
	.judge = judge,
};
