// SPDX-License-Identifier: MIT
/* A reader of the markup that reports write. */
#include "markup.h"
#include "base/print/words.h"
#include "tests/support/test.h"
#include <stdbool.h>

struct markup {
	const char *at;
	const char *open[16];
	size_t open_len[16];
	unsigned depth;
	unsigned elements;
};

static void bad(const struct markup *m, const char *why)
{
	fail_msg("%s at: %.60s", why, m->at);
}

static size_t name_length(const char *s)
{
	return strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:");
}

static void read_character(struct markup *m, char until)
{
	static const char *const entities[] = { "&lt;", "&gt;",  "&amp;", "&quot;",
						"&#9;", "&#10;", "&#13;" };
	uint32_t code;

	if (*m->at == '&') {
		for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
			if (strncmp(m->at, entities[i], strlen(entities[i])))
				continue;
			m->at += strlen(entities[i]);
			return;
		}
		bad(m, "unknown entity");
	}
	if (*m->at == '<' || !strncmp(m->at, "]]>", 3))
		bad(m, "markup within text");

	const char *before = m->at;

	code = utf8_next(&m->at);
	if (code == UTF8_INVALID && m->at - before != 3)
		bad(m, "no UTF-8");
	if ((code < 0x20 && code != '\n' && (code != '\t' || until != '<')) ||
	    (code > 0xd7ff && code < 0xe000) || code == 0xfffe || code == 0xffff)
		bad(m, "a character that XML cannot hold");
}

static void read_attributes(struct markup *m)
{
	static const char space[] = " \t\n";

	while (*m->at && strchr(space, *m->at)) {
		m->at += strspn(m->at, space);
		if (!name_length(m->at))
			return; /* gnuplot leaves a line break before the end of a tag */
		m->at += name_length(m->at);
		m->at += strspn(m->at, space);
		if (*m->at++ != '=')
			bad(m, "no value of an attribute");
		m->at += strspn(m->at, space);

		char quote = *m->at++;

		if (quote != '"' && quote != '\'')
			bad(m, "no value of an attribute");
		while (*m->at && *m->at != quote)
			read_character(m, quote);
		m->at++;
	}
}

static void read_tag(struct markup *m)
{
	bool closing = m->at[1] == '/';
	const char *name = m->at + 1 + closing;
	size_t len = name_length(name);

	m->at = name + len;
	if (closing) {
		m->depth--;
		if (m->depth >= 16 || len != m->open_len[m->depth] ||
		    strncmp(name, m->open[m->depth], len))
			bad(m, "the wrong end");
	} else {
		read_attributes(m);
		m->elements++;
		m->open[m->depth] = name;
		m->open_len[m->depth] = len;
		if (*m->at == '/')
			m->at++;
		else if (++m->depth >= 16)
			bad(m, "too deep");
	}
	if (*m->at++ != '>')
		bad(m, "no end of a tag");
}

static bool read_cdata(struct markup *m)
{
	static const char begin[] = "<![CDATA[", end[] = "]]>";

	if (strncmp(m->at, begin, strlen(begin)))
		return false;
	m->at = strstr(m->at, end);
	if (!m->at)
		fail_msg("CDATA without an end");
	m->at += strlen(end);
	return true;
}

static const char *after_declaration(const char *text)
{
	static const char *const declarations[] = {
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
		"<!DOCTYPE html>\n",
	};

	for (size_t i = 0; i < sizeof(declarations) / sizeof(declarations[0]); i++)
		if (!strncmp(text, declarations[i], strlen(declarations[i])))
			return text + strlen(declarations[i]);
	fail_msg("no declaration: %.60s", text);
	return text;
}

unsigned markup_read(const char *text)
{
	struct markup m = { .at = after_declaration(text) };

	while (*m.at) {
		if (*m.at != '<')
			read_character(&m, '<');
		else if (!read_cdata(&m))
			read_tag(&m);
	}
	assert_int_equal(m.depth, 0);
	return m.elements;
}
