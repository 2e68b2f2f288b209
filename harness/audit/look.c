// SPDX-License-Identifier: MIT
/* Reads and judges one stopped process. */
#include "look.h"
#include "base/clock.h"
#include "known.h"
#include "snapshot/snapshot.h"
#include <errno.h>
#include <time.h>

enum {
	LOOKS = 6,       /* a broken rule is reported if this many readings in a row show it */
	MOVED_LOOKS = 8, /* maximum number of readings if the numbers change meanwhile */
	PAUSE_MS = 1,    /* doubled after every second reading */
};

/* Some files of another user's process cannot be opened; an ending process's files are empty. */
static enum looked readable(const struct snapshot *s)
{
	for (int i = 0; i < SOURCE_COUNT; i++)
		if (s->error[i].text[0] &&
		    (s->error[i].number == EACCES || s->error[i].number == EPERM))
			return LOOKED_DENIED;
	for (int i = 0; i < SOURCE_COUNT; i++)
		if (s->error[i].text[0] && s->error[i].number == ESRCH)
			return LOOKED_GONE;
	if (!s->nr_maps || !s->values.have[METRIC_STATUS_VMRSS])
		return LOOKED_GONE;
	return LOOKED_JUDGED;
}

static void judge(const struct snapshot *s, unsigned users, const struct host *h,
		  const struct measured *m, struct judgement *j)
{
	struct moment moment = { .name = "audit", .threads = users };
	struct trial t = { .host = h, .models = &m->models, .moments = &moment, .nr_moments = 1 };

	*j = (struct judgement) { .failed = false };
	moment.of[0] = (struct snapshot *)s;
	judge_invariants(&t, 0, 0, j);
}

static bool has(const struct judgement *j, const struct discrepancy *d)
{
	for (size_t i = 0; i < j->nr_discrepancies; i++)
		if (j->discrepancies[i].fails && discrepancy_is_same(&j->discrepancies[i], d))
			return true;
	return false;
}

static void keep_what_lasts(struct judgement *j, const struct judgement *before)
{
	size_t kept = 0;

	j->failed = false;
	for (size_t i = 0; i < j->nr_discrepancies; i++) {
		const struct discrepancy *d = &j->discrepancies[i];

		if (d->fails && !has(before, d))
			continue;
		j->failed |= d->fails;
		j->discrepancies[kept++] = *d;
	}
	j->nr_discrepancies = kept;
}

/*
 * True for a process's own totals, which do not depend on sharing. Reclaim can change them, but
 * then the snapshot says so.
 */
static bool is_its_own(const struct discrepancy *d)
{
	return d->id != METRIC_NONE && metric(d->id)->source <= SOURCE_STATUS;
}

/*
 * Excuses failures that running processes can cause: they may fork, write to shared pages, map the
 * same file, or end. Sharing can then change between two lines of smaps.
 */
static void leave_out_what_others_move(struct judgement *j)
{
	j->failed = false;
	for (size_t i = 0; i < j->nr_discrepancies; i++) {
		struct discrepancy *d = &j->discrepancies[i];

		d->fails &= is_its_own(d);
		j->failed |= d->fails;
	}
}

static bool fails_by_itself(const struct judgement *j)
{
	for (size_t i = 0; i < j->nr_discrepancies; i++)
		if (j->discrepancies[i].fails && is_its_own(&j->discrepancies[i]))
			return true;
	return false;
}

static void pause_ms(int ms)
{
	nanosleep(&(struct timespec) { .tv_nsec = ms * 1000000L }, NULL);
}

static enum looked read_once(pid_t pid, const struct host *h, struct snapshot *s)
{
	if (snapshot_look(s, pid, h))
		return LOOKED_GONE;
	return s->moved[0] ? LOOKED_MOVED : readable(s);
}

struct looks {
	struct judgement before; /* of the last reading that failed */
	int broken, moved;
};

/* Judges one reading. Returns true if it is the last one; *looked is then the result. */
static bool is_last(struct looks *l, const struct traced *who, const struct looking *how,
		    enum looked *looked, const struct snapshot *s, struct judgement *j)
{
	if (s->nr_maps)
		judge(s, who->users, how->host, how->measured, j);
	if (j->failed)
		known_leave_out(s, how->host->page_size, j);
	if (j->failed && !how->whole)
		leave_out_what_others_move(j);
	if (*looked == LOOKED_MOVED &&
	    (!s->nr_maps || who->denied || s->moved_pages || !fails_by_itself(j))) {
		/* The numbers changed. If they still agree, the process counts as judged. */
		bool adds_up = s->nr_maps && !j->failed;

		if (adds_up)
			*looked = LOOKED_JUDGED;
		if (adds_up || ++l->moved == MOVED_LOOKS || (!l->broken && now_ms() >= how->until))
			return true;
		judgement_free(j);
		return false;
	}
	if (*looked == LOOKED_MOVED)
		leave_out_what_others_move(j);
	*looked = LOOKED_JUDGED;
	if (l->broken)
		keep_what_lasts(j, &l->before);
	if (!j->failed || ++l->broken == LOOKS)
		return true;
	judgement_free(&l->before);
	l->before = *j;
	*j = (struct judgement) { .failed = false };
	return false;
}

enum looked look_at(const struct traced *who, const struct looking *how, struct snapshot *s,
		    struct judgement *j)
{
	struct looks l = { .broken = 0 };
	enum looked looked;

	*j = (struct judgement) { .failed = false };
	for (;;) {
		looked = read_once(who->pid, how->host, s);
		if (looked == LOOKED_GONE || looked == LOOKED_DENIED ||
		    is_last(&l, who, how, &looked, s, j))
			break;
		snapshot_free(s);
		pause_ms(PAUSE_MS << (l.broken + l.moved) / 2);
	}
	judgement_free(&l.before);
	return looked;
}
