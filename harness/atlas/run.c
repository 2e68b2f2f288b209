// SPDX-License-Identifier: MIT
/*
 * Runs one batch. In each round all regions act, all processes stop, and a single reading gives the
 * numbers of all regions.
 */
#include "run.h"
#include "agent/verbs/verbs.h"
#include "engine/log/log.h"
#include "engine/workload/paths.h"
#include "judge/judge.h"
#include "rest.h"
#include <rssck/trial.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BATCHES_MAX = 400, LOOKS = 5 };

int atlas_open(struct atlas *z, struct engine *e, const struct words *w)
{
	memset(z, 0, sizeof(*z));
	z->e = e;
	z->words = w;
	z->look.host = &e->host;
	z->worker = case_by_id("atlas/worker");
	z->plan = settle_plan(&e->models);
	if (paths_find_worker(e)) {
		copy_drop(e);
		copy_make(e);
	}
	z->side_fd = memfd_create("rssck-atlas", MFD_CLOEXEC);
	z->side = MAP_FAILED;
	if (z->side_fd >= 0 && !ftruncate(z->side_fd, sizeof(*z->side)))
		z->side = mmap(NULL, sizeof(*z->side), PROT_READ | PROT_WRITE, MAP_SHARED,
			       z->side_fd, 0);
	if (z->side != MAP_FAILED)
		return 0;
	snprintf(z->why, sizeof(z->why), "cannot share memory with the worker: %m");
	return -1;
}

static void end_worker(struct atlas *z)
{
	look_free(&z->look);
	if (!z->running)
		return;
	worker_end(&z->s);
	z->running = false;
}

void atlas_close(struct atlas *z)
{
	end_worker(z);
	z->e->host.kept = NULL;
	if (z->side != MAP_FAILED)
		munmap(z->side, sizeof(*z->side));
	close(z->side_fd);
}

/* Returns what worker_await() returns, and -1 also if the request cannot be sent. */
static int ask(struct atlas *z, enum side_step step, int64_t argument)
{
	struct request q = { .kind = REQUEST_STEP, .step = step, .argument = argument };

	if (session_send(&z->s, 0, &q) < 0)
		return -1;
	return worker_await(&z->s, z->side, z->stop);
}

static int settle(struct atlas *z)
{
	struct request q = { .kind = REQUEST_SETTLE, .settle = z->plan };

	if (!settle_plan_acts(&z->plan))
		return 0;
	if (session_send(&z->s, 0, &q) < 0)
		return -1;
	return worker_await(&z->s, z->side, z->stop);
}

static int start(struct atlas *z)
{
	memset(z->side, 0, sizeof(*z->side));
	z->side->at_once = z->words->at_once;
	if (session_start(&z->s, z->e, z->worker, z->e->host.cpu_list, 1) < 0) {
		session_end(&z->s);
		return -1;
	}
	z->running = true;
	z->batches = 0;
	if (ask(z, SIDE_BEGIN, z->side_fd) || settle(z))
		return -1;
	z->side->settles_cgroup = z->side->cgroup[0] != '\0';
	if (ask(z, SIDE_CLEAR, 0))
		return -1;
	charge_take(&z->charged, z->side->cgroup);
	guest_begin(&z->guest, z->s.leader);
	z->scanned = rest_scanned();
	return rest_take(&z->baseline, z->s.leader);
}

/* Notes a suspect without numbers. */
static void note(struct suspect *f, enum wrong wrong, enum moment_of at, enum rule_id rule,
		 const char *what)
{
	*f = (struct suspect) { .wrong = wrong, .at = at };
	discrepancy_set(&f->d, rule, "", 0, 0, "%s", what);
}

static void died(const struct atlas *z, enum moment_of at, struct suspect *f)
{
	note(f, WRONG_DIED, at, RULE_WORKER_LIVES, "the worker");
	discrepancy_describe(&f->d, "%s", z->s.why);
}

static bool is_excused(struct atlas *z, const struct asked *a)
{
	int row = exception_of(a);

	if (row >= 0)
		z->excepted[row]++;
	return row >= 0;
}

static bool is_excepted(struct atlas *z, const struct batch *b, const struct snapshot *s,
			unsigned process, const struct discrepancy *d)
{
	int64_t unit = discrepancy_is_kb(d) ? z->e->host.page_size / 1024 : 1;
	struct asked a = { .l = &z->look,
			   .s = s,
			   .process = process,
			   .w = z->words,
			   .b = b,
			   .d = d,
			   .more = (d->counter - d->precise) / unit };

	return is_excused(z, &a);
}

static bool is_excepted_answer(struct atlas *z, const struct batch *b, const struct verb *v,
			       const struct discrepancy *d)
{
	struct asked a = { .l = &z->look,
			   .s = &z->look.of[0],
			   .w = z->words,
			   .b = b,
			   .d = d,
			   .more = d->counter - d->precise,
			   .answers = v };

	return is_excused(z, &a);
}

/*
 * Finds the first discrepancy that no exception explains and whose rule was not yet reported often
 * enough. Returns false if there is none.
 */
static bool numbers_disagree(struct atlas *z, const struct batch *b, unsigned process, bool settled,
			     struct suspect *f)
{
	struct moment now = { .name = "now", .settled = settled && !process, .threads = 1 };
	struct trial t = { .c = z->worker->c,
			   .host = &z->e->host,
			   .models = &z->e->models,
			   .moments = &now,
			   .nr_moments = 1 };
	struct judgement j = { .failed = false };
	bool wrong = false;

	now.of[process] = &z->look.of[process];
	judge_invariants(&t, 0, process, &j);
	z->numbers += j.nr_checks;
	for (size_t i = 0; i < j.nr_discrepancies && !wrong; i++) {
		const struct discrepancy *d = &j.discrepancies[i];
		struct suspect now_wrong = { .wrong = WRONG_NUMBERS, .at = f->at, .d = *d };

		if (!d->fails || is_excepted(z, b, &z->look.of[process], process, d))
			continue;
		now_wrong.d.process = process;
		if (z->is_reported_enough && z->is_reported_enough(z->finder, &now_wrong))
			continue;
		wrong = true;
		*f = now_wrong;
	}
	judgement_free(&j);
	return wrong;
}

/* A huge page of a shmem file counts as all its pages, so there may be more blocks than data. */
static bool blocks_disagree(struct atlas *z, const struct batch *b, struct suspect *f)
{
	for (unsigned i = 0; i < b->nr; i++) {
		const struct act_outcome *o = &z->side->outcomes[i];

		z->numbers++;
		if (o->blocks >= o->data)
			continue;
		*f = (struct suspect) { .wrong = WRONG_NUMBERS, .at = f->at, .window = i };
		discrepancy_set(&f->d, RULE_BLOCKS, "", o->blocks, o->data,
				"blocks of a shmem file, in pages,");
		return true;
	}
	return false;
}

static bool outcomes_disagree(struct atlas *z, const struct batch *b, enum moment_of at,
			      struct suspect *f)
{
	struct discrepancy d;

	for (unsigned i = 0; i < b->nr; i++) {
		const struct act_outcome *o = &z->side->outcomes[i];
		const struct side_turn *t = sequence_turn(z->words, &b->of[i], at);
		const struct verb *v = t && t->nr ? &verbs[t->acts[t->nr - 1].verb] : NULL;

		if (!v || !v->checks || o->error)
			continue;
		z->numbers++;
		if (o->seen == o->expected)
			continue;
		discrepancy_set(&d, RULE_ANSWER, "", o->seen, o->expected, "%s", v->checks);
		discrepancy_describe(&d, "%s", v->rule);
		if (is_excepted_answer(z, b, v, &d))
			continue;
		*f = (struct suspect) { .wrong = WRONG_NUMBERS, .at = at, .window = i, .d = d };
		return true;
	}
	return false;
}

static int64_t since_start(const struct atlas *z, enum metric_id id)
{
	return z->look.of[0].values.of[id] - z->baseline.of[id];
}

/*
 * Returns the sum of a field of smaps in kB, over the mappings from the arena's start on that share
 * no page with another process.
 */
static int64_t own_kb(const struct atlas *z, enum metric_id id)
{
	const struct snapshot *s = &z->look.of[0];
	int64_t sum = 0;

	for (size_t i = 0; i < s->nr_maps; i++) {
		const struct mapping *m = &s->maps[i];

		if (m->start >= z->side->arena && !mapping_smaps(m, METRIC_SMAPS_SHARED_CLEAN) &&
		    !mapping_smaps(m, METRIC_SMAPS_SHARED_DIRTY))
			sum += mapping_smaps(m, id);
	}
	return sum;
}

/* KSM charges a merged page to its first owner, so charges are then unpredictable. */
static bool uses_ksm(const struct words *w, const struct batch *b)
{
	for (unsigned i = 0; i < b->nr; i++)
		if (w->kinds[b->of[i].kind].leads_to & 1U << AFTER_MERGEABLE ||
		    (b->of[i].event != NO_WORD &&
		     w->events[b->of[i].event].when == AFTER_MERGEABLE))
			return true;
	return false;
}

static bool event_changes_cgroup(const struct event *e)
{
	return e->how == SIDE_ACT && verbs[e->turn[0].acts[0].verb].run == verb_cgroup_move;
}

static bool is_charged_here(const struct words *w, const struct batch *b)
{
	for (unsigned i = 0; i < b->nr; i++)
		if (b->of[i].event != NO_WORD && event_changes_cgroup(&w->events[b->of[i].event]))
			return false;
	return !uses_ksm(w, b);
}

/* The comparison allows for the lag of memory.stat and of the process's own counters. */
static bool charge_disagrees(struct atlas *z, const struct batch *b, struct suspect *f)
{
	const struct values *v = &z->look.of[0].values;
	const int64_t page_kb = z->e->host.page_size / 1024;
	int64_t lag = charge_lag((int)z->e->host.cpus) +
		      model_bound(&z->e->models, METRIC_STATUS_RSSANON, 1) +
		      model_bound(&z->e->models, METRIC_STATUS_VMSWAP, 1);
	struct charge_difference d;
	struct charge_least least;
	struct charge now;

	if (!z->charged.known || !v->have[METRIC_STATUS_RSSANON] ||
	    !v->have[METRIC_STATUS_VMSWAP] || !is_charged_here(z->words, b))
		return false;
	charge_take(&now, z->side->cgroup);
	least = (struct charge_least) {
		.anon = since_start(z, METRIC_STATUS_RSSANON) - lag * page_kb,
		.swap = since_start(z, METRIC_STATUS_VMSWAP) - lag * page_kb,
		.anon_thp = own_kb(z, METRIC_SMAPS_ANONHUGEPAGES) - lag * page_kb,
		.shmem_thp = own_kb(z, METRIC_SMAPS_SHMEMPMDMAPPED) - lag * page_kb,
		.file_thp = own_kb(z, METRIC_SMAPS_FILEPMDMAPPED) - lag * page_kb,
	};
	/* memory.stat's shmem includes huge pages of shmem and of memfds. */
	least.shmem = least.shmem_thp;
	z->numbers += 6;
	if (!charge_falls_short(&z->charged, &now, &least, &d))
		return false;
	*f = (struct suspect) { .wrong = WRONG_NUMBERS, .at = f->at };
	discrepancy_set(&f->d, RULE_CHARGED, "kB", d.now, d.before, "%s", d.name);
	return true;
}

/* Stores *d in *f. Returns false for a known bug, and for a rule that was reported often enough. */
static bool other_is_wrong(struct atlas *z, const struct batch *b, unsigned process,
			   const struct discrepancy *d, struct suspect *f)
{
	struct suspect other = { .wrong = WRONG_NUMBERS, .at = f->at, .d = *d };

	if (is_excepted(z, b, &z->look.of[process], process, d) ||
	    (z->is_reported_enough && z->is_reported_enough(z->finder, &other)))
		return false;
	*f = other;
	return true;
}

static bool ksm_disagrees(struct atlas *z, const struct batch *b, struct suspect *f)
{
	struct discrepancy d;

	if (!z->guest.ksm.here || !uses_ksm(z->words, b) ||
	    guest_ksm_agrees(&z->guest, &z->look, &z->numbers, &d))
		return false;
	return other_is_wrong(z, b, d.process, &d, f);
}

/*
 * Runs only after the access that ends a batch, because each query walks all of the batch's memory.
 */
static bool answers_disagree(struct atlas *z, const struct batch *b, struct suspect *f)
{
	struct discrepancy d;

	if (f->at != AT_ACCESS)
		return false;
	for (unsigned p = 0; p < 2; p++)
		if (!ask_agrees(&z->look, p, &z->numbers, &d) && other_is_wrong(z, b, p, &d, f))
			return true;
	return false;
}

/* The last two moments of a batch differ only by an access, so the last one is read quickly. */
static enum care care_of(const struct batch *b, enum moment_of at, int looks)
{
	if (looks || b->nr == 1)
		return LOOK_CAREFUL;
	return at == AT_ACCESS && !b->each_moment ? LOOK_QUICK : LOOK_ALL;
}

bool atlas_was_reclaimed(const struct atlas *z)
{
	return rest_scanned() != z->scanned;
}

/* Returns 0 if a reading shows no error; 1 if each of LOOKS readings shows one; -1 if it failed. */
static int look(struct atlas *z, const struct batch *b, enum moment_of at, struct suspect *f)
{
	/*
	 * Concurrent acts leave parts of counters on other CPUs, which settling on this CPU does
	 * not flush.
	 */
	bool wrong = true, settled = false, at_once = sequence_is_at_once(z->words, b->of);

	f->at = at;
	for (int i = 0; wrong && i < LOOKS; i++) {
		if (i && settle(z))
			return -1;
		/*
		 * kswapd changes counters on its own CPU, and settling does not flush that CPU's
		 * parts.
		 */
		settled = i > 0 && !at_once && !atlas_was_reclaimed(z);
		if (look_take(&z->look, z->s.leader, z->side, care_of(b, at, i)) < 0) {
			snprintf(z->s.why, sizeof(z->s.why), "the worker ran while it was read: %s",
				 z->look.of[0].moved);
			return -1;
		}
		look_views(&z->look, z->side);
		wrong = blocks_disagree(z, b, f) || outcomes_disagree(z, b, at, f) ||
			numbers_disagree(z, b, 0, settled, f) || charge_disagrees(z, b, f) ||
			ksm_disagrees(z, b, f) || answers_disagree(z, b, f) ||
			(z->side->child && numbers_disagree(z, b, 1, settled, f));
	}
	z->looks++;
	z->acts += b->nr;
	f->at = at;
	for (unsigned i = 0; !wrong && z->viewed && i < b->nr; i++)
		z->viewed(z->data, b, i, at, &z->look.views[i]);
	return wrong;
}

/* If several sequences share a beginning, it is read in only some of them. */
static bool is_looked_at(const struct batch *b, enum moment_of at)
{
	bool looked = b->each_moment || at >= AT_SECOND;

	for (unsigned i = 0; i < b->nr && !looked; i++) {
		const struct sequence *s = &b->of[i];

		if (s->act[1] != 0 || s->length < 2)
			continue;
		looked = at == AT_EVENT || (at == AT_FIRST && s->event == NO_WORD) ||
			 (at == AT_KIND && s->event == NO_WORD && s->act[0] == NO_WORD);
	}
	return looked;
}

/* Sets the acts of each region at this moment. Returns false if no region has an act then. */
static bool set_turns(struct atlas *z, const struct batch *b, enum moment_of at)
{
	bool any = false;

	z->side->nr = b->nr;
	z->side->settles_cgroup = z->settles_cgroup && is_looked_at(b, at);
	for (unsigned i = 0; i < b->nr; i++) {
		const struct side_turn *t = sequence_turn(z->words, &b->of[i], at);
		struct side_turn *to = &z->side->turns[i];

		any |= t != NULL;
		to->nr = 0;
		if (t && at == AT_EVENT && sequence_is_at_once(z->words, &b->of[i]))
			sequence_pair(z->words, &b->of[i], to);
		else if (t)
			*to = *t;
		/* Files are identified by the number of the act that created them. */
		for (unsigned k = 0; k < to->nr; k++)
			to->acts[k].serial = (uint16_t)(1 + at * SIDE_TURN_ACTS + k);
	}
	return any;
}

static bool happens(struct atlas *z, const struct batch *b)
{
	const struct event *e = &z->words->events[b->of[0].event];

	z->side->event = e->how;
	return e->how == SIDE_ACT || b->nr;
}

static bool log_complains(struct atlas *z, enum moment_of at, struct suspect *f)
{
	struct log_news news = { .complaint = "" };

	log_read(z->e->log, z->s.leader, &news);
	if (!news.complaint[0])
		return false;
	note(f, WRONG_LOG, at, RULE_KERNEL_LOG, "the kernel log");
	discrepancy_describe(&f->d, "%s", news.complaint);
	return true;
}

/* Returns RAN if the batch continues. */
static enum ran take_moment(struct atlas *z, const struct batch *b, enum moment_of at,
			    struct suspect *f)
{
	int failed;

	if (!set_turns(z, b, at))
		return RAN;
	failed = ask(z, at == AT_EVENT && happens(z, b) ? SIDE_EVENT : SIDE_ROUND, 0);
	if (failed > 0) {
		note(f, WRONG_HANGS, at, RULE_ACT_RETURNS, "an act");
		f->window = z->side->at < b->nr ? z->side->at : 0;
		return z->stop && *z->stop ? RAN_STOPPED : RAN_WRONG;
	}
	if (failed < 0) {
		died(z, at, f);
		return RAN_WRONG;
	}
	if (!is_looked_at(b, at))
		return RAN;
	failed = look(z, b, at, f);
	if (failed < 0)
		return RAN_TROUBLE;
	return failed ? RAN_WRONG : RAN;
}

static void rest_is_wrong(const struct rest_difference *d, struct suspect *f)
{
	*f = (struct suspect) { .wrong = WRONG_REST, .at = AT_COUNT };
	discrepancy_set(&f->d, RULE_LEFT_BEHIND, "kB", d->now, d->before, "%s",
			metric(d->id)->name);
}

/*
 * Waiting does not remove a difference that an exception explains, so the next batch gets a new
 * worker.
 */
static bool rest_is_known(struct atlas *z, const struct batch *b, const struct rest_difference *d)
{
	struct suspect f;

	rest_is_wrong(d, &f);
	if (!is_excepted(z, b, NULL, 0, &f.d))
		return false;
	z->batches = BATCHES_MAX;
	return true;
}

/*
 * Waits, then reads the charges again. A few updates, and updates after an RCU grace period, reach
 * memory.stat only with the next flush, which the worker causes. Returns false if the worker has
 * ended.
 */
static bool charge_take_later(struct atlas *z, int time, struct charge *c)
{
	usleep(1000U << time);
	z->side->settles_cgroup = true;
	if (ask(z, SIDE_CLEAR, 0))
		return false;
	charge_take(c, z->side->cgroup);
	return true;
}

/* The kernel uncharges page tables and stacks with a delay, so this tries several times. */
static bool charge_is_left(struct atlas *z, struct suspect *f)
{
	enum { TRIES = 11, EXACT = 16, FEW = 64 };
	const int64_t page_kb = z->e->host.page_size / 1024;
	const int64_t lag = charge_lag((int)z->e->host.cpus) * page_kb;
	struct charge_slack slack = { .anon = lag + z->baseline.of[METRIC_STATUS_RSSANON],
				      .lag = lag,
				      .few = FEW * page_kb,
				      .rest = EXACT * page_kb };
	struct suspect left = { .wrong = WRONG_REST, .at = AT_COUNT };
	struct charge_difference d;
	struct charge now;

	charge_take(&now, z->side->cgroup);
	/* Up to 5.10, each number is flushed separately, and settling flushes only one of them. */
	if (now.kb[CHARGE_FILE_THP] < 0)
		slack.rest = slack.few = lag;
	z->numbers += now.known ? CHARGE_NUMBERS : 0;
	for (int i = 0; charge_left_behind(&z->charged, &now, &slack, &d); i++) {
		if (i == TRIES) {
			discrepancy_set(&left.d, RULE_LEFT_BEHIND, "kB", d.now, d.before, "%s",
					d.name);
			if (z->is_reported_enough && z->is_reported_enough(z->finder, &left))
				return false;
			*f = left;
			return true;
		}
		if (!charge_take_later(z, i, &now))
			return false;
	}
	return false;
}

static bool is_known_of_machine(struct atlas *z, const struct batch *b, const struct suspect *left)
{
	return is_excepted(z, b, NULL, 0, &left->d) ||
	       (z->is_reported_enough && z->is_reported_enough(z->finder, left));
}

/*
 * Cleanup may be asynchronous (io_uring's rings), so this tries several times. Waiting does not
 * help against a known leak.
 */
static bool machine_is_wrong(struct atlas *z, const struct batch *b, struct suspect *f)
{
	enum { TRIES = 9, KNOWN_AFTER = 4 };
	struct suspect left = { .wrong = WRONG_REST, .at = AT_COUNT };

	for (int i = 0; !guest_is_as_before(&z->guest, z->s.leader, z->e->host.huge_page_size,
					    &z->numbers, &left.d);
	     i++) {
		if (i >= KNOWN_AFTER && is_known_of_machine(z, b, &left)) {
			/* The next batch gets a new worker. */
			z->batches = BATCHES_MAX;
			return false;
		}
		if (i == TRIES) {
			*f = left;
			return true;
		}
		usleep(1000U << i);
	}
	return false;
}

static bool is_not_as_before(const struct atlas *z, bool settled, struct rest_difference *d)
{
	struct values now;

	return !rest_take(&now, z->s.leader) &&
	       rest_differs(&z->baseline, &now, &z->e->models, settled,
			    settled && atlas_was_reclaimed(z), d);
}

/* KSM merges only pages with equal data, so sequences that KSM may scan get equal data. */
static bool has_equal_pages(const struct words *w, const struct sequence *s)
{
	unsigned leads_to = w->kinds[s->kind].leads_to;

	for (unsigned i = 0; i < s->length; i++)
		leads_to |= s->act[i] == NO_WORD ? 0 : w->acts[s->act[i]].leads_to;
	return leads_to >> AFTER_MERGEABLE & 1;
}

/*
 * True if a page has lost the data that was written to it, although no act may have changed the
 * data.
 */
static bool data_is_wrong(struct atlas *z, const struct batch *b, struct suspect *f)
{
	z->numbers += b->nr;
	for (unsigned i = 0; i < 2 * b->nr; i++) {
		const struct side_data *d = &z->side->data[i / b->nr][i % b->nr];

		if (!d->wrong)
			continue;
		*f = (struct suspect) { .wrong = WRONG_NUMBERS,
					.at = AT_ACCESS,
					.window = i % b->nr };
		discrepancy_set(&f->d, RULE_DATA_STAYS, "", (int64_t)d->seen, (int64_t)d->expected,
				"data of page %u (%u wrong)", d->page, d->wrong);
		f->d.process = i / b->nr;
		return !z->is_reported_enough || !z->is_reported_enough(z->finder, f);
	}
	return false;
}

static enum ran clear(struct atlas *z, const struct batch *b, struct suspect *f)
{
	struct rest_difference d;
	int failed;

	z->side->settles_cgroup = z->settles_cgroup;
	failed = ask(z, SIDE_CLEAR, 0);

	if (failed > 0)
		note(f, WRONG_HANGS, AT_COUNT, RULE_ACT_RETURNS, "munmap()");
	if (failed < 0)
		died(z, AT_COUNT, f);
	if (failed || data_is_wrong(z, b, f))
		return RAN_WRONG;
	for (int i = 0; is_not_as_before(z, i > 0, &d); i++) {
		if (i && rest_is_known(z, b, &d))
			break;
		if (i == LOOKS) {
			rest_is_wrong(&d, f);
			return RAN_WRONG;
		}
		usleep(1000U << i);
		if (settle(z))
			return RAN_TROUBLE;
	}
	z->numbers += REST_NUMBERS;
	if (charge_is_left(z, f) || machine_is_wrong(z, b, f))
		return RAN_WRONG;
	return log_complains(z, AT_COUNT, f) ? RAN_WRONG : RAN;
}

/*
 * The kernel frees the page cache of a file some time after the file's uprobe is closed. Waits a
 * short time for that.
 */
static void wait_for_files(struct atlas *z)
{
	charge_take(&z->before, z->side->cgroup);
	for (int i = 0; i < LOOKS && z->before.kb[CHARGE_FILE] > z->charged.kb[CHARGE_FILE]; i++)
		if (!charge_take_later(z, i, &z->before))
			return;
}

static enum ran run(struct atlas *z, const struct batch *b, struct suspect *f)
{
	enum ran ran = RAN;

	if (z->settles_cgroup)
		wait_for_files(z);
	for (unsigned i = 0; i < b->nr; i++)
		z->side->equal[i] = has_equal_pages(z->words, &b->of[i]);
	for (unsigned at = AT_KIND; at < AT_COUNT && ran == RAN; at++)
		ran = take_moment(z, b, (enum moment_of)at, f);
	return ran == RAN ? clear(z, b, f) : ran;
}

enum ran atlas_run(struct atlas *z, const struct batch *b, bool fresh, struct suspect *f)
{
	enum ran ran;

	*f = (struct suspect) { .window = 0 };
	if (z->running && (fresh || z->batches >= BATCHES_MAX))
		end_worker(z);
	if (!z->running && start(z) < 0) {
		snprintf(z->why, sizeof(z->why), "%s", z->s.why);
		end_worker(z);
		return RAN_TROUBLE;
	}
	z->batches++;
	ran = run(z, b, f);
	if (ran == RAN_TROUBLE)
		snprintf(z->why, sizeof(z->why), "%s", z->s.why);
	if (ran != RAN || fresh) {
		end_worker(z);
		log_make_cpus_drop_mm(z->e->host.cpu_list, 1);
		if (ran == RAN && log_complains(z, AT_COUNT, f))
			ran = RAN_WRONG;
	}
	return ran;
}
