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
	struct words words;   /* with which sequences are written; huge pages as on most machines */
	const char *sequence; /* --words */
	const char *output, *directory;
	unsigned length, jobs, time; /* 0: not given */
	unsigned share, shares;      /* the share-th of so many, from 1; shares 0: all */
	bool kinds[KINDS_MAX], acts[ACTS_MAX], events[EVENTS_MAX];
	bool some_kinds, some_acts,
		some_events, /* else all, except events that must be asked for */
		at_once;     /* --events or --words name two acts at the same time */
	bool json, list, grid;
};

extern const struct option_row atlas_rows[];

/* Returns 1 or more, 0 after help, or -1 where the error has been printed. */
int atlas_options_read(const struct command *c, struct atlas_options *o, int argc, char **argv);

/* Whether a sequence is among those that were asked for. */
bool atlas_options_want(const struct atlas_options *o, const struct sequence *s);

/* Print the words, and how many sequences they make. The exit status. */
int list_words(const struct atlas_options *o);

#endif
