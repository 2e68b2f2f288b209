// SPDX-License-Identifier: MIT
/* The command line of rssck atlas. */
#include "atlas.h"
#include "cmd/fuzz/fuzz.h"
#include "cmd/line/options.h"
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int take_share(void *options, const char *word)
{
	struct atlas_options *o = options;
	char more;

	if (sscanf(word, "%u/%u%c", &o->share, &o->shares, &more) == 2 && o->share >= 1 &&
	    o->share <= o->shares)
		return 0;
	usage_error("atlas", "--share takes a part like 1/6, not '%s'", word);
	return -1;
}

static char *trimmed(char *word)
{
	size_t len;

	word += strspn(word, " ");
	for (len = strlen(word); len && isspace((unsigned char)word[len - 1]); len--)
		word[len - 1] = '\0';
	return word;
}

struct list {
	const char *option, *what;
	bool *taken;
	const char *(*name)(const struct words *w, unsigned i);
	unsigned nr;
};

static const char *kind_name(const struct words *w, unsigned i)
{
	return w->kinds[i].name;
}

static const char *act_name(const struct words *w, unsigned i)
{
	return w->acts[i].name;
}

static const char *event_name(const struct words *w, unsigned i)
{
	return w->events[i].name;
}

static int take_list(const struct words *w, const struct list *l, const char *words)
{
	char *rest = strdup(words), *copy = rest, *word;
	int failed = 0;

	while (rest && !failed && (word = strsep(&rest, ","))) {
		bool any = false;

		word = trimmed(word);
		for (unsigned i = 0; i < l->nr; i++)
			if (!strcmp(l->name(w, i), word))
				l->taken[i] = any = true;
		if (!any) {
			usage_error("atlas", "--%s: there is no %s '%s'; see --list", l->option,
				    l->what, word);
			failed = -1;
		}
	}
	free(copy);
	return failed;
}

static int take_kinds(void *options, const char *words)
{
	struct atlas_options *o = options;

	o->some_kinds = true;
	return take_list(&o->words,
			 &(struct list) { "kinds", "kind of memory", o->kinds, kind_name,
					  o->words.nr_kinds },
			 words);
}

static int take_acts(void *options, const char *words)
{
	struct atlas_options *o = options;

	o->some_acts = true;
	return take_list(&o->words,
			 &(struct list) { "acts", "act", o->acts, act_name, o->words.nr_acts },
			 words);
}

static int take_events(void *options, const char *words)
{
	struct atlas_options *o = options;

	o->some_events = true;
	if (!strcmp(words, "none"))
		return 0;
	return take_list(
		&o->words,
		&(struct list) { "events", "event", o->events, event_name, o->words.nr_events },
		words);
}

#define INTO(member) .at = offsetof(struct atlas_options, member)
const struct option_row atlas_rows[] = {
	{ "length", OPTION_NUMBER, "N",
	  "number of acts in a sequence, from 1 to 3, without the last access (2)", INTO(length),
	  .number = LENGTH_MAX },
	{ "share", OPTION_TAKEN, "N/OF",
	  "run only part N of OF; a part always contains the same sequences, and part 1 has the most "
	  "informative ones",
	  .take = take_share },
	{ "words", OPTION_WORD, "SEQUENCE",
	  "run only this sequence, step by step: \"shm, write, fork, dontneed, read\"",
	  INTO(sequence) },
	{ "kinds", OPTION_TAKEN, "LIST", "only these kinds of memory: \"anon,huge\"",
	  .take = take_kinds, .repeats = true },
	{ "acts", OPTION_TAKEN, "LIST", "only these acts", .take = take_acts, .repeats = true },
	{ "events", OPTION_TAKEN, "LIST",
	  "only these events, or \"none\". Many events happen in every sequence if they are named, and "
	  "otherwise only in some. Two happen only if they are named: \"threads\" runs both acts "
	  "concurrently in two threads, \"processes\" in two processes",
	  .take = take_events, .repeats = true },
	{ "list", OPTION_FLAG, NULL, "print the words, and the number of sequences that they make",
	  INTO(list) },
	{ "grid", OPTION_FLAG, NULL,
	  "run each act alone on each kind of memory, and write as JSON how it changes each number, "
	  "for `rssck report --atlas` and `rssck explain`",
	  INTO(grid) },
	{ "time", OPTION_NUMBER, "SECONDS", "end after this time", INTO(time), .number = INT_MAX },
	{ "jobs", OPTION_NUMBER, "N",
	  "number of processes that run in parallel (default: up to four for each CPU)", INTO(jobs),
	  .number = JOBS_MAX },
	{ "directory", OPTION_WORD, "DIR", "folder for temporary files", INTO(directory) },
	{ "output", OPTION_OUTPUT, "FILE", "write to FILE instead of to stdout", INTO(output) },
	{ "format", OPTION_FORMAT, "FORMAT",
	  "text (the default), or json: the result of every sequence; `rssck compare` prints the "
	  "differences between two records",
	  INTO(json) },
	{ .name = NULL },
};

static bool want_kind(const struct atlas_options *o, const struct sequence *s)
{
	if (o->some_kinds)
		return o->kinds[s->kind];
	return !(o->words.kinds[s->kind].needs & COSTLY) ||
	       (s->act[0] == NO_WORD && s->length <= 2);
}

bool atlas_options_want(const struct atlas_options *o, const struct sequence *s)
{
	if (!want_kind(o, s))
		return false;
	for (unsigned i = 0; o->some_acts && i < s->length; i++)
		if (s->act[i] != NO_WORD && !o->acts[s->act[i]])
			return false;
	if (s->event == NO_WORD)
		return true;
	return o->some_events ? o->events[s->event] : sequence_has_its_event(&o->words, s);
}

int atlas_options_read(const struct command *c, struct atlas_options *o, int argc, char **argv)
{
	enum { HUGE_OF_MOST = 512 };
	struct sequence one;
	char why[160];
	int first;

	*o = (struct atlas_options) { .length = 2 };
	words_make(&o->words, HUGE_OF_MOST);
	first = options_read(c, o, argc, argv);
	if (first <= 0)
		return first;
	if (argc > first)
		return usage_error("atlas", "it takes no arguments: '%s'", argv[first]), -1;
	if (o->sequence && sequence_parse(&o->words, &one, o->sequence, why, sizeof(why)) < 0)
		return usage_error("atlas", "--words: %s; see --list", why), -1;
	o->at_once = o->sequence && sequence_is_at_once(&o->words, &one);
	for (unsigned i = 0; i < o->words.nr_events; i++)
		o->at_once |= o->events[i] && o->words.events[i].when == NAMED;
	return first;
}
