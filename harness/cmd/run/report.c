// SPDX-License-Identifier: MIT
/* Writes the report to its file, and the plot. */
#include "audit/report.h"
#include "base/print/json.h"
#include "cmd/line/sink.h"
#include "plot/plot.h"
#include "report/report.h"
#include "run.h"
#include <string.h>

/* A line through two points would hide all changes between them. */
enum { POINTS_LEAST = 3 };

static int write_report(const struct auditor *a, const struct results *r,
			const struct run_options *o, char **command, FILE *out)
{
	switch (o->format) {
	case FORMAT_KTAP:
		return report_ktap(r, out);
	case FORMAT_JUNIT:
		return report_junit(r, out);
	case FORMAT_JSON:
		return json_write(audit_as_json(a, r, command), out);
	default:
		return audit_text(a, r, command, out, o->colour && !o->output);
	}
}

static int draw(const struct auditor *a, const struct results *r, const struct run_options *o,
		char **command)
{
	char title[120], models[200], why[512];
	struct plot p = { .title = title, .subtitle = models, .page_size = r->page_size };
	struct sink sink;

	if (!r->nr_curves || a->nr_points < POINTS_LEAST)
		return trouble(
			"run: %zu audit%s not enough for a curve (use a smaller --every=SECONDS)",
			a->nr_points, a->nr_points == 1 ? " is" : "s are");
	p.curve = &r->curves[0];
	plot_models(&r->models, models, sizeof(models));
	snprintf(title, sizeof(title), "Linux %.40s: %.60s", r->kernel_release, command[0]);
	if (sink_open(&sink, o->plot, why, sizeof(why)))
		return trouble("%s", why);
	if (plot_curves(&p, strstr(strrchr(o->plot, '.'), "svg") ? PLOT_SVG : PLOT_PNG, sink.out,
			why, sizeof(why))) {
		sink_drop(&sink);
		return trouble("%s", why);
	}
	return sink_close(&sink, fflush(sink.out), why, sizeof(why)) ? trouble("%s", why) : 0;
}

int run_report(const struct auditor *a, const struct results *r, const struct run_options *o,
	       char **command)
{
	struct sink sink;
	char why[512];
	int failed;

	if (!o->output) {
		if (write_report(a, r, o, command, stderr))
			return EXIT_TROUBLE;
	} else {
		if (sink_open(&sink, o->output, why, sizeof(why)))
			return trouble("%s", why);
		failed = write_report(a, r, o, command, sink.out);
		if (sink_close(&sink, failed, why, sizeof(why)))
			return trouble("%s", why);
	}
	return o->plot ? draw(a, r, o, command) : 0;
}
