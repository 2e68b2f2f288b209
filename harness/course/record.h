// SPDX-License-Identifier: MIT
/*
 * The record of a demo, schema "rssck-demo/1": what every file and program said after each step
 * of some cases on one kernel, and the pages of each process. A course is made from such records.
 *
 *	{ schema, kernel: { release, machine, page_size, cpus, models }, columns: [NAME...],
 *	  cases: [{ id, end, why, steps: [{ name, skipped, reported: { NAME: pages },
 *	    machine: { NAME: kB }, processes: [{ numbers: [...], maps: [...] }],
 *	    sums: { processes, rss, pss } }] }] }
 *
 * Where a lesson shows the whole machine, a step has "tree", its parts, which add up to "total",
 * "most", who has most of a part, and "answer", sentences; where it shows the grid, the record has
 * "grid": { KIND: { NAME: kB }, "KIND/ACT": { NAME: kB, refused: errno } }, without what is 0.
 *
 * All sizes are in kB but those that a workload has reported, which are in pages. A number that
 * was not there is null.
 */
#ifndef RSSCK_COURSE_RECORD_H
#define RSSCK_COURSE_RECORD_H

#include "engine/trial.h"
#include "grid/grid.h"
#include <jansson.h>

/* Processes whose numbers are recorded one by one, from the leader on. */
enum { RECORD_PROCESSES = 3 };

/* A record without a case. */
json_t *record_begin(const struct engine *e);

/* One more case, whose steps record_look() adds. */
json_t *record_add_case(json_t *record, const struct case_registration *c);

/* Its last moment, while the processes stand still. */
void record_look(json_t *of_case, const struct trial *t, const pid_t *pid);

/* The grid's rows of the kinds and acts that lessons show. */
void record_add_grid(json_t *record, const struct grid *g);

/* The words of a table's head, ended by NULL. */
struct record_word {
	const char *name, *words;
};
extern const struct record_word record_kinds[], record_acts[];

/* How it ended: "holds", "fails", "skipped" or "error", and why. */
void record_end(json_t *of_case, const char *end, const char *why);

/* The case of that id, or NULL where it is not in the record, or could not run. */
const json_t *record_case(const json_t *record, const char *id);

/* Its step; 0 is the baseline. NULL: it has none, or it could not be done there. */
const json_t *record_step(const json_t *of_case, size_t step);

/*
 * A number of one step, in kB (a reported one: in pages): a column ("status.VmRSS", "top.RES"), a
 * sum over all processes ("sums.rss"), a line of meminfo ("meminfo.Cached"), what the workload has
 * reported ("reported.current"), a part of the machine ("tree.shmem_unmapped") or a number of the
 * grid ("grid.anon/free.VmRSS"). A column of top or ps that is not there is the number of the
 * file that it reads. False where it is not there.
 */
bool record_number(const json_t *record, const json_t *step, size_t process, const char *name,
		   int64_t *number);

/* The same as people read it, into buf: "3,916", what a program printed that is not a number
 * ("12.0g"), or a dash. */
const char *record_words(const json_t *record, const json_t *step, size_t process, const char *name,
			 char *buf, size_t size);

/* A cell of the grid, before any act where `act` is NULL; NULL: that kernel does not have it. */
const json_t *record_grid(const json_t *record, const char *kind, const char *act);

/* The first contradiction in a record, into `why`: 0 none, -1 one. */
int record_check(const json_t *record, char *why, size_t size);

#endif
