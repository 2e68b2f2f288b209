// SPDX-License-Identifier: MIT
/* Writes cells and rows through the report's writer. */
#include "sheet.h"

void sheet_begin(struct sheet *s, const struct sheet_head *head)
{
	s->head = head;
	s->write->begin(s);
}

void sheet_row(struct sheet *s, size_t at, const bool *wrong_on)
{
	s->column = 0;
	s->write->row(s, at, wrong_on);
}

void sheet_row_end(struct sheet *s)
{
	s->write->row_end(s);
}

static void cell(struct sheet *s, bool is_wrong)
{
	s->write->cell(s, is_wrong);
}

void sheet_cell(struct sheet *s)
{
	cell(s, false);
}

void sheet_cell_end(struct sheet *s)
{
	s->write->cell_end(s);
	s->column++;
}

void sheet_text(struct sheet *s, const char *text)
{
	sheet_cell(s);
	if (text)
		s->write->text(s, text);
	else
		s->write->nothing(s);
	sheet_cell_end(s);
}

void sheet_number(struct sheet *s, size_t number, bool is_wrong)
{
	char text[32];

	cell(s, is_wrong);
	snprintf(text, sizeof(text), "%zu", number);
	s->write->text(s, text);
	sheet_cell_end(s);
}

void sheet_kernels(struct sheet *s, const bool *set)
{
	char words[640];
	bool any = false;

	for (size_t i = 0; i < s->kernels.nr; i++)
		any |= set[i];
	sheet_text(s, any ? kernels_words(&s->kernels, set, words, sizeof(words)) : NULL);
}
