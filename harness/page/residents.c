// SPDX-License-Identifier: MIT
/*
 * The section that shows which number each tool prints as "resident memory": five numbers, with
 * their values for one known process.
 */
#include "base/print/words.h"
#include "private.h"
#include "report/threads.h"
#include <rssck/column.h>

/* The five numbers that are called resident memory, one from each file. */
static const enum metric_id resident[] = { METRIC_STAT_RSS, METRIC_STATM_RESIDENT,
					   METRIC_STATUS_VMRSS, METRIC_SMAPS_RSS,
					   METRIC_ROLLUP_RSS };
enum { RESIDENTS = sizeof(resident) / sizeof(resident[0]) };

/* The page tables' total for the known process in kB; 0: it was not measured. */
static int64_t in_tables(const struct results *r)
{
	const struct discrepancy *d = threads_seen(r, metric(METRIC_STATUS_VMRSS)->name);

	return d ? d->precise * (discrepancy_is_kb(d) ? 1 : r->page_size / 1024) : 0;
}

/*
 * A number's value for the known process. A number that the kernel counts by a walk equals the page
 * tables' total.
 */
static int64_t said(const struct results *r, enum metric_id id)
{
	const struct discrepancy *d = threads_seen(r, metric(id)->name);

	if (metric(id)->kind == KIND_PRECISE)
		return in_tables(r);
	return d ? d->counter * (discrepancy_is_kb(d) ? 1 : r->page_size / 1024) : 0;
}

static void tools_of(const struct html *h, enum metric_id id)
{
	size_t nr, found = 0;
	const struct column *all = columns_all(&nr);

	fputs("<span class=\"tools-of\">", h->out);
	for (size_t i = 0; i < nr; i++)
		if (all[i].metric == id && all[i].plus == METRIC_NONE &&
		    (all[i].shape == COLUMN_KB || all[i].shape == COLUMN_PAGES ||
		     all[i].shape == COLUMN_BYTES))
			html_put(h->out, "%s%s %s", found++ ? ", " : "", all[i].tool, all[i].name);
	fputs("</span>", h->out);
}

static void said_words(const struct html *h, int64_t says, int64_t holds)
{
	char kb[32], off[32];

	if (!holds)
		fputs("the case did not run", h->out);
	else if (says == holds)
		html_put(h->out, "%s kB", number_words(says, kb, sizeof(kb)));
	else
		html_put(h->out, "%s kB, %s too %s", number_words(says, kb, sizeof(kb)),
			 number_words(says < holds ? holds - says : says - holds, off, sizeof(off)),
			 says < holds ? "few" : "many");
}

/* Writes data for the script: for each kernel the model, the value, and the page tables' total. */
static void row_data(const struct html *h, enum metric_id id)
{
	fputs(" data-of=\"", h->out);
	for (size_t i = 0; i < h->kernels.nr; i++) {
		const struct results *r = &h->kernels.of[i];

		html_put(h->out, "%s%s %lld %lld", i ? ";" : "", html_counts(r, id),
			 (long long)said(r, id), (long long)in_tables(r));
	}
	fputs("\"", h->out);
}

static void row(const struct html *h, enum metric_id id)
{
	const struct results *newest = &h->kernels.of[h->kernels.nr - 1];

	html_put(h->out, "<li data-number=\"%s\"", metric(id)->name);
	row_data(h, id);
	fputs("><b>", h->out);
	html_metric_link(id, h->out);
	html_put(h->out, "</b><small class=\"how\">%s</small>", html_counts(newest, id));
	html_bar(h, said(newest, id), in_tables(newest), html_counts(newest, id));
	fputs("<span class=\"said\">", h->out);
	said_words(h, said(newest, id), in_tables(newest));
	fputs("</span>", h->out);
	tools_of(h, id);
	fputs("</li>\n", h->out);
}

void html_residents(const struct html *h)
{
	char name[128], kb[32];

	if (!h->kernels.nr)
		return;
	html_put(
		h->out,
		"<section id=\"residents\" aria-labelledby=\"residents-title\">\n<h2 "
		"id=\"residents-title\">Which \"resident memory\" each tool shows</h2>\n<p>Five "
		"numbers have this name. Each of the 100 threads of a process has written 1 MiB "
		"of memory from malloc(3). The process's page tables on <b class=\"kernel-now\">%s</b> contain "
		"<b class=\"held-now\">%s kB</b>, which is the full width of a bar.</p>\n<ol "
		"class=\"bars\">\n",
		html_newest(h, name, sizeof(name)),
		number_words(in_tables(&h->kernels.of[h->kernels.nr - 1]), kb, sizeof(kb)));
	for (size_t k = 0; k < RESIDENTS; k++)
		row(h, resident[k]);
	fputs("</ol>\n", h->out);
	html_counts_key(h);
	fputs("</section>\n", h->out);
}
