// SPDX-License-Identifier: MIT
/*
 * The HTML page in a real browser. Skipped if there is no browser (apt-get install chromium).
 * RSSCK_PICTURES=FOLDER keeps pictures of it.
 */
#include "cmd/recorded.h"
#include "page/atlas.h"
#include "page/html.h"
#include "tests/support/browser.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"
#include <glob.h>

/* Writes the page without the runs that were recorded for plots. */
static int html_alone(struct results *runs, size_t nr, FILE *out)
{
	return report_html(runs, nr, NULL, out);
}

struct fixture {
	struct browser browser;
	char *page;      /* the page of the recorded runs */
	char *bounds;    /* the bounds of their models, which the page must match: [[kernel, metric,
			    kB], ...] */
	size_t verdicts; /* of all cases on all kernels */
};

static const char helpers[] =
	"var all = (s, e) => Array.from((e || document).querySelectorAll(s)),"
	" seen = (e) => !e.closest('[hidden]'),"
	" shown = (s) => all(s).filter(seen),"
	" find = (w) => { const i = document.getElementById('words'); i.value = w;"
	"  i.dispatchEvent(new Event('input', { bubbles: true })); },"
	" set = (id, v) => { const e = document.getElementById(id); e.value = v;"
	"  e.dispatchEvent(new Event('input', { bubbles: true })); },"
	" ask = (kernel, number) => { set('kernel', kernel); set('column', number);"
	"  return document.getElementById('answer'); },"
	" wide = (e) => e.scrollWidth > e.clientWidth + 1,"
	" broken = (e) => { const walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), no = [];"
	"  for (let n; (n = walk.nextNode());) for (const m of n.data.matchAll(/[A-Za-z]+/g)) {"
	"   const r = document.createRange(); r.setStart(n, m.index); r.setEnd(n, m.index + m[0].length);"
	"   if (new Set(Array.from(r.getClientRects()).map((c) => Math.round(c.top))).size > 1)"
	"    no.push(m[0]); } return no; },"
	" choose = (f) => { all('input[name=kernel]').forEach((b, i) => b.checked = f(i));"
	"  all('input[name=kernel]')[0].dispatchEvent(new Event('input', { bubbles: true })); }; 0";

/* Returns, as JSON, the bounds that model_bound() gives for a process of 100 threads. */
static char *bounds_of(const struct results *runs, size_t nr)
{
	json_auto_t *all = json_array();

	for (size_t i = 0; i < nr; i++)
		for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
			int64_t pages = model_bound(&runs[i].models, *id, 100);

			json_array_append_new(
				all, json_pack("[i, s, I]", (int)i, metric(*id)->name,
					       (json_int_t)(pages * runs[i].page_size / 1024)));
		}

	char *text = json_dumps(all, JSON_COMPACT);

	return text;
}

static char *recorded_page(char **bounds, size_t *verdicts)
{
	OWNED(recordings_free) struct recordings plots;
	char *text, why[512];
	FILE *out = printing();
	glob_t files;

	assert_int_equal(glob("results/*.json", 0, NULL, &files), 0);

	struct results *runs = calloc(files.gl_pathc, sizeof(*runs));

	assert_non_null(runs);
	for (size_t i = 0; i < files.gl_pathc; i++)
		if (results_load(&runs[i], files.gl_pathv[i], why, sizeof(why)))
			fail_msg("%s", why);
	assert_int_equal(recordings_load(&plots, files.gl_pathv[0]), 0);
	assert_int_equal(report_html(runs, files.gl_pathc, &plots, out), 0);
	text = printed(out);
	*bounds = bounds_of(runs, files.gl_pathc);
	*verdicts = 0;
	for (size_t i = 0; i < files.gl_pathc; i++) {
		*verdicts += runs[i].nr;
		results_free(&runs[i]);
	}
	free(runs);
	globfree(&files);
	return text;
}

FIXTURE(setup)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	*state = f;
	if (!browser_is_there()) {
		print_message("chromium is not installed: the page is not tested\n");
		return 0;
	}
	f->page = recorded_page(&f->bounds, &f->verdicts);
	browser_open(&f->browser);
	return 0;
}

FIXTURE(teardown)
{
	struct fixture *f = *state;

	browser_close(&f->browser);
	free(f->bounds); /* the page stays allocated until the end, like everything that printed()
			    returns */
	free(f);
	return 0;
}

static struct browser *show(void **state, unsigned width, bool dark)
{
	struct fixture *f = *state;

	if (!f->page)
		skip();
	browser_show(&f->browser, f->page, width, dark);
	json_decref(browser_value(&f->browser, helpers));
	return &f->browser;
}

static void expect_none(struct browser *b, const char *expression)
{
	json_auto_t *value = browser_value(b, expression);

	if (strcmp(json_string_value(value), ""))
		fail_msg("%s\nin: %s", json_string_value(value), expression);
}

TEST(the_page_fetches_nothing_and_logs_no_error)
{
	struct browser *b = show(state, 1400, false);

	if (b->complaint[0])
		fail_msg("%s", b->complaint);
	assert_int_equal(b->requests, 0);
	/* An error and a request must be noticed. */
	json_decref(browser_value(b, "console.error('x'); fetch('data:,').catch(() => 0)"));
	json_decref(browser_value(b, "0"));
	assert_string_not_equal(b->complaint, "");
}

TEST(ids_are_unique_and_links_lead_to_an_id)
{
	struct browser *b = show(state, 1400, false);

	expect_none(b, "all('[id]').map((e) => e.id).filter((id, i, ids) => ids.indexOf(id) < i)"
		       ".join(' ')");
	expect_none(b, "all('a[href^=\"#\"]').filter((a) => "
		       "!document.getElementById(a.hash.slice(1)))"
		       ".map((a) => a.hash).join(' ')");
}

TEST(a_search_leaves_the_matching_items_and_counts_them)
{
	struct browser *b = show(state, 1400, false);
	double before = browser_number(b, "shown('[data-item]').length");

	json_decref(browser_value(b, "document.getElementById('words').focus(); 0"));
	browser_type(b, "vmhwm");

	double after = browser_number(b, "shown('[data-item]').length");

	assert_true(after > 0 && after < before);
	expect_none(b, "shown('[data-item]').filter((e) => "
		       "!(e.textContent + e.innerHTML).toLowerCase().includes('vmhwm'))"
		       ".map((e) => e.textContent.slice(0, 80)).join('; ')");
	assert_true(browser_number(b, "document.getElementById('hits').value.match(/\\d+/g)"
				      ".reduce((sum, n) => sum + Number(n), 0)") == after);
	/* A table without visible rows disappears. */
	expect_none(b, "shown('table').filter((t) => t.querySelector('[data-item]') && "
		       "!t.querySelector('[data-item]:not([hidden])'))"
		       ".map((t) => t.caption.textContent).join(' ')");
	json_decref(browser_value(b, "find('no such words anywhere'); 0"));
	assert_true(browser_number(b, "shown('[data-item]').length") == 0);
	json_decref(browser_value(b, "find(''); 0"));
	assert_true(browser_number(b, "shown('[data-item]').length") == before);
}

TEST(only_the_chosen_kernels_have_a_column)
{
	struct browser *b = show(state, 1400, false);

	json_decref(browser_value(b, "choose((i) => i === 1 || i === 4); 0"));
	expect_none(b, "all('.kernels thead tr').filter((r) => "
		       "all('[data-from]', r).filter(seen).length !== 2)"
		       ".map((r) => r.textContent).join('; ')");
	expect_none(b, "all('.kernels tbody tr').filter((r) => all('[data-from]', r).filter(seen)"
		       ".reduce((sum, c) => sum + c.colSpan, 0) !== 2)"
		       ".map((r) => r.textContent).join('; ')");
	json_decref(browser_value(b, "document.getElementById('all-kernels').click(); 0"));
	assert_true(browser_true(b, "all('.kernels tbody tr').every((r) => all('[data-from]', r)"
				    ".reduce((sum, c) => sum + c.colSpan, 0) === "
				    "all('input[name=kernel]').length)"));
}

TEST(rows_that_are_equal_on_the_chosen_kernels_can_be_hidden)
{
	struct browser *b = show(state, 1400, false);

	json_decref(browser_value(b, "document.getElementById('differs').click(); 0"));
	assert_true(browser_true(b, "shown('.kernels tbody tr').length > 0"));
	expect_none(b, "shown('.kernels tbody tr').filter((r) => "
		       "new Set(all('[data-from]', r).filter(seen).map((c) => c.dataset.value)"
		       ".filter((v) => v !== '0')).size < 2).map((r) => r.textContent).join('; ')");
	/* A single kernel differs from no other. */
	json_decref(browser_value(b, "choose((i) => i === 0); 0"));
	assert_true(browser_number(b, "shown('.kernels tbody tr').length") == 0);
}

TEST(false_sentences_can_be_shown_alone)
{
	struct browser *b = show(state, 1400, false);
	double wrong = browser_number(
		b, "all('.documents [data-wrong-on]').filter((r) => r.dataset.wrongOn"
		   ".split(' ').includes(String(all('#kernel option').length - 1))).length");

	json_decref(browser_value(b, "document.getElementById('false-only').click(); 0"));
	assert_true(browser_number(b, "shown('[data-item=sentence]').length") == wrong);
}

TEST(a_link_opens_its_target)
{
	struct browser *b = show(state, 1400, false);

	json_decref(browser_value(b, "find('no such words anywhere');"
				     "location.hash = '#c-file/private_write';"
				     "new Promise((done) => setTimeout(done, 100))"));
	assert_true(browser_true(b, "(() => { const d = "
				    "document.getElementById('c-file/private_write');"
				    "return seen(d) && d.open; })()"));
	assert_true(browser_true(b, "(() => { const top = "
				    "document.getElementById('c-file/private_write')"
				    ".getBoundingClientRect().top;"
				    "return top >= 0 && top < innerHeight; })()"));
}

TEST(the_keyboard_reaches_everything_with_visible_focus)
{
	struct browser *b = show(state, 1400, false);
	double controls = browser_number(b, "all('form input, form button').length");

	browser_press(b, "Tab");
	assert_true(browser_true(b, "document.activeElement.className === 'skip' && "
				    "document.activeElement.getBoundingClientRect().left >= 0"));
	json_decref(browser_value(b, "var been = new Set(), unseen = []; 0"));
	/*
	 * Tab stops at each control, and at fewer than 40 links, tables and pictures between them.
	 */
	for (int i = 0; i < (int)controls + 40; i++) {
		json_decref(browser_value(b, "been.add(document.activeElement);"
					     "if (getComputedStyle(document.activeElement)"
					     ".outlineStyle === 'none') "
					     "unseen.push(document.activeElement.outerHTML); 0"));
		browser_press(b, "Tab");
	}
	expect_none(b, "unseen.join('; ')");
	/* The remaining control is further down, in the form of the documents. */
	assert_true(browser_number(b, "all('form input, form button')"
				      ".filter((e) => been.has(e)).length") >= controls - 1);
	assert_true(browser_true(b, "all('.box').some((e) => been.has(e))"));
	expect_none(b, "all('a[href], button, input, summary, .box').filter((e) => e.tabIndex < 0)"
		       ".map((e) => e.outerHTML).join('; ')");

	json_decref(browser_value(b, "document.querySelector('summary').focus(); 0"));
	browser_press(b, "Enter");
	assert_true(browser_true(b, "document.querySelector('summary').parentElement.open"));
	json_decref(browser_value(b, "document.querySelector('.skip').focus(); 0"));
	browser_press(b, "Enter");
	assert_true(browser_true(b, "document.activeElement.id === 'main'"));
}

TEST(the_page_never_scrolls_sideways)
{
	static const unsigned widths[] = { 320, 360, 768, 1400 };

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		struct browser *b = show(state, widths[i], false);
		char expression[512];

		json_decref(browser_value(b, "all('details').forEach((d) => d.open = true); 0"));
		/* If a page is wider than a phone, innerWidth is wider as well. */
		snprintf(expression, sizeof(expression),
			 "document.documentElement.scrollWidth > %u ? all('body *').filter((e) => "
			 "!e.closest('.box') && e.getBoundingClientRect().right > %u)"
			 ".slice(0, 5).map((e) => e.outerHTML.slice(0, 200)).join('; ') || "
			 "'too wide' : ''",
			 widths[i], widths[i]);
		expect_none(b, expression);
	}
}

TEST(all_text_has_enough_contrast_in_light_and_dark)
{
	for (int dark = 0; dark < 2; dark++) {
		struct browser *b = show(state, 1400, dark);

		assert_true(browser_true(b, "matchMedia('(prefers-color-scheme: dark)').matches") ==
			    dark);
		json_decref(browser_value(
			b, "all('details').forEach((d) => d.open = true);"
			   "var rgb = (s) => s.match(/[\\d.]+/g).map(Number),"
			   " light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => {"
			   "  const v = c[i] / 255; return sum + w * (v <= 0.03928 ? v / 12.92 : "
			   "  ((v + 0.055) / 1.055) ** 2.4); }, 0),"
			   " behind = (e) => { for (; e; e = e.parentElement) {"
			   "  const c = rgb(getComputedStyle(e).backgroundColor);"
			   "  if (c.length < 4 || c[3]) return c; } return [255, 255, 255]; },"
			   " contrast = (e) => { const a = light(rgb(getComputedStyle(e).color)),"
			   "  z = light(behind(e)); return (Math.max(a, z) + 0.05) / "
			   "  (Math.min(a, z) + 0.05); }; 0"));
		expect_none(b, "all('h1, h2, h3, h4, p, td, th, dt, dd, a, b, code, small, label, "
			       "output, caption, legend, button, .chip, summary > span')"
			       ".filter((e) => !e.closest('.skip') && contrast(e) < 4.5)"
			       ".slice(0, 5).map((e) => contrast(e) + ': ' + "
			       "e.outerHTML.slice(0, 120)).join('; ')");
	}
}

/* Words in a picture keep their size on a phone only if the picture is not shrunk. */
TEST(pictures_are_legible_on_a_phone)
{
	struct browser *b = show(state, 360, false);

	assert_true(browser_number(b, "all('figure svg').length") > 0);
	expect_none(
		b,
		"all('figure svg text').filter((t) => { const s = t.closest('svg'),"
		" a = t.getBoundingClientRect(), z = s.getBoundingClientRect();"
		" return a.left < z.left - 1 || a.right > z.right + 1 || a.bottom > z.bottom + 1; })"
		".map((t) => t.textContent).join('; ')");
	expect_none(b,
		    "all('figure svg text').filter((t) => "
		    "t.getBoundingClientRect().height < 10).map((t) => t.textContent).join('; ')");
}

TEST(the_question_comes_first_and_is_answered_by_the_models)
{
	struct browser *b = show(state, 1400, false);
	struct fixture *f = *state;
	OWNED(text_end) char *expression = NULL;

	assert_true(browser_true(b, "all('main > section')[0].id === 'question' && "
				    "all('main > section')[1].id === 'residents' && "
				    "all('main > section')[2].id === 'lag'"));
	assert_true(asprintf(&expression,
			     "set('nr-threads', 100); %s.filter(([k, m, kb]) => "
			     "all('#column option').some((o) => o.value === m) && "
			     "Number(ask(k, m).dataset.off) !== kb)"
			     ".map((x) => x.join(' ')).join('; ')",
			     f->bounds) > 0);
	expect_none(b, expression);
}

/* 6.1 counts per thread; 6.12.43 has the fix for the same field. */
TEST(the_answer_judges_the_number_and_names_a_better_one)
{
	struct browser *b = show(state, 1400, false);

	json_decref(browser_value(b, "var at = (name) => all('#kernel option')"
				     ".find((o) => o.textContent === name).value; 0"));
	assert_true(browser_true(b, "ask(at('6.1.0'), 'statm.resident').textContent"
				    ".startsWith('Off by at most ')"));
	assert_true(browser_true(b, "ask(at('6.1.0'), 'statm.resident').textContent"
				    ".includes('Read instead: smaps_rollup.Rss')"));
	assert_true(browser_true(b, "ask(at('6.12.43'), 'statm.resident').textContent"
				    ".startsWith('Believe it.')"));
	assert_true(browser_true(b, "ask(at('6.12.43'), 'stat.rss').textContent"
				    ".includes('Read instead: status.VmRSS')"));
	assert_true(browser_true(b, "ask(at('6.12.43'), 'status.VmLck').textContent"
				    ".includes('Known to be wrong on this kernel: ')"));
	expect_none(b, "all('#column option').filter((o) => { o.selected = true;"
		       " set('column', o.value);"
		       " const text = document.getElementById('answer').textContent;"
		       " return text.length < 20 || /undefined|NaN|null/.test(text); })"
		       ".map((o) => o.textContent).join('; ')");
}

TEST(the_picture_shows_the_chosen_kernel)
{
	struct browser *b = show(state, 1400, false);

	json_decref(browser_value(b, "set('kernel', 1); 0"));
	assert_true(browser_true(b, "document.querySelector('.kernel-now').textContent === "
				    "all('#kernel option')[1].textContent"));
	assert_true(browser_true(b, "document.querySelector('[data-number=\"status.VmRSS\"] .said')"
				    ".textContent.includes('too few')"));
	/* The length of each bar agrees with its number. */
	expect_none(b, "all('[data-number]').filter((row) => {"
		       " const [, says, holds] = row.dataset.of.split(';')[1].split(' '),"
		       "  bar = row.querySelector('.bar-of').getBoundingClientRect().width,"
		       "  whole = row.querySelector('.track').clientWidth;"
		       " return Math.abs(bar - whole * says / holds) > 1.5; })"
		       ".map((row) => row.textContent).join('; ')");
}

TEST(lags_of_all_kernels_have_one_scale)
{
	struct browser *b = show(state, 1400, false);

	json_decref(browser_value(b, "var bars = all('.lags .said').map((s) => ({"
				     " kb: Number(s.textContent.replace(/[^0-9]/g, '')),"
				     " px: s.previousElementSibling.firstElementChild"
				     "  .getBoundingClientRect().width })),"
				     " most = bars.reduce((a, c) => c.kb > a.kb ? c : a); 0"));
	assert_true(browser_true(b, "most.kb > 20000 && most.px > 100"));
	expect_none(b, "bars.filter((c) => Math.abs(c.px - most.px * c.kb / most.kb) > 1)"
		       ".map((c) => c.kb + ' kB: ' + c.px).join('; ')");
}

TEST(headings_values_and_reasons_are_complete_at_every_width)
{
	static const unsigned widths[] = { 1400, 500, 400 };

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		struct browser *b = show(state, widths[i], false);

		/* Nothing needs scrolling, no element covers another, and no word is cut off. */
		expect_none(b, "shown('.box').filter((e) => !e.closest('details') && wide(e))"
			       ".map((e) => e.getAttribute('aria-label')).join('; ')");
		expect_none(b, "shown('.kernels th, .kernels td, .why, .same td, .legend li')"
			       ".filter((e) => e.getClientRects().length && "
			       "(wide(e) || e.getBoundingClientRect().right > innerWidth))"
			       ".map((e) => e.textContent).join('; ')");
		expect_none(b,
			    "shown('.kernels thead th, .kernels td')"
			    ".filter((e) => e.getClientRects().length).flatMap(broken).join('; ')");
	}
}

TEST(without_headings_a_value_names_its_kernels)
{
	struct browser *b = show(state, 400, false);

	assert_true(browser_true(
		b, "!document.querySelector('.kernels thead').getClientRects().length"));
	assert_true(
		browser_true(b, "getComputedStyle(document.querySelector('.kernels td'), '::after')"
				".content.includes('attr(data-on)') || "
				"getComputedStyle(document.querySelector('.kernels td'), '::after')"
				".content.includes(' on ')"));
	json_decref(browser_value(b, "var names = all('#kernel option').map((o) => o.textContent);"
				     "choose((i) => ['6.1.0', '6.12.43'].includes(names[i])); 0"));
	expect_none(b, "shown('.kernels td').filter((e) => !['6.1.0', '6.12.43', '6.1.0, 6.12.43']"
		       ".includes(e.dataset.on)).map((e) => e.dataset.on).join('; ')");
}

TEST(each_colour_means_one_value)
{
	for (int dark = 0; dark < 2; dark++) {
		struct browser *b = show(state, 1400, dark);

		json_decref(browser_value(
			b,
			"var means = new Map(), add = (c, v) => means.set(c, "
			"(means.get(c) || new Set()).add(v));"
			"all('.kernels td[data-counts]').forEach((e) => add("
			" getComputedStyle(e).backgroundColor, e.textContent.split(',')[0]));"
			"all('.bar-of').forEach((e) => add("
			" getComputedStyle(e).backgroundColor, e.dataset.counts));"
			"all('.line').forEach((e) => add("
			" getComputedStyle(e).stroke, e.dataset.counts));"
			"all('.legend li').forEach((e) => add("
			" getComputedStyle(e, '::before').backgroundColor, e.dataset.counts)); 0"));
		assert_true(browser_true(b, "means.size >= 7"));
		expect_none(b, "[...means].filter(([c, v]) => v.size > 1)"
			       ".map(([c, v]) => c + ' is ' + [...v].join(', ')).join('; ')");
		/* Cells without an entry in the legend have no colour. */
		expect_none(b, "all('.kernels td:not([data-counts])').filter((e) => "
			       "getComputedStyle(e).backgroundColor !== 'rgba(0, 0, 0, 0)')"
			       ".map((e) => e.textContent).join('; ')");
	}
}

TEST(each_fact_is_printed_as_a_question)
{
	struct browser *b = show(state, 1400, false);

	expect_none(b, "all('.kernels tbody th > a[href^=\"#c-\"], .same th > a')"
		       ".filter((a) => !/^[A-Za-z].* .*/.test(a.textContent) || "
		       "/[a-z]_[a-z]+_|^[a-z_]+\\./.test(a.textContent))"
		       ".map((a) => a.textContent).join('; ')");
}

TEST(the_size_of_the_page_is_limited_by_the_number_of_verdicts)
{
	struct fixture *f = *state;

	if (!f->page)
		skip();
	if (strlen(f->page) >= 140 * f->verdicts)
		fail_msg("the page has %zu bytes", strlen(f->page));
}

TEST(hostile_results_put_no_markup_into_the_page)
{
	static const char attack[] = "\"'><img src=x onerror=alert(1)></td><script>alert(1)//";
	struct fixture *f = *state;
	struct results r = made_up_results();

	if (!f->page) {
		results_free(&r);
		skip();
	}
	made_up_fact(made_up_case(&r, attack, VERDICT_FAIL, attack), attack, attack);
	made_up_fact(made_up_case(&r, "file/truncate", VERDICT_SKIP, attack), "]]></style>",
		     "--></");
	snprintf(r.kernel_release, sizeof(r.kernel_release), "%s", attack);
	snprintf(r.machine, sizeof(r.machine), "%.31s", attack);

	char *page = page_of(html_alone, &r, 1);

	browser_show(&f->browser, page, 1400, false);
	if (f->browser.complaint[0])
		fail_msg("%s", f->browser.complaint);
	assert_true(browser_number(&f->browser, "document.images.length") == 0);
	assert_true(browser_number(&f->browser, "document.scripts.length") == 1);
	assert_true(browser_true(&f->browser, "document.querySelector('#runs tbody th')"
					      ".textContent.startsWith('\"\\'><img src=x')"));
}

/* The grid can be opened by link and by keyboard, and is no wider than a phone. */
TEST(a_cell_of_the_atlas_opens_into_its_numbers)
{
	struct fixture *f = *state;
	OWNED(grids_free) struct grids g = { .nr = 0 };
	struct browser *b = &f->browser;
	FILE *out;

	if (!f->page)
		skip();
	grids_recorded(&g, "results");
	out = printing();
	assert_int_equal(report_atlas(&g, out), 0);
	browser_show(b, printed(out), 400, true);
	json_decref(browser_value(b, helpers));
	assert_string_equal(b->complaint, "");
	expect_none(b, "document.documentElement.scrollWidth > 400 ? 'too wide' : ''");
	expect_none(b, "all('a[href^=\"#\"]').filter((a) => "
		       "!document.getElementById(a.hash.slice(1))).map((a) => a.hash).join(' ')");
	json_decref(browser_value(b, "document.querySelector('.grid td a').focus(); 0"));
	browser_press(b, "ArrowDown");
	assert_true(browser_true(b, "document.activeElement.hash === '#e1-0'"));
	browser_press(b, "Enter");
	assert_true(browser_true(b, "all('.entries section').filter((e) => "
				    "getComputedStyle(e).display !== 'none').length === 1"));
	browser_press(b, "Escape");
	assert_true(browser_true(b, "all('.entries section').every((e) => "
				    "getComputedStyle(e).display === 'none')"));
}

/* The pictures are for a person to look at: each section, wide and narrow, light and dark. */
TEST(pictures_are_taken_on_request)
{
	static const unsigned widths[] = { 1400, 500, 400 };
	const char *folder = getenv("RSSCK_PICTURES");

	if (!folder)
		skip();
	for (int i = 0; i < 6; i++) {
		struct browser *b = show(state, widths[i / 2], i % 2);
		double sections = browser_number(b, "all('main > section').length");

		for (int k = -1; k < sections; k++) {
			char file[4200], scroll[128];

			snprintf(file, sizeof(file), "%s/%u-%s-%d.png", folder, widths[i / 2],
				 i % 2 ? "dark" : "light", k + 1);
			snprintf(
				scroll, sizeof(scroll),
				"%d < 0 ? scrollTo(0, 0) : all('main > section')[%d].scrollIntoView(); 0",
				k, k < 0 ? 0 : k);
			browser_picture(b, file, widths[i / 2], 1600, scroll);
		}
	}
}

TESTS_SHARE(setup, teardown);
