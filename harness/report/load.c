// SPDX-License-Identifier: MIT
/*
 * A results file read back. What a file may lack is decided here once: nothing
 * but the additions to a discrepancy that the schema leaves open.
 */
#include "json.h"
#include "load_private.h"
#include "report.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int load_bad(const struct loading *l, const char *remedy, const char *format, ...)
{
	char reason[200];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	snprintf(l->why, l->size, "%s: %s; %s", l->path, reason, remedy);
	return -1;
}

const char record_again[] = "record it again with `rssck check --format=json --output=FILE`";

json_t *load_member(const struct loading *l, const json_t *object, const char *what,
		    const char *name, json_type type)
{
	json_t *j = json_object_get(object, name);

	if (!j)
		load_bad(l, record_again, "%s has no \"%s\"", what, name);
	else if (json_typeof(j) != type)
		load_bad(l, record_again, "\"%s\" of %s has the wrong type", name, what);
	else
		return j;
	return NULL;
}

int load_string(const struct loading *l, const json_t *object, const char *what, const char *name,
		char *buf, size_t size)
{
	json_t *j = load_member(l, object, what, name, JSON_STRING);

	if (!j)
		return -1;
	snprintf(buf, size, "%s", json_string_value(j));
	return 0;
}

int load_integer(const struct loading *l, const json_t *object, const char *what, const char *name,
		 int64_t *value)
{
	json_t *j = load_member(l, object, what, name, JSON_INTEGER);

	if (!j)
		return -1;
	*value = json_integer_value(j);
	return 0;
}

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
	if (page_size < 1024 || page_size > 1 << 24 || page_size & (page_size - 1) || cpus < 1 ||
	    cpus > 1 << 20)
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
		return load_bad(l, record_again, "the model of %s is no object", name);
	if (load_string(l, j, name, "kind", kind, sizeof(kind)) ||
	    load_integer(l, j, name, "batch", &batch))
		return -1;
	/* A metric of a newer rssck: nothing here can be compared with it. */
	if (id == METRIC_NONE)
		return 0;
	for (enum model_kind k = MODEL_UNKNOWN; k < MODEL_ABSENT; k++) {
		if (strcmp(kind, model_kind_name(k)))
			continue;
		models->of[id] = (struct counter_model) { .kind = k, .batch = (unsigned)batch };
		return 0;
	}
	return load_bad(l, "a newer rssck may know it", "%s has a model \"%.30s\"", name, kind);
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

/* Members of a newer file; an older one does not tell. */
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
			return load_bad(l, record_again, "fact %.60s of %s is no string", name,
					r->id);
		snprintf(f->name, sizeof(f->name), "%s", name);
		snprintf(f->value, sizeof(f->value), "%s", json_string_value(value));
		r->nr_facts++;
	}
	return 0;
}

static int discrepancy_load(const struct loading *l, const char *id, const json_t *j,
			    struct discrepancy *d)
{
	int64_t difference, process = 0;
	const json_t *extra;

	if (!json_is_object(j))
		return load_bad(l, record_again, "a discrepancy of %s is no object", id);
	if (load_string(l, j, id, "step", d->step, sizeof(d->step)) ||
	    load_string(l, j, id, "metric", d->metric, sizeof(d->metric)) ||
	    load_integer(l, j, id, "counter", &d->counter) ||
	    load_integer(l, j, id, "precise", &d->precise) ||
	    load_integer(l, j, id, "difference", &difference) ||
	    load_integer(l, j, id, "bound", &d->bound))
		return -1;
	if (difference != (int64_t)((uint64_t)d->counter - (uint64_t)d->precise))
		return load_bad(l, record_again, "a discrepancy of %s has a wrong difference", id);
	extra = json_object_get(j, "process");
	if (json_is_integer(extra))
		process = json_integer_value(extra);
	d->process = (unsigned)process;
	extra = json_object_get(j, "unit");
	d->kb = json_is_string(extra) && !strcmp(json_string_value(extra), "kB");
	d->fails = json_is_true(json_object_get(j, "fails"));
	extra = json_object_get(j, "rule");
	if (json_is_string(extra))
		snprintf(d->text, sizeof(d->text), "%s", json_string_value(extra));
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
		if (discrepancy_load(l, r->id, json_array_get(list, i), &r->discrepancies[i]))
			return -1;
	return 0;
}

int case_load(const struct loading *l, const json_t *j, struct result *r)
{
	char verdict[16], claim[8];
	json_int_t checks;

	if (!json_is_object(j))
		return load_bad(l, record_again, "a case is no object");
	if (load_string(l, j, "a case", "id", r->id, sizeof(r->id)) ||
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
	r->nr_checks = checks > 0 ? (size_t)checks : 0;
	return facts_load(l, j, r) || discrepancies_load(l, j, r) ? -1 : 0;
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
	return 0;
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
			return load_bad(l, record_again, "the summary says %lld %s, there are %zu",
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

	snprintf(r->ended, sizeof(r->ended), "%s", reason ? reason : "");
	snprintf(r->ended_in, sizeof(r->ended_in), "%s", id ? id : "");
	if (json_integer_value(selected) > 0)
		r->nr_selected = (size_t)json_integer_value(selected);
}

static int root_load(const struct loading *l, const json_t *root, struct results *r)
{
	const json_t *schema = json_object_get(root, "schema");

	if (!json_is_string(schema))
		return load_bad(l, record_again, "no results of rssck: there is no \"schema\"");
	if (strcmp(json_string_value(schema), RESULTS_SCHEMA))
		return load_bad(l, "use the rssck that wrote it, or record it again",
				"has the schema \"%.60s\", this rssck reads \"" RESULTS_SCHEMA "\"",
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
		return load_bad(&l, "name a file that `rssck check --format=json` has written",
				"%s", strerror(errno));
	/* A folder opens and cannot be read. */
	if (ungetc(getc(in), in) == EOF && ferror(in)) {
		load_bad(&l, "name a file that `rssck check --format=json` has written", "%s",
			 strerror(errno));
		fclose(in);
		return -1;
	}

	json_t *root = json_loadf(in, JSON_REJECT_DUPLICATES, &error);

	/* Within a word a file cut off is bad grammar to the parser; but it has met the end. */
	bool is_cut = feof(in);

	fclose(in);
	if (!root)
		return load_bad(&l, record_again, "%s, line %d: %.120s",
				is_cut ? "cut off" : "no JSON", error.line, error.text);

	int failed = root_load(&l, root, r);

	json_decref(root);
	if (failed)
		results_free(r);
	return failed;
}
