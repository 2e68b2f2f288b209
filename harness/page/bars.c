// SPDX-License-Identifier: MIT
/*
 * Bars, and the colours that show how a number is counted. A colour has the same meaning on the
 * whole page.
 */
#include "private.h"

const char *html_counts(const struct results *r, enum metric_id id)
{
	if (metric(id)->kind == KIND_PRECISE)
		return "walked";
	return model_kind_name(model_for(&r->models, id)->kind);
}

void html_bar(const struct html *h, int64_t length, int64_t most, const char *counts)
{
	fprintf(h->out,
		"<span class=\"track\"><span class=\"bar-of\" data-counts=\"%s\" "
		"style=\"width:%.1f%%\"></span></span>",
		counts, 100.0 * (double)length / (double)(most ? most : 1));
}

void html_counts_key(const struct html *h)
{
	fputs("<ul class=\"legend\"><li data-counts=\"walked\">walked: counted in the page "
	      "tables, exact</li><li data-counts=\"exact\">exact: a running total that includes "
	      "every page immediately</li><li data-counts=\"per-cpu\">per-cpu: each CPU adds its pages "
	      "later</li><li data-counts=\"per-thread\">per-thread: each thread adds its faults "
	      "later</li></ul>\n",
	      h->out);
}
