// SPDX-License-Identifier: MIT
/* A number just below 2^64 is a difference below 0, in each unit and on each line. */
#include "explain/wrapped.h"
#include "tests/explain/recorded_topics.h"

static void assert_of_wrapped(const char *text, const char *word)
{
	OWNED(query_free) struct query q = resolved(text);

	if (q.kind != QUERY_QUESTION || !question_has(q.question, word))
		fail_msg("'%s' is not answered as a value that cannot be", text);
}

static const char *const values[] = {
	"18446744073709551488",
	"18446744073709551615",
	"18014398509480992",
	"4503599627370240",
	"17592186043423",
	"17179869183",
	"17592186043423M",
	"16.0Z",
	"16E",
	"16777216T",
	"18.4EB",
	"16 EiB",
};

TEST(each_line_with_a_value_near_the_end_of_the_range_is_answered_by_it)
{
	static const char *const lines[] = {
		"SwapFree: %s kB",
		"CommitLimit: %s kB",
		"MemFree: %s kB",
		"MemAvailable: %s kB",
		"Cached: %s kB",
		"Percpu: %s kB",
		"VmSwap: %s kB",
		"RssAnon: %s kB",
		"Rss: %s kB",
		"anon %s",
		"nr_dirty %s",
		"memory.current %s",
		"used_memory_rss:%s",
		"Swap: %s 0 300",
		"Mem: 8192 %s 500 2 352 1000",
		"MiB Swap: 2048.0 total, %s free, 10.0 used. 3410.0 avail Mem",
		"76829 root 20 0 95.3g %s 828 R 56.4 63.8 29424:59 redis-server",
		"vcap 154 0.1 1.5 1691384 %s ?  Sl   Jun01   1:29 node app.js",
		"2 0 %s 9551268 134704 12128596 0 0 368 3614 614 1594 55 10 35 0 0",
		"07:29:33 %s 21235200 2854652 11.54 134544 11557684 6947052 28.09 3327712 11102772 3588",
		"c137012d8af9 0.00% %s / 64GiB 0.73% 24.6GB / 29.5GB 0B / 49.7GB 42",
		"Memory: 3.9G (peak: %s)",
		"lxd container shows %s used swap",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		for (size_t v = 0; v < sizeof(values) / sizeof(*values); v++) {
			const char *at = strstr(lines[i], "%s");
			char text[256];

			snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - lines[i]), lines[i],
				 values[v], at + 2);
			assert_of_wrapped(text, "16.0z");
		}
	}
}

TEST(reserved_pages_below_zero_have_a_reason_of_their_own)
{
	assert_of_wrapped("HugePages_Rsvd: 18446744073709551615", "hugepages_rsvd");
	assert_of_wrapped("HugePages_Rsvd:    18446744073709551612", "hugepages_rsvd");
}

TEST(values_that_a_machine_can_have_and_limits_are_none)
{
	static const char *const texts[] = {
		"18446744073709551615",
		"rsslim 18446744073709551615",
		"kernel.shmmax = 18446744073692774399",
		"process_virtual_memory_max_bytes 18446744073709551615",
		"hierarchical_memory_limit 9223372036854771712",
		"Mem: 16044 15500 544 0 210 9100",
		"VmallocTotal: 34359738367 kB",
		"memory.current 17179865088",
		"MemTotal: 17179869180 kB",
		"RSS 16G",
		"18.4GB",
		"16 GiB",
		"16 E",
		"0x16E",
		"5555 (java) S 1 5555 0 18446744071579755348 0",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (text_has_wrapped(texts[i]))
			fail_msg("'%s' is taken as a difference below 0", texts[i]);
}
