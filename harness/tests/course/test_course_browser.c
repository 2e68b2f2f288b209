// SPDX-License-Identifier: MIT
/*
 * The course in a real browser: each lesson on each kernel, by keys alone, in three widths, and
 * without its script. Skipped if there is no browser. RSSCK_PICTURES=FOLDER keeps pictures.
 */
#include "course/course.h"
#include "tests/course/records.h"
#include "tests/support/browser.h"
#include "tests/support/test.h"

struct fixture {
	struct browser browser;
	struct records records;
	char *page;
};

FIXTURE(setup)
{
	struct fixture *f = calloc(1, sizeof(*f));
	FILE *out;

	assert_non_null(f);
	*state = f;
	if (!browser_is_there()) {
		print_message("chromium is not installed: the course page is not tested\n");
		return 0;
	}
	records_load(&f->records);
	out = printing();
	assert_int_equal(course_page(f->records.of, f->records.nr, out), 0);
	f->page = printed(out);
	browser_open(&f->browser);
	return 0;
}

FIXTURE(teardown)
{
	struct fixture *f = *state;

	browser_close(&f->browser);
	records_free(&f->records);
	free(f);
	return 0;
}

static const char
	helpers[] = "var all = (s, e) => Array.from((e || document).querySelectorAll(s)),"
		    " seen = (e) => e.getClientRects().length > 0,"
		    " to = (k) => { const s = document.getElementById('kernel'); s.value = k;"
		    "  s.dispatchEvent(new Event('input', { bubbles: true })); },"
		    " run = () => all('form.asks').forEach((f) => f.requestSubmit()); 0";

static struct browser *show(void **state, const char *page, unsigned width, bool dark)
{
	struct fixture *f = *state;

	if (!f->page)
		skip();
	browser_show(&f->browser, page ? page : f->page, width, dark);
	json_decref(browser_value(&f->browser, helpers));
	return &f->browser;
}

TEST(the_page_fetches_nothing_and_logs_no_error)
{
	struct browser *b = show(state, NULL, 1400, false);

	if (b->complaint[0])
		fail_msg("%s", b->complaint);
	assert_int_equal(b->requests, 0);
}

/* Returns the numbers of one kernel's record in the order of the page: ["3,916", ...]. */
static char *numbers_on(const struct fixture *f, size_t kernel)
{
	json_auto_t *numbers = json_array();

	for (const char *cell = f->page; (cell = strstr(cell, "<td data-n=\"")); cell++) {
		char lesson[32], name[64], buf[64];
		unsigned step, process;

		assert_int_equal(
			sscanf(cell + 12, "%31[^/]/%u/%u/%63[^\"]", lesson, &step, &process, name),
			4);
		/* test_course_page tests the sums of two columns. */
		json_array_append_new(
			numbers,
			json_string(strchr(name, '+')
					    ? ""
					    : record_words(
						      f->records.of[kernel],
						      record_step(record_case(f->records.of[kernel],
									      lesson_by_name(lesson)
										      ->case_id),
								  step),
						      process, name, buf, sizeof(buf))));
	}
	return json_dumps(numbers, JSON_COMPACT);
}

TEST(the_slider_shows_each_kernels_numbers_and_answers)
{
	struct fixture *f = *state;
	struct browser *b = show(state, NULL, 1400, false);

	json_decref(browser_value(b, "run(); 0"));
	for (size_t k = 0; k < f->records.nr; k++) {
		OWNED(text_end) char *numbers = numbers_on(f, k);
		OWNED(text_end) char *expression = NULL;

		assert_true(asprintf(&expression,
				     "(() => { const n = %s; to(%zu);"
				     " return all('[data-n]').filter((e, i) => n[i] &&"
				     "  e.firstChild.textContent.trim() !== n[i]).length; })()",
				     numbers, k) > 0);
		assert_int_equal(browser_number(b, expression), 0);
		/* Each question of a lesson that could run has an answer. */
		assert_int_equal(browser_number(b,
						"all('.solutions li').filter((l) =>"
						" !l.querySelector('[data-a]') &&"
						" !l.closest('.answer').querySelector('.missing')"
						"  .textContent).length"),
				 0);
	}
}

TEST(an_answer_is_marked_and_scored)
{
	struct browser *b = show(state, NULL, 1400, true);

	assert_true(browser_true(b, "all('.answer').every((a) => !seen(a))"));
	/* The right answer to each question but the very first is chosen. */
	json_decref(browser_value(
		b, "all('.lesson').forEach((l, n) => all('fieldset', l).forEach((f, i) => {"
		   " const a = all('.solutions [data-a]', l)[i].dataset.a;"
		   " all('input', f).find((r) => (r.value === a) === !(n === 0 && i === 0))"
		   "  .checked = true; })); run(); 0"));
	assert_true(browser_true(b, "all('.answer').every(seen)"));
	assert_int_equal(browser_number(b, "all('fieldset.wrong').length"), 1);
	assert_true(browser_true(
		b, "document.getElementById('score').textContent === all('fieldset').length - 1 +"
		   " ' of ' + all('fieldset').length + ' right'"));
}

TEST(the_keyboard_alone_is_enough)
{
	struct browser *b = show(state, NULL, 768, false);

	json_decref(browser_value(b, "document.getElementById('kernel').focus(); 0"));
	browser_press(b, "ArrowDown");
	assert_true(browser_true(b, "Number(document.getElementById('kernel').value) ==="
				    " Number(document.getElementById('kernel').defaultValue) - 1"));
	json_decref(browser_value(b, "document.querySelector('form.asks input').focus(); 0"));
	browser_press(b, " ");
	for (int i = 0; i < 3; i++)
		browser_press(b, "Tab");
	assert_true(browser_true(b, "document.activeElement.tagName === 'BUTTON'"));
	browser_press(b, "Enter");
	assert_true(browser_true(b, "seen(document.querySelector('.answer'))"));
	assert_int_equal(browser_number(b, "all('fieldset.right, fieldset.wrong').length"), 1);
}

TEST(without_javascript_every_answer_is_visible)
{
	struct fixture *f = *state;
	char *page = f->page ? strdup(f->page) : NULL, *script;
	struct browser *b;

	if (!page)
		skip();
	script = strstr(page, "<script>//");
	assert_non_null(script);
	strcpy(script, "</body></html>");
	b = show(state, page, 768, false);
	assert_true(browser_true(b, "all('.answer').length > 12 && all('.answer').every(seen)"));
	assert_true(browser_true(b, "all('button, #kernel').every((e) => !seen(e))"));
	free(page);
}

TEST(nothing_is_wider_than_the_window)
{
	static const unsigned widths[] = { 1400, 768, 400 };
	const char *folder = getenv("RSSCK_PICTURES");
	char file[512];

	for (size_t i = 0; i < 3; i++) {
		struct browser *b = show(state, NULL, widths[i], i % 2);

		json_decref(browser_value(b, "run(); 0"));
		assert_true(browser_true(b, "document.documentElement.scrollWidth <="
					    " document.documentElement.clientWidth"));
		snprintf(file, sizeof(file), "%s/course-%u.png", folder ? folder : "", widths[i]);
		if (folder)
			browser_picture(b, file, widths[i], 3000, "scrollTo(0, 0)");
	}
}

TESTS_SHARE(setup, teardown);
