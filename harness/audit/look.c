// SPDX-License-Identifier: MIT
/* Looks at one held process. */
#include "look.h"
#include "base/clock.h"
#include "snapshot/snapshot.h"
#include <errno.h>
#include <string.h>
#include <time.h>

enum {
	LOOKS = 6,       /* at what is broken: it must be so each time */
	MOVED_LOOKS = 4, /* at what others move */
	PAUSE_MS = 1,    /* doubled after each */
};

/* Of a program that is another user's some files cannot be opened; of one that ends, all are empty.
 */
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

static void judge(const struct snapshot *s, unsigned threads, const struct host *h,
		  const struct measured *m, struct judgement *j)
{
	struct moment moment = { .name = "audit", .threads = threads };
	struct trial t = { .host = h, .models = &m->models, .moments = &moment, .nr_moments = 1 };

	*j = (struct judgement) { .failed = false };
	moment.of[0] = (struct snapshot *)s;
	judge_invariants(&t, 0, 0, j);
}

static bool is_same(const struct discrepancy *a, const struct discrepancy *b)
{
	return a->fails && b->fails && !strcmp(a->metric, b->metric) && !strcmp(a->text, b->text);
}

static bool has(const struct judgement *j, const struct discrepancy *d)
{
	for (size_t i = 0; i < j->nr_discrepancies; i++)
		if (is_same(&j->discrepancies[i], d))
			return true;
	return false;
}

/* What was not broken the last time does not count. */
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

/*
 * What others moved meanwhile is no state that it was in: that it adds up is enough, that it
 * does not is nothing.
 */
enum looked look_at(pid_t pid, unsigned threads, const struct host *h, const struct measured *m,
		    int64_t until, struct snapshot *s, struct judgement *j)
{
	struct judgement before = { .failed = false };
	enum looked looked;
	int broken = 0, moved = 0;

	*j = (struct judgement) { .failed = false };
	for (;;) {
		looked = read_once(pid, h, s);
		if (looked == LOOKED_GONE || looked == LOOKED_DENIED)
			break;
		if (s->nr_maps) {
			judge(s, threads, h, m, j);
			if (!j->failed) {
				looked = LOOKED_JUDGED;
				break;
			}
		}
		if (looked == LOOKED_MOVED) {
			if (++moved == MOVED_LOOKS || (!broken && now_ms() >= until))
				break;
			judgement_free(j);
		} else {
			if (broken)
				keep_what_lasts(j, &before);
			if (!j->failed || ++broken == LOOKS)
				break;
			judgement_free(&before);
			before = *j;
			*j = (struct judgement) { .failed = false };
		}
		snapshot_free(s);
		pause_ms(PAUSE_MS << (broken + moved - 1));
	}
	judgement_free(&before);
	return looked;
}
