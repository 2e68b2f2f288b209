// SPDX-License-Identifier: MIT
/* Compares every source of every process with the other sources and with the ledger. */
#include "stop.h"
#include "base/memory.h"
#include "judge/judge.h"
#include "snapshot/snapshot.h"
#include <fcntl.h>
#include <rssck/bug_id.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BASELINE, NOW };

/* The snapshots of a stop, in the form that the judge of cases takes. */
struct stop {
	struct player *p;
	struct trial trial;
	struct moment moments[2];
	struct snapshot *of;
	unsigned step;
	bool fully;  /* read each process, even if the step did not concern it */
	bool closed; /* everything is unmapped: compare with the baseline */
};

static void stop_make(struct stop *s, struct player *p, bool settled, unsigned step)
{
	memset(s, 0, sizeof(*s));
	s->p = p;
	s->of = p->of;
	s->step = step;
	s->trial.c = p->worker->c;
	s->trial.host = &p->e->host;
	s->trial.models = &p->e->models;
	s->trial.moments = s->moments;
	s->trial.nr_moments = 2;
	s->moments[BASELINE] = (struct moment) { .name = "baseline",
						 .settled = true,
						 .threads = p->s.threads };
	s->moments[BASELINE].of[0] = &p->baseline;
	s->moments[NOW] = (struct moment) { .name = "now",
					    .settled = settled,
					    .threads = p->s.threads };
}

static bool stands_as_before(struct stop *s, unsigned i)
{
	const struct player *p = s->p;

	return !s->fully && p->accepted[i] && !(p->acted & 1u << i) && snapshot_refresh(&s->of[i]);
}

/* Returns 0, or -1 if the process has ended or ran while it was read. */
static int look_at(struct stop *s, unsigned i)
{
	struct session *session = &s->p->s;
	unsigned process = s->p->channel[i];
	struct snapshot *of = &s->of[i];

	s->moments[NOW].of[i] = of;
	if (stands_as_before(s, i))
		return 0;
	snapshot_free(of);
	if (snapshot_take(of, session->pid[process], &s->p->e->host) < 0 ||
	    snapshot_value(of, METRIC_STATM_SIZE) == 0) {
		session_lost(session, process, "had ended before its numbers were read");
		return -1;
	}
	s->p->looks++;
	if (!of->moved[0])
		return 0;
	snprintf(session->why, sizeof(session->why), "process %u ran while it was read: %s", i,
		 of->moved);
	return -1;
}

/* Finds the first discrepancy that no known bug excuses; false if there is none. */
static bool judged_wrong(struct stop *s, struct judgement *j, unsigned i, struct finding *f)
{
	const struct known_about about = { .l = &s->p->ledger,
					   .process = i,
					   .s = &s->of[i],
					   .baseline = &s->p->baseline,
					   .place = &s->p->place,
					   .closed = s->closed,
					   .met = s->p->known };
	bool wrong = false;

	s->p->numbers += j->nr_checks;
	for (size_t k = 0; k < j->nr_discrepancies && !wrong; k++) {
		const struct discrepancy *d = &j->discrepancies[k];

		if (!d->fails || known_excuses(&about, d))
			continue;
		wrong = true;
		f->d = *d;
		f->d.process = i;
	}
	judgement_free(j);
	return wrong;
}

static bool identities_fail(struct stop *s, unsigned i, struct finding *f)
{
	struct judgement j = { .failed = false };

	judge_invariants(&s->trial, NOW, i, &j);
	return judged_wrong(s, &j, i, f);
}

/*
 * When everything is unmapped, the page tables that the program needed are freed, so VmPTE must be
 * as before. Not checked with threads, because the C library creates a heap for a thread when it
 * needs one.
 */
static bool tables_stay(struct stop *s, struct finding *f)
{
	const enum metric_id id = METRIC_STATUS_VMPTE;
	int64_t before = snapshot_pages(&s->p->baseline, id, s->p->place.page_size);
	int64_t now = snapshot_pages(&s->of[0], id, s->p->place.page_size);

	s->p->numbers++;
	if (before < 0 || now == before || s->p->threads > 1)
		return false;
	discrepancy_set(&f->d, RULE_LEFT_BEHIND, "pages", now, before, "%s", metric(id)->name);
	return true;
}

/*
 * Checked at every stop and after each program, because KSM remembers pages of earlier programs,
 * and a child may inherit counts.
 */
static bool ksm_holds(struct stop *s, struct finding *f)
{
	struct player *p = s->p;

	if (!p->ksm.here || p->ksm.inherits)
		return true;
	ksm_look(&p->ksm);
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		ksm_look_at(&p->ksm, i, p->ledger.of[i].alive ? &s->of[i] : NULL);
	if (!ksm_agrees(&p->ksm, s->closed, &p->numbers, &f->d))
		return false;
	p->known[BUG_KSM_FORK] += p->ksm.inherits;
	p->known[BUG_KSM_ZERO_KEPT] += p->ksm.stayed;
	return true;
}

static bool is_known_charge(struct player *p, const struct discrepancy *d)
{
	int64_t more = d->counter - d->precise;
	bool is = d->rule == RULE_COMMITTED && more > 0 &&
		  more <= p->may_stay_charged * p->place.page_size / 1024;

	p->known[BUG_COMMIT_DONTUNMAP] += is;
	return is;
}

/* When everything is unmapped, every number must have its value from before the first program. */
static bool something_is_left(struct stop *s, struct finding *f)
{
	struct judgement j = { .failed = false };
	struct alone now;

	s->closed = true;
	judge_postings(&s->trial, BASELINE, NOW, 0, &j);
	if (judged_wrong(s, &j, 0, f) || tables_stay(s, f) || !ksm_holds(s, f))
		return true;
	alone_read(&now, s->p->s.leader);
	return !alone_is_as_before(&s->p->alone, &now, &f->d) && !is_known_charge(s->p, &f->d);
}

/* The first mapping shows whether this kernel has soft-dirty bits. */
static void ask_soft_dirty(struct ledger *l, unsigned i, unsigned region, const uint64_t *words)
{
	const struct ledger_region *r = &l->of[i].regions[region];

	for (uint32_t n = 0; n < r->top && !l->soft_dirty_asked; n++) {
		if (!(r->pages[n].flags & PF_NEW) || r->pages[n].flags & PF_ADOPT)
			continue;
		l->soft_dirty = words[n] & PAGEMAP_SOFT_DIRTY;
		l->soft_dirty_asked = true;
	}
}

/*
 * A read of pagemap that begins inside a huge page must report the same word as a read of the whole
 * region.
 */
static bool one_word_agrees(struct stop *s, int fd, unsigned region, uint32_t top,
			    struct finding *f)
{
	struct player *p = s->p;
	uint32_t n = (s->step * 97 + 31) % top;
	uint64_t at = p->place.arena + region * p->place.stride + n * (uint64_t)p->place.page_size;
	uint64_t word;

	if (pagemap_entries(fd, p->place.page_size, at, at + (uint64_t)p->place.page_size, &word) !=
		    1 ||
	    word == p->words[n])
		return true;
	discrepancy_set(&f->d, RULE_PAGE_ALONE, "", (int64_t)word, (int64_t)p->words[n],
			"pagemap of r%u page %u", region, n);
	return false;
}

static bool states_hold(struct stop *s, unsigned i, struct finding *f)
{
	struct player *p = s->p;
	long page = p->place.page_size;
	char path[40];
	bool hold = true;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)s->of[i].pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	for (unsigned r = 0; fd >= 0 && r < ACT_REGIONS && hold; r++) {
		uint32_t top = p->ledger.of[i].regions[r].top;
		uint64_t at = p->place.arena + r * p->place.stride;

		if (!top || pagemap_entries(fd, page, at, at + top * (uint64_t)page, p->words) !=
				    (int64_t)top)
			continue;
		ask_soft_dirty(&p->ledger, i, r, p->words);
		p->numbers += top;
		hold = one_word_agrees(s, fd, r, top, f) &&
		       ledger_check_pages(&p->ledger, i, r, p->words, p->place.sees_pfns, &f->d);
	}
	if (fd >= 0)
		close(fd);
	f->d.process = i;
	return hold;
}

static bool classes_hold(struct stop *s, unsigned i, struct finding *f)
{
	for (unsigned r = 0; r < ACT_REGIONS; r++)
		if (s->p->ledger.of[i].regions[r].top &&
		    !ledger_check_classes(&s->p->ledger, i, r, &s->of[i], &s->p->place, &f->d))
			return false;
	return true;
}

static bool counts_hold(struct stop *s, unsigned i, struct finding *f)
{
	struct player *p = s->p;
	int64_t lag = model_bound(&p->e->models, METRIC_STATUS_VMHWM, p->s.threads);

	if (ledger_check_maps(&p->ledger, i, &s->of[i], &p->place, &f->d) &&
	    classes_hold(s, i, f) &&
	    ledger_check_referenced(&p->ledger, i, &s->of[i], &p->place, &f->d) &&
	    ledger_check_counts(&p->ledger, i, &s->of[i], p->place.page_size, lag, &f->d))
		return true;
	f->d.process = i;
	return false;
}

static int look_at_all(struct stop *s)
{
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		if (s->p->ledger.of[i].alive && look_at(s, i) < 0)
			return -1;
	return 0;
}

/* Reads the states first, because the identities need them. */
static bool all_hold(struct stop *s, struct finding *f)
{
	struct finding states = *f;
	bool hold = true;

	for (unsigned i = 0; i < ACT_PROCESSES && hold; i++)
		hold = !s->p->ledger.of[i].alive || states_hold(s, i, &states);
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		if (s->p->ledger.of[i].alive && identities_fail(s, i, f))
			return false;
	if (!hold)
		*f = states;
	for (unsigned i = 0; i < ACT_PROCESSES && hold; i++)
		hold = !s->p->ledger.of[i].alive || counts_hold(s, i, f);
	return hold && ksm_holds(s, f);
}

static void accept(struct stop *s)
{
	struct player *p = s->p;

	for (unsigned i = 0; i < ACT_PROCESSES; i++) {
		if (!p->ledger.of[i].alive)
			continue;
		ledger_take(&p->ledger, i);
		reached_look(&p->reached, &p->ledger.of[i]);
		p->accepted[i] = true;
		known_to_ledger(&p->ledger.of[i], p->known);
		if (p->watcher.look)
			p->watcher.look(p->watcher.data, s->step, i, &s->of[i]);
	}
	if (s->step == 0) {
		alone_read(&p->alone, p->s.leader);
		p->baseline = s->of[0];
		s->of[0] = (struct snapshot) { .pid = 0 };
		p->accepted[0] = false;
	}
}

int audit_all(struct player *p, const struct stop_kind *kind, unsigned step, struct finding *f)
{
	struct stop *s = malloc(sizeof(*s));
	int wrong;

	if (!s)
		memory_gone("the state of an audit");
	stop_make(s, p, kind->settled, step);
	s->fully = kind->fully;
	wrong = look_at_all(s);
	if (!wrong)
		wrong = !all_hold(s, f) || (kind->closed && something_is_left(s, f));
	memset(p->accepted, 0, sizeof(p->accepted));
	if (!wrong)
		accept(s);
	free(s);
	return wrong;
}

int audit_unsettled(struct player *p, unsigned step)
{
	struct source_error e;

	for (unsigned i = 0; i < ACT_PROCESSES; i++) {
		unsigned process = p->channel[i];
		struct values v = { .have = { false } };

		if (!p->ledger.of[i].alive)
			continue;
		if (counters_take(&v, p->s.pid[process], &e) < 0) {
			session_lost(&p->s, process, "had ended before its counters were read");
			return -1;
		}
		p->watcher.look_unsettled(p->watcher.data, step, i, &v);
	}
	return 0;
}
