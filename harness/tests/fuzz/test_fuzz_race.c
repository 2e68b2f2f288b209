// SPDX-License-Identifier: MIT
/*
 * Processes and threads act concurrently. After a race every counter must be right, and a wrong one
 * must be found.
 */
#include "fuzz_player.h"
#include "tests/support/test.h"
#include <dirent.h>

static unsigned entries_of(const char *path)
{
	const struct dirent *entry;
	DIR *dir = opendir(path);
	unsigned n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		n += entry->d_name[0] != '.';
	closedir(dir);
	return n;
}

TEST(concurrent_processes_leave_all_numbers_right)
{
	struct finding f;
	uint64_t before = player.steps, looks = player.looks;

	player.at_once = true;
	parse("mmap r0 0..63 anon shared rw\nfork p1\nfork p2\nwrite r0 0..63\n"
	      "p1 write r0 0..63 back\np2 madvise r0 0..63 PAGEOUT\n");
	assert_int_equal(player_play(&player, &p, true, &f), PLAYED);
	player.at_once = false;
	assert_int_equal(player.steps - before, 6);
	/*
	 * Snapshots are taken of the baseline, of one more process after each fork, of three
	 * processes at the stop, and at the end.
	 */
	assert_true(player.looks - looks < 6 * 3);
}

static void play_threads(const char *text, enum played expected)
{
	struct finding f;
	enum played played;

	parse(text);
	played = player_play(&player, &p, true, &f);
	if (played != expected)
		fail_msg("%s: %s %s", played == PLAY_TROUBLE ? player.why : "", f.d.metric,
			 f.d.text);
}

static void play_watched(const char *text, enum played expected,
			 void (*look)(void *, unsigned, unsigned, const struct snapshot *))
{
	player.watcher.look = look;
	play_threads(text, expected);
	player.watcher.look = NULL;
}

TEST(concurrent_threads_leave_all_numbers_right)
{
	uint64_t before = player.steps, looks = player.looks;

	play_threads("threads 3\nmmap r0 0..63 anon private rw\nwrite r0 0..63\n"
		     "madvise r0 0..63 DONTNEED\nmprotect r0 8..15 r\nread r0 0..63 back\n"
		     "munmap r0 0..31\n",
		     PLAYED);
	assert_int_equal(player.steps - before, 6);
	/*
	 * Snapshots are taken of the baseline, the mapping, the stops after three and after two
	 * acts, and the end.
	 */
	assert_true(player.looks - looks < 6 + 2);
}

/*
 * A thread's stdio must use the heap of the process, because another heap would add 64 MiB of
 * address space.
 */
TEST(a_thread_gets_no_heap_of_its_own)
{
	play_threads("threads 3\nmmap r0 0..7 anon private rw\nmunmap r1 0..0\n"
		     "io_uring r0 0..7\nio_uring r0 0..7\n",
		     PLAYED);
}

/* A fault on a locked file page that userfaultfd protects would never end (FINDINGS 37). */
TEST(acts_that_would_hang_a_fault_are_refused_in_any_order)
{
	memset(&player.reached, 0, sizeof(player.reached));
	play_threads("threads 2\nmmap r0 0..7 file private rw\nmlock r0 0..7\n"
		     "userfaultfd r0 0..7 asking\n",
		     PLAYED);
	assert_int_equal(player.reached.refused[p.acts[1].verb], 1);
	assert_int_equal(player.reached.refused[p.acts[2].verb], 1);
}

static uint64_t stops_seen;

static void count_stops(void *data, unsigned step, unsigned process, const struct snapshot *s)
{
	(void)data;
	(void)process;
	(void)s;
	stops_seen |= 1u << step;
}

TEST(a_process_forks_while_its_threads_act)
{
	stops_seen = 0;
	play_watched("threads 3\nmmap r0 0..63 anon private rw\nwrite r0 0..63\nfork p1\n"
		     "write r0 0..63\nmremap r0 0..31 to r1\np1 write r1 0..31\n"
		     "p1 munmap r1 0..31\n",
		     PLAYED, count_stops);
	/* There are fewer stops than acts, so some acts ran concurrently. */
	assert_true(__builtin_popcountll(stops_seen >> 1) < 7);
}

static unsigned threads_seen;

static void count_threads(void *data, unsigned step, unsigned process, const struct snapshot *s)
{
	char path[40];

	(void)data;
	(void)step;
	snprintf(path, sizeof(path), "/proc/%d/task", (int)s->pid);
	threads_seen |= entries_of(path) == 4 ? 1u << process : 0;
}

TEST(a_forked_process_has_threads_too)
{
	threads_seen = 0;
	play_watched("threads 4\nmmap r0 0..63 anon private rw\nwrite r0 0..63\nfork p1\n"
		     "p1 write r0 0..63\np1 madvise r0 0..63 DONTNEED\np1 munmap r0 0..63\n"
		     "p1 read r0 0..63\n",
		     PLAYED, count_threads);
	assert_int_equal(threads_seen, 1 << 0 | 1 << 1);
}

/* From the second stop on the kernel appears to count one page too many in VmData. */
static void plant(void *data, unsigned step, unsigned process, const struct snapshot *s)
{
	(void)data;
	(void)s;
	if (step == 1)
		player.ledger.of[process].outside[1]--;
}

TEST(a_wrong_number_after_a_race_is_found)
{
	play_watched("threads 2\nmmap r0 0..63 anon private rw\nwrite r0 0..63\n"
		     "madvise r0 0..63 DONTNEED\n",
		     PLAY_FOUND, plant);
}

TEST(a_finding_that_is_no_race_is_shrunk_to_a_program_without_threads)
{
	struct finding f;

	parse("threads 2\nmmap r0 0..63 anon private rw\nwrite r0 0..63\n"
	      "madvise r0 0..63 DONTNEED\nwrite r0 0..63\n");
	player.watcher.look = plant;
	assert_int_equal(player_play(&player, &p, true, &f), PLAY_FOUND);
	finding_shrink(&player, &p, &f, 60000);
	player.watcher.look = NULL;
	assert_int_equal(p.threads, 0);
	assert_int_equal(p.nr, 2);
}

TEST(threads_that_write_below_a_growsdown_mapping_do_not_grow_it)
{
	play_threads("threads 3\nmmap r9 11..11 growsdown rw\nfork p2\nwrite r8 0..860\n", PLAYED);
}

TESTS_SHARE(open_all, close_all);
