// SPDX-License-Identifier: MIT
/* nr_dirtied counts pages when they are written to a file, nr_written when they are on disk. */
#include <rssck/case.h>

enum { PAGES = 1024, FD = 0 };
STEP_SYMBOLS(WRITE, SYNC);

static int64_t line(const char *name)
{
	return workload_number("/proc/vmstat", name, 0);
}

static void report(struct workload *w)
{
	workload_set(w, "/proc/sys/vm/stat_refresh", "1");
	workload_report(w, "dirtied", line("nr_dirtied") - w->number[0]);
	workload_report(w, "written", line("nr_written") - w->number[1]);
}

static void write_file(struct workload *w)
{
	w->fd[FD] = workload_file(w, PAGES);
	workload_case_needs_writeback(w, w->fd[FD]);
	workload_must(w, fsync(w->fd[FD]), "fsync");
	workload_set(w, "/proc/sys/vm/stat_refresh", "1");
	w->number[0] = line("nr_dirtied");
	w->number[1] = line("nr_written");
	for (size_t at = 0; at < PAGES * w->page_size; at += WORKLOAD_BUFFER)
		if (pwrite(w->fd[FD], workload_buffer, WORKLOAD_BUFFER, (off_t)at) < 0)
			workload_die(w, "write: %m");
	report(w);
}

static void sync_file(struct workload *w)
{
	workload_must(w, fsync(w->fd[FD]), "fsync");
	report(w);
}

/* Allows for pages of the file system itself, which also decides when it starts writing. */
static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		unsigned step;
		const char *name, *line;
	} claims[] = { { WRITE, "dirtied", "nr_dirtied" }, { SYNC, "written", "nr_written" } };

	for (size_t i = 0; i < sizeof(claims) / sizeof(*claims); i++)
		judge_within(
			j, claims[i].step, 0, claims[i].line,
			trial_reported(t, claims[i].step, claims[i].name), PAGES + PAGES / 4,
			PAGES / 4,
			"each written page of the file counts, plus at most half as many pages of the file system itself");
}

CASE(machine_written) {
	.claim = "nr_dirtied in vmstat rises by one for each clean page of a file that is written, "
		 "and nr_written by one for each page that fsync(2) writes to disk",
	.because = "folio_account_dirtied() adds a folio's pages to NR_DIRTIED when the folio "
		   "becomes dirty. __folio_end_writeback() adds them to NR_WRITTEN when the write "
		   "ends.",
	.said_by = SAID_BY("Documentation/filesystems/proc.rst, vmstat"),
	.needs = NEEDS("root", "guest"),
	.steps = STEPS(STEP_AS(WRITE, "write", write_file), STEP_AS(SYNC, "fsync", sync_file)),
	.judge = judge,
};
