// SPDX-License-Identifier: MIT
/* Explains a kernel: which of its numbers can be believed, according to its recorded run. */
#include "base/print/words.h"
#include "explain.h"
#include "report/threads.h"
#include "runs/release.h"
#include <ctype.h>
#include <rssck/bug.h>
#include <string.h>

/* "6.1" means 6.1.0-57-cloud-amd64, and not 6.12.43. */
static bool is_release(const char *release, const char *asked)
{
	size_t len = strlen(asked);

	return !strncmp(release, asked, len) && !isdigit((unsigned char)release[len]);
}

const struct results *kernel_by_release(const struct kernels *k, const char *asked)
{
	const struct results *found = NULL;

	/*
	 * The last kernel is the newest. A no-page-mapcount kernel was built specially, so it is
	 * used only if no other kernel fits.
	 */
	for (size_t i = 0; i < k->nr; i++)
		if (is_release(k->of[i].kernel_release, asked) &&
		    !(found && strstr(k->of[i].kernel_release, "no-page-mapcount")))
			found = &k->of[i];
	return found;
}

const char *kernels_recorded(const struct kernels *k, char *buf, size_t size)
{
	size_t len = 0;
	char name[96];

	snprintf(buf, size,
		 "none: this program is neither in its source tree nor where make install puts it");
	for (size_t i = 0; i < k->nr && len < size; i++) {
		const char *is = kernel_name(k, i, name, sizeof(name));

		len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? ", " : "", is);
	}
	return buf;
}

static void put_by_model(const struct explanation *e, const struct models *m, bool exact)
{
	char names[512] = "";
	size_t len = 0;

	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		enum model_kind kind = m->of[*id].kind;

		if (kind == MODEL_ABSENT || (kind == MODEL_EXACT) != exact || len >= sizeof(names))
			continue;
		len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s", len ? ", " : "",
					metric(*id)->name);
	}
	if (names[0])
		prose_item(&e->prose, exact ? "Exact" : "May lag", "%s.", names);
}

static void put_how(const struct explanation *e, const struct models *models)
{
	const struct counter_model *shown[METRIC_COUNT];
	size_t nr = 0;
	char words[128];

	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		const struct counter_model *m = &models->of[*id];
		bool again = m->kind == MODEL_EXACT || m->kind == MODEL_ABSENT;

		for (size_t i = 0; i < nr; i++)
			again |= shown[i]->kind == m->kind && shown[i]->batch == m->batch;
		if (again)
			continue;
		prose_item(&e->prose, nr ? NULL : "How", "%s: %s %s",
			   model_describe(models, *id, words, sizeof(words)), model_words(m->kind),
			   model_bound_words(m->kind));
		shown[nr++] = m;
	}
}

static void put_known_bugs(const struct explanation *e, const struct results *r)
{
	size_t nr = 0;

	for (size_t i = 0; i < r->nr; i++) {
		for (size_t f = 0; f < r->of[i].nr_facts; f++) {
			const struct bug *b = bug_of_fact(&r->of[i].facts[f]);

			if (b)
				prose_item(&e->prose, nr++ ? NULL : "Bugs", "%s: %s (%s).",
					   b->number, b->title, b->lived);
		}
	}
}

static void put_recorded(const struct explanation *e, const struct results *r, const char *asked)
{
	char name[96];
	bool lags = false;

	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		lags |= r->models.of[*id].kind != MODEL_EXACT &&
			r->models.of[*id].kind != MODEL_ABSENT;
	release_short(r->kernel_release, name, sizeof(name));
	prose_named(&e->prose, name, "%s",
		    lags ? "believe smaps and smaps_rollup; some counters of /proc may lag."
			 : "believe its counters: every page shows immediately.");
	prose_text(&e->prose, 0, "If a counter lags, read instead: Rss of /proc/PID/smaps_rollup.");
	prose_item(&e->prose, "Recorded",
		   "%s, %s, %u CPUs: %zu cases hold, %zu fail, %zu could not run.",
		   r->kernel_release, r->machine, r->cpus, r->count[VERDICT_PASS],
		   r->count[VERDICT_FAIL], r->count[VERDICT_SKIP]);
	put_by_model(e, &r->models, false);
	put_by_model(e, &r->models, true);
	put_how(e, &r->models);
	put_known_bugs(e, r);
	if (range_change(asked))
		prose_item(&e->prose, "Before", "this is %s; before %s: %s.", name,
			   range_change(asked)->since, range_words(range_change(asked)[-1].kind));
	prose_item(&e->prose, "One number", "rssck explain --kernel=%s VmRSS", name);
}

/* Prints what follows from commits for a kernel that has no recorded run. */
static void put_by_commits(const struct explanation *e, const char *asked)
{
	enum range_kind kind = range_of(asked)->kind;
	char names[512];
	struct models m;

	if (!range_models(&e->kernels, asked, &m)) {
		prose_named(&e->prose, asked, "no run of this kernel is recorded, and %s.",
			    range_words(RANGE_UNKNOWN));
	} else {
		prose_named(&e->prose, asked,
			    "believe smaps and smaps_rollup; some counters of /proc may lag.");
		prose_item(&e->prose, "By commits", "no run of this kernel is recorded; %s.",
			   range_words(kind));
		put_by_model(e, &m, false);
		put_by_model(e, &m, true);
		put_how(e, &m);
	}
	prose_item(
		&e->prose, "Measure it",
		"rssck check on that machine, or rssck vm --kernel=BZIMAGE: a distribution may have "
		"changed it.");
	prose_item(&e->prose, "Recorded", "%s.",
		   !e->kernels.nr ? "none here (--results=DIR names a folder of recorded runs)"
				  : kernels_recorded(&e->kernels, names, sizeof(names)));
}

void explain_kernel(const struct explanation *e, const char *asked)
{
	const struct results *r = kernel_by_release(&e->kernels, asked);

	if (r)
		put_recorded(e, r, asked);
	else
		put_by_commits(e, asked);
}
