// SPDX-License-Identifier: MIT
/* rssck-metrics(7): the manual page of every metric, from the same tables. */
#include "base/print/words.h"
#include "explain.h"
#include "metric_words.h"
#include "runs/sentences.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 76, CASES_SHOWN = 3 };

/* ---- roff ---- */

/* Returns roff's escape for a special character, or NULL. */
static const char *escape(char letter)
{
	switch (letter) {
	case '\\':
		return "\\e";
	case '-':
		return "\\-";
	case '\'':
		return "\\(aq";
	case '"':
		return "\\(dq";
	default:
		return NULL;
	}
}

static size_t written_length(const char *word, size_t len)
{
	size_t sum = 0;

	for (size_t i = 0; i < len; i++)
		sum += escape(word[i]) ? strlen(escape(word[i])) : 1;
	return sum;
}

/* Prints one word, escaped so that roff treats no character as a request, an escape or a hyphen. */
static void put_word(const char *word, size_t len, bool begins_line, FILE *out)
{
	if (begins_line && (*word == '.' || *word == '\''))
		fputs("\\&", out);
	for (size_t i = 0; i < len; i++) {
		if (escape(word[i]))
			fputs(escape(word[i]), out);
		else
			putc(word[i], out);
	}
}

/* Prints lines that fit, with a new line for each sentence. */
__attribute__((format(printf, 2, 3))) static void put_text(FILE *out, const char *format, ...)
{
	char *text = NULL;
	size_t column = 0;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	for (const char *p = text; p && *p;) {
		size_t len = strcspn(p, " "), written = written_length(p, len);

		if (column && column + 1 + written > LINE) {
			putc('\n', out);
			column = 0;
		}
		fputs(column ? " " : "", out);
		put_word(p, len, !column, out);
		column += written + 1;
		if (p[len] && len > 1 && strchr(".?!", p[len - 1])) {
			putc('\n', out);
			column = 0;
		}
		p += len;
		p += strspn(p, " ");
	}
	if (column)
		putc('\n', out);
	free(text);
}

static void put_heading(FILE *out, const char *macro, const char *text)
{
	fprintf(out, ".%s \"", macro);
	put_word(text, strlen(text), false, out);
	fputs("\"\n", out);
}

/* Prints the tag of a tagged paragraph; the text follows. */
static void put_tag(FILE *out, const char *tag)
{
	fputs(".TP\n", out);
	put_heading(out, "B", tag);
}

/* ---- a metric ---- */

static void put_since(const struct kernels *k, enum metric_id id, FILE *out)
{
	unsigned values[k->nr + 1];
	unsigned nr = metric_counted_as(id) == id ? row_values(k, model_cell, &id, values) : 0;
	char cell[CELL_SIZE], names[512];
	bool set[k->nr + 1];

	if (!nr)
		return;
	put_tag(out, "How it counts");
	for (unsigned value = 1; value <= nr; value++) {
		const char *said = NULL;

		for (size_t i = 0; i < k->nr; i++) {
			set[i] = values[i] == value;
			if (set[i])
				said = model_cell(&k->of[i], &id, cell, sizeof(cell));
		}
		put_text(out, "%s on %s%s", said ? said : "",
			 kernels_words(k, set, names, sizeof(names)), value < nr ? ";" : ".");
	}
}

static void put_error(enum metric_id id, FILE *out)
{
	enum metric_id as = metric_counted_as(id);

	put_tag(out, "How wrong");
	if (as == id)
		put_text(out, "By as much as its model allows: see HOW COUNTERS LAG.");
	else if (as != METRIC_NONE)
		put_text(out, "As %s, from whose count it is computed%s.", metric(as)->name,
			 id == METRIC_OOM_SCORE ? "; since 7.0 as statm.resident" : "");
	else if (metric(id)->approximate)
		put_text(out, "It holds nothing back, but: %s.", metric(id)->approximate);
	else if (metric(id)->kind == KIND_PRECISE)
		put_text(out, "Not at all while the process stands still.");
	else
		put_text(out, "Not at all.");
}

static void put_sentences(const struct kernels *k, enum metric_id id, FILE *out)
{
	size_t nr, said = 0;
	const struct sentence *all = sentences_all(&nr);
	bool set[k->nr + 1];
	char names[512];

	for (size_t i = 0; i < nr; i++) {
		if (!sentence_is_about(&all[i], metric(id)->name) ||
		    !sentence_kernels(k, &all[i], SENTENCE_FALSE, set))
			continue;
		if (said++)
			fputs(".br\n", out);
		else
			put_tag(out, "Said wrongly");
		put_text(out, "%s, in our words: %s. False on %s%s%s.", all[i].document,
			 all[i].says, kernels_words(k, set, names, sizeof(names)),
			 all[i].truth ? ": " : "", all[i].truth ? all[i].truth : "");
	}
}

static void put_cases(enum metric_id id, FILE *out)
{
	const struct case_registration *of[CASES_SHOWN];
	/*
	 * The page is read on any machine, so the page size is fixed. With 4096 bytes every posting
	 * counts.
	 */
	size_t nr = metric_cases(id, 4096, of, CASES_SHOWN), shown = 0;
	char names[256] = "", id_of[64];

	if (!nr)
		return;
	for (; shown < CASES_SHOWN && of[shown]; shown++) {
		strcat(names, shown ? ", " : "");
		strcat(names, case_id(of[shown], id_of, sizeof(id_of)));
	}
	put_tag(out, "Proved by");
	if (nr > shown)
		put_text(out, "%s and %zu more.", names, nr - shown);
	else
		put_text(out, "%s.", names);
}

static void put_metric(const struct kernels *k, enum metric_id id, FILE *out)
{
	const struct metric *m = metric(id);
	char buf[2048];

	put_heading(out, "SS", m->name);
	put_text(out, "%s.", metric_place(id, buf, sizeof(buf)));
	fputs(".PP\n", out);
	put_text(out, "%s", m->prose);
	put_tag(out, "It is not");
	put_text(out, "%s", metric_is_not(id));
	if (metric_counts(id, buf, sizeof(buf))[0]) {
		put_tag(out, "It counts");
		put_text(out, "%s.", buf);
	}
	put_tag(out, "Kept by");
	put_text(out, "%s; %s.", m->maintained, metric_when(id));
	put_error(id, out);
	put_since(k, id, out);
	if (columns_of_metric(id, buf, sizeof(buf))[0]) {
		put_tag(out, "Shown by");
		put_text(out, "%s.", buf);
	}
	put_sentences(k, id, out);
	put_cases(id, out);
}

static void put_metrics(const struct kernels *k, FILE *out)
{
	for (int source = 0; source < SOURCE_COUNT; source++) {
		put_heading(out, "SH", source_name((enum source)source));
		for (int id = 0; id < METRIC_COUNT; id++)
			if (metric(id)->source == (enum source)source)
				put_metric(k, id, out);
	}
}

/* ---- the rest of the page ---- */

static void put_columns(FILE *out)
{
	size_t nr;
	const struct column *c = columns_all(&nr);

	put_heading(out, "SH", "TOOL COLUMNS");
	put_text(out, "The metric of each column, found by observing which file the tool opens.");
	for (size_t i = 0; i < nr; i++) {
		if (!i || strcmp(c[i].tool, c[i - 1].tool))
			put_heading(out, "SS", c[i].tool);
		put_tag(out, c[i].name);
		put_text(out, "%s%s%s%s%s%s", metric(c[i].metric)->name,
			 c[i].plus == METRIC_NONE ? "" : " + ",
			 c[i].plus == METRIC_NONE ? "" : metric(c[i].plus)->name,
			 c[i].note ? " (" : "", c[i].note ? c[i].note : "", c[i].note ? ")" : "");
	}
}

static void put_words(FILE *out)
{
	struct topics all;

	if (topics_all(&all))
		return;
	put_heading(out, "SH", "WORDS");
	for (size_t i = 0; i < all.nr && all.of[i].kind == TOPIC_WORD; i++) {
		const struct word *w = all.of[i].word;

		put_tag(out, w->name);
		put_text(out, "%s%s%s", w->is, w->is_not ? " It is not: " : "",
			 w->is_not ? w->is_not : "");
	}
	topics_free(&all);
}

int explain_manual(const struct kernels *k, FILE *out)
{
	fputs(".\\\" SPDX-License-Identifier: MIT\n"
	      ".\\\" Made by rssck explain --manual from its tables; not to be edited.\n"
	      ".TH RSSCK-METRICS 7 \"\" rssck\n"
	      ".SH NAME\n"
	      "rssck\\-metrics \\- what Linux\\(aqs memory metrics are, and what they are not\n"
	      ".SH DESCRIPTION\n",
	      out);
	put_text(out,
		 "Each number about a process's memory that the kernel prints, file by file, with "
		 "the columns of tools that show it. A metric's name consists of its file, a dot, "
		 "and the kernel's name of the field.");
	fputs(".PP\n", out);
	put_text(out,
		 "Cases check what this page says: rssck check runs them on the running kernel; "
		 "rssck explain says more about one name, and how wrong the number can be on this "
		 "kernel. Where kernels differ, the page is based on recorded runs.");
	put_metrics(k, out);
	put_heading(out, "SH", "HOW COUNTERS LAG");
	put_text(out,
		 "A counter is a running total that may lag behind the latest changes. rssck "
		 "measures the lag, or takes it from recorded runs. Only rssck explain falls back "
		 "on the kernel's version, for a kernel without a run.");
	for (enum model_kind kind = MODEL_EXACT; kind < MODEL_ABSENT; kind++) {
		put_tag(out, model_kind_name(kind));
		put_text(out, "%s %s", model_words(kind), model_bound_words(kind));
	}
	put_columns(out);
	put_words(out);
	fputs(".SH SEE ALSO\n"
	      ".BR rssck (1),\n"
	      ".BR proc_pid_stat (5),\n"
	      ".BR proc_pid_statm (5),\n"
	      ".BR proc_pid_status (5),\n"
	      ".BR proc_pid_smaps (5),\n"
	      ".BR proc_pid_pagemap (5)\n",
	      out);
	return stream_end(out);
}
