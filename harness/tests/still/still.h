// SPDX-License-Identifier: MIT
/*
 * The proof of the lines: `make check-lines`. Cases run again while one line of a file of the
 * kernel stands still: the programs open a copy of the file in which the line keeps its first
 * value. A case that then fails checks the line. Two separate programs do this. They differ from
 * rssck and rssck-workload only by functions that the linker wraps.
 */
#ifndef RSSCK_TESTS_STILL_H
#define RSSCK_TESTS_STILL_H

/* "memory.stat sock 0": the end of the file's path, the line, its value. */
#define STILL_LINE "RSSCK_TEST_STILL"

#endif
