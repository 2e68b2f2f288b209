// SPDX-License-Identifier: MIT
/*
 * A real browser, driven over a pipe by the DevTools protocol of Chromium, which needs no other
 * program.
 */
#ifndef RSSCK_BROWSER_H
#define RSSCK_BROWSER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct browser {
	pid_t pid;
	int to, from;
	char folder[4096]; /* its profile, and the pages that it shows */
	char session[64];  /* the session of its only tab */
	char *unread;      /* bytes received after the last complete message */
	size_t nr_unread;
	json_int_t last_id;
	char complaint[400]; /* the first error or warning of the page; empty: none */
	unsigned requests;   /* number of requests except for the page itself and for data: URLs */
};

/* Returns true if there is a browser: $CHROMIUM, chromium, chromium-browser or google-chrome. */
bool browser_is_there(void);

void browser_open(struct browser *b);
void browser_close(struct browser *b);

/*
 * Shows a page, given as text, in a window of this width, light or dark. Waits until the page is
 * laid out.
 */
void browser_show(struct browser *b, const char *html, unsigned width, bool dark);

/*
 * Returns the value of a JavaScript expression; fails the test if it throws. The caller frees it.
 */
json_t *browser_value(struct browser *b, const char *expression);

/* Return the value as a number, or as true or false. */
double browser_number(struct browser *b, const char *expression);
bool browser_true(struct browser *b, const char *expression);

/* Press and release a key ("Tab", "Enter", " "), or type text into the focused element. */
void browser_press(struct browser *b, const char *key);
void browser_type(struct browser *b, const char *text);

/*
 * Takes a PNG picture of a window of this size, after evaluating an expression (which may scroll).
 */
void browser_picture(struct browser *b, const char *file, unsigned width, unsigned height,
		     const char *before);

#endif
