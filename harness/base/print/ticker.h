// SPDX-License-Identifier: MIT
/* Shows a progress line if stderr is a terminal, and nothing otherwise. */
#ifndef RSSCK_TICKER_H
#define RSSCK_TICKER_H

#include <stdbool.h>

struct ticker {
	int fd; /* a duplicate of stderr, because stderr may be redirected later; -1 without a
		   terminal */
	bool shown;
};

void ticker_open(struct ticker *t);
void ticker_show(struct ticker *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ticker_clear(struct ticker *t);
void ticker_close(struct ticker *t);

#endif
