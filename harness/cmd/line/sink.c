// SPDX-License-Identifier: MIT
/*
 * Keeps the text for a file in memory until it is complete, so that no incomplete file is left if
 * rssck ends early.
 */
#include "sink.h"
#include "base/output.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int sink_open(struct sink *s, const char *path, char *why, size_t size)
{
	*s = (struct sink) { .path = path, .out = stdout };
	if (!path)
		return 0;
	if (output_check(path, why, size))
		return -1;
	s->out = open_memstream(&s->text, &s->length);
	if (s->out)
		return 0;
	snprintf(why, size, "%s: %s", path, strerror(errno));
	return -1;
}

/* Blocks all signals between writing the temporary file and renaming it. */
static int write_file(const char *path, const char *text, size_t length, char *why, size_t size)
{
	sigset_t all, before;
	int failed;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	failed = output_write(path, text, length, why, size);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return failed;
}

/* The reader of a pipe may end early. This is an error to report, so SIGPIPE is ignored. */
static int write_special(const char *path, const char *text, size_t length, char *why, size_t size)
{
	sighandler_t before = signal(SIGPIPE, SIG_IGN);
	int failed = output_write(path, text, length, why, size);

	signal(SIGPIPE, before);
	return failed;
}

int sink_write(const char *path, const char *text, size_t length, char *why, size_t size)
{
	return output_is_special(path) ? write_special(path, text, length, why, size)
				       : write_file(path, text, length, why, size);
}

int sink_close(struct sink *s, int failed, char *why, size_t size)
{
	if (s->path && fclose(s->out))
		failed = -1;
	if (failed)
		snprintf(why, size, "%s: %s", s->path ? s->path : "stdout", strerror(errno));
	else if (s->path)
		failed = sink_write(s->path, s->text, s->length, why, size);
	free(s->text);
	s->text = NULL;
	return failed;
}

void sink_drop(struct sink *s)
{
	if (s->path)
		fclose(s->out);
	free(s->text);
	s->text = NULL;
}
