// SPDX-License-Identifier: MIT
/* Writes the end of a check on a terminal: the skips, the failures, the table, and one line. */
#include "base/print/prose.h"
#include "base/print/style.h"
#include "base/print/words.h"
#include "causes.h"
#include "report.h"
#include "skips.h"
#include <rssck/bug.h>
#include <stdarg.h>
#include <string.h>

enum { SUMMARY_WIDTH = 80 };

static void put_skips(const struct results *r, const struct prose *p)
{
	struct skip_reasons s;

	if (skip_reasons_gather(&s, r) || !s.nr)
		return;
	prose_text(p, 0, "%zu of %zu cases could not run here (--verbose names them):",
		   r->count[VERDICT_SKIP], r->nr);
	for (size_t i = 0; i < s.nr; i++)
		prose_text(p, 2, "%zu%s %s", s.of[i].cases,
			   s.of[i].is_sentence  ? ":"
			   : s.of[i].cases == 1 ? " needs"
						: " need",
			   s.of[i].what);
	putc('\n', p->out);
	skip_reasons_free(&s);
}

/* Prints the failures. If several have one cause, only the first of them is printed in full. */
static int put_bad_but(const struct causes *c, const struct results *r, FILE *out, bool colour)
{
	for (size_t i = 0; i < r->nr; i++) {
		size_t cause = c->cause_of[i];

		if (!result_is_bad(&r->of[i]) || (cause < c->nr && c->of[cause].first != i))
			continue;
		if (report_case(&r->of[i], r, out, colour))
			return -1;
		putc('\n', out);
	}
	causes_put(c, r, out);
	return 0;
}

static int put_bad(const struct results *r, FILE *out, bool colour)
{
	struct causes c;
	int failed = causes_gather(&c, r);

	if (!failed)
		failed = put_bad_but(&c, r, out, colour);
	causes_free(&c);
	return failed;
}

__attribute__((format(printf, 2, 3))) static void add(char line[SUMMARY_WIDTH + 1],
						      const char *format, ...)
{
	char part[SUMMARY_WIDTH + 1];
	va_list args;

	va_start(args, format);
	vsnprintf(part, sizeof(part), format, args);
	va_end(args);
	/* Leave room for the full stop. */
	if (strlen(line) + strlen(part) < SUMMARY_WIDTH)
		strcat(line, part);
}

static void add_verdicts(char line[SUMMARY_WIDTH + 1], const struct results *r)
{
	static const struct {
		enum verdict verdict;
		const char *words;
	} parts[] = {
		{ VERDICT_FAIL, "failed" },
		{ VERDICT_ERROR, "could not be judged" },
		{ VERDICT_PASS, "passed" },
		{ VERDICT_SKIP, "could not run here" },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (r->count[parts[i].verdict])
			add(line, "%s%zu %s", line[0] ? ", " : "", r->count[parts[i].verdict],
			    parts[i].words);
}

static void put_summary(const struct results *r, FILE *out, bool colour)
{
	bool bad = r->count[VERDICT_FAIL] || r->count[VERDICT_ERROR];
	char line[SUMMARY_WIDTH + 1] = "", words[32];
	size_t bugs = results_bugs(r), again = results_retried(r);
	int64_t checks = 0;

	for (size_t i = 0; i < r->nr; i++)
		checks += (int64_t)r->of[i].nr_checks;
	add_verdicts(line, r);
	if (again)
		add(line, "; %zu retried", again);
	if (bugs)
		add(line, "; %zu known bug%s", bugs, bugs == 1 ? "" : "s");
	add(line, "; %s numbers", number_words(checks, words, sizeof(words)));
	add(line, ", %s s", number_words((r->duration_ms + 500) / 1000, words, sizeof(words)));
	style_begin(bad ? STYLE_BAD : STYLE_GOOD, out, colour);
	fputs(line[0] == ';' ? line + 2 : line, out);
	style_end(out, colour);
	fputs(".\n", out);
}

int report_brief(const struct results *r, FILE *out, bool colour)
{
	struct prose p = prose_to(out);

	put_skips(r, &p);
	if (put_bad(r, out, colour))
		return -1;
	if (r->ended[0]) {
		prose_text(&p, 0, "The run ended early%s%s, after %zu of %zu cases: %s",
			   r->ended_in[0] ? ", in " : "", r->ended_in, r->nr, r->nr_selected,
			   r->ended);
		putc('\n', out);
	}
	if (report_table(r, out, terminal_columns(out), colour))
		return -1;
	putc('\n', out);
	put_summary(r, out, colour);
	return stream_end(out);
}
