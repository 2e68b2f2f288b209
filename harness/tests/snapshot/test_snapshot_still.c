// SPDX-License-Identifier: MIT
/*
 * A snapshot of a process that moves while it is read. A made-up process has three files, and each
 * reading of a file may differ. The clock is made up, too, and advances only in the pauses.
 */
#include "snapshot/snapshot.h"
#include "tests/support/recorded.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>

enum { NOBODY = 0x7fffffff, MAPPINGS = 2, ALWAYS = 1000, PATIENCE_MS = 5000 };

/*
 * The reading that differs from the others. Each attempt reads stat and smaps_rollup twice, before
 * and after the rest, and smaps once.
 */
struct change {
	enum metric_id id; /* METRIC_NONE: no number changes */
	int64_t by;
	unsigned nth, attempts; /* the reading, from 0, of the first `attempts` attempts */
};

static struct change change;
static bool ends; /* the process ends at the reading that would have changed */

/* A file that is missing at its first `times` readings. */
static enum source missing = SOURCE_COUNT;
static unsigned times;

/*
 * The process whose files are read; `runs` is the number of readings at which its thread is
 * running.
 */
static pid_t whose = NOBODY;
static unsigned runs;
static unsigned readings[SOURCE_COUNT];
static int64_t clock_ms;

static bool is_changed(enum source source)
{
	unsigned each = source == SOURCE_SMAPS ? 1 : 2;

	return readings[source] % each == change.nth && readings[source] / each < change.attempts;
}

static int64_t shown(enum metric_id id, int64_t usual)
{
	return change.id == id && is_changed(metric(id)->source) ? usual + change.by : usual;
}

/* A made-up thread has no state of its own, so the state of a real process is used. */
static int print_state(int fd)
{
	return dprintf(fd, "7 (made up) %c\n", runs && runs-- ? 'R' : 'S');
}

static int print_stat(int fd)
{
	return dprintf(fd,
		       "7 (made up) S 1 7 7 0 -1 0 %lld 0 %lld 0 0 0 0 0 20 0 1 0 100 1048576 25 "
		       "18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 "
		       "0 0\n",
		       (long long)shown(METRIC_STAT_MINFLT, 40),
		       (long long)shown(METRIC_STAT_MAJFLT, 3));
}

/* Rss is 100 kB, and each mapping may have lost a fraction of a kB of Pss. */
static int print_rollup(int fd)
{
	return dprintf(fd,
		       "00400000-7fff0000 ---p 00000000 00:00 0 [rollup]\nRss: %lld kB\n"
		       "Pss: %lld kB\nReferenced: %lld kB\nSwap: %lld kB\n",
		       (long long)shown(METRIC_ROLLUP_RSS, 100),
		       (long long)shown(METRIC_ROLLUP_PSS, 100),
		       (long long)shown(METRIC_ROLLUP_REFERENCED, 80),
		       (long long)shown(METRIC_ROLLUP_SWAP, 8));
}

static int print_smaps(int fd)
{
	return dprintf(fd,
		       "00400000-00500000 rw-p 00000000 00:00 0 \nSize: 1024 kB\nRss: 60 kB\n"
		       "Pss: 60 kB\nReferenced: 40 kB\nSwap: 8 kB\n"
		       "00600000-00700000 rw-p 00000000 00:00 0 \nSize: 1024 kB\nRss: %lld kB\n"
		       "Pss: %lld kB\nReferenced: %lld kB\n",
		       (long long)shown(METRIC_SMAPS_RSS, 40),
		       (long long)shown(METRIC_SMAPS_PSS, 40),
		       (long long)shown(METRIC_SMAPS_REFERENCED, 40));
}

static const struct {
	const char *name;
	int (*print)(int fd);
} made_up[SOURCE_COUNT] = {
	[SOURCE_STAT] = { "/stat", print_stat },
	[SOURCE_ROLLUP] = { "/smaps_rollup", print_rollup },
	[SOURCE_SMAPS] = { "/smaps", print_smaps },
};

static int file_of(int (*print)(int fd))
{
	int fd = memfd_create("made up", MFD_CLOEXEC);

	assert_true(print(fd) > 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* Replaces openat() of the C library: there are only those three files, and stat of the threads. */
int openat(int folder, const char *path, int flags, ...)
{
	(void)folder, (void)flags;
	if (*path != '/')
		return file_of(print_state);
	for (int i = 0; i < SOURCE_COUNT; i++) {
		size_t len = made_up[i].name ? strlen(made_up[i].name) : 0;
		int fd;

		if (!len || strlen(path) < len ||
		    strcmp(path + strlen(path) - len, made_up[i].name))
			continue;
		if (i == (int)missing && times && times--)
			break;
		if (ends && i == SOURCE_STAT && is_changed(i))
			break;
		fd = file_of(made_up[i].print);
		readings[i]++;
		return fd;
	}
	errno = ENOENT;
	return -1;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	*now = (struct timespec) { clock_ms / 1000, clock_ms % 1000 * 1000000 };
	return 0;
}

int nanosleep(const struct timespec *pause, struct timespec *left)
{
	(void)left;
	clock_ms += pause->tv_sec * 1000 + pause->tv_nsec / 1000000;
	return 0;
}

static const struct host host = { .page_size = 4096, .kpagecount = -1, .kpageflags = -1 };

/*
 * Takes a snapshot. Returns how often the process was read; stat is read before and after the rest.
 */
static unsigned take(struct snapshot *s, struct change c)
{
	memset(readings, 0, sizeof(readings));
	clock_ms = 0;
	change = c;
	assert_int_equal(snapshot_take(s, whose, &host), 0);
	return readings[SOURCE_STAT] / 2;
}

static void assert_still(const struct snapshot *s)
{
	assert_string_equal(s->moved, "");
	assert_false(s->moved_pages);
	assert_int_equal(s->nr_maps, MAPPINGS);
	assert_value(&s->values, METRIC_SMAPS_RSS, 100);
}

TEST(a_process_that_stands_still_is_read_once)
{
	OWNED(snapshot_free) struct snapshot s;

	assert_int_equal(take(&s, (struct change) { .id = METRIC_NONE }), 1);
	assert_still(&s);
	assert_int_equal(clock_ms, 0);
}

/* While a thread runs, the files are not read, because the thread may change them. */
TEST(a_running_process_is_awaited)
{
	char expected[64];
	struct snapshot s;

	whose = getpid();
	runs = 3;
	assert_int_equal(take(&s, (struct change) { .id = METRIC_NONE }), 1);
	assert_still(&s);
	assert_int_equal(clock_ms, 1 + 2 + 4);
	snapshot_free(&s);
	runs = 100000;
	assert_int_equal(take(&s, (struct change) { .id = METRIC_NONE }), 0);
	snprintf(expected, sizeof(expected), "its thread %d ran", whose);
	assert_string_equal(s.moved, expected);
	assert_true(clock_ms >= PATIENCE_MS && clock_ms <= PATIENCE_MS + 64);
	snapshot_free(&s);
	runs = 0;
	whose = NOBODY;
}

/*
 * Faults happen between the first and the last reading of stat; Pss changes when other processes
 * begin to share.
 */
static const struct {
	enum metric_id id;
	int64_t by;
	const char *says;
	bool pages; /* pages of the process itself have come or gone */
} moves[] = {
	{ METRIC_STAT_MINFLT, 1, "stat.minflt went from 40 to 41", true },
	{ METRIC_STAT_MAJFLT, 1, "stat.majflt went from 3 to 4", true },
	{ METRIC_ROLLUP_PSS, -2, "smaps_rollup.Pss went from 100 to 98", false },
	{ METRIC_ROLLUP_RSS, 4, "smaps_rollup.Rss went from 100 to 104", true },
	{ METRIC_ROLLUP_SWAP, -4, "smaps_rollup.Swap went from 8 to 4", true },
};

TEST(a_process_that_moved_is_read_again)
{
	for (size_t i = 0; i < sizeof(moves) / sizeof(*moves); i++) {
		OWNED(snapshot_free) struct snapshot s;

		assert_int_equal(take(&s, (struct change) { moves[i].id, moves[i].by, 1, 1 }), 2);
		assert_still(&s);
	}
}

TEST(a_process_that_never_stands_still_is_reported_as_moved)
{
	for (size_t i = 0; i < sizeof(moves) / sizeof(*moves); i++) {
		OWNED(snapshot_free) struct snapshot s;

		assert_true(take(&s, (struct change) { moves[i].id, moves[i].by, 1, ALWAYS }) > 12);
		assert_string_equal(s.moved, moves[i].says);
		assert_int_equal(s.moved_pages, moves[i].pages);
		assert_true(clock_ms >= PATIENCE_MS && clock_ms <= PATIENCE_MS + 64);
	}
}

/* The change is undone, so the two files were read in different states. */
TEST(sums_that_disagree_are_read_again)
{
	static const struct change apart[] = {
		{ METRIC_SMAPS_RSS, 4, 0, 1 },
		{ METRIC_SMAPS_RSS, -4, 0, 1 },
		{ METRIC_SMAPS_PSS, 1, 0, 1 },
		{ METRIC_SMAPS_PSS, -MAPPINGS - 1, 0, 1 },
	};

	for (size_t i = 0; i < sizeof(apart) / sizeof(*apart); i++) {
		OWNED(snapshot_free) struct snapshot s;

		assert_int_equal(take(&s, apart[i]), 2);
		assert_still(&s);
	}
}

/* smaps rounds at each mapping, smaps_rollup once. */
TEST(rounded_shares_do_not_disagree)
{
	for (int64_t lost = 0; lost <= MAPPINGS; lost++) {
		OWNED(snapshot_free) struct snapshot s;

		assert_int_equal(take(&s, (struct change) { METRIC_SMAPS_PSS, -lost, 0, ALWAYS }),
				 1);
		assert_still(&s);
	}
}

/*
 * The process stood still each time, so a difference between two of its files is a finding, not a
 * movement.
 */
TEST(sums_that_always_disagree_are_left_to_the_judge)
{
	OWNED(snapshot_free) struct snapshot s;

	assert_int_equal(take(&s, (struct change) { METRIC_SMAPS_RSS, 4, 0, ALWAYS }), 13);
	assert_string_equal(s.moved, "");
	assert_value(&s.values, METRIC_SMAPS_RSS, 104);
	assert_value(&s.values, METRIC_ROLLUP_RSS, 100);
	assert_true(clock_ms < PATIENCE_MS);
}

/*
 * The end of another process changes the Referenced bit of a shared page. The reading of
 * smaps_rollup that agrees with smaps counts.
 */
TEST(Referenced_may_differ_if_one_of_two_readings_agrees)
{
	OWNED(snapshot_free) struct snapshot s;

	for (unsigned nr = 0; nr < 2; nr++) {
		assert_int_equal(
			take(&s, (struct change) { METRIC_ROLLUP_REFERENCED, 4, nr, ALWAYS }), 1);
		assert_still(&s);
		assert_value(&s.values, METRIC_ROLLUP_REFERENCED, 80);
		snapshot_free(&s);
	}
	/* No reading of smaps_rollup agrees here. */
	assert_int_equal(take(&s, (struct change) { METRIC_SMAPS_REFERENCED, 4, 0, 1 }), 2);
	assert_still(&s);
}

/* A kernel may lack such a file. A missing file contradicts nothing. */
TEST(a_missing_file_is_tried_once_and_disagrees_with_nothing)
{
	static const enum source files[] = { SOURCE_STAT, SOURCE_ROLLUP, SOURCE_SMAPS };

	whose = getpid();
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		OWNED(snapshot_free) struct snapshot s;

		missing = files[i];
		times = ALWAYS;
		take(&s, (struct change) { .id = METRIC_NONE });
		assert_int_equal(clock_ms, 0);
		assert_string_equal(s.moved, "");
		assert_int_equal(s.error[files[i]].number, ENOENT);
		assert_all_absent(&s.values, files[i]);
	}
	missing = SOURCE_COUNT;
	whose = NOBODY;
}

/*
 * The state of the process at the first reading is unknown, so it must not be called standing
 * still.
 */
TEST(a_file_that_appears_at_the_second_reading_is_read_a_third_time)
{
	static const enum source twice[] = { SOURCE_STAT, SOURCE_ROLLUP };

	whose = getpid();
	for (size_t i = 0; i < sizeof(twice) / sizeof(*twice); i++) {
		OWNED(snapshot_free) struct snapshot s;

		missing = twice[i];
		times = 1;
		take(&s, (struct change) { .id = METRIC_NONE });
		assert_int_equal(readings[SOURCE_SMAPS], 2);
		assert_still(&s);
		assert_string_equal(s.error[twice[i]].text, "");
		assert_value(&s.values, METRIC_STAT_MINFLT, 40);
		assert_value(&s.values, METRIC_ROLLUP_RSS, 100);
	}
	missing = SOURCE_COUNT;
	whose = NOBODY;
}

TEST(a_process_that_ends_during_the_snapshot_is_gone)
{
	for (unsigned nr = 0; nr < 2; nr++) {
		struct snapshot s;

		memset(readings, 0, sizeof(readings));
		change = (struct change) { METRIC_NONE, 0, nr, 1 };
		ends = true;
		assert_int_equal(snapshot_take(&s, NOBODY, &host), -1);
		ends = false;
		assert_null(s.maps);
		assert_int_equal(s.nr_maps, 0);
	}
}
