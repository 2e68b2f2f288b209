// SPDX-License-Identifier: MIT
/* The memory charged to a program's cgroup, compared with the pages that its processes map. */
#include "audit/audit.h"
#include "audit/report.h"
#include "snapshot/snapshot.h"
#include "tests/support/child.h"
#include "tests/support/files.h"
#include "tests/support/host.h"
#include <rssck/pages.h>
#include <rssck/source.h>
#include <sys/stat.h>

enum { PAGES = 512, STAYS_MS = 300 };

static struct host host;
static const struct measured unmeasured;

static pid_t make(void)
{
	size_t bytes = PAGES * (size_t)host.page_size;
	int ready[2];
	pid_t pid = child_begin(ready);

	if (pid == 0) {
		memset(map_private(bytes), 1, bytes);
		child_stands(ready);
	}
	child_await(ready);
	return pid;
}

/* Finds the cgroup to which the process's PAGES anonymous pages are charged. */
static bool open_charged(struct group *g, const struct snapshot *s)
{
	g->charged_to = open("/proc/kpagecgroup", O_RDONLY | O_CLOEXEC);
	for (size_t i = 0; g->charged_to >= 0 && !g->inode && i < s->nr_pages; i++) {
		struct charged c;

		if (kpage_word(g->charged_to, s->pages[i].pfn, &g->inode))
			return false;
		if (g->inode && charged_count(&host, g, (struct snapshot *[]) { (void *)s }, 1, &c))
			return false;
		if (g->inode && c.anon < PAGES)
			g->inode = 0;
	}
	return g->inode != 0;
}

static void take(struct snapshot *s, pid_t pid)
{
	assert_int_equal(snapshot_take(s, pid, &host), 0);
	assert_int_equal(pages_collect(s, &host), 0);
}

TEST(frames_are_counted_by_the_cgroup_that_is_charged)
{
	struct group ours = { .charged_to = -1 }, nobody = { .inode = 1 };
	struct snapshot s, *both[] = { &s, &s };
	struct charged once, twice, none;
	bool seen;
	pid_t pid;

	if (!host.sees_pfns || host.kpagecount < 0)
		skip();
	pid = make();
	take(&s, pid);
	seen = open_charged(&ours, &s);
	nobody.charged_to = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (seen) {
		assert_int_equal(charged_count(&host, &ours, both, 1, &once), 0);
		assert_int_equal(charged_count(&host, &ours, both, 2, &twice), 0);
	}
	assert_int_equal(charged_count(&host, &nobody, both, 1, &none), 0);
	close(nobody.charged_to);
	child_end(pid);
	snapshot_free(&s);
	assert_true(none.nobodys >= PAGES);
	assert_int_equal(none.all, 0);
	if (!seen)
		skip();
	close(ours.charged_to);
	assert_true(once.anon >= PAGES);
	assert_int_equal(once.all, once.anon + once.file);
	assert_int_equal(once.nobodys, 0);
	assert_int_equal(twice.all, once.all);
}

static void expect(const struct charged *c, const struct paid_sums *s, struct paid_entry *b)
{
	for (int i = 0; i < PAID_COUNT; i++)
		b[i].have = true;
	paid_expect(c, s, 4, b);
}

static void says(struct paid_entry *b, enum paid_number n, int64_t pages, int64_t off)
{
	b[n].low = b[n].high = pages;
	assert_int_equal(paid_off(&b[n]), off);
}

TEST(each_number_has_a_lower_and_an_upper_bound)
{
	const struct charged c = { .all = 5000, .anon = 3000, .file = 2000, .shmem = 1500 };
	const struct paid_sums s = {
		.huge = 1024, .huge_most = 512, .tables = 30, .swap = 70, .threads = 11
	};
	struct paid_entry b[PAID_COUNT];

	expect(&c, &s, b);
	b[PAID_SWAP].most = 100;
	says(b, PAID_CURRENT, 4999, -1);
	says(b, PAID_CURRENT, 9000, 0);
	says(b, PAID_ANON, 2990, -10);
	says(b, PAID_ANON, 3010, 10);
	says(b, PAID_FILE_MAPPED, 1999, -1);
	says(b, PAID_SHMEM, 1400, -100);
	says(b, PAID_ANON_THP, 511, -1);
	says(b, PAID_ANON_THP, 512, 0);
	says(b, PAID_ANON_THP, 1025, 1);
	says(b, PAID_KERNEL_STACK, 39, -1);
	says(b, PAID_KERNEL_STACK, 44, 0);
	says(b, PAID_PAGETABLES, 29, -1);
	says(b, PAID_SWAP, 69, -1);
	says(b, PAID_SWAP, 101, 1);
	says(b, PAID_NOBODYS, 1, 1);
}

/* With CONFIG_NO_PAGE_MAPCOUNT a partially mapped folio counts as a whole. */
TEST(partially_mapped_large_folios_have_no_upper_bound)
{
	const struct charged c = { .all = 100, .anon = 100, .parts = true };
	const struct paid_sums s = { .huge = 0 };
	struct paid_entry b[PAID_COUNT];

	expect(&c, &s, b);
	says(b, PAID_ANON, 99, -1);
	says(b, PAID_ANON, 500, 0);
}

/* CPUs hold back counts of memory.stat. */
TEST(only_memory_stat_may_lag)
{
	const struct charged c = { .all = 0 };
	const struct paid_sums s = { .huge = 0 };
	struct paid_entry b[PAID_COUNT];
	int64_t cpus = sysconf(_SC_NPROCESSORS_ONLN);

	expect(&c, &s, b);
	assert_true(b[PAID_ANON].bound >= 3 * 64 * cpus);
	assert_int_equal(b[PAID_ANON].bound, b[PAID_PAGETABLES].bound);
	assert_int_equal(b[PAID_CURRENT].bound, 0);
	assert_int_equal(b[PAID_SWAP].bound, 0);
	assert_int_equal(b[PAID_NOBODYS].bound, 0);
}

/* Writes what the cgroup's memory.stat says. */
static void put_anon(int64_t pages)
{
	char text[128];

	snprintf(text, sizeof(text), "file 77\nanon %lld\nanon_other 5\n",
		 (long long)pages * host.page_size);
	folder_put("memory.stat", text);
}

/* Returns an auditor of a cgroup whose files say that it has `anon` anonymous pages. */
static struct auditor audited(struct group *g, int64_t anon)
{
	struct auditor a;

	snprintf(g->path, sizeof(g->path), "%s", in_folder("."));
	auditor_open(&a, &host, &unmeasured, 4711);
	a.group = g;
	put_anon(anon);
	folder_put("cgroup.stat", "nr_descendants 0\n");
	return a;
}

static enum verdict judge_once(struct group *g, struct snapshot *s, int64_t anon)
{
	struct auditor a = audited(g, anon);
	struct point p = { .at_ms = 0 };
	enum verdict verdict;
	OWNED(results_free) struct results r;

	a.stays_ms = STAYS_MS;
	paid_judge(&a, &p, &s, 1);
	paid_judge_end(&a);
	audit_results(&a, &r);
	verdict = r.of[CHECK_CGROUP].verdict;
	assert_true(a.numbers[CHECK_CGROUP] >= 2);
	assert_int_equal(a.unseen[UNSEEN_CGROUP], 0);
	if (a.nr_findings)
		assert_string_equal(a.findings[0].d.metric, "memory.stat anon");
	auditor_close(&a);
	return verdict;
}

/* Another process corrects the number while the audit waits. */
static enum verdict judge_late(struct group *g, struct snapshot *s, int64_t wrong, int64_t right)
{
	enum verdict verdict;
	pid_t pid = fork();

	if (pid == 0) {
		usleep(STAYS_MS * 1000 / 2);
		put_anon(right);
		_exit(0);
	}
	verdict = judge_once(g, s, wrong);
	waitpid(pid, NULL, 0);
	return verdict;
}

TEST(a_lasting_error_is_found_in_one_audit_and_a_late_update_is_not)
{
	struct group g = { .asked = true, .charged_to = -1 };
	enum verdict right, below, above, late;
	struct charged c;
	struct snapshot s, *one = &s;
	int64_t bound = 64 * (sysconf(_SC_NPROCESSORS_CONF) + 2 * sysconf(_SC_NPROCESSORS_ONLN));
	pid_t pid;

	if (!host.sees_pfns || host.kpagecount < 0)
		skip();
	pid = make();
	take(&s, pid);
	if (!open_charged(&g, &s)) {
		child_end(pid);
		snapshot_free(&s);
		skip();
	}
	assert_int_equal(charged_count(&host, &g, &one, 1, &c), 0);
	right = judge_once(&g, &s, c.anon + bound);
	below = judge_once(&g, &s, c.anon - bound - 1 > 0 ? c.anon - bound - 1 : 0);
	above = judge_once(&g, &s, c.anon + (1 << 24));
	late = judge_late(&g, &s, c.anon + (1 << 24), c.anon);
	child_end(pid);
	close(g.charged_to);
	snapshot_free(&s);
	assert_int_equal(right, VERDICT_PASS);
	assert_int_equal(below, c.anon > bound ? VERDICT_FAIL : VERDICT_PASS);
	assert_int_equal(above, VERDICT_FAIL);
	assert_int_equal(late, VERDICT_PASS);
}

TEST(an_unconfirmed_excess_is_an_error)
{
	struct group g = { .asked = true, .charged_to = -1 };
	struct auditor a = audited(&g, 0);
	OWNED(results_free) struct results r;

	a.numbers[CHECK_CGROUP] = 7;
	a.paid[PAID_PAGETABLES] = (struct paid) { .seen = true, .off = -2068, .bound = 384 };
	a.paid[PAID_PAGETABLES].times[0] = 1;
	paid_judge_end(&a);
	audit_results(&a, &r);
	assert_int_equal(r.of[CHECK_CGROUP].verdict, VERDICT_ERROR);
	assert_says(r.of[CHECK_CGROUP].reason, paid_name(PAID_PAGETABLES));
	assert_int_equal(r.count[VERDICT_ERROR], 1);
	auditor_close(&a);
}

TEST(a_program_that_makes_cgroups_is_not_judged)
{
	struct group g = { .asked = true, .charged_to = -1 };
	struct auditor a = audited(&g, 0);
	struct point p = { .at_ms = 0 };

	folder_put("cgroup.stat", "nr_descendants 1\n");
	paid_judge(&a, &p, NULL, 0);
	assert_int_equal(a.numbers[CHECK_CGROUP], 0);
	assert_int_equal(a.unseen[UNSEEN_CGROUP], 1);
	auditor_close(&a);
}

TEST(a_cgroup_is_made_and_removed_or_the_reason_is_given)
{
	struct group g;

	group_find(&g);
	group_make(&g);
	if (!g.path[0]) {
		assert_true(g.why[0]);
		return;
	}
	assert_true(group_is_empty(&g));
	assert_true(group_has_none_below(&g));
	assert_false(group_has(&g, getpid()));
	group_remove(&g);
	close(g.charged_to);
	assert_int_not_equal(access(g.path, F_OK), 0);
}

TEST(a_process_in_a_removed_cgroup_returns_to_the_previous_cgroup)
{
	struct group g;
	bool was_in;
	pid_t pid;

	group_find(&g);
	if (!g.path[0] || mkdir(g.path, 0755))
		skip();
	pid = make();
	group_enter(&g, pid);
	was_in = g.path[0] && group_has(&g, pid);
	group_remove(&g);
	assert_int_equal(kill(pid, 0), 0);
	assert_false(group_has(&g, pid));
	child_end(pid);
	if (!was_in)
		skip();
	assert_int_not_equal(access(g.path, F_OK), 0);
}

FIXTURE(setup)
{
	host = host_here();
	return 0;
}

FIXTURE(teardown)
{
	host_close(&host);
	return 0;
}

TESTS_SHARE(setup, teardown);
