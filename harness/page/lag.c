// SPDX-License-Identifier: MIT
/* The lag of the counters: all kernels to the same scale, and the curves of recorded runs. */
#include "base/print/words.h"
#include "private.h"
#include "report/threads.h"

/* One metric of stat and one of status. statm lags as status does. */
static const enum metric_id shown[] = { METRIC_STAT_RSS, METRIC_STATUS_VMRSS };
enum { SHOWN = sizeof(shown) / sizeof(*shown) };

/* The amount in kB by which the metric is too small; INT64_MIN: it was not measured. */
static int64_t lag_of(const struct results *r, enum metric_id id)
{
	const struct discrepancy *d = threads_seen(r, metric(id)->name);

	if (!d)
		return INT64_MIN;
	return (d->precise - d->counter) * (discrepancy_is_kb(d) ? 1 : r->page_size / 1024);
}

static int64_t most_lag(const struct html *h)
{
	int64_t most = 1;

	for (size_t i = 0; i < h->kernels.nr; i++)
		for (size_t k = 0; k < SHOWN; k++) {
			int64_t lag = lag_of(&h->kernels.of[i], shown[k]);

			most = lag > most ? lag : most;
		}
	return most;
}

static void lag_bar(const struct html *h, const struct results *r, enum metric_id id, int64_t most)
{
	int64_t lag = lag_of(r, id);
	char buf[32];

	html_put(h->out, "<span class=\"of\">%s</span>", metric(id)->name);
	if (lag == INT64_MIN) {
		fputs("<span class=\"track\"></span><span class=\"said\">the case did not run</span>",
		      h->out);
		return;
	}
	html_bar(h, lag > 0 ? lag : -lag, most, html_counts(r, id));
	html_put(h->out, "<span class=\"said\">%s kB</span>", number_words(lag, buf, sizeof(buf)));
}

void html_lags(const struct html *h)
{
	int64_t most = most_lag(h);
	char name[128];

	if (!h->kernels.nr)
		return;
	fputs("<section id=\"lag\" aria-labelledby=\"lag-title\">\n<h2 id=\"lag-title\">How far "
	      "the counters lag</h2>\n<p>How many kB each counter lacks after each of 100 threads "
	      "has written 1 MiB of memory from malloc(3). All kernels have the same scale. "
	      "The page tables are exact. <code>statm</code> shows the same as "
	      "<code>status.VmRSS</code>.</p>\n<ol class=\"bars lags\">\n",
	      h->out);
	for (size_t i = 0; i < h->kernels.nr; i++) {
		html_put(h->out, "<li data-kernel=\"%zu\"><b>%s</b>", i,
			 kernel_name(&h->kernels, i, name, sizeof(name)));
		for (size_t k = 0; k < SHOWN; k++)
			lag_bar(h, &h->kernels.of[i], shown[k], most);
		fputs("</li>\n", h->out);
	}
	fputs("</ol>\n", h->out);
	html_curves(h);
	fputs("</section>\n", h->out);
}
