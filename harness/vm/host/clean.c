// SPDX-License-Identifier: MIT
/*
 * A state machine. Bytes that may be the beginning of a character or a colour sequence are kept
 * until the rest arrives.
 */
#include "clean.h"
#include "base/print/words.h"
#include <string.h>

enum { ESCAPE = 0x1b };

static bool is_plain(char c)
{
	return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\t';
}

/*
 * False for control characters, for characters that break lines, and for characters that change the
 * direction of writing.
 */
static bool is_fit(uint32_t code)
{
	if (code == UTF8_INVALID || code < 0xa0 || code == 0x61c || code == 0xfeff)
		return false;
	return !(code >= 0x200e && code <= 0x200f) && !(code >= 0x2028 && code <= 0x202e) &&
	       !(code >= 0x2066 && code <= 0x2069);
}

enum state { MORE, WHOLE, NONE };

/* Parses a colour sequence like ESC [ 1 ; 31 m. */
static enum state colour_state(const struct clean *c)
{
	char last = c->pending[c->nr - 1];

	if (c->nr == 1)
		return MORE;
	if (c->nr == 2)
		return last == '[' ? MORE : NONE;
	if (last == 'm')
		return WHOLE;
	return ((last >= '0' && last <= '9') || last == ';') && c->nr < CLEAN_PENDING_MAX ? MORE
											  : NONE;
}

static enum state character_state(const struct clean *c)
{
	unsigned char first = (unsigned char)c->pending[0],
		      last = (unsigned char)c->pending[c->nr - 1];
	size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
	const char *at = c->pending;

	if (first < 0xc0 || (c->nr > 1 && (last & 0xc0) != 0x80))
		return NONE;
	if (c->nr < length)
		return MORE;
	return is_fit(utf8_next(&at)) && at == c->pending + c->nr ? WHOLE : NONE;
}

static size_t put_pending(struct clean *c, char *to)
{
	size_t nr = c->pending[0] == ESCAPE && !c->colour ? 0 : c->nr;

	memcpy(to, c->pending, nr);
	c->nr = 0;
	return nr;
}

/* For kept bytes that are not a valid sequence: replaces the first, and parses the others again. */
static size_t give_up(struct clean *c, char *to)
{
	char again[CLEAN_PENDING_MAX];
	size_t nr = c->nr - 1;

	memcpy(again, c->pending + 1, nr);
	c->nr = 0;
	to[0] = '?';
	return 1 + clean_text(c, again, nr, to + 1);
}

size_t clean_text(struct clean *c, const char *piece, size_t length, char *to)
{
	size_t used = 0;

	for (size_t i = 0; i < length; i++) {
		enum state s;

		if (!c->nr && is_plain(piece[i])) {
			to[used++] = piece[i];
			continue;
		}
		c->pending[c->nr++] = piece[i];
		c->pending[c->nr] = '\0';
		s = c->pending[0] == ESCAPE ? colour_state(c) : character_state(c);
		if (s == WHOLE)
			used += put_pending(c, to + used);
		else if (s == NONE)
			used += give_up(c, to + used);
	}
	return used;
}

void clean_ascii(char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!is_plain(text[i]) && text[i] != '\r')
			text[i] = '?';
}
