// SPDX-License-Identifier: MIT
/*
 * Writes the results of a check in the requested format, with or without colour, to a file or
 * stdout.
 */
#include "base/print/style.h"
#include "check.h"
#include "cmd/line/sink.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

bool check_wants_colour(const struct check_options *o)
{
	if (o->colour != COLOUR_AUTO)
		return o->colour == COLOUR_ALWAYS;
	return !o->output && style_is_wanted(stdout);
}

int check_copy_out(const struct check *c, char *why, size_t size)
{
	const char *path = c->options->output;
	struct stat st;
	void *text;
	int failed;

	if (fstat(c->out, &st)) {
		snprintf(why, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	if (!st.st_size)
		return sink_write(path, "", 0, why, size);
	text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, c->out, 0);
	if (text == MAP_FAILED) {
		snprintf(why, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	failed = sink_write(path, text, (size_t)st.st_size, why, size);
	munmap(text, (size_t)st.st_size);
	return failed;
}

static int write_quiet(const struct results *r, FILE *out, bool colour)
{
	for (size_t i = 0; i < r->nr; i++)
		if (r->of[i].verdict == VERDICT_FAIL || r->of[i].verdict == VERDICT_ERROR)
			if (report_case(&r->of[i], r, out, colour))
				return -1;
	return fflush(out);
}

int check_write(const struct check *c, FILE *out, bool colour)
{
	switch (c->options->format) {
	case FORMAT_KTAP:
		return report_ktap(&c->results, out);
	case FORMAT_JUNIT:
		return report_junit(&c->results, out);
	case FORMAT_JSON:
		return report_json(&c->results, out);
	default:
		return c->is_brief ? report_brief(&c->results, out, colour)
				   : write_quiet(&c->results, out, colour);
	}
}
