// SPDX-License-Identifier: MIT
/* Writes the runs of a mapping as text and as JSON. */
#include "base/print/json.h"
#include "base/print/words.h"
#include "print.h"

static const char *state_name(const struct page_state *s)
{
	static const char *const classes[] = {
		[CLASS_ANON] = "anon",       [CLASS_FILE] = "file",
		[CLASS_SHMEM] = "shmem",     [CLASS_ZERO] = "zero page",
		[CLASS_HUGETLB] = "hugetlb", [CLASS_SPECIAL] = "special",
		[CLASS_SWAP] = "swap",       [CLASS_COUNT] = "anon or zero",
	};

	switch (s->where) {
	case PAGE_NONE:
		return "nothing";
	case PAGE_OUT:
		return "on swap";
	case PAGE_UNUSABLE:
		return "marker";
	default:
		return classes[s->class];
	}
}

void run_print_title(FILE *out)
{
	fprintf(out, "%16s %12s  %-12s %6s  %s\n", "from", "pages", "what", "mapped", "and");
}

void run_print(const struct run *r, FILE *out)
{
	char n[32], count[32] = "-";

	if (r->state.mapcount >= 0)
		number_words(r->state.mapcount, count, sizeof(count));
	fprintf(out, "%16llx %12s  %-12s %6s ", (unsigned long long)r->start,
		number_words((int64_t)r->pages, n, sizeof(n)), state_name(&r->state), count);
	for (unsigned i = 0; run_attributes[i]; i++)
		if (r->state.attributes & 1u << i)
			fprintf(out, " %s", run_attributes[i]);
	putc('\n', out);
}

json_t *run_json(const struct run *r)
{
	json_t *j = json_object(), *attributes = json_array();
	char start[32];

	snprintf(start, sizeof(start), "%llx", (unsigned long long)r->start);
	json_set_words(j, "start", start);
	json_set_number(j, "pages", (int64_t)r->pages);
	json_set_words(j, "state", state_name(&r->state));
	if (r->state.mapcount >= 0)
		json_set_number(j, "mapped", r->state.mapcount);
	for (unsigned i = 0; run_attributes[i]; i++)
		if (r->state.attributes & 1u << i)
			json_array_append_new(attributes, json_string(run_attributes[i]));
	json_object_set_new(j, "and", attributes);
	return j;
}
