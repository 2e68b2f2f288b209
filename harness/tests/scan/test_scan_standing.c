// SPDX-License-Identifier: MIT
/*
 * How scan reads a process that moves. A made-up process has four files, and each reading of a file
 * may differ.
 */
#include "scan/process/process.h"
#include "tests/support/recorded.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

enum { NOBODY = 7, ALWAYS = 1000, LARGE_KB = 16 * 1024 };

/* Numbers that are in no table of metrics. */
enum { STARTED = METRIC_COUNT, THREADS };

/*
 * The change that a reading shows. Each attempt reads each file twice, except the smaps_rollup of a
 * large process.
 */
static struct change {
	int what; /* a metric, or one of the numbers above; METRIC_NONE: nothing changes */
	int64_t by;
	unsigned nth, attempts; /* the reading, 0 or 1, of the first `attempts` attempts */
} change;

static const char *const names[] = { "stat", "statm", "status", "smaps_rollup" };
enum { STAT, STATM, STATUS, ROLLUP, FILES };
static unsigned readings[FILES];
static int ends = FILES; /* the process ends at a changed reading of this file; FILES: never */
static int end_error;
static int64_t rss_kb;
static unsigned grows = ALWAYS; /* the reading of smaps_rollup at which the process becomes large */
static bool emptied;            /* smaps_rollup is empty */

static bool is_changed(int file)
{
	return readings[file] % 2 == change.nth && readings[file] / 2 < change.attempts;
}

static long long shown(int file, int what, int64_t usual)
{
	return change.what == what && is_changed(file) ? usual + change.by : usual;
}

static void print(int fd, int file)
{
	static const char *const fields[] = {
		"Rss",           "Pss",       "Shared_Clean", "Shared_Dirty", "Private_Clean",
		"Private_Dirty", "Anonymous", "Swap",         "SwapPss",
	};

	switch (file) {
	case STAT:
		dprintf(fd,
			"7 (made up) S 1 7 7 0 -1 0 %lld 0 %lld 0 0 0 0 0 20 0 1 0 %lld 1048576 "
			"25 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 "
			"0 0 0 0\n",
			shown(file, METRIC_STAT_MINFLT, 40), shown(file, METRIC_STAT_MAJFLT, 3),
			shown(file, STARTED, 100));
		break;
	case STATM:
		dprintf(fd, "%lld 25 5 1 0 20 0\n", shown(file, METRIC_STATM_SIZE, 256));
		break;
	case STATUS:
		dprintf(fd,
			"Name:\tmade up\nState:\tS (sleeping)\nPid:\t7\nUid:\t0\t0\t0\t0\n"
			"VmRSS:\t%lld kB\nThreads:\t%lld\n",
			shown(file, METRIC_STATUS_VMRSS, 100), shown(file, THREADS, 2));
		break;
	default:
		if (emptied)
			break;
		if (readings[file] == grows)
			rss_kb = LARGE_KB + 1;
		dprintf(fd, "00400000-7fff0000 ---p 00000000 00:00 0 [rollup]\n");
		for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
			enum metric_id id = metric_by_key(SOURCE_ROLLUP, fields[i],
							  strlen(fields[i]), METRIC_NONE);

			dprintf(fd, "%s: %lld kB\n", fields[i],
				shown(file, (int)id, id == METRIC_ROLLUP_RSS ? rss_kb : 100));
		}
	}
}

static int made_up(void)
{
	int fd = memfd_create("made up", MFD_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

/* Replaces open() of the C library: there is one folder with four files. */
int open(const char *path, int flags, ...)
{
	assert_string_equal(path, "/proc/7");
	(void)flags;
	return made_up();
}

int openat(int folder, const char *path, int flags, ...)
{
	(void)folder, (void)flags;
	for (int i = 0; i < FILES; i++) {
		int fd;

		if (strcmp(path, names[i]))
			continue;
		if (i == ends && is_changed(i))
			break;
		fd = made_up();
		print(fd, i);
		assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
		readings[i]++;
		return fd;
	}
	errno = end_error;
	return -1;
}

/* Reads the process. Returns how often everything was read. */
static unsigned read_it(struct reading *p, struct change c)
{
	OWNED(reader_free) struct reader r = { .stat = { .data = NULL } };

	memset(readings, 0, sizeof(readings));
	change = c;
	process_read(p, NOBODY, &r);
	return readings[STATUS] / 2;
}

FIXTURE(setup)
{
	rss_kb = 100;
	ends = FILES;
	end_error = ENOENT;
	grows = ALWAYS;
	emptied = false;
	return 0;
}

static void assert_still(const struct reading *p)
{
	assert_int_equal(p->sight, SIGHT_SEEN);
	assert_false(p->moved);
	assert_false(p->reshared);
	assert_true(p->confirmed);
	assert_value(&p->tables, METRIC_ROLLUP_RSS, 100);
	assert_value(&p->counters, METRIC_STATUS_VMRSS, 100);
}

TEST(a_process_that_stands_still_is_read_once)
{
	struct reading p;

	assert_int_equal(read_it(&p, (struct change) { METRIC_NONE, 0, 0, 0 }), 1);
	assert_still(&p);
	assert_int_equal(p.nr, 2);
}

/*
 * Changes by the process itself: faults, counters, address space, pages, another program, a new
 * thread.
 */
TEST(a_process_that_moves_is_read_again_and_at_last_called_moving)
{
	static const int moves[] = {
		METRIC_STAT_MINFLT,
		METRIC_STAT_MAJFLT,
		METRIC_STATM_SIZE,
		METRIC_STATUS_VMRSS,
		METRIC_ROLLUP_RSS,
		METRIC_ROLLUP_ANONYMOUS,
		METRIC_ROLLUP_SWAP,
		STARTED,
		THREADS,
	};

	for (size_t i = 0; i < sizeof(moves) / sizeof(*moves); i++) {
		struct reading p;

		assert_int_equal(read_it(&p, (struct change) { moves[i], 4, 1, 1 }), 2);
		assert_still(&p);
		assert_int_equal(read_it(&p, (struct change) { moves[i], 4, 1, ALWAYS }),
				 READINGS_MAX);
		assert_true(p.moved);
		assert_false(p.reshared);
	}
}

/* Changes by other processes while this process stands still. */
TEST(a_process_whose_sharing_changes_is_read_again)
{
	static const int shares[] = {
		METRIC_ROLLUP_PSS,           METRIC_ROLLUP_SHARED_CLEAN,
		METRIC_ROLLUP_SHARED_DIRTY,  METRIC_ROLLUP_PRIVATE_CLEAN,
		METRIC_ROLLUP_PRIVATE_DIRTY, METRIC_ROLLUP_SWAPPSS,
	};

	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
		struct reading p;

		assert_int_equal(read_it(&p, (struct change) { shares[i], 4, 1, 1 }), 2);
		assert_still(&p);
		assert_int_equal(read_it(&p, (struct change) { shares[i], 4, 1, ALWAYS }),
				 READINGS_MAX);
		assert_false(p.moved);
		assert_true(p.reshared);
		assert_int_equal(p.low.of[shares[i]], 100);
		assert_int_equal(p.high.of[shares[i]], 104);
		assert_int_equal(p.nr, 2 * READINGS_MAX);
		read_it(&p, (struct change) { shares[i], -4, 1, ALWAYS });
		assert_int_equal(p.low.of[shares[i]], 96);
		assert_int_equal(p.high.of[shares[i]], 100);
	}
}

/* A second walk of so many pages would double the cost. */
TEST(a_large_process_is_walked_once_and_not_confirmed)
{
	struct reading p;

	rss_kb = LARGE_KB;
	assert_int_equal(read_it(&p, (struct change) { METRIC_NONE, 0, 0, 0 }), 1);
	assert_true(p.confirmed);
	rss_kb++;
	assert_int_equal(read_it(&p, (struct change) { METRIC_NONE, 0, 0, 0 }), 1);
	assert_int_equal(readings[ROLLUP], 1);
	assert_false(p.confirmed);
	assert_false(p.moved);
}

/* A change that an earlier attempt saw is not reported. */
TEST(a_process_that_becomes_large_is_no_longer_confirmed)
{
	struct reading p;

	grows = 2;
	assert_int_equal(read_it(&p, (struct change) { METRIC_ROLLUP_PSS, 4, 1, 1 }), 2);
	assert_int_equal(readings[ROLLUP], 3);
	assert_false(p.confirmed);
	assert_false(p.reshared);
}

/* A process that has just released its memory has an empty smaps_rollup. */
TEST(an_empty_smaps_rollup_means_that_the_process_ends)
{
	struct reading p;

	emptied = true;
	read_it(&p, (struct change) { METRIC_NONE, 0, 0, 0 });
	assert_int_equal(p.sight, SIGHT_GONE);
}

TEST(a_process_that_ends_during_the_reading_is_gone)
{
	for (ends = 0; ends < FILES; ends++)
		for (unsigned nth = 0; nth < 2; nth++) {
			struct reading p;

			read_it(&p, (struct change) { METRIC_NONE, 0, nth, 1 });
			assert_int_equal(p.sight, SIGHT_GONE);
		}
}

TEST(an_unreadable_file_gives_a_reason)
{
	static const struct {
		int error;
		enum sight sight;
	} rows[] = { { ENOENT, SIGHT_GONE },
		     { ESRCH, SIGHT_GONE },
		     { EACCES, SIGHT_DENIED },
		     { EPERM, SIGHT_DENIED },
		     { EMFILE, SIGHT_UNREADABLE } };

	for (ends = 0; ends < FILES; ends++)
		for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
			struct reading p;

			end_error = rows[i].error;
			read_it(&p, (struct change) { METRIC_NONE, 0, 1, 1 });
			assert_int_equal(p.sight, rows[i].sight);
			if (p.sight == SIGHT_UNREADABLE)
				assert_says(p.why, names[ends]);
		}
}

TESTS_EACH(setup, NULL);
