// SPDX-License-Identifier: MIT
/* A section a metric: what it is, what it is not, and what proves it. */
#include "html_private.h"
#include "sentences.h"
#include "words.h"
#include <rssck/column.h>

static const char *const unit_words[] = {
	[UNIT_PAGES] = "pages",
	[UNIT_KB] = "kB",
	[UNIT_BYTES] = "bytes",
	[UNIT_COUNT] = "a plain number",
};

static const char *const kind_names[] = {
	[KIND_COUNTER] = "counter",      [KIND_PRECISE] = "walked", [KIND_VMA] = "address space",
	[KIND_PEAK] = "high-water mark", [KIND_EVENT] = "count",
};

static const char *const kind_words[] = {
	[KIND_COUNTER] = "a running total in the mm: cheap to read, and it may lag",
	[KIND_PRECISE] = "got by walking the page tables: slow to read, and always right",
	[KIND_VMA] = "a sum over mappings: says nothing of residency",
	[KIND_PEAK] = "a high-water mark: the most that was noticed",
	[KIND_EVENT] = "a count of events, or a number derived from others",
};

static const char *const account_words[ACCOUNT_COUNT] = {
	[ACCOUNT_ANON] = "anonymous pages",
	[ACCOUNT_FILE] = "file pages",
	[ACCOUNT_SHMEM] = "shmem pages",
	[ACCOUNT_ZERO] = "the zero page",
	[ACCOUNT_SWAP] = "swapped anonymous pages",
	[ACCOUNT_SHMEM_SWAP] = "swapped shmem pages",
	[ACCOUNT_HUGETLB] = "hugetlb pages",
	[ACCOUNT_SPECIAL] = "special mappings",
	[ACCOUNT_PRIVATE_WRITABLE] = "private writable address space",
	[ACCOUNT_STACK] = "the stack's address space",
	[ACCOUNT_EXEC] = "executable address space",
	[ACCOUNT_OTHER] = "shared or read-only address space",
	[ACCOUNT_LOCKED_VM] = "locked address space",
};

enum {
	PAGE_ACCOUNTS = (1 << ACCOUNT_PRIVATE_WRITABLE) - 1,
	ADDRESS_ACCOUNTS = (1 << ACCOUNT_COUNT) - 1 - PAGE_ACCOUNTS - (1 << ACCOUNT_LOCKED_VM),
};

static void accounts(unsigned which, FILE *out)
{
	const char *separator = "";

	for (unsigned a = 0; a < ACCOUNT_COUNT; a++) {
		if (!(which & ACCOUNT_BIT(a)))
			continue;
		html_put(out, "%s%s", separator, account_words[a]);
		separator = ", ";
	}
}

static void conditions(const struct metric *m, FILE *out)
{
	static const struct {
		unsigned attribute;
		const char *with, *without;
	} words[] = {
		{ PAGE_DIRTY, "dirty", "clean" },
		{ PAGE_REFERENCED, "referenced", "not referenced" },
		{ PAGE_LOCKED, "in locked mappings", "not locked" },
		{ PAGE_LAZYFREE, "given up with MADV_FREE", "not given up" },
		{ PAGE_HUGE, "mapped by a PMD", "not mapped by a PMD" },
		{ PAGE_KSM, "merged by KSM", "not merged" },
	};
	static const char *const sharing[] = {
		[SHARING_ANY] = "",
		[SHARING_PRIVATE] = "; mapped once",
		[SHARING_SHARED] = "; mapped twice or more",
		[SHARING_PROPORTIONAL] = "; each divided by the number of page tables that map it",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (m->with & words[i].attribute)
			html_put(out, "; %s", words[i].with);
		if (m->without & words[i].attribute)
			html_put(out, "; %s", words[i].without);
	}
	fputs(sharing[m->sharing], out);
}

static void row(FILE *out, const char *term, const char *text)
{
	if (!text || !*text)
		return;
	html_put(out, "<dt>%s</dt><dd>", term);
	html_prose(text, out);
	fputs("</dd>\n", out);
}

/* What it sums, and what it might be thought to sum. */
static void what_it_counts(const struct metric *m, FILE *out)
{
	unsigned all = m->accounts & PAGE_ACCOUNTS ? PAGE_ACCOUNTS : ADDRESS_ACCOUNTS;

	if (!m->accounts)
		return;
	fputs("<dt>Counts</dt><dd>", out);
	accounts(m->accounts, out);
	conditions(m, out);
	fputs("</dd>\n", out);
	if (!(all & ~m->accounts))
		return;
	fputs("<dt>Does not count</dt><dd>", out);
	accounts(all & ~m->accounts, out);
	if (all == PAGE_ACCOUNTS)
		fputs(", address space that nothing is in", out);
	else
		fputs("; says nothing of what is resident", out);
	fputs("</dd>\n", out);
}

static bool has_model(enum metric_id id)
{
	for (const enum metric_id *m = modelled; *m != METRIC_NONE; m++)
		if (*m == id)
			return true;
	return false;
}

static void how_wrong(const struct html *h, enum metric_id id)
{
	static const unsigned threads[] = { 1, 10, 100 };
	const struct results *newest = &h->kernels.of[h->kernels.nr - 1];
	char name[128], buf[32];

	fputs("<dt>How it counts</dt><dd>", h->out);
	html_by_kernel(h, model_cell, &id);
	fputs("</dd>\n<dt>How wrong it can be</dt><dd>", h->out);
	html_put(h->out, "on %s with %u CPUs: ", html_newest(h, name, sizeof(name)), newest->cpus);
	if (model_bound(&newest->models, id, 1) == 0)
		fputs("not at all", h->out);
	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		int64_t pages = model_bound(&newest->models, id, threads[i]);

		if (pages > 0)
			html_put(h->out, "%s%s kB with %u thread%s", i ? ", " : "",
				 number_words(pages * (newest->page_size / 1024), buf, sizeof(buf)),
				 threads[i], threads[i] > 1 ? "s" : "");
	}
	fputs("</dd>\n", h->out);
}

static void documents(const struct html *h, const struct metric *m)
{
	size_t nr;
	const struct sentence *all = sentences_all(&nr);
	bool any = false;

	for (size_t i = 0; i < nr; i++) {
		if (!sentence_is_about(&all[i], m->name) ||
		    !sentence_kernels(&h->kernels, &all[i], SENTENCE_FALSE, h->set))
			continue;
		fputs(any ? "<br/>" : "<dt>Documents that get it wrong</dt><dd>", h->out);
		html_put(h->out, "%s: %s <span class=\"false\">(false on ", all[i].document,
			 all[i].says);
		html_kernels(h, h->set);
		html_put(h->out, ")</span>%s%s", all[i].truth ? ": " : "",
			 all[i].truth ? all[i].truth : "");
		any = true;
	}
	fputs(any ? "</dd>\n" : "", h->out);
}

static void cases(const struct html *h, enum metric_id id)
{
	size_t nr, found = 0;
	const struct case_registration *all = cases_all(&nr);
	char name[64];

	fputs("<dt>Cases that prove it</dt><dd class=\"aside\">", h->out);
	for (size_t i = 0; i < nr; i++) {
		if (all[i].c->flags & CASE_HIDDEN ||
		    !case_moves(all[i].c, id, h->kernels.of[h->kernels.nr - 1].page_size))
			continue;
		fputs(found++ ? ", " : "", h->out);
		html_case_link(case_id(&all[i], name, sizeof(name)), h->out);
	}
	if (metric(id)->constant)
		fputs("it can never move: every case checks that it stays", h->out);
	else if (!found)
		fputs("none checks how it moves", h->out);
	fputs("</dd>\n", h->out);
}

static void section(const struct html *h, enum metric_id id)
{
	const struct metric *m = metric(id);
	char columns[600];

	fputs("<details data-item=\"metric\" id=\"", h->out);
	html_anchor("metric-", m->name, h->out);
	fputs("\"><summary><h4><code>", h->out);
	html_name(m->name, h->out);
	html_put(h->out,
		 "</code></h4> <span class=\"chip\">%s</span> <span class=\"lead\">%s</span>"
		 "</summary>\n<dl>\n",
		 kind_names[m->kind], m->prose);
	row(h->out, "What it is", m->prose);
	row(h->out, "What it is not", metric_is_not(id));
	row(h->out, "What it is not", metric_is_not(id));
	html_put(h->out, "<dt>Read from</dt><dd>%s, %s %s, in %s</dd>\n", source_name(m->source),
		 m->source == SOURCE_STAT || m->source == SOURCE_STATM ? "field" : "", m->key,
		 unit_words[m->unit]);
	row(h->out, "Kind", kind_words[m->kind]);
	what_it_counts(m, h->out);
	row(h->out, "Maintained by", m->maintained);
	if (has_model(id))
		how_wrong(h, id);
	row(h->out, "Shown by", columns_of_metric(id, columns, sizeof(columns)));
	documents(h, m);
	row(h->out, "Wrongly said", m->said_wrong);
	cases(h, id);
	fputs("</dl></details>\n", h->out);
}

void html_metrics(const struct html *h)
{
	enum source source = SOURCE_COUNT;

	if (!h->kernels.nr)
		return;
	html_put(
		h->out,
		"<section id=\"metrics\" aria-labelledby=\"metrics-title\">\n"
		"<h2 id=\"metrics-title\">Metrics</h2>\n"
		"<p>%d numbers that a person can read of a process's memory, by the file that they "
		"stand in.</p>\n",
		METRIC_COUNT);
	for (enum metric_id id = 0; id < METRIC_COUNT; id++) {
		if (metric(id)->source != source) {
			source = metric(id)->source;
			html_put(h->out, "<h3 data-group=\"\">%s</h3>\n", source_name(source));
		}
		section(h, id);
	}
	fputs("</section>\n", h->out);
}
