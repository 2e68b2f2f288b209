// SPDX-License-Identifier: MIT
/* Reports a run that ended early. */
#include "base/output.h"
#include "check.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/*
 * Writes the results of the cases that have run. If cmocka has written its text already, that text
 * stays, and only the early end is added. Returns 0, or -1 with errno.
 */
static int write_results(const struct check *c, const struct journal_state *s)
{
	const struct check_options *o = c->options;
	bool colour = check_wants_colour(o), is_text = o->format == FORMAT_TEXT;
	FILE *out;
	int failed;

	/* The report may be complete already. Text that was written to stdout cannot be removed. */
	if (s->ended && !is_text && !o->output)
		return 0;
	if (o->output && !is_text && (ftruncate(c->out, 0) || lseek(c->out, 0, SEEK_SET)))
		return -1;
	out = fdopen(dup(c->out), "w");
	if (!out)
		return -1;
	failed = is_text && !c->is_brief ? report_ended(&c->results, out, colour)
					 : check_write(c, out, colour);
	return fclose(out) || failed ? -1 : 0;
}

int check_report_early(struct check *c, const char *reason, bool may_wait)
{
	const struct check_options *o = c->options;
	struct journal_state s;
	char why[512] = "";
	int status;

	if (journal_read_kept(&c->results, &s, &c->journal, why, sizeof(why))) {
		trouble("%s, before the first case", reason);
		return o->bisect ? EXIT_CANNOT_TELL : EXIT_TROUBLE;
	}
	results_end_early(&c->results, &s, reason);
	trouble("%s%s%s", reason, s.running[0] ? ", in " : "", s.running);
	if (write_results(c, &s))
		trouble("%s: %s", o->output ? o->output : "stdout", strerror(errno));
	else if (o->output && (may_wait || !output_is_special(o->output)) &&
		 check_copy_out(c, why, sizeof(why)))
		trouble("%s", why);
	status = check_status(c->results.count, s.differing != 0, o->bisect);
	results_free(&c->results);
	if (status == EXIT_FAILS)
		return status;
	return o->bisect ? EXIT_CANNOT_TELL : EXIT_TROUBLE;
}
