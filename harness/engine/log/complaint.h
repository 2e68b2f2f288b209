// SPDX-License-Identifier: MIT
/*
 * Recognizes the records of the kernel log that are complaints, and whether they are about memory
 * accounting. It takes records and reads no file.
 */
#ifndef RSSCK_COMPLAINT_H
#define RSSCK_COMPLAINT_H

#include <stdbool.h>
#include <sys/types.h>

enum complaint_about {
	COMPLAINT_OTHERS, /* about a driver, a file system or another process; not caused by a case
			   */
	COMPLAINT_OURS,   /* names one of our processes */
	COMPLAINT_ACCOUNTING, /* about memory accounting, whichever process was running */
};

enum { COMPLAINT_LINE = 200 };

/* A complaint with all its records: the lines after a WARNING name the process and the function. */
struct complaint {
	bool open; /* more records may belong to it */
	enum complaint_about about;
	unsigned records;
	char line[COMPLAINT_LINE]; /* its first line, with pointers masked */
};

/*
 * Returns what a record of /dev/kmsg means. COMPLAINT_BEGINS: a new complaint begins, and the
 * previous one ends. COMPLAINT_GOES_ON, COMPLAINT_ENDS: it continues, or it ends. `leader` is the
 * global PID of one of our processes; 0: unknown.
 */
enum complaint_record { COMPLAINT_NOTHING, COMPLAINT_BEGINS, COMPLAINT_GOES_ON, COMPLAINT_ENDS };

enum complaint_record complaint_take(struct complaint *c, const char *record, pid_t leader);

#endif
