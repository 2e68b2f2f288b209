// SPDX-License-Identifier: MIT
/* The lessons, their records, and the page: each number of the page is in the record. */
#include "base/print/words.h"
#include "course/course.h"
#include "course/space.h"
#include "explain/topics.h"
#include "grid/grids.h"
#include "runs/document.h"
#include "tests/course/records.h"
#include "tests/support/json.h"
#include "tests/support/test.h"
#include <glob.h>
#include <rssck/case.h>

enum { PAGE_MOST = 768 << 10 };

static struct records records;

FIXTURE(setup)
{
	records_load(&records);
	return 0;
}

FIXTURE(teardown)
{
	records_free(&records);
	return 0;
}

/* Returns the page's data for the script, in which "<" and "&" are escaped. */
static json_t *data_of(const char *page)
{
	const char *begin = strstr(page, "id=\"data\">"), *end;

	assert_non_null(begin);
	begin += strlen("id=\"data\">");
	end = strstr(begin, "</script>");
	return json_loadb(begin, (size_t)(end - begin), 0, NULL);
}

static void cell_on(const json_t *data, const char *cell, size_t kernel, char *buf, size_t size)
{
	const char *text = strchr(cell, '>') + 1, *slot = strstr(cell, " data-s=\"");

	if (slot && slot < text) {
		char path[64];

		snprintf(path, sizeof(path), "slots/%d/%zu", atoi(slot + 9), kernel);
		snprintf(path, sizeof(path), "strings/%d", (int)json_number(data, path));
		text = json_text(data, path);
	}
	snprintf(buf, size, "%.*s", (int)strcspn(text, "<"), text);
	buf[strcspn(buf, " ")] = '\0';
}

/* Copies the same text from the record: "LESSON/STEP/PROCESS/NAME+NAME". */
static void expected_on(const json_t *record, const char *name, char *buf, size_t size)
{
	char lesson[32], first[64] = "", second[64] = "";
	unsigned step, process;
	const json_t *of_step;
	int64_t kb, more = 0;

	assert_true(sscanf(name, "%31[^/]/%u/%u/%63[^+\"]+%63[^\"]", lesson, &step, &process, first,
			   second) >= 4);
	of_step = record_step(record_case(record, lesson_by_name(lesson)->case_id), step);
	if (record_number(record, of_step, process, first, &kb) &&
	    (!second[0] || record_number(record, of_step, process, second, &more)))
		number_words(kb + more, buf, size);
	else
		record_words(record, of_step, process, first, buf, size);
}

/* Returns how many cells of the page differ from the records; *nr is the number of cells. */
static size_t differences(const char *page, size_t *nr)
{
	json_t *data = data_of(page);
	size_t wrong = 0;

	*nr = 0;
	for (const char *cell = page; (cell = strstr(cell, "<td data-n=\"")); cell++)
		for (size_t k = 0; k < records.nr; k++, ++*nr) {
			char is[64], expected[64];

			cell_on(data, cell, k, is, sizeof(is));
			expected_on(records.of[k], cell + strlen("<td data-n=\""), expected,
				    sizeof(expected));
			wrong += strcmp(is, expected) != 0;
		}
	json_decref(data);
	return wrong;
}

static char *page_of(json_t **of, size_t nr)
{
	FILE *out = printing();

	assert_int_equal(course_page(of, nr, out), 0);
	return printed(out);
}

TEST(every_number_of_the_page_equals_the_record)
{
	char *page = page_of(records.of, records.nr);
	size_t nr;

	assert_int_equal(differences(page, &nr), 0);
	assert_true(nr > 500 * records.nr);
	assert_true(strlen(page) < PAGE_MOST);
}

TEST(an_exchanged_record_is_noticed)
{
	json_t *other[RECORDS];
	char *page;
	size_t nr;

	if (records.nr < 2)
		skip();
	memcpy(other, records.of, sizeof(other));
	other[0] = records.of[1];
	page = page_of(other, records.nr);
	assert_true(differences(page, &nr) > 0);
}

TEST(the_grid_equals_the_atlas)
{
	struct grid *g = calloc(1, sizeof(*g));
	size_t nr = 0;

	assert_non_null(g);
	for (size_t i = 0; i < records.nr; i++) {
		char path[160], why[300];
		json_auto_t *expected = json_object();

		snprintf(path, sizeof(path), "results/atlas/%s.json",
			 json_text(records.of[i], "kernel/release"));
		if (grid_load(g, path, why, sizeof(why)))
			continue; /* the atlas was not recorded on this kernel */
		record_add_grid(expected, g);
		assert_true(json_equal(json_object_get(records.of[i], "grid"),
				       json_object_get(expected, "grid")));
		nr++;
	}
	assert_true(nr >= 12);
	free(g);
}

TEST(a_changed_number_is_noticed)
{
	char why[300];

	for (size_t i = 0; i < records.nr; i++)
		if (record_check(records.of[i], why, sizeof(why)))
			fail_msg("%s: %s", json_text(records.of[i], "kernel/release"), why);

	json_t *changed = json_deep_copy(records.of[0]);
	const json_t *step = record_step(record_case(changed, "fork/cow"), 2);
	json_t *numbers = json_at(step, "processes/0/numbers");

	/* smaps.Rss must equal the number of pages in the picture. */
	json_array_set_new(numbers, 12, json_integer(1));
	assert_int_equal(record_check(changed, why, sizeof(why)), -1);
	assert_says(why, "fork/cow, step 2");
	json_decref(changed);

	changed = json_deep_copy(records.of[0]);
	json_object_set_new((json_t *)record_grid(changed, "shm", "dontneed"), "RssShmem",
			    json_integer(4));
	assert_int_equal(record_check(changed, why, sizeof(why)), -1);
	assert_says(why, "shm/dontneed");
	json_decref(changed);

	changed = json_deep_copy(records.of[0]);
	step = record_step(record_case(changed, "machine/available"), 3);
	json_object_set_new(json_object_get(step, "tree"), "free", json_integer(4));
	assert_int_equal(record_check(changed, why, sizeof(why)), -1);
	assert_says(why, "machine/available, step 3");
	json_decref(changed);
}

/*
 * Returns true if the lesson about lag and the kernel's recorded run agree on whether VmRSS is
 * exact.
 */
static bool lags_as_measured(const json_t *record, const char *release)
{
	const struct lesson *lag = lesson_by_name("lag");
	char path[160];
	struct answered said;

	snprintf(path, sizeof(path), "results/%s.json", release);

	json_auto_t *run = json_load_file(path, 0, NULL);

	if (!run)
		return true; /* no run of the cases was recorded on that kernel */
	return lesson_answer(record, lag, &lag->asks[0], &said) &&
	       (said.answer == ANSWER_SAME) ==
		       !strcmp(json_text(run, "models/status.VmRSS/kind"), "exact");
}

TEST(each_record_comes_from_the_kernel_in_its_file_name)
{
	glob_t files;

	assert_int_equal(glob("results/course/*.json", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		json_auto_t *record = json_load_file(files.gl_pathv[i], 0, NULL);
		const char *release = json_text(record, "kernel/release");
		char path[160];

		snprintf(path, sizeof(path), "results/course/%s.json", release);
		if (strcmp(files.gl_pathv[i], path) || !lags_as_measured(record, release))
			fail_msg("%s is not of that kernel", files.gl_pathv[i]);
	}
	globfree(&files);
}

/*
 * Returns true if the case was skipped in a guest of another architecture, which has none of this
 * machine's tools. Only such guests have a page size other than 4096 here.
 */
static bool was_skipped(const json_t *record, const struct lesson *l)
{
	const char *end = json_string_value(
		json_object_get(record_case(record, l->case_id), "end"));

	return end && !strcmp(end, "skipped") && json_number(record, "kernel/page_size") != 4096;
}

TEST(every_lesson_is_answered_on_every_kernel)
{
	size_t nr;
	const struct lesson *lessons = lessons_all(&nr);

	for (size_t i = 0; i < nr; i++)
		for (size_t a = 0; a < lesson_nr_asks(&lessons[i]); a++)
			for (size_t k = 0; k < records.nr; k++) {
				struct answered said;

				if (was_skipped(records.of[k], &lessons[i]))
					continue;
				if (!lesson_answer(records.of[k], &lessons[i], &lessons[i].asks[a],
						   &said))
					fail_msg("%s, %s: no answer on kernel %zu", lessons[i].id,
						 lessons[i].asks[a].label, k);
				assert_true(*ask_choice(&lessons[i].asks[a], said.answer));
			}
}

TEST(every_lesson_is_complete)
{
	size_t nr;
	const struct lesson *lessons = lessons_all(&nr);

	assert_true(nr >= 12);
	for (size_t i = 0; i < nr; i++) {
		const struct lesson *l = &lessons[i];
		bool marked = false;

		assert_true(testcase_by_id(l->case_id));
		assert_ptr_equal(lesson_by_name(l->id), l);
		assert_ptr_equal(lesson_about(l->case_id), l);
		assert_non_null(lesson_sentence(l));
		assert_true(lesson_nr_asks(l) >= 2);
		assert_int_equal(strncmp(l->address, "https://", 8), 0);
		assert_true(*l->reason && *l->exercise && *l->command && *l->solution);
		for (size_t k = 0; k < LESSON_LINES && l->program[k].code; k++)
			marked |= l->program[k].step == l->step;
		assert_true(marked);
	}
}

/*
 * The page's sentence about a number is the one that explain prints, and the named tool has that
 * column.
 */
TEST(explain_knows_every_number_of_the_reference)
{
	static const struct {
		const char *of, *proof;
	} rows[] = {
#define NUMBERS(title)
#define NUMBER(name, of, proof) { of, proof },
#include "course/numbers.def"
#undef NUMBER
#undef NUMBERS
	};
	OWNED(topics_free) struct topics all;

	assert_int_equal(topics_all(&all), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(topics_free) struct topics found;

		assert_int_equal(topics_find(&found, &all, rows[i].of), 0);
		if (!found.nr ||
		    (found.of[0].kind != TOPIC_WORD && found.of[0].kind != TOPIC_FIGURE &&
		     found.of[0].kind != TOPIC_METRIC))
			fail_msg("%s is not a number that explain knows", rows[i].of);
		if (*rows[i].proof && !testcase_by_id(rows[i].proof))
			fail_msg("%s is not a case", rows[i].proof);
	}
}

/* ---- pictures ---- */

TEST(page_runs_become_cells)
{
	char cells[8];

	assert_int_equal(space_cells("2a2.4S", 8, 1, cells), 8);
	assert_memory_equal(cells, "aa..SSSS", 8);
	/* A cell shows the first of its four pages that is resident or on swap. */
	assert_int_equal(space_cells("6.1f25.", 32, 4, cells), 8);
	assert_memory_equal(cells, ".f......", 8);
	assert_int_equal(space_cells("", 3, 1, cells), 3);
	assert_memory_equal(cells, "...", 3);
}

TEST(an_invalid_record_is_refused)
{
	json_t *none = json_pack("{s:s}", "schema", "rssck-results/1");
	char why[300];

	assert_int_equal(record_check(none, why, sizeof(why)), -1);
	assert_null(record_case(none, "fork/cow"));
	assert_null(record_step(NULL, 1));
	json_decref(none);
}

TESTS_SHARE(setup, teardown);
