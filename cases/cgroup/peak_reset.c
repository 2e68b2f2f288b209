// SPDX-License-Identifier: MIT
/*
 * A write to memory.peak or memory.swap.peak resets the peak that this descriptor shows. Another
 * descriptor, and one that is opened later, show the peak since the cgroup was made.
 */
#include <inttypes.h>
#include <rssck/case.h>

enum { PAGES = 1024 };
STEP_SYMBOLS(MEMORY, SWAP);

static char wrong[160];

static void write_only(struct workload *w, void *p, size_t pages)
{
	touch_write(w, p, pages);
}

static void write_and_page_out(struct workload *w, void *p, size_t pages)
{
	touch_write(w, p, pages);
	workload_page_out(w, p, pages);
	if (!workload_cgroup_empties_swap_cache(w))
		workload_skip_step(w, "an empty swap cache: swapcached of memory.stat stays");
}

/* The files of which a step resets the peak, by its argument. */
static const struct files {
	const char *peak, *current;
	void (*charge)(struct workload *w, void *p, size_t pages);
} files[] = {
	{ "memory.peak", "memory.current", write_only },
	{ "memory.swap.peak", "memory.swap.current", write_and_page_out },
};

static const struct files *of;
static int64_t reached; /* the bytes that were counted after the last charge */

/*
 * Charges pages, notes the number that the cgroup then has, and gives the pages back. The kernel
 * uncharges some of them a little later.
 */
static void charge(struct workload *w, size_t pages)
{
	struct patience patience = { .seconds = 5 };
	void *p = workload_anonymous(w, pages);
	int64_t most;

	of->charge(w, p, pages);
	reached = workload_cgroup_number(w, of->current, NULL);
	workload_unmap(w, p, pages * w->page_size);
	most = reached - (int64_t)(pages / 2 * w->page_size);
	while (workload_cgroup_number(w, of->current, NULL) > most && workload_pause(&patience))
		;
}

static int64_t read_peak(int fd)
{
	char text[32] = "";

	return pread(fd, text, sizeof(text) - 1, 0) > 0 ? strtoll(text, NULL, 10) : -1;
}

/* Returns the peak that a descriptor opened now shows. */
static int64_t fresh_peak(struct workload *w)
{
	return workload_cgroup_number(w, of->peak, NULL);
}

static bool reset(int fd)
{
	return pwrite(fd, "reset", 5, 0) == 5;
}

static void must(bool holds, const char *rule, int64_t seen, int64_t other)
{
	if (!holds && !*wrong)
		snprintf(wrong, sizeof(wrong), "%s: %s (%" PRId64 " and %" PRId64 " bytes)",
			 of->peak, rule, seen, other);
}

static void must_equal(int64_t seen, int64_t expected, const char *rule)
{
	must(seen == expected, rule, seen, expected);
}

/* What was given back is much more than half of the pages. */
static void must_be_below(const struct workload *w, int64_t seen, int64_t peak, size_t pages,
			  const char *rule)
{
	must(seen >= 0 && seen <= peak - (int64_t)(pages / 2 * w->page_size), rule, seen, peak);
}

static void only_one_reset(struct workload *w, int a, int b)
{
	int64_t peak = read_peak(a), low, later;

	must(peak >= reached, "the peak is at least what was charged", peak, reached);
	must_equal(read_peak(b), peak, "two descriptors show the same peak");
	must_equal(fresh_peak(w), peak, "a new descriptor shows the same peak");
	if (!reset(a))
		return;
	low = read_peak(a);
	must_be_below(w, low, peak, PAGES, "a reset lowers the peak of its descriptor");
	must_equal(read_peak(b), peak, "the other descriptor keeps its peak");
	must_equal(fresh_peak(w), peak, "a new descriptor shows the peak before the reset");
	charge(w, PAGES / 2);
	later = read_peak(a);
	must(later >= reached, "after a reset the peak rises again", later, reached);
	must_be_below(w, low, later, PAGES / 2, "after a reset the peak rises by the charge");
	must_be_below(w, later, peak, PAGES / 2, "the peak after a reset is that of later charges");
	must_equal(read_peak(b), peak, "the other descriptor keeps its peak after a charge");
	must_equal(fresh_peak(w), peak, "a new descriptor shows the peak after a charge");
}

/* Returns whether the reset of b keeps the peak of a, which was reset before. */
static bool both_reset(struct workload *w, int a, int b)
{
	int64_t before = read_peak(a), peak = fresh_peak(w), kept;

	must(reset(b), "the second descriptor can be reset", 0, 0);
	kept = read_peak(a);
	must(kept >= 0 && kept <= before, "no reset raises a peak", kept, before);
	must_be_below(w, read_peak(b), before, PAGES / 2,
		      "a second reset lowers the peak of its descriptor");
	must_equal(fresh_peak(w), peak, "a new descriptor shows the peak before both resets");
	charge(w, 2 * (size_t)PAGES);
	peak = fresh_peak(w);
	must(peak >= reached, "the peak is at least what was charged last", peak, reached);
	must_equal(read_peak(a), peak, "the first descriptor shows the new peak");
	must_equal(read_peak(b), peak, "the second descriptor shows the new peak");
	return kept == before;
}

static void try_resets(struct workload *w)
{
	char path[WORKLOAD_CGROUP_PATH];
	int a, b, error = 0;
	bool kept = false;

	of = &files[w->argument];
	workload_cgroup_enter(w);
	wrong[0] = '\0';
	workload_cgroup_path(w, of->peak, path);
	a = open(path, O_RDWR | O_CLOEXEC);
	b = open(path, O_RDWR | O_CLOEXEC);
	if (a < 0 || b < 0 || !reset(a) || !reset(b)) {
		error = errno;
	} else {
		close(a);
		close(b);
		a = open(path, O_RDWR | O_CLOEXEC);
		b = open(path, O_RDWR | O_CLOEXEC);
		charge(w, PAGES);
		only_one_reset(w, a, b);
		kept = both_reset(w, a, b);
	}
	close(a);
	close(b);
	workload_cgroup_leave(w);
	if (error)
		workload_skip_step(w, "a %s that can be reset (Linux 6.12): %s", of->peak,
				   strerror(error));
	if (*wrong)
		workload_fail(w, "%s", wrong);
	workload_report(w, "kept", kept);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t kept = trial_reported(t, MEMORY, "kept");

	if (kept >= 0)
		judge_yes_no(j, "peak.survives_the_reset_of_another", kept);
}

CASE(cgroup_peak_reset) {
	.claim =
		"A write to memory.peak or memory.swap.peak resets the peak for reads through the same descriptor only; other descriptors show the peak since the cgroup was made, and each later peak is at least what was charged",
	.because = "peak_write() stores the usage in the descriptor and in local_watermark; "
		   "watermark, which other descriptors show, only rises. It does not store "
		   "local_watermark in descriptors that were reset before, so these lose their "
		   "peak.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.peak, "
			   "memory.swap.peak"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(MEMORY, "memory.peak", try_resets, .argument = 0, .checks = 1),
		       STEP_AS(SWAP, "memory.swap.peak", try_resets, .argument = 1, .checks = 1)),
	.facts = FACTS(FACT(
		"peak.survives_the_reset_of_another",
		"Does a descriptor that was reset keep its later peak when another descriptor is reset?",
		"yes|no")),
	.judge = judge,
};
