// SPDX-License-Identifier: MIT
/* rssck scan --all: scans many processes. */
#include "base/print/fit.h"
#include "base/print/json.h"
#include "cmd/line/command.h"
#include "scan.h"
#include "scan/audit/measure.h"

static int print(const struct scanner_state *s, const struct census *c)
{
	const struct scan_options *o = s->options;
	struct fitted f;

	if (o->json)
		return json_write(census_json(c, &o->census), stdout);
	fitted_begin(&f, stdout);
	census_print(c, &o->census, f.to, o->colour);
	return fitted_end(&f);
}

static int status_of(const struct scanner_state *s, const struct census *c)
{
	const struct census_wanted *w = &s->options->census;

	if (c->nr_off)
		return EXIT_FAILS;
	if (c->nr_members)
		return EXIT_HOLDS;
	if (!c->sights[SIGHT_DENIED] && (w->program || w->has_uid) && !s->options->json)
		puts("No process of this name or user has memory that can be read.");
	return EXIT_NOTHING;
}

int scan_census(struct scanner_state *s)
{
	struct census_wanted wanted = s->options->census;
	struct census c;
	char why[200];
	int status;

	wanted.h = &s->host;
	if (census_take(&c, &wanted, why, sizeof(why)))
		return trouble("%s", why);
	if (!s->options->no_model)
		census_judge(&c, &s->measured, measure, s->host.page_size);
	status = print(s, &c) ? trouble("stdout: %m") : status_of(s, &c);
	census_free(&c);
	return status;
}
