// SPDX-License-Identifier: MIT
/* Tries kernels: builds the commits of a tree, boots each kernel, and logs its result. */
#include "base/print/ticker.h"
#include "bisect.h"
#include <string.h>

bool cannot_tell(const struct candidate *k)
{
	return k->result[0] == '?';
}

int bisect_try(struct candidates *c, int i, const struct bisect_options *o)
{
	struct candidate *k = &c->of[i];
	bool known = k->result[0];
	struct ticker t;
	int status = 0;

	if (!known) {
		ticker_open(&t);
		ticker_show(&t, "%s", k->name);
		if (o->tree)
			status = tree_build(k, o);
		if (!status && !k->result[0])
			candidate_try(k, o);
		ticker_close(&t);
		if (status || bisect_log_add(k, o))
			return -1;
	}
	printf("%-32s %s%s%s\n", k->name, cannot_tell(k) ? "cannot be judged: " : "",
	       k->result + cannot_tell(k), known ? " (from the log)" : "");
	fflush(stdout);
	return 0;
}

int bisect_try_ends(struct candidates *c, int good, int bad, const struct bisect_options *o)
{
	if (bisect_try(c, good, o) || bisect_try(c, bad, o))
		return -1;
	if (cannot_tell(&c->of[good]) || cannot_tell(&c->of[bad]))
		return trouble("bisect: %s cannot be judged on %s; choose another kernel", o->id,
			       c->of[cannot_tell(&c->of[good]) ? good : bad].name),
		       -1;
	if (!strcmp(c->of[good].result, c->of[bad].result))
		return trouble("bisect: %s has the same result on %s and %s", o->id,
			       c->of[good].name, c->of[bad].name),
		       -1;
	return 0;
}
