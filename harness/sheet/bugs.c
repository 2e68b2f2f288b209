// SPDX-License-Identifier: MIT
/*
 * The table of Linux bugs: the wrong number, the versions, the recorded kernels that have the bug,
 * and the fix.
 */
#include "runs/kernels.h"
#include "sheet.h"

static void where_cell(struct sheet *s, const struct bug *b, size_t looked_at)
{
	if (b->by && looked_at) {
		sheet_text(s, kernels_words(&s->kernels, s->set, (char[640]) { "" }, 640));
		return;
	}
	sheet_cell(s);
	s->write->text(s, b->by ? "its case did not run" : "no case shows it: ");
	if (!b->by)
		s->write->text(s, b->unseen);
	sheet_cell_end(s);
}

static void case_cell(struct sheet *s, const struct bug *b)
{
	sheet_cell(s);
	if (b->by)
		s->write->to_case(s, b->by, b->by);
	else
		s->write->nothing(s);
	sheet_cell_end(s);
}

static void fix_cell(struct sheet *s, const struct bug *b)
{
	sheet_cell(s);
	if (b->fix)
		s->write->to_commit(s, b->fix);
	if (b->fix && b->subject)
		s->write->text(s, " ");
	if (b->subject || !b->fix)
		s->write->text(s, b->subject ? b->subject : "no fix is known");
	if (b->finding)
		s->write->to_finding(s, b->finding);
	sheet_cell_end(s);
}

static void row(struct sheet *s, const struct bug *b, size_t at)
{
	size_t looked_at = bug_kernels(&s->kernels, b, s->set);

	sheet_row(s, at, s->set);
	sheet_text(s, b->title);
	sheet_text(s, b->number);
	sheet_text(s, b->lived);
	where_cell(s, b, looked_at);
	case_cell(s, b);
	fix_cell(s, b);
	sheet_row_end(s);
}

void sheet_bugs(struct sheet *s, enum sheet_bugs which)
{
	static const char *const columns[] = { "bug",  "number",   "versions", "on these kernels",
					       "case", "fixed by", NULL };
	static const struct sheet_head head = { "bugs", "Bugs, fixed or not", columns, 0 };
	size_t nr;
	const struct bug *all = bugs_all(&nr);

	sheet_begin(s, &head);
	for (size_t i = 0; i < nr; i++)
		if (which == BUGS_ALL || !all[i].by == (which == BUGS_NOT_SHOWN))
			row(s, &all[i], i);
	s->write->end(s);
}
