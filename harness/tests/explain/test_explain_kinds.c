// SPDX-License-Identifier: MIT
/*
 * Kinds of questions that can be asked of many numbers: whether something exceeds its limit, who is
 * charged, what an amount costs, a state of the process, a setting that is too high, a flag or an
 * option that changes the answer.
 */
#include "tests/explain/recorded_topics.h"

/* Checks that a sentence is answered by the question whose first name to look up is `about`. */
static void answered(const char *asked, const char *about)
{
	struct query q = resolved(asked);
	const struct question *by = q.question ? q.question : q.nearest;

	if (!by || (!q.question && !q.nearly && !q.explained) ||
	    strncmp(by->look_up, about, strlen(about)) != 0)
		fail_msg("'%s' is answered by '%s'", asked, by ? by->asks : "nothing");
	query_free(&q);
}

TEST(what_can_exceed_its_limit_is_answered)
{
	answered("can memory.current be larger than memory.max", "memory.max");
	answered("can memory.swap.current go above memory.swap.max", "memory.swap.max");
	answered("can VmLck be larger than ulimit -l", "status.VmLck");
	answered("can I set memory limit with ulimit -v for chrome", "RLIMIT_AS");
	answered("can I cap the page cache of one process", "memory.high");
}

TEST(a_part_of_another_number_is_not_answered_by_a_third_one)
{
	answered("is Mapped a subset of Cached", "Cached");
	answered("is RssFile part of Cached", "status.RssFile");
	answered("gpu memory not shown in RSS", "GPU memory");
}

TEST(who_pays_and_what_costs_memory_is_answered)
{
	answered(
		"who pays for the memory of a pipe or socket buffer, the sender or the receiver cgroup",
		"memory.stat sock");
	answered("who is charged for a tmpfs file that two pods write", "memory.stat shmem");
	answered("does a read only mapping of libc cost memory per process", "shared libraries");
	answered("can two containers share page cache of the same image layer", "file");
}

TEST(an_amount_is_answered_by_a_formula_and_not_by_a_relation)
{
	answered("how much memory does a page table take for a 100GB postgres shared_buffers "
		 "without huge pages",
		 "status.VmPTE");
	answered("struct page overhead of 512GB", "vmemmap");
	answered("how many hugepages for 24 GB", "HugePages_Total");
}

TEST(a_state_of_the_process_and_an_event_are_answered)
{
	answered("is memory of a zombie process freed", "RSS");
	answered("is the memory of a frozen cgroup reclaimed", "RSS");
	answered("why did rss drop after suspend / hibernate", "RSS");
}

TEST(a_value_of_0_of_what_may_be_unreadable_has_its_reason)
{
	answered("perl process shows RSS 0 in top", "top USS");
	answered("htop M_PSS column is 0", "top USS");
	answered("why is psutil uss 0 for other users", "top USS");
	answered("/proc/PID/smaps_rollup permission denied", "smaps_rollup.Pss");
	answered("HugePages_Surp not zero", "meminfo.HugePages_Surp");
}

TEST(a_setting_that_is_too_high_or_has_no_effect_is_answered)
{
	answered("min_free_kbytes too high", "min_free_kbytes");
	answered("vm.max_map_count too low", "max_map_count");
	answered("overcommit_ratio when overcommit_memory=0", "overcommit_ratio");
	answered("swappiness without swap", "swappiness");
}

/* A flag of a call, an option of a tool and "too" are named if the answer says nothing about them.
 */
TEST(what_the_answer_leaves_out_is_named)
{
	static const struct {
		const char *asked, *unknown;
	} rows[] = {
		{ "smemstat -z USS", "'-z'" },
		{ "oom_dump_tasks too high", "'high'" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct query q = resolved(rows[i].asked);

		assert_non_null(strstr(q.unknown, rows[i].unknown));
		query_free(&q);
	}
}

/* "SHM_HUGETLB" is a flag of shmget(2), whose other pages count elsewhere. */
TEST(the_text_about_a_flag_begins_at_the_flag)
{
	answered("shmget SHM_HUGETLB rss", "hugetlb");
	answered("memfd MFD_HUGETLB pss", "hugetlb");
}

TEST(a_field_of_a_tool_is_no_misspelling)
{
	struct query q = resolved(
		"what part of kernel memory belongs to network sockets ss -m skmem");

	assert_string_equal(q.read_as, "");
	query_free(&q);
}
