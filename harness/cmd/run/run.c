// SPDX-License-Identifier: MIT
/* rssck run: any program, audited while it lives. */
#include "run.h"
#include "audit/report.h"
#include "base/guest.h"
#include "base/output.h"
#include "cmd/line/ticker.h"
#include "engine/log/log.h"
#include "engine/workload/guard.h"
#include "scan/audit/measure.h"
#include <sys/wait.h>
#include <unistd.h>

/* A finding, what could not be confirmed, the command's own status, that nothing could be said. */
static int status_of(const struct auditor *a, const struct results *r, const struct run_options *o)
{
	int status = a->tree.status;

	if (r->count[VERDICT_FAIL])
		return (int)o->error_exitcode;
	if (r->count[VERDICT_ERROR])
		return EXIT_TROUBLE;
	if (WIFSIGNALED(status))
		return EXIT_SIGNAL + WTERMSIG(status);
	if (WEXITSTATUS(status))
		return WEXITSTATUS(status);
	return a->numbers[RULE_IDENTITIES] ? EXIT_HOLDS : EXIT_NOTHING;
}

static int run_in(struct group *g, pid_t guard, const struct run_options *o, const struct host *h,
		  struct measured *m, char **command)
{
	static struct auditor a; /* too much for a small stack */
	struct started s;
	struct results r;
	int status, log = log_open();

	status = run_start(&s, command, o->exits, g);
	if (status)
		return status;
	auditor_open(&a, h, m, s.pid);
	a.log = log;
	a.group = g->asked ? g : NULL;
	a.tree.guard = guard;
	if (o->exits)
		tree_is_traced(&a.tree);
	if (o->wrapper)
		auditor_leave_out(&a, command);
	run_follow(&a, &s, o);
	auditor_end(&a);
	audit_results(&a, &r);
	status = run_report(&a, &r, o, command);
	if (!status)
		status = status_of(&a, &r, o);
	results_free(&r);
	auditor_close(&a);
	return status;
}

static void remove_group(const void *group)
{
	group_remove(group);
}

/* The guard is there before anything has to be removed. */
static int run(const struct run_options *o, const struct host *h, struct measured *m,
	       char **command)
{
	static struct group g;
	struct guard guard = { .alive = -1 };
	int status;

	if (o->cgroup || guest_is_here())
		group_find(&g);
	if (g.path[0])
		guard_start_for(&guard, remove_group, &g);
	group_make(&g);
	status = run_in(&g, guard.pid, o, h, m, command);
	group_remove(&g);
	guard_end(&guard);
	return status;
}

static void measure_telling(struct measured *m, bool told)
{
	struct ticker ticker;

	ticker_open(&ticker);
	if (told)
		ticker_show(&ticker, "measuring how the counters count");
	measure(m);
	ticker_close(&ticker);
}

int cmd_run(int argc, char **argv)
{
	static struct measured m = { .why = "it was not asked for" };
	struct run_options o;
	struct host h;
	int first = run_options_parse(&o, argc, argv), status;
	char why[512];

	if (first < 0)
		return EXIT_TROUBLE;
	if (!first)
		return EXIT_HOLDS;
	if ((o.output && output_check(o.output, why, sizeof(why))) ||
	    (o.plot && output_check(o.plot, why, sizeof(why))) || host_probe(&h, why, sizeof(why)))
		return trouble("%s", why);
	if (!o.no_model)
		measure_telling(&m, !o.quiet);
	status = run(&o, &h, &m, argv + first);
	host_close(&h);
	return status;
}
