// SPDX-License-Identifier: MIT
/* Every name can be explained in lines that fit, and the numbers are those of the model. */
#include "base/print/words.h"
#include "tests/explain/recorded_topics.h"
#include "tests/support/files.h"
#include "tests/support/made_up.h"
#include <rssck/judge.h>

static struct models made_models(enum model_kind kind, unsigned batch)
{
	struct models m = made_up_models_of(kind, batch);

	m.cpus = 3;
	return m;
}

static char *said_of(const struct topic *t, const struct models *models)
{
	FILE *out = printing();
	struct explanation e = explanation_to(out, models);

	explain_topic(&e, t);
	return printed(out);
}

static const struct topic *topic(const char *name)
{
	for (size_t i = 0; i < all.nr; i++)
		if (!strcmp(all.of[i].name, name))
			return &all.of[i];
	fail_msg("there is no %s", name);
	return NULL;
}

/* Only a line that consists of one long word may be too long. */
static void assert_lines_fit(const char *name, const char *text, size_t width)
{
	while (*text) {
		size_t len = strcspn(text, "\n"), columns = 0;
		const char *word = text + strspn(text, " ");

		for (size_t i = 0; i < len; i++)
			columns += (text[i] & 0xc0) != 0x80;
		if (columns > width && memchr(word, ' ', len - (size_t)(word - text)))
			fail_msg("%s: %.*s", name, (int)len, text);
		text += len + (text[len] == '\n');
	}
}

static char *joined(char *text)
{
	char *to = text;

	for (char *from = text; *from; from++) {
		bool blank = *from == ' ' || *from == '\n';

		if (blank && to > text && to[-1] == ' ')
			continue;
		*to++ = blank ? ' ' : *from;
	}
	*to = '\0';
	return text;
}

TEST(every_name_is_explained)
{
	struct models m = made_models(MODEL_PER_CPU, 32);

	for (size_t i = 0; i < all.nr; i++) {
		char *text = said_of(&all.of[i], &m);

		assert_lines_fit(all.of[i].name, text, 80);
		if (strncmp(text, all.of[i].name, strlen(all.of[i].name)) || strlen(text) < 120)
			fail_msg("%s: %s", all.of[i].name, text);
		if (strstr(text, "(null)") || strchr(text, '\033'))
			fail_msg("%s: %s", all.of[i].name, text);
	}
}

TEST(every_metric_has_all_parts_of_its_explanation)
{
	static const char *const labels[] = { "It is ",   "It is not ", "Kind ",
					      "Kept by ", "How wrong ", "Proved by " };
	struct models m = made_models(MODEL_EXACT, 0);

	for (int id = 0; id < METRIC_COUNT; id++) {
		char *text = said_of(topic(metric(id)->name), &m);

		for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++)
			if (!strstr(text, labels[i]))
				fail_msg("%s does not say '%s'", metric(id)->name, labels[i]);
	}
}

TEST(a_name_with_cases_is_proved_by_them)
{
	static const struct {
		const char *name, *proof;
	} table[] = {
		{ "userfaultfd", "shmem/userfaultfd: " }, /* a case has the name */
		{ "mlockall", "anonymous/mlockall: " },   /* a case to look up */
	};
	struct models m = made_models(MODEL_EXACT, 0);

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		char *text = said_of(topic(table[i].name), &m);

		if (!strstr(text, table[i].proof) || strstr(text, "no case checks it"))
			fail_msg("%s: %s", table[i].name, text);
	}
}

/* Returns true if the word is in the answer, which ends before the first indented line. */
static bool answer_has(const char *text, const char *word)
{
	const char *end = strstr(text, "\n  "), *at = strstr(text, word);

	return at && end && at < end;
}

/*
 * With CONFIG_NO_PAGE_MAPCOUNT the split into shared and private pages is not exact, but their sum
 * is.
 */
TEST(the_sum_of_two_parts_is_believed_where_each_of_them_is_not)
{
	struct models m = made_models(MODEL_EXACT, 0);
	char *dirty = said_of(topic("pmap -x Dirty"), &m), *uss = said_of(topic("smem USS"), &m),
	     *part = said_of(topic("smaps.Private_Dirty"), &m);

	assert_false(answer_has(dirty, "NO_PAGE_MAPCOUNT"));
	assert_non_null(strstr(uss, "NO_PAGE_MAPCOUNT"));
	assert_non_null(strstr(part, "NO_PAGE_MAPCOUNT"));
}

static char *said_of_name(const char *name)
{
	struct models m = made_models(MODEL_EXACT, 0);
	OWNED(topics_free) struct topics found;
	FILE *out = printing();
	struct explanation e = explanation_to(out, &m);
	char *text;

	assert_int_equal(topics_find(&found, &all, name), 0);
	explain_found(&e, name, &found);
	text = printed(out);
	assert_lines_fit(name, text, 80);
	return joined(text);
}

/* smaps_rollup is rounded once, so its lines are not judged as those of smaps are. */
TEST(a_line_of_smaps_rollup_has_its_own_answer)
{
	static const char name[] = "smaps_rollup.Pss_Dirty";

	assert_memory_equal(said_of_name(name), name, strlen(name));
}

TEST(every_topic_is_found_by_its_own_name)
{
	for (size_t i = 0; i < all.nr; i++) {
		OWNED(topics_free) struct topics found;
		bool is_there = false;

		assert_int_equal(topics_find(&found, &all, all.of[i].name), 0);
		for (size_t k = 0; k < found.nr; k++)
			is_there |= !strcmp(found.of[k].name, all.of[i].name);
		if (!is_there)
			fail_msg("%s is not found", all.of[i].name);
	}
}

static size_t found_nr(const char *name, const char *first)
{
	OWNED(topics_free) struct topics found;
	size_t nr;

	assert_int_equal(topics_find(&found, &all, name), 0);
	nr = found.nr;
	if (first && (!nr || strcmp(found.of[0].name, first)))
		fail_msg("%s is found as %s", name, nr ? found.of[0].name : "nothing");
	return nr;
}

TEST(short_names_and_any_letter_case_are_found)
{
	assert_int_equal(found_nr("VmRSS", "status.VmRSS"), 1);
	assert_int_equal(found_nr("vmrss", "status.VmRSS"), 1);
	assert_int_equal(found_nr("TOP res", "top RES"), 1);
	assert_int_equal(found_nr("private_write", "file/private_write"), 1);
	assert_true(found_nr("RES", "top RES") >= 2);
	assert_true(found_nr("uss", "USS") >= 3);
	assert_true(found_nr("file/", NULL) > 5);
	assert_int_equal(found_nr("Proportional Set Size", "PSS"), 1);
	assert_int_equal(found_nr("nonsense", NULL), 0);
	assert_int_equal(found_nr("", NULL), 0);
}

/* ---- how wrong ---- */

static void assert_bound_is_said(enum metric_id id, const struct models *m, enum metric_id as)
{
	struct explanation e = explanation_to(NULL, m);
	char pages[96], *text = metric_error_words(&e, id);

	pages_words(model_bound(m, as, e.threads), e.page_size, pages, sizeof(pages));
	if (!strstr(text, pages))
		fail_msg("%s: no '%s' in '%s'", metric(id)->name, pages, text);
}

TEST(the_printed_bound_is_that_of_the_model)
{
	struct models thread = made_models(MODEL_PER_THREAD, 66);
	struct models cpu = made_models(MODEL_PER_CPU, 32);

	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		assert_bound_is_said(*id, &thread, *id);
		assert_bound_is_said(*id, &cpu, *id);
	}
	assert_bound_is_said(METRIC_STATUS_VMHWM, &cpu, METRIC_STAT_RSS);
	assert_bound_is_said(METRIC_RUSAGE_MAXRSS, &thread, METRIC_STAT_RSS);
	assert_bound_is_said(METRIC_STATUS_VMSWAP, &thread, METRIC_STATUS_VMSWAP);
	/* The peak has its own model, so the model of stat.rss has no influence. */
	cpu.of[METRIC_STAT_RSS].kind = MODEL_EXACT;
	cpu.of[METRIC_STATUS_VMHWM] = (struct counter_model) { MODEL_PER_CPU, 32 };
	assert_bound_is_said(METRIC_STATUS_VMHWM, &cpu, METRIC_STATUS_VMHWM);
}

/* 7 threads hold back 66 faults each, of up to 16 pages; 3 CPUs hold back 31 pages of 3 classes. */
TEST(the_printed_bound_in_numbers)
{
	struct models thread = made_models(MODEL_PER_THREAD, 66);
	struct models cpu = made_models(MODEL_PER_CPU, 32);

	assert_says(joined(said_of(topic("status.VmRSS"), &thread)), "7,392 pages (29,568 kB)");
	assert_says(joined(said_of(topic("status.RssAnon"), &thread)), "462 pages (1,848 kB)");
	assert_says(joined(said_of(topic("stat.rss"), &cpu)), "279 pages (1,116 kB)");
}

TEST(the_text_for_a_missing_an_exact_and_an_unknown_model)
{
	struct models unknown = made_models(MODEL_UNKNOWN, 1024);
	struct models exact = made_models(MODEL_EXACT, 0);
	const struct topic *t = topic("status.VmRSS");

	assert_says(joined(said_of(t, &unknown)), "Unknown: its steps of 1024 pages");
	assert_says(joined(said_of(t, &exact)), "Not at all on this kernel");
	assert_says(joined(said_of(t, NULL)), "it was not asked for");
}

TEST(the_process_is_named_without_escape_codes)
{
	struct models thread = made_models(MODEL_PER_THREAD, 66);
	struct explanation e = explanation_to(NULL, &thread);
	OWNED(text_end) char *text;

	e.process = "123 (prog\033[31m)";
	text = metric_error_words(&e, METRIC_STATUS_VMRSS);
	assert_non_null(strstr(text, "process 123 (prog"));
}

/* ---- one name, several numbers ---- */

TEST(columns_with_the_same_number_are_explained_once)
{
	char *text = said_of_name("RES");

	assert_says(text, "top RES, htop RES, glances RES: the same number, statm.resident.");
	assert_says(text, "Field 2 of /proc/PID/statm");
}

TEST(a_name_of_several_numbers_lists_each)
{
	char *text = said_of_name("RSS");

	assert_says(text, "different numbers");
	assert_says(text, " stat.rss pidstat RSS");
	assert_says(text, " status.VmRSS ps rss");
	assert_says_not(text, "smaps_rollup.Rss top");
}

TEST(every_word_refers_to_existing_names)
{
	for (size_t i = 0; i < all.nr && all.of[i].kind == TOPIC_WORD; i++) {
		const char *p = all.of[i].word->metrics;

		while (p && *p) {
			size_t len = strcspn(p, ", ;");
			char name[96];

			snprintf(name, sizeof(name), "%.*s", (int)len, p);
			if (strpbrk(name, "./") && !found_nr(name, NULL))
				fail_msg("%s refers to %s", all.of[i].name, name);
			p += len;
			p += strspn(p, ", ;");
		}
	}
}

TEST(lines_are_broken_by_characters_and_escape_codes_replaced)
{
	FILE *out = printing();
	struct prose p = { .out = out, .width = 30 };

	prose_item(&p, "Label", "%s", "äääää äääää äääää \033[31mred");
	assert_string_equal(printed(out),
			    "  Label         äääää äääää\n                äääää  [31mred\n");
}

/* ---- the manual page ---- */

TEST(the_manual_page_has_every_metric_and_no_warning)
{
	struct kernels k = { recorded.of, recorded.nr };
	char *page = PRINTED(out, assert_int_equal(explain_manual(&k, out), 0));

	for (int id = 0; id < METRIC_COUNT; id++) {
		char heading[96];

		snprintf(heading, sizeof(heading), ".SS \"%s\"\n", metric(id)->name);
		assert_says(page, heading);
	}
	if (is_installed("groff"))
		assert_string_equal(
			shell_said(0, "groff -man -ww -z %s 2>&1", folder_put("manual", page)), "");
}

static void assert_known(const char *what, const char *list, const char *between)
{
	for (const char *p = list; p && *p; p += strspn(p, between)) {
		char name[96];
		size_t len = strcspn(p, between);

		snprintf(name, sizeof(name), "%.*s", (int)len, p);
		if (*between == ',')
			len = strstr(p, ", ") ? (size_t)(strstr(p, ", ") - p) : strlen(p);
		snprintf(name, sizeof(name), "%.*s", (int)len, p);
		OWNED(query_free) struct query q = resolved(name);

		if (q.kind != QUERY_NAME)
			fail_msg("%s names '%s'", what, name);
		p += len;
	}
}

TEST(answers_refer_to_existing_names)
{
	size_t nr;
	const struct question *q = questions_all(&nr);
	const struct figure *f;

	for (size_t i = 0; i < nr; i++)
		assert_known(q[i].asks, q[i].look_up, ", ");
	q = acts_all(&nr);
	for (size_t i = 0; i < nr; i++)
		assert_known(q[i].asks, q[i].look_up, ", ");
	q = log_lines_all(&nr);
	for (size_t i = 0; i < nr; i++)
		assert_known(q[i].asks, q[i].look_up, ", ");
	f = figures_all(&nr);
	for (size_t i = 0; i < nr; i++)
		assert_known(f[i].name, f[i].cases, " ");
}
