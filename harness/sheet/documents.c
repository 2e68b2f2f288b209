// SPDX-License-Identifier: MIT
/* The table of documents: each sentence, and the kernels on which it is true. */
#include "runs/sentences.h"
#include "sheet.h"

static void kernels_cell(struct sheet *s, const struct sentence *sentence,
			 enum sentence_holds which)
{
	sentence_kernels(&s->kernels, sentence, which, s->set);
	sheet_kernels(s, s->set);
}

static void cases_cell(struct sheet *s, const struct sentence *sentence)
{
	const char *id;
	char buf[80];
	bool any = false;

	sheet_cell(s);
	for (size_t n = 0; (id = sentence_case(sentence, n, &s->facts, buf, sizeof(buf))); n++) {
		if (!*id || sentence_repeats_case(sentence, n, &s->facts))
			continue;
		if (any)
			s->write->text(s, ", ");
		s->write->to_case(s, id, id);
		any = true;
	}
	if (!any)
		s->write->nothing(s);
	sheet_cell_end(s);
}

static void row(struct sheet *s, const struct sentence *sentence, size_t at)
{
	sentence_kernels(&s->kernels, sentence, SENTENCE_FALSE, s->set);
	sheet_row(s, at, s->set);
	sheet_text(s, sentence->document);
	sheet_cell(s);
	s->write->text(s, sentence->says);
	s->write->aside(s, sentence->about);
	sheet_cell_end(s);
	kernels_cell(s, sentence, SENTENCE_HOLDS);
	kernels_cell(s, sentence, SENTENCE_FALSE);
	cases_cell(s, sentence);
	sheet_cell(s);
	s->write->prose(s, sentence->truth ? sentence->truth : "");
	sheet_cell_end(s);
	sheet_row_end(s);
}

void sheet_documents(struct sheet *s, bool false_alone)
{
	static const char *const columns[] = { "document", "says", "holds on",
					       "false on", "case", "what is true instead",
					       NULL };
	static const struct sheet_head head = {
		"documents", "Sentences of documents, and the kernels on which they hold", columns,
		0
	};
	const struct results *newest = &s->kernels.of[s->kernels.nr - 1];
	size_t nr;
	const struct sentence *all = sentences_all(&nr);

	sheet_begin(s, &head);
	for (size_t i = 0; i < nr; i++)
		if (!false_alone || sentence_judge(&all[i], newest) == SENTENCE_FALSE)
			row(s, &all[i], i);
	s->write->end(s);
}
