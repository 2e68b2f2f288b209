// SPDX-License-Identifier: MIT
/* Prints a comparison as text and as JSON. */
#include "base/print/json.h"
#include "base/print/words.h"
#include "compare.h"
#include <string.h>

static const char *change_kind_name(enum change_kind kind)
{
	static const char *const names[] = {
		[CHANGE_MODEL] = "model",
		[CHANGE_VERDICT] = "verdict",
		[CHANGE_FACT] = "fact",
		[CHANGE_DISCREPANCY] = "counter",
	};

	return names[kind];
}

static void change_text(const struct change *c, int width, FILE *out)
{
	fprintf(out, "%-8s %-*s  ", change_kind_name(c->kind), width, c->name);
	line_put(c->before, out);
	fputs(" -> ", out);
	line_put(c->after, out);
	if (c->id[0] && strcmp(c->id, c->name))
		fprintf(out, "  [%s]", c->id);
	putc('\n', out);
	if (c->bug)
		fprintf(out, "         %s: %s%s%s\n",
			c->bug_came                 ? "A KNOWN BUG APPEARED"
			: c->cause == CAUSE_MACHINE ? "a known bug of one machine"
						    : "a known bug has disappeared",
			c->bug->title, c->bug->fix ? ", fixed by " : "",
			c->bug->fix ? c->bug->fix : "");
}

/* Returns the number of changes that it prints. */
static size_t changes_text(const struct comparison *c, enum change_cause cause, const char *title,
			   FILE *out)
{
	size_t width = 0, nr = 0;

	for (size_t i = 0; i < c->nr; i++)
		if (c->of[i].cause == cause && strlen(c->of[i].name) > width)
			width = strlen(c->of[i].name);
	for (size_t i = 0; i < c->nr; i++) {
		if (c->of[i].cause != cause)
			continue;
		if (!nr++)
			fputs(title, out);
		change_text(&c->of[i], (int)width, out);
	}
	return nr;
}

static void run_words(const struct results *r, const char *machine, FILE *out)
{
	line_put(r->kernel_release, out);
	fprintf(out, " (%s%s%u CPU%s)", machine, *machine ? ", " : "", r->cpus,
		r->cpus == 1 ? "" : "s");
}

static void ended_text(const struct results *r, const char *which, FILE *out)
{
	if (!r->ended[0])
		return;
	fprintf(out, "The %s run ended early%s", which, r->ended_in[0] ? ", in " : "");
	line_put(r->ended_in, out);
	fputs(": ", out);
	line_put(r->ended, out);
	fputs(".\n", out);
}

int comparison_text(const struct comparison *c, FILE *out)
{
	static const char *const titles[CAUSES] = {
		[CAUSE_KERNEL] = "",
		[CAUSE_CPUS] =
			"Not counted as changes, because the number of CPUs explains them:\n",
		[CAUSE_MACHINE] = "Not counted as changes, because the machines differ:\n",
	};
	bool one = !strcmp(c->before->machine, c->after->machine);

	for (int cause = 0; cause < CAUSES; cause++)
		if (changes_text(c, cause, titles[cause], out))
			putc('\n', out);
	run_words(c->before, one ? "" : c->before->machine, out);
	fputs(" and ", out);
	run_words(c->after, one ? "" : c->after->machine, out);
	if (c->changed)
		fprintf(out, ": %zu change%s", c->changed, c->changed == 1 ? "" : "s");
	else
		fputs(": the same", out);
	fprintf(out, " in %zu models, %zu verdicts, %zu facts", c->nr_models, c->nr_verdicts,
		c->nr_facts);
	if (c->uncompared)
		fprintf(out, "; %zu case%s in only one of the runs", c->uncompared,
			c->uncompared == 1 ? " is" : "s are");
	fputs(".\n", out);
	if (c->bugs_came)
		fprintf(out,
			"The newer run shows %zu known bug%s that the older run does not show.\n",
			c->bugs_came, c->bugs_came == 1 ? "" : "s");
	ended_text(c->before, "first", out);
	ended_text(c->after, "second", out);
	return stream_end(out);
}

static json_t *change_json(const struct change *c)
{
	json_t *j = json_object();

	json_set_words(j, "kind", change_kind_name(c->kind));
	json_set_words(j, "case", c->id);
	json_set_words(j, "name", c->name);
	json_set_words(j, "old", c->before);
	json_set_words(j, "new", c->after);
	if (c->bug) {
		json_set_words(j, "known_bug", c->bug->title);
		json_object_set_new(j, "known_bug_came", json_boolean(c->bug_came));
	}
	return j;
}

static json_t *changes_json(const struct comparison *c, enum change_cause cause)
{
	json_t *list = json_array();

	for (size_t i = 0; i < c->nr; i++)
		if (c->of[i].cause == cause)
			json_array_append_new(list, change_json(&c->of[i]));
	return list;
}

static json_t *run_json(const struct results *r)
{
	json_t *j = json_object();

	json_set_words(j, "release", r->kernel_release);
	json_set_words(j, "machine", r->machine);
	json_set_number(j, "cpus", r->cpus);
	if (r->ended[0])
		json_set_words(j, "ended_early", r->ended);
	return j;
}

static json_t *compared_json(const struct comparison *c)
{
	json_t *j = json_object();

	json_set_number(j, "models", (int64_t)c->nr_models);
	json_set_number(j, "verdicts", (int64_t)c->nr_verdicts);
	json_set_number(j, "facts", (int64_t)c->nr_facts);
	return j;
}

int comparison_json(const struct comparison *c, FILE *out)
{
	json_t *root = json_object();

	json_set_words(root, "schema", "rssck-compare/1");
	json_object_set_new(root, "old", run_json(c->before));
	json_object_set_new(root, "new", run_json(c->after));
	json_object_set_new(root, "changes", changes_json(c, CAUSE_KERNEL));
	json_object_set_new(root, "depends_on_cpus", changes_json(c, CAUSE_CPUS));
	json_object_set_new(root, "depends_on_machine", changes_json(c, CAUSE_MACHINE));
	json_object_set_new(root, "compared", compared_json(c));
	json_set_number(root, "uncompared_cases", (int64_t)c->uncompared);
	return json_write(root, out);
}
