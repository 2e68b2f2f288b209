// SPDX-License-Identifier: MIT
/* Which cases the words of a command line mean. */
#ifndef RSSCK_SELECT_H
#define RSSCK_SELECT_H

#include <rssck/case.h>

struct selection {
	const struct case_registration **of; /* in order of their ids; owned */
	size_t nr;
};

/*
 * Cases meant by ids ("file/private_write"), groups ("file", "file/") and
 * patterns; all but the hidden ones where there is no word. Returns 0, or -1
 * with a sentence in `why` that names the nearest ids.
 */
int select_cases(struct selection *s, char *const *words, size_t nr_words, char *why, size_t size);
void selection_free(struct selection *s);

#endif
