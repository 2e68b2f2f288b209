// SPDX-License-Identifier: MIT
/* Writes the reference at the end of the page, mostly from the tables of rssck explain. */
#include "explain/topics.h"
#include "page/write.h"
#include "views.h"
#include <string.h>

/* A row of numbers.def. A heading has only a name. */
static const struct number_row {
	const char *name, *of, *proof;
} number_rows[] = {
#define NUMBERS(title)          { title, NULL, NULL },
#define NUMBER(name, of, proof) { name, of, proof },
#include "numbers.def"
#undef NUMBER
#undef NUMBERS
};

static const struct asked {
	const char *asks, *answer, *look_up;
} asked[] = {
#define UNDER(title)                                 { title, NULL, NULL },
#define QUESTION(asks, words, with, answer, look_up) { asks, answer, look_up },
#define MEANING                                      QUESTION
#include "explain/questions.def"
#undef MEANING
#undef QUESTION
#undef UNDER
};

/* Explain's texts about a number; each may be NULL. */
struct said {
	const char *is, *is_not, *where, *believe, *instead;
};

static struct said said_of(const struct topic *t)
{
	if (t->kind == TOPIC_WORD)
		return (struct said) { t->word->is, t->word->is_not, t->word->metrics, NULL, NULL };
	if (t->kind == TOPIC_FIGURE)
		return (struct said) { t->figure->is, t->figure->is_not, t->figure->from,
				       t->figure->believe, t->figure->instead };
	return (struct said) { metric(t->metric)->prose, metric_is_not(t->metric),
			       metric(t->metric)->name, NULL, NULL };
}

static void put_number(const struct number_row *row, const struct said *s, FILE *out)
{
	html_put(out, "<dt>%s</dt><dd>%s", row->name, s->is);
	if (s->is_not)
		html_put(out, " <b>Not:</b> %s", s->is_not);
	fputs(" <small>", out);
	if (s->where)
		html_put(out, "<b>Where:</b> %s. ", s->where);
	if (s->believe)
		html_put(out, "<b>Trust:</b> %s ", s->believe);
	if (s->instead)
		html_put(out, "<b>Instead:</b> %s. ", s->instead);
	if (*row->proof)
		html_put(out, "<b>Shown by:</b> <code>%s</code>", row->proof);
	fputs("</small></dd>\n", out);
}

static void put_heading(const char *title, bool is_first, FILE *out)
{
	fputs(is_first ? "" : "</dl>\n", out);
	html_put(out, "<h3>%s</h3>\n<dl>\n", title);
}

static int put_numbers(const struct topics *all, FILE *out)
{
	for (size_t i = 0; i < sizeof(number_rows) / sizeof(*number_rows); i++) {
		const struct number_row *row = &number_rows[i];
		struct topics found;

		if (!row->of) {
			put_heading(row->name, !i, out);
			continue;
		}
		if (topics_find(&found, all, row->of))
			return -1;
		if (found.nr) {
			struct said s = said_of(&found.of[0]);

			put_number(row, &s, out);
		}
		topics_free(&found);
	}
	fputs("</dl></section>\n", out);
	return 0;
}

int reference_numbers(FILE *out)
{
	struct topics all;
	int rc;

	if (topics_all(&all))
		return -1;
	fputs("<section id=\"numbers\" aria-labelledby=\"t-numbers\"><h2 id=\"t-numbers\">What a number includes, and what it does not</h2>\n"
	      "<p>status.VmRSS is the line VmRSS of /proc/PID/status; statm, stat, smaps and smaps_rollup (smaps added up) are files in the same folder.</p>\n",
	      out);
	rc = put_numbers(&all, out);
	topics_free(&all);
	return rc;
}

int reference_asked(FILE *out)
{
	fputs("<section id=\"asked\" aria-labelledby=\"t-asked\"><h2 id=\"t-asked\">Also "
	      "asked</h2>\n<p><code>rssck explain</code> answers these questions, and explains the "
	      "names in parentheses.</p>\n",
	      out);
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		if (!asked[i].answer) {
			put_heading(asked[i].asks, !i, out);
			continue;
		}
		/* Skips a question with the same answer as the previous one. */
		if (i && asked[i - 1].answer && !strcmp(asked[i].answer, asked[i - 1].answer))
			continue;
		html_put(out, "<dt>%s</dt><dd>%s (%s)</dd>\n", asked[i].asks, asked[i].answer,
			 asked[i].look_up);
	}
	fputs("</dl></section>\n", out);
	return 0;
}
