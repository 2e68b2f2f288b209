// SPDX-License-Identifier: MIT
/*
 * THPeligible of anonymous memory follows `enabled`, the setting of each size, the advice, and
 * whether the mapping has room, and so does the folio of the first write.
 */
#include "setting.h"
#include <glob.h>
#include <rssck/case.h>
#include <string.h>

#define FOLDER "/sys/kernel/mm/transparent_hugepage/"

enum { TEXT = 200, SIZES_MOST = 16 };
STEP_SYMBOLS(EACH_SETTING);

enum value { ALWAYS, MADVISE, NEVER, INHERIT, VALUES };

static const char *const values[VALUES] = { "always", "madvise", "never", "inherit" };

enum advice { NOT_ADVISED, ADVISED, REFUSED, ADVICES };

static const struct {
	const char *text;
	int advice;
} advices[ADVICES] = {
	{ "no advice", MADV_NORMAL },
	{ "MADV_HUGEPAGE", MADV_HUGEPAGE },
	{ "MADV_NOHUGEPAGE", MADV_NOHUGEPAGE },
};

/*
 * Kernels before 6.8 have the PMD's size only, and no setting of sizes: path[0] is empty, and the
 * general setting decides.
 */
struct size {
	char path[96], was[THP_VALUE];
	size_t bytes;
};

static struct {
	struct size of[SIZES_MOST];
	size_t nr;
	char was[THP_VALUE];
} sizes;

static bool find_sizes(const struct workload *w)
{
	glob_t files = { .gl_pathc = 0 };

	sizes.nr = 0;
	if (!thp_value(FOLDER "enabled", sizes.was))
		return false;
	glob(FOLDER "hugepages-*kB/enabled", 0, NULL, &files);
	for (size_t i = 0; i < files.gl_pathc && i < SIZES_MOST; i++) {
		struct size *s = &sizes.of[sizes.nr];
		size_t kb = strtoul(files.gl_pathv[i] + strlen(FOLDER "hugepages-"), NULL, 10);

		s->bytes = kb * 1024;
		snprintf(s->path, sizeof(s->path), "%s", files.gl_pathv[i]);
		sizes.nr += thp_value(s->path, s->was);
	}
	globfree(&files);
	if (!sizes.nr)
		sizes.of[sizes.nr++] = (struct size) { .bytes = w->huge_page_size };
	return true;
}

static void set_sizes(const char *value)
{
	for (size_t i = 0; i < sizes.nr; i++)
		if (sizes.of[i].path[0])
			workload_try_to_set(sizes.of[i].path, value ?: sizes.of[i].was);
}

static void restore(void)
{
	set_sizes(NULL);
	workload_try_to_set(FOLDER "enabled", sizes.was);
}

/* ---- one combination ---- */

struct combination {
	const struct size *size;
	enum value general, of_size;
	enum advice advice;
	bool room;
};

static bool is_eligible(const struct combination *c)
{
	enum value v = c->size->path[0] && c->of_size != INHERIT ? c->of_size : c->general;

	if (!c->room || c->advice == REFUSED)
		return false;
	return v == ALWAYS || (v == MADVISE && c->advice == ADVISED);
}

static void say(const struct combination *c, const char *what, int64_t seen, int64_t must,
		char wrong[TEXT])
{
	snprintf(wrong, TEXT, "enabled %s, hugepages-%zukB %s, %s, %s: %s is %lld, must be %lld",
		 values[c->general], c->size->bytes / 1024, values[c->of_size],
		 advices[c->advice].text, c->room ? "room for one" : "a page too small", what,
		 (long long)seen, (long long)must);
}

/* Counts in w->number[0] the folios of this size. The kernel may have no room for one. */
static void try_one(struct workload *w, const struct combination *c, char wrong[TEXT])
{
	size_t bytes = c->size->bytes - (c->room ? 0 : w->page_size);
	char *p = workload_try_aligned_map(bytes, c->size->bytes, -1);
	int64_t eligible, rss, pages = (int64_t)(c->size->bytes / w->page_size);

	if (!p)
		return;
	if (c->advice != NOT_ADVISED)
		workload_advise(w, p, bytes, advices[c->advice].advice);
	eligible = workload_smaps_field(w, p, "THPeligible");
	touch_write(w, p, 1);
	rss = workload_smaps_field(w, p, "Rss") * 1024 / (int64_t)w->page_size;
	munmap(p, bytes);
	if (eligible >= 0 && eligible != is_eligible(c))
		say(c, "THPeligible", eligible, is_eligible(c), wrong);
	else if (rss != 1 && !is_eligible(c))
		say(c, "Rss in pages", rss, 1, wrong);
	else if (rss != 1 && rss != pages)
		say(c, "Rss in pages", rss, pages, wrong);
	w->number[0] += rss == pages;
}

static void try_each(struct workload *w, struct combination *c, char wrong[TEXT])
{
	for (c->advice = 0; c->advice < ADVICES && !wrong[0]; c->advice++) {
		c->room = false;
		try_one(w, c, wrong);
		c->room = true;
		if (!wrong[0])
			try_one(w, c, wrong);
	}
}

/* All other sizes are set to "never". */
static void try_size(struct workload *w, const struct size *size, char wrong[TEXT])
{
	enum value last = size->path[0] ? VALUES : ALWAYS + 1;
	struct combination c = { .size = size };

	set_sizes("never");
	for (c.general = ALWAYS; c.general <= NEVER && !wrong[0]; c.general++) {
		workload_try_to_set(FOLDER "enabled", values[c.general]);
		for (c.of_size = ALWAYS; c.of_size < last && !wrong[0]; c.of_size++) {
			if (size->path[0])
				workload_try_to_set(size->path, values[c.of_size]);
			try_each(w, &c, wrong);
		}
	}
}

static void each_setting(struct workload *w)
{
	struct workload_guard g;
	char wrong[TEXT] = "";

	if (!find_sizes(w))
		workload_skip(w, FOLDER "enabled");
	g = workload_guard_begin(w, restore);
	for (size_t i = 0; i < sizes.nr && !wrong[0]; i++)
		try_size(w, &sizes.of[i], wrong);
	workload_guard_end(w, &g);
	if (wrong[0])
		workload_fail(w, "%s", wrong);
	if (!w->number[0])
		workload_skip(w, "a free huge page");
	workload_checked(w);
}

CASE(thp_eligible) {
	.claim =
		"THPeligible of anonymous memory is 1 if a size that is enabled has room in the mapping: the size's setting is always, or madvise and the memory is advised, or inherit and the general setting is one of these. The first write then makes a folio of this size; otherwise it makes a page",
	.because =
		"smaps and the page fault both call thp_vma_allowable_orders() (before 6.8 transparent_hugepage_active() and hugepage_vma_check(), for the PMD's size only).",
	.said_by = SAID_BY("proc_pid_smaps(5), THPeligible",
			   "Documentation/admin-guide/mm/transhuge.rst, enabled"),
	.needs = NEEDS("root", "thp", "guest"),
	.flags = CASE_THP,
	.limit_s = 60,
	.steps = STEPS(STEP_AS(EACH_SETTING, "each setting of each size", each_setting,
			       .checks = 1)),
};
