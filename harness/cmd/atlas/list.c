// SPDX-License-Identifier: MIT
/* rssck atlas --list: prints the words. */
#include "atlas.h"
#include "base/print/words.h"
#include <inttypes.h>

int list_words(const struct atlas_options *o)
{
	const struct words *w = &o->words;
	uint64_t n = 0, count = sequences_count(w, o->length);
	static const char *const when[] = {
		[ALWAYS] = "",
		[SOMETIMES] =
			" (directly after each kind, and in some other sequences; in all if it is named)",
		[AFTER_PAGEOUT] = " (after pageout)",
		[AFTER_MERGEABLE] = " (after mergeable)",
		[NAMED] = " (only if it is named)",
		[AFTER_WATCH] = " (after acts that register with userfaultfd)",
	};
	struct sequence s;

	puts("kinds:");
	for (unsigned i = 0; i < w->nr_kinds; i++)
		printf("  %s%s\n", w->kinds[i].name,
		       w->kinds[i].needs & COSTLY ? " (only with one act, unless it is named)"
						  : "");
	puts("acts:");
	for (unsigned i = 0; i < w->nr_acts; i++)
		printf("  %s\n", w->acts[i].name);
	puts("events:");
	for (unsigned i = 0; i < w->nr_events; i++)
		printf("  %s%s\n", w->events[i].name, when[w->events[i].when]);
	for (uint64_t i = 0; i < count; i++)
		n += sequence_of(w, o->length, i, &s) && atlas_options_want(o, &s);
	printf("%" PRIu64 " sequences\n", n);
	return stream_end(stdout) ? trouble("stdout: %m") : EXIT_HOLDS;
}
