// SPDX-License-Identifier: MIT
/*
 * An address space as pages: the mappings that a case has made or changed, each as runs of pages of
 * one state, and one entry for all other mappings of the program.
 */
#ifndef RSSCK_COURSE_SPACE_H
#define RSSCK_COURSE_SPACE_H

#include <jansson.h>
#include <rssck/snapshot.h>

/*
 * The states of a page, one letter each. A capital letter means that other processes also map the
 * page, if the kernel shows that.
 */
enum space_state {
	SPACE_NONE = '.',  /* address space without a page */
	SPACE_ANON = 'a',  /* anonymous */
	SPACE_HUGE = 'h',  /* anonymous, part of a huge page */
	SPACE_FILE = 'f',  /* page cache of a file */
	SPACE_SHMEM = 'm', /* page cache of tmpfs: shared memory */
	SPACE_ZERO = 'z',  /* the zero page */
	SPACE_SWAP = 's',  /* on swap */
};

enum { SPACE_STATES = 7, SPACE_RUNS = 160 };

/* All letters in the order of the legend, and the words for each letter. */
extern const char space_states[];
const char *space_words(char state);

/*
 * Reads the mappings with the largest RSS, at most four, that `before` does not have, or has with
 * another size or sharing: [{ name, mode, pages, runs: "128a128.", dirty, huge }], with dirty and
 * huge in kB. The last element has no runs: { maps, pages, rss, pss } is the sum of all other
 * mappings, with rss and pss in kB.
 */
json_t *space_read(const struct snapshot *s, const struct snapshot *before, pid_t pid, long page);

/*
 * Converts a mapping's runs to cells of `each` pages. A cell shows its first state other than
 * SPACE_NONE. Returns the number of cells.
 */
unsigned space_cells(const char *runs, uint64_t pages, uint64_t each, char *cells);

/* Reads the next run of "128a128.". Returns its state, or 0 at the end. */
char space_run(const char **runs, unsigned long *pages);

#endif
