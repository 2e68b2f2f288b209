// SPDX-License-Identifier: MIT
/* Memory of memfd_secret(2), which is not in the kernel's direct map, is counted as file pages. */
#include <rssck/case.h>

/* PAGES pages of 4 KiB fit into the kernel's default RLIMIT_MEMLOCK (64 KiB up to 5.15). */
enum { PAGES = 8, REGION = 0 };
STEP_SYMBOLS(MAP, WRITE_HALF);

/* Some kernels lock a mapping of memfd_secret(2), so the expected numbers depend on VmLck. */
static bool is_locked(const struct workload *w)
{
	return workload_status_pages(w, "VmLck") > 0;
}

static void map(struct workload *w)
{
	int fd = (int)syscall(SYS_memfd_secret, O_CLOEXEC);

	if (fd < 0)
		workload_skip(w, "memfd_secret(2): %m");
	workload_must(w, ftruncate(fd, (off_t)(PAGES * w->page_size)), "ftruncate");
	w->slot[REGION] = workload_shared(w, PAGES, fd);
	close(fd);
	if (is_locked(w))
		workload_expect(w, VIRT_LOCKED(PAGES));
}

static void write_half(struct workload *w)
{
	unsigned locked = is_locked(w) ? PAGE_LOCKED : 0;

	touch_write(w, w->slot[REGION], PAGES / 2);
	workload_expect(w, FILE_WRITE(PAGES / 2, .also = locked));
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *before = trial_snapshot(t, MAP, 0);
	const struct snapshot *after = trial_snapshot(t, WRITE_HALF, 0);
	static const struct {
		enum metric_id id;
		const char *name;
	} classes[] = { { METRIC_STATUS_RSSANON, "RssAnon" },
			{ METRIC_STATUS_RSSFILE, "RssFile" },
			{ METRIC_STATUS_RSSSHMEM, "RssShmem" } };

	judge_yes_no(j, "memfd_secret.is_locked", snapshot_value(before, METRIC_STATUS_VMLCK) > 0);
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (snapshot_value(after, classes[i].id) > snapshot_value(before, classes[i].id))
			judge_fact(j, "memfd_secret.counts_as", "%s", classes[i].name);
}

CASE(anonymous_memfd_secret) {
	.claim =
		"RssFile and SHR count the touched pages of memfd_secret(2); some kernels count the whole mapping in VmLck",
	.because =
		"Secret memory is page cache of its own file system. Its pages are not swap-backed, so mm_counter_file() counts them as file pages. Before 7.2 its mappings have VM_LOCKED and are in VmLck; 7.2 and newer stable kernels, such as 6.12.113 and 6.1.191, do not lock them.",
	.said_by = SAID_BY("memfd_secret(2)"),
	.steps = STEPS(STEP_AS(MAP, "map", map, MOVES(VIRT_OTHER(PAGES))),
		       STEP_AS(WRITE_HALF, "write half", write_half)),
	.facts = FACTS(FACT("memfd_secret.counts_as", "Pages of memfd_secret(2) are counted as",
			    "RssFile"),
		       FACT("memfd_secret.is_locked",
			    "Is memory of memfd_secret(2) counted as locked?", "yes|no")),
	.judge = judge,
};
