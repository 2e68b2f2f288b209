// SPDX-License-Identifier: MIT
/*
 * Writes and reads the journal: the results of a run, case by case, so that none is lost if the run
 * does not finish. Each line is a JSON object, written immediately with one write(2). In order:
 *
 *   {"journal": "rssck-journal/1", "selected": 234, "kernel": {...}, "models": {...},
 *    "saw": {...}, "curves": [...]}       once the engine has measured the counters
 *   {"begin": "fork/cow", "run": 1}       before a case; run is 2 or more with --repeat
 *   {"case": {...}, "curves": [...]}      after it; run 1 only; members as in results files
 *   {"done": "fork/cow", "run": 2}        the same for later runs
 *   {"differs": 3, "run": 2}              how many verdicts and facts differ from run 1
 *   {"end": {"pass": 230, ...}}           after the last case
 *
 * If a case is written again, its last line counts: the kernel log may report a bug after a
 * case has passed. A last line without a line break, and lines that cannot be read, are
 * skipped and counted.
 */
#ifndef RSSCK_JOURNAL_H
#define RSSCK_JOURNAL_H

#include <rssck/verdict.h>

/* ---- the writer ---- */

struct journal {
	int fd;     /* -1: there is no journal file */
	int kept;   /* a copy in memory (memfd_create(2)), or -1; if fd is -1, too, all calls do
		     * nothing */
	int number; /* errno of the first failed write to fd; nothing more is written to fd then */
};

/*
 * Opens a file, a pipe (/proc/self/fd/N, /dev/fd/N), or a FIFO that another process reads. If
 * `path` is NULL there is no journal. Returns 0, or -1 with a message in `why`.
 */
int journal_open(struct journal *j, const char *path, char *why, size_t size);
void journal_close(struct journal *j);

/*
 * Keeps a copy in memory, for the process that reports a run that was killed. Returns false on
 * failure.
 */
bool journal_keep(struct journal *j);

void journal_start(struct journal *j, const struct results *r);
void journal_begin(struct journal *j, const char *id, unsigned run);
/* `curves` are the curves that the case has drawn. */
void journal_case(struct journal *j, const struct result *r, const struct curve *curves,
		  size_t nr_curves);
void journal_done(struct journal *j, const char *id, unsigned run);
void journal_differs(struct journal *j, size_t differences, unsigned run);
void journal_end(struct journal *j, const struct results *r);

/* ---- the reader ---- */

/* What a journal says about the run itself. */
struct journal_state {
	bool ended;       /* the run has finished */
	char running[64]; /* the case that was running at the end; "": none */
	unsigned run;     /* number of the run with --repeat; otherwise 1 */
	size_t differing; /* number of repeated runs that differ from the first run */
	size_t damaged;   /* number of lines that could not be read */
};

/*
 * Reads a journal, complete or cut off, into *r, including ->count. `name` is used in messages.
 * Returns 0, or -1 with a message in `why` if even its first line is missing, or cannot be read; *r
 * is then empty.
 */
int journal_read(struct results *r, struct journal_state *s, const char *name, const char *text,
		 size_t length, char *why, size_t size);

/* Reads the copy in memory, like journal_read(). */
int journal_read_kept(struct results *r, struct journal_state *s, const struct journal *j,
		      char *why, size_t size);

/*
 * Turns a journal without an end into the results of a run that ended early. Sets ->ended and
 * ->ended_in. A case that was running for the first time becomes an error with the reason `why`,
 * such as "rssck was killed by signal 9 (Killed)".
 */
void results_end_early(struct results *r, const struct journal_state *s, const char *why);

#endif
