// SPDX-License-Identifier: MIT
/*
 * A table with a column for each kind of memory and a row for each act. A cell is a link to its
 * numbers. The style sheet shows the numbers when the page's address names them, so no script is
 * needed.
 */
#include "atlas.h"
#include "base/print/words.h"
#include "grid/lines.h"
#include "grid/names.h"
#include "private.h"
#include <stdlib.h>

/*
 * If the number of resident pages does not change, the cell has the letters of the first four of
 * these numbers that change.
 */
static const struct {
	enum grid_column column;
	char letter;
	const char *what;
} letters[] = {
	{ GRID_SIZE, 'v', "VmSize" },
	{ GRID_SWAP, 's', "swap" },
	{ GRID_VMLCK, 'l', "VmLck" },
	{ GRID_PSS, 'p', "Pss" },
	{ GRID_DIRTY, 'd', "dirty" },
	{ GRID_LAZYFREE, 'z', "LazyFree" },
	{ GRID_SOFT, 'w', "soft-dirty" },
	{ GRID_TABLES, 't', "VmPTE" },
	{ GRID_CGROUP, 'c', "the cgroup's memory.stat" },
	{ GRID_CGROUP_SWAP, 'm', "memory.swap.current" },
};

enum { LETTERS = sizeof(letters) / sizeof(*letters) };

static int64_t moved(const struct grid_effect *e, enum grid_column column)
{
	return e->after->of[column] - e->before->of[column];
}

static int64_t pages_moved(const struct grid *g, const struct grid_effect *e)
{
	return (moved(e, GRID_ANON) + moved(e, GRID_FILE) + moved(e, GRID_SHMEM) +
		moved(e, GRID_HUGETLB)) *
	       1024 / g->page_size;
}

static const char *classify(const struct grid *g, const struct grid_effect *e, char label[32])
{
	int64_t pages = pages_moved(g, e);
	unsigned n = 0;

	label[0] = '\0';
	if (e->after->of[GRID_ERRNO] && !pages) {
		snprintf(label, 32, "\u2715");
		return "r";
	}
	if (pages) {
		snprintf(label, 32, "%s%lld", pages < 0 ? "\u2212" : "+", llabs((long long)pages));
		return pages < 0 ? "f" : "u";
	}
	for (unsigned i = 0; i < LETTERS; i++)
		if (moved(e, letters[i].column) && n < 4)
			label[n++] = letters[i].letter;
	label[n] = '\0';
	if (n)
		return "m";
	snprintf(label, 32, "\u00b7");
	return "n";
}

static void put_cell(const struct grids *g, unsigned k, unsigned a, FILE *out)
{
	const struct grid *newest = grids_newest(g);
	unsigned group[GRIDS_MAX], nr = grids_group(g, newest->kinds[k], newest->acts[a], group),
				   i = g->nr;
	char label[32], error[32];
	struct grid_effect e;
	const char *class;

	while (i && !group[i - 1])
		i--;
	if (!nr || !i) {
		fputs("<td></td>", out);
		return;
	}
	e = grid_effect(&g->of[i - 1], newest->kinds[k], newest->acts[a]);
	class = classify(newest, &e, label);
	fprintf(out, "<td class=\"%s%s\"><a href=\"#e%u-%u\"", class, nr > 1 ? " x" : "", a, k);
	if (*class == 'r')
		fprintf(out, " aria-label=\"refused: %s\"",
			grid_error_name(&e, error, sizeof(error)));
	if (*class == 'n')
		fputs(" aria-label=\"nothing moves\"", out);
	fprintf(out, ">%s</a></td>", label);
}

/* Some acts do nothing alone, because they only undo other acts. They have no row. */
static bool has_cell(const struct grid *g, unsigned a)
{
	for (unsigned k = 0; k < g->nr_kinds; k++)
		if (g->after[k][a].known)
			return true;
	return false;
}

static void put_table(const struct grids *g, FILE *out)
{
	const struct grid *newest = grids_newest(g);
	char what[GRID_WHAT];

	fputs("<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"The grid\">\n"
	      "<table class=\"grid\" id=\"grid\">\n<thead><tr><td></td>",
	      out);
	for (unsigned k = 0; k < newest->nr_kinds; k++) {
		html_put(out, "<th scope=\"col\" title=\"%s\">",
			 grid_what(GRID_IS_KIND, newest->kinds[k], what));
		html_put(out, "<span>%s</span></th>", newest->kinds[k]);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
	for (unsigned a = 0; a < newest->nr_acts; a++) {
		if (!has_cell(newest, a))
			continue;
		html_put(out, "<tr id=\"a%u\"><th scope=\"row\" title=\"%s\">%s</th>", a,
			 grid_what(GRID_IS_ACT, newest->acts[a], what), newest->acts[a]);
		for (unsigned k = 0; k < newest->nr_kinds; k++)
			put_cell(g, k, a, out);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

/* Prints "VmRSS 16 → 0" for each number, except numbers that are 0 before and after. */
static void put_numbers(const struct grid_effect *e, FILE *out)
{
	size_t nr;
	const struct grid_number *n = grid_numbers(&nr);

	fputs("<ul>", out);
	for (size_t i = 0; i < nr; i++) {
		int64_t before = grid_value(&n[i], e->before), after = grid_value(&n[i], e->after);

		if (!before && !after)
			continue;
		fprintf(out, "<li>%s <b>%lld</b>", n[i].name, (long long)before);
		if (before != after)
			fprintf(out, " \u2192 <b>%lld</b>", (long long)after);
		fputs("</li>", out);
	}
	fputs("</ul>", out);
}

static void put_entry(const struct grids *g, unsigned k, unsigned a, FILE *out)
{
	const struct grid *newest = grids_newest(g);
	const char *kind = newest->kinds[k], *act = newest->acts[a];
	unsigned group[GRIDS_MAX], nr = grids_group(g, kind, act, group);
	char what[GRID_WHAT], kernels[640], words[EFFECT_WORDS];
	/*
	 * the effect on the newest kernel, or the first group's effect if the newest kernel's is
	 * unknown
	 */
	struct grid_effect last = { NULL, NULL };

	if (!nr)
		return;
	html_put(out, "<section id=\"e%u-%u\"><h3>%s", a, k, grid_what(GRID_IS_ACT, act, what));
	html_put(out, " \u2014 %s</h3>", grid_what(GRID_IS_KIND, kind, what));
	for (unsigned i = 1; i <= nr; i++) {
		struct grid_effect e = grids_of_group(g, kind, act, group, i, kernels,
						      sizeof(kernels));
		/* If all kernels have the same effect, the numbers below show it. */
		bool is_said = nr == 1 && !e.after->of[GRID_ERRNO] && !e.after->of[GRID_SIGNALS];

		html_put(out, "<p><i>%s</i> %s</p>", kernels,
			 is_said ? "" : grid_effect_words(&e, words));
		last = group[g->nr - 1] == i || !last.after ? e : last;
	}
	put_numbers(&last, out);
	html_put(out, "<p><a href=\"#a%u\">close</a></p></section>\n", a);
}

static void put_differences(const struct grids *g, FILE *out)
{
	const struct grid *newest = grids_newest(g);

	fputs("<h2 id=\"differ\">Where kernels differ</h2>\n"
	      "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"Where kernels differ\">"
	      "<table class=\"differ\"><thead><tr><th scope=\"col\">act</th>"
	      "<th scope=\"col\">of</th><th scope=\"col\">what it does</th></tr></thead>\n<tbody>\n",
	      out);
	for (unsigned a = 0; a < newest->nr_acts; a++) {
		struct grid_lines l;

		grid_lines_make(&l, g, newest->acts[a]);
		for (unsigned i = 0; i < l.nr; i++)
			if (l.of[i].differs)
				html_put(out, "<tr><th>%s</th><td>%s</td><td>%s</td></tr>\n",
					 newest->acts[a], l.of[i].kinds, l.of[i].words);
		grid_lines_free(&l);
	}
	fputs("</tbody></table></div>\n", out);
}

static void put_introduction(const struct grids *g, FILE *out)
{
	char first[96], last[96];

	html_put(
		out,
		"<header>\n<h1>What each operation does to each kind of memory</h1>\n<p "
		"class=\"standfirst\">The effect of one operation on a region of four pages (or a huge page, or "
		"two hugetlb pages), which is the only region of its process, on %zu kernels, "
		"Linux %s to %s. Select a cell to see its numbers; <code>rssck atlas "
		"--words='KIND, ACT'</code> shows them on the running "
		"kernel.</p>\n</header>\n<main id=\"main\" tabindex=\"-1\">\n",
		g->nr, kernel_name(&g->kernels, 0, first, sizeof(first)),
		kernel_name(&g->kernels, g->nr - 1, last, sizeof(last)));
	fputs("<ul class=\"key\"><li><b class=\"f\">\u22124</b> resident pages fewer</li>"
	      "<li><b class=\"u\">+4</b> more</li><li><b class=\"r\">\u2715</b> refused</li>"
	      "<li><b class=\"n\">\u00b7</b> nothing moves</li>"
	      "<li><b class=\"m x\">d</b> a corner: kernels differ; the newest is shown</li>\n",
	      out);
	for (unsigned i = 0; i < LETTERS; i++)
		fprintf(out, "<li><b class=\"m\">%c</b> %s</li>", letters[i].letter,
			letters[i].what);
	fputs("</ul>\n", out);
}

int report_atlas(const struct grids *g, FILE *out)
{
	static const char *const css[] = { html_css, html_css_of_atlas, NULL };
	const struct grid *newest = grids_newest(g);

	html_head("What each operation does to each kind of memory", css, out);
	put_introduction(g, out);
	put_table(g, out);
	fputs("<div class=\"entries\">\n", out);
	for (unsigned a = 0; a < newest->nr_acts; a++)
		for (unsigned k = 0; k < newest->nr_kinds; k++)
			put_entry(g, k, a, out);
	fputs("</div>\n", out);
	put_differences(g, out);
	fputs("</main>\n<footer><p>Numbers are in kB; soft-dirty is what the act makes soft-dirty, "
	      "right after <code>clear_refs</code> 4. Made by <code>rssck report --atlas</code>. "
	      "The page is self-contained: it fetches nothing.</p></footer>\n<script>//<![CDATA[\n",
	      out);
	html_asset(html_js_of_atlas, out);
	fputs("//]]></script>\n</body>\n</html>\n", out);
	return stream_end(out);
}
