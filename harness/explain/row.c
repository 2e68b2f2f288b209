// SPDX-License-Identifier: MIT
/* Recognises a pasted row of a tool or of a file by the shape of its words and numbers. */
#include "row.h"
#include "base/list.h"
#include "sentence.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORDS_MOST = 160 };

/* A pasted text, in words; the signs around them ("=", ":", brackets) are removed. */
struct words {
	char of[WORDS_MOST][ROW_VALUE];
	bool labels[WORDS_MOST]; /* a colon follows the word: "Zswap: 12 kB" */
	size_t nr;
	bool cut; /* the text has more words, or a longer word, than fit */
};

/* ---- words ---- */

/* "1,234" and "12:00:01" are one word, "total,used" and "used_memory:12" are two. */
static bool ends_word(const char *text, const char *p)
{
	if (!*p || isspace((unsigned char)*p) || strchr(";=(){}[]\"'`|", *p))
		return true;
	if (*p == ',')
		return p == text || !isdigit((unsigned char)p[-1]) || !isdigit((unsigned char)p[1]);
	if (*p == ':')
		return p == text || !p[1] || isspace((unsigned char)p[1]) || p[1] == '"' ||
		       (p > text && isalpha((unsigned char)p[-1]) &&
			isdigit((unsigned char)p[1 + (p[1] == '-')]));
	/* A slash separates two amounts: "495.2MiB/64GiB". */
	return *p == '/' && p > text && isdigit((unsigned char)*text) &&
	       isdigit((unsigned char)p[1]);
}

static void add_word(struct words *w, const char *text, size_t len)
{
	/* top prints a point after some numbers. */
	if (len > 1 && text[len - 1] == '.')
		len--;
	if (!len)
		return;
	if (w->nr == WORDS_MOST || len >= ROW_VALUE) {
		w->cut = true;
		return;
	}
	memcpy(w->of[w->nr], text, len);
	w->labels[w->nr] = text[len] == ':';
	w->of[w->nr++][len] = '\0';
}

static void words_split(struct words *w, const char *text)
{
	w->nr = 0;
	w->cut = false;
	while (*text) {
		const char *p = text;

		while (!ends_word(text, p))
			p++;
		add_word(w, text, (size_t)(p - text));
		if (*p == '/')
			add_word(w, p, 1);
		text = *p ? p + 1 : p;
	}
}

static bool is_among(const char *word, const char *list)
{
	return list_has_in_any_case(list, " |", word);
}

/* ---- numbers ---- */

static const char units[] = " b k m g t p kb mb gb tb ki mi gi ti kib mib gib tib pib eib ";

static size_t digits_of(const char *word)
{
	size_t sign = *word == '-' && isdigit((unsigned char)word[1]);

	return isdigit((unsigned char)word[sign]) ? sign + strspn(word + sign, "0123456789.,") : 0;
}

/* True for "15Gi", "20,608K" and "-20", not for "7f30" and "12:40". */
static bool is_number(const char *word)
{
	size_t digits = digits_of(word);

	return digits && (!word[digits] || is_among(word + digits, units));
}

static bool is_whole(const char *word)
{
	size_t digits = digits_of(word);

	return digits && !word[digits] && !strpbrk(word, ".,");
}

static bool is_fraction(const char *word)
{
	size_t digits = digits_of(word);

	return digits && !word[digits] && strpbrk(word, ".,");
}

static bool is_percent(const char *word)
{
	size_t digits = digits_of(word);

	return digits && !strcmp(word + digits, "%");
}

/* Returns the amount, in bytes if the word has a unit. */
static double amount_of(const char *word)
{
	static const char steps[] = "kmgtpe";
	double amount = strtod(word, NULL);
	const char *unit = word + digits_of(word);
	const char *step = *unit ? strchr(steps, tolower((unsigned char)*unit)) : NULL;

	for (const char *p = steps; step && p <= step; p++)
		amount *= 1024;
	return amount;
}

/* ---- other words of rows ---- */

static bool is_hex(const char *word, size_t len)
{
	return len >= 6 && strspn(word, "0123456789abcdefABCDEF") >= len;
}

/* "7f30e8000000-7f30e8600000" */
static bool is_range(const char *word)
{
	size_t len = strcspn(word, "-");

	return word[len] && is_hex(word, len) && is_hex(word + len + 1, strlen(word + len + 1));
}

/* "rw-p" of maps, "rw---" of pmap */
static bool is_mode(const char *word)
{
	size_t len = strlen(word);

	return (len == 4 || len == 5) && strchr("r-", word[0]) && strchr("w-", word[1]) &&
	       strspn(word, "rwxspR-") == len;
}

/* "12:00:01", "29424:59", "12:40.11", "1-02:03:04", "08h12" of a process's time */
static bool is_time(const char *word)
{
	return isdigit((unsigned char)*word) && strchr(word, ':') &&
	       strspn(word, "0123456789:.-h") == strlen(word);
}

/* "S", "Ssl+", "R<" */
static bool is_state(const char *word)
{
	return strchr("RSDTtZXIWK", *word) && strspn(word + 1, "<NLsl+") == strlen(word + 1);
}

static bool is_address(const char *word)
{
	return is_hex(word, strlen(word));
}

/* True for a word that may begin the name of a line. A number or a path does not. */
static bool is_name(const char *word)
{
	return isalpha((unsigned char)*word) || *word == '_';
}

static bool is_any(const char *word)
{
	return *word;
}

/* ---- rows that share a shape ---- */

/*
 * True for a row of free before procps 3.3.10, which has as many columns as a row of today. In it,
 * used and free add up to about the total, and the last column, page cache, is a part of used.
 */
static bool is_old_free(const struct pasted *p)
{
	double total = amount_of(p->value[0]), used = amount_of(p->value[1]);
	double rest = total - used - amount_of(p->value[2]);

	return rest <= total / 100 && rest >= -total / 100 && amount_of(p->value[5]) <= used;
}

/* "12m 1893Mi": thousandths of a CPU, and MiB. */
static bool is_kubectl_top(const struct pasted *p)
{
	const char *cpu = p->value[1], *memory = p->value[2];
	size_t digits = strspn(memory, "0123456789");

	return cpu[strlen(cpu) - 1] == 'm' && digits && strlen(cpu) > 1 &&
	       !strcasecmp(memory + digits, "mi");
}

/* True if smem's USS, PSS and RSS do not decrease in this order. */
static bool is_smem(const struct pasted *p)
{
	return amount_of(p->value[4]) <= amount_of(p->value[5]) &&
	       amount_of(p->value[5]) <= amount_of(p->value[6]) && amount_of(p->value[6]) > 0;
}

/*
 * True if all sizes of pages are multiples of 4096 bytes, the compressed data fits into the used
 * memory, and this is at most its maximum.
 */
static bool is_mm_stat(const struct pasted *p)
{
	enum { PAGE = 4096 };
	unsigned long long of[5];

	for (size_t i = 0; i < 5; i++)
		of[i] = strtoull(p->value[i], NULL, 10);
	return of[0] && of[0] % PAGE == 0 && of[2] % PAGE == 0 && of[3] % PAGE == 0 &&
	       of[4] % PAGE == 0 && of[1] <= of[2] && of[2] <= of[4];
}

/*
 * True for whole numbers: the first lines of Mem-Info are in pages, those of nodes and zones in kB.
 */
static bool is_in_pages(const struct pasted *p)
{
	for (size_t i = 0; i < ROW_COLUMNS && p->row->of[i].name; i++)
		if (p->value[i][0] && !is_whole(p->value[i]))
			return false;
	return true;
}

/*
 * True for a row with more columns, or for a fraction such as systemctl's "388.4M". "512Mi" is a
 * limit of Kubernetes, "512M" any program's.
 */
static bool is_of_systemctl(const struct pasted *p)
{
	for (size_t i = 1; i < ROW_COLUMNS && p->row->of[i].name; i++)
		if (p->value[i][0])
			return true;
	return strchr(p->value[0], '.') && !strchr(p->value[0], 'i');
}

/* True if all numbers are like "12kB". */
static bool is_in_kb(const struct pasted *p)
{
	for (size_t i = 0; i < ROW_COLUMNS && p->row->of[i].name; i++)
		if (p->value[i][0] && strcasecmp(p->value[i] + digits_of(p->value[i]), "kb") != 0)
			return false;
	return true;
}

/* True if the first five numbers, those of memory, are like "12kB", and one of them is there. */
static bool is_of_kill(const struct pasted *p)
{
	bool any = false;

	for (size_t i = 0; i < 5; i++) {
		const char *value = p->value[i];

		if (*value && strcasecmp(value + digits_of(value), "kb") != 0)
			return false;
		any |= *value;
	}
	return any;
}

/* ---- the table ---- */

#define ROW_IF(is, ...) { __VA_ARGS__, .is_it = (is) },
#define ROW(...)        ROW_IF(NULL, __VA_ARGS__)
static const struct row rows[] = {
#include "rows.def"
};
#undef ROW
#undef ROW_IF

const struct row *rows_all(size_t *nr)
{
	*nr = sizeof(rows) / sizeof(*rows);
	return rows;
}

/* ---- the shape of a row ---- */

static const struct {
	const char *element;
	bool (*is)(const char *word);
} elements[] = {
	{ "#", is_number },     { "#i", is_whole },     { "#f", is_fraction }, { "#%", is_percent },
	{ "#hex", is_address }, { "#range", is_range }, { "#mode", is_mode },  { "#time", is_time },
	{ "#state", is_state }, { "#name", is_name },   { "?", is_any },
};

/* The position at which the words of a row are read. */
struct walk {
	const struct words *words;
	struct pasted *pasted;
	size_t at;     /* the next word */
	size_t column; /* the next column */
};

static size_t row_columns(const struct row *row)
{
	size_t nr = 0;

	while (row->of[nr].name)
		nr++;
	return nr;
}

/* True if the word is one of the alternatives of an element: "#time|average". */
static bool fits_element(const char *word, const char *element)
{
	for (const char *p = element; *p; p += strspn(p, "|")) {
		size_t len = strcspn(p, "|");

		for (size_t i = 0; i < sizeof(elements) / sizeof(*elements); i++)
			if (strlen(elements[i].element) == len &&
			    !strncmp(elements[i].element, p, len) && elements[i].is(word))
				return true;
		p += len;
	}
	return is_among(word, element);
}

/* Writes the size of a range of addresses. */
static void put_range(char *value, const char *range)
{
	unsigned long long first = strtoull(range, NULL, 16);
	unsigned long long end = strtoull(strchr(range, '-') + 1, NULL, 16);

	snprintf(value, ROW_VALUE, "%llu kB", end > first ? (end - first) / 1024 : 0);
}

/* Takes a number and the unit that follows it: "50.8 MiB". */
static void take_value(struct walk *w, char *value)
{
	const struct words *words = w->words;
	const char *word = words->of[w->at++];
	bool unit = isdigit((unsigned char)*word) && w->at < words->nr &&
		    (strlen(words->of[w->at]) > 1 || *words->of[w->at] == 'B') &&
		    is_among(words->of[w->at], units) && !word[digits_of(word)];

	if (is_range(word))
		put_range(value, word);
	else
		snprintf(value, ROW_VALUE, "%.30s%s%.30s", word, unit ? " " : "",
			 unit ? words->of[w->at] : "");
	w->at += unit;
}

/*
 * Returns the number of words of a column's name if the words from `at` on are that name, otherwise
 * 0.
 */
static size_t words_of_name(const struct walk *w, const char *name, size_t at)
{
	size_t nr = 0;

	for (const char *p = name; *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");

		if (at + nr >= w->words->nr || strlen(w->words->of[at + nr]) != len ||
		    strncasecmp(w->words->of[at + nr], p, len))
			return 0;
		p += len;
		nr++;
	}
	return nr;
}

/*
 * Returns the column without a value whose name is the longest at a word, or the number of columns
 * if there is none. *nr becomes the number of words of the name, or 0.
 */
static size_t column_at(const struct walk *w, size_t at, size_t *nr)
{
	const struct row *row = w->pasted->row;
	size_t columns = row_columns(row), best = columns;

	*nr = 0;
	for (size_t i = 0; i < columns; i++) {
		size_t words = words_of_name(w, row->of[i].name, at);

		if (words <= *nr || w->pasted->value[i][0])
			continue;
		*nr = words;
		best = i;
	}
	return best;
}

/*
 * True if the column's name is written as in memory.stat: "zswap 12" (bytes), not "Zswap: 12 kB" of
 * /proc/meminfo or "shmem:12" of Mem-Info (pages).
 */
static bool is_written_so(const struct walk *w, size_t column)
{
	const struct words *words = w->words;
	const char *next = w->at + 2 < words->nr ? words->of[w->at + 2] : "";

	return !strcmp(words->of[w->at], w->pasted->row->of[column].name) &&
	       !words->labels[w->at] && !(*next && is_among(next, units));
}

/*
 * Takes one labelled number, "high: 512.0M" or "312.6 free". `as_written`: takes only a name that
 * is written as in memory.stat.
 */
static bool take_labelled(struct walk *w, bool (*is)(const char *word), bool as_written)
{
	size_t nr, i;

	if (w->at + 1 >= w->words->nr)
		return false;
	i = column_at(w, w->at, &nr);
	if (as_written && (!nr || !is_written_so(w, i)))
		return false;
	if (nr && w->at + nr < w->words->nr && is(w->words->of[w->at + nr])) {
		w->at += nr;
		take_value(w, w->pasted->value[i]);
		return true;
	}
	if (!is(w->words->of[w->at]))
		return false;
	i = column_at(w, w->at + 1, &nr);
	if (nr)
		take_value(w, w->pasted->value[i]);
	w->at += nr;
	return nr;
}

static bool take_name_alone(struct walk *w)
{
	size_t nr, i = column_at(w, w->at, &nr);

	if (!nr)
		return false;
	snprintf(w->pasted->value[i], ROW_VALUE, "%s", w->words->of[w->at]);
	w->at += nr;
	return true;
}

/*
 * Takes columns by name for "&2", "&x2" or "!", as many as there are. Returns false if there are
 * fewer than required.
 */
static bool take_columns(struct walk *w, const char *element)
{
	bool as_written = element[1] == 'x';
	int least = element[1 + as_written] ? atoi(element + 1 + as_written) : 1;

	while (*element == '!' ? take_name_alone(w)
			       : take_labelled(w, as_written ? is_whole : is_number, as_written))
		least--;
	return least <= 0;
}

/* Takes what one element of a shape stands for. Returns false if the words do not fit. */
static bool take_element(struct walk *w, const char *element)
{
	if (!strcmp(element, "...")) {
		w->at = w->words->nr;
		return true;
	}
	if (*element == '&' || *element == '!')
		return take_columns(w, element);
	if (w->at >= w->words->nr || !fits_element(w->words->of[w->at], element))
		return false;
	if (*element != '#' && *element != '?')
		w->at++;
	else if (w->column < row_columns(w->pasted->row))
		take_value(w, w->pasted->value[w->column++]);
	else
		return false;
	return true;
}

/* Takes a row. An element in brackets, "[#]", may be missing. */
static bool take_row(struct walk *w, const struct row *row)
{
	w->pasted->row = row;
	memset(w->pasted->value, 0, sizeof(w->pasted->value));
	w->column = 0;
	while (row->before && w->at < w->words->nr && is_among(w->words->of[w->at], row->before))
		w->at++;
	for (const char *p = row->shape; *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");
		bool optional = *p == '[';
		char element[ROW_VALUE];

		snprintf(element, sizeof(element), "%.*s", (int)len - 2 * optional, p + optional);
		if (!take_element(w, element) && !optional)
			return false;
		p += len;
	}
	return true;
}

/* Takes the first row of the table that fits at a word. Returns false if there is none. */
static bool take_any_row(struct walk *w, const char *text)
{
	size_t at = w->at;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		w->at = at;
		if (rows[i].marks && !strstr(text, rows[i].marks))
			continue;
		if (take_row(w, &rows[i]) && (!rows[i].is_it || rows[i].is_it(w->pasted)))
			return true;
	}
	return false;
}

/*
 * Returns the number of words that a log or a shell has put before a row: "[1203942.113]",
 * "kernel:", a prompt.
 */
static size_t skip_prefix(const struct words *words, const char *text)
{
	size_t at = 0;

	while (at < words->nr && (is_among(words->of[at], "$ # % > sudo") ||
				  (words->labels[at] && is_among(words->of[at], "kernel")) ||
				  (!at && *text == '[' && is_fraction(words->of[at]))))
		at++;
	return at;
}

/* True if only a question about the row follows: "what does it include". */
static bool rest_asks(const struct words *words, size_t at)
{
	for (; at < words->nr; at++)
		if (words->labels[at] ||
		    !(word_is_grammar(words->of[at]) || word_is_background(words->of[at]) ||
		      is_among(words->of[at], "include includes")))
			return false;
	return true;
}

size_t rows_find(const char *text, struct pasted of[ROWS_MOST])
{
	struct words words;
	struct walk w = { .words = &words };
	size_t nr = 0;

	words_split(&words, text);
	if (words.cut || words.nr < 2)
		return 0;
	w.at = skip_prefix(&words, text);
	while (w.at < words.nr && nr < ROWS_MOST) {
		size_t at = w.at;

		w.pasted = &of[nr];
		if (!take_any_row(&w, text))
			return rest_asks(&words, at) ? nr : 0;
		nr++;
	}
	return w.at < words.nr ? 0 : nr;
}

/*
 * Returns the number of words of the label that begins at a word: one to three, the last one with a
 * colon; 0: there is no label.
 */
static size_t words_of_label(const struct words *words, size_t at)
{
	enum { LABEL_MOST = 3 };

	for (size_t nr = 1; nr <= LABEL_MOST && at + nr <= words->nr; nr++) {
		if (!isalpha((unsigned char)*words->of[at + nr - 1]))
			return 0;
		if (words->labels[at + nr - 1])
			return nr;
	}
	return 0;
}

/* Joins the words of a label. */
static void put_label(char *label, const struct words *words, size_t at, size_t nr)
{
	size_t len = 0;

	for (size_t i = 0; i < nr && len < LABEL_SIZE; i++)
		len += (size_t)snprintf(label + len, LABEL_SIZE - len, "%s%s", i ? " " : "",
					words->of[at + i]);
}

size_t text_labels(const char *text, char of[LABELS_MOST][LABEL_SIZE])
{
	struct words words;
	size_t at = 0, found = 0;

	words_split(&words, text);
	while (at < words.nr) {
		size_t nr = words_of_label(&words, at);

		if (!nr || words.cut || found == LABELS_MOST)
			return 0;
		put_label(of[found++], &words, at, nr);
		at += nr;
		if (at >= words.nr || (!is_number(words.of[at]) && !is_percent(words.of[at])))
			return 0;
		at++;
		at += at < words.nr && is_among(words.of[at], units);
	}
	return found;
}

bool text_is_row(const char *text)
{
	enum { NUMBERS_LEAST = 4 };
	struct words words;
	size_t numbers = 0;

	words_split(&words, text);
	for (size_t i = 0; i < words.nr; i++)
		numbers += is_number(words.of[i]) || is_percent(words.of[i]);
	return numbers >= NUMBERS_LEAST && 2 * numbers > words.nr;
}
