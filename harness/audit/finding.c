// SPDX-License-Identifier: MIT
/* Keeps findings: which numbers were wrong, when, and in how many audits. */
#include "base/clock.h"
#include "report.h"

static bool is_further(const struct discrepancy *before, const struct discrepancy *now)
{
	int64_t a = before->counter - before->precise, b = now->counter - now->precise;

	return a > 0 ? b > a : b < a;
}

void auditor_find(struct auditor *a, enum audit_check c, pid_t pid, const char *name,
		  const struct discrepancy *d)
{
	int64_t at = now_ms() - a->started_ms;
	struct finding *f;

	for (size_t i = 0; i < a->nr_findings; i++) {
		f = &a->findings[i];
		if (f->check != c || f->pid != pid || !discrepancy_is_same(&f->d, d))
			continue;
		f->grows = is_further(&f->d, d) && (f->grows || f->audits == 1);
		f->audits++;
		f->last = at;
		f->d = *d;
		return;
	}
	if (a->nr_findings == FINDINGS_MAX) {
		a->nr_more++;
		return;
	}
	f = &a->findings[a->nr_findings++];
	*f = (struct finding) {
		.check = c, .pid = pid, .first = at, .last = at, .audits = 1, .d = *d
	};
	snprintf(f->name, sizeof(f->name), "%s", name);
}

const char *finding_where(const struct finding *f, char *buf, size_t size)
{
	char when[64] = "";

	if (f->audits > 1)
		snprintf(when, sizeof(when), " to %.1f s, %u audits%s", (double)f->last / 1000,
			 f->audits, f->grows ? ", larger each time: perhaps a leak" : "");
	else
		snprintf(when, sizeof(when), " s");
	if (f->pid)
		snprintf(buf, size, "%s (%d), %.1f%s", f->name, f->pid, (double)f->first / 1000,
			 when);
	else
		snprintf(buf, size, "%s, %.1f%s", f->name, (double)f->first / 1000, when);
	return buf;
}
