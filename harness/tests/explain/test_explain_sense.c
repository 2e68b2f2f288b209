// SPDX-License-Identifier: MIT
/* The subject of a sentence decides, not a single word in it. */
#include "explain/field.h"
#include "tests/explain/recorded_topics.h"

static void assert_means(const char *asked, const char *first)
{
	OWNED(query_free) struct query q = resolved(asked);

	if (q.kind == QUERY_NEAR || strcmp(first_of(&q), first))
		fail_msg("'%s' is answered by '%s', not by '%s'", asked, first_of(&q), first);
}

TEST(a_name_of_several_words_is_one_name)
{
	assert_means("unit peak memory reporting incorrect", "memory.peak");
	assert_means("systemctl status memory", "systemd-cgtop");
	assert_means("dumpsys meminfo", "dumpsys meminfo");
	assert_means("MemorySwapMax=", "MemorySwapMax");
	assert_means("MemoryPeak", "MemoryPeak");
	assert_means("peak memory of a systemd service", "MemoryPeak");
	assert_means("process_resident_memory_bytes prometheus meaning",
		     "Prometheus process_resident_memory_bytes");
	assert_means("process_resident_memory_bytes prometheus",
		     "Prometheus process_resident_memory_bytes");
	assert_means("shared_buffers postgres",
		     "Why does each PostgreSQL backend show the shared buffers?");
}

TEST(a_question_of_what_is_included_is_answered_by_what_is)
{
	assert_means("are reserved hugepages included in HugePages_Free",
		     "Where are reserved hugetlb pages counted?");
	assert_means("is HugePages_Rsvd part of HugePages_Free",
		     "Where are reserved hugetlb pages counted?");
	assert_means("hugepages reserved but free memory low",
		     "Why do hugetlb pages lower the free memory?");
	assert_means("is ksm pages_sharing or pages_shared the saved memory",
		     "What are pages_shared and pages_sharing of KSM?");
}

TEST(a_unit_of_a_name_asks_for_no_unit_of_measurement)
{
	OWNED(query_free) struct query name = resolved("unit peak memory reporting incorrect");
	OWNED(query_free) struct query unit = resolved("memory.peak units");

	assert_string_equal(name.unit, "");
	assert_string_not_equal(unit.unit, "");
}

TEST(a_word_that_says_little_or_is_in_the_answer_is_understood)
{
	assert_means("does page cache count toward the container memory limit",
		     "Does a memory limit include page cache?");
	assert_means("buff/cache not released after drop_caches",
		     "Why does drop_caches not free all cached memory?");
	assert_means("memory.current not back to zero after all processes of the cgroup exit",
		     "Why is memory still charged after all processes have ended?");
	assert_means("Does the Node.js --max-old-space-size limit RSS?",
		     "Does --max-old-space-size limit RSS?");
}

TEST(the_opposite_of_a_question_is_another_question)
{
	static const char *const asked[] = {
		"what kills a container instead of memory.max",
		"why does RSS fall when I free memory",
		"peak memory usage of systemd services",
		"why does Go's RSS fall suddenly",
		"does nothing but page cache count toward the container memory limit",
		"memory.current back to zero after restarting all processes of the cgroup exit",
	};

	assert_means("container restarted with OOMKilled but no line in dmesg",
		     "Why is there no line \"Killed process\" for an OOMKilled container?");
	assert_means("why was the pod not restarted after one process was OOMKilled",
		     "Why is a container not restarted though a process in it was OOM-killed?");
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		OWNED(query_free) struct query q = resolved(asked[i]);

		if (q.kind != QUERY_NEAR && q.kind != QUERY_NONE)
			fail_msg("'%s' is answered by '%s'", asked[i], first_of(&q));
	}
}

/* "VmSwap is 0", "no files", "RES never falls" reverse what the known question assumes. */
TEST(what_turns_the_premise_round_belongs_to_the_question)
{
	static const char *const asked[] = {
		"RssShmem 0 kB and large",          "is RSS zero a memory leak that grows",
		"calloc fails though malloc works", "why is RSS high but malloc small",
		"swap is 0 but VmSwap is high",     "why does Cached grow but MemAvailable too",
	};

	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		OWNED(query_free) struct query q = resolved(asked[i]);

		if (q.kind == QUERY_QUESTION)
			fail_msg("'%s' is answered by '%s'", asked[i], first_of(&q));
	}
	assert_means("VmSwap 0 kB but system swap is full", "Why is VmSwap 0 though swap is used?");
	assert_means("Shmem in meminfo high no tmpfs files",
		     "Why is Shmem large though tmpfs has no files?");
	assert_means("why is VIRT so high but RES low", "Why is RES small though VIRT is large?");
}

TEST(a_subject_that_a_question_lacks_makes_it_another_question)
{
	assert_means("docker stats MEM USAGE / LIMIT includes page cache?",
		     "What does docker stats subtract?");
	assert_means("jvm heap shrinks after GC but RES never goes down",
		     "Why does Java not return memory to the system?");
	assert_means("why does memory not fall after free() in nginx",
		     "Why does RSS not fall after free()?");
}

static void assert_read(const char *asked, const char *read_as, const char *first)
{
	OWNED(query_free) struct query q = resolved(asked);

	assert_string_equal(q.read_as, read_as);
	assert_string_equal(first_of(&q), first);
}

TEST(a_word_with_one_wrong_letter_is_read_as_the_known_one)
{
	assert_read("which proces is using swap", "process",
		    "How much swap does each process use?");
	assert_read("residant memory vs virutal memory", "resident, virtual",
		    "What is the difference between RSS and VSZ?");
	assert_read("is it a memroy leak", "memory", "Is it a memory leak?");
	assert_read("what is the diffrence between heap and rss", "difference", "heap");
	assert_read("nginx vs caddy memory", "", "nothing");
}

TEST(a_field_is_found_by_its_number)
{
	assert_means("proc stat field 24", "What is field 24 of /proc/PID/stat, rss?");
	assert_means("what is the 14th field of /proc/[pid]/stat",
		     "What is field 14 of /proc/PID/stat, utime?");
	assert_means("statm column 2", "What is field 2 of /proc/PID/statm, resident?");
	assert_means("/proc/1234/stat field 3", "What is field 3 of /proc/PID/stat, state?");
	assert_means("awk '{print $23}' /proc/1234/stat",
		     "What is field 23 of /proc/PID/stat, vsize?");
}

TEST(every_field_has_its_number_and_refers_to_existing_names)
{
	size_t nr;
	const struct question *f = fields_all(&nr);

	assert_int_equal(nr, 52 + 7);
	for (size_t i = 0; i < nr; i++) {
		char asked[64];
		struct topics found;

		snprintf(asked, sizeof(asked), "%.*s", (int)strcspn(f[i].look_up, ","),
			 f[i].look_up);
		assert_int_equal(topics_find(&found, &all, asked), 0);
		if (!found.nr)
			fail_msg("'%s' refers to '%s'", f[i].asks, asked);
		topics_free(&found);
		snprintf(asked, sizeof(asked), "field %s of %.*s", strchr(f[i].words, ' ') + 1,
			 (int)strcspn(f[i].words, " "), f[i].words);
		assert_means(asked, f[i].asks);
	}
}

static void assert_explained(const char *asked, bool explained)
{
	OWNED(query_free) struct query q = resolved(asked);

	if (q.kind != QUERY_NEAR || q.explained != explained)
		fail_msg("'%s': kind %d, explained %d", asked, (int)q.kind, q.explained);
}

TEST(a_sentence_whose_words_are_all_explained_is_answered)
{
	static const struct {
		const char *asked;
		bool explained;
	} rows[] = {
		{ "nodejs process.memoryUsage rss vs heapTotal vs external", true },
		{ "what is swap in vmstat si so", true },
		{ "Buffers in /proc/meminfo shrinking", false },
		{ "the PSS of a quiet Tuesday", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_explained(rows[i].asked, rows[i].explained);
}

/* A negation is explained only by a clause that also has one, and all words to which it refers. */
TEST(a_clause_explains_what_turns_the_sense)
{
	static const struct {
		const char *asked;
		bool explained;
	} rows[] = {
		{ "oom_score_adj -1000 means never killed?", true },
		{ "oom_score_adj -1000 process killed", false },
		{ "oom_score_adj -500 means never killed?", false },
		{ "why does oom_score_adj not apply", false },
		{ "why is shared_buffers not in process RSS when huge_pages=on", true },
		{ "why is shared_buffers not in VmSize when huge_pages=on", false },
		{ "docker run -m 512m --memory-swap 512m means no swap?", true },
		{ "exit code 137 but VmSwap is 0", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_explained(rows[i].asked, rows[i].explained);
}

TEST(two_values_of_a_setting_or_one_name_twice_ask_for_one_name)
{
	assert_means("vm.vfs_cache_pressure 50 vs 100", "vfs_cache_pressure");
	assert_means("shmem in free shared column what is it", "shmem");
	assert_means("swappiness 40 means swap at 40 % usage",
		     "Does vm.swappiness 40 mean that swapping begins at 40 % of memory?");
	assert_means("java process RES 5.3g but -Xmx4g", "How do RSS and -Xmx of a JVM differ?");
	assert_means("Node 0 Normal: 5*4kB (UME) 3*8kB",
		     "What does \"Node 0 DMA: 1*4kB (U) ... = kB\" mean?");
	assert_means("all_unreclaimable? yes", "What does \"all_unreclaimable? yes\" mean?");
}

/* A word that reverses the meaning, such as "not", is never left out. */
TEST(a_near_answer_names_the_words_that_it_leaves_out)
{
	static const struct {
		const char *asked, *unknown;
		bool nearly;
	} rows[] = {
		{ "cockpit shows all ram used by zfs arc, where is it in meminfo", "'cockpit'",
		  true },
		{ "memory.kmem.usage_in_bytes what objects", "'objects'", true },
		{ "GOMEMLIMIT does not limit RSS", "'not'", false },
		{ "busybox free used is wrong", "'busybox'", false },
		{ "dma-buf memory leak", "'dma-buf'", false },
		{ "cpu steal time high on ec2 t3", "'steal', 'high', 't3'", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(query_free) struct query q = resolved(rows[i].asked);

		if (q.nearly != rows[i].nearly)
			fail_msg("'%s': nearly %d", rows[i].asked, q.nearly);
		assert_string_equal(q.unknown, rows[i].unknown);
	}
	assert_means("swap used although plenty of RAM is free",
		     "Why is swap used though memory is free?");
	assert_means("why oom killer kills the wrong process", "How does the OOM killer choose?");
}

TEST(a_word_is_taken_in_the_sense_of_its_neighbours)
{
	assert_means("proc/[pid]/statm inaccurate man page says",
		     "Why is statm called inaccurate?");
	assert_means("free() does not reduce RSS", "Why does RSS not fall after free()?");
	assert_means("is buff/cache actually free memory?", "Is cached memory free?");
	assert_means("windows working set", "Windows working set");
	assert_means("MemoryHigh=1G of user-1005.slice not limiting",
		     "Why does MemoryHigh= not limit the memory?");
	assert_means("MemAvailable 2044 K", "MemAvailable");
	assert_means("kubectl top pod 922Mi, docker stats 330MiB same container",
		     "Why do kubectl top and docker stats differ?");
}

TEST(a_program_in_a_question_of_how_to_is_not_dropped)
{
	assert_means("how to read RSS in python", "How does a program read its own memory?");
	assert_means("how to check memory per user", "How is the memory of each user measured?");
	assert_means("how to disable THP", "How are transparent huge pages turned off?");
	assert_means("how to monitor memory over time of a process",
		     "How is the memory of a process recorded over time?");
}

TEST(a_relation_says_what_a_name_is_read_as)
{
	OWNED(query_free)
	struct query q = resolved("container_memory_usage_bytes includes page cache?");

	assert_non_null(strstr(q.relation, "container_memory_usage_bytes is read as"));
}
