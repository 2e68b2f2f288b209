// SPDX-License-Identifier: MIT
/* Answers for a number: "Can I believe it, and what should I read instead?" */
#include "base/list.h"
#include "base/print/words.h"
#include "explain.h"
#include "machine/checked.h"
#include "machine/numbers.h"
#include "metric_words.h"
#include <ctype.h>
#include <rssck/bug.h>
#include <stdlib.h>
#include <string.h>

static void put_counter_answer(const struct explanation *e, enum metric_id id, FILE *out)
{
	enum { MANY = 100 };
	const struct counter_model *m = &e->models->of[id];
	int64_t bound = model_bound(e->models, id, e->threads);
	char pages[96], many[96];

	if (m->kind == MODEL_ABSENT) {
		fprintf(out, "%s does not print it", where_words(e));
	} else if (m->kind == MODEL_EXACT) {
		fprintf(out, "believe it. On %s every page shows immediately", where_words(e));
	} else if (bound < 0) {
		fprintf(out,
			"do not believe it. On %s it counts in steps of %u pages, which fit no known model",
			where_words(e), m->batch);
	} else if (m->kind == MODEL_PER_THREAD) {
		fprintf(out,
			"do not believe it to the page. On %s each thread holds back up to %u page "
			"faults: %s with %u thread%s, %s with %d",
			where_words(e), m->batch,
			pages_words(bound, e->page_size, pages, sizeof(pages)), e->threads,
			e->threads == 1 ? "" : "s",
			pages_words(model_bound(e->models, id, MANY), e->page_size, many,
				    sizeof(many)),
			MANY);
	} else {
		fprintf(out,
			"do not believe it to the page. On %s it may be off by up to %s (%u CPUs; with "
			"more CPUs by more, threads do not matter)",
			where_words(e), pages_words(bound, e->page_size, pages, sizeof(pages)),
			e->models->cpus);
	}
}

/* True for a distribution's release, e.g. "5.14.0-503.el9"; not for "6.16.2" or "7.0-rc1". */
static bool is_a_distributions(const char *release)
{
	const char *suffix = strpbrk(release, "-+");

	return suffix && strncmp(suffix, "-rc", 3) != 0;
}

/*
 * For an answer about a release: adds from which release of the series on it holds, or that no run
 * of the kernel is recorded.
 */
static void put_change(const struct explanation *e, enum metric_id id, FILE *out)
{
	const struct range *change = e->release ? range_change(e->release) : NULL;

	if (!e->release)
		return;
	if (change && id != METRIC_STAT_RSS)
		fprintf(out, ". That holds from %s on; before it do not believe it: %s",
			change->since, range_words(change[-1].kind));
	else if (!e->run)
		fprintf(out,
			". No run of %s is recorded; this rests on the commits: %s. %s: measure there "
			"(rssck check)",
			e->release, range_words(range_of(e->release)->kind),
			is_a_distributions(e->release)
				? "That is kernel.org's version of this number; it does not say "
				  "which fixes a distribution has added"
				: "A distribution may have changed it");
}

static const char *const believe[] = {
	[KIND_COUNTER] = "believe it. It changes with each page, and nothing is held back",
	[KIND_PRECISE] = "believe it, if the process stands still: counted in the page tables",
	[KIND_VMA] = "believe it as address space. It says nothing about memory in use",
	[KIND_PEAK] = "believe it",
	[KIND_EVENT] = "believe it",
};

static void put_other_answer(enum metric_id id, FILE *out)
{
	const struct metric *m = metric(id);

	if (m->constant)
		fputs("believe it. It is always 0", out);
	else if (m->approximate)
		fprintf(out, "only roughly. It holds nothing back, but: %s", m->approximate);
	else
		fputs(believe[m->kind], out);
}

/* Lists the bugs that a recorded run has found in this number. */
static void put_bugs(const struct results *r, enum metric_id id, FILE *out)
{
	const struct bug *told = NULL;

	for (size_t i = 0; r && i < r->nr; i++) {
		for (size_t f = 0; f < r->of[i].nr_facts; f++) {
			const struct bug *b = bug_of_fact(&r->of[i].facts[f]);

			if (!b || b == told || !b->number || !strstr(b->number, metric(id)->name))
				continue;
			fprintf(out, "%s: %s", told ? "; and" : ". But there is a bug", b->title);
			told = b;
		}
	}
}

char *metric_answer_words(const struct explanation *e, enum metric_id id)
{
	enum metric_id as = metric_computed_as(e, id);
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	if (as != METRIC_NONE && e->models && e->models->of[id].kind != MODEL_ABSENT)
		as = id;
	if (as == METRIC_NONE) {
		put_other_answer(id, out);
	} else if (!e->models) {
		fprintf(out, "that depends on the kernel, and was not measured here: %s",
			e->not_measured);
	} else {
		if (as != id && id != METRIC_STATUS_VMSWAP)
			fprintf(out, "it is made from the count of %s: ", metric(as)->name);
		put_counter_answer(e, as, out);
		put_change(e, as, out);
	}
	put_bugs(e->run, id, out);
	putc('.', out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

const char *metric_instead(const struct explanation *e, enum metric_id id)
{
	static const struct {
		enum metric_id id;
		const char *lags,
			*exact; /* what to read instead if the number may lag, and if it is exact */
	} table[] = {
#define INSTEAD(metric, lags, exact) { METRIC_##metric, lags, exact },
#include "instead.def"
#undef INSTEAD
	};
	enum metric_id as = metric_computed_as(e, id);
	bool lags = as != METRIC_NONE && !(e->models && e->models->of[as].kind == MODEL_EXACT);

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (table[i].id == id)
			return lags && table[i].lags ? table[i].lags : table[i].exact;
	return NULL;
}

/* Prints whether to believe a number, below what it is. */
static void put_belief(const struct explanation *e, const char *answer, const char *instead)
{
	prose_item(&e->prose, "Verdict", "%c%s", toupper((unsigned char)*answer),
		   *answer ? answer + 1 : "");
	if (instead)
		prose_item(&e->prose, "Read instead", "%s.", instead);
}

void explain_answer(const struct explanation *e, const char *name, enum metric_id id)
{
	char *answer = metric_answer_words(e, id);

	prose_named(&e->prose, name, "%s", metric(id)->prose);
	prose_item(&e->prose, "It is not", "%s", metric_is_not(id));
	put_belief(e, answer && *answer ? answer : "?", metric_instead(e, id));
	free(answer);
}

/*
 * True for a sum like Shared_Dirty + Private_Dirty. It includes each dirty page, whichever of the
 * two the kernel adds the page to.
 */
static bool column_takes_both(const struct column *c)
{
	const struct metric *one = metric(c->metric),
			    *other = c->plus == METRIC_NONE ? NULL : metric(c->plus);

	return other && one->accounts == other->accounts && one->with == other->with &&
	       one->without == other->without &&
	       ((one->sharing == SHARING_SHARED && other->sharing == SHARING_PRIVATE) ||
		(one->sharing == SHARING_PRIVATE && other->sharing == SHARING_SHARED));
}

void explain_column_answer(const struct explanation *e, const char *name, const struct column *c)
{
	char numbers[256], *answer;

	if (c->plus == METRIC_NONE)
		return explain_answer(e, name, c->metric);
	answer = metric_answer_words(e, c->metric);
	prose_named(&e->prose, name, "%s.", column_numbers(c, numbers, sizeof(numbers)));
	put_belief(e, column_takes_both(c) || !answer ? believe[metric(c->metric)->kind] : answer,
		   NULL);
	free(answer);
}

/*
 * Prints the numbers with which rssck machine compares this line of meminfo or vmstat, or why it
 * compares it with none. Returns false for other numbers.
 */
static bool put_comparison(const struct explanation *e, const struct figure *f)
{
	const char *key = strncmp(f->name, "meminfo.", 8) ? f->name : f->name + 8;
	enum machine_number n = machine_by_key(MACHINE_MEMINFO, key, strlen(key), MACHINE_NONE);
	char sum[200];

	n = n ? n : machine_by_name(f->name);
	if (!n || (!machine_is_judged(n) && !machine_row(n)->why_not))
		return false;
	if (machine_is_judged(n))
		prose_item(&e->prose, "Proved by",
			   "rssck machine compares it, on every machine, "
			   "with %s.",
			   machine_words(machine_row(n)->most[0] ? machine_row(n)->most
								 : machine_row(n)->least,
					 sum, sizeof(sum)));
	else
		prose_item(&e->prose, "Proved by", "Nothing: %s.", machine_row(n)->why_not);
	return true;
}

/* True if a text has that word as a whole word. */
static bool has_word(const char *text, const char *word)
{
	static const char of_word[] = "abcdefghijklmnopqrstuvwxyz_.";
	size_t len = strlen(word);

	for (const char *p = text; (p = strstr(p, word)); p += len)
		if ((p == text || !strchr(of_word, p[-1])) &&
		    (!p[len] || !strchr(of_word, p[len]) || p[len] == '.'))
			return true;
	return false;
}

/*
 * Lists up to three cases whose claims name this line of a file, e.g. "memory.stat sock". Returns
 * false if there are none.
 */
static bool put_claims(const struct explanation *e, const struct figure *f)
{
	enum { CLAIMS_SHOWN = 3 };
	const char *blank = strchr(f->name, ' ');
	size_t nr, shown = 0;
	const struct case_registration *all = cases_all(&nr);
	char file[32], id[64];

	snprintf(file, sizeof(file), "%.*s", blank ? (int)(blank - f->name) : 0, f->name);
	for (size_t i = 0; file[0] && i < nr && shown < CLAIMS_SHOWN; i++)
		if (all[i].c->claim && strstr(all[i].c->claim, file) &&
		    has_word(all[i].c->claim, blank + 1))
			explain_proof_line(e, shown++ ? NULL : "Proved by",
					   case_id(&all[i], id, sizeof(id)));
	return shown > 0;
}

/* Lists the cases whose ids are in `cases`, separated by blanks. */
static void put_cases(const struct explanation *e, const char *cases)
{
	const char *label = "Proved by";
	char id[64];

	for (; list_next(&cases, " ", id, sizeof(id)); label = NULL)
		explain_proof_line(e, label, id);
}

/*
 * Lists the cases that have the figure's name, e.g. "shmem/userfaultfd", or that it refers to.
 * Returns false if there are none.
 */
static bool put_named_cases(const struct explanation *e, const struct figure *f)
{
	size_t nr;
	const struct case_registration *all = cases_all(&nr);
	const char *label = "Proved by";
	char id[64];

	for (size_t i = 0; i < nr; i++) {
		const char *name = strchr(case_id(&all[i], id, sizeof(id)), '/');

		if ((all[i].c->flags & CASE_HIDDEN) ||
		    (!list_has(f->instead, ", ", id) && (!name || strcmp(name + 1, f->name) != 0)))
			continue;
		explain_proof_line(e, label, id);
		label = NULL;
	}
	return !label;
}

/*
 * Lists the cases that check this line of a file, e.g. "memory.stat sock", or prints why none does.
 * Returns false if the table of lines does not have it.
 */
static bool put_checked(const struct explanation *e, const struct figure *f)
{
	const char *blank = strchr(f->name, ' ');
	const struct checked *row;
	char file[32];

	snprintf(file, sizeof(file), "%.*s", blank ? (int)(blank - f->name) : 0, f->name);
	row = blank ? line_checked(file, blank + 1) : NULL;
	if (row && row->cases)
		put_cases(e, row->cases);
	else if (row)
		prose_item(&e->prose, "Proved by", "No case: %s.", row->why_not);
	return row;
}

/* Prints what to look up for a word; its cases are listed as proofs. */
static void put_look_up(const struct explanation *e, const char *names)
{
	char text[512] = "", name[128];
	size_t len = 0;

	while (list_next(&names, ",", name, sizeof(name))) {
		const char *one = name + strspn(name, " ");

		if (!testcase_by_id(one) && len < sizeof(text))
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
						len ? ", " : "", one);
	}
	if (len)
		prose_item(&e->prose, "Look up", "%s", text);
}

void explain_figure(const struct explanation *e, const struct figure *f)
{
	char names[512] = "", id[64], *to = names;

	prose_named(&e->prose, f->name, "%s", f->is);
	if (f->is_not)
		prose_item(&e->prose, "It is not", "%s", f->is_not);
	if (f->believe)
		put_belief(e, f->believe, f->instead);
	for (const char *p = f->also; p && *p && to < names + sizeof(names) - 2; p++) {
		*to++ = *p == '|' ? ',' : *p;
		if (*p == '|')
			*to++ = ' ';
	}
	if (f->from)
		prose_item(&e->prose, "It is read", "%s.", f->from);
	if (names[0])
		prose_item(&e->prose, "Also", "%s.", names);
	if (!f->believe)
		put_look_up(e, f->instead);
	if (f->cases)
		put_cases(e, f->cases);
	else if (!put_comparison(e, f) && !put_checked(e, f) && !put_claims(e, f) &&
		 !put_named_cases(e, f) && !f->outside)
		prose_item(&e->prose, "Proved by", "Nothing here: no case checks it.");
	explain_sentences(e, sentence_figure(f->name, id, sizeof(id)));
}

/* ---- a program's columns, a file's fields ---- */

static const char precise_answer[] = "right while it stands still";

static const char *short_answer(const struct explanation *e, enum metric_id id)
{
	enum metric_id as = metric_computed_as(e, id);
	const struct metric *m = metric(id);

	if (m->constant)
		return "always 0";
	if (as != METRIC_NONE && !e->models)
		return "depends on the kernel";
	if (as != METRIC_NONE)
		return e->models->of[as].kind == MODEL_EXACT    ? "right"
		       : e->models->of[as].kind == MODEL_ABSENT ? "not printed"
								: "may lag";
	if (m->kind == KIND_PRECISE)
		return m->approximate ? "roughly right" : precise_answer;
	return m->kind == KIND_VMA ? "right, as address space"
	       : m->approximate    ? "roughly right"
				   : "right";
}

/* Prints a line like "USS smaps.Private_Clean + smaps.Private_Dirty, ..., in kB: roughly right". */
static void put_column(const struct explanation *e, const struct column *c)
{
	char term[64], numbers[256], text[512];

	snprintf(term, sizeof(term), "  %s", c->name);
	snprintf(text, sizeof(text), "%s%s%s%s: %s", column_numbers(c, numbers, sizeof(numbers)),
		 c->note ? " (" : "", c->note ? c->note : "", c->note ? ")" : "",
		 column_takes_both(c) ? precise_answer : short_answer(e, c->metric));
	prose_hanging(&e->prose, term, 20, text);
}

/* Prints a line like "statm.resident Resident pages, each counted in full, in pages: right". */
static void put_field(const struct explanation *e, const struct topic *t)
{
	const char *is = metric(t->metric)->prose, *unit = metric_unit_short(t->metric);
	char term[128], text[512];

	snprintf(term, sizeof(term), "  %s", t->name);
	if (metric(t->metric)->constant)
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(is, "."), is);
	else
		snprintf(text, sizeof(text), "%.*s%s%s: %s", (int)strcspn(is, ".:;"), is,
			 unit ? ", in " : "", unit ? unit : "", short_answer(e, t->metric));
	prose_hanging(&e->prose, term, 29, text);
}

void explain_group(const struct explanation *e, const struct topic *group)
{
	const struct group *g = &group->group;
	struct topics all;

	prose_named(&e->prose, group->name, "its numbers, and whether each can be believed on %s.",
		    where_words(e));
	putc('\n', e->prose.out);
	if (topics_all(&all))
		return;
	for (size_t i = 0; i < all.nr; i++) {
		const struct topic *t = &all.of[i];

		if (!topic_is_in(t, g))
			continue;
		if (g->tool)
			put_column(e, t->column);
		else
			put_field(e, t);
	}
	topics_free(&all);
	putc('\n', e->prose.out);
	prose_text(&e->prose, 0, "For one of them in full: rssck explain '%s%sNAME'.",
		   g->tool ? g->tool : "", g->tool ? " " : "");
}
