// SPDX-License-Identifier: MIT
/* Compares the counters of a process with its page tables. */
#include "audit.h"
#include "base/print/words.h"
#include <stdio.h>
#include <time.h>

enum { TRIES = 3, BETWEEN_MS = 20 };

/*
 * A row of the table: one counter, or the sum of two counters whose classes smaps_rollup does not
 * distinguish.
 */
struct compared {
	const char *name;
	enum metric_id id, plus;
};

static struct compared compared(enum metric_id id)
{
	if (id == METRIC_STATUS_RSSFILE)
		return (struct compared) { "RssFile + RssShmem", id, METRIC_STATUS_RSSSHMEM };
	return (struct compared) { metric(id)->name, id, METRIC_NONE };
}

static int64_t walked_kb(const struct values *tables, const struct compared *c)
{
	const struct walked *w = walked_by(
		metric(c->id)->accounts | (c->plus == METRIC_NONE ? 0 : metric(c->plus)->accounts),
		true);
	int64_t second = w->second == METRIC_NONE ? 0 : table_kb(tables, w->second);

	return table_kb(tables, w->first) + (w->beyond ? -second : second);
}

static int64_t counter_kb(const struct values *v, enum metric_id id, long page_size)
{
	if (id == METRIC_NONE)
		return 0;
	return metric(id)->unit == UNIT_PAGES ? v->of[id] * (page_size / 1024) : v->of[id];
}

static int64_t bound_kb(const struct measured *m, enum metric_id id, unsigned threads,
			long page_size)
{
	int64_t pages = id == METRIC_NONE ? 0 : model_bound(&m->models, id, threads);

	return pages < 0 ? -1 : pages * (page_size / 1024);
}

/*
 * Returns the bound of a sum of two counters. Each of a thread's faults is in one of the classes,
 * so for per-thread counters the bounds are not added.
 */
static int64_t bound_of_sum(const struct measured *m, enum metric_id id, int64_t first,
			    int64_t second)
{
	if (m->models.of[id].kind == MODEL_PER_THREAD)
		return first > second ? first : second;
	return first + second;
}

static void judge_row(struct audit_row *row, enum metric_id id, const struct reading *p,
		      const struct measured *m, long page_size)
{
	const struct compared c = compared(id);
	int64_t first = bound_kb(m, c.id, p->who.threads, page_size);
	int64_t second = bound_kb(m, c.plus, p->who.threads, page_size);
	int64_t off;

	*row = (struct audit_row) { .name = c.name, .id = METRIC_NONE, .bound = -1 };
	row->says = counter_kb(&p->counters, c.id, page_size) +
		    counter_kb(&p->counters, c.plus, page_size);
	row->tables = walked_kb(&p->tables, &c);
	/*
	 * VmSwap is not judged, because Swap in smaps includes swapped shmem and VmSwap does not.
	 */
	if (id == METRIC_STATUS_VMSWAP)
		return;
	row->id = id;
	if (m->known && first >= 0 && second >= 0)
		row->bound = bound_of_sum(m, id, first, second);
	off = row->says > row->tables ? row->says - row->tables : row->tables - row->says;
	row->off = row->bound >= 0 && off > row->bound;
}

static enum audit_verdict verdict_of(const struct audit *a, const struct reading *p)
{
	enum audit_verdict v = AUDIT_EXACT;

	if (p->sight != SIGHT_SEEN)
		return AUDIT_UNSEEN;
	if (p->moved)
		return AUDIT_MOVING;
	/*
	 * A running process may be in the middle of munmap(2), so a difference beyond the model is
	 * not a finding then.
	 */
	for (size_t i = 0; i < a->nr_rows; i++) {
		const struct audit_row *row = &a->rows[i];

		if (row->id == METRIC_NONE || row->says == row->tables)
			continue;
		if (row->off)
			return p->running ? AUDIT_MOVING : AUDIT_OFF;
		v = row->bound < 0 ? AUDIT_DIFFERS : v == AUDIT_EXACT ? AUDIT_LAGS : v;
	}
	return v;
}

const char *sight_words(enum sight s)
{
	static const char *const words[] = {
		[SIGHT_SEEN] = "seen",
		[SIGHT_GONE] = "has ended",
		[SIGHT_ZOMBIE] = "is a zombie: its memory was freed when it ended",
		[SIGHT_KERNEL_THREAD] = "is a kernel thread: it has no memory of its own",
		[SIGHT_DENIED] = "cannot be seen",
		[SIGHT_UNREADABLE] = "cannot be read",
		[SIGHT_UNWANTED] = "was not requested",
	};

	return words[s];
}

const char *audit_verdict_name(enum audit_verdict v)
{
	static const char *const names[] = {
		[AUDIT_EXACT] = "exact",   [AUDIT_LAGS] = "lags", [AUDIT_DIFFERS] = "differs",
		[AUDIT_MOVING] = "moving", [AUDIT_OFF] = "off",   [AUDIT_UNSEEN] = "unseen",
	};

	return names[v];
}

/*
 * Returns the row that the verdict is about: VmRSS if it differs, otherwise the first row that
 * differs. For AUDIT_OFF, only rows beyond their bound count.
 */
static const struct audit_row *worst(const struct audit *a)
{
	const struct audit_row *found = NULL;

	for (size_t i = 0; i < a->nr_rows; i++) {
		const struct audit_row *row = &a->rows[i];

		if (row->id == METRIC_NONE || row->says == row->tables ||
		    row->off != (a->verdict == AUDIT_OFF))
			continue;
		if (row->id == METRIC_STATUS_VMRSS)
			return row;
		found = found ? found : row;
	}
	return found;
}

/*
 * Explains how much may be held back: "237 threads x up to 66 page faults of up to 16 pages, at
 * most 1,001,088 kB".
 */
static const char *held_back(const struct audit_row *row, const struct reading *p,
			     const struct measured *m, char *buf, size_t size)
{
	const struct models *models = &m->models;
	const struct counter_model *c = &models->of[row->id];
	char most[32];

	number_words(row->bound, most, sizeof(most));
	if (!m->known)
		snprintf(buf, size, "the counter models were not measured");
	else if (c->kind == MODEL_PER_THREAD)
		snprintf(buf, size,
			 "%u thread%s x up to %u page faults of up to %u pages, at most %s kB",
			 p->who.threads, p->who.threads == 1 ? "" : "s", c->batch,
			 models->fault_around ? models->fault_around : 1, most);
	else if (c->kind == MODEL_PER_CPU)
		snprintf(
			buf, size,
			"%u CPU%s x up to %u pages of each class, anonymous, file and shmem: at most %s kB",
			models->cpus, models->cpus == 1 ? "" : "s", c->batch - 1, most);
	else if (c->kind == MODEL_EXACT)
		snprintf(buf, size, "this counter is exact on this kernel");
	else
		snprintf(buf, size, "this counter fits no known model");
	return buf;
}

static bool vmrss_is_exact(const struct audit *a)
{
	for (size_t i = 0; i < a->nr_rows; i++)
		if (a->rows[i].id == METRIC_STATUS_VMRSS)
			return a->rows[i].says == a->rows[i].tables;
	return false;
}

static void say_difference(struct audit *a, const struct reading *p, const struct measured *m)
{
	const struct audit_row *row = worst(a);
	char says[32], tables[32], off[32], why[200];
	int64_t missing = row->tables - row->says;

	a->worst = row->name;
	snprintf(a->sentence, sizeof(a->sentence), "%s%s %s kB; %s kB are %s: %s kB %s (%s).%s",
		 vmrss_is_exact(a) ? "VmRSS is exact. " : "",
		 row->id == METRIC_STATUS_VMRSS ? "VmRSS" : row->name,
		 number_words(row->says, says, sizeof(says)),
		 number_words(row->tables, tables, sizeof(tables)),
		 (metric(row->id)->accounts & IN_RSS) == IN_RSS ? "resident" : "in the page tables",
		 number_words(missing < 0 ? -missing : missing, off, sizeof(off)),
		 missing > 0 ? "not yet counted" : "still counted although gone",
		 held_back(row, p, m, why, sizeof(why)),
		 a->verdict == AUDIT_OFF ? " That is more than this kernel's model allows." : "");
}

static void say_running(struct audit *a)
{
	snprintf(a->sentence, sizeof(a->sentence),
		 "Moving: counters and page tables differ by more than the model allows. The "
		 "process is running and may be changing its memory, so the difference is not "
		 "judged.");
}

static void say_moving(struct audit *a, const struct reading *p)
{
	char low[32], high[32];

	number_words(p->low.of[METRIC_ROLLUP_RSS], low, sizeof(low));
	number_words(p->high.of[METRIC_ROLLUP_RSS], high, sizeof(high));
	snprintf(
		a->sentence, sizeof(a->sentence),
		"Moving: %u reading%s of the page tables gave an RSS %s %s%s%s kB, and the process "
		"changed during each; no number here is exact, and the numbers cannot be compared.",
		p->nr, p->nr == 1 ? "" : "s",
		p->low.of[METRIC_ROLLUP_RSS] == p->high.of[METRIC_ROLLUP_RSS] ? "of" : "between",
		low, p->low.of[METRIC_ROLLUP_RSS] == p->high.of[METRIC_ROLLUP_RSS] ? "" : " and ",
		p->low.of[METRIC_ROLLUP_RSS] == p->high.of[METRIC_ROLLUP_RSS] ? "" : high);
}

static void say(struct audit *a, const struct reading *p, const struct measured *m)
{
	const char *why;
	char rss[32];

	switch (a->verdict) {
	case AUDIT_UNSEEN:
		why = p->sight == SIGHT_UNREADABLE || p->sight == SIGHT_DENIED ? p->why : "";
		snprintf(a->sentence, sizeof(a->sentence), "Process %d %s%s%s.", p->who.pid,
			 sight_words(p->sight), *why ? ": " : "", why);
		break;
	case AUDIT_MOVING:
		p->moved ? say_moving(a, p) : say_running(a);
		break;
	case AUDIT_EXACT:
		snprintf(a->sentence, sizeof(a->sentence),
			 "VmRSS %s kB is exact, and so are the other counters.",
			 number_words(table_kb(&p->tables, METRIC_ROLLUP_RSS), rss, sizeof(rss)));
		break;
	default:
		say_difference(a, p, m);
	}
}

static void add_row(struct audit *a, enum metric_id id, const struct reading *p,
		    const struct measured *m, long page_size)
{
	if (p->sight == SIGHT_SEEN && p->counters.have[id])
		judge_row(&a->rows[a->nr_rows++], id, p, m, page_size);
}

void audit_judge(struct audit *a, const struct reading *p, const struct measured *m, long page_size)
{
	*a = (struct audit) { .nr_rows = 0 };
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		if (*id != METRIC_STATUS_RSSSHMEM)
			add_row(a, *id, p, m, page_size);
	add_row(a, METRIC_STATUS_VMSWAP, p, m, page_size);
	a->verdict = verdict_of(a, p);
	say(a, p, m);
}

void audit_process(struct audit *a, struct reading *p, pid_t pid, struct reader *r,
		   const struct measured *m, long page_size)
{
	static const struct timespec between = { .tv_nsec = BETWEEN_MS * 1000000L };

	for (int i = 0; i < TRIES; i++) {
		process_read(p, pid, r);
		p->bits = p->sight == SIGHT_SEEN ? identity_bits(pid) : 0;
		audit_judge(a, p, m, page_size);
		if (a->verdict != AUDIT_OFF)
			return;
		p->running = process_is_running(pid, r);
		audit_judge(a, p, m, page_size);
		nanosleep(&between, NULL);
	}
}
