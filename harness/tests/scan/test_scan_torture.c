// SPDX-License-Identifier: MIT
/*
 * Processes that do not stand still are read at full speed. Numbers called exact must be a state of
 * the process. RSSCK_TORTURE_SECONDS makes the test longer.
 */
#include "base/clock.h"
#include "scan/audit/measure.h"
#include "scan/census/census.h"
#include "tests/support/child.h"
#include <stdatomic.h>
#include <time.h>

enum { PAGES = 3000, NR = 4 };

static size_t page;

FIXTURE(know_page_size)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	return 0;
}

TESTS_SHARE(know_page_size, NULL);

/*
 * What a process reports. `progress` contains the number of the round, and of the pages touched in
 * it.
 */
struct board {
	atomic_bool ready, go;
	_Atomic uint64_t progress;
};

enum { TIMES_BITS = 20 };

static int64_t end_ms(void)
{
	const char *seconds = getenv("RSSCK_TORTURE_SECONDS");

	return now_ms() + (int64_t)(seconds ? strtod(seconds, NULL) * 1000 : 1000);
}

static void pause_some(unsigned *random)
{
	struct timespec t = { .tv_nsec = 0 };

	*random = *random * 1103515245 + 12345;
	t.tv_nsec = (*random >> 8) % 3 ? 0 : (*random >> 12) % 4000 * 1000;
	if (t.tv_nsec)
		nanosleep(&t, NULL);
}

static void toggle(struct board *b, unsigned *random)
{
	char *p = map_private(PAGES * page);

	madvise(p, PAGES * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++) {
		p[i * page] = 1;
		atomic_fetch_add(&b->progress, 1);
	}
	pause_some(random);
	/*
	 * Progress shows the next round before munmap(2), because nobody outside sees how far
	 * munmap(2) has come.
	 */
	atomic_store(&b->progress, ((atomic_load(&b->progress) >> TIMES_BITS) + 1) << TIMES_BITS);
	munmap(p, PAGES * page);
	pause_some(random);
}

static pid_t start(struct board *b, void (*act)(struct board *b, unsigned *random))
{
	pid_t pid = fork();
	unsigned random = 1;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; i < 20; i++)
		act(b, &random);
	atomic_store(&b->ready, true);
	while (!atomic_load(&b->go))
		pause_some(&random);
	for (;;)
		act(b, &random);
}

/*
 * Under valgrind the target's resident pages include valgrind's own, which the target does not
 * count.
 */
static void skip_under_valgrind(pid_t target)
{
	if (!getenv("VALGRIND"))
		return;
	child_end(target);
	skip();
}

static bool could_be(int64_t pages, uint64_t before, uint64_t after)
{
	const int64_t mask = (1 << TIMES_BITS) - 1;

	if (before >> TIMES_BITS != after >> TIMES_BITS)
		return pages >= 0 && pages <= PAGES;
	/*
	 * At the beginning of a round, pages of the previous one may still be mapped. One page more
	 * than the progress says may already be touched.
	 */
	return (pages >= ((int64_t)before & mask) && pages <= ((int64_t)after & mask) + 1) ||
	       ((int64_t)before & mask) == 0;
}

TEST(a_total_called_exact_was_a_state_of_the_process)
{
	struct board *b = (struct board *)map_shared(sizeof(*b));
	OWNED(reader_free) struct reader r = { .stat = { .data = NULL } };
	pid_t pid = start(b, toggle);
	size_t moving = 0, checked = 0, standing = 0;
	struct measured m;
	struct reading p;
	struct audit a;
	int64_t base;

	skip_under_valgrind(pid);
	measure(&m);
	while (!atomic_load(&b->ready))
		usleep(1000);
	process_read(&p, pid, &r);
	assert_false(p.moved);
	base = p.tables.of[METRIC_ROLLUP_RSS];
	atomic_store(&b->go, true);
	for (int64_t end = end_ms(); now_ms() < end;) {
		uint64_t before = atomic_load(&b->progress), after;
		int64_t pages;

		audit_process(&a, &p, pid, &r, &m, (long)page);
		after = atomic_load(&b->progress);
		assert_int_equal(p.sight, SIGHT_SEEN);
		moving += p.moved;
		standing += !p.moved;
		if (p.moved)
			continue;
		/* A mixture of two states would not agree with the counters, either. */
		if (a.verdict == AUDIT_OFF)
			fail_msg("%s", a.sentence);
		pages = (p.tables.of[METRIC_ROLLUP_RSS] - base) / (int64_t)(page / 1024);
		checked += before >> TIMES_BITS == after >> TIMES_BITS;
		if (!could_be(pages, before, after))
			fail_msg("%lld pages are called exact; %llu to %llu were touched",
				 (long long)pages, (unsigned long long)before,
				 (unsigned long long)after);
	}
	print_message("%zu readings moving, %zu standing still, %zu of them known from inside\n",
		      moving, standing, checked);
	assert_true(checked > 0);
	child_end(pid);
	munmap(b, sizeof(*b));
}

/*
 * PAGES pages are always resident, and sometimes one more. They move from one half of a mapping to
 * the other, so a concurrent walk counts some pages twice or not at all.
 */
static void wander(struct board *b, unsigned *random)
{
	static char *halves;
	static bool right;

	(void)random;
	if (!halves) {
		halves = map_private(2 * PAGES * page);
		madvise(halves, 2 * PAGES * page, MADV_NOHUGEPAGE);
		memset(halves, 1, PAGES * page);
	}
	for (size_t i = 0; i < PAGES; i++) {
		char *from = halves + (right ? PAGES + i : i) * page;
		char *to = halves + (right ? PAGES - 1 - i : 2 * PAGES - 1 - i) * page;

		*to = 1;
		madvise(from, page, MADV_DONTNEED);
	}
	right = !right;
	atomic_fetch_add(&b->progress, 1);
}

TEST(a_walk_of_changing_pages_is_never_called_exact)
{
	struct board *b = (struct board *)map_shared(sizeof(*b));
	OWNED(reader_free) struct reader r = { .stat = { .data = NULL } };
	pid_t pid = start(b, wander);
	size_t moving = 0, standing = 0;
	struct reading p;
	int64_t base;

	skip_under_valgrind(pid);
	while (!atomic_load(&b->ready))
		usleep(1000);
	process_read(&p, pid, &r);
	base = p.tables.of[METRIC_ROLLUP_RSS] / (int64_t)(page / 1024);
	atomic_store(&b->go, true);
	for (int64_t end = end_ms(); now_ms() < end;) {
		int64_t pages;

		process_read(&p, pid, &r);
		pages = p.tables.of[METRIC_ROLLUP_RSS] / (int64_t)(page / 1024);
		moving += p.moved;
		standing += !p.moved;
		if (!p.moved && (pages < base || pages > base + 1))
			fail_msg("%lld pages are called exact, but there are %lld",
				 (long long)pages, (long long)base);
	}
	print_message("%zu readings moving, %zu standing still\n", moving, standing);
	child_end(pid);
	munmap(b, sizeof(*b));
}

static void breed(struct board *b, unsigned *random)
{
	pid_t pid = fork();

	if (pid == 0) {
		toggle(b, random);
		_exit(0);
	}
	toggle(b, random);
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

TEST(a_census_of_processes_that_fork_and_end)
{
	const struct census_wanted w = { .by = BY_PROGRAM };
	struct board *b = (struct board *)map_shared(sizeof(*b));
	size_t rounds = 0, gone = 0;
	pid_t pids[NR];

	atomic_store(&b->go, true);
	for (int i = 0; i < NR; i++)
		pids[i] = start(b, breed);
	for (int64_t end = end_ms(); now_ms() < end; rounds++) {
		OWNED(census_free) struct census c;
		char why[200];
		int64_t pss = 0;

		assert_int_equal(census_take(&c, &w, why, sizeof(why)), 0);
		for (size_t i = 0; i < c.nr_rows; i++)
			pss += c.rows[i].pss;
		assert_int_equal(pss, c.sum.pss);
		assert_int_equal(c.nr_members, c.sights[SIGHT_SEEN]);
		assert_int_equal(c.sights[SIGHT_UNREADABLE], 0);
		gone += c.sights[SIGHT_GONE] + c.sights[SIGHT_ZOMBIE];
	}
	print_message("%zu rounds, %zu ended meanwhile\n", rounds, gone);
	for (int i = 0; i < NR; i++)
		child_end(pids[i]);
	munmap(b, sizeof(*b));
}
