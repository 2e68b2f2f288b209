// SPDX-License-Identifier: MIT
/*
 * Runs a program step by step: runs the operation, settles the counters, stops the processes, reads
 * their numbers.
 */
#include "play.h"
#include "engine/log/log.h"
#include "engine/workload/paths.h"
#include "stop.h"
#include <fcntl.h>
#include <rssck/case.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	PLAYS_MAX = 40, /* programs that one workload runs */
	LOOKS = 4, /* a number is reported only if it is wrong in each of this many readings; in
		    * SETTLED_LOOKS readings if the counters were settled */
	SETTLED_LOOKS = 12, /* a zap may be preempted and leave a part of a counter unsettled:
			     * see engine/trial.c */
	FULLY_EACH = 8, /* all sources are read after every 8th step, and at the end of a program */
};

/*
 * Uses the small worker program, because every stop reads all pages that a process maps, and this
 * program maps few.
 */
static void use_worker(struct engine *e)
{
	if (!paths_find_worker(e))
		return;
	copy_drop(e);
	copy_make(e);
}

int player_open(struct player *p, struct engine *e)
{
	use_worker(e);
	*p = (struct player) { .e = e,
			       .worker = case_by_id("fuzz/worker"),
			       .plan = settle_plan(&e->models) };
	ledger_open(&p->ledger, (uint32_t)(e->host.huge_page_size / e->host.page_size));
	p->ledger.reads_own_pages = e->host.reads_own_pages;
	return 0;
}

static bool log_has_complaint(struct player *p, struct finding *f)
{
	struct log_news news;

	log_read(p->e->log, p->s.leader, &news);
	if (!news.complaint[0])
		return false;
	*f = (struct finding) { .step = 0 };
	discrepancy_set(&f->d, RULE_KERNEL_LOG, "", 1, 0, "the kernel log");
	discrepancy_describe(&f->d, "%s", news.complaint);
	return true;
}

bool player_rest(struct player *p, struct finding *f)
{
	if (!p->running)
		return false;
	session_end(&p->s);
	snapshot_free(&p->baseline);
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		snapshot_free(&p->of[i]);
	memset(p->accepted, 0, sizeof(p->accepted));
	p->running = false;
	log_make_cpus_drop_mm(p->e->host.cpu_list, p->e->host.nr_cpu_list);
	return log_has_complaint(p, f);
}

void player_close(struct player *p)
{
	struct finding ignored;

	player_rest(p, &ignored);
	ledger_close(&p->ledger);
}

static enum played trouble(struct player *p)
{
	struct finding ignored;

	snprintf(p->why, sizeof(p->why), "%s", p->s.why);
	player_rest(p, &ignored);
	return PLAY_TROUBLE;
}

static void add_act(const struct player *p, struct request *q, const struct act *a)
{
	struct act *to = &q->acts[q->nr_acts++];

	*to = *a;
	/* The `to` of a move names a region; only a verb with OPERAND_PROCESS names a process. */
	if (verbs[a->verb].operands & OPERAND_PROCESS)
		to->channel = p->channel[a->to];
}

static int receive_acts(struct player *p, unsigned process, struct reply *reply)
{
	if (session_receive(&p->s, p->channel[process], reply) < 0)
		return -1;
	if (reply->kind == REPLY_DONE)
		return 0;
	snprintf(p->s.why, sizeof(p->s.why), "%.*s", (int)sizeof(p->s.why) - 1, reply->text);
	return -1;
}

static int ask_act(struct player *p, const struct act *a, struct act_outcome *o)
{
	struct request q = { .kind = REQUEST_STEP, .argument = p->threads };
	struct reply reply;

	add_act(p, &q, a);
	if (session_send(&p->s, p->channel[a->process], &q) < 0 ||
	    receive_acts(p, a->process, &reply) < 0)
		return -1;
	*o = reply.outcomes[0];
	return 0;
}

/*
 * A forked process has only the thread that called fork(2), so its other threads are created here.
 */
static int give_threads(struct player *p, const struct act *a, const struct act_outcome *o)
{
	struct act first = { .process = a->to };
	struct act_outcome ignored;

	if (p->threads < 2 || verbs[a->verb].effect != EFFECT_FORK || o->error)
		return 0;
	return ask_act(p, &first, &ignored);
}

static int settle(struct player *p, bool everywhere)
{
	struct request q = { .kind = REQUEST_SETTLE, .settle = p->plan };
	struct reply reply;

	q.settle.everywhere = everywhere;
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		if (p->ledger.of[i].alive && session_ask(&p->s, p->channel[i], &q, &reply) < 0)
			return -1;
	return 0;
}

/*
 * Resets the peaks of a long-lived workload; otherwise an earlier peak would hide all later peaks.
 */
static void reset_peak(const struct player *p)
{
	char path[40];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/clear_refs", (int)p->s.leader);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (write(fd, "5", 1) != 1)
		(void)0; /* the old peak remains and hides smaller ones */
	close(fd);
}

static int start(struct player *p, unsigned threads)
{
	const struct host *h = &p->e->host;
	bool everywhere = p->at_once || threads > 1;

	p->threads = threads;
	if (session_start(&p->s, p->e, p->worker, h->cpu_list, everywhere ? h->nr_cpu_list : 1) <
	    0) {
		session_end(&p->s);
		return -1;
	}
	p->running = true;
	ksm_open(&p->ksm);
	p->plays = p->channels_used = 0;
	return 0;
}

/*
 * Since 6.6.99, 6.12.39, 6.15.7 and 6.16, statm and status are exact. Field 24 of stat still lags.
 */
static bool all_lag(const struct player *p)
{
	return model_for(&p->e->models, METRIC_STATUS_VMRSS)->kind != MODEL_EXACT;
}

/*
 * With many processes or threads on many CPUs, settling may leave a part of a counter on a CPU
 * (seen in 2 of several hundred guests). Field 24 of stat is then only checked against its model's
 * bound. Does not apply if all counters lag.
 */
static bool others_may_hold_back(const struct player *p)
{
	return (p->at_once || p->threads > 1) && !all_lag(p);
}

/*
 * Audits several times. Returns 1 and the error if every audit has found one, 0 if an audit has
 * found none, -1 if the workload has ended.
 */
static int audit(struct player *p, struct stop_kind kind, unsigned step, struct finding *f)
{
	int looks = kind.settled ? SETTLED_LOOKS : LOOKS, wrong = 0;

	*f = (struct finding) { .step = step };
	if (p->watcher.look_unsettled && audit_unsettled(p, step) < 0)
		return -1;
	for (int i = 0; i < looks; i++) {
		if (kind.settled && settle_plan_acts(&p->plan) && settle(p, i > 0) < 0)
			return -1;
		wrong = audit_all(p, &kind, step, f);
		kind.fully = true;
		if (wrong <= 0)
			return wrong;
	}
	if (!kind.settled || !others_may_hold_back(p))
		return wrong;
	kind.settled = false;
	return audit_all(p, &kind, step, f);
}

static int begin(struct player *p, struct finding *f)
{
	struct act first = { .serial = 0 };
	struct act_outcome o;

	ledger_begin(&p->ledger);
	reached_begin(&p->reached);
	memset(p->channel, 0, sizeof(p->channel));
	if (ask_act(p, &first, &o) < 0)
		return -1;
	p->place = (struct ledger_place) { o.arena, o.stride, p->e->host.page_size,
					   p->e->host.sees_pfns };
	reset_peak(p);
	if (p->plays)
		return 0;
	return audit(p, (struct stop_kind) { .settled = true, .fully = true }, 0, f);
}

static bool can_be_asked(const struct player *p, const struct act *a)
{
	return p->ledger.of[a->process].alive;
}

/*
 * In an unsettled program counters are not settled. In others they are settled after each step if
 * stat, statm and status lag, and after some steps if statm and status are exact (6.6.99, 6.12.39,
 * 6.15.7, 6.16) and only field 24 of stat lags.
 */
static struct stop_kind stop_after(const struct player *p, const struct program *program,
				   unsigned step)
{
	bool now = step % FULLY_EACH == 0 || step == program->nr;

	/* A record needs numbers without lag. */
	now |= p->watcher.look != NULL;
	return (struct stop_kind) { .settled = !program->unsettled && (all_lag(p) || now),
				    .fully = now };
}

/* Gives a forked process a number that no process has used before. */
static void name_child(struct player *p, const struct act *a)
{
	if (verbs[a->verb].effect == EFFECT_FORK && !p->ledger.of[a->to].alive)
		p->channel[a->to] = (uint8_t)++p->channels_used;
}

static bool is_answered_wrong(struct player *p, const struct act *a, const struct act_outcome *o)
{
	const struct verb *v = &verbs[a->verb];
	enum bug_id bug;

	if (!v->checks || o->error || o->seen == o->expected)
		return false;
	bug = known_answer(v, o);
	if (bug != BUG_NONE)
		p->known[bug]++;
	return bug == BUG_NONE;
}

static bool outcome_is_wrong(struct player *p, const struct act *a, const struct act_outcome *o,
			     struct discrepancy *d)
{
	const struct verb *v = &verbs[a->verb];

	if (is_answered_wrong(p, a, o)) {
		discrepancy_set(d, RULE_ANSWER, "", o->seen, o->expected, "%s", v->checks);
		discrepancy_describe(d, "%s", v->rule);
	} else if (o->blocks < o->data) {
		discrepancy_set(d, RULE_BLOCKS, "", o->blocks, o->data,
				"blocks of a shmem file, in pages,");
	} else if (p->ledger.faulted_known && p->ledger.faulted != o->faulted) {
		discrepancy_set(d, RULE_FAULTS, "", o->faulted, p->ledger.faulted,
				"pages whose access raised a signal");
	} else {
		return false;
	}
	d->process = a->process;
	return true;
}

/* Returns 0, 1 if a discrepancy was found, or -1 on an error. */
static int take_step(struct player *p, const struct program *program, unsigned i, struct finding *f)
{
	const struct act *a = &program->acts[i];
	struct act_outcome o;

	if (!can_be_asked(p, a))
		return 0;
	name_child(p, a);
	p->acted = 1u << a->process;
	if (verbs[a->verb].operands & OPERAND_PROCESS)
		p->acted |= 1u << a->to;
	if (ask_act(p, a, &o) < 0)
		return -1;
	if (give_threads(p, a, &o) < 0)
		return -1;
	ledger_act(&p->ledger, a, &o);
	ksm_act(&p->ksm, a, &o);
	p->steps++;
	reached_act(&p->reached, a, &o);
	if (p->watcher.did)
		p->watcher.did(p->watcher.data, a, &o);
	p->known[BUG_SCAN_WRITTEN_EMPTY] += (uint64_t)o.known;
	*f = (struct finding) { .step = i + 1 };
	if (outcome_is_wrong(p, a, &o, &f->d))
		return 1;
	return audit(p, stop_after(p, program, i + 1), i + 1, f);
}

/*
 * True if the operation may run concurrently with others. With threads, act_may_race() decides, and
 * the first operation may be a fork. Otherwise the operation must have a range, affect only its own
 * process, and check nothing.
 */
static bool may_be_together(const struct player *p, const struct act *a, bool first)
{
	if (p->threads > 1)
		return act_may_race(a) || (first && act_may_lead(a));
	return verbs[a->verb].operands & OPERAND_RANGE &&
	       !(verbs[a->verb].operands & OPERAND_PROCESS) && !verbs[a->verb].checks;
}

/*
 * Number of consecutive operations, from number `i` on, that can run concurrently on different
 * processes or threads.
 */
static unsigned together(const struct player *p, const struct program *program, unsigned i)
{
	unsigned hands = p->threads > 1 ? p->threads : 1, of[ACT_PROCESSES] = { 0 }, n = 0;

	for (; i + n < program->nr; n++) {
		const struct act *a = &program->acts[i + n];

		if (!may_be_together(p, a, n == 0) || !can_be_asked(p, a) ||
		    of[a->process]++ == hands ||
		    (!p->at_once && a->process != program->acts[i].process))
			break;
	}
	return n;
}

/* Sends each process all of its operations. The outcomes in *o have the program's order. */
static int ask_together(struct player *p, const struct act *acts, unsigned n, struct act_outcome *o)
{
	struct request q[ACT_PROCESSES] = { 0 };
	struct reply reply;

	for (unsigned i = 0; i < n; i++)
		add_act(p, &q[acts[i].process], &acts[i]);
	for (unsigned i = 0; i < ACT_PROCESSES; i++) {
		q[i].kind = REQUEST_STEP;
		if (q[i].nr_acts && session_send(&p->s, p->channel[i], &q[i]) < 0)
			return -1;
	}
	for (unsigned i = 0; i < ACT_PROCESSES; i++) {
		if (q[i].nr_acts && receive_acts(p, i, &reply) < 0)
			return -1;
		for (unsigned k = 0, nr = 0; k < n && q[i].nr_acts; k++)
			if (acts[k].process == i)
				o[k] = reply.outcomes[nr++];
	}
	return 0;
}

/*
 * The order in which the kernel runs concurrent operations is unknown, so the ledger does not
 * predict the states of pages afterwards. Returns like take_step().
 */
static int take_steps(struct player *p, const struct program *program, unsigned i, unsigned n,
		      struct finding *f)
{
	const struct act *acts = &program->acts[i];
	struct act_outcome o[ACT_PROCESSES * ACT_THREADS];

	name_child(p, acts);
	ksm_race(&p->ksm);
	if (ask_together(p, acts, n, o) < 0 || give_threads(p, acts, o) < 0)
		return -1;
	for (unsigned k = 0; k < n; k++) {
		ledger_act(&p->ledger, &acts[k], &o[k]);
		ksm_act(&p->ksm, &acts[k], &o[k]);
		reached_act(&p->reached, &acts[k], &o[k]);
		p->steps++;
	}
	if (p->threads > 1)
		ledger_race(&p->ledger, acts, n);
	ledger_loosen(&p->ledger);
	return audit(p, (struct stop_kind) { !program->unsettled, true, false }, i + n, f);
}

/*
 * Returns how many pages Committed_AS may keep when a kernel does not uncharge what
 * MREMAP_DONTUNMAP has left (BUG_COMMIT_DONTUNMAP): at most a region for each such operation.
 */
static int64_t may_stay_charged(const struct program *program)
{
	int64_t pages = 0;

	for (unsigned i = 0; i < program->nr; i++)
		if (verbs[program->acts[i].verb].effect == EFFECT_MOVE_PAGES)
			pages += ACT_REGION_PAGES;
	return pages;
}

static int close_program(struct player *p, const struct program *program, struct finding *f)
{
	struct request q = { .kind = REQUEST_CLOSE };
	struct reply reply;
	int64_t lost;
	bool beside;

	if (session_ask(&p->s, 0, &q, &reply) < 0)
		return -1;
	p->may_stay_charged = may_stay_charged(program);
	lost = p->ledger.of[0].lost_locks;
	beside = p->ledger.of[0].dontunmap_beside;
	ledger_begin(&p->ledger);
	p->ledger.of[0].lost_locks = lost;
	p->ledger.of[0].dontunmap_beside = beside;
	return audit(p, (struct stop_kind) { true, true, true }, program->nr + 1, f);
}

static unsigned forks_of(const struct program *program)
{
	unsigned n = 0;

	for (unsigned i = 0; i < program->nr; i++)
		n += verbs[program->acts[i].verb].effect == EFFECT_FORK;
	return n;
}

static int run(struct player *p, const struct program *program, struct finding *f)
{
	int wrong = begin(p, f);

	for (unsigned i = 0, n; !wrong && i < program->nr; i += n) {
		if (p->stop && *p->stop)
			break;
		n = p->at_once || p->threads > 1 ? together(p, program, i) : 1;
		if (n > 1)
			wrong = take_steps(p, program, i, n, f);
		else
			wrong = take_step(p, program, i, f);
		n = n ? n : 1;
	}
	if (!wrong)
		wrong = close_program(p, program, f);
	p->plays++;
	return wrong;
}

/*
 * How often a known bug has left pages in VmLck or Committed_AS. They would still be counted in the
 * next program, so a new workload is needed.
 */
static uint64_t known_to_stay(const struct player *p)
{
	return p->known[BUG_DONTUNMAP_LOCKED] + p->known[BUG_DONTUNMAP_SELF_MERGE] +
	       p->known[BUG_COMMIT_DONTUNMAP];
}

enum played player_play(struct player *p, const struct program *program, bool fresh,
			struct finding *f)
{
	struct finding at_end;
	uint64_t before;
	int wrong;

	if (p->running && (fresh || p->threads != program->threads || p->plays >= PLAYS_MAX ||
			   p->channels_used + forks_of(program) >= WORKLOAD_PROCESSES))
		player_rest(p, &at_end);
	if (!p->running && start(p, program->threads) < 0)
		return trouble(p);
	before = known_to_stay(p);
	wrong = run(p, program, f);
	if (wrong < 0)
		return trouble(p);
	if (!wrong && log_has_complaint(p, f)) {
		f->step = program->nr + 1;
		wrong = 1;
	}
	fresh |= known_to_stay(p) != before;
	if ((wrong || fresh) && player_rest(p, &at_end) && !wrong) {
		*f = at_end;
		f->step = program->nr + 1;
		wrong = 1;
	}
	return wrong ? PLAY_FOUND : PLAYED;
}
