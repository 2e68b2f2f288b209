// SPDX-License-Identifier: MIT
/*
 * Reads a results file. Every member is required, except those that older files lack and the
 * optional ones of a discrepancy.
 */
#include "json.h"
#include "load_private.h"
#include "report.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The largest values that are accepted. Products of them with a number of pages do not overflow. */
enum { PAGE_SIZE_MAX = 1 << 18, CPUS_MAX = 1 << 20, BATCH_MAX = 1 << 24 };

static int kernel_load(const struct loading *l, const json_t *root, struct results *r)
{
	json_t *k = load_member(l, root, "the file", "kernel", JSON_OBJECT);
	int64_t page_size, cpus;

	if (!k ||
	    load_string(l, k, "kernel", "release", r->kernel_release, sizeof(r->kernel_release)) ||
	    load_string(l, k, "kernel", "version", r->kernel_version, sizeof(r->kernel_version)) ||
	    load_string(l, k, "kernel", "machine", r->machine, sizeof(r->machine)) ||
	    load_integer(l, k, "kernel", "page_size", &page_size) ||
	    load_integer(l, k, "kernel", "cpus", &cpus))
		return -1;
	if (page_size < 1024 || page_size > PAGE_SIZE_MAX || page_size & (page_size - 1) ||
	    cpus < 1 || cpus > CPUS_MAX)
		return load_bad(l, record_again, "no machine has pages of %lld bytes and %lld CPUs",
				(long long)page_size, (long long)cpus);
	r->page_size = (long)page_size;
	r->cpus = r->models.cpus = (unsigned)cpus;
	return 0;
}

static int model_load(const struct loading *l, const char *name, const json_t *j,
		      struct models *models)
{
	enum metric_id id = metric_by_name(name);
	char kind[32];
	int64_t batch;

	if (!json_is_object(j))
		return load_bad(l, record_again, "the model of %.60s is not an object", name);
	if (load_string(l, j, name, "kind", kind, sizeof(kind)) ||
	    load_integer(l, j, name, "batch", &batch))
		return -1;
	if (batch < 0 || batch > BATCH_MAX)
		return load_bad(l, record_again,
				"no kernel has a batch of %lld, as in the model of %.60s",
				(long long)batch, name);
	/* Ignore a metric of a newer rssck, because nothing here can be compared with it. */
	if (id == METRIC_NONE)
		return 0;
	for (enum model_kind k = MODEL_UNKNOWN; k < MODEL_ABSENT; k++) {
		if (strcmp(kind, model_kind_name(k)))
			continue;
		models->of[id] = (struct counter_model) { .kind = k, .batch = (unsigned)batch };
		return 0;
	}
	return load_bad(l, "a newer rssck may support it", "%s has a model \"%.30s\"", name, kind);
}

static int models_load(const struct loading *l, const json_t *root, struct models *models)
{
	json_t *j = load_member(l, root, "the file", "models", JSON_OBJECT);

	if (!j)
		return -1;
	for (enum metric_id id = 0; id < METRIC_COUNT; id++)
		models->of[id].kind = MODEL_ABSENT;
	for (void *i = json_object_iter(j); i; i = json_object_iter_next(j, i))
		if (model_load(l, json_object_iter_key(i), json_object_iter_value(i), models))
			return -1;
	return 0;
}

/* Reads members that an older file lacks. */
static void saw_load(const json_t *root, struct results *r)
{
	const json_t *saw = json_object_get(root, "saw");

	r->saw_log = json_is_true(json_object_get(saw, "kernel_log"));
	r->saw_pfns = json_is_true(json_object_get(saw, "page_frames"));
}

int machine_load(const struct loading *l, const json_t *root, struct results *r)
{
	saw_load(root, r);
	return kernel_load(l, root, r) || models_load(l, root, &r->models) ? -1 : 0;
}

static int facts_load(const struct loading *l, const json_t *j, struct result *r)
{
	json_t *facts = load_member(l, j, r->id, "facts", JSON_OBJECT);

	if (!facts)
		return -1;
	for (void *i = json_object_iter(facts); i; i = json_object_iter_next(facts, i)) {
		const char *name = json_object_iter_key(i);
		const json_t *value = json_object_iter_value(i);
		struct fact *f = &r->facts[r->nr_facts];

		if (r->nr_facts == FACTS_MAX)
			return load_bad(l, record_again, "%s has more than %d facts", r->id,
					FACTS_MAX);
		if (!json_is_string(value))
			return load_bad(l, record_again, "fact %.60s of %s is not a string", name,
					r->id);
		if (load_name(l, "a fact", name, f->name, sizeof(f->name)))
			return -1;
		load_words(json_string_value(value), f->value, sizeof(f->value));
		r->nr_facts++;
	}
	return 0;
}

/* Reads members that a file may omit. */
static void discrepancy_extras(const json_t *j, struct discrepancy *d)
{
	const char *unit = json_string_value(json_object_get(j, "unit"));
	const char *words = json_string_value(json_object_get(j, "rule"));
	const char *id = json_string_value(json_object_get(j, "rule_id"));

	d->process = (unsigned)load_within(json_integer_value(json_object_get(j, "process")), 0,
					   INT32_MAX);
	load_words(unit ? unit : "pages", d->unit, sizeof(d->unit));
	/* In an older file every number that was not in kB has the unit "pages". */
	if (discrepancy_is_pages(d))
		snprintf(d->unit, sizeof(d->unit), "%s", metric_noun(d->metric));
	d->fails = json_is_true(json_object_get(j, "fails"));
	load_words(words ? words : "", d->text, sizeof(d->text));
	/* An older file has no rule ids. A file of a newer rssck may have unknown ones. */
	d->rule = id ? rule_by_name(id) : RULE_NONE;
	d->id = metric_by_name(d->metric);
}

static int discrepancy_load(const struct loading *l, const char *id, size_t nr, const json_t *j,
			    struct discrepancy *d)
{
	char what[128];
	int64_t difference;

	snprintf(what, sizeof(what), "discrepancy %zu of %s", nr, id);
	if (!json_is_object(j))
		return load_bad(l, record_again, "%s is not an object", what);
	if (load_string(l, j, what, "step", d->step, sizeof(d->step)) ||
	    load_string(l, j, what, "metric", d->metric, sizeof(d->metric)) ||
	    load_integer(l, j, what, "counter", &d->counter) ||
	    load_integer(l, j, what, "precise", &d->precise) ||
	    load_integer(l, j, what, "difference", &difference) ||
	    load_integer(l, j, what, "bound", &d->bound))
		return -1;
	if (difference != (int64_t)((uint64_t)d->counter - (uint64_t)d->precise))
		return load_bad(l, record_again, "%s has a wrong difference", what);
	d->counter = load_within(d->counter, -LOADED_MAX, LOADED_MAX);
	d->precise = load_within(d->precise, -LOADED_MAX, LOADED_MAX);
	d->bound = load_within(d->bound, -1, LOADED_MAX);
	discrepancy_extras(j, d);
	return 0;
}

static int discrepancies_load(const struct loading *l, const json_t *j, struct result *r)
{
	json_t *list = load_member(l, j, r->id, "discrepancies", JSON_ARRAY);

	if (!list)
		return -1;
	r->discrepancies = calloc(json_array_size(list) + 1, sizeof(*r->discrepancies));
	if (!r->discrepancies)
		return load_bad(l, "free some memory", "out of memory");
	r->nr_discrepancies = json_array_size(list);
	for (size_t i = 0; i < r->nr_discrepancies; i++)
		if (discrepancy_load(l, r->id, i + 1, json_array_get(list, i),
				     &r->discrepancies[i]))
			return -1;
	return 0;
}

/* The largest value of a number that is summed over all cases, so that the sum cannot overflow. */
enum { TIMES_MAX = INT32_MAX };

int case_load(const struct loading *l, const json_t *j, struct result *r)
{
	const char *id = json_string_value(json_object_get(j, "id"));
	char verdict[16], claim[8];
	json_int_t checks;

	if (!json_is_object(j))
		return load_bad(l, record_again, "a case is not an object");
	if (!load_member(l, j, "a case", "id", JSON_STRING) ||
	    load_name(l, "a case", id, r->id, sizeof(r->id)) ||
	    load_string(l, j, r->id, "claim", claim, sizeof(claim)) ||
	    load_string(l, j, r->id, "verdict", verdict, sizeof(verdict)) ||
	    load_string(l, j, r->id, "reason", r->reason, sizeof(r->reason)) ||
	    load_integer(l, j, r->id, "duration_ms", &r->duration_ms))
		return -1;
	for (r->verdict = 0; r->verdict < VERDICT_COUNT; r->verdict++)
		if (!strcmp(verdict, verdict_name(r->verdict)))
			break;
	if (r->verdict == VERDICT_COUNT) {
		r->verdict = VERDICT_ERROR;
		return load_bad(l, record_again, "%s has a verdict \"%s\"", r->id, verdict);
	}
	checks = json_integer_value(json_object_get(j, "checks"));
	r->nr_checks = (size_t)load_within(checks, 0, TIMES_MAX);
	r->duration_ms = load_within(r->duration_ms, 0, TIMES_MAX);
	history_load(j, r);
	return facts_load(l, j, r) || discrepancies_load(l, j, r) ? -1 : 0;
}

static int by_id(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Refuses a case that is listed twice: it would be counted twice, but compared only once. */
static int ids_check(const struct loading *l, const struct results *r)
{
	const char **ids = calloc(r->nr + 1, sizeof(*ids));
	int failed = 0;

	if (!ids)
		return load_bad(l, "free some memory", "out of memory");
	for (size_t i = 0; i < r->nr; i++)
		ids[i] = r->of[i].id;
	qsort(ids, r->nr, sizeof(*ids), by_id);
	for (size_t i = 1; i < r->nr && !failed; i++)
		if (!strcmp(ids[i - 1], ids[i]))
			failed = load_bad(l, record_again, "the case %s is listed more than once",
					  ids[i]);
	free(ids);
	return failed;
}

static int cases_load(const struct loading *l, const json_t *root, struct results *r)
{
	json_t *list = load_member(l, root, "the file", "cases", JSON_ARRAY);

	if (!list)
		return -1;
	r->of = calloc(json_array_size(list) + 1, sizeof(*r->of));
	if (!r->of)
		return load_bad(l, "free some memory", "out of memory");
	for (size_t i = 0; i < json_array_size(list); i++) {
		struct result *c = &r->of[r->nr++];

		if (case_load(l, json_array_get(list, i), c))
			return -1;
		r->count[c->verdict]++;
		r->duration_ms += c->duration_ms;
	}
	return ids_check(l, r);
}

static int summary_check(const struct loading *l, const json_t *root, const struct results *r)
{
	json_t *summary = load_member(l, root, "the file", "summary", JSON_OBJECT);

	if (!summary)
		return -1;
	for (enum verdict v = 0; v < VERDICT_COUNT; v++) {
		int64_t count;

		if (load_integer(l, summary, "summary", verdict_name(v), &count))
			return -1;
		if (count != (int64_t)r->count[v])
			return load_bad(l, record_again,
					"the summary counts %lld cases as %s, but there are %zu",
					(long long)count, verdict_name(v), r->count[v]);
	}
	return 0;
}

static void ended_load(const json_t *root, struct results *r)
{
	const json_t *ended = json_object_get(root, "ended_early");
	const json_t *selected = json_object_get(ended, "selected");
	const char *reason = json_string_value(json_object_get(ended, "reason"));
	const char *id = json_string_value(json_object_get(ended, "case"));

	load_words(reason ? reason : "", r->ended, sizeof(r->ended));
	load_words(id ? id : "", r->ended_in, sizeof(r->ended_in));
	if (json_integer_value(selected) > 0)
		r->nr_selected = (size_t)json_integer_value(selected);
}

static int root_load(const struct loading *l, const json_t *root, struct results *r)
{
	const json_t *schema = json_object_get(root, "schema");

	if (!json_is_string(schema))
		return load_bad(l, record_again, "not results of rssck: there is no \"schema\"");
	if (strcmp(json_string_value(schema), RESULTS_SCHEMA))
		return load_bad(l, "use the rssck that wrote it, or record it again",
				"has the schema \"%.60s\", but this rssck reads \"" RESULTS_SCHEMA
				"\"",
				json_string_value(schema));
	if (machine_load(l, root, r))
		return -1;
	ended_load(root, r);
	return cases_load(l, root, r) || summary_check(l, root, r) || curves_load(l, root, r) ? -1
											      : 0;
}

int results_load(struct results *r, const char *path, char *why, size_t size)
{
	const struct loading l = { path, why, size };
	FILE *in = fopen(path, "re");
	json_error_t error;

	*r = (struct results) { 0 };
	if (!in)
		return load_bad(&l, "name a file written by `rssck check --format=json`", "%s",
				strerror(errno));
	/* A folder can be opened, but not read. */
	if (ungetc(getc(in), in) == EOF && ferror(in)) {
		load_bad(&l, "name a file written by `rssck check --format=json`", "%s",
			 strerror(errno));
		fclose(in);
		return -1;
	}

	json_t *root = json_loadf(in, JSON_REJECT_DUPLICATES, &error);

	/*
	 * For a file that is cut off within a word, the parser reports bad grammar. If it has
	 * reached the end of the file, the real error is that the file is cut off.
	 */
	bool is_cut = feof(in);

	fclose(in);
	if (!root)
		return load_bad(&l, record_again, "%s, line %d: %.120s",
				is_cut ? "cut off" : "not JSON", error.line, error.text);

	int failed = root_load(&l, root, r);

	json_decref(root);
	if (failed)
		results_free(r);
	return failed;
}
