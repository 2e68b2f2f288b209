// SPDX-License-Identifier: MIT
/*
 * Bugs of Linux, fixed or not, in the numbers that rssck checks: the rows of history.def. A case
 * shows most of them, as a fact or by failing. If a rule names the bug (rules.def), the bug's
 * effect on other numbers is excused.
 */
#ifndef RSSCK_BUG_H
#define RSSCK_BUG_H

#include <stddef.h>

struct fact;
struct results;

struct bug {
	const char *title;   /* what is wrong, in a few words: "VmLck counts unlocked memory" */
	const char *fix;     /* the commit that fixed it, 12 digits; NULL if none is known */
	const char *subject; /* subject line of that commit */
	const char *lived;   /* versions with the bug: "5.7 to 7.3; 6.12 before 6.12.114" */
	const char *number;  /* field or call that is wrong: "status.VmLck" */
	const char *by;      /* id of the case that shows the bug; NULL if none does */
	const char *fact;    /* fact of that case that shows the bug; NULL if the case shows it by
			      * failing */
	const char *value;   /* values of the fact on kernels with the bug, "this|or that" */
	const char *unseen;  /* why no case shows it, or NULL */
	unsigned finding;    /* number in results/FINDINGS.md, or 0 */
};

const struct bug *bugs_all(size_t *nr);

/* Returns the row of a bug of <rssck/bug_id.h>, not of BUG_NONE. */
const struct bug *bug(unsigned id);

/* Returns the bug that a fact with this value shows, or NULL. */
const struct bug *bug_of_fact(const struct fact *f);

/* Returns how many facts of a run show a bug. */
size_t results_bugs(const struct results *r);

/*
 * Writes "known bug here: TITLE (VERSIONS), fixed by COMMIT; FINDINGS n" into buf, without the
 * commit or the finding if the row has none. Returns buf.
 */
const char *bug_words(const struct bug *b, char *buf, size_t size);

#endif
