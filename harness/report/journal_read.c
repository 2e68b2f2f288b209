// SPDX-License-Identifier: MIT
/* Reads a journal. */
#include "journal.h"
#include "load_private.h"
#include <rssck/case.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct reading {
	struct loading l;
	struct results *r;
	struct journal_state *s;
};

static struct result *place_of(struct results *r, const char *id)
{
	struct result *more;

	for (size_t i = 0; i < r->nr; i++)
		if (!strcmp(r->of[i].id, id))
			return &r->of[i];
	more = reallocarray(r->of, r->nr + 1, sizeof(*more));
	if (!more)
		return NULL;
	r->of = more;
	r->of[r->nr] = (struct result) { .verdict = VERDICT_ERROR };
	return &r->of[r->nr++];
}

static int take_start(const struct reading *d, const json_t *line)
{
	const char *schema = json_string_value(json_object_get(line, "journal"));
	json_int_t selected = json_integer_value(json_object_get(line, "selected"));

	if (strcmp(schema, JOURNAL_SCHEMA))
		return load_bad(&d->l, "use the rssck that wrote it",
				"is a journal of schema \"%.60s\", but this rssck reads "
				"\"" JOURNAL_SCHEMA "\"",
				schema);
	d->r->nr_selected = selected > 0 ? (size_t)selected : 0;
	return machine_load(&d->l, line, d->r) || curves_load(&d->l, line, d->r) ? -1 : 0;
}

static int take_case(const struct reading *d, const json_t *line)
{
	struct result one = { .verdict = VERDICT_ERROR }, *place = NULL;

	if (!case_load(&d->l, json_object_get(line, "case"), &one) &&
	    !curves_load(&d->l, line, d->r))
		place = place_of(d->r, one.id);
	if (!place) {
		result_free(&one);
		return -1;
	}
	result_free(place);
	*place = one;
	place->c = testcase_by_id(one.id);
	d->s->running[0] = '\0';
	return 0;
}

static int take_step(const struct reading *d, const json_t *line)
{
	const char *begun = json_string_value(json_object_get(line, "begin"));
	json_int_t run = json_integer_value(json_object_get(line, "run"));

	load_words(begun ? begun : "", d->s->running, sizeof(d->s->running));
	d->s->run = (unsigned)load_within(run, 1, INT32_MAX);
	return 0;
}

static int take_line(const struct reading *d, const json_t *line)
{
	if (json_is_object(json_object_get(line, "case")))
		return take_case(d, line);
	if (json_is_string(json_object_get(line, "begin")) ||
	    json_is_string(json_object_get(line, "done")))
		return take_step(d, line);
	if (json_is_integer(json_object_get(line, "differs")))
		d->s->differing += json_integer_value(json_object_get(line, "differs")) > 0;
	if (json_is_object(json_object_get(line, "end")))
		d->s->ended = true;
	/* Ignore unknown lines, because a newer rssck may have written them. */
	return json_is_object(line) ? 0 : -1;
}

static void count(struct results *r)
{
	memset(r->count, 0, sizeof(r->count));
	r->duration_ms = 0;
	for (size_t i = 0; i < r->nr; i++) {
		r->count[r->of[i].verdict]++;
		r->duration_ms += r->of[i].duration_ms;
	}
}

static json_t *parsed(const char *text, const char *end)
{
	return json_loadb(text, (size_t)(end - text), JSON_REJECT_DUPLICATES, NULL);
}

int journal_read(struct results *r, struct journal_state *s, const char *name, const char *text,
		 size_t length, char *why, size_t size)
{
	char ignored[256];
	struct reading d = { { name, why, size }, r, s };
	const char *stop = text + length, *end;
	json_t *line;
	int failed;

	*r = (struct results) { 0 };
	*s = (struct journal_state) { .run = 1 };
	end = length ? memchr(text, '\n', length) : NULL;
	line = end ? parsed(text, end) : NULL;
	failed = json_is_string(json_object_get(line, "journal"))
			 ? take_start(&d, line)
			 : load_bad(&d.l, "the run had not started",
				    "does not begin like a journal");
	json_decref(line);
	if (failed) {
		results_free(r);
		return -1;
	}
	d.l.why = ignored;
	d.l.size = sizeof(ignored);
	for (text = end + 1; text < stop; text = end + 1) {
		end = memchr(text, '\n', (size_t)(stop - text));
		line = end ? parsed(text, end) : NULL;
		s->damaged += take_line(&d, line) != 0;
		json_decref(line);
		if (!end)
			break;
	}
	count(r);
	return 0;
}

int journal_read_kept(struct results *r, struct journal_state *s, const struct journal *j,
		      char *why, size_t size)
{
	struct stat st;
	char *text = MAP_FAILED;
	int failed;

	if (j->kept >= 0 && !fstat(j->kept, &st) && st.st_size)
		text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, j->kept, 0);
	if (text == MAP_FAILED)
		return journal_read(r, s, "the journal", "", 0, why, size);
	failed = journal_read(r, s, "the journal", text, (size_t)st.st_size, why, size);
	munmap(text, (size_t)st.st_size);
	return failed;
}

void results_end_early(struct results *r, const struct journal_state *s, const char *why)
{
	struct result *last;
	size_t ran = r->nr;

	snprintf(r->ended_in, sizeof(r->ended_in), "%s", s->running);
	snprintf(r->ended, sizeof(r->ended), "%s", why);
	/* With --repeat the case already has a result from the first run. */
	last = s->running[0] && s->run == 1 ? place_of(r, s->running) : NULL;
	if (last && r->nr > ran) {
		last->c = testcase_by_id(s->running);
		snprintf(last->id, sizeof(last->id), "%s", s->running);
		snprintf(last->reason, sizeof(last->reason), "the run ended here: %s", why);
	}
	count(r);
}
