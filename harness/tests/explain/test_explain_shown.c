// SPDX-License-Identifier: MIT
/* Names by which tools and exporters show a number: each leads to the number of the right file. */
#include "explain/shown.h"
#include "machine/numbers.h"
#include "tests/explain/recorded_topics.h"

static bool is_found(const struct topics *found, const char *name)
{
	for (size_t i = 0; i < found->nr; i++)
		if (!strcmp(found->of[i].name, name))
			return true;
	return false;
}

TEST(each_row_leads_to_a_number)
{
	size_t nr;
	const struct shown *rows = shown_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		OWNED(topics_free) struct topics found = { .nr = 0 };

		if (strchr(rows[i].name, '*'))
			continue;
		assert_int_equal(topics_find(&found, &all, rows[i].name), 0);
		if (!found.nr)
			fail_msg("%s: nothing is called %s", rows[i].name, rows[i].of);
	}
}

TEST(no_name_has_two_rows)
{
	size_t nr;
	const struct shown *rows = shown_all(&nr);
	char topic[96];

	for (size_t i = 0; i < nr; i++)
		if (!strchr(rows[i].name, '*') &&
		    strcmp(shown_find(rows[i].name, topic, sizeof(topic))->of, rows[i].of) != 0)
			fail_msg("%s has two rows", rows[i].name);
}

TEST(an_exporters_line_is_of_the_machine)
{
	static const struct {
		const char *name, *is;
	} table[] = {
		{ "node_memory_Active_file_bytes", "meminfo.Active(file)" },
		{ "node_memory_Inactive_anon_bytes", "meminfo.Inactive(anon)" },
		{ "node_memory_Cached_bytes", "Cached" },
		{ "node_memory_HugePages_Free", "meminfo.HugePages_Free" },
		{ "node_vmstat_nr_dirty", "vmstat.nr_dirty" },
		{ "container_memory_total_active_file_bytes", "memory.stat active_file" },
		{ "sar -r kbanonpg", "AnonPages" },
		{ "kbanonpg", "AnonPages" },
		{ "majflt/s", "memory.stat pgmajfault" },
		{ "majflt/s", "pidstat majflt/s" },
	};
	struct topics found;

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		assert_int_equal(topics_find(&found, &all, table[i].name), 0);
		if (!is_found(&found, table[i].is))
			fail_msg("%s is not %s", table[i].name, table[i].is);
		topics_free(&found);
	}
}

TEST(each_line_of_meminfo_has_an_exporters_name)
{
	char name[96], topic[96];

	for (int n = 1; n < MACHINE_NUMBERS; n++) {
		char *to = name + sprintf(name, "node_memory_");

		if (machine_row(n)->source != MACHINE_MEMINFO)
			continue;
		for (const char *p = machine_key(n); *p; p++)
			if (*p != ')')
				*to++ = *p == '(' ? '_' : *p;
		strcpy(to, "_bytes");
		assert_non_null(shown_find(name, topic, sizeof(topic)));
		assert_string_equal(topic, machine_row(n)->name);
	}
}
