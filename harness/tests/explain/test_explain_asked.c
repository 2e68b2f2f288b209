// SPDX-License-Identifier: MIT
/*
 * An answer must be about the question that was asked: about each of its words, and in the same
 * direction.
 */
#include "base/list.h"
#include "tests/explain/recorded_topics.h"

static void assert_answered_by(const char *asked, const char *first)
{
	OWNED(query_free) struct query q = resolved(asked);

	if (!is_answered(&q) || strcmp(first_of(&q), first))
		fail_msg("'%s': kind %d, '%s'", asked, (int)q.kind, first_of(&q));
}

static void assert_not_answered_by(const char *asked, const char *question)
{
	OWNED(query_free) struct query q = resolved(asked);

	if (q.kind == QUERY_QUESTION && !strcmp(q.question->asks, question))
		fail_msg("'%s' is answered by '%s'", asked, question);
}

static void assert_none_answered(const char *const *asked, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		OWNED(query_free) struct query q = resolved(asked[i]);

		if (is_answered(&q))
			fail_msg("'%s' is answered by '%s'", asked[i], first_of(&q));
	}
}

TEST(the_direction_of_a_comparison_belongs_to_the_question)
{
	static const char less[] = "Why is MemAvailable not free + buffers + cached?";
	static const char more[] = "Why is MemAvailable larger than free + buff/cache?";

	assert_answered_by("free + buff/cache less than available??", more);
	assert_answered_by("available more than free plus buffers and cached", more);
	assert_answered_by("why is available less than free + buffers + cached", less);
	assert_answered_by("why is RSS larger than the heap", "Why is RSS larger than the heap?");
	assert_not_answered_by("why is the heap larger than RSS",
			       "Why is RSS larger than the heap?");
	assert_not_answered_by("why is RSS less than the heap", "Why is RSS larger than the heap?");
	assert_answered_by("lxc container free -h used more than on host",
			   "Why do memory numbers in and outside an LXC container differ?");
	assert_answered_by("kubectl top pod lower than docker stats",
			   "Why do kubectl top and docker stats differ?");
	assert_answered_by(
		"memory.current greater than sum of RSS of all its processes",
		"How do the RSS of processes and the memory.current of a container differ?");
}

TEST(a_question_with_other_words_is_another_one)
{
	assert_answered_by("default kubelet eviction threshold memory.available",
			   "What is the kubelet's default eviction threshold?");
	assert_answered_by("jvm rss 2.2gb but container usage grows to 3gb limit",
			   "What grows in a container's usage while RSS is stable?");
	assert_answered_by("systemd-cgtop root row vs sum of child slices",
			   "What is the root row of systemd-cgtop?");
	assert_not_answered_by("kubelet memory usage high",
			       "How does the kubelet calculate memory.available?");
}

TEST(a_question_may_be_about_either_direction)
{
	assert_answered_by("qemu process larger than its guest",
			   "Why is a QEMU process larger or smaller than its guest?");
	assert_answered_by("qemu process smaller than its guest",
			   "Why is a QEMU process larger or smaller than its guest?");
}

TEST(words_that_change_the_question_are_not_left_out)
{
	static const char *const others[] = {
		"why does the new top show more than the old ps",
		"find process with most page cache of a file",
		"peak of the sum of PSS of all chrome processes",
		"Hugetlb 45GB where did it come from",
		"RssFile bigger than file size",
		"pagemap bit 61 what sets it",
		"why does MADV_DONTNEED not reduce RSS",
	};

	assert_answered_by("htop 3.2 shows 111M old htop showed 516M same machine",
			   "Why do two versions of htop show different used memory?");
	assert_answered_by("SUnreclaim 45GB where did it come from",
			   "Why is SUnreclaim large, or why does it grow?");
	assert_answered_by("measure peak memory of command including all children",
			   "What is the peak memory of a command with all its children?");
	assert_answered_by("which files are in page cache",
			   "Which files have how much page cache?");
	assert_answered_by("soft-dirty bit 55 pagemap what sets it",
			   "What sets the soft-dirty bit of pagemap?");
	assert_none_answered(others, sizeof(others) / sizeof(*others));
}

TEST(a_word_that_changes_nothing_is_left_out)
{
	assert_answered_by("thp_fault_fallback counter", "thp_fault_fallback");
	assert_answered_by("memory.peak what exactly it records", "memory.peak");
	assert_answered_by("Committed_AS meaning in simple words", "Committed_AS");
	assert_answered_by("how kernel calculate MemAvailable", "MemAvailable");
	assert_answered_by("Private_Clean non zero what kind of memory is that",
			   "smaps.Private_Clean");
	assert_answered_by("CmaTotal CmaFree yocto imx8 meaning", "CmaTotal");
	assert_answered_by("FilePmdMapped ShmemPmdMapped what is it", "meminfo.FilePmdMapped");
	assert_answered_by("postgres with huge_pages on RES small, where is shared_buffers",
			   "huge_pages");
	assert_answered_by("echo 5 > /proc/PID/clear_refs reset peak", "clear_refs");
	/* "kernel" here is not the release of a kernel. */
	assert_answered_by("kernel stack", "KernelStack");
}

TEST(a_number_beside_a_name_is_its_value)
{
	assert_answered_by("rsslim 18446744073709551615 in /proc/pid/stat", "stat.rsslim");
	assert_answered_by("18446744073709551615", "RLIMIT_AS");
}

TEST(a_field_is_found_by_an_ordinal_and_beside_its_unit)
{
	assert_answered_by("statm third field shared what pages counts",
			   "What is field 3 of /proc/PID/statm, shared?");
	assert_answered_by("proc pid stat field 24 rss is pages or kb",
			   "What is field 24 of /proc/PID/stat, rss?");
}

TEST(the_effect_of_a_call_is_a_relation)
{
	static const char *const asked[] = {
		"does MADV_DONTNEED reduce RSS immediately",
		"MADV_COLD vs MADV_PAGEOUT what change in smaps",
		"after munmap RSS goes down but VmPeak not",
		"memory.stat anon does it contain tmpfs",
		"memory.swap.current counts zswapped pages?",
		"Zswap and Zswapped which one is compressed size",
		"Slab in meminfo vs slabtop total different",
	};

	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		OWNED(query_free) struct query q = resolved(asked[i]);

		if (q.kind != QUERY_WORDS || !q.relation[0])
			fail_msg("'%s': kind %d, '%s'", asked[i], (int)q.kind, q.relation);
	}
}

TEST(a_relation_of_one_pair_among_three_names_it)
{
	OWNED(query_free)
	struct query q = resolved("top SHR vs smaps Shared_Clean vs smaps Shared_Dirty");

	assert_int_equal(q.kind, QUERY_WORDS);
	assert_non_null(strstr(q.relation, "smaps.Shared_Clean, smaps.Shared_Dirty:"));
}

TEST(an_ordinary_word_is_no_misspelling)
{
	static const char *const asked[] = {
		"zoneinfo spanned present managed difference",
		"Committed_AS meaning in simple words",
		"raise vm.min_free_kbytes MemAvailable became lower",
		"swap usage after swapin, SwapCached grow",
	};

	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		OWNED(query_free) struct query q = resolved(asked[i]);

		assert_string_equal(q.read_as, "");
	}
}

TEST(another_system_is_named_and_none_of_its_words_explained)
{
	static const struct {
		const char *asked, *system;
	} rows[] = {
		{ "windows task manager private working set vs commit size", "windows" },
		{ "macOS memory pressure yellow compressed memory activity monitor", "macos" },
		{ "freebsd wired memory ARC top htop wrong", "freebsd" },
		{ "RSS of docker on linux", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(query_free) struct query q = resolved(rows[i].asked);

		assert_string_equal(q.system, rows[i].system);
		if (q.system[0]) {
			assert_false(is_answered(&q));
			assert_int_equal(q.found.nr, 0);
		}
	}
	assert_answered_by("windows working set", "Windows working set");
}

TEST(a_call_is_not_the_command_of_its_name)
{
	assert_answered_by("free() called but process memory not released to OS",
			   "Why does RSS not fall after free()?");
	assert_answered_by("free(3) called but process memory not released to OS",
			   "Why does RSS not fall after free()?");
	assert_answered_by("munmap", "munmap");
	assert_answered_by("free", "free");
}

TEST(a_heap_is_that_of_the_named_runtime)
{
	static const struct {
		const char *asked, *heap;
	} rows[] = {
		{ "elasticsearch heap circuit breaker parent data too large", "Java heap" },
		{ "the heap of frobnicate", "heap" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(query_free) struct query q = resolved(rows[i].asked);

		assert_string_equal(first_of(&q), rows[i].heap);
	}
}

static void assert_related(const char *asked, const char *words)
{
	OWNED(query_free) struct query q = resolved(asked);

	if (q.kind != QUERY_WORDS || !strstr(q.relation, words))
		fail_msg("'%s': kind %d, '%s'", asked, (int)q.kind, q.relation);
}

TEST(each_relation_is_between_known_numbers)
{
#define QUANTITY(id, name, topics)
#define ACTION(id, name, topics)
#define PART(whole, part)
#define DIVIDED(whole, part)
#define RELATION(a, b, sentence)     #b,
#define RELATIONS(a, list, sentence) list,
	static const char *const lists[] = {
#include "explain/relations.def"
	};
	char id[32];

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		for (const char *list = lists[i]; list_next(&list, "|", id, sizeof(id));)
			if (!relation_has_quantity(id))
				fail_msg("%s is no quantity of relations.def", id);
}

/* effects.def has one row for many numbers. */
TEST(what_an_operation_does_to_a_number_is_known)
{
	assert_related("does MADV_FREE reduce RSS", "frees nothing immediately");
	assert_related("does drop_caches free anonymous memory", "frees no anonymous memory");
	assert_related("does UFFDIO_COPY memory count in cgroup", "charged to the cgroup");
	assert_related("does compaction free memory", "frees no memory");
	assert_related("does free() lower VSZ", "lowers VIRT only");
	assert_related("does MAP_NORESERVE work with overcommit_memory=2", "does not work");
	assert_related("ps rss vs top RES", "Both are RSS");
}

/* "free" is a verb only between "does X" and a number. */
TEST(free_of_top_is_no_verb)
{
	OWNED(query_free) struct query q = resolved("does top show free");

	assert_true(q.kind != QUERY_WORDS || !q.relation[0]);
}

/* A name that has no default, or whose text does not say it, does not answer the question for one.
 */
TEST(a_default_is_not_left_out)
{
	OWNED(query_free) struct query unsaid = resolved("smaps.Pss default");
	OWNED(query_free) struct query said = resolved("vm.dirty_expire_centisecs default");

	assert_int_equal(unsaid.kind, QUERY_NEAR);
	assert_int_equal(said.kind, QUERY_SPELLING);
}

TEST(a_path_that_is_no_file_of_the_kernel_is_not_its_last_word)
{
	OWNED(query_free) struct query q = resolved("/foo/classes/heap/free");

	assert_int_equal(q.found.nr, 0);
}
