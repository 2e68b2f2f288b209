// SPDX-License-Identifier: MIT
/*
 * Complaints of the kernel: which records of its log begin one, and whose it is.
 * Records in, a sentence out; nothing here reads a file.
 */
#ifndef RSSCK_COMPLAINT_H
#define RSSCK_COMPLAINT_H

#include <stdbool.h>
#include <sys/types.h>

enum complaint_about {
	COMPLAINT_OTHERS, /* a driver, a file system, another process: no case's doing */
	COMPLAINT_OURS,   /* it names a process of ours */
	COMPLAINT_BOOKS,  /* memory accounting, whosever process it met */
};

enum { COMPLAINT_LINE = 200 };

/*
 * One complaint and the records that belong to it: a WARNING is followed by
 * lines that say which process it met and in which function.
 */
struct complaint {
	bool open; /* more records may belong to it */
	enum complaint_about about;
	unsigned records;
	char line[COMPLAINT_LINE]; /* its first line, pointers masked */
};

/*
 * What a record of /dev/kmsg tells: COMPLAINT_BEGINS a new one (and has ended the
 * one before), COMPLAINT_GOES_ON, COMPLAINT_ENDS it, or is nothing of the kind.
 * `leader` is a process of ours as the kernel numbers it; 0: not known.
 */
enum complaint_record { COMPLAINT_NOTHING, COMPLAINT_BEGINS, COMPLAINT_GOES_ON, COMPLAINT_ENDS };

enum complaint_record complaint_take(struct complaint *c, const char *record, pid_t leader);

#endif
