// SPDX-License-Identifier: MIT
/*
 * Writes a section for each case: its claim, the reason for the claim, and the kernels on which it
 * passes.
 */
#include "private.h"
#include "runs/facts.h"
#include <string.h>

/* True if the case passed on every kernel, with no reason and no failed try. */
static bool is_plain(const struct html *h, const char *id)
{
	for (size_t i = 0; i < h->kernels.nr; i++) {
		const struct result *c = result_of(&h->kernels.of[i], id);

		if (!c || c->verdict != VERDICT_PASS || c->reason[0] || result_retried(c))
			return false;
	}
	return h->kernels.nr > 0;
}

/*
 * Sets h->set to the kernels on which the case ended as on the kernel `at`. Returns false if an
 * earlier kernel is among them.
 */
static bool same_endings(const struct html *h, const char *id, size_t at)
{
	const struct result *mine = result_of(&h->kernels.of[at], id);

	for (size_t i = 0; i < h->kernels.nr; i++) {
		const struct result *c = result_of(&h->kernels.of[i], id);

		h->set[i] = c && c->verdict == mine->verdict && !strcmp(c->reason, mine->reason);
		if (h->set[i] && i < at)
			return false;
	}
	return true;
}

static void endings(const struct html *h, const char *id)
{
	bool any = false;

	for (size_t i = 0; i < h->kernels.nr; i++) {
		const struct result *c = result_of(&h->kernels.of[i], id);

		if (!c || !same_endings(h, id, i))
			continue;
		html_put(h->out, any ? "<br/><b>%s</b> on " : "<b>%s</b> on ",
			 verdict_name(c->verdict));
		html_kernels(h, h->set);
		html_put(h->out, c->reason[0] ? ": %s" : "%s", c->reason);
		any = true;
	}
	if (!any)
		fputs("unknown: the case did not run", h->out);
}

/* Prints the tries on each kernel on which their verdicts differ. */
static void histories(const struct html *h, const char *id)
{
	char words[TRIES_KEPT * 280];

	for (size_t i = 0; i < h->kernels.nr; i++) {
		const struct result *c = result_of(&h->kernels.of[i], id);

		if (!c || !result_retried(c))
			continue;
		for (size_t k = 0; k < h->kernels.nr; k++)
			h->set[k] = k == i;
		fputs("<br/>on ", h->out);
		html_kernels(h, h->set);
		html_put(h->out, ": %s", tries_words(c, words, sizeof(words)));
	}
}

static void verdicts(const struct html *h, const char *id)
{
	if (is_plain(h, id))
		return;
	fputs("<dt>Verdict</dt><dd>", h->out);
	endings(h, id);
	histories(h, id);
	fputs("</dd>", h->out);
}

static void facts(const struct html *h, const char *id)
{
	char buf[CELL_SIZE];

	for (size_t i = 0; i < h->facts.nr; i++) {
		if (strcmp(h->facts.of[i].id, id))
			continue;
		html_put(h->out, "<dt>Fact</dt><dd>%s ",
			 fact_sentence(h->facts.of[i].name, buf, sizeof(buf)));
		html_by_kernel(h, fact_cell, &h->facts.of[i]);
		fputs("</dd>", h->out);
	}
}

static void list(FILE *out, const char *term, const char *const *words)
{
	if (!words || !words[0])
		return;
	html_put(out, "<dt>%s</dt><dd>", term);
	for (size_t i = 0; words[i]; i++)
		html_put(out, "%s%s", i ? "; " : "", words[i]);
	fputs("</dd>", out);
}

static void chips(const struct html *h, const char *id)
{
	size_t count[VERDICT_COUNT] = { 0 };

	for (size_t i = 0; i < h->kernels.nr; i++) {
		const struct result *c = result_of(&h->kernels.of[i], id);

		if (c)
			count[c->verdict]++;
	}
	for (enum verdict v = 0; v < VERDICT_COUNT && !is_plain(h, id); v++)
		if (count[v])
			html_put(h->out, "<span class=\"chip is-%s\">%s %zu</span> ",
				 verdict_name(v), verdict_name(v), count[v]);
}

static void begin(const struct html *h, const char *id, const char *claim)
{
	fputs("<details id=\"", h->out);
	html_anchor("c-", id, h->out);
	fputs("\"><summary><h4>", h->out);
	html_put(h->out, "%s", id);
	fputs("</h4> ", h->out);
	chips(h, id);
	html_put(h->out, "<span>%s</span></summary><dl>", claim);
}

static void ours(const struct html *h, const struct case_registration *r)
{
	const struct testcase *c = r->c;
	char id[64];

	case_id(r, id, sizeof(id));
	begin(h, id, c->claim ? c->claim : "");
	fputs("<dt>Because</dt><dd>", h->out);
	html_prose(c->because ? c->because : "–", h->out);
	fputs("</dd>", h->out);
	list(h->out, "Said by", c->said_by);
	list(h->out, "Needs", c->needs);
	verdicts(h, id);
	facts(h, id);
	fputs("</dl></details>\n", h->out);
}

bool html_is_case(const char *id)
{
	return testcase_by_id(id) != NULL;
}

/*
 * Lists recorded cases that this version of rssck does not have, so it does not know their claims.
 */
static void others(const struct html *h, size_t kernel)
{
	const struct results *r = &h->kernels.of[kernel];

	for (size_t n = 0; n < r->nr; n++) {
		bool known = html_is_case(r->of[n].id);

		for (size_t i = 0; i < kernel && !known; i++)
			known = result_of(&h->kernels.of[i], r->of[n].id);
		if (known)
			continue;
		begin(h, r->of[n].id, "A case that this version of rssck does not have.");
		verdicts(h, r->of[n].id);
		facts(h, r->of[n].id);
		fputs("</dl></details>\n", h->out);
	}
}

/*
 * At the beginning of a new group, prints its name as a heading: "file" for the id "file/truncate".
 */
static void group(const char *id, char *last, size_t size, FILE *out)
{
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(id, "/"), id);
	if (!strcmp(name, last))
		return;
	snprintf(last, size, "%s", name);
	html_put(out, "<h3 data-group=\"\">%s</h3>\n", name);
}

void html_cases(const struct html *h)
{
	size_t nr;
	const struct case_registration *all = cases_all(&nr);
	char last[64] = "", id[64];

	fputs("<section id=\"cases\" aria-labelledby=\"cases-title\">\n"
	      "<h2 id=\"cases-title\">Cases</h2>\n"
	      "<p>A case is a small process that does one known thing, and a claim about the process's "
	      "numbers. <code>file/append</code> is cases/file/append.c. A case without a remark has passed on all of these "
	      "kernels.</p>\n",
	      h->out);
	for (size_t i = 0; i < nr; i++) {
		if (all[i].c->flags & CASE_HIDDEN)
			continue;
		group(case_id(&all[i], id, sizeof(id)), last, sizeof(last), h->out);
		ours(h, &all[i]);
	}
	for (size_t i = 0; i < h->kernels.nr; i++)
		others(h, i);
	fputs("</section>\n", h->out);
}
