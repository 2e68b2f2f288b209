// SPDX-License-Identifier: MIT
/* Writes sharers as text and as JSON. */
#include "base/print/json.h"
#include "base/print/words.h"
#include "sharers.h"

/* The number of processes that the text lists at most. JSON lists all processes. */
enum { LINES_MAX = 25 };

static void put_process(const struct sharer *f, FILE *out)
{
	fprintf(out, "%7d ", f->pid);
	line_put(f->name, out);
	if (f->elsewhere[0])
		fprintf(out, " (%s)", f->elsewhere);
	putc('\n', out);
}

static void put_json(const struct sharer *f, json_t *to)
{
	json_set_number(to, "pid", f->pid);
	json_set_words(to, "name", f->name);
	if (f->elsewhere[0])
		json_set_words(to, "elsewhere", f->elsewhere);
}

static void cell(int64_t kb, FILE *out)
{
	char buf[32];

	fprintf(out, "%13s ", number_words(kb, buf, sizeof(buf)));
}

static void put_rest(size_t nr, size_t unseen, FILE *out)
{
	if (nr > LINES_MAX)
		fprintf(out, "and %zu more (--json has them all)\n", nr - LINES_MAX);
	if (unseen)
		fprintf(out,
			"%zu process%s could not be examined: rssck may not read %s mappings.\n",
			unseen, unseen == 1 ? "" : "es", unseen == 1 ? "its" : "their");
}

void sharers_of_file_print(const struct sharers *u, const char *name, FILE *out)
{
	int64_t pss = 0;
	char buf[32];

	line_put(name, out);
	if (!u->nr)
		fputs(" is mapped by no process that rssck can examine.\n", out);
	else
		fprintf(out, " is mapped by %zu process%s:\n", u->nr, u->nr == 1 ? "" : "es");
	if (u->nr)
		fprintf(out, "%13s %13s %13s %13s %7s %s\n", "resident kB", "its share kB",
			"alone kB", "frees kB", "PID", "process");
	for (size_t i = 0; i < u->nr; i++) {
		pss += u->of[i].pss;
		if (i >= LINES_MAX)
			continue;
		cell(u->of[i].rss, out);
		cell(u->of[i].pss, out);
		cell(u->of[i].only, out);
		cell(u->of[i].frees, out);
		put_process(&u->of[i], out);
	}
	put_rest(u->nr, u->unseen, out);
	if (u->nr)
		fprintf(out,
			"The shares of these processes add up to %s kB: all that is mapped of it, unless a process could not be examined. \"Alone\" is mapped "
			"by no other process. \"Frees\" is the memory that the end of that process alone "
			"would free: its own copies, and shared memory that nothing else keeps. The "
			"pages of a file on a disk stay cached until memory is short.\n",
			number_words(pss, buf, sizeof(buf)));
	putc('\n', out);
}

json_t *sharers_of_file_json(const struct sharers *u)
{
	json_t *list = json_array();

	for (size_t i = 0; i < u->nr; i++) {
		const struct sharer *one = &u->of[i];
		json_t *j = json_row(list);

		put_json(one, j);
		json_set_number(j, "mappings", (int64_t)one->nr_maps);
		json_set_number(j, "Size", one->size);
		json_set_number(j, "Rss", one->rss);
		json_set_number(j, "Pss", one->pss);
		json_set_number(j, "Swap", one->swap);
		json_set_number(j, "alone", one->only);
		json_set_number(j, "frees", one->frees);
	}
	return list;
}

void sharers_of_frames_print(const struct sharers *p, long page_size, FILE *out)
{
	int64_t kb = page_size / 1024;
	char buf[32];

	fprintf(out, "%s kB of it are mapped more than once, together with %zu other process%s:\n",
		number_words(p->shared * kb, buf, sizeof(buf)), p->nr, p->nr == 1 ? "" : "es");
	if (p->nr)
		fprintf(out, "%13s %13s %7s %s\n", "shares kB", "no third kB", "PID", "process");
	for (size_t i = 0; i < p->nr && i < LINES_MAX; i++) {
		cell(p->of[i].pages * kb, out);
		cell(p->of[i].alone * kb, out);
		put_process(&p->of[i], out);
	}
	put_rest(p->nr, p->unseen, out);
	putc('\n', out);
}

json_t *sharers_of_frames_json(const struct sharers *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->nr; i++) {
		json_t *j = json_row(list);

		put_json(&p->of[i], j);
		json_set_number(j, "pages", p->of[i].pages);
		json_set_number(j, "pages_no_third", p->of[i].alone);
	}
	return list;
}
