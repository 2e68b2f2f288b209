// SPDX-License-Identifier: MIT
/* The glossary: what each word means, and what it does not mean. */
#include "base/list.h"
#include "explain/topics.h"
#include "private.h"
#include <string.h>

/* Prints ", RSS, resident set size" for "RSS|resident set size". */
static void names(const char *also, FILE *out)
{
	char name[96];

	while (list_next(&also, "|", name, sizeof(name)))
		html_put(out, ", %s", name);
}

static void look_up(const char *list, FILE *out)
{
	char name[96];

	for (const char *p = list; *p; p += strspn(p, ", ")) {
		size_t len = strcspn(p, ",");

		snprintf(name, sizeof(name), "%.*s", (int)len, p);
		fputs(p > list ? ", " : "", out);
		if (metric_by_name(name) != METRIC_NONE)
			html_metric_link(metric_by_name(name), out);
		else if (html_is_case(name))
			html_case_link(name, out);
		else
			html_put(out, "%s", name);
		p += len;
	}
}

static void word(const struct word *w, FILE *out)
{
	fputs("<div id=\"", out);
	html_anchor("word-", w->name, out);
	html_put(out, "\"><dt><b>%s</b><small>", w->name);
	names(w->also, out);
	html_put(out, "</small></dt>\n<dd>%s</dd>", w->is);
	if (w->is_not)
		html_put(out, "<dd><b>It is not:</b> %s</dd>", w->is_not);
	if (w->metrics) {
		fputs("<dd>Look up: ", out);
		look_up(w->metrics, out);
		fputs("</dd>", out);
	}
	fputs("</div>\n", out);
}

int html_words(const struct html *h)
{
	struct topics all;

	if (topics_all(&all))
		return -1;
	fputs("<section id=\"glossary\" aria-labelledby=\"glossary-title\">\n"
	      "<h2 id=\"glossary-title\">Words</h2>\n<dl class=\"words\">\n",
	      h->out);
	for (size_t i = 0; i < all.nr; i++)
		if (all.of[i].kind == TOPIC_WORD)
			word(all.of[i].word, h->out);
	fputs("</dl>\n</section>\n", h->out);
	topics_free(&all);
	return 0;
}
