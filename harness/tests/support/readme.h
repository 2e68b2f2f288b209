// SPDX-License-Identifier: MIT
/*
 * Reads README.md and the pages that it names: the content of their code blocks, and of their text.
 */
#ifndef RSSCK_README_H
#define RSSCK_README_H

#include <stdbool.h>
#include <stddef.h>

enum { README_ITEMS_MAX = 600, README_ITEM_MAX = 256 };

struct readme_items {
	char of[README_ITEMS_MAX][README_ITEM_MAX];
	size_t nr;
};

/* The commands of the code blocks, without comments: "make deps check". */
void readme_commands(struct readme_items *commands);

/*
 * The text between two backticks, and the targets of links and pictures relative to the top folder.
 */
void readme_spans(struct readme_items *spans);
void readme_links(struct readme_items *links);

/* Returns the text of the code block of this language that contains `part`. The caller frees it. */
char *readme_block(const char *language, const char *part);

/* Returns true if a text begins with another. */
bool begins(const char *text, const char *with);

#endif
