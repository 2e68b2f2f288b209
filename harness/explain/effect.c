// SPDX-License-Identifier: MIT
/* Explains what an act does to a kind of memory: each number, and where kernels differ. */
#include "effect.h"
#include "base/print/json.h"
#include "base/print/words.h"
#include "runs/release.h"
#include <string.h>

/* Writes the numbers that are not 0 into buf: "VmRSS 16 kB, RssShmem 16 kB". */
static const char *numbers_words(const struct grid_cell *c, char buf[EFFECT_WORDS])
{
	FILE *out = fmemopen(buf, EFFECT_WORDS, "w");
	const char *between = "";
	char words[32];
	size_t nr;
	const struct grid_number *n = grid_numbers(&nr);

	buf[0] = '\0';
	if (!out)
		return buf;
	for (size_t i = 0; i < nr; i++) {
		int64_t value = grid_value(&n[i], c);

		if (!value)
			continue;
		fprintf(out, "%s%s %s kB", between, n[i].name,
			number_words(value, words, sizeof(words)));
		between = ", ";
	}
	if (!*between)
		fputs("nothing", out);
	fclose(out);
	buf[EFFECT_WORDS - 1] = '\0';
	return buf;
}

/* True if the answer is about that kernel; without --kernel it is about all. */
static bool is_asked_for(const struct explanation *e, const struct grid *g)
{
	char name[96];

	if (!e->release)
		return true;
	if (e->run)
		return !strcmp(e->run->kernel_release, g->release);
	return !strncmp(release_short(g->release, name, sizeof(name)), e->release,
			strlen(e->release));
}

static void leave_asked_for(const struct explanation *e, const struct grids *g,
			    unsigned group[GRIDS_MAX])
{
	for (size_t i = 0; i < g->nr; i++)
		if (!is_asked_for(e, &g->of[i]))
			group[i] = 0;
}

static bool is_met(const unsigned group[GRIDS_MAX], size_t nr, unsigned which)
{
	for (size_t i = 0; i < nr; i++)
		if (group[i] == which)
			return true;
	return false;
}

/*
 * Lists the kinds of memory for which an act is recorded: "memfd, tmpfs". Returns false if there
 * are none.
 */
static bool list_kinds(const struct grid *g, const char *act, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < g->nr_kinds && len < size; i++)
		if (grid_effect(g, g->kinds[i], act).after)
			len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? ", " : "",
						g->kinds[i]);
	return len > 0;
}

static void put_unrecorded(const struct explanation *e, const struct grids *g,
			   const struct grid_asked *a)
{
	char kinds[640];

	prose_text(&e->prose, 2,
		   "Unknown: no recorded kernel has tried it on this kind of memory.");
	if (list_kinds(grids_newest(g), a->act, kinds, sizeof(kinds)))
		prose_item(&e->prose, "Recorded", "%s of %s.", a->act, kinds);
}

void explain_effect(const struct explanation *e, const struct grids *g, const struct grid_asked *a)
{
	unsigned group[GRIDS_MAX], nr = grids_group(g, a->kind, a->act, group);
	char what[GRID_WHAT], on[GRID_WHAT], kernels[640], words[EFFECT_WORDS], label[700];
	struct grid_effect last = { NULL, NULL };

	leave_asked_for(e, g, group);
	snprintf(label, sizeof(label), "%s of %s", a->act, a->kind);
	prose_title(&e->prose, label);
	prose_text(&e->prose, 2, "%s, on %s.", grid_what(GRID_IS_ACT, a->act, what),
		   grid_what(GRID_IS_KIND, a->kind, on));
	for (unsigned i = 1; i <= nr; i++) {
		struct grid_effect of = grids_of_group(g, a->kind, a->act, group, i, kernels,
						       sizeof(kernels));

		if (!is_met(group, g->nr, i))
			continue;
		last = of;
		prose_item(&e->prose, "It does", "%s (%s%s).", grid_effect_words(&of, words),
			   strcmp(kernels, "all") ? "Linux " : "",
			   strcmp(kernels, "all") ? kernels : "on all recorded kernels");
	}
	if (is_met(group, g->nr, 0) && last.after) {
		grids_of_group(g, a->kind, a->act, group, 0, kernels, sizeof(kernels));
		if (!e->release)
			prose_item(&e->prose, "Not known", "on Linux %s.", kernels);
	}
	if (!last.after) {
		put_unrecorded(e, g, a);
		return;
	}
	prose_item(&e->prose, "Before", "%s.", numbers_words(last.before, words));
	prose_item(&e->prose, "After", "%s.", numbers_words(last.after, words));
	prose_item(&e->prose, "See it", "rssck atlas --words='%s, %s'", a->kind, a->act);
}

json_t *explain_effect_json(const struct explanation *e, const char *asked, const struct grids *g,
			    const struct grid_asked *a)
{
	unsigned group[GRIDS_MAX], nr = grids_group(g, a->kind, a->act, group);
	json_t *root = json_object(), *effects = json_array();
	char kernels[640], words[EFFECT_WORDS];
	size_t numbers;
	const struct grid_number *n = grid_numbers(&numbers);

	leave_asked_for(e, g, group);
	json_set_words(root, "asked", asked);
	json_set_words(root, "act", a->act);
	json_set_words(root, "memory", a->kind);
	for (unsigned i = 1; i <= nr; i++) {
		struct grid_effect of = grids_of_group(g, a->kind, a->act, group, i, kernels,
						       sizeof(kernels));
		json_t *one = json_object(), *moves = json_object();

		if (!is_met(group, g->nr, i)) {
			json_decref(one);
			json_decref(moves);
			continue;
		}
		json_set_words(one, "kernels", kernels);
		json_set_words(one, "words", grid_effect_words(&of, words));
		for (size_t k = 0; k < numbers; k++)
			json_set_number(moves, n[k].name,
					grid_value(&n[k], of.after) - grid_value(&n[k], of.before));
		json_object_set_new(one, "moves_kb", moves);
		json_array_append_new(effects, one);
	}
	json_object_set_new(root, "effects", effects);
	json_object_set_new(root, "topics", json_array());
	return root;
}
