// SPDX-License-Identifier: MIT
/*
 * The record of a demo, schema "rssck-demo/1": the numbers of every file and program after each
 * step of some cases on one kernel, and the pages of each process. A course is made from such
 * records.
 *
 * 	{ schema, kernel: { release, machine, page_size, cpus, models }, columns: [NAME...],
 * 	  cases: [{ id, end, why, steps: [{ name, skipped, reported: { NAME: pages },
 * 	    machine: { NAME: kB }, processes: [{ numbers: [...], maps: [...] }],
 * 	    sums: { processes, rss, pss } }] }] }
 *
 * If a lesson shows the whole machine, a step has three more members: "tree", the parts, which add
 * up to "total"; "most", the largest holder of each part; and "answer", sentences. If a lesson
 * shows the grid, the record has "grid": { KIND: { NAME: kB }, "KIND/ACT": { NAME: kB, refused:
 * errno } }, without zeros.
 *
 * All sizes are in kB, except sizes that a workload has reported, which are in pages. A missing
 * number is null.
 */
#ifndef RSSCK_COURSE_RECORD_H
#define RSSCK_COURSE_RECORD_H

#include "engine/trial.h"
#include "grid/grid.h"
#include <jansson.h>

/* The number of processes whose numbers are recorded individually, beginning with the leader. */
enum { RECORD_PROCESSES = 3 };

/* Makes a record without cases. */
json_t *record_begin(const struct engine *e);

/* Adds a case; record_look() then adds its steps. */
json_t *record_add_case(json_t *record, const struct case_registration *c);

/* Adds the case's latest moment. Call it while the processes are stopped. */
void record_look(json_t *of_case, const struct trial *t, const pid_t *pid);

/* Adds the grid's cells for the kinds and acts that lessons show. */
void record_add_grid(json_t *record, const struct grid *g);

/* The headings of a table, ended by NULL. */
struct record_word {
	const char *name, *words;
};
extern const struct record_word record_kinds[], record_acts[];

/* Notes how the case ended ("holds", "fails", "skipped" or "error"), and why. */
void record_end(json_t *of_case, const char *end, const char *why);

/* Returns the kernel's page size in bytes, or 0 if *record is not a record. */
int64_t record_page_size(const json_t *record);

/* Returns the case with this id, or NULL if the record does not contain it. */
const json_t *record_case(const json_t *record, const char *id);

/*
 * Returns a step of a case; 0 is the baseline. Returns NULL if the case has no such step, or if the
 * step could not run on that kernel.
 */
const json_t *record_step(const json_t *of_case, size_t step);

/*
 * Reads a number of one step, in kB (a reported number is converted from pages). The name is a
 * column ("status.VmRSS", "top.RES"), a sum over all processes ("sums.rss"), a line of meminfo
 * ("meminfo.Cached"), a number that the workload has reported ("reported.current"), a part of the
 * machine ("tree.shmem_unmapped"), or a number of the grid ("grid.anon/free.VmRSS"). If a column of
 * top, ps or pmap -x is missing, the number is read from the file that the tool reads. Returns
 * false if there is no such number.
 */
bool record_number(const json_t *record, const json_t *step, size_t process, const char *name,
		   int64_t *number);

/*
 * Writes the same number as text into buf: "3,916", a program's text that is not a number
 * ("12.0g"), or a dash.
 */
const char *record_words(const json_t *record, const json_t *step, size_t process, const char *name,
			 char *buf, size_t size);

/*
 * Returns a cell of the grid, or NULL if that kernel has no such cell. If `act` is NULL, returns
 * the cell before any act.
 */
const json_t *record_grid(const json_t *record, const char *kind, const char *act);

/*
 * Finds the first contradiction in a record and describes it in `why`. Returns 0 if there is none,
 * otherwise -1.
 */
int record_check(const json_t *record, char *why, size_t size);

#endif
