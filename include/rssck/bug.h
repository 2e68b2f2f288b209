// SPDX-License-Identifier: MIT
/*
 * Real bugs that Linux has had, or has, in the numbers that rssck checks: the
 * rows of history.def, each with an id. A fact of a case shows it, or it fails a case; what
 * a bug makes of other numbers is excused where a rule names it (rules.def).
 */
#ifndef RSSCK_BUG_H
#define RSSCK_BUG_H

#include <stddef.h>

struct fact;
struct results;

#define BUG(id, ...) BUG_##id,
enum bug_id {
	BUG_NONE,
#include <rssck/history.def>
	BUG_COUNT,
};
#undef BUG

struct bug {
	const char *title;   /* what is wrong, in a few words: "VmLck counts unlocked memory" */
	const char *fix;     /* the commit, 12 digits; NULL: none is known */
	const char *subject; /* of that commit */
	const char *lived;   /* the versions that have it: "5.7 to 7.3; 6.12 before 6.12.114" */
	const char *number;  /* the field or call that is wrong: "status.VmLck" */
	const char *by;      /* id of the case that shows it; NULL: none can */
	const char *fact;    /* of that case, which shows it; NULL: the case fails */
	const char *value;   /* what the fact says where the bug is, "this|or that" */
	const char *unseen;  /* why no case shows it, where none does */
	unsigned finding;    /* its number in results/FINDINGS.md; 0: none */
};

const struct bug *bugs_all(size_t *nr);

/* The row of a bug; id must not be BUG_NONE. */
const struct bug *bug(enum bug_id id);

/* The bug that a fact of that value shows, or NULL. */
const struct bug *bug_of_fact(const struct fact *f);

/* How many facts of a run tell of a bug. */
size_t results_bugs(const struct results *r);

/* "known bug here: TITLE (VERSIONS), fixed by COMMIT; FINDINGS n", into buf. */
const char *bug_words(const struct bug *b, char *buf, size_t size);

#endif
