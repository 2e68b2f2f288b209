// SPDX-License-Identifier: MIT
/*
 * Two files or two programs may use one name for different numbers. The wrong one must not be
 * explained.
 */
#include "machine/numbers.h"
#include "tests/explain/recorded_topics.h"

static const struct row *row_called(const char *title)
{
	size_t nr;
	const struct row *rows = rows_all(&nr);

	for (size_t i = 0; i < nr; i++)
		if (!strcmp(rows[i].title, title))
			return &rows[i];
	fail_msg("no row is called '%s'", title);
	return NULL;
}

static bool is_pasted_as(const char *text, const char *title)
{
	OWNED(query_free) struct query q = resolved(text);
	bool is = false;

	for (size_t i = 0; i < q.nr_rows; i++)
		is |= !strcmp(q.rows[i].row->title, title);
	return is;
}

static void assert_each_pair(const char *form, const char *title, bool is)
{
	const struct row *row = row_called("memory.stat of a cgroup");
	char text[256];

	for (size_t i = 0; row->of[i + 1].name; i++) {
		snprintf(text, sizeof(text), form, row->of[i].name, row->of[i + 1].name);
		if (is_pasted_as(text, title) != is)
			fail_msg("'%s' is%s '%s'", text, is ? " not" : "", title);
	}
}

TEST(only_the_form_of_memory_stat_is_read_as_memory_stat)
{
	static const char title[] = "memory.stat of a cgroup";

	assert_each_pair("%s 1204332 %s 3981200", title, true);
	assert_each_pair("%s: 1204332 kB %s: 3981200 kB", title, false);
	assert_each_pair("%s 1204332 kB %s 3981200 kB", title, false);
	assert_each_pair("%s:12043 %s:39812", title, false);
	assert_each_pair("%s:1kB %s:2kB", title, false);
}

/* Some lines of /proc/meminfo have the names of lines of memory.stat or smaps. */
TEST(lines_of_meminfo_are_no_lines_of_a_cgroup)
{
	const char *last = NULL;
	char text[256];

	for (int n = 1; n < MACHINE_NUMBERS; n++) {
		if (machine_row(n)->source != MACHINE_MEMINFO)
			continue;
		snprintf(text, sizeof(text), "%s: 1204332 kB %s: 3981200 kB",
			 last ? last : "MemTotal", machine_key(n));
		last = machine_key(n);
		OWNED(query_free) struct query q = resolved(text);

		for (size_t i = 0; i < q.found.nr; i++)
			if (!strncmp(q.found.of[i].name, "memory.stat ", 12))
				fail_msg("'%s' is '%s'", text, q.found.of[i].name);
		assert_int_equal(q.nr_rows, 0);
	}
}

TEST(each_line_of_meminfo_is_known_alone)
{
	char text[128];

	for (int n = 1; n < MACHINE_NUMBERS; n++) {
		if (machine_row(n)->source != MACHINE_MEMINFO)
			continue;
		snprintf(text, sizeof(text), "%s: 1204332 kB", machine_key(n));
		OWNED(query_free) struct query q = resolved(text);

		if (!q.found.nr && q.kind != QUERY_QUESTION)
			fail_msg("'%s' is unknown", text);
		for (size_t i = 0; i < q.found.nr; i++)
			if (q.found.of[i].kind == TOPIC_CASE)
				fail_msg("'%s' is the case %s", text, q.found.of[i].name);
	}
}

/* "active_anon:12kB" is from the kernel's log, not from memory.stat of a cgroup. */
TEST(a_line_with_a_unit_is_no_line_of_memory_stat)
{
	const struct row *row = row_called("memory.stat of a cgroup");
	char text[128];

	for (size_t i = 0; row->of[i].name; i++) {
		snprintf(text, sizeof(text), "%s:3981200kB", row->of[i].name);
		OWNED(query_free) struct query q = resolved(text);

		for (size_t k = 0; k < q.found.nr; k++)
			if (!strncmp(q.found.of[k].name, "memory.stat ", 12))
				fail_msg("'%s' is '%s'", text, q.found.of[k].name);
	}
}

/* The first lines of Mem-Info are in pages, those of nodes and zones in kB. */
TEST(mem_info_is_in_pages_only_without_a_unit)
{
	static const char title[] = "Counters of Mem-Info, in the kernel's log";
	const struct row *row = row_called(title);
	char text[256];

	for (size_t i = 0; row->of[i + 1].name; i++) {
		snprintf(text, sizeof(text), "%s:694kB %s:5579kB free_pcp:1kB", row->of[i].name,
			 row->of[i + 1].name);
		if (is_pasted_as(text, title))
			fail_msg("'%s' is in pages", text);
	}
	assert_true(is_pasted_as("free:5423 free_pcp:30 free_cma:0", title));
}

/* "7 columns" is a number of columns; "column 7" is one of them. */
TEST(a_number_of_fields_is_no_field)
{
	static const char *const files[] = { "stat", "statm", "/proc/PID/stat",
					     "/proc/self/statm" };
	static const char *const nouns[] = { "columns", "fields", "numbers", "values", "entries" };
	static const char *const forms[] = { "%s %d %s", "the %2$d %3$s of %1$s",
					     "why has %s %d %s" };
	char text[128];

	for (size_t i = 0; i < 4 * 5 * 3 * 7; i++) {
		snprintf(text, sizeof(text), forms[i / 20 % 3], files[i % 4], (int)(i / 60) + 1,
			 nouns[i / 4 % 5]);
		OWNED(query_free) struct query q = resolved(text);

		if (q.kind == QUERY_QUESTION && strstr(q.question->asks, "What is field"))
			fail_msg("'%s' is answered by '%s'", text, q.question->asks);
	}
}

TEST(a_label_of_several_words_is_a_name_as_a_whole)
{
	static const char *const labels[] = {
		"Free Pages",
		"Used Heap",
		"Total PSS Android",
		"Cached Apps",
		"Free Blocks",
		"Lost Memory",
		"Missing RAM",
		"Gone GB",
		"Active Heap",
		"Shared Pool",
		"Dirty Buffers MB",
		"Swap Heap",
		"Private Pool",
		"Memory Gone",
		"RAM Lost",
		"Available",
		"Shared",
		"Heap",
		"Used",
		"Total",
		"Private",
		"Resident",
		"Committed",
	};
	char text[64];

	for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++) {
		snprintf(text, sizeof(text), "%s: 287,420K", labels[i]);
		OWNED(query_free) struct query q = resolved(text);

		if (q.found.nr || q.kind == QUERY_QUESTION)
			fail_msg("'%s' is '%s'", text,
				 q.found.nr ? q.found.of[0].name : q.question->asks);
	}
}

/* "available" of virsh is not MemAvailable: a tool's name for a number is not the kernel's. */
TEST(the_names_of_other_tools_are_not_the_kernels)
{
	static const char *const tools[] = { "virsh domstats", "jstat",     "dumpsys gfxinfo",
					     "memcached",      "mongostat", "vmmap",
					     "freeablememory", "pprof" };
	static const char *const names[] = { "available", "free",   "used",     "active",
					     "inactive",  "shared", "cached",   "buffers",
					     "total",     "dirty",  "resident", "heap",
					     "committed" };
	char text[128];

	for (size_t i = 0; i < 8 * 13; i++) {
		snprintf(text, sizeof(text), "%s %s", tools[i % 8], names[i / 8]);
		OWNED(query_free) struct query q = resolved(text);

		for (size_t k = 0; k < q.found.nr; k++)
			if (!strstr(q.found.of[k].name, "dumpsys"))
				fail_msg("'%s' is '%s'", text, q.found.of[k].name);
	}
}

TEST(the_tools_own_entry_explains_its_names)
{
	OWNED(query_free) struct query q = resolved("virsh dommemstat unused usable available");

	assert_int_equal(q.found.nr, 1);
	assert_string_equal(q.found.of[0].name, "virsh dommemstat");
}

TEST(a_question_with_the_same_words_is_not_answered_by_another)
{
	static const struct {
		const char *asked, *not ;
	} rows[] = {
		{ "vmstat si so high but swpd 0",
		  "Is there swapping if si and so of vmstat are zero?" },
		{ "vmstat si 0 so 500", "Is there swapping if si and so of vmstat are zero?" },
		{ "mysqld RES smaller than buffer pool",
		  "Why is RES of mysqld larger than its buffer pool?" },
		{ "swap usage inside lxc container not limited",
		  "Why do memory numbers in and outside an LXC container differ?" },
		{ "MemoryHigh unknown lvalue", "Why has MemorySwapMax= or MemoryHigh= no effect?" },
		{ "android app pss larger than rss",
		  "Is PSS or RSS the memory of an Android app?" },
		{ "first 3 fields of statm", "What is field 1 of /proc/PID/statm, size?" },
		{ "fields 14 and 15 of /proc/PID/stat",
		  "What is field 14 of /proc/PID/stat, utime?" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(query_free) struct query q = resolved(rows[i].asked);
		const struct question *by;

		by = q.kind == QUERY_QUESTION ? q.question : q.nearly ? q.nearest : NULL;
		if (by && !strcmp(by->asks, rows[i].not ))
			fail_msg("'%s' is answered by '%s'", rows[i].asked, by->asks);
	}
}

/* Without "wsl" or "gpu" a question would be about any Linux machine. */
TEST(a_platform_is_never_left_out)
{
	static const char *const asked[] = { "wsl memory limit",
					     "gpu shared memory used by process", "memory: 512Mi",
					     "available 1011248",
					     "memory used: 80% swap used: 10%" };

	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		OWNED(query_free) struct query q = resolved(asked[i]);

		if (q.nearly || q.kind == QUERY_QUESTION || q.kind == QUERY_ROW ||
		    q.kind == QUERY_SPELLING)
			fail_msg("'%s' is answered: kind %d", asked[i], (int)q.kind);
	}
}

TEST(other_subjects_are_out_of_scope)
{
	static const char *const outside[] = {
		"df shows disk full but du does not",
		"load average 24 but cpu is idle",
		"nvidia-smi GPU memory usage not released",
		"iostat await high",
	};
	static const char *const inside[] = {
		"does disk cache count as used memory",
		"is GPU memory in RSS",
		"why is RSS large while cpu is idle",
	};

	for (size_t i = 0; i < sizeof(outside) / sizeof(*outside); i++) {
		OWNED(query_free) struct query q = resolved(outside[i]);

		if (!q.outside || q.explained || q.nearly)
			fail_msg("'%s' is in scope", outside[i]);
	}
	for (size_t i = 0; i < sizeof(inside) / sizeof(*inside); i++) {
		OWNED(query_free) struct query q = resolved(inside[i]);

		if (q.outside)
			fail_msg("'%s' is out of scope", inside[i]);
	}
}
