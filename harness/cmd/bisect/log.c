// SPDX-License-Identifier: MIT
/*
 * The log of a bisection. It has a line for each kernel: the kernel's name, a tab, and the case's
 * result.
 */
#include "bisect.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char head[] = "# rssck bisect ";

static void take(struct candidates *c, char *line)
{
	char *tab = strchr(line, '\t');
	int i;

	if (line[0] == '#' || !tab)
		return;
	*tab = '\0';
	i = candidate_index(c, line);
	if (i >= 0)
		snprintf(c->of[i].result, sizeof(c->of[i].result), "%s", tab + 1);
}

/*
 * True if the line begins the log of this case. A run that was killed may have left only a part of
 * that line; bisect_log_add() then removes it.
 */
static bool is_head(const char *line, bool whole, const char *id)
{
	char expected[RESULT_SIZE];

	snprintf(expected, sizeof(expected), "%s%s", head, id);
	return whole ? !strcmp(line, expected) : !strncmp(line, expected, strlen(line));
}

int bisect_log_read(struct candidates *c, const struct bisect_options *o)
{
	char line[RESULT_SIZE + 256];
	FILE *f = o->log ? fopen(o->log, "re") : NULL;
	bool other = false;

	if (!f && o->log && errno != ENOENT)
		return trouble("bisect: %s: %s", o->log, strerror(errno)), -1;
	for (bool first = true; f && !other && fgets(line, sizeof(line), f); first = false) {
		bool whole = strchr(line, '\n');

		line[strcspn(line, "\n")] = '\0';
		other = first && !is_head(line, whole, o->id);
		if (whole)
			take(c, line);
	}
	if (f)
		fclose(f);
	if (other)
		return trouble("bisect: %s is not the log of a bisection of %s; name another file with --log",
			       o->log, o->id),
		       -1;
	return 0;
}

/* Returns the end of the last complete line, or -1 with errno. */
static off_t whole_lines(FILE *f)
{
	off_t whole = 0;
	int c;

	rewind(f);
	while ((c = getc(f)) != EOF)
		if (c == '\n')
			whole = ftello(f);
	return ferror(f) ? -1 : whole;
}

/* Called after each kernel, so that a run that is killed loses at most its last result. */
int bisect_log_add(const struct candidate *k, const struct bisect_options *o)
{
	FILE *f = o->log ? fopen(o->log, "a+e") : NULL;
	off_t size = f ? whole_lines(f) : -1;
	bool failed = size < 0 || ftruncate(fileno(f), size) || fseeko(f, 0, SEEK_END);

	if (!o->log)
		return 0;
	if (!failed && size == 0)
		fprintf(f, "%s%s\n", head, o->id);
	failed = failed || fprintf(f, "%s\t%s\n", k->name, k->result) < 0;
	if (f && fclose(f))
		failed = true;
	if (failed)
		trouble("bisect: %s: %s", o->log, strerror(errno));
	return failed ? -1 : 0;
}
