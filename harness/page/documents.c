// SPDX-License-Identifier: MIT
/* The table of documents: what each says, and on which kernels that holds. */
#include "private.h"
#include "runs/sentences.h"
#include <string.h>

static void kernels_cell(const struct html *h, const struct sentence *s, enum sentence_holds which)
{
	fputs("<td>", h->out);
	if (sentence_kernels(&h->kernels, s, which, h->set))
		html_kernels(h, h->set);
	fputs("</td>", h->out);
}

static void cases_cell(const struct html *h, const struct sentence *s)
{
	char buf[80];
	const char *id;
	bool any = false;

	fputs("<td>", h->out);
	for (size_t n = 0; (id = sentence_case(s, n, &h->facts, buf, sizeof(buf))); n++) {
		if (!*id || sentence_repeats_case(s, n, &h->facts))
			continue;
		fputs(any ? ", " : "", h->out);
		html_case_link(id, h->out);
		any = true;
	}
	fputs(any ? "</td>" : "–</td>", h->out);
}

static void sentence(const struct html *h, const struct sentence *s, size_t at)
{
	const struct results *newest = &h->kernels.of[h->kernels.nr - 1];

	fputs("<tr", h->out);
	if (sentence_kernels(&h->kernels, s, SENTENCE_FALSE, h->set))
		html_put(h->out, " id=\"says-%zu\"", at);
	fputs(sentence_judge(s, newest) == SENTENCE_FALSE ? " data-now=\"false\">" : ">", h->out);
	html_put(h->out, "<th>%s</th><td>%s <small>%s</small></td>", s->document, s->says,
		 s->about);
	kernels_cell(h, s, SENTENCE_HOLDS);
	kernels_cell(h, s, SENTENCE_FALSE);
	cases_cell(h, s);
	fputs("<td>", h->out);
	html_prose(s->truth ? s->truth : "", h->out);
	fputs("</td></tr>\n", h->out);
}

void html_documents(const struct html *h)
{
	size_t nr;
	const struct sentence *all = sentences_all(&nr);
	char name[128];

	if (!h->kernels.nr)
		return;
	html_put(h->out,
		 "<section id=\"documents\" aria-labelledby=\"documents-title\">\n"
		 "<h2 id=\"documents-title\">What documents say</h2>\n"
		 "<p>%zu sentences, in our own words, each decided by cases: <b>%zu are false on "
		 "%s</b>, the newest kernel here, and %zu hold. "
		 "Where neither names a kernel, its case did not run.</p>\n",
		 nr, sentences_on(&h->kernels.of[h->kernels.nr - 1], SENTENCE_FALSE),
		 html_newest(h, name, sizeof(name)),
		 sentences_on(&h->kernels.of[h->kernels.nr - 1], SENTENCE_HOLDS));
	html_put(h->out,
		 "<form class=\"choice\" hidden=\"hidden\"><label><input type=\"checkbox\" "
		 "id=\"false-only\"/>only what is false on %s</label>\n"
		 "<output id=\"sentences\" aria-live=\"polite\"></output></form>\n",
		 html_newest(h, name, sizeof(name)));
	fputs("<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"Documents\">\n"
	      "<table class=\"documents cards\"><caption><span>Sentences of documents, and the kernels on which "
	      "they hold</span></caption>\n<thead><tr>"
	      "<th scope=\"col\">document</th><th scope=\"col\">says</th>"
	      "<th scope=\"col\">holds on</th><th scope=\"col\">false on</th>"
	      "<th scope=\"col\">case</th><th scope=\"col\">what is true instead</th>"
	      "</tr></thead>\n<tbody>\n",
	      h->out);
	for (size_t i = 0; i < nr; i++)
		sentence(h, &all[i], i);
	fputs("</tbody></table></div>\n</section>\n", h->out);
}
