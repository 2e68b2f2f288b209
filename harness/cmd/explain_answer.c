// SPDX-License-Identifier: MIT
/* The answers of `rssck explain`, as text or as JSON. */
#include "base/print/json.h"
#include "cmd/explain.h"
#include "cmd/line/options.h"
#include "cmd/recorded.h"
#include "course/lesson.h"
#include <string.h>

enum { NEAREST = 3 };

static int say_nearest(const char *name, const struct topics *all)
{
	const struct topic *taken[NEAREST] = { NULL };
	char words[4 * NAME_SIZE] = "";

	/* A text with blanks is a sentence, which is not compared with names. */
	for (size_t k = 0; k < NEAREST && !strchr(name, ' '); k++) {
		unsigned best = (unsigned)(strlen(name) + 2) / 3 + 1;

		for (size_t i = 0; i < all->nr; i++) {
			const struct topic *t = &all->of[i];
			bool is_taken = false;

			for (size_t n = 0; n < k; n++)
				is_taken |= t == taken[n];
			if (is_taken || topic_nearness(t, name) >= best)
				continue;
			best = topic_nearness(t, name);
			taken[k] = t;
		}
		if (!taken[k])
			break;
		strcat(words, k ? ", " : "");
		strcat(words, taken[k]->name);
	}
	if (!words[0])
		return usage_error(
			"explain",
			"nothing is called '%s'; `rssck explain --list` prints all names", name);
	return usage_error("explain", "nothing is called '%s'; similar: %s", name, words);
}

/*
 * Answers questions like "MADV_FREE of shmem", or with `verbs` "does MADV_FREE free shmem", from
 * the recorded grids. Returns false for another kind of question.
 */
static bool answer_effect(struct asking *a, const char *asked, bool verbs)
{
	struct grid_asked effect;

	if (!a->grids_taken && strchr(asked, ' '))
		grids_recorded(&a->grids, a->options->results);
	a->grids_taken |= strchr(asked, ' ') != NULL;
	if (!a->grids.nr || !grid_asked_read(grids_newest(&a->grids), asked, verbs, &effect))
		return false;
	if (a->answers)
		json_array_append_new(a->answers,
				      explain_effect_json(a->e, asked, &a->grids, &effect));
	else
		explain_effect(a->e, &a->grids, &effect);
	return true;
}

/* Returns the first lesson about a name in the list; ", " separates the names. */
static const struct lesson *lesson_of_list(const char *list)
{
	const struct lesson *l = NULL;
	char name[NAME_SIZE];

	while (!l && *list) {
		const char *end = strstr(list, ", ");
		size_t length = end ? (size_t)(end - list) : strlen(list);

		snprintf(name, sizeof(name), "%.*s", (int)length, list);
		l = lesson_about(name);
		list = end ? end + 2 : list + length;
	}
	return l;
}

static const struct lesson *lesson_of(const struct query *q)
{
	const struct lesson *l = q->kind == QUERY_QUESTION ? lesson_of_list(q->question->look_up)
				 : q->nr_rows              ? lesson_of_list(q->rows[0].row->look_up)
							   : NULL;

	for (size_t i = 0; !l && i < q->found.nr; i++) {
		const struct topic *t = &q->found.of[i];

		l = lesson_about(t->kind == TOPIC_COLUMN ? metric(t->metric)->name : t->name);
	}
	return l;
}

static void lead_to_lesson(const struct explanation *e, const struct query *q)
{
	const struct lesson *l = q->kind == QUERY_NEAR ? NULL : lesson_of(q);

	if (l)
		prose_item(&e->prose, "Lesson", "%s: rssck demo --quiz=%s", l->title, l->id);
}

static int answer(struct asking *a, const char *asked)
{
	struct query q;
	int status = EXIT_HOLDS;

	if (answer_effect(a, asked, false))
		return EXIT_HOLDS;
	if (query_resolve(&q, a->all, asked))
		return trouble("out of memory");
	if ((q.kind == QUERY_NONE || q.kind == QUERY_NEAR) && answer_effect(a, asked, true)) {
		query_free(&q);
		return EXIT_HOLDS;
	}
	if (q.kind == QUERY_NONE)
		status = say_nearest(asked, a->all);
	else
		about_measure(a, &q.found);
	if (status == EXIT_HOLDS && a->answers) {
		json_array_append_new(a->answers, explain_query_json(a->e, asked, &q));
	} else if (status == EXIT_HOLDS) {
		explain_query(a->e, asked, &q);
		lead_to_lesson(a->e, &q);
	}
	/* Similar names were printed, which is not an answer. */
	if (status == EXIT_HOLDS && q.kind == QUERY_NEAR && !q.explained && !q.nearly)
		status = EXIT_TROUBLE;
	query_free(&q);
	return status;
}

static int answer_all(struct asking *a, char **words, size_t nr)
{
	bool apart = nr > 1 && are_names(words, nr, a->all);
	int status = EXIT_HOLDS;

	for (size_t at = 0; at < nr && status == EXIT_HOLDS;) {
		size_t taken = apart ? first_name(words + at, nr - at, a->all) : nr;
		char asked[ASKED_SIZE];

		join_words(words + at, taken, asked, sizeof(asked));
		if (at && !a->answers)
			putc('\n', a->e->prose.out);
		status = answer(a, asked);
		at += taken;
	}
	return status;
}

static int answer_in_json(struct asking *a, char **words, size_t nr)
{
	json_t *root = json_object();
	int status;

	a->answers = json_array();
	status = answer_all(a, words, nr);
	json_set_words(root, "schema", "rssck-explain/1");
	if (a->e->release)
		json_set_words(root, "kernel",
			       a->e->run ? a->e->run->kernel_release : a->e->release);
	json_object_set_new(root, "answers", a->answers);
	/* No query was answered, and the error was printed already. */
	if (!json_array_size(a->answers)) {
		json_decref(root);
		return status;
	}
	return json_write(root, stdout) ? trouble("stdout: %m") : status;
}

int explain_asked(const struct explain_options *o, struct explanation of_all, char **words,
		  const struct topics *all)
{
	struct explanation *e = &of_all;
	struct asking a = { .options = o, .e = e, .all = all };
	struct about about;
	size_t nr = 0;
	int status = about_take(o, e, &about);

	while (words[nr])
		nr++;
	if (status != EXIT_HOLDS)
		return status;
	status = o->json ? answer_in_json(&a, words, nr) : answer_all(&a, words, nr);
	if (a.measured.done)
		engine_close(&a.measured.engine);
	grids_free(&a.grids);
	return status;
}
