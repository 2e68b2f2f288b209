// SPDX-License-Identifier: MIT
/*
 * Writes each part that differs between kernels once for every kernel. The script exchanges these
 * fragments.
 */
#include "slot.h"
#include "base/print/words.h"
#include "page/write.h"
#include <stdlib.h>
#include <string.h>

static char *written(fragment_fn *fragment, const json_t *record, const struct spot *s)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	fragment(record, s, out);
	fclose(out);
	return text;
}

static void intern(struct course *c, json_t *of_each, const char *text)
{
	json_t *index = json_object_get(c->numbers, text);

	if (!index) {
		index = json_integer((json_int_t)json_array_size(c->strings));
		json_object_set_new(c->numbers, text, index);
		json_array_append_new(c->strings, json_string(text));
	}
	json_array_append(of_each, index);
}

void course_slot(struct course *c, const char *tag, const char *attributes, fragment_fn *fragment,
		 const struct spot *s)
{
	char *shown = written(fragment, c->records[c->shown], s);
	json_t *of_each = json_array();
	bool differs = false;

	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < c->nr && pass <= differs; i++) {
			char *text = written(fragment, c->records[i], s);

			if (!text || !shown)
				c->failed = true;
			else if (pass)
				intern(c, of_each, text);
			else
				differs |= strcmp(text, shown) != 0;
			free(text);
		}
	fprintf(c->out, "<%s%s", tag, attributes);
	if (differs) {
		fprintf(c->out, " data-s=\"%zu\"", json_array_size(c->slots));
		json_array_append(c->slots, of_each);
	}
	fprintf(c->out, ">%s</%s>", shown ? shown : "", tag);
	free(shown);
	json_decref(of_each);
}

const json_t *course_step(const json_t *record, const struct spot *s, size_t step)
{
	return record_step(record_case(record, s->lesson->case_id), step);
}

static bool number_at(const json_t *record, const struct spot *s, size_t step, int64_t *number)
{
	int64_t plus = 0;

	if (!record_number(record, course_step(record, s, step), s->process, s->name, number) ||
	    (s->plus &&
	     !record_number(record, course_step(record, s, step), s->process, s->plus, &plus)))
		return false;
	*number += plus;
	return true;
}

void course_number(const json_t *record, const struct spot *s, FILE *out)
{
	char words[64];
	int64_t kb;

	if (s->plus && number_at(record, s, s->step, &kb))
		fputs(number_words(kb, words, sizeof(words)), out);
	else
		html_put(out, "%s",
			 record_words(record, course_step(record, s, s->step), s->process, s->name,
				      words, sizeof(words)));
}

void course_moved(const json_t *record, const struct spot *s, FILE *out)
{
	char words[32];
	int64_t before, kb;

	course_number(record, s, out);
	if (s->step && number_at(record, s, s->step, &kb) &&
	    number_at(record, s, s->step - 1, &before) && kb != before)
		html_put(out, " <small>%s</small>",
			 difference_words(kb - before, words, sizeof(words)));
}

void course_cell(struct course *c, const struct spot *s, fragment_fn *fragment)
{
	char attributes[160];

	if (!s->name) {
		fputs("<td></td>", c->out);
		return;
	}
	snprintf(attributes, sizeof(attributes), " data-n=\"%s/%zu/%zu/%s%s%s\"", s->lesson->id,
		 s->step, s->process, s->name, s->plus ? "+" : "", s->plus ? s->plus : "");
	course_slot(c, "td", attributes, fragment, s);
}
