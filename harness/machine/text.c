// SPDX-License-Identifier: MIT
/* Prints the audit of a machine as text. */
#include "audit.h"
#include "base/print/fit.h"
#include "base/print/prose.h"
#include "base/print/words.h"

static void put_answer(const struct machine_audit *a, const struct fitted *f)
{
	struct prose p = prose_to(f->out);

	p.out = f->to;
	for (int i = 0; i < 3; i++)
		prose_text(&p, 0, "%s", a->sentence[i]);
	putc('\n', f->to);
}

static void put_tree(const struct machine_audit *a, FILE *out)
{
	int64_t total = a->tree.total;
	char n[32], more[32] = "";

	fprintf(out, "  %14s %6s%s  of MemTotal, %s\n", "kB", "%", a->since ? "        change" : "",
		a->tree.frames ? "by page frames" : "by counters");
	for (int p = 0; p < PART_COUNT; p++) {
		int64_t kb = a->tree.of[p], change = a->since ? kb - a->before[p] : 0;
		enum held_kind k = part_holder(p);

		if (!kb && !change && p != PART_UNEXPLAINED)
			continue;
		if (a->since)
			snprintf(more, sizeof(more), "%14s",
				 difference_words(change, n, sizeof(n)));
		fprintf(out, "  %14s %6.2f%s  %s", number_words(kb, n, sizeof(n)),
			100.0 * (double)kb / (double)total, more, part_words_in(&a->tree, p));
		if (k && a->holders.of[k].nr) {
			fputs(k == HELD_SHMEM ? "; the largest memfd, tmpfs or SysV segment: "
					      : ": ",
			      out);
			line_put(a->holders.of[k].most[0].name, out);
			fprintf(out, " %s",
				number_words(a->holders.of[k].most[0].kb, n, sizeof(n)));
		}
		putc('\n', out);
	}
	fprintf(out, "  %14s %6.2f%s  MemTotal\n", number_words(total, n, sizeof(n)), 100.0,
		a->since ? "              " : "");
	if (a->tree.frames && a->tree.compound > 0)
		fprintf(out,
			"\n%s kB of the unexplained part are compound pages: buffers of drivers and of "
			"the network.\n",
			number_words(a->tree.compound, n, sizeof(n)));
}

static void put_holders(const struct machine_audit *a, FILE *out)
{
	char n[2][32];

	for (int k = HELD_NONE + 1; k < HELD_KINDS; k++) {
		const struct held_list *l = &a->holders.of[k];

		if (!l->nr)
			continue;
		fprintf(out, "\n  %14s  %s: %s in all\n", number_words(l->all, n[0], sizeof(n[0])),
			held_words(k), number_words((int64_t)l->nr, n[1], sizeof(n[1])));
		held_put(l, HELD_MOST, out);
	}
}

static void put_line(enum machine_number n, const char *where, const struct line *l, FILE *out)
{
	const struct machine_row *row = machine_row(n);
	char number[4][32], words[200];
	int64_t off = l->says < l->least                  ? l->says - l->least
		      : l->most >= 0 && l->says > l->most ? l->says - l->most
							  : 0;

	fprintf(out, "  %-6s %-34s %14s %12s  %s\n", line_state_name(l->state), where,
		number_words(l->says, number[0], sizeof(number[0])),
		off ? difference_words(off, number[1], sizeof(number[1])) : "-",
		machine_words(off > 0 || !row->least[0] ? row->most : row->least, words,
			      sizeof(words)));
}

/*
 * `i` counts the zones first, then their nodes. The line is printed if it is wrong; with `all`,
 * also if it moved.
 */
static void put_place(const struct machine_audit *a, size_t i, enum machine_number n, bool all,
		      const char **title, FILE *out)
{
	bool zone = i < a->judgement.nr_zones;
	size_t at = zone ? i : i - a->judgement.nr_zones;
	const struct zone *z = &a->reading.zones[0].of[at];
	const struct line *l = zone ? &a->judgement.zone[at][n] : &a->judgement.node[at][n];
	char where[64];

	if (l->state != LINE_WRONG && (l->state != LINE_MOVED || !all))
		return;
	fputs(*title, out);
	*title = "";
	snprintf(where, sizeof(where), "node %d %s %s", z->node, zone ? z->name : "",
		 machine_key(n));
	put_line(n, where, l, out);
}

static void put_lines(const struct machine_audit *a, bool all, FILE *out)
{
	const struct machine_judgement *j = &a->judgement;
	const char *title =
		"\n  state  line                                         says       off by  "
		"it should be\n";

	for (int n = 1; n < MACHINE_NUMBERS; n++) {
		const struct line *l = &j->of[n];

		if (l->state == LINE_WRONG || l->state == LINE_LATE ||
		    (all && (l->state == LINE_EQUAL || l->state == LINE_MOVED))) {
			fputs(title, out);
			title = "";
			put_line(n, machine_row(n)->name, l, out);
		}
		for (size_t i = 0; i < 2 * j->nr_zones; i++)
			put_place(a, i, n, all, &title, out);
	}
}

static void put_reasons(const struct machine_audit *a, FILE *out)
{
	fputs("\n  No other number can be compared with these lines:\n", out);
	for (int n = 1; n < MACHINE_NUMBERS; n++)
		if (a->judgement.of[n].state == LINE_NOTHING)
			fprintf(out, "  %-34s %s\n", machine_row(n)->name, machine_row(n)->why_not);
}

int machine_text(const struct machine_audit *a, bool all, FILE *out)
{
	const struct machine_judgement *j = &a->judgement;
	const struct machine_reading *r = &a->reading;
	struct fitted f;

	fitted_begin(&f, out);
	put_answer(a, &f);
	put_tree(a, f.to);
	if (all)
		put_holders(a, f.to);
	put_lines(a, all, f.to);
	if (all)
		put_reasons(a, f.to);
	fprintf(f.to,
		"\n%zu lines equal the page frames and other files, %zu differ by no more than CPUs may "
		"hold back (late), %zu changed while they were read (moved), %zu are wrong; %zu cannot be "
		"compared%s",
		machine_count(j, LINE_EQUAL), machine_count(j, LINE_LATE),
		machine_count(j, LINE_MOVED), machine_count(j, LINE_WRONG),
		machine_count(j, LINE_NOTHING), all ? "" : " (--all lists them)");
	if (machine_count(j, LINE_UNKNOWN) && !r->frames)
		fprintf(f.to, ". %s", a->why);
	if (r->frames)
		fprintf(f.to,
			". %u reading%s; the page frames were read in %.1f ms (%.1f ms per GiB)",
			j->readings, j->readings == 1 ? "" : "s", (double)r->took_us / 1000,
			(double)r->took_us / 1000 /
				((double)r->before.of[MACHINE_SUM_PRESENT] / (1 << 20)));
	fputs(".\n", f.to);
	return fitted_end(&f) || stream_end(out) ? -1 : 0;
}
