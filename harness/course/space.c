// SPDX-License-Identifier: MIT
/* Reads an address space from pagemap, as runs of pages. */
#include "space.h"
#include "base/print/json.h"
#include <ctype.h>
#include <fcntl.h>
#include <rssck/source.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAPS_MOST = 4, WORDS = 512, PAGES_MOST = 1 << 24 };

const char space_states[] = ".ahfmzs";

const char *space_words(char state)
{
	switch (tolower((unsigned char)state)) {
	case SPACE_NONE:
		return "reserved, no page";
	case SPACE_ANON:
		return "anonymous";
	case SPACE_HUGE:
		return "anonymous, huge";
	case SPACE_FILE:
		return "of a file";
	case SPACE_SHMEM:
		return "shared memory (tmpfs)";
	case SPACE_ZERO:
		return "the zero page";
	case SPACE_SWAP:
		return "on swap";
	}
	return "";
}

char space_run(const char **runs, unsigned long *pages)
{
	char *end;

	*pages = strtoul(*runs, &end, 10);
	if (!*end || end == *runs)
		return 0;
	*runs = end + 1;
	return *end;
}

unsigned space_cells(const char *runs, uint64_t pages, uint64_t each, char *cells)
{
	unsigned nr = (unsigned)((pages + each - 1) / each);
	unsigned long length;
	uint64_t at = 0;

	memset(cells, SPACE_NONE, nr);
	for (char state; (state = space_run(&runs, &length)); at += length)
		for (uint64_t i = at / each; state != SPACE_NONE && i * each < at + length; i++)
			if (i < nr && cells[i] == SPACE_NONE)
				cells[i] = state;
	return nr;
}

/* The state of a pagemap entry; `of_files` is the state of a file's pages in this mapping. */
static char state_of(uint64_t word, const struct mapping *m, char of_files)
{
	bool own = word & PAGEMAP_EXCLUSIVE;
	char state = SPACE_ANON;

	if (word & PAGEMAP_SWAP)
		return word & PAGEMAP_GUARD ? SPACE_NONE : SPACE_SWAP;
	if (!(word & PAGEMAP_PRESENT))
		return SPACE_NONE;
	if (word & PAGEMAP_FILE || m->shared)
		state = of_files;
	else if (!own && m->pagemap.of[CLASS_ZERO] && !m->pagemap.of[CLASS_ANON])
		return SPACE_ZERO;
	else if (mapping_smaps(m, METRIC_SMAPS_ANONHUGEPAGES) &&
		 mapping_smaps(m, METRIC_SMAPS_ANONHUGEPAGES) ==
			 mapping_smaps(m, METRIC_SMAPS_ANONYMOUS))
		state = SPACE_HUGE;
	return own ? state : (char)toupper(state);
}

/*
 * Writes runs like "128a128.". If there are more runs than a picture shows, the remaining pages are
 * added to the last run.
 */
static void runs_read(int fd, const struct mapping *m, long page, FILE *out)
{
	char of_files = m->pagemap.file_class == CLASS_SHMEM ? SPACE_SHMEM : SPACE_FILE;
	uint64_t words[WORDS], bytes = WORDS * (uint64_t)page;
	unsigned long length = 0;
	unsigned runs = 0;
	char state = 0;

	for (uint64_t at = m->start; at < m->end; at += bytes) {
		uint64_t end = m->end - at < bytes ? m->end : at + bytes;
		int64_t nr = pagemap_entries(fd, page, at, end, words);

		if (nr <= 0 || (at - m->start) / (uint64_t)page >= PAGES_MOST) {
			length += (m->end - at) / (uint64_t)page;
			break;
		}
		for (int64_t i = 0; i < nr; i++, length++) {
			char next = state_of(words[i], m, of_files);

			if (next == state || runs == SPACE_RUNS)
				continue;
			if (length)
				fprintf(out, "%lu%c", length, state);
			runs++;
			length = 0;
			state = next;
		}
	}
	if (length)
		fprintf(out, "%lu%c", length, state ? state : SPACE_NONE);
}

static json_t *map_read(int fd, const struct mapping *m, long page)
{
	json_t *one = json_object();
	char mode[5], *runs = NULL;
	size_t length;
	FILE *out = open_memstream(&runs, &length);

	snprintf(mode, sizeof(mode), "%c%c%c%c", m->readable ? 'r' : '-', m->writable ? 'w' : '-',
		 m->executable ? 'x' : '-', m->shared ? 's' : 'p');
	json_set_words(one, "name", m->name);
	json_set_words(one, "mode", mode);
	json_set_number(one, "pages", (int64_t)(m->end - m->start) / page);
	if (out) {
		runs_read(fd, m, page, out);
		fclose(out);
	}
	json_set_words(one, "runs", runs ? runs : "");
	free(runs);
	json_set_number(one, "dirty",
			mapping_smaps(m, METRIC_SMAPS_PRIVATE_DIRTY) +
				mapping_smaps(m, METRIC_SMAPS_SHARED_DIRTY));
	json_set_number(one, "huge", mapping_smaps(m, METRIC_SMAPS_ANONHUGEPAGES));
	return one;
}

/*
 * True for a mapping of the program itself: it existed before the first step, with the same size
 * and sharing.
 */
static bool was_there(const struct mapping *m, const struct snapshot *before)
{
	const struct mapping *old = before ? snapshot_mapping(before, m->start) : NULL;

	return mapping_is_gate(m) ||
	       (old && old->start == m->start && old->end == m->end && old->shared == m->shared);
}

/* True if a picture shows mapping m: it shows only the mappings with the largest RSS. */
static bool is_shown(const struct mapping *m, const struct snapshot *s,
		     const struct snapshot *before)
{
	unsigned larger = 0;

	if (was_there(m, before))
		return false;
	for (const struct mapping *o = s->maps; o < s->maps + s->nr_maps; o++) {
		int64_t more = mapping_smaps(o, METRIC_SMAPS_RSS) -
			       mapping_smaps(m, METRIC_SMAPS_RSS);

		larger += !was_there(o, before) && (more > 0 || (!more && o < m));
	}
	return larger < MAPS_MOST;
}

json_t *space_read(const struct snapshot *s, const struct snapshot *before, pid_t pid, long page)
{
	json_t *maps = json_array(), *others = json_object();
	int64_t nr = 0, pages = 0, rss = 0, pss = 0;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	for (size_t i = 0; i < s->nr_maps; i++) {
		const struct mapping *m = &s->maps[i];

		if (is_shown(m, s, before)) {
			json_array_append_new(maps, map_read(fd, m, page));
			continue;
		}
		nr++;
		pages += mapping_is_gate(m) ? 0 : (int64_t)(m->end - m->start) / page;
		rss += mapping_smaps(m, METRIC_SMAPS_RSS);
		pss += mapping_smaps(m, METRIC_SMAPS_PSS);
	}
	if (fd >= 0)
		close(fd);
	json_set_number(others, "maps", nr);
	json_set_number(others, "pages", pages);
	json_set_number(others, "rss", rss);
	json_set_number(others, "pss", pss);
	json_array_append_new(maps, others);
	return maps;
}
