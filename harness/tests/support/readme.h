// SPDX-License-Identifier: MIT
/*
 * Takes README.md and the pages behind it apart: the content of their code blocks and of their
 * text.
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

/* The commands of their code blocks, without their comments: "make deps check". */
void readme_commands(struct readme_items *commands);

/* The text between two backticks; the target of a link or a picture, relative to the top. */
void readme_spans(struct readme_items *spans);
void readme_links(struct readme_items *links);

/* The text of the code block of that language that has `part` in it. Freed by the caller. */
char *readme_block(const char *language, const char *part);

/* True if a text begins with another. */
bool begins(const char *text, const char *with);

#endif
