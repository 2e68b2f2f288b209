// SPDX-License-Identifier: MIT
/* The table of documents: each sentence, and the kernels on which it is true. */
#include "private.h"
#include "runs/sentences.h"

void html_documents(const struct html *h)
{
	struct sheet s = html_sheet(h);
	char name[128];
	size_t nr;

	if (!h->kernels.nr)
		return;
	sentences_all(&nr);
	html_put(h->out,
		 "<section id=\"documents\" aria-labelledby=\"documents-title\">\n<h2 "
		 "id=\"documents-title\">What documents say</h2>\n<p>%zu sentences, in our own "
		 "words, each decided by cases: <b>%zu are false on %s</b>, the newest kernel "
		 "here, and %zu hold. If a row does not name a kernel, its case did not run "
		 "there.</p>\n",
		 nr, sentences_on(&h->kernels.of[h->kernels.nr - 1], SENTENCE_FALSE),
		 html_newest(h, name, sizeof(name)),
		 sentences_on(&h->kernels.of[h->kernels.nr - 1], SENTENCE_HOLDS));
	html_put(h->out,
		 "<form class=\"choice\" hidden=\"hidden\"><label><input type=\"checkbox\" "
		 "id=\"false-only\"/>only what is false on %s</label>\n"
		 "<output id=\"sentences\" aria-live=\"polite\"></output></form>\n",
		 html_newest(h, name, sizeof(name)));
	sheet_documents(&s, false);
	fputs("</section>\n", h->out);
}
