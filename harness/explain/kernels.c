// SPDX-License-Identifier: MIT
/*
 * Prints what the recorded runs show: what each kernel does, and on which kernels a
 * document is wrong.
 */
#include "explain.h"
#include "runs/sentences.h"
#include <stdlib.h>

/* Prints the value with index `value`, and the kernels that have it. */
static void put_value(const struct explanation *e, cell_fn *cell, const void *row,
		      const unsigned *values, unsigned value, FILE *out)
{
	const struct kernels *k = &e->kernels;
	bool *set = calloc(k->nr, sizeof(*set));
	char buf[CELL_SIZE], names[512];
	const char *said = NULL;

	for (size_t i = 0; set && i < k->nr; i++) {
		set[i] = values[i] == value;
		if (set[i] && !said)
			said = cell(&k->of[i], row, buf, sizeof(buf));
	}
	if (said)
		fprintf(out, "%s%s on %s", value > 1 ? "; " : "", said,
			kernels_words(k, set, names, sizeof(names)));
	free(set);
}

void explain_by_kernel(const struct explanation *e, const char *label, const char *what,
		       cell_fn *cell, const void *row, const char *why)
{
	const struct kernels *k = &e->kernels;
	unsigned *values = calloc(k->nr + 1, sizeof(*values));
	unsigned nr = values ? row_values(k, cell, row, values) : 0;
	char *text = NULL;
	size_t len;
	FILE *out = nr ? open_memstream(&text, &len) : NULL;

	for (unsigned value = 1; out && value <= nr; value++)
		put_value(e, cell, row, values, value, out);
	if (out && !fclose(out)) {
		prose_item(&e->prose, label, "%s%s%s.", what ? what : "", what ? ": " : "", text);
		if (nr > 1 && why[0])
			prose_item(&e->prose, NULL, "Why: %s.", why);
	}
	free(text);
	free(values);
}

void explain_sentences(const struct explanation *e, const char *name)
{
	size_t nr, said = 0;
	const struct sentence *all = sentences_all(&nr);
	bool *set = calloc(e->kernels.nr + 1, sizeof(*set));
	char names[512];

	for (size_t i = 0; set && i < nr; i++) {
		if (!sentence_is_about(&all[i], name) ||
		    !sentence_kernels(&e->kernels, &all[i], SENTENCE_FALSE, set))
			continue;
		prose_item(&e->prose, said++ ? NULL : "Said wrongly",
			   "%s, in our words: %s. False on %s%s%s.", all[i].document, all[i].says,
			   kernels_words(&e->kernels, set, names, sizeof(names)),
			   all[i].truth ? ": " : "", all[i].truth ? all[i].truth : "");
	}
	free(set);
}
