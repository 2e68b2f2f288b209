// SPDX-License-Identifier: MIT
/* Makes results of the checks: pass, fail, error, or skip with the missing requirement. */
#include "base/memory.h"
#include "report.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static void add_finding(struct result *r, const struct finding *f)
{
	struct discrepancy *more;
	char where[160];

	r->discrepancies = memory_one_more(r->discrepancies, r->nr_discrepancies, sizeof(*more),
					   "the findings of a run");
	more = &r->discrepancies[r->nr_discrepancies++];
	*more = f->d;
	snprintf(more->step, sizeof(more->step), "%s", finding_where(f, where, sizeof(where)));
	r->verdict = VERDICT_FAIL;
	if (!r->reason[0])
		snprintf(r->reason, sizeof(r->reason), "%s: %s", where, f->d.text);
}

static const char *missing(const struct auditor *a, enum audit_check r)
{
	switch (r) {
	case CHECK_COUNTERS:
		if (!a->measured->known)
			return "the counter models were not measured here";
		break;
	case CHECK_FRAMES:
		if (!a->numbers[r] && a->unseen[UNSEEN_FRAMES])
			return unseen_words(UNSEEN_FRAMES);
		if (!a->host->sees_pfns)
			return a->host->kpage_covered
				       ? "a container covers /proc/kpageflags or kpagecount"
				       : "only root (CAP_SYS_ADMIN) can see page frames";
		break;
	case CHECK_LOG:
		return a->log < 0 ? "/dev/kmsg cannot be read (it needs root, or "
				    "kernel.dmesg_restrict=0)"
				  : NULL;
	case CHECK_CGROUP:
		if (a->group->why[0])
			return a->group->why;
		if (!a->numbers[r] && a->unseen[UNSEEN_CGROUP])
			return unseen_words(UNSEEN_CGROUP);
		break;
	case CHECK_CLOSED:
		if (!a->measured->known)
			return "the counter models were not measured here";
		break;
	default:
		break;
	}
	return a->numbers[r] ? NULL : "nothing could be compared before the program ended";
}

/* A difference that could not be confirmed is neither a pass nor a failure. */
static void leave_open(const struct auditor *a, struct result *r)
{
	for (int i = 0; i < PAID_COUNT; i++) {
		const struct paid *p = &a->paid[i];

		if (!p->unconfirmed)
			continue;
		r->verdict = VERDICT_ERROR;
		snprintf(r->reason, sizeof(r->reason),
			 "%s was off by up to %" PRId64 " pages, more than its bound of %" PRId64
			 ": the program ended before this could be confirmed",
			 paid_name(i), p->off, p->bound);
		return;
	}
}

static void result_of(const struct auditor *a, enum audit_check check, struct result *r)
{
	const char *why = missing(a, check);

	*r = (struct result) { .verdict = VERDICT_PASS, .nr_checks = a->numbers[check] };
	snprintf(r->id, sizeof(r->id), "run/%s", check_name(check));
	r->duration_ms = a->ended_ms - a->started_ms;
	for (size_t i = 0; i < a->nr_findings; i++)
		if (a->findings[i].check == check)
			add_finding(r, &a->findings[i]);
	if (check == CHECK_CGROUP && r->verdict == VERDICT_PASS && a->group)
		leave_open(a, r);
	if (r->verdict == VERDICT_ERROR)
		return;
	if (r->verdict == VERDICT_FAIL || !why)
		return;
	r->verdict = VERDICT_SKIP;
	snprintf(r->reason, sizeof(r->reason), "%s", why);
}

static void add_curve(const struct auditor *a, struct results *r)
{
	static const struct curve_axes axes = { "run", "milliseconds", "pages" };
	int64_t kb = a->host->page_size / 1024;
	struct curve *c;

	if (!a->nr_points)
		return;
	c = curve_have(&r->curves, &r->nr_curves, &axes);
	for (size_t i = 0; i < a->nr_points; i++) {
		const struct point *p = &a->points[i];

		curve_add(c, p->at_ms, CURVE_TRUTH, p->resident / kb);
		curve_add(c, p->at_ms, "status.VmRSS", p->counted / kb);
		curve_add(c, p->at_ms, "PSS", p->pss / kb);
		curve_add(c, p->at_ms, "USS", p->uss / kb);
		curve_add(c, p->at_ms, "largest lag of a counter", p->lag);
	}
}

void audit_results(const struct auditor *a, struct results *r)
{
	const struct host *h = a->host;

	*r = (struct results) { .page_size = h->page_size,
				.cpus = h->cpus,
				.models = a->measured->models,
				.saw_log = a->log >= 0,
				.saw_pfns = h->sees_pfns,
				.duration_ms = a->ended_ms - a->started_ms,
				.nr_selected = a->group ? CHECK_COUNT : CHECK_CGROUP };
	memcpy(r->kernel_release, h->release, sizeof(r->kernel_release));
	memcpy(r->kernel_version, h->version, sizeof(r->kernel_version));
	memcpy(r->machine, h->machine, sizeof(r->machine));
	r->of = calloc(CHECK_COUNT, sizeof(*r->of));
	if (!r->of)
		memory_gone("the results of a run");
	for (r->nr = 0; r->nr < r->nr_selected; r->nr++) {
		result_of(a, (enum audit_check)r->nr, &r->of[r->nr]);
		r->count[r->of[r->nr].verdict]++;
	}
	add_curve(a, r);
}

const char *audit_ended(const struct auditor *a, char *buf, size_t size)
{
	int status = a->tree.status;

	if (a->tree.command)
		snprintf(buf, size, "is still running");
	else if (WIFSIGNALED(status))
		snprintf(buf, size, "was killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(buf, size, "exited with status %d", WEXITSTATUS(status));
	return buf;
}
