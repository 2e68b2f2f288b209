// SPDX-License-Identifier: MIT
/* The audit of one process, on made-up readings. */
#include "scan/audit/print.h"
#include "tests/support/json.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"

enum { PAGE = 4096, KB = PAGE / 1024 };

static void set(struct values *v, enum metric_id id, int64_t value)
{
	v->of[id] = value;
	v->have[id] = true;
}

/* 100 anonymous, 30 file and 5 shmem pages, and counters that agree with them. */
static struct reading honest(void)
{
	struct reading p = { .who = { .pid = 1234, .threads = 3, .name = "made" },
			     .nr = 2,
			     .confirmed = true };
	const struct {
		enum metric_id id;
		int64_t value;
	} says[] = {
		{ METRIC_STAT_RSS, 135 },
		{ METRIC_STATM_RESIDENT, 135 },
		{ METRIC_STATM_SHARED, 35 },
		{ METRIC_STATUS_VMRSS, 135 * KB },
		{ METRIC_STATUS_RSSANON, 100 * KB },
		{ METRIC_STATUS_RSSFILE, 30 * KB },
		{ METRIC_STATUS_RSSSHMEM, 5 * KB },
		{ METRIC_STATUS_VMSWAP, 0 },
	};

	for (size_t i = 0; i < sizeof(says) / sizeof(*says); i++)
		set(&p.counters, says[i].id, says[i].value);
	set(&p.tables, METRIC_ROLLUP_RSS, 135 * KB);
	set(&p.tables, METRIC_ROLLUP_ANONYMOUS, 100 * KB);
	set(&p.tables, METRIC_ROLLUP_PSS, 120 * KB);
	set(&p.tables, METRIC_ROLLUP_PRIVATE_CLEAN, 10);
	set(&p.tables, METRIC_ROLLUP_PRIVATE_DIRTY, 400);
	p.low = p.high = p.tables;
	return p;
}

static struct measured counts(enum model_kind kind, unsigned batch)
{
	return (struct measured) { .known = true, .models = made_up_models_of(kind, batch) };
}

static enum audit_verdict verdict(const struct reading *p, const struct measured *m)
{
	struct audit a;

	audit_judge(&a, p, m, PAGE);
	return a.verdict;
}

TEST(honest_counters_are_exact_whatever_the_model)
{
	const struct measured exact = counts(MODEL_EXACT, 0), unknown = { .known = false };
	struct reading p = honest();

	assert_int_equal(verdict(&p, &exact), AUDIT_EXACT);
	assert_int_equal(verdict(&p, &unknown), AUDIT_EXACT);
}

TEST(each_counter_that_is_off_by_a_page_is_caught)
{
	static const enum metric_id judged[] = { METRIC_STAT_RSS,       METRIC_STATM_RESIDENT,
						 METRIC_STATM_SHARED,   METRIC_STATUS_VMRSS,
						 METRIC_STATUS_RSSANON, METRIC_STATUS_RSSFILE,
						 METRIC_STATUS_RSSSHMEM };
	const struct measured exact = counts(MODEL_EXACT, 0), unknown = { .known = false };

	for (size_t i = 0; i < sizeof(judged) / sizeof(*judged); i++) {
		for (int sign = -1; sign <= 1; sign += 2) {
			struct reading p = honest();

			p.counters.of[judged[i]] += sign *
						    (metric(judged[i])->unit == UNIT_KB ? KB : 1);
			assert_int_equal(verdict(&p, &exact), AUDIT_OFF);
			assert_int_equal(verdict(&p, &unknown), AUDIT_DIFFERS);
		}
	}
}

TEST(the_bound_is_exactly_that_of_the_model)
{
	/* The bound is 2 CPUs x 3 classes x 31 pages. */
	const struct measured per_cpu = counts(MODEL_PER_CPU, 32);
	/* The bound is 3 threads x 66 faults of 16 file pages or of one anonymous page. */
	const struct measured per_thread = counts(MODEL_PER_THREAD, 66);
	struct reading p = honest();

	p.counters.of[METRIC_STAT_RSS] = 135 + 186;
	assert_int_equal(verdict(&p, &per_cpu), AUDIT_LAGS);
	p.counters.of[METRIC_STAT_RSS]++;
	assert_int_equal(verdict(&p, &per_cpu), AUDIT_OFF);
	p = honest();
	p.counters.of[METRIC_STATUS_RSSANON] += 3 * 66 * KB;
	assert_int_equal(verdict(&p, &per_thread), AUDIT_LAGS);
	p.counters.of[METRIC_STATUS_RSSANON] += KB;
	assert_int_equal(verdict(&p, &per_thread), AUDIT_OFF);
	p = honest();
	p.counters.of[METRIC_STATUS_RSSFILE] += 3 * 66 * 16 * KB;
	assert_int_equal(verdict(&p, &per_thread), AUDIT_LAGS);
	p.counters.of[METRIC_STATUS_RSSFILE] += KB;
	assert_int_equal(verdict(&p, &per_thread), AUDIT_OFF);
	/* File and shmem are one class each, of 2 x 31 pages; their sum is judged. */
	p = honest();
	p.counters.of[METRIC_STATUS_RSSFILE] += 124 * KB;
	assert_int_equal(verdict(&p, &per_cpu), AUDIT_LAGS);
	p.counters.of[METRIC_STATUS_RSSSHMEM] += KB;
	assert_int_equal(verdict(&p, &per_cpu), AUDIT_OFF);
}

TEST(a_moving_process_is_never_judged_and_its_numbers_are_ranges)
{
	const struct measured exact = counts(MODEL_EXACT, 0);
	struct reading p = honest();
	struct audit a;
	char *text;
	FILE *out = printing();

	p.moved = true;
	p.nr = 3;
	p.counters.of[METRIC_STATUS_VMRSS] += 1000;
	p.low.of[METRIC_ROLLUP_RSS] = 500;
	p.high.of[METRIC_ROLLUP_RSS] = 1500;
	audit_judge(&a, &p, &exact, PAGE);
	assert_int_equal(a.verdict, AUDIT_MOVING);
	assert_says(a.sentence, "3 readings");
	assert_says(a.sentence, "between 500 and 1,500 kB");
	audit_print(&a, &p, &exact, out, false);
	text = printed(out);
	assert_says(text, "500 to 1,500 kB");
	/* Totals are not printed alone. */
	assert_says_not(text, "in no other process");
	assert_says_not(text, "+1,000");
}

TEST(a_running_process_is_not_judged)
{
	const struct measured exact = counts(MODEL_EXACT, 0), per_cpu = counts(MODEL_PER_CPU, 32);
	struct reading p = honest();
	struct audit a;

	p.running = true;
	p.counters.of[METRIC_STATM_RESIDENT]++;
	audit_judge(&a, &p, &exact, PAGE);
	assert_int_equal(a.verdict, AUDIT_MOVING);
	assert_says(a.sentence, "may be changing its memory");
	/* A lag within the model's bound is reported as such, even if the process runs. */
	assert_int_equal(verdict(&p, &per_cpu), AUDIT_LAGS);
}

TEST(changed_sharing_is_a_range_and_the_counters_are_judged)
{
	const struct measured exact = counts(MODEL_EXACT, 0);
	struct reading p = honest();
	struct audit a;
	char *text;
	FILE *out = printing();

	p.reshared = true;
	p.low.of[METRIC_ROLLUP_PSS] = 300;
	audit_judge(&a, &p, &exact, PAGE);
	assert_int_equal(a.verdict, AUDIT_EXACT);
	audit_print(&a, &p, &exact, out, false);
	text = printed(out);
	assert_says(text, "300 to 480 kB");
	assert_says_not(text, "in no other process");
}

TEST(the_sentence_names_the_missing_pages_and_their_holders)
{
	const struct measured per_thread = counts(MODEL_PER_THREAD, 66);
	struct reading p = honest();
	struct audit a;

	p.counters.of[METRIC_STATUS_VMRSS] = 81204;
	p.tables.of[METRIC_ROLLUP_RSS] = 105424;
	p.tables.of[METRIC_ROLLUP_ANONYMOUS] = 105424 - 35 * KB;
	p.counters.of[METRIC_STAT_RSS] = 81204 / KB;
	p.counters.of[METRIC_STATM_RESIDENT] = 81204 / KB;
	p.counters.of[METRIC_STATUS_RSSANON] = 81204 - 35 * KB;
	p.who.threads = 237;
	audit_judge(&a, &p, &per_thread, PAGE);
	assert_int_equal(a.verdict, AUDIT_LAGS);
	assert_string_equal(a.sentence,
			    "VmRSS 81,204 kB; 105,424 kB are resident: 24,220 kB not yet counted "
			    "(237 threads x up to 66 page faults of up to 16 pages, at most "
			    "1,001,088 kB).");
}

TEST(if_only_stat_lags_VmRSS_is_called_exact)
{
	struct measured m = counts(MODEL_EXACT, 0);
	struct reading p = honest();
	struct audit a;

	m.models.of[METRIC_STAT_RSS] = (struct counter_model) { MODEL_PER_CPU, 32 };
	p.counters.of[METRIC_STAT_RSS] -= 10;
	audit_judge(&a, &p, &m, PAGE);
	assert_int_equal(a.verdict, AUDIT_LAGS);
	assert_non_null(strstr(a.sentence, "VmRSS is exact. stat.rss 500 kB"));
	assert_non_null(strstr(a.sentence, "40 kB not yet counted (2 CPUs x up to 31 pages"));
	assert_string_equal(a.worst, "stat.rss");
	/* The largest difference is reported first. */
	p.counters.of[METRIC_STATM_SHARED]--;
	audit_judge(&a, &p, &m, PAGE);
	assert_int_equal(a.verdict, AUDIT_OFF);
	assert_says(a.sentence, "statm.shared 136 kB; 140 kB are in the page tables");
	assert_says(a.sentence, "more than this kernel's model allows");
}

TEST(a_process_that_cannot_be_seen_is_named_and_not_judged)
{
	const struct measured unknown = { .known = false };
	static const enum sight unseen[] = { SIGHT_GONE, SIGHT_ZOMBIE, SIGHT_KERNEL_THREAD,
					     SIGHT_DENIED, SIGHT_UNREADABLE };

	for (size_t i = 0; i < sizeof(unseen) / sizeof(*unseen); i++) {
		struct reading p = { .who.pid = 77, .sight = unseen[i], .why = "a reason" };
		struct audit a;

		audit_judge(&a, &p, &unknown, PAGE);
		assert_int_equal(a.verdict, AUDIT_UNSEEN);
		assert_int_equal(a.nr_rows, 0);
		assert_says(a.sentence, "Process 77 ");
		assert_says(a.sentence, sight_words(unseen[i]));
	}
}

TEST(escape_codes_in_a_name_are_replaced)
{
	const struct measured exact = counts(MODEL_EXACT, 0);
	struct reading p = honest();
	struct audit a;
	char *text;
	FILE *out = printing();
	json_auto_t *j;

	strcpy(p.who.name, "a\033[31mb\x9b\r\xff");
	audit_judge(&a, &p, &exact, PAGE);
	audit_print(&a, &p, &exact, out, false);
	audit_print_line(&a, &p, out);
	text = printed(out);
	assert_null(strchr(text, '\033'));
	assert_null(strchr(text, '\r'));
	assert_null(strchr(text, '\xff'));
	j = audit_json(&a, &p, &exact);
	text = json_dumps(j, 0);
	assert_non_null(text);
	free(text);
}

TEST(json_has_the_numbers_and_the_verdict)
{
	const struct measured per_cpu = counts(MODEL_PER_CPU, 32);
	struct reading p = honest();
	struct audit a;
	json_auto_t *j;

	audit_judge(&a, &p, &per_cpu, PAGE);
	j = audit_json(&a, &p, &per_cpu);
	assert_string_equal(json_text(j, "verdict"), "exact");
	assert_int_equal(json_number(j, "page_tables/Uss"), 410);
	assert_int_equal(json_length(j, "counters"), AUDIT_ROWS_MAX);
	assert_int_equal(json_number(j, "counters/0/says"), 540);
	assert_int_equal(json_number(j, "counters/0/bound"), 186 * KB);
}

static const char status_text[] = "Name:\ta) b (c\nUmask:\t0022\nState:\tS (sleeping)\nPid:\t77\n"
				  "PPid:\t1\nUid:\t1000\t1001\t1001\t1001\nThreads:\t7\n";

TEST(the_identity_is_parsed_whatever_the_name_contains)
{
	struct identity who = { 0 };

	assert_int_equal(
		identity_read(
			&who,
			"77 (a) S 1 (c) S 1 77 77 0 -1 4194304 95 0 0 0 0 0 0 0 20 0 7 0 4711 "
			"2543616 135 0\n",
			status_text),
		0);
	assert_int_equal(who.pid, 77);
	assert_int_equal(who.threads, 7);
	assert_int_equal(who.started, 4711);
	assert_int_equal(who.uid, 1001);
	assert_string_equal(who.name, "a) b (c");
	assert_false(who.kernel_thread);
	assert_false(who.zombie);
	identity_read(&who, "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 0 0 0\n",
		      status_text);
	assert_true(who.kernel_thread);
	assert_int_equal(identity_read(&who, NULL,
				       "Name:\tx\nState:\tZ (zombie)\nPid:\t9\n"
				       "Uid:\t0\t0\t0\t0\nThreads:\t1\n"),
			 0);
	assert_true(who.zombie);
	assert_int_equal(who.pid, 9);
	assert_int_equal(identity_read(&who, "9 (x) Z 1 9", status_text), -1);
	assert_int_equal(identity_read(&who, "no process", status_text), -1);
	assert_int_equal(identity_read(&who, "9 (x) S 1 9 9 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 1 0\n",
				       "Threads:\t1\n"),
			 -1);
}

TEST(a_change_of_any_counter_is_a_movement)
{
	for (int id = METRIC_STAT_FIRST; id <= METRIC_STATUS_LAST; id++) {
		struct reading p = honest();
		struct values after = p.counters;

		assert_true(counters_stood_still(&p.counters, &after));
		after.of[id]++;
		assert_false(counters_stood_still(&p.counters, &after));
	}
}

TEST(the_width_of_a_program_is_its_ELF_class)
{
	assert_int_equal(identity_bits(getpid()), 8 * sizeof(long));
	/* No process has this number. */
	assert_int_equal(identity_bits(0x7ffffff0), 0);
}
