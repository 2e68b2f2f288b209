// SPDX-License-Identifier: MIT
/*
 * The section that answers which numbers a reader can trust. The script computes the answer from
 * the data in the attributes of this section.
 */
#include "private.h"
#include <rssck/column.h>
#include <string.h>

/*
 * What to read instead of a lagging number: either a list of metrics, the cheapest first, of which
 * the script chooses the first that is exact on the kernel; or a text.
 */
static const struct {
	enum metric_id id;
	const char *metrics, *words;
} instead[] = {
	{ METRIC_STAT_RSS, "status.VmRSS smaps_rollup.Rss", NULL },
	{ METRIC_STATM_RESIDENT, "status.VmRSS smaps_rollup.Rss", NULL },
	{ METRIC_STATUS_VMRSS, "smaps_rollup.Rss", NULL },
	{ METRIC_STATUS_RSSANON, "smaps_rollup.Anonymous", NULL },
	{ METRIC_STATM_SHARED, NULL, "smaps_rollup's Rss minus Anonymous" },
	{ METRIC_STATUS_RSSFILE, NULL,
	  "smaps_rollup's Rss minus Anonymous, which includes RssShmem" },
	{ METRIC_STATUS_RSSSHMEM, NULL, "smaps' Rss, summed over the mappings of shmem" },
	{ METRIC_STATUS_VMSWAP, "smaps_rollup.Swap", NULL },
	{ METRIC_STATUS_VMHWM, NULL, "memory.peak of a cgroup with only this process" },
	{ METRIC_RUSAGE_MAXRSS, NULL, "memory.peak of a cgroup with only this process" },
};

enum { MODELS_SIZE = 2048 };

static const char *kind_word(enum metric_kind kind)
{
	static const char *const words[] = {
		[KIND_COUNTER] = "counter", [KIND_PRECISE] = "walked", [KIND_VMA] = "address",
		[KIND_PEAK] = "peak",       [KIND_EVENT] = "other",
	};

	return words[kind];
}

/*
 * Writes data like "stat.rss per-thread 66 3 1;": model, batch, number of page classes in the sum,
 * and whether file pages are among them.
 */
static void model_data(const struct results *r, enum metric_id id, FILE *out)
{
	const struct counter_model *m = model_for(&r->models, id);
	enum metric_id as = metric(id)->accounts || id == METRIC_OOM_SCORE ? id : METRIC_STAT_RSS;
	unsigned accounts = metric(as)->accounts & (IN_RSS | ACCOUNT_BIT(ACCOUNT_SWAP));

	if (m->kind == MODEL_ABSENT)
		return;
	fprintf(out, "%s %s %u %d %d;", metric(id)->name, model_kind_name(m->kind), m->batch,
		accounts ? __builtin_popcount(accounts) : 1, (accounts & IN_SHR) != 0);
}

/* Writes the models of all counters of a kernel into `data`; "" if there is no memory. */
static void models_data(const struct results *r, char data[MODELS_SIZE])
{
	FILE *out = fmemopen(data, MODELS_SIZE, "w");

	data[0] = '\0';
	if (!out)
		return;
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		model_data(r, *id, out);
	for (const enum metric_id *id = modelled_apart; *id != METRIC_NONE; id++)
		model_data(r, *id, out);
	fclose(out);
}

/* A kernel with the same models as the previous kernel gets no data of its own. */
static void kernel_option(const struct html *h, size_t i)
{
	const struct results *r = &h->kernels.of[i];
	char name[128], before[MODELS_SIZE] = "", data[MODELS_SIZE];

	if (i)
		models_data(r - 1, before);
	models_data(r, data);

	html_put(h->out,
		 "<option value=\"%zu\" data-cpus=\"%u\" data-around=\"%u\" data-page=\"%lld\"", i,
		 r->models.cpus, r->models.fault_around ? r->models.fault_around : 1u,
		 (long long)r->page_size);
	if (!i || strcmp(data, before))
		html_put(h->out, " data-models=\"%s\"", data);
	fputs(i + 1 == h->kernels.nr ? " selected=\"selected\">" : ">", h->out);
	html_put(h->out, "%s</option>\n", kernel_name(&h->kernels, i, name, sizeof(name)));
}

static void tool_options(const struct html *h)
{
	size_t nr;
	const struct column *all = columns_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		const struct column *c = &all[i];

		if (!i || strcmp(c->tool, all[i - 1].tool)) {
			fputs(i ? "</optgroup>\n" : "", h->out);
			html_put(h->out, "<optgroup label=\"%s\">\n", c->tool);
		}
		if (c->metric == METRIC_NONE)
			continue;
		html_put(h->out, "<option value=\"%s%s%s\"", metric(c->metric)->name,
			 c->plus == METRIC_NONE ? "" : " ",
			 c->plus == METRIC_NONE ? "" : metric(c->plus)->name);
		if (c->shape == COLUMN_NOTHING)
			fputs(" data-gone=\"gone\"", h->out);
		if (!strcmp(c->tool, "top") && !strcmp(c->name, "RES"))
			fputs(" selected=\"selected\"", h->out);
		html_put(h->out, ">%s %s</option>\n", c->tool, c->name);
	}
	fputs(nr ? "</optgroup>\n" : "", h->out);
}

static bool is_column(enum metric_id id)
{
	size_t nr;
	const struct column *all = columns_all(&nr);

	for (size_t i = 0; i < nr; i++)
		if (all[i].metric == id || all[i].plus == id)
			return true;
	return false;
}

static void number_data(const struct html *h, enum metric_id id)
{
	const struct metric *m = metric(id);
	enum metric_id twin = metric_twin(id);

	html_put(h->out, "<option value=\"%s\" data-kind=\"%s\"", m->name, kind_word(m->kind));
	if (twin != METRIC_NONE)
		html_put(h->out, " data-twin=\"%s\"", metric(twin)->name);
	if (m->approximate)
		html_put(h->out, " data-roughly=\"%s\"", m->approximate);
	for (size_t i = 0; i < sizeof(instead) / sizeof(*instead); i++)
		if (instead[i].id == id)
			html_put(h->out, " data-instead=\"%s\" data-words=\"%s\"",
				 instead[i].metrics ? instead[i].metrics : "",
				 instead[i].words ? instead[i].words : "");
	fputs("/>\n", h->out);
}

void html_question(const struct html *h)
{
	if (!h->kernels.nr)
		return;
	fputs("<section id=\"question\" aria-labelledby=\"question-title\">\n"
	      "<h2 id=\"question-title\">Can I believe it?</h2>\n"
	      "<form class=\"ask\" hidden=\"hidden\">\n"
	      "<label>Kernel <select id=\"kernel\">\n",
	      h->out);
	for (size_t i = 0; i < h->kernels.nr; i++)
		kernel_option(h, i);
	fputs("</select></label>\n<label>Number <select id=\"column\">\n", h->out);
	tool_options(h);
	fputs("</select></label>\n"
	      "<label>Threads of the process <input type=\"number\" id=\"nr-threads\" min=\"1\" "
	      "max=\"4194304\" value=\"100\"/></label>\n"
	      "<label>CPUs of the machine <input type=\"number\" id=\"nr-cpus\" min=\"1\" "
	      "max=\"8192\"/></label>\n</form>\n"
	      "<div id=\"answer\" role=\"status\" aria-live=\"polite\" hidden=\"hidden\"></div>\n"
	      "<datalist id=\"numbers\">\n",
	      h->out);
	for (enum metric_id id = 0; id < METRIC_COUNT; id++)
		if (is_column(id))
			number_data(h, id);
	fputs("</datalist>\n</section>\n", h->out);
}
