// SPDX-License-Identifier: MIT
#include "lines.h"
#include "base/memory.h"
#include "base/print/words.h"
#include "names.h"
#include <stdlib.h>
#include <string.h>

char *grid_cell_words(const struct grids *g, const char *kind, const char *act, bool *differs)
{
	unsigned group[GRIDS_MAX], nr = grids_group(g, kind, act, group);
	char kernels[640], words[EFFECT_WORDS], *text = NULL;
	size_t length;
	FILE *out;

	*differs = nr > 1;
	if (!nr)
		return NULL;
	out = open_memstream(&text, &length);
	if (!out)
		memory_gone("the grid");
	for (unsigned i = 1; i <= nr; i++) {
		struct grid_effect e = grids_of_group(g, kind, act, group, i, kernels,
						      sizeof(kernels));

		fprintf(out, "%s%s", i > 1 ? "; " : "", grid_effect_words(&e, words));
		if (nr > 1)
			fprintf(out, " on %s", kernels);
	}
	if (fclose(out))
		memory_gone("the grid");
	return text;
}

static char *joined(char *list, const char *word)
{
	char *longer = NULL;

	if (asprintf(&longer, "%s%s%s", list ? list : "", list ? ", " : "", word) < 0)
		memory_gone("the grid");
	free(list);
	return longer;
}

void grid_lines_make(struct grid_lines *l, const struct grids *g, const char *act)
{
	const struct grid *newest = grids_newest(g);

	l->nr = 0;
	for (unsigned k = 0; k < newest->nr_kinds; k++) {
		bool differs;
		char *words = grid_cell_words(g, newest->kinds[k], act, &differs);
		unsigned i = 0;

		if (!words)
			continue;
		while (i < l->nr && strcmp(l->of[i].words, words) != 0)
			i++;
		if (i == l->nr)
			l->of[l->nr++] = (struct grid_line) { NULL, words, differs };
		else
			free(words);
		l->of[i].kinds = joined(l->of[i].kinds, newest->kinds[k]);
	}
}

void grid_lines_free(struct grid_lines *l)
{
	while (l->nr--) {
		free(l->of[l->nr].kinds);
		free(l->of[l->nr].words);
	}
	l->nr = 0;
}

static bool has_kind(const struct grid *g, const char *kind)
{
	for (unsigned k = 0; k < g->nr_kinds; k++)
		if (!strcmp(g->kinds[k], kind))
			return g->before[k].known;
	return false;
}

static const char *kernels_with(const struct grids *g, const char *kind, char *buf, size_t size)
{
	bool set[GRIDS_MAX];

	for (size_t i = 0; i < g->nr; i++)
		set[i] = has_kind(&g->of[i], kind);
	return kernels_words(&g->kernels, set, buf, size);
}

static void print_kinds(const struct grids *g, FILE *out)
{
	const struct grid *newest = grids_newest(g);
	char what[GRID_WHAT], kernels[640];

	fputs("\n## Kinds\n\n| name | what it is | recorded on |\n| --- | --- | --- |\n", out);
	for (unsigned k = 0; k < newest->nr_kinds; k++)
		fprintf(out, "| %s | %s | %s |\n", newest->kinds[k],
			grid_what(GRID_IS_KIND, newest->kinds[k], what),
			kernels_with(g, newest->kinds[k], kernels, sizeof(kernels)));
}

static void print_act(const struct grids *g, const char *act, FILE *out)
{
	struct grid_lines l;
	char what[GRID_WHAT];

	grid_lines_make(&l, g, act);
	if (!l.nr)
		return;
	fprintf(out, "\n### %s\n\n%s\n\n| kinds | what it does |\n| --- | --- |\n", act,
		grid_what(GRID_IS_ACT, act, what));
	for (unsigned i = 0; i < l.nr; i++)
		fprintf(out, "| %s | %s%s%s |\n", l.of[i].kinds, l.of[i].differs ? "**" : "",
			l.of[i].words, l.of[i].differs ? "**" : "");
	grid_lines_free(&l);
}

int grid_markdown(const struct grids *g, FILE *out)
{
	const struct grid *newest = grids_newest(g);
	char first[96], last[96];

	fprintf(out,
		"<!-- SPDX-License-Identifier: MIT; made by `rssck report --format=atlas-markdown` -->\n"
		"# The atlas: what each operation does to each kind of memory\n\n"
		"The effect of one act on a region of 4 pages (or a huge page, or two hugetlb pages), which is the only region of its "
		"process, on %zu kernels, Linux %s to %s; not every kernel has every kind. soft-dirty is the memory that the act makes soft-dirty "
		"directly after `clear_refs` 4; dirty is smaps' Private_Dirty plus Shared_Dirty; memory.stat is anon plus file of its cgroup. "
		"**Bold** values differ "
		"between kernels. `rssck explain \"MADV_FREE of shmem\"` prints one "
		"cell, and `rssck report --atlas` draws all cells.\n",
		g->nr, kernel_name(&g->kernels, 0, first, sizeof(first)),
		kernel_name(&g->kernels, g->nr - 1, last, sizeof(last)));
	print_kinds(g, out);
	fputs("\n## Acts\n", out);
	for (unsigned a = 0; a < newest->nr_acts; a++)
		print_act(g, newest->acts[a], out);
	return stream_end(out);
}
