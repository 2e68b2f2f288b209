// SPDX-License-Identifier: MIT
/* Writes the audit of a machine as JSON. */
#include "base/print/json.h"
#include "audit.h"
#include <string.h>

static json_t *answer_json(const struct machine_audit *a)
{
	json_t *list = json_array();

	for (int i = 0; i < 3; i++)
		json_array_append_new(list, json_words(a->sentence[i]));
	return list;
}

static json_t *named_json(const struct machine_audit *a)
{
	json_t *list = json_array();

	for (int p = 0; p < PART_COUNT; p++)
		if (a->tree.named[p])
			json_array_append_new(list, json_words(part_name(p)));
	return list;
}

static json_t *tree_json(const struct machine_audit *a)
{
	json_t *tree = json_object();

	for (int p = 0; p < PART_COUNT; p++) {
		json_t *part = json_object();
		enum held_kind k = part_holder(p);

		json_set_number(part, "kB", a->tree.of[p]);
		if (a->since)
			json_set_number(part, "change_kB", a->tree.of[p] - a->before[p]);
		if (k && a->holders.of[k].nr) {
			json_set_words(part, "most_of", a->holders.of[k].most[0].name);
			json_set_number(part, "most_kB", a->holders.of[k].most[0].kb);
			if (a->holders.of[k].most[0].pid)
				json_set_number(part, "most_pid", a->holders.of[k].most[0].pid);
		}
		json_object_set_new(tree, part_name(p), part);
	}
	return tree;
}

static json_t *holders_json(const struct machine_audit *a)
{
	json_t *all = json_object();

	for (int k = HELD_NONE + 1; k < HELD_KINDS; k++) {
		const struct held_list *l = &a->holders.of[k];
		json_t *kind = json_object();

		json_set_number(kind, "kB", l->all);
		json_set_number(kind, "holders", (int64_t)l->nr);
		json_object_set_new(kind, "most", held_json(l, HELD_MOST));
		json_object_set_new(all, held_name(k), kind);
	}
	return all;
}

static json_t *line_json(enum machine_number n, const struct line *l)
{
	const struct machine_row *row = machine_row(n);
	json_t *j = json_object();
	char words[300];

	json_set_words(j, "line", row->name);
	json_set_words(j, "state", line_state_name(l->state));
	json_set_number(j, "says", l->says);
	if (row->least[0] && l->state >= LINE_EQUAL) {
		json_set_number(j, "least", l->least);
		json_set_words(j, "least_is", machine_words(row->least, words, sizeof(words)));
	}
	if (row->most[0] && l->state >= LINE_EQUAL) {
		json_set_number(j, "most", l->most);
		json_set_words(j, "most_is", machine_words(row->most, words, sizeof(words)));
	}
	if (l->late)
		json_set_number(j, "may_be_late", l->late);
	if (row->why_not)
		json_set_words(j, "why_not", row->why_not);
	return j;
}

static void add_place(json_t *list, const struct zone *z, const char *zone, enum machine_number n,
		      const struct line *l)
{
	json_t *one;

	if (l->state < LINE_EQUAL)
		return;
	one = line_json(n, l);
	json_set_number(one, "node", z->node);
	if (zone)
		json_set_words(one, "zone", zone);
	json_array_append_new(list, one);
}

static json_t *lines_json(const struct machine_audit *a)
{
	const struct machine_judgement *j = &a->judgement;
	json_t *list = json_array();

	for (int n = 1; n < MACHINE_NUMBERS; n++) {
		enum machine_source s = machine_row(n)->source;

		if ((s == MACHINE_MEMINFO || s == MACHINE_VMSTAT) && a->reading.after.have[n])
			json_array_append_new(list, line_json(n, &j->of[n]));
		for (size_t i = 0; i < j->nr_zones; i++) {
			const struct zone *z = &a->reading.zones[0].of[i];

			add_place(list, z, z->name, n, &j->zone[i][n]);
			add_place(list, z, NULL, n, &j->node[i][n]);
		}
	}
	return list;
}

static json_t *counts_json(const struct machine_judgement *j)
{
	json_t *counts = json_object();

	for (int s = LINE_NOTHING; s < LINE_STATES; s++)
		json_set_number(counts, line_state_name(s), (int64_t)machine_count(j, s));
	return counts;
}

json_t *machine_json(const struct machine_audit *a)
{
	json_t *root = json_object(), *kernel = json_object(), *cost = json_object();

	json_set_words(root, "schema", MACHINE_SCHEMA);
	json_set_words(kernel, "release", a->host->release);
	json_set_words(kernel, "machine", a->host->machine);
	json_set_number(kernel, "page_size", a->host->page_size);
	json_set_number(kernel, "cpus", a->host->cpus);
	json_object_set_new(root, "kernel", kernel);
	json_object_set_new(root, "answer", answer_json(a));
	json_object_set_new(root, "named", named_json(a));
	json_set_number(root, "total_kB", a->tree.total);
	json_object_set_new(root, "saw_page_frames", json_boolean(a->tree.frames));
	json_object_set_new(root, "tree", tree_json(a));
	json_object_set_new(root, "holders", holders_json(a));
	json_object_set_new(root, "counts", counts_json(&a->judgement));
	json_object_set_new(root, "lines", lines_json(a));
	json_set_number(cost, "readings", a->judgement.readings);
	json_set_number(cost, "frames_us", a->reading.took_us);
	json_set_number(cost, "all_ms", a->took_ms);
	json_object_set_new(root, "cost", cost);
	return root;
}

int machine_since(struct machine_audit *a, json_t *earlier)
{
	const char *schema = json_string_value(json_object_get(earlier, "schema"));
	json_t *tree = json_object_get(earlier, "tree");

	if (!schema || strcmp(schema, MACHINE_SCHEMA) || !json_is_object(tree))
		return -1;
	for (int p = 0; p < PART_COUNT; p++)
		a->before[p] = json_integer_value(
			json_object_get(json_object_get(tree, part_name(p)), "kB"));
	a->since = true;
	return 0;
}
