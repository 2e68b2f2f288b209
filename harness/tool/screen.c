// SPDX-License-Identifier: MIT
/*
 * Emulates a small terminal, enough to read one program's screen: letters, cursor movements,
 * erasing.
 */
#include "screen.h"
#include "base/memory.h"
#include "base/process/program.h"
#include <stdlib.h>
#include <string.h>

struct screen {
	char cell[TERMINAL_LINES][TERMINAL_COLUMNS];
	int line, column;
};

static int within(int value, int limit)
{
	return value < 0 ? 0 : value >= limit ? limit - 1 : value;
}

static void move(struct screen *s, int line, int column)
{
	s->line = within(line, TERMINAL_LINES);
	s->column = within(column, TERMINAL_COLUMNS);
}

static void erase(struct screen *s, int from, int to)
{
	char *all = &s->cell[0][0];

	memset(all + from, ' ', (size_t)(to > from ? to - from : 0));
}

/*
 * Executes an escape sequence such as ESC [ 5 ; 10 H: a final letter and up to two numbers. A
 * missing number is 0.
 */
static void obey(struct screen *s, char letter, int first, int second)
{
	int n = first ? first : 1, here = s->line * TERMINAL_COLUMNS + s->column;
	int end_of_line = (s->line + 1) * TERMINAL_COLUMNS;

	switch (letter) {
	case 'A':
		return move(s, s->line - n, s->column);
	case 'B':
		return move(s, s->line + n, s->column);
	case 'C':
		return move(s, s->line, s->column + n);
	case 'D':
		return move(s, s->line, s->column - n);
	case 'G':
		return move(s, s->line, n - 1);
	case 'd':
		return move(s, n - 1, s->column);
	case 'H':
		return move(s, n - 1, (second ? second : 1) - 1);
	case 'J':
		return erase(s, first == 2 ? 0 : here, TERMINAL_LINES * TERMINAL_COLUMNS);
	case 'K':
		return erase(s, here, end_of_line);
	case 'X':
		return erase(s, here, here + n < end_of_line ? here + n : end_of_line);
	}
}

/*
 * Parses an escape sequence, and returns a pointer past it. The sequence is "[", numbers and a
 * letter, or one or two other characters.
 */
static const char *escape(struct screen *s, const char *p)
{
	long number[2] = { 0, 0 };
	int n = 0;

	if (*p != '[')
		return *p ? p + 1 + ((*p == '(' || *p == ')') && p[1]) : p;
	for (p++; *p && (*p < '@' || *p > '~'); p++) {
		if (*p >= '0' && *p <= '9' && n < 2 && number[n] < 10000)
			number[n] = 10 * number[n] + *p - '0';
		n += *p == ';';
	}
	if (*p)
		obey(s, *p++, (int)number[0], (int)number[1]);
	return p;
}

static void put(struct screen *s, char c)
{
	s->cell[s->line][s->column] = c;
	if (s->column < TERMINAL_COLUMNS - 1)
		s->column++;
}

void screen_draw(struct text *t)
{
	struct screen *s = malloc(sizeof(*s));
	size_t need = TERMINAL_LINES * (TERMINAL_COLUMNS + 1) + 1;

	if (!s || (t->capacity < need && !(t->data = realloc(t->data, t->capacity = need))))
		memory_gone("the screen of a tool");
	t->data[t->len] = '\0';
	*s = (struct screen) { .line = 0 };
	erase(s, 0, TERMINAL_LINES * TERMINAL_COLUMNS);
	for (const char *p = t->data; *p;) {
		char c = *p++;

		if (c == '\033')
			p = escape(s, p);
		else if (c == '\r')
			s->column = 0;
		else if (c == '\n')
			move(s, s->line + 1, s->column);
		else if (c == '\b')
			move(s, s->line, s->column - 1);
		else if (c >= ' ')
			put(s, c);
	}
	t->len = 0;
	for (int line = 0; line < TERMINAL_LINES; line++) {
		memcpy(t->data + t->len, s->cell[line], TERMINAL_COLUMNS);
		t->len += TERMINAL_COLUMNS;
		t->data[t->len++] = '\n';
	}
	t->data[t->len] = '\0';
	free(s);
}
