// SPDX-License-Identifier: MIT
/* A progress line on a terminal; prints nothing elsewhere. */
#ifndef RSSCK_TICKER_H
#define RSSCK_TICKER_H

#include <stdbool.h>

struct ticker {
	int fd; /* the terminal, or -1; a duplicate of stderr, which may be redirected later */
	bool shown;
};

void ticker_open(struct ticker *t);
void ticker_show(struct ticker *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ticker_clear(struct ticker *t);
void ticker_close(struct ticker *t);

#endif
