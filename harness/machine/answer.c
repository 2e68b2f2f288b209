// SPDX-License-Identifier: MIT
/* Writes the three sentences of the answer. */
#include "base/print/words.h"
#include "tree.h"
#include <string.h>

/*
 * The first sentence names the largest part that is not free, and up to NAMED - 1 further parts of
 * at least MemTotal / WORTH each. For page cache it names no file if all known files together have
 * less than 1 / WORTH of the part.
 */
enum { NAMED = 4, WORTH = 200 };

static void say(char *to, size_t size, const char *words)
{
	size_t len = strlen(to);

	snprintf(to + len, size - len, "%s", words);
}

static void say_kb(char *to, size_t size, int64_t kb)
{
	char n[32], words[48];

	snprintf(words, sizeof(words), "%s kB", number_words(kb, n, sizeof(n)));
	say(to, size, words);
}

static enum part largest(const struct machine_tree *t)
{
	enum part best = PART_COUNT;

	for (int p = 0; p < PART_UNEXPLAINED; p++)
		if (!t->named[p] && !part_is_free(p) &&
		    (best == PART_COUNT || t->of[p] > t->of[best]))
			best = p;
	return best;
}

/* For example: "page tables: 8,272 kB (most: pt (144), 8,240 kB)". */
static void say_part(char *to, size_t size, const struct machine_tree *t, enum part p,
		     const struct memory_holders *h)
{
	enum held_kind k = part_holder(p);

	say(to, size, part_words_in(t, p));
	say(to, size, ": ");
	say_kb(to, size, t->of[p]);
	if (!h || !k || !h->of[k].nr || (k == HELD_CACHE && h->of[k].all < t->of[p] / WORTH))
		return;
	say(to, size, " (");
	if (k == HELD_CACHE) {
		say(to, size, h->walked ? "the files below the folder have " : "open files have ");
		say_kb(to, size, h->of[k].all);
		say(to, size, " in the page cache; ");
	}
	say(to, size,
	    k == HELD_SHMEM ? "the largest memfd, tmpfs or SysV segment, mapped or not: "
			    : "most: ");
	say(to, size, h->of[k].most[0].name);
	say(to, size, ", ");
	say_kb(to, size, h->of[k].most[0].kb);
	say(to, size, ")");
}

static void say_use(char *to, size_t size, struct machine_tree *t, const struct memory_holders *h)
{
	int64_t free_kb = 0;

	for (int p = 0; p < PART_UNEXPLAINED; p++)
		free_kb += part_is_free(p) ? t->of[p] : 0;
	say_kb(to, size, free_kb);
	say(to, size, " of ");
	say_kb(to, size, t->total);
	say(to, size, " are free");
	for (int i = 0; i < NAMED; i++) {
		enum part p = largest(t);

		if (i && t->of[p] < t->total / WORTH)
			break;
		say(to, size, i ? "; " : ". Most of the rest is used for ");
		say_part(to, size, t, p, h);
		t->named[p] = true;
	}
	say(to, size, ".");
}

static void say_return(char *to, size_t size, const struct machine_tree *t)
{
	int64_t cache = t->of[PART_CACHE_MAPPED] + t->of[PART_CACHE_UNMAPPED],
		slab = t->of[PART_SLAB_RECLAIMABLE], clean = cache - t->dirty - t->unevictable;

	clean = clean > 0 ? clean : 0;
	say(to, size, "When memory is short, reclaim can free up to ");
	say_kb(to, size, clean + slab);
	say(to, size, " without swap: ");
	say_kb(to, size, clean);
	say(to, size, " of clean page cache, and up to ");
	say_kb(to, size, slab);
	say(to, size, " of slabs");
	if (t->dirty) {
		say(to, size, ". Another ");
		say_kb(to, size, t->dirty);
		say(to, size, " of page cache are dirty and must be written to disk first");
	}
	if (t->unevictable) {
		say(to, size, t->dirty ? ", and " : ". Another ");
		say_kb(to, size, t->unevictable);
		say(to, size,
		    t->dirty ? " are locked in memory, or of a ramfs, and stay"
			     : " of page cache are locked in memory, or of a ramfs, and stay");
	}
	say(to, size, ".");
}

static void say_unseen(char *to, size_t size, const struct memory_holders *h)
{
	char words[120];

	snprintf(
		words, sizeof(words),
		"; only root can see the open files of %zu of %zu processes, and the size of their "
		"pipes and memfds",
		h->unseen, h->processes);
	say(to, size, words);
}

static void say_unexplained(char *to, size_t size, const struct machine_tree *t,
			    const struct memory_holders *h, int64_t page_kb)
{
	int64_t kb = t->of[PART_UNEXPLAINED];
	char percent[32];

	if (kb < 0) {
		say(to, size, "The parts exceed MemTotal by ");
		say_kb(to, size, -kb);
		say(to, size,
		    ", because memory changed while it was read, or because two counters include "
		    "the same pages.");
		return;
	}
	say_kb(to, size, kb);
	snprintf(percent, sizeof(percent), " (%.2f %%)", 100.0 * (double)kb / (double)t->total);
	say(to, size, percent);
	say(to, size,
	    t->frames
		    ? " are unaccounted for, because no counter includes them and their frames "
		      "have no flag"
		    : " are in no line of meminfo; only page frames show what they are, and how much "
		      "page cache and shared memory is mapped (/proc/kpageflags, for root)");
	if (h && h->unseen)
		say_unseen(to, size, h);
	if (t->largest.inode && t->frames) {
		say(to, size, "; of all cgroups, ");
		say(to, size, t->group[0] ? t->group : "one without a path");
		say(to, size, " is charged for the most frames without a flag, ");
		say_kb(to, size, t->largest.pages * page_kb);
	}
	say(to, size, ".");
}

void machine_answer(struct machine_tree *t, const struct memory_holders *h, int64_t page_kb,
		    char sentence[3][SENTENCE])
{
	for (int i = 0; i < 3; i++)
		sentence[i][0] = '\0';
	say_use(sentence[0], SENTENCE, t, h);
	say_return(sentence[1], SENTENCE, t);
	say_unexplained(sentence[2], SENTENCE, t, h, page_kb);
}
