// SPDX-License-Identifier: MIT
/* rssck atlas --list */
#include "atlas.h"
#include "base/print/words.h"
#include <inttypes.h>

int list_words(const struct atlas_options *o)
{
	const struct words *w = &o->words;
	uint64_t n = 0, count = sequences_count(w, o->length);
	struct sequence s;

	puts("kinds:");
	for (unsigned i = 0; i < w->nr_kinds; i++)
		printf("  %s\n", w->kinds[i].name);
	puts("acts:");
	for (unsigned i = 0; i < w->nr_acts; i++)
		printf("  %s\n", w->acts[i].name);
	puts("events:");
	for (unsigned i = 0; i < w->nr_events; i++)
		printf("  %s%s\n", w->events[i].name,
		       w->events[i].when == ASKED_FOR       ? " (where it is named)"
		       : w->events[i].when == AFTER_PAGEOUT ? " (behind pageout)"
							    : "");
	for (uint64_t i = 0; i < count; i++)
		n += sequence_of(w, o->length, i, &s) && atlas_options_want(o, &s);
	printf("%" PRIu64 " sequences\n", n);
	return stream_end(stdout) ? trouble("stdout: %m") : EXIT_HOLDS;
}
