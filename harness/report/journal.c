// SPDX-License-Identifier: MIT
/* Writes the journal. */
#include "journal.h"
#include "base/output.h"
#include "json.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int journal_open(struct journal *j, const char *path, char *why, size_t size)
{
	*j = (struct journal) { .fd = -1, .kept = -1 };
	if (!path)
		return 0;
	/* O_NONBLOCK, because opening a FIFO without a reader would block. */
	j->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
	if (j->fd < 0) {
		snprintf(why, size, "%s: %s; name another --journal", path,
			 errno == ENXIO ? "no process reads this FIFO" : strerror(errno));
		return -1;
	}
	fcntl(j->fd, F_SETFL, O_APPEND);
	return 0;
}

void journal_close(struct journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	if (j->kept >= 0)
		close(j->kept);
	j->fd = j->kept = -1;
}

bool journal_keep(struct journal *j)
{
	j->kept = memfd_create("rssck-journal", MFD_CLOEXEC);
	return j->kept >= 0;
}

/*
 * Writes to a file that may be a pipe without a reader. The caller gets EPIPE, and SIGPIPE does not
 * end the run.
 */
static int write_without_sigpipe(int fd, const char *text, size_t length)
{
	const struct timespec at_once = { 0 };
	sigset_t pipe, before;
	int number;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigprocmask(SIG_BLOCK, &pipe, &before);
	number = write_all(fd, text, length) ? errno : 0;
	if (number == EPIPE && !sigismember(&before, SIGPIPE))
		sigtimedwait(&pipe, NULL, &at_once);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return number;
}

static void put(struct journal *j, json_t *line)
{
	char *text = json_dumps(line, JSON_COMPACT);
	size_t length;

	json_decref(line);
	if (!text) {
		j->number = ENOMEM;
		return;
	}
	/* The newline replaces the NUL, so that one write(2) writes the whole line. */
	length = strlen(text);
	text[length] = '\n';
	if (j->kept >= 0 && write_all(j->kept, text, length + 1)) {
		close(j->kept);
		j->kept = -1;
	}
	if (j->fd >= 0 && !j->number)
		j->number = write_without_sigpipe(j->fd, text, length + 1);
	free(text);
}

static bool is_off(const struct journal *j)
{
	return j->kept < 0 && (j->fd < 0 || j->number);
}

void journal_start(struct journal *j, const struct results *r)
{
	json_t *line;

	if (is_off(j))
		return;
	line = json_object();
	json_set_words(line, "journal", JOURNAL_SCHEMA);
	json_set_number(line, "selected", (int64_t)r->nr_selected);
	json_set_machine(line, r);
	json_object_set_new(line, "curves", json_curves(r->curves, r->nr_curves));
	put(j, line);
}

static void put_step(struct journal *j, const char *what, const char *id, unsigned run)
{
	json_t *line;

	if (is_off(j))
		return;
	line = json_object();
	json_set_words(line, what, id);
	json_set_number(line, "run", run);
	put(j, line);
}

void journal_begin(struct journal *j, const char *id, unsigned run)
{
	put_step(j, "begin", id, run);
}

void journal_done(struct journal *j, const char *id, unsigned run)
{
	put_step(j, "done", id, run);
}

void journal_case(struct journal *j, const struct result *r, const struct curve *curves,
		  size_t nr_curves)
{
	json_t *line;

	if (is_off(j))
		return;
	line = json_object();
	json_object_set_new(line, "case", json_case(r));
	json_object_set_new(line, "curves", json_curves(curves, nr_curves));
	put(j, line);
}

void journal_differs(struct journal *j, size_t differences, unsigned run)
{
	json_t *line;

	if (is_off(j))
		return;
	line = json_object();
	json_set_number(line, "differs", (int64_t)differences);
	json_set_number(line, "run", run);
	put(j, line);
}

void journal_end(struct journal *j, const struct results *r)
{
	json_t *line;

	if (is_off(j))
		return;
	line = json_object();
	json_object_set_new(line, "end", json_summary(r));
	put(j, line);
}
