// SPDX-License-Identifier: MIT
/* Writes the mappings of a process as text: its files, and how many page tables map their pages. */
#include "base/print/words.h"
#include "print.h"

enum { COLUMNS = 8 };

static void print_cells(const int64_t *cells, size_t nr, FILE *out)
{
	char n[32];

	for (size_t i = 0; i < nr; i++)
		fprintf(out, "%11s ", number_words(cells[i], n, sizeof(n)));
}

static void print_file(const struct file *f, FILE *out)
{
	const int64_t cells[COLUMNS] = { f->rss,           f->pss,          f->private_clean,
					 f->private_dirty, f->shared_clean, f->shared_dirty,
					 f->swap,          f->size };

	print_cells(cells, COLUMNS, out);
	fprintf(out, "%6zu  ", f->nr_maps);
	line_put(f->name, out);
	putc('\n', out);
}

static bool holds_something(const struct file *f)
{
	return f->rss || f->swap || f->hugetlb;
}

static size_t print_empty(const struct files *f, FILE *out)
{
	size_t empty = 0;
	char n[2][32];
	int64_t size = 0;

	for (size_t i = 0; i < f->nr; i++) {
		if (holds_something(&f->of[i]))
			continue;
		empty += f->of[i].nr_maps;
		size += f->of[i].size;
	}
	if (empty)
		fprintf(out, "%s empty mapping%s (%s kB) not listed.\n",
			number_words((int64_t)empty, n[0], sizeof(n[0])), empty == 1 ? "" : "s",
			number_words(size, n[1], sizeof(n[1])));
	return empty;
}

void files_print(const struct files *f, FILE *out)
{
	static const char *const titles[2][COLUMNS] = {
		{ "resident", "its share", "private", "private", "shared", "shared", "on swap",
		  "address" },
		{ "RSS kB", "PSS kB", "clean kB", "dirty kB", "clean kB", "dirty kB", "kB",
		  "space kB" },
	};
	struct file sum = files_sum(f);

	for (int line = 0; line < 2; line++) {
		for (int i = 0; i < COLUMNS; i++)
			fprintf(out, "%11s ", titles[line][i]);
		fprintf(out, "%6s  %s\n", line ? "maps" : "", line ? "file" : "");
	}
	for (size_t i = 0; i < f->nr; i++)
		if (holds_something(&f->of[i]))
			print_file(&f->of[i], out);
	print_file(&sum, out);
	print_empty(f, out);
	putc('\n', out);
}

static void print_mapcounts(const struct mapcounts *s, const char *name, FILE *out)
{
	print_cells(&s->pages[1], MAPCOUNT_COUNT - 1, out);
	print_cells(&s->pages[MAPCOUNT_NONE], 1, out);
	fputs(" ", out);
	line_put(name, out);
	putc('\n', out);
}

void mapcounts_print(const struct mapcounts *of, const struct files *f, int64_t pss, long page_size,
		     FILE *out)
{
	struct mapcounts sum = mapcounts_sum(of, f->nr);
	int64_t kb = page_size / 1024;
	char n[3][32];

	fputs("Pages by the number of page table entries that map them (usually one for each process):\n",
	      out);
	for (int i = 1; i < MAPCOUNT_COUNT; i++)
		fprintf(out, "%11s ", mapcounts_titles[i]);
	fprintf(out, "%11s  %s\n", "zero page", "file");
	for (size_t i = 0; i < f->nr; i++)
		if (mapcounts_mapped(&of[i]) || of[i].pages[MAPCOUNT_NONE])
			print_mapcounts(&of[i], f->of[i].name, out);
	print_mapcounts(&sum, "all", out);
	fprintf(out,
		"All pages: %s kB. Each page divided by that number: %s kB, which is PSS (smaps_rollup: %s "
		"kB).\n\n",
		number_words(mapcounts_mapped(&sum) * kb, n[0], sizeof(n[0])),
		number_words((int64_t)(sum.share * (double)kb), n[1], sizeof(n[1])),
		number_words(pss, n[2], sizeof(n[2])));
}
