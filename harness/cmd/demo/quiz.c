// SPDX-License-Identifier: MIT
/*
 * rssck demo --quiz: asks the question of a lesson, runs its case here or in a virtual machine, and
 * answers from the record.
 */
#include "base/guest.h"
#include "base/print/prose.h"
#include "base/print/style.h"
#include "base/print/words.h"
#include "course/lesson.h"
#include "course/limit.h"
#include "course/space.h"
#include "course/tree.h"
#include "demo.h"
#include "engine/need.h"
#include <rssck/case.h>
#include <stdlib.h>
#include <string.h>

/*
 * Numbers of columns. CHOICES_WIDTH and VERDICT_WIDTH are needed in addition to a label, ROOM in
 * addition to the cells.
 */
enum { CELLS = 48, LEAST = 40, WIDEST = 80, CHOICES_WIDTH = 44, VERDICT_WIDTH = 23, ROOM = 24 };

struct quiz {
	const struct demo_options *options;
	const struct engine *engine; /* NULL: `record` comes from a virtual machine */
	json_t *record;              /* NULL: the case of each lesson runs after the prediction */
	struct prose prose;
	unsigned asked, right, shown;
	bool quit;
};

static const char keys[ANSWERS + 1] = "-=+";

/* Returns how much of a line of code fits into `room`: up to its last space, or `room`. */
static size_t that_fits(const char *code, size_t room)
{
	size_t length = room;

	if (strlen(code) <= room)
		return strlen(code);
	while (length && code[length] != ' ')
		length--;
	return length ? length : room;
}

static void put_code(const struct quiz *q, const char *code, bool is_asked)
{
	size_t width = q->prose.width > LEAST ? q->prose.width : LEAST, indent = 4;

	while (*code) {
		size_t length = that_fits(code, width - indent);

		printf("  %c %*s%.*s\n", is_asked ? '>' : ' ', (int)indent - 4, "", (int)length,
		       code);
		code += length;
		code += strspn(code, " ");
		indent = 12;
	}
}

static void put_question(const struct quiz *q, const struct lesson *l, size_t number)
{
	char title[120];

	snprintf(title, sizeof(title), "%zu. %s", number, l->title);
	prose_title(&q->prose, title);
	putchar('\n');
	for (size_t i = 0; i < LESSON_LINES && l->program[i].code; i++)
		put_code(q, l->program[i].code, l->program[i].step == l->step);
	putchar('\n');
	prose_text(&q->prose, 0, "%s", l->question);
	putchar('\n');
}

/* Returns false if the reader quits. */
static bool predict(const struct quiz *q, const struct ask *a, enum answer *predicted)
{
	const char *separator = "";
	int key;

	printf("  %s:%s", a->label,
	       strlen(a->label) + CHOICES_WIDTH > q->prose.width ? "\n    " : " ");
	for (int i = 0; i < ANSWERS; i++) {
		if (!*ask_choice(a, (enum answer)i))
			continue;
		printf("%s%c %s", separator, keys[i], ask_choice(a, (enum answer)i));
		separator = ", ";
	}
	fputs("? ", stdout);
	fflush(stdout);
	do
		key = demo_key_of(keys);
	while (key && !*ask_choice(a, (enum answer)(strchr(keys, key) - keys)));
	printf("%c\n", key ? key : 'q');
	if (key)
		*predicted = (enum answer)(strchr(keys, key) - keys);
	return key;
}

/* Returns false if there was nothing to draw. */
static bool put_map(const struct quiz *q, const json_t *map)
{
	unsigned room = q->prose.width > ROOM ? (unsigned)q->prose.width - ROOM : 1;
	unsigned most = room < CELLS ? room : CELLS;
	const char *runs = json_string_value(json_object_get(map, "runs"));
	uint64_t pages = (uint64_t)json_integer_value(json_object_get(map, "pages"));
	uint64_t each = (pages + most - 1) / most;
	char cells[CELLS + 1] = "", number[32];

	if (!runs || !each)
		return false;
	printf("    |%.*s| %s pages\n", (int)space_cells(runs, pages, each, cells), cells,
	       number_words((int64_t)pages, number, sizeof(number)));
	return true;
}

/* Returns false if the case has no pages to draw. */
static bool put_pages(const struct quiz *q, const json_t *step, const char *when)
{
	const json_t *processes = json_object_get(step, "processes"), *process, *map;
	bool any = false;
	size_t i, k;

	json_array_foreach(processes, i, process)
	{
		const json_t *maps = json_object_get(process, "maps");

		if (json_array_size(maps) > 1)
			printf("  %s%s\n", when, i ? ", a child" : "");
		json_array_foreach(maps, k, map) any |= put_map(q, map);
	}
	return any;
}

static void put_numbers(const json_t *record, const json_t *step, const char *when)
{
	static const char *const names[] = { "top.VIRT", "top.RES", "top.SHR", "top.SWAP",
					     "smaps.Pss" };

	printf("  %-8s", when);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char words[32];

		printf("%10s", record_words(record, step, 0, names[i], words, sizeof(words)));
	}
	putchar('\n');
}

/* Shows the charge for each kind of memory. The processes themselves have ended already. */
static bool put_limit(const json_t *record, const json_t *step)
{
	struct limit_row rows[LIMIT_ROWS];
	size_t nr = limit_rows(record, step, rows);

	if (nr)
		printf("  %-14s%14s%14s\n", "in kB", "memory.current", "working set");
	for (size_t i = 0; i < nr; i++) {
		char words[2][32];

		printf("  %-14s%14s%14s%s\n", rows[i].kind,
		       number_words(rows[i].current_kb, words[0], 32),
		       number_words(rows[i].working_set_kb, words[1], 32),
		       rows[i].killed ? "  killed" : "");
	}
	return nr;
}

static void view_pages(const struct quiz *q, const json_t *record, const struct lesson *l,
		       const json_t *before, const json_t *after)
{
	bool any;

	(void)l;
	if (put_limit(record, after))
		return;
	any = put_pages(q, before, "before");
	any |= put_pages(q, after, "after");
	if (any)
		prose_text(
			&q->prose, 2,
			". reserved, a anonymous, h huge, f file, m tmpfs, s on swap, z zero page; "
			"capital letters: other processes map the page, too.");
	printf("\n  %-8s%10s%10s%10s%10s%10s\n", "in kB", "VIRT", "RES", "SHR", "SWAP", "PSS");
	put_numbers(record, before, "before");
	put_numbers(record, after, "after");
}

static const char *kb_words(const json_t *record, const json_t *step, const char *name, char *buf,
			    size_t size)
{
	int64_t kb;

	return record_number(record, step, 0, name, &kb) ? number_words(kb, buf, size) : "-";
}

static void view_grid(const struct quiz *q, const json_t *record, const struct lesson *l,
		      const json_t *before, const json_t *after)
{
	(void)q, (void)before, (void)after;
	printf("  %-26s%10s%10s\n", "RES, in kB", "before", "after");
	for (const struct record_word *k = record_kinds; k->name; k++) {
		char name[80], was[32], is[32];
		int64_t refused = 0;

		snprintf(name, sizeof(name), "grid.%s.VmRSS", k->name);
		printf("  %-26s%10s", k->words, kb_words(record, NULL, name, was, sizeof(was)));
		snprintf(name, sizeof(name), "grid.%s/%s.VmRSS", k->name, l->act);
		printf("%10s", kb_words(record, NULL, name, is, sizeof(is)));
		snprintf(name, sizeof(name), "grid.%s/%s.refused", k->name, l->act);
		record_number(record, NULL, 0, name, &refused);
		printf("%s%s\n", refused ? "  " : "", refused ? strerrorname_np((int)refused) : "");
	}
}

enum { TOLD_KB = 1024 }; /* smaller changes of a part of the machine are not shown */

static void view_machine(const struct quiz *q, const json_t *record, const struct lesson *l,
			 const json_t *before, const json_t *after)
{
	(void)record, (void)l;
	printf("  %12s%12s\n", "before", "after, kB");
	for (unsigned p = 0; p < tree_parts(); p++) {
		int64_t was = tree_kb(before, p), is = tree_kb(after, p);
		char words[2][32];

		if (llabs(is - was) >= TOLD_KB)
			printf("  %12s%12s%s%s\n", number_words(was, words[0], 32),
			       number_words(is, words[1], 32),
			       strlen(tree_words(p)) + 28 > q->prose.width ? "\n    " : "  ",
			       tree_words(p));
	}
	prose_text(&q->prose, 2, "The sum of all memory is %s kB.",
		   number_words(json_integer_value(
					json_object_get(json_object_get(after, "tree"), "total")),
				(char[32]) { "" }, 32));
}

static void put_moment(const struct quiz *q, const json_t *record, const struct lesson *l)
{
	static void (*const views[])(const struct quiz *q, const json_t *record,
				     const struct lesson *l, const json_t *before,
				     const json_t *after) = {
		[VIEW_PAGES] = view_pages,
		[VIEW_GRID] = view_grid,
		[VIEW_MACHINE] = view_machine,
	};
	const json_t *of_case = record_case(record, l->case_id);

	putchar('\n');
	views[l->view](q, record, l, record_step(of_case, l->step - 1),
		       record_step(of_case, l->step));
	putchar('\n');
}

/*
 * True if the lesson runs on this machine, where other programs change the machine's numbers too.
 */
static bool is_shared(const struct quiz *q)
{
	return !q->record && !guest_is_here();
}

static void put_verdict(struct quiz *q, const json_t *record, const struct lesson *l,
			const struct ask *a, enum answer predicted)
{
	char words[96], numbers[100] = "";
	struct answered said;
	bool right;

	if (!lesson_answer(record, l, a, &said)) {
		prose_text(&q->prose, 2, "%s is not known here.", a->label);
		return;
	}
	if (*answered_words(a, &said, words, sizeof(words)))
		snprintf(numbers, sizeof(numbers), " (%s)", words);
	if (ask_is_of_machine(a) && is_shared(q)) {
		prose_text(
			&q->prose, 2,
			"%s%s: other programs on this machine also change this number, so your prediction is not "
			"judged.",
			a->label, numbers);
		return;
	}
	right = said.answer == predicted;
	q->asked++;
	q->right += right;
	style_begin(right ? STYLE_GOOD : STYLE_BAD, stdout, q->options->colour);
	fputs(right ? "  Right" : "  No   ", stdout);
	style_end(stdout, q->options->colour);
	printf(" %s:%s%s", a->label,
	       strlen(a->label) + VERDICT_WIDTH > q->prose.width ? "\n         " : " ",
	       ask_choice(a, said.answer));
	printf("%s%s\n",
	       strlen(a->label) + strlen(numbers) + 22 > q->prose.width ? "\n        " : "",
	       numbers);
}

static void put_missing(const struct quiz *q, const struct lesson *l, const char *why)
{
	prose_text(
		&q->prose, 0,
		"This lesson cannot run here: %s. To run it in a virtual machine: `rssck demo "
		"--kernel=IMAGE --quiz=%s`. For its answers on many kernels: `rssck report --course`.",
		why ? why : "no reason is known", l->id);
	putchar('\n');
}

static void show(struct quiz *q, const struct lesson *l, const enum answer *predicted)
{
	json_t *record = q->record ? json_incref(q->record) : record_begin(q->engine);
	const json_t *of_case;
	const char *why;

	if (!q->record)
		demo_record(record, q->engine, case_by_id(l->case_id));
	of_case = record_case(record, l->case_id);
	why = json_string_value(json_object_get(of_case, "why"));
	if (!record_step(of_case, l->step)) {
		putchar('\n');
		put_missing(q, l, why);
	} else {
		put_moment(q, record, l);
		for (size_t i = 0; i < lesson_nr_asks(l); i++)
			put_verdict(q, record, l, &l->asks[i], predicted[i]);
		putchar('\n');
		prose_text(&q->prose, 0, "%s", l->reason);
		putchar('\n');
		for (size_t i = 0; i < LESSON_MORE && l->more[i]; i++) {
			prose_text(&q->prose, 0, "%s", l->more[i]);
			putchar('\n');
		}
		prose_text(&q->prose, 0, "To see every line that changes: `rssck demo %s`.",
			   l->case_id);
		q->shown++;
	}
	json_decref(record);
}

/* Returns false if the reader quits. */
static bool teach(struct quiz *q, const struct lesson *l, size_t number)
{
	enum answer predicted[LESSON_ASKS];
	struct missing missing;
	char words[320];

	put_question(q, l, number);
	if (!q->record && !needs_are_met(q->engine, case_by_id(l->case_id)->c, &missing)) {
		put_missing(q, l, missing_words(&missing, words, sizeof(words)));
		return true;
	}
	for (size_t i = 0; i < lesson_nr_asks(l); i++)
		if (!predict(q, &l->asks[i], &predicted[i]))
			return false;
	show(q, l, predicted);
	if (q->asked)
		printf("%u of %u right.\n\n", q->right, q->asked);
	fflush(stdout);
	return true;
}

size_t demo_quiz_cases(const char *lesson, const char **cases)
{
	const struct lesson *one = lesson ? lesson_by_name(lesson) : NULL;
	size_t nr, used = 0;
	const struct lesson *lessons = lessons_all(&nr);

	for (size_t i = 0; i < nr && used < QUIZ_CASES; i++)
		if (!one || one == &lessons[i])
			cases[used++] = lessons[i].case_id;
	return used;
}

int demo_quiz(const struct demo_options *o, const struct engine *e, json_t *record)
{
	const struct lesson *one = o->lesson ? lesson_by_name(o->lesson) : NULL;
	struct quiz q = { .options = o, .engine = e, .record = record, .prose = prose_to(stdout) };
	size_t nr;
	const struct lesson *lessons = lessons_all(&nr);

	if (q.prose.width > WIDEST)
		q.prose.width = WIDEST;
	for (size_t i = 0; i < nr && !q.quit; i++)
		if (!one || one == &lessons[i])
			q.quit = !teach(&q, &lessons[i], i + 1);
	if (stream_end(stdout))
		return trouble("stdout: %m");
	return q.quit || q.shown ? EXIT_HOLDS : EXIT_NOTHING;
}
