// SPDX-License-Identifier: MIT
/*
 * Writes the course. Parts that differ between kernels are written into the page for one kernel,
 * for readers without scripts, and as a fragment for each kernel, which the script inserts.
 */
#include "base/print/words.h"
#include "course.h"
#include "limit.h"
#include "page/write.h"
#include "picture.h"
#include "runs/document.h"
#include "runs/release.h"
#include "slot.h"
#include "views.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

extern const char course_css[], course_js[];

/* ---- fragments ---- */

static void picture(const json_t *record, const struct spot *s, FILE *out)
{
	picture_put(course_step(record, s, s->step), out);
}

static void sizes(const json_t *record, const struct spot *s, FILE *out)
{
	picture_sizes(record, course_step(record, s, s->step), out);
}

static void solution(const json_t *record, const struct spot *s, FILE *out)
{
	struct answered a;
	char numbers[96];

	if (!lesson_answer(record, s->lesson, s->ask, &a)) {
		fputs("<b>not known on this kernel</b>", out);
		return;
	}
	html_put(out, "<b data-a=\"%d\">%s</b>", (int)a.answer, ask_choice(s->ask, a.answer));
	if (!s->ask->choices && a.answer == ANSWER_SAME && a.is != a.was)
		html_put(out, ", within %lld kB", (long long)s->ask->within);
	if (*answered_words(s->ask, &a, numbers, sizeof(numbers)))
		html_put(out, ": %s", numbers);
}

enum { USUAL_PAGE = 4096 };

static const json_t *kernel_of(const json_t *record, const char *member)
{
	return json_object_get(json_object_get(record, "kernel"), member);
}

static bool is_rare(const json_t *record)
{
	return record_page_size(record) != USUAL_PAGE;
}

static void kernel_name_put(const json_t *record, const struct spot *s, FILE *out)
{
	const char *release = json_string_value(kernel_of(record, "release"));
	char name[64];

	(void)s;
	html_put(out, "Linux %s", release_short(release ? release : "?", name, sizeof(name)));
	if (is_rare(record))
		html_put(out, ", pages of %lld KiB (%s)",
			 (long long)record_page_size(record) / 1024,
			 json_string_value(kernel_of(record, "machine")));
}

static void models(const json_t *record, const struct spot *s, FILE *out)
{
	const char *words = json_string_value(
		json_object_get(json_object_get(record, "kernel"), "models"));

	(void)s;
	html_put(out, "%s", words ? words : "");
}

static void why_not(const json_t *record, const struct spot *s, FILE *out)
{
	const json_t *of_case = record_case(record, s->lesson->case_id);
	const char *why = json_string_value(json_object_get(of_case, "why"));

	if (!record_step(of_case, s->lesson->step))
		html_put(out, "The case could not run on this kernel: %s.",
			 why ? why : "the record does not contain it");
}

/* ---- tables of numbers ---- */

/* A file or program, and its names for VIRT, RES, SHR and SWAP. */
static const struct {
	const char *who, *of[4], *plus;
} readers[] = {
	{ "page tables",
	  { "smaps.Size", "smaps.Rss", "pagemap.file", "smaps.Swap" },
	  "pagemap.shmem" },
	{ "top", { "top.VIRT", "top.RES", "top.SHR", "top.SWAP" }, NULL },
	{ "ps", { "ps.vsz", "ps.rss", NULL, NULL }, NULL },
	{ "pmap -x", { "pmap-x.Kbytes", "pmap-x.RSS", NULL, NULL }, NULL },
	{ "status", { NULL, "status.VmRSS", NULL, "status.VmSwap" }, NULL },
	{ "statm", { "statm.size", "statm.resident", "statm.shared", NULL }, NULL },
	{ "stat, field 24", { NULL, "stat.rss", NULL, NULL }, NULL },
};

static void put_readers(struct course *c, struct spot s)
{
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"What each program "
	      "prints\"><table><caption>What each program and file shows after the line, in kB "
	      "(small: the change by the line)</caption><thead><tr><th "
	      "scope=\"col\">kB</th><th scope=\"col\">VIRT</th><th scope=\"col\">RES</th><th "
	      "scope=\"col\">SHR</th><th scope=\"col\">SWAP</th></tr></thead><tbody>\n",
	      c->out);
	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++) {
		html_put(c->out, "<tr><th scope=\"row\">%s</th>", readers[i].who);
		for (int k = 0; k < 4; k++) {
			s.name = readers[i].of[k];
			s.plus = k == 2 ? readers[i].plus : NULL;
			course_cell(c, &s, course_moved);
		}
		fputs("</tr>\n", c->out);
	}
	fputs("</tbody></table></div>\n", c->out);
}

static void put_pairs(struct course *c, struct spot s, const char *caption,
		      const char *const *names, size_t nr)
{
	html_put(c->out, "<table class=\"pairs\"><caption>%s</caption><tbody>\n", caption);
	for (size_t i = 0; i < nr; i++) {
		const char *dot = strchr(names[i], '.');

		s.name = names[i];
		html_put(c->out, "<tr><th scope=\"row\">%s</th>", dot ? dot + 1 : names[i]);
		course_cell(c, &s, course_moved);
		fputs("</tr>\n", c->out);
	}
	fputs("</tbody></table>\n", c->out);
}

static void put_counters(struct course *c, const struct spot *s)
{
	static const char *const counters[] = { "status.RssAnon",  "status.RssFile",
						"status.RssShmem", "status.VmSwap",
						"status.VmHWM",    "status.VmPTE" };
	static const char *const shares[] = { "smaps.Pss", "smaps.Private_Dirty",
					      "smaps.Private_Clean", "smaps.AnonHugePages" };
	static const char *const machine[] = { "meminfo.MemFree", "meminfo.MemAvailable",
					       "meminfo.Cached", "meminfo.Shmem",
					       "meminfo.PageTables" };

	put_pairs(c, *s, "Counters in status, kB", counters, 6);
	put_pairs(c, *s, "Walked by smaps, kB", shares, 4);
	put_pairs(c, *s, "The machine, as free reads it, kB", machine, 5);
}

static const char *line_of(const struct course *c, const struct lesson *l, size_t step)
{
	const char *name = json_string_value(json_object_get(
		record_step(record_case(c->records[c->shown], l->case_id), step), "name"));

	return name ? name : "";
}

static void put_lines(struct course *c, struct spot s)
{
	static const char *const columns[][2] = {
		{ "VIRT", "top.VIRT" },       { "RES", "top.RES" },
		{ "SHR", "top.SHR" },         { "SWAP", "top.SWAP" },
		{ "PSS", "smaps.Pss" },       { "VmHWM", "status.VmHWM" },
		{ "VmPTE", "status.VmPTE" },  { "sum of RES", "sums.rss" },
		{ "sum of PSS", "sums.pss" },
	};
	const json_t *steps = json_object_get(record_case(c->records[c->shown], s.lesson->case_id),
					      "steps");
	size_t nr = json_array_size(steps), asked = s.step;

	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"All lines\"><table class=\"lines\"><caption>After each line, in kB: top of the (first) "
	      "process, and the sums over all</caption><thead><tr><th scope=\"col\">line</th>",
	      c->out);
	for (size_t k = 0; k < sizeof(columns) / sizeof(*columns); k++)
		html_put(c->out, "<th scope=\"col\">%s</th>", columns[k][0]);
	fputs("</tr></thead><tbody>\n", c->out);
	for (s.step = 0; s.step + 1 < nr; s.step++) {
		fputs(s.step == asked ? "<tr class=\"asked\"><th scope=\"row\">"
				      : "<tr><th scope=\"row\">",
		      c->out);
		html_put(c->out, "%s</th>", s.step ? line_of(c, s.lesson, s.step) : "before");
		for (size_t k = 0; k < sizeof(columns) / sizeof(*columns); k++) {
			s.name = columns[k][1];
			course_cell(c, &s, course_number);
		}
		fputs("</tr>\n", c->out);
	}
	fputs("</tbody></table></div>\n", c->out);
}

/* ---- a lesson ---- */

static void put_program(struct course *c, const struct lesson *l)
{
	fputs("<pre class=\"program\" tabindex=\"0\" role=\"group\" aria-label=\"The program\"><code>",
	      c->out);
	for (size_t i = 0; i < LESSON_LINES && l->program[i].code; i++) {
		bool asked = l->program[i].step == l->step;

		html_put(c->out, asked ? "<mark>%s</mark>\n" : "%s\n", l->program[i].code);
	}
	fputs("</code></pre>\n", c->out);
}

static void put_asks(struct course *c, const struct lesson *l, size_t number)
{
	html_put(c->out, "<form class=\"asks\" aria-label=\"Your prediction for lesson %zu\">\n",
		 number);
	for (size_t i = 0; i < lesson_nr_asks(l); i++) {
		html_put(c->out, "<fieldset><legend>%s</legend>", l->asks[i].label);
		for (int a = 0; a < ANSWERS; a++)
			if (*ask_choice(&l->asks[i], (enum answer)a))
				html_put(c->out,
					 "<label><input type=\"radio\" name=\"%s-%zu\" "
					 "value=\"%d\"/> %s</label>",
					 l->id, i, a, ask_choice(&l->asks[i], (enum answer)a));
		fputs("<output></output></fieldset>\n", c->out);
	}
	fputs("<button type=\"submit\">Run the line</button></form>\n", c->out);
}

static void put_solutions(struct course *c, struct spot s)
{
	fputs("<ul class=\"solutions\">", c->out);
	for (size_t i = 0; i < lesson_nr_asks(s.lesson); i++) {
		s.ask = &s.lesson->asks[i];
		html_put(c->out, "<li>%s: ", s.ask->label);
		course_slot(c, "span", "", solution, &s);
		fputs("</li>\n", c->out);
	}
	fputs("</ul>\n", c->out);
}

static void put_pictures(struct course *c, struct spot s)
{
	fputs("<div class=\"beside\"><div><h4>Before the line</h4>", c->out);
	s.step--;
	course_slot(c, "div", "", picture, &s);
	course_slot(c, "p", " class=\"rest\"", sizes, &s);
	fputs("</div><div><h4>After it</h4>", c->out);
	s.step++;
	course_slot(c, "div", "", picture, &s);
	course_slot(c, "p", " class=\"rest\"", sizes, &s);
	fputs("</div></div>\n", c->out);
	picture_legend(c->out);
}

static void put_reasons(struct course *c, const struct lesson *l)
{
	const struct sentence *said = lesson_sentence(l);

	fputs("<h3>Why</h3><p class=\"reason\">", c->out);
	html_prose(l->reason, c->out);
	fputs("</p>\n", c->out);
	for (size_t i = 0; i < LESSON_MORE && l->more[i]; i++) {
		fputs("<p class=\"reason\">", c->out);
		html_prose(l->more[i], c->out);
		fputs("</p>\n", c->out);
	}
	fputs("<dl class=\"beyond\">", c->out);
	if (said) {
		html_put(c->out,
			 "<dt>A false statement</dt><dd>%s: \xe2\x80\x9c%s\xe2\x80\x9d. In fact: ",
			 said->document, said->says);
		html_prose(said->truth, c->out);
		fputs(".</dd>\n", c->out);
	}
	html_put(c->out, "<dt>An incident</dt><dd>%s. <a href=\"%s\">%s</a></dd>\n", l->incident,
		 l->address, l->address + strlen("https://"));
	html_put(
		c->out,
		"<dt>Try it</dt><dd>%s<pre tabindex=\"0\" role=\"group\" aria-label=\"Command\"><code>%s</code></pre><a href=\"#answer-%s\">What you should see</a></dd></dl>\n",
		l->exercise, l->command, l->id);
}

/* True if the case has made a mapping in the first process. */
static bool has_maps(const json_t *step)
{
	return json_array_size(json_object_get(
		       json_array_get(json_object_get(step, "processes"), 0), "maps")) > 1;
}

/*
 * True if the step is about a limit. The processes of interest have ended then, and the remaining
 * process shows nothing of interest.
 */
static bool have_ended(const struct course *c, const struct spot *s)
{
	struct limit_row rows[LIMIT_ROWS];
	const json_t *record = c->records[c->shown];

	return limit_rows(record, course_step(record, s, s->step), rows) > 0;
}

/*
 * True if the lesson has a question about meminfo. Its steps then change page cache that no process
 * maps.
 */
static bool is_of_cache(const struct lesson *l)
{
	for (size_t i = 0; i < lesson_nr_asks(l); i++)
		if (ask_is_of_machine(&l->asks[i]))
			return true;
	return false;
}

static void view_pages(struct course *c, struct spot s)
{
	const json_t *step = course_step(c->records[c->shown], &s, s.step);

	if (have_ended(c, &s))
		view_limit(c, s);
	else if (is_of_cache(s.lesson))
		view_cache(c, s);
	else if (!json_object_get(step, "reported") || has_maps(step))
		put_pictures(c, s);
}

static void view_pages_numbers(struct course *c, struct spot s)
{
	if (have_ended(c, &s)) {
		view_reported(c, s);
		return;
	}
	fputs("<div class=\"tables\">", c->out);
	put_readers(c, s);
	put_counters(c, &s);
	fputs("</div>\n", c->out);
	view_reported(c, s);
	put_lines(c, s);
}

/*
 * The functions that draw a view's picture and its table of numbers; .numbers NULL: the picture
 * shows the numbers.
 */
static const struct view {
	void (*draw)(struct course *c, struct spot s);
	void (*numbers)(struct course *c, struct spot s);
	const char *command; /* a command to suggest in addition to the demo of the case */
} views[] = {
	[VIEW_PAGES] = { view_pages, view_pages_numbers, NULL },
	[VIEW_GRID] = { view_grid, NULL, "rssck explain 'MADV_DONTNEED of shmem'" },
	[VIEW_MACHINE] = { view_machine, view_machine_numbers, "rssck machine" },
};

static void put_commands(const struct course *c, const struct lesson *l)
{
	const char *beside = views[l->view].command;

	html_put(c->out, "<p class=\"case\">On your own machine: <code>rssck demo %s</code>",
		 l->case_id);
	if (beside)
		html_put(c->out, ", <code>%s</code>", beside);
	fputs("</p>\n", c->out);
}

static void put_answer(struct course *c, const struct spot *s)
{
	const struct lesson *l = s->lesson;

	fputs("<div class=\"answer\">\n<h3>What happens on ", c->out);
	course_slot(c, "span", "", kernel_name_put, s);
	fputs("</h3>\n", c->out);
	course_slot(c, "p", " class=\"missing\"", why_not, s);
	put_solutions(c, *s);
	views[l->view].draw(c, *s);
	if (l->reason)
		put_reasons(c, l);
	if (views[l->view].numbers) {
		fputs("<h3 class=\"numbers\">The numbers</h3>", c->out);
		views[l->view].numbers(c, *s);
	}
	put_commands(c, l);
	fputs("</div>\n", c->out);
}

static void put_lesson(struct course *c, const struct lesson *l, size_t number, size_t nr)
{
	struct spot s = { .lesson = l, .step = l->step };

	html_put(c->out, "<section class=\"lesson\" id=\"%s\" aria-labelledby=\"t-%s\">\n", l->id,
		 l->id);
	html_put(c->out, "<p class=\"count\">Lesson %zu of %zu</p><h2 id=\"t-%s\">%s</h2>\n",
		 number, nr, l->id, l->title);
	fputs("<div class=\"ask\">", c->out);
	put_program(c, l);
	html_put(c->out, "<div><p class=\"question\">%s</p>\n", l->question);
	put_asks(c, l, number);
	fputs("</div></div>\n", c->out);
	put_answer(c, &s);
	fputs("</section>\n", c->out);
}

/* ---- the page ---- */

static void put_bar(struct course *c, const struct lesson *lessons, size_t nr)
{
	struct spot none = { 0 };

	fputs("<div class=\"bar\"><form class=\"kernels\" aria-label=\"Kernel\"><label for=\"kernel\">Kernel</label>",
	      c->out);
	html_put(c->out,
		 "<input type=\"range\" id=\"kernel\" min=\"0\" max=\"%zu\" value=\"%zu\"/>",
		 c->nr - 1, c->shown);
	course_slot(c, "output", " for=\"kernel\" id=\"kernel-name\"", kernel_name_put, &none);
	fputs(" <output id=\"score\" aria-live=\"polite\"></output></form>\n<nav aria-label=\"Lessons\"><ol>",
	      c->out);
	for (size_t i = 0; i < nr; i++)
		html_put(c->out, "<li><a href=\"#%s\">%s</a></li>", lessons[i].id, lessons[i].id);
	fputs("<li><a href=\"#numbers\">numbers</a></li><li><a href=\"#asked\">also asked</a></li><li><a href=\"#answers\">answers</a></li></ol></nav></div>\n",
	      c->out);
}

static void put_answers(struct course *c, const struct lesson *lessons, size_t nr)
{
	fputs("<section id=\"answers\" aria-labelledby=\"t-answers\"><h2 id=\"t-answers\">Answers to the exercises</h2>\n<dl>",
	      c->out);
	for (size_t i = 0; i < nr; i++) {
		html_put(c->out, "<dt id=\"answer-%s\"><a href=\"#%s\">%zu. ", lessons[i].id,
			 lessons[i].id, i + 1);
		html_put(c->out, "%s</a></dt><dd>%s</dd>\n", lessons[i].title, lessons[i].solution);
	}
	fputs("</dl></section>\n", c->out);
}

static void put_data(struct course *c)
{
	json_t *data = json_pack("{s:O,s:O}", "strings", c->strings, "slots", c->slots);
	char *text = json_dumps(data, JSON_COMPACT);

	/* Escapes '<', because "</" would end a script element. */
	fputs("<script type=\"application/json\" id=\"data\">", c->out);
	for (const char *s = text; s && *s; s++) {
		if (*s == '<')
			fputs("\\u003c", c->out);
		else if (*s == '&')
			fputs("\\u0026", c->out);
		else
			putc(*s, c->out);
	}
	fputs("</script>\n", c->out);
	free(text);
	json_decref(data);
}

static int page(struct course *c, const struct lesson *lessons, size_t nr, const char *title)
{
	struct spot none = { 0 };
	bool is_course = lessons[0].question;

	c->numbers = json_object();
	c->strings = json_array();
	c->slots = json_array();
	html_head(title, (const char *const[]) { html_css, course_css, NULL }, c->out);
	html_put(c->out, "<header><h1>%s</h1>\n", title);
	if (is_course)
		fputs("<p class=\"standfirst\">Each lesson shows a short program, asks a question, and then runs the "
		      "line. Choose what you expect before you look at the answer. "
		      "Every number was recorded on a real kernel; the slider selects the "
		      "kernel. Sizes are in kB (1,024 bytes).</p>\n<noscript><p>Without scripts "
		      "all answers are shown, for one kernel.</p></noscript>\n",
		      c->out);
	fputs("<p class=\"models\">Counter models of this kernel: ", c->out);
	course_slot(c, "span", "", models, &none);
	fputs(". A counter model says how far the files stat, statm and status may lag behind the "
	      "page tables. An exact counter does not lag.</p></header>\n",
	      c->out);
	picture_patterns(c->out);
	if (is_course)
		put_bar(c, lessons, nr);
	fputs("<main id=\"main\" tabindex=\"-1\">\n", c->out);
	for (size_t i = 0; is_course && i < nr; i++)
		put_lesson(c, &lessons[i], i + 1, nr);
	if (is_course) {
		if (reference_numbers(c->out) || reference_asked(c->out))
			c->failed = true;
		put_answers(c, lessons, nr);
	}
	for (size_t i = 0; !is_course && i < nr; i++) {
		struct spot s = { .lesson = &lessons[i], .step = lessons[i].step };

		html_put(c->out, "<section class=\"lesson\"><h2>%s</h2>",
			 line_of(c, &lessons[i], s.step));
		put_answer(c, &s);
		fputs("</section>\n", c->out);
	}
	fputs("</main>\n<footer><p>The page is self-contained: it fetches nothing.</p></footer>\n",
	      c->out);
	put_data(c);
	fputs("<script>//<![CDATA[\n", c->out);
	html_asset(course_js, c->out);
	fputs("//]]></script>\n</body>\n</html>\n", c->out);
	json_decref(c->numbers);
	json_decref(c->strings);
	json_decref(c->slots);
	errno = c->failed ? ENOMEM : errno;
	return c->failed ? -1 : stream_end(c->out);
}

static int by_release(const void *a, const void *b)
{
	const json_t *const *one = a, *const *two = b;

	if (is_rare(*one) != is_rare(*two))
		return is_rare(*one) - is_rare(*two);
	return release_compare(json_string_value(kernel_of(*one, "release")),
			       json_string_value(kernel_of(*two, "release")));
}

void course_sort(json_t **records, size_t nr)
{
	qsort(records, nr, sizeof(*records), by_release);
}

int course_page(json_t **records, size_t nr, FILE *out)
{
	struct course c = { .records = records, .nr = nr, .shown = nr - 1, .out = out };
	size_t nr_lessons;
	const struct lesson *lessons = lessons_all(&nr_lessons);

	while (c.shown && is_rare(records[c.shown]))
		c.shown--;
	return page(&c, lessons, nr_lessons, "What your memory numbers mean: predict, then see");
}

int course_case_page(json_t *record, const struct case_registration *reg, FILE *out)
{
	struct course c = { .records = &record, .nr = 1, .out = out };
	struct lesson steps[32] = { 0 };
	char id[128];
	size_t nr = json_array_size(
		json_object_get(record_case(record, case_id(reg, id, sizeof(id))), "steps"));

	for (size_t i = 0; i < 32; i++)
		steps[i] = (struct lesson) { .id = "case", .case_id = id, .step = (unsigned)i + 1 };
	return page(&c, steps, nr < 2 ? 1 : nr - 2 < 32 ? nr - 2 : 32, reg->c->claim);
}
