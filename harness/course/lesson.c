// SPDX-License-Identifier: MIT
/* The table of lessons, and the answers that a record gives to their questions. */
#include "lesson.h"
#include "base/list.h"
#include "base/print/words.h"
#include "runs/document.h"
#include <stdlib.h>
#include <string.h>

static const char *const moves[ANSWERS] = { "lower", "the same", "higher" };
static const char *const lives[ANSWERS] = { "", "it lives", "it is killed" };
static const char *const permits[ANSWERS] = { "", "it is done", "it is refused" };

#define LESSON(...) { __VA_ARGS__ },
static const struct lesson lessons[] = {
#include "lessons.def"
};
#undef LESSON
enum { LESSONS = sizeof(lessons) / sizeof(*lessons) };

const struct lesson *lessons_all(size_t *nr)
{
	*nr = LESSONS;
	return lessons;
}

const struct lesson *lesson_by_name(const char *name)
{
	char *end;
	unsigned long number = strtoul(name, &end, 10);

	if (!*end && number >= 1 && number <= LESSONS)
		return &lessons[number - 1];
	for (size_t i = 0; i < LESSONS; i++)
		if (!strcmp(lessons[i].id, name))
			return &lessons[i];
	return NULL;
}

const struct lesson *lesson_about(const char *name)
{
	for (size_t i = 0; *name && i < LESSONS; i++)
		if (list_has(lessons[i].teaches, " ", name) || !strcmp(lessons[i].look_up, name))
			return &lessons[i];
	return NULL;
}

const struct lesson *lesson_of_case(const char *case_id)
{
	for (size_t i = 0; i < LESSONS; i++)
		if (!strcmp(lessons[i].case_id, case_id))
			return &lessons[i];
	return NULL;
}

size_t lesson_nr_asks(const struct lesson *l)
{
	size_t nr = 0;

	while (nr < LESSON_ASKS && l->asks[nr].label)
		nr++;
	return nr;
}

const char *ask_choice(const struct ask *a, enum answer answer)
{
	return (a->choices ? a->choices : moves)[answer];
}

bool lesson_answer(const json_t *record, const struct lesson *l, const struct ask *a,
		   struct answered *answered)
{
	const json_t *of_case = record_case(record, l->case_id);
	const json_t *step = record_step(of_case, l->step);
	const json_t *other = a->against ? step : record_step(of_case, l->step - 1);
	int64_t page = record_page_size(record);

	if (a->choices)
		answered->was = 0;
	else if (!record_number(record, other, a->process, a->against ? a->against : a->of,
				&answered->was))
		return false;
	if (!record_number(record, step, a->process, a->of, &answered->is))
		return false;
	answered->was += a->pages * page / 1024;
	answered->answer = llabs(answered->is - answered->was) <= a->within ? ANSWER_SAME
			   : answered->is < answered->was                   ? ANSWER_LESS
									    : ANSWER_MORE;
	return true;
}

const char *answered_words(const struct ask *a, const struct answered *answered, char *buf,
			   size_t size)
{
	bool compares = a->against || a->pages;
	char was[32], is[32];

	number_words(answered->was, was, sizeof(was));
	number_words(answered->is, is, sizeof(is));
	if (a->choices)
		*buf = '\0';
	else
		snprintf(buf, size, "%s kB, %s%s kB%s", is, compares ? "compared with " : "", was,
			 compares ? "" : " before");
	return buf;
}

bool ask_is_of_machine(const struct ask *a)
{
	return !strncmp(a->of, "meminfo.", strlen("meminfo."));
}

const struct sentence *lesson_sentence(const struct lesson *l)
{
	size_t nr;
	const struct sentence *all = sentences_all(&nr);

	for (size_t i = 0; l->document && i < nr; i++)
		if (all[i].truth && !strcmp(all[i].document, l->document) &&
		    !strcmp(all[i].about, l->about))
			return &all[i];
	return NULL;
}
