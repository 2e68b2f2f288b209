// SPDX-License-Identifier: MIT
/*
 * Complaints of the kernel: which log records begin one, and what it is about. Takes records, makes
 * a sentence; reads no file.
 */
#ifndef RSSCK_COMPLAINT_H
#define RSSCK_COMPLAINT_H

#include <stdbool.h>
#include <sys/types.h>

enum complaint_about {
	COMPLAINT_OTHERS,     /* a driver, a file system, another process: not caused by a case */
	COMPLAINT_OURS,       /* it names one of our processes */
	COMPLAINT_ACCOUNTING, /* memory accounting, whichever process was running */
};

enum { COMPLAINT_LINE = 200 };

/*
 * One complaint and the records that belong to it: after a WARNING come lines that name the process
 * and the function.
 */
struct complaint {
	bool open; /* more records may belong to it */
	enum complaint_about about;
	unsigned records;
	char line[COMPLAINT_LINE]; /* its first line, pointers masked */
};

/*
 * The meaning of a record of /dev/kmsg: COMPLAINT_BEGINS a new one (and ends the previous one),
 * COMPLAINT_GOES_ON, COMPLAINT_ENDS it, or COMPLAINT_NOTHING. `leader` is the kernel's number of
 * one of our processes; 0: not known.
 */
enum complaint_record { COMPLAINT_NOTHING, COMPLAINT_BEGINS, COMPLAINT_GOES_ON, COMPLAINT_ENDS };

enum complaint_record complaint_take(struct complaint *c, const char *record, pid_t leader);

#endif
