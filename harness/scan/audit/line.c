// SPDX-License-Identifier: MIT
/* Writes the audit of one process in one line. */
#include "base/print/words.h"
#include "print.h"
#include <time.h>

void audit_print_line(const struct audit *a, const struct reading *p, FILE *out)
{
	const struct values *v = &p->tables;
	time_t now = time(NULL);
	struct tm local;
	char clock[16], n[6][32];

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&now, &local));
	if (p->sight != SIGHT_SEEN) {
		fprintf(out, "%s  ", clock);
		line_put(a->sentence, out);
		putc('\n', out);
		return;
	}
	fprintf(out, "%s  VmRSS %s kB, resident %s kB (PSS %s, USS %s, on swap %s): %s%s%s", clock,
		number_words(p->counters.of[METRIC_STATUS_VMRSS], n[0], sizeof(n[0])),
		number_words(table_kb(v, METRIC_ROLLUP_RSS), n[1], sizeof(n[1])),
		number_words(table_kb(v, METRIC_ROLLUP_PSS), n[2], sizeof(n[2])),
		number_words(table_uss(v), n[3], sizeof(n[3])),
		number_words(table_kb(v, METRIC_ROLLUP_SWAP), n[4], sizeof(n[4])),
		a->worst ? a->worst : "", a->worst ? " " : "", audit_verdict_name(a->verdict));
	if (p->reshared && !p->moved)
		fputs(", other processes mapped or unmapped its pages during each reading", out);
	if (p->moved)
		fprintf(out, ", between %s and %s kB in %u readings",
			number_words(p->low.of[METRIC_ROLLUP_RSS], n[0], sizeof(n[0])),
			number_words(p->high.of[METRIC_ROLLUP_RSS], n[1], sizeof(n[1])), p->nr);
	putc('\n', out);
}
