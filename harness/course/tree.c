// SPDX-License-Identifier: MIT
/* Reads and draws the machine's memory. */
#include "tree.h"
#include "base/memory.h"
#include "base/print/json.h"
#include "base/print/words.h"
#include "machine/audit.h"
#include "page/write.h"
#include <stdlib.h>

void tree_read(json_t *step, const struct host *h)
{
	json_t *tree = json_object(), *most = json_object(), *answer = json_array();
	struct machine_audit *a = calloc(1, sizeof(*a));
	struct machine_reader *m = calloc(1, sizeof(*m));
	char why[200];

	if (!a || !m)
		memory_gone("the machine's numbers");
	machine_reader_open(m, h);
	if (!machine_audit(a, m, why, sizeof(why)))
		json_set_number(tree, "total", a->tree.total);
	for (int p = 0; p < PART_COUNT && a->tree.total; p++) {
		enum held_kind k = part_holder(p);

		json_set_number(tree, part_name(p), a->tree.of[p]);
		if (k && a->holders.of[k].nr && a->tree.of[p])
			json_set_words(most, part_name(p), a->holders.of[k].most[0].name);
	}
	for (int i = 0; i < 3; i++)
		json_array_append_new(answer, json_words(a->sentence[i]));
	json_object_set_new(step, "tree", tree);
	json_object_set_new(step, "most", most);
	json_object_set_new(step, "answer", answer);
	machine_reader_close(m);
	machine_audit_free(a);
	free(m);
	free(a);
}

unsigned tree_parts(void)
{
	return PART_COUNT;
}

const char *tree_name(unsigned part)
{
	return part_name((enum part)part);
}

const char *tree_words(unsigned part)
{
	return part_words((enum part)part);
}

int64_t tree_kb(const json_t *step, unsigned part)
{
	return json_integer_value(json_object_get(json_object_get(step, "tree"), tree_name(part)));
}

/* The colours of pages are the same as in the other pictures. */
static const struct colour {
	char colour;
	const char *words;
} colours[] = {
	{ '0', "free" },
	{ 'a', "anonymous" },
	{ 'f', "page cache of files" },
	{ 'm', "tmpfs and shared memory" },
	{ 'z', "the kernel's own, and all other" },
};

enum { COLOURS = sizeof(colours) / sizeof(*colours) };

static char colour_of(enum part p)
{
	if (part_is_free(p))
		return '0';
	switch (p) {
	case PART_ANON:
	case PART_ANON_UNMAPPED:
		return 'a';
	case PART_CACHE_MAPPED:
	case PART_CACHE_UNMAPPED:
		return 'f';
	case PART_SHMEM_MAPPED:
	case PART_SHMEM_UNMAPPED:
		return 'm';
	default:
		return 'z';
	}
}

static int64_t sum_of(const json_t *step, char colour)
{
	int64_t sum = 0;

	for (int p = 0; p < PART_COUNT; p++)
		sum += colour_of(p) == colour ? tree_kb(step, (unsigned)p) : 0;
	return sum;
}

/* The unit of the picture is a thousandth of the memory. */
void tree_draw(const json_t *step, FILE *out)
{
	int64_t total = json_integer_value(json_object_get(json_object_get(step, "tree"), "total"));
	long long at = 0;

	if (total <= 0) {
		fputs("<p>The machine's memory was not recorded on this kernel.</p>", out);
		return;
	}
	fputs("<figure><svg viewBox=\"0 0 1000 60\" role=\"img\" aria-label=\"The machine's memory\">",
	      out);
	for (int i = COLOURS - 1; i >= 0; i--) {
		long long width = sum_of(step, colours[i].colour) * 1000 / total;

		if (!i)
			width = 1000 - at;
		fprintf(out,
			"<rect class=\"s-%c\" x=\"%lld\" y=\"0\" width=\"%lld\" height=\"60\"/>",
			colours[i].colour, at, width > 0 ? width : 0);
		at += width;
	}
	fputs("</svg><figcaption>", out);
	for (int i = COLOURS - 1; i >= 0; i--) {
		char words[32];

		html_put(
			out,
			"<span class=\"part\"><svg viewBox=\"0 0 20 10\" aria-hidden=\"true\">"
			"<rect class=\"s-%s\" width=\"20\" height=\"10\"/></svg> %s <b>%s</b></span> ",
			(char[]) { colours[i].colour, '\0' }, colours[i].words,
			number_words(sum_of(step, colours[i].colour), words, sizeof(words)));
	}
	fputs("kB</figcaption></figure>", out);
}
