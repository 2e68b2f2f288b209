// SPDX-License-Identifier: MIT
/* A program is run in a workload, told step by step, recorded, and printed as a case. */
#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "fuzz/record.h"
#include "fuzz/shrink.h"

static struct engine engine;
static struct player player;

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

static int open_all(void **state)
{
	char why[512];

	(void)state;
	if (engine_open(&engine, NULL, 0, why, sizeof(why)) < 0) {
		print_message("%s\n", why);
		return -1;
	}
	return player_open(&player, &engine);
}

static int close_all(void **state)
{
	(void)state;
	player_close(&player);
	engine_close(&engine);
	return 0;
}

static void parse(struct program *p, const char *text)
{
	char why[256];

	if (program_parse(p, text, why, sizeof(why)))
		fail_msg("%s", why);
}

/* The answer is the kernel's; that all of it is asked the counts of what was reached tell. */
static void test_what_is_asked_in_two_ways_agrees(void **state)
{
	struct program p;
	struct finding f;

	(void)state;
	parse(&p, "mmap r0 4..20 memfd shared rw\nwrite r0 8..9\nmincore r0 4..20\n"
		  "PAGEMAP_SCAN r0 4..20 ask not present or file\ngenerations\nSwap r0 4..20\n"
		  "madvise r0 4..20 PAGEOUT\nSwap r0 4..20\nmincore by a stranger\nio_uring ring\n"
		  "hugetlb shared table\npoison hugetlb\npoison anonymous\npoison shmem\n"
		  "mincore r0 4..20 mapped\nPAGEMAP_SCAN r0 4..20 each\n");
	assert_int_equal(player_play(&player, &p, false, &f), PLAYED);
	for (unsigned i = 2; i < p.nr; i++)
		assert_true(player.reached.done[p.acts[i].verb] ||
			    player.reached.refused[p.acts[i].verb]);
}

/* Most of it guests alone are asked: elsewhere it is refused. */
static void test_what_changes_a_machine_is_refused_or_agrees(void **state)
{
	struct program p;
	struct finding f;

	(void)state;
	parse(&p, "cgroup swap\ncgroup merge\ncgroup tasks\nksm zeroes\neligible shared\n"
		  "eligible private\nmmap r1 0..7 anon private rw\n"
		  "write r1 0..7 elsewhere by 2\nmlock r1 0..7\nmunlock r1 0..7\n");
	memset(&player.reached, 0, sizeof(player.reached));
	assert_int_equal(player_play(&player, &p, false, &f), PLAYED);
	for (unsigned i = 0; i < p.nr; i++)
		assert_true(player.reached.done[p.acts[i].verb] ||
			    player.reached.refused[p.acts[i].verb]);
}

static void test_userfaultfd_protects_what_it_provides_and_what_is_there(void **state)
{
	struct program p;
	struct finding f;

	(void)state;
	parse(&p, "mmap r0 0..7 anon private rw\nwrite r0 0..3\nuserfaultfd r0 0..7 asking\n"
		  "userfaultfd r0 0..3 protect\nmmap r1 0..7 anon private r\n"
		  "userfaultfd r1 0..7 copy protected asking\nmincore r1 0..7 mapped\n"
		  "PAGEMAP_SCAN r1 0..7 each\nuserfaultfd r0 0..3 unprotect\nwrite r0 0..7\n"
		  "userfaultfd r0 0..7 protect\nmremap r0 0..7 to r2\n");
	memset(&player.reached, 0, sizeof(player.reached));
	assert_int_equal(player_play(&player, &p, false, &f), PLAYED);
	assert_true(player.reached.done[p.acts[5].verb] || player.reached.refused[p.acts[5].verb]);
}

static void test_a_call_that_meets_a_limit_fails_and_no_later_one_does(void **state)
{
	struct program p;
	struct finding f;

	(void)state;
	parse(&p, "limit address space\nmmap r0 0..15 anon private rw\n"
		  "mmap r1 0..15 file private rw\n");
	memset(&player.reached, 0, sizeof(player.reached));
	assert_int_equal(player_play(&player, &p, false, &f), PLAYED);
	assert_int_equal(player.reached.refused[p.acts[1].verb], 1);
	assert_int_equal(player.reached.done[p.acts[2].verb], 1);
}

static void test_what_is_pinned_or_moves_beside_itself_is_as_the_ledger_says(void **state)
{
	struct program p;
	struct finding f;

	(void)state;
	parse(&p, "mmap r0 0..15 anon private rw\nwrite r0 0..7\nio_uring r0 0..15 closed\n"
		  "mremap r0 8..15 beside\nmmap r1 0..7 anon private rw\nmlock r1 0..7 ONFAULT\n"
		  "mremap r1 0..7 DONTUNMAP beside\nwrite r1 0..15\n");
	assert_int_equal(player_play(&player, &p, false, &f), PLAYED);
}

/* Below what grows down a signal answers, and nothing has grown. */
static void test_what_grows_down_does_so_for_no_act_and_text_may_be_writable(void **state)
{
	struct program p;
	struct finding f;

	(void)state;
	parse(&p, "mmap r0 8..15 growsdown rw\nwrite r0 0..15\nmprotect r0 8..11 r\n"
		  "mprotect r0 12..13 rx\nfork p1\nprocess_vm_writev r0 0..15 to p1\n"
		  "munmap r0 8..9\nread r0 0..15\npread r0 0..3\ntext writable\n"
		  "mmap r1 0..7 droppable rw\nwrite r1 0..7\nmlock r1 0..3 ONFAULT\n"
		  "madvise r1 0..7 PAGEOUT\nmlockall FUTURE\nmunlockall\n"
		  "mmap r2 0..15 anon private rw\nname r2 4..7 one\nmadvise r2 8..9 DONTDUMP\n"
		  "write r2 0..15\nmremap r2 4..7 GROW to r3 by 16\nmmap r2 2..12 over r\n");
	assert_int_equal(player_play(&player, &p, false, &f), PLAYED);
}

static void test_every_step_is_audited(void **state)
{
	struct program p;
	struct finding f;
	uint64_t before = player.steps;

	(void)state;
	parse(&p, "mmap r0 0..15 anon private rw\nwrite r0 0..15\nfork p1\np1 write r0 0..7\n"
		  "exit p1\n");
	assert_int_equal(player_play(&player, &p, false, &f), PLAYED);
	assert_int_equal(player.steps - before, 5);
}

static void test_processes_act_at_once_and_all_books_agree(void **state)
{
	struct program p;
	struct finding f;
	uint64_t before = player.steps, looks = player.looks;

	(void)state;
	player.at_once = true;
	parse(&p, "mmap r0 0..63 anon shared rw\nfork p1\nfork p2\nwrite r0 0..63\n"
		  "p1 write r0 0..63 back\np2 madvise r0 0..63 PAGEOUT\n");
	assert_int_equal(player_play(&player, &p, true, &f), PLAYED);
	player.at_once = false;
	assert_int_equal(player.steps - before, 6);
	/* The baseline, a process more at each fork, three processes at the stop, the closing. */
	assert_true(player.looks - looks < 6 * 3);
}

static void play_threads(struct program *p, const char *text, enum played expected)
{
	struct finding f;
	enum played played;

	parse(p, text);
	played = player_play(&player, p, true, &f);
	if (played != expected)
		fail_msg("%s: %s %s", played == PLAY_TROUBLE ? player.why : "", f.m.number,
			 f.m.rule);
}

/* The same; after each stop somebody looks. */
static void play_watched(struct program *p, const char *text, enum played expected,
			 void (*look)(void *, unsigned, unsigned, const struct snapshot *))
{
	player.watcher.look = look;
	play_threads(p, text, expected);
	player.watcher.look = NULL;
}

static void test_threads_of_a_process_act_at_once_and_all_books_agree(void **state)
{
	struct program p;
	uint64_t before = player.steps, looks = player.looks;

	(void)state;
	play_threads(&p,
		     "threads 3\nmmap r0 0..63 anon private rw\nwrite r0 0..63\n"
		     "madvise r0 0..63 DONTNEED\nmprotect r0 8..15 r\nread r0 0..63 back\n"
		     "munmap r0 0..31\n",
		     PLAYED);
	assert_int_equal(player.steps - before, 6);
	/* Of the baseline, the mapping, two stops of three and of two acts, the closing. */
	assert_true(player.looks - looks < 6 + 2);
}

/* What it opens with stdio is of the process's heap: another would be 64 MiB of address space. */
static void test_a_thread_gets_no_heap_of_its_own(void **state)
{
	struct program p;

	(void)state;
	play_threads(&p,
		     "threads 3\nmmap r0 0..7 anon private rw\nmunmap r1 0..0\n"
		     "io_uring r0 0..7\nio_uring r0 0..7\n",
		     PLAYED);
}

/* A page of it that userfaultfd protects would never be there for a fault (FINDINGS 37). */
static void test_what_ends_no_fault_is_refused_whichever_thread_is_first(void **state)
{
	struct program p;

	(void)state;
	memset(&player.reached, 0, sizeof(player.reached));
	play_threads(&p,
		     "threads 2\nmmap r0 0..7 file private rw\nmlock r0 0..7\n"
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

static void test_a_process_forks_while_its_threads_act(void **state)
{
	struct program p;

	(void)state;
	stops_seen = 0;
	play_watched(&p,
		     "threads 3\nmmap r0 0..63 anon private rw\nwrite r0 0..63\nfork p1\n"
		     "write r0 0..63\nmremap r0 0..31 to r1\np1 write r1 0..31\n"
		     "p1 munmap r1 0..31\n",
		     PLAYED, count_stops);
	/* Fewer than there are acts: some were done together. */
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

static void test_a_forked_process_has_threads_too(void **state)
{
	struct program p;

	(void)state;
	threads_seen = 0;
	play_watched(&p,
		     "threads 4\nmmap r0 0..63 anon private rw\nwrite r0 0..63\nfork p1\n"
		     "p1 write r0 0..63\np1 madvise r0 0..63 DONTNEED\np1 munmap r0 0..63\n"
		     "p1 read r0 0..63\n",
		     PLAYED, count_threads);
	assert_int_equal(threads_seen, 1 << 0 | 1 << 1);
}

/* As if the kernel had counted a page of data more from the second stop on. */
static void plant(void *data, unsigned step, unsigned process, const struct snapshot *s)
{
	(void)data;
	(void)s;
	if (step == 1)
		player.ledger.of[process].outside[1]--;
}

static void test_a_wrong_number_after_a_race_is_found(void **state)
{
	struct program p;

	(void)state;
	play_watched(&p,
		     "threads 2\nmmap r0 0..63 anon private rw\nwrite r0 0..63\n"
		     "madvise r0 0..63 DONTNEED\n",
		     PLAY_FOUND, plant);
}

static void test_what_is_no_race_is_shrunk_to_steps_in_order(void **state)
{
	struct program p;
	struct finding f;

	(void)state;
	parse(&p, "threads 2\nmmap r0 0..63 anon private rw\nwrite r0 0..63\n"
		  "madvise r0 0..63 DONTNEED\nwrite r0 0..63\n");
	player.watcher.look = plant;
	assert_int_equal(player_play(&player, &p, true, &f), PLAY_FOUND);
	finding_shrink(&player, &p, &f, 60000);
	player.watcher.look = NULL;
	assert_int_equal(p.threads, 0);
	assert_int_equal(p.nr, 2);
}

static json_t *recorded(const char *text)
{
	struct record *r = record_new(&engine.host);
	struct program p;
	struct finding f;

	parse(&p, text);
	assert_int_equal(record_program(r, &player, &p, &f), PLAYED);
	return record_finish(r);
}

static json_t *step_of(json_t *root, size_t i)
{
	json_t *program = json_array_get(json_object_get(root, "programs"), 0);

	return json_array_get(json_object_get(program, "steps"), i);
}

static void test_a_record_holds_what_each_step_moved(void **state)
{
	json_t *root = recorded("mmap r0 0..15 anon private rw\nwrite r0 0..15\n"), *moved;
	long kb = 16 * engine.host.page_size / 1024;

	(void)state;
	assert_string_equal(json_string_value(json_object_get(root, "schema")), RECORD_SCHEMA);
	moved = json_object_get(step_of(root, 0), "p0");
	assert_int_equal(json_integer_value(json_object_get(moved, "status.VmSize")), kb);
	assert_string_equal(json_string_value(json_object_get(step_of(root, 1), "act")),
			    "write r0 0..15");
	moved = json_object_get(step_of(root, 1), "p0");
	assert_int_equal(json_integer_value(json_object_get(moved, "smaps.Anonymous")), kb);
	assert_null(json_object_get(moved, "status.VmSize"));
	/* It is there, though this program has not moved it. */
	assert_true(json_is_true(json_object_get(json_object_get(root, "printed"), "smaps.Swap")));
	json_decref(root);
}

static void test_a_record_tells_what_a_call_has_answered(void **state)
{
	json_t *root = recorded("mprotect r0 0..3 r\n");

	(void)state;
	assert_int_not_equal(json_integer_value(json_object_get(step_of(root, 0), "errno")), 0);
	json_decref(root);
}

/* It watches what is mapped of a range with a hole, whatever the call says. */
static void test_a_copy_that_fails_leaves_its_watch_open(void **state)
{
	struct program p;
	struct finding f;

	(void)state;
	parse(&p, "mmap r6 0..15 anon shared rw\nuserfaultfd r6 0..31 copy protected asking\n"
		  "write r6 15..15\nmadvise r6 0..3 DONTNEED\n");
	assert_int_equal(player_play(&player, &p, true, &f), PLAYED);
}

static void test_what_grows_down_does_not_grow_while_threads_write_below_it(void **state)
{
	struct program p;

	(void)state;
	play_threads(&p, "threads 3\nmmap r9 11..11 growsdown rw\nfork p2\nwrite r8 0..860\n",
		     PLAYED);
}

static void test_a_record_holds_what_an_act_has_told(void **state)
{
	json_t *root = recorded("vfork\n"), *told = json_object_get(step_of(root, 0), "told");
	const char *number = NULL;

	(void)state;
	for (size_t i = 0; i < nr_verbs; i++)
		if (!strcmp(verbs[i].name, "vfork"))
			number = verbs[i].tells;
	assert_non_null(json_object_get(told, number));
	assert_true(json_is_true(json_object_get(json_object_get(root, "printed"), number)));
	json_decref(root);
}

static void test_what_a_thread_wrote_stays_when_it_has_gone(void **state)
{
	struct program p;
	struct finding f;

	(void)state;
	parse(&p, "mmap r0 0..63 anon private rw\nthread write r0 0..31\nmprotect r0 0..15 r\n"
		  "thread write r0 8..40\nfork p1\np1 thread write r0 16..63 by 2\n");
	assert_int_equal(player_play(&player, &p, true, &f), PLAYED);
}

static void test_what_is_mapped_beside_is_one_region_with_it(void **state)
{
	struct program p;
	struct finding f;

	(void)state;
	memset(&player.reached, 0, sizeof(player.reached));
	parse(&p, "mmap r0 0..15 anon private rw\nwrite r0 0..15\nclear_refs soft-dirty\n"
		  "mmap r0 16..19 beside rw\nwrite r0 0..19\nmremap r0 0..19 to r1\n");
	assert_int_equal(player_play(&player, &p, true, &f), PLAYED);
	parse(&p, "mmap r0 0..15 file private rw\nmmap r0 16..19 beside rw\n");
	assert_int_equal(player_play(&player, &p, true, &f), PLAYED);
	assert_int_equal(player.reached.refused[p.acts[1].verb], 1);
}

static void test_a_finding_is_printed_as_a_case(void **state)
{
	struct finding f = { .step = 3,
			     .m = { .seen = 5,
				    .expected = 4,
				    .unit = "pages",
				    .number = "status.VmLck",
				    .rule = "as the mappings" } };
	struct program p;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	(void)state;
	assert_non_null(out);
	parse(&p, "mmap r0 0..3 anon private rw\nfork p2\np2 mlock r0 0..3\n");
	finding_print_case(&p, &f, "fuzz_found", out);
	fclose(out);
	assert_non_null(strstr(text, "CASE(fuzz_found) {"));
	assert_non_null(strstr(text, "status.VmLck was 5 instead of 4 (as the mappings)"));
	assert_non_null(strstr(text, ".processes = 2,"));
	assert_non_null(strstr(text, "ACT(0, \"mmap r0 0..3 anon private rw\"),"));
	assert_non_null(strstr(text, "ACT(2, \"mlock r0 0..3\")),"));
	free(text);
}

static void test_what_the_kernel_said_is_the_cases_reason(void **state)
{
	struct finding f = { .in_log = true, .m = { .rule = "BUG: Bad rss-counter state" } };
	struct program p;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	(void)state;
	assert_non_null(out);
	parse(&p, "mmap r0 0..3 anon private rw\n");
	finding_print_case(&p, &f, "fuzz_found", out);
	fclose(out);
	assert_non_null(strstr(text, "the kernel log: BUG: Bad rss-counter state"));
	assert_null(strstr(text, ".processes"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_pinned_or_moves_beside_itself_is_as_the_ledger_says),
		cmocka_unit_test(test_what_grows_down_does_so_for_no_act_and_text_may_be_writable),
		cmocka_unit_test(test_every_step_is_audited),
		cmocka_unit_test(test_userfaultfd_protects_what_it_provides_and_what_is_there),
		cmocka_unit_test(test_what_is_asked_in_two_ways_agrees),
		cmocka_unit_test(test_what_changes_a_machine_is_refused_or_agrees),
		cmocka_unit_test(test_a_call_that_meets_a_limit_fails_and_no_later_one_does),
		cmocka_unit_test(test_processes_act_at_once_and_all_books_agree),
		cmocka_unit_test(test_threads_of_a_process_act_at_once_and_all_books_agree),
		cmocka_unit_test(test_a_thread_gets_no_heap_of_its_own),
		cmocka_unit_test(test_what_ends_no_fault_is_refused_whichever_thread_is_first),
		cmocka_unit_test(test_a_process_forks_while_its_threads_act),
		cmocka_unit_test(test_a_forked_process_has_threads_too),
		cmocka_unit_test(test_a_wrong_number_after_a_race_is_found),
		cmocka_unit_test(test_what_is_no_race_is_shrunk_to_steps_in_order),
		cmocka_unit_test(test_a_record_holds_what_each_step_moved),
		cmocka_unit_test(test_a_record_tells_what_a_call_has_answered),
		cmocka_unit_test(test_a_copy_that_fails_leaves_its_watch_open),
		cmocka_unit_test(test_what_grows_down_does_not_grow_while_threads_write_below_it),
		cmocka_unit_test(test_a_record_holds_what_an_act_has_told),
		cmocka_unit_test(test_what_a_thread_wrote_stays_when_it_has_gone),
		cmocka_unit_test(test_what_is_mapped_beside_is_one_region_with_it),
		cmocka_unit_test(test_a_finding_is_printed_as_a_case),
		cmocka_unit_test(test_what_the_kernel_said_is_the_cases_reason),
	};

	return cmocka_run_group_tests_name("programs that are run", tests, open_all, close_all);
}
