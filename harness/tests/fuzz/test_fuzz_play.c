// SPDX-License-Identifier: MIT
/* A workload runs a program step by step; a finding is printed as a case. */
#include "fuzz_player.h"
#include "tests/support/test.h"

static void assert_tried(unsigned act)
{
	assert_true(player.reached.done[p.acts[act].verb] ||
		    player.reached.refused[p.acts[act].verb]);
}

/* assert_tried() shows that the whole program was run. */
TEST(two_system_calls_that_report_the_same_pages_agree)
{
	play(false, "mmap r0 4..20 memfd shared rw\nwrite r0 8..9\nmincore r0 4..20\n"
		    "PAGEMAP_SCAN r0 4..20 ask not present or file\nSwap r0 4..20\n"
		    "madvise r0 4..20 PAGEOUT\nSwap r0 4..20\n"
		    "mincore r0 4..20 mapped\nPAGEMAP_SCAN r0 4..20 each\n");
	for (unsigned i = 2; i < p.nr; i++)
		assert_tried(i);
}

/* Acts on the whole machine run only in guests, and are refused elsewhere. */
TEST(an_act_on_the_whole_machine_is_refused_or_agrees)
{
	play(false, "ksm zeroes\nmmap r1 0..7 anon private rw\n"
		    "write r1 0..7 elsewhere by 2\nmlock r1 0..7\nmunlock r1 0..7\n");
	for (unsigned i = 0; i < p.nr; i++)
		assert_tried(i);
}

TEST(userfaultfd_protects_new_and_existing_pages)
{
	play(false, "mmap r0 0..7 anon private rw\nwrite r0 0..3\nuserfaultfd r0 0..7 asking\n"
		    "userfaultfd r0 0..3 protect\nmmap r1 0..7 anon private r\n"
		    "userfaultfd r1 0..7 copy protected asking\nmincore r1 0..7 mapped\n"
		    "PAGEMAP_SCAN r1 0..7 each\nuserfaultfd r0 0..3 unprotect\nwrite r0 0..7\n"
		    "userfaultfd r0 0..7 protect\nmremap r0 0..7 to r2\n");
	assert_tried(5);
}

TEST(a_limit_fails_only_the_next_call)
{
	play(false, "limit address space\nmmap r0 0..15 anon private rw\n"
		    "mmap r1 0..15 file private rw\n");
	assert_int_equal(player.reached.refused[p.acts[1].verb], 1);
	assert_int_equal(player.reached.done[p.acts[2].verb], 1);
}

TEST(pinned_and_moved_pages_agree_with_the_ledger)
{
	play(false, "mmap r0 0..15 anon private rw\nwrite r0 0..7\nio_uring r0 0..15 closed\n"
		    "mremap r0 8..15 beside\nmmap r1 0..7 anon private rw\nmlock r1 0..7 ONFAULT\n"
		    "mremap r1 0..7 DONTUNMAP beside\nwrite r1 0..15\n");
}

TEST(an_access_below_a_growsdown_mapping_does_not_grow_it)
{
	play(false, "mmap r0 8..15 growsdown rw\nwrite r0 0..15\nmprotect r0 8..11 r\n"
		    "mprotect r0 12..13 rx\nfork p1\nprocess_vm_writev r0 0..15 to p1\n"
		    "munmap r0 8..9\nread r0 0..15\npread r0 0..3\n"
		    "mmap r1 0..7 droppable rw\nwrite r1 0..7\nmlock r1 0..3 ONFAULT\n"
		    "madvise r1 0..7 PAGEOUT\nmlockall FUTURE\nmunlockall\n"
		    "mmap r2 0..15 anon private rw\nname r2 4..7 one\nmadvise r2 8..9 DONTDUMP\n"
		    "write r2 0..15\nmremap r2 4..7 GROW to r3 by 16\nmmap r2 2..12 over r\n");
}

TEST(every_step_of_a_program_is_audited)
{
	uint64_t before = player.steps;

	play(false, "mmap r0 0..15 anon private rw\nwrite r0 0..15\nfork p1\np1 write r0 0..7\n"
		    "exit p1\n");
	assert_int_equal(player.steps - before, 5);
}

/* In a range with a hole every mapped part is registered, whatever the call returns. */
TEST(a_failed_copy_leaves_its_range_registered)
{
	play(true, "mmap r6 0..15 anon shared rw\nuserfaultfd r6 0..31 copy protected asking\n"
		   "write r6 15..15\nmadvise r6 0..3 DONTNEED\n");
}

TEST(pages_that_an_ended_thread_wrote_remain)
{
	play(true, "mmap r0 0..63 anon private rw\nthread write r0 0..31\nmprotect r0 0..15 r\n"
		   "thread write r0 8..40\nfork p1\np1 thread write r0 16..63 by 2\n");
}

TEST(a_mapping_beside_a_region_belongs_to_that_region)
{
	play(true, "mmap r0 0..15 anon private rw\nwrite r0 0..15\nclear_refs soft-dirty\n"
		   "mmap r0 16..19 beside rw\nwrite r0 0..19\nmremap r0 0..19 to r1\n");
	play(true, "mmap r0 0..15 file private rw\nmmap r0 16..19 beside rw\n");
	assert_int_equal(player.reached.refused[p.acts[1].verb], 1);
}

TEST(a_finding_is_printed_as_a_case)
{
	struct finding f = { .step = 3,
			     .d = { .rule = RULE_LEDGER_COUNT,
				    .counter = 5,
				    .precise = 4,
				    .unit = "pages",
				    .metric = "status.VmLck",
				    .text = "as the mappings" } };
	char *text;

	parse("mmap r0 0..3 anon private rw\nfork p2\np2 mlock r0 0..3\n");
	text = PRINTED(out, finding_print_case(&p, &f, "fuzz_found", out));
	assert_says(text, "CASE(fuzz_found) {");
	assert_says(text, "status.VmLck was 5 instead of 4 (as the mappings)");
	assert_says(text, ".processes = 2,");
	assert_says(text, "ACT(0, \"mmap r0 0..3 anon private rw\"),");
	assert_non_null(strstr(text, "ACT(2, \"mlock r0 0..3\")),"));
}

TEST(the_kernel_warning_is_the_reason_in_the_printed_case)
{
	struct finding f = { .d = { .rule = RULE_KERNEL_LOG,
				    .text = "BUG: Bad rss-counter state" } };
	char *text;

	parse("mmap r0 0..3 anon private rw\n");
	text = PRINTED(out, finding_print_case(&p, &f, "fuzz_found", out));
	assert_says(text, "the kernel log: BUG: Bad rss-counter state");
	assert_says_not(text, ".processes");
}

TESTS_SHARE(open_all, close_all);
