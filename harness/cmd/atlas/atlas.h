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
	struct words words;   /* the words in which sequences are written, with huge pages of the
			       * usual size */
	const char *sequence; /* --words */
	const char *output, *directory;
	unsigned length, jobs, time; /* 0: not given */
	unsigned share, shares;      /* the share-th part of `shares`, from 1; shares 0: all */
	bool kinds[KINDS_MAX], acts[ACTS_MAX], events[EVENTS_MAX];
	bool some_kinds, some_acts,
		some_events, /* only some events; otherwise all except those that must be named */
		at_once;     /* --events or --words name two concurrent acts */
	bool json, list, grid;
};

extern const struct option_row atlas_rows[];

/* Returns 1 or more, 0 after help, or -1 if an error has been printed. */
int atlas_options_read(const struct command *c, struct atlas_options *o, int argc, char **argv);

/* True if a sequence is among those that were requested. */
bool atlas_options_want(const struct atlas_options *o, const struct sequence *s);

/* Prints the words, and how many sequences they make. Returns the exit status. */
int list_words(const struct atlas_options *o);

#endif
