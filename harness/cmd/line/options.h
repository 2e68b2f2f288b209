// SPDX-License-Identifier: MIT
/*
 * The options of a command are one table. rssck reads the command line with it, and prints help,
 * the manual's list of options and the shells' completions from it.
 *
 * To add a command, write a `const struct command command_NAME` in a file below cmd/, and add its
 * address to commands[] of cmd/table.c. Its options are an array of rows, ended by a row without a
 * name:
 *
 * 	#define INTO(member) .at = offsetof(struct regions_options, member)
 * 	static const struct option_row rows[] = {
 * 		{ "limit", OPTION_NUMBER, "N", "stop after N regions (100)", INTO(limit),
 * 		  .number = INT_MAX },
 * 		{ "output", OPTION_OUTPUT, "FILE", "write to FILE", INTO(output) },
 * 		{ "verbose", OPTION_FLAG, NULL, "print each region", INTO(verbose), 'v' },
 * 		{ .name = NULL },
 * 	};
 *
 * 	const struct command command_regions = {
 * 		.name = "regions", .run = cmd_regions, .usage = "[OPTION]...", .help = "...",
 * 		.rows = rows,
 * 	};
 *
 * cmd_regions() begins with options_read(). The manual needs a section ".SS regions" in cmd/rssck.1
 * that ends with the line `.\" OPTIONS regions`, which the build replaces by the rows.
 */
#ifndef RSSCK_LINE_OPTIONS_H
#define RSSCK_LINE_OPTIONS_H

#include "command.h"
#include <stddef.h>

enum option_kind {
	OPTION_FLAG,   /* bool: true */
	OPTION_WORD,   /* const char * */
	OPTION_OUTPUT, /* const char *: a file; "-" gives NULL, which means stdout */
	OPTION_NUMBER, /* unsigned, from 1 to `number` */
	OPTION_CHOICE, /* int: the index in `choices` */
	OPTION_FORMAT, /* bool: true for json, false for text */
	OPTION_COLOUR, /* bool: true for --color=always, false for never; auto does not change it */
	OPTION_TAKEN,  /* take() gets the word, or NULL if an optional word is missing */
};

struct option_row {
	const char *name;
	enum option_kind kind;
	const char *argument; /* the argument's name in help; FILE, IMAGE, PATH, DIR and PID are
			       * completed; NULL: no argument */
	const char *help;
	size_t at;     /* offset of the value in the command's options */
	char letter;   /* "-v" is the same option; '\0': there is no letter */
	bool optional; /* the argument may be omitted */
	bool repeats;
	unsigned number;
	const char *const *choices;                   /* ended by NULL */
	int (*take)(void *options, const char *word); /* returns 0, or -1 after usage_error() */
	enum word_kind words; /* how to complete the value, if `argument` does not show it */
	const char *also;     /* another name of the option */
	const char *more;     /* text that the manual adds to `help` */
};

extern const char *const option_formats[]; /* the names of enum option_format */

#define OPTION_ROW_COLOUR(member)                                                          \
	{                                                                                  \
		"color", OPTION_COLOUR, "WHEN", "auto (the default), always or never",     \
			INTO(member),                                                      \
			.also = "colour",                                                  \
			.more = "auto means colour on a terminal, unless NO_COLOR is set." \
	}
#define OPTION_ROW_FORMAT(member)                                                             \
	{                                                                                     \
		"format", OPTION_FORMAT, "FORMAT", "text (the default) or json", INTO(member) \
	}
#define OPTION_ROW_JSON(member)                                                      \
	{                                                                            \
		"json", OPTION_FLAG, NULL, "the same as --format=json", INTO(member) \
	}

/*
 * Reads a command line into `options`. Every command has --help. Returns the index of the first
 * word, 0 after --help has been printed, or -1 after a usage error.
 */
int options_read(const struct command *c, void *options, int argc, char **argv);

/* True if a word such as "--jso" or "--jsom" may be meant as an option of the command. */
bool options_resemble(const struct command *c, const char *word);

/* Returns the row of an option's name, or NULL. */
const struct option_row *option_by_name(const struct command *c, const char *name, size_t length);

/* Returns the words that the option takes, ended by NULL, or NULL if it takes any word. */
const char *const *option_choices(const struct option_row *row);

/* Returns a word that is given more than once, or NULL. */
const char *word_given_twice(char *const *words, size_t nr);

#endif
