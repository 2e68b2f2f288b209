// SPDX-License-Identifier: MIT
/* The parts of rssck atlas. */
#ifndef RSSCK_CMD_ATLAS_H
#define RSSCK_CMD_ATLAS_H

#include "atlas/words.h"
#include "cmd/line/options.h"
#include "cmd/line/sink.h"
#include <stdio.h>

extern const struct command command_atlas;

struct atlas_options {
	struct words words;   /* the words for sequences, with huge pages of the usual size */
	const char *sequence; /* the value of --words */
	const char *output, *directory;
	unsigned length, jobs, time; /* if not given: length 2, the others 0; time is in seconds */
	unsigned share, shares;      /* run part `share` of `shares`, counted from 1; shares 0:
				      * run all */
	bool kinds[KINDS_MAX], acts[ACTS_MAX], events[EVENTS_MAX];
	bool some_kinds, some_acts,
		some_events, /* only some events; false: all events except NAMED ones */
		at_once;     /* --events or --words name an event that runs two acts concurrently */
	bool json, list, grid;
};

extern const struct option_row atlas_rows[];

/* Returns a positive number, 0 after --help, or -1 after a usage error. */
int atlas_options_read(const struct command *c, struct atlas_options *o, int argc, char **argv);

/* True if the user has requested the sequence. */
bool atlas_options_want(const struct atlas_options *o, const struct sequence *s);

/* Prints the words, and the number of sequences that they make. Returns the exit status. */
int list_words(const struct atlas_options *o);

#endif
