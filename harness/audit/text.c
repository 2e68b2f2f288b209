// SPDX-License-Identifier: MIT
/* Writes the audit of a program as text. */
#include "base/print/fit.h"
#include "base/print/prose.h"
#include "base/print/style.h"
#include "base/print/words.h"
#include "report.h"
#include "report/report.h"
#include <string.h>

enum { COMMAND_COLUMNS = 60 };

static size_t all_numbers(const struct auditor *a)
{
	size_t n = 0;

	for (int i = 0; i < CHECK_COUNT; i++)
		n += a->numbers[i];
	return n;
}

static void put_command(char *const *command, FILE *out)
{
	char line[COMMAND_COLUMNS + 1] = "";
	size_t len = 0;

	for (; *command && len < sizeof(line); command++)
		len += (size_t)snprintf(line + len, sizeof(line) - len, "%s%s", len ? " " : "",
					*command);
	if (len >= sizeof(line))
		memcpy(line + COMMAND_COLUMNS - 3, "...", 4);
	line_put(line, out);
}

/* Leaves out the wrapper: for `sh -c SCRIPT NAME PROGRAM ...` it writes PROGRAM. */
static void put_program(const struct auditor *a, char *const *command, FILE *out)
{
	enum { PROGRAM = 4 };
	int n = 0;

	while (command[n] && n < PROGRAM)
		n++;
	if (a->wrapper && n == PROGRAM && command[n] && !strcmp(command[1], "-c"))
		put_command((char *[]) { command[n], NULL }, out);
	else
		put_command(command, out);
}

static void title(const struct auditor *a, char *const *command, FILE *out)
{
	char n[3][32], audited[32], ended[80], ends[64] = "";

	fputs("rssck run: ", out);
	put_program(a, command, out);
	if (a->nr_ends)
		snprintf(ends, sizeof(ends), " and %zu end%s", a->nr_ends,
			 a->nr_ends == 1 ? "" : "s");
	fprintf(out,
		"\n  %s audit%s%s, %s numbers compared; the program %s\n  %s of %s process%s were "
		"audited%s\n",
		number_words((int64_t)a->nr_points, n[0], sizeof(n[0])),
		a->nr_points == 1 ? "" : "s", ends,
		number_words((int64_t)all_numbers(a), n[2], sizeof(n[2])),
		audit_ended(a, ended, sizeof(ended)),
		number_words((int64_t)a->nr_audited, audited, sizeof(audited)),
		number_words((int64_t)a->nr_seen, n[1], sizeof(n[1])), a->nr_seen == 1 ? "" : "es",
		a->tree.traced ? "" : "; short-lived ones may be missed (see --exits)");
	if (a->peak_rss)
		fprintf(out, "  at most RSS %s, PSS %s, USS %s kB for all processes together\n",
			number_words(a->peak_rss, n[0], sizeof(n[0])),
			number_words(a->peak_pss, n[1], sizeof(n[1])),
			number_words(a->peak_uss, n[2], sizeof(n[2])));
	putc('\n', out);
}

static void rules(const struct auditor *a, const struct results *r, FILE *out, bool colour)
{
	static const char *const titles[] = {
		[CHECK_IDENTITIES] = "sources of each process",
		[CHECK_COUNTERS] = "counters against the page tables",
		[CHECK_FRAMES] = "page frames of all processes",
		[CHECK_CLOSED] = "ru_maxrss at the end",
		[CHECK_LOG] = "the kernel log",
		[CHECK_CGROUP] = "memory charged to its cgroup",
	};
	static const enum style styles[VERDICT_COUNT] = { [VERDICT_PASS] = STYLE_GOOD,
							  [VERDICT_FAIL] = STYLE_BAD,
							  [VERDICT_SKIP] = STYLE_NOTED,
							  [VERDICT_ERROR] = STYLE_BAD };
	char n[32];

	for (size_t i = 0; i < r->nr; i++) {
		const struct result *one = &r->of[i];

		fputs("  ", out);
		style_begin(styles[one->verdict], out, colour);
		fputs(verdict_name(one->verdict), out);
		style_end(out, colour);
		fprintf(out, "  %-34s", titles[i]);
		if (a->numbers[i])
			fprintf(out, "%14s numbers",
				number_words((int64_t)a->numbers[i], n, sizeof(n)));
		putc('\n', out);
		if (one->verdict == VERDICT_SKIP || one->verdict == VERDICT_ERROR)
			fprintf(out, "        %s\n", one->reason);
	}
}

static void findings(const struct auditor *a, FILE *out)
{
	char where[160], words[320];

	if (a->nr_findings)
		fputs("\n", out);
	for (size_t i = 0; i < a->nr_findings; i++) {
		const struct finding *f = &a->findings[i];

		fputs("  ", out);
		line_put(finding_where(f, where, sizeof(where)), out);
		putc('\n', out);
		if (f->check != CHECK_LOG) {
			fputs("    ", out);
			line_put(discrepancy_words(&f->d, words, sizeof(words)), out);
			putc('\n', out);
		}
		fputs("    ", out);
		line_put(f->d.text, out);
		putc('\n', out);
	}
	if (a->nr_more)
		fprintf(out, "  and %zu more\n", a->nr_more);
}

static void lags(const struct auditor *a, FILE *out)
{
	char n[2][32];

	if (!a->numbers[CHECK_COUNTERS])
		return;
	fprintf(out, "\n  %-16s %10s %10s   %s\n", "in pages", "worst lag", "may lag", "seen in");
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		const struct worst *w = &a->worst[*id];

		if (!w->seen)
			continue;
		fprintf(out, "  %-16s %10s %10s   ", metric(*id)->name,
			difference_words(w->off, n[0], sizeof(n[0])),
			!w->off        ? "-"
			: w->bound < 0 ? "?"
				       : number_words(w->bound, n[1], sizeof(n[1])));
		if (w->off) {
			line_put(w->name, out);
			fprintf(out, " (%d), %.1f s", w->pid, (double)w->at_ms / 1000);
		} else {
			fputs("exact", out);
		}
		putc('\n', out);
	}
}

static void paid(const struct auditor *a, FILE *out)
{
	const char *title = "its cgroup, in pages";
	char n[2][32];

	for (int i = 0; i < PAID_COUNT; i++) {
		const struct paid *p = &a->paid[i];

		if (!p->seen)
			continue;
		if (title)
			fprintf(out, "\n  %-26s %10s %10s\n", title, "worst", "may be off");
		title = NULL;
		fprintf(out, "  %-26s %10s %10s\n", paid_name(i),
			difference_words(p->off, n[0], sizeof(n[0])),
			p->bound ? number_words(p->bound, n[1], sizeof(n[1])) : "-");
	}
}

static void unseen(const struct auditor *a, FILE *out)
{
	const char *title = "\n  not seen:\n";
	struct prose p = prose_to(out);

	for (int i = 0; i < UNSEEN_COUNT; i++) {
		if (!a->unseen[i])
			continue;
		fputs(title, out);
		prose_text(&p, 4, "%zu time%s: %s", a->unseen[i], a->unseen[i] == 1 ? "" : "s",
			   unseen_words(i));
		title = "";
	}
	if (a->nr_log_others) {
		fputs("\n  the kernel log has an unrelated message: ", out);
		line_put(a->log_others, out);
		putc('\n', out);
	}
}

int audit_text(const struct auditor *a, const struct results *r, char *const *command, FILE *out,
	       bool colour)
{
	struct fitted f;
	double all = (double)(a->ended_ms - a->started_ms), held = (double)a->held_us / 1000;

	fitted_begin(&f, out);
	title(a, command, f.to);
	rules(a, r, f.to, colour);
	findings(a, f.to);
	lags(a, f.to);
	paid(a, f.to);
	unseen(a, f.to);
	fprintf(f.to, "\n  stopped for %.2f %% of %.1f s, at most %.1f ms in one audit\n",
		all > 0 ? 100 * held / all : 0.0, all / 1000, (double)a->held_most_us / 1000);
	if (a->held_wanted > 0 && all > 0 && 100 * held / all > a->held_wanted)
		fprintf(f.to,
			"  This exceeds --held=%g, because the program ended soon after its last audit.\n",
			a->held_wanted);
	return fitted_end(&f);
}

void audit_line(const struct point *p, char *buf, size_t size)
{
	char n[2][32];

	snprintf(buf, size, "%.1f s: %zu/%zu processes, %s kB, lag %s, %.1f ms%s%.5s",
		 (double)p->at_ms / 1000, p->read, p->processes,
		 number_words(p->resident, n[0], sizeof(n[0])),
		 number_words(p->lag, n[1], sizeof(n[1])), (double)p->held_us / 1000,
		 p->mark[0] ? " " : "", p->mark);
}
