// SPDX-License-Identifier: MIT
/*
 * What a case leaves behind: it is proved if six runs in a row leave the same, and nothing
 * changes between them. The runs here leave segments of System V shared memory.
 */
#include "engine/left.h"
#include "tests/support/test.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mount.h>
#include <sys/shm.h>

enum { MOST = 4096, FIRST = 0, LAST = 6 };

static int segments[MOST];
static atomic_uint nr_segments;

static bool leave_one(void)
{
	unsigned i = nr_segments++ % MOST;

	segments[i] = shmget(IPC_PRIVATE, 4096, SHM_NORESERVE | 0600);
	return segments[i] >= 0;
}

static bool alone;

/*
 * In a namespace of its own nobody else makes segments. /proc/stat, where others start processes,
 * is covered.
 */
FIXTURE(be_alone)
{
	alone = alone || (!unshare(CLONE_NEWIPC | CLONE_NEWNS) &&
			  !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
			  !mount("/dev/null", "/proc/stat", NULL, MS_BIND, NULL));
	return 0;
}

FIXTURE(remove_segments)
{
	while (nr_segments)
		shmctl(segments[--nr_segments % MOST], IPC_RMID, NULL);
	return 0;
}

/*
 * Each run leaves `each` segments, but run `at` leaves `other`; -1: it proves nothing. A rise that
 * was refuted before is not asked again, so each test leaves other numbers.
 */
struct runs {
	int each;
	unsigned at;
	int other;
	unsigned nr;
};

static bool run(void *arg)
{
	struct runs *r = arg;
	int n = r->nr++ == r->at ? r->other : r->each;

	for (int i = 0; i < n; i++)
		if (!leave_one())
			skip();
	nanosleep(&(struct timespec) { .tv_nsec = 20000000 }, NULL);
	return n >= 0;
}

/* The first run is the one that was seen to leave something. */
static bool is_proved(struct runs *r, char *why, size_t size)
{
	const struct left_runs again = { "a/case", run, r };
	struct left *before = left_read(NULL), *now;
	bool proved;

	run(r);
	now = left_read(before);
	proved = left_differ(before, now) && left_is_proved(before, now, &again, why, size);
	left_free(before);
	left_free(now);
	return proved;
}

static void assert_runs(struct runs r, bool expected)
{
	char why[320] = "";

	if (expected && !alone)
		skip();
	assert_int_equal(is_proved(&r, why, sizeof(why)), expected);
	assert_int_equal(!!why[0], expected);
}

TEST(what_some_runs_leave_is_no_proof)
{
	for (unsigned at = FIRST + 1; at <= LAST; at += LAST - 1)
		assert_runs((struct runs) { 10 + (int)at, at, 0, 0 }, false);
}

TEST(runs_that_leave_different_numbers_are_no_proof)
{
	for (unsigned at = FIRST + 2; at <= LAST; at += LAST - 2)
		assert_runs((struct runs) { 20 + (int)at, at, 1, 0 }, false);
}

TEST(a_run_that_did_not_pass_is_no_proof)
{
	for (unsigned at = FIRST + 1; at <= LAST; at += LAST - 1)
		assert_runs((struct runs) { 30 + (int)at, at, -1, 0 }, false);
}

static atomic_bool ends;

static void *neighbour(void *arg)
{
	(void)arg;
	while (!ends) {
		(void)!leave_one();
		nanosleep(&(struct timespec) { .tv_nsec = 5000000 }, NULL);
	}
	return NULL;
}

TEST(what_a_neighbour_changes_is_no_proof)
{
	struct runs r = { 1, FIRST, 1, 0 };
	char why[320] = "";
	pthread_t thread;
	bool proved;

	ends = false;
	assert_int_equal(pthread_create(&thread, NULL, neighbour, NULL), 0);
	proved = is_proved(&r, why, sizeof(why));
	ends = true;
	pthread_join(thread, NULL);
	assert_false(proved);
}

TEST(six_runs_that_leave_the_same_are_a_proof)
{
	assert_runs((struct runs) { 41, FIRST, 41, 0 }, true);
}

TEST(the_first_run_may_have_been_two)
{
	assert_runs((struct runs) { 42, FIRST, 84, 0 }, true);
}

/* The two tests before have proved that the number of segments rises. */
TEST(what_was_proved_twice_is_not_asked_again)
{
	if (!alone)
		skip();
	assert_runs((struct runs) { 43, FIRST, 43, 0 }, false);
}

TESTS_EACH(be_alone, remove_segments);
