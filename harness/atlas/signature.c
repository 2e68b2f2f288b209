// SPDX-License-Identifier: MIT
#include "signature.h"
#include "base/memory.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACE "place of pages "

static void add(struct view_numbers *n, const char *before, const char *name, int length,
		int64_t value)
{
	char whole[NUMBER_NAME];

	snprintf(whole, sizeof(whole), "%s%.*s", before, length, name);
	for (unsigned i = 0; i < n->nr; i++) {
		if (strcmp(n->of[i].name, whole) != 0)
			continue;
		n->of[i].value += value;
		return;
	}
	if (n->nr == NUMBERS_MAX)
		return;
	snprintf(n->of[n->nr].name, NUMBER_NAME, "%s", whole);
	n->of[n->nr++].value = value;
}

/* `marks` is a text like "a+b+c". */
static void add_marks(struct view_numbers *n, const char *before, const char *marks, int64_t pages)
{
	while (*marks && *marks != ' ' && *marks != '\n') {
		int length = (int)strcspn(marks, "+ ,\n");

		if (length != 1 || *marks != '-')
			add(n, before, marks, length, pages);
		marks += length;
		marks += *marks == '+';
	}
}

/* Parses a range like "3..7" (5 pages), and moves *p past it and the following blank. */
static int64_t take_pages(const char **p)
{
	char *end;
	long first = strtol(*p, &end, 10), last = first;

	if (!strncmp(end, "..", 2))
		last = strtol(end + 2, &end, 10);
	*p = end + (*end == ' ');
	return last - first + 1;
}

/* Parses "map r0 0..7 r+w at 0, rd wr mr mw me ac". */
static void read_map(struct view_numbers *n, const char *who, const char *p)
{
	char name[NUMBER_NAME];
	int64_t pages;

	p += strlen("map r0 ");
	pages = take_pages(&p);
	add(n, who, "mapped", 6, pages);
	add(n, who, "mappings", 8, 1);
	p = strstr(p, ", ");
	for (p = p ? p + 2 : ""; p[0] && p[1] && *p != '\n'; p += p[2] == ' ' ? 3 : 2) {
		snprintf(name, sizeof(name), "%sflag ", who);
		add(n, name, p, 2, pages);
	}
}

/* Parses " Rss 32 Pss 32". */
static void read_fields(struct view_numbers *n, const char *who, const char *p)
{
	for (p += strspn(p, " "); *p && *p != '\n'; p += strspn(p, " ")) {
		const char *name = p;
		int length = (int)strcspn(p, " \n");
		char *end;

		p += length;
		add(n, who, name, length, strtol(p, &end, 10));
		p = end > p ? end : p + strlen(p);
	}
}

/* Parses " 0..7 own+present frame mmap+anon x1". */
static void read_pages(struct view_numbers *n, const char *who, const char *p)
{
	char name[NUMBER_NAME];
	const char *frame, *end = strchrnul(p, '\n');
	int64_t pages, first;

	p += strspn(p, " ");
	first = strtol(p, NULL, 10);
	pages = take_pages(&p);
	snprintf(name, sizeof(name), "%spages ", who);
	add_marks(n, name, p, pages);
	/*
	 * Also sums up the positions of the marked pages, which shows that other pages are marked
	 * even if their number is the same.
	 */
	snprintf(name, sizeof(name), "%s%s", who, PLACE);
	add_marks(n, name, p, pages * first + pages * (pages - 1) / 2);
	frame = strstr(p, " frame ");
	if (!frame || frame > end)
		return;
	snprintf(name, sizeof(name), "%sframes ", who);
	add_marks(n, name, frame + strlen(" frame "), pages);
	frame = strstr(frame, " x");
	if (frame && frame < end)
		add(n, name, frame + 1, (int)strcspn(frame + 1, "\n"), pages);
}

static void read_scan(struct view_numbers *n, const char *who, const char *p)
{
	char name[NUMBER_NAME];
	int64_t pages;

	p += strlen("scan r0 ");
	pages = take_pages(&p);
	snprintf(name, sizeof(name), "%sscan ", who);
	add_marks(n, name, p, pages);
}

/* Parses "error 22, signals 0, blocks 8". */
static void read_outcome(struct view_numbers *n, const char *p)
{
	int error = 0, signals = 0, blocks = 0;

	if (sscanf(p, "error %d, signals %d, blocks %d", &error, &signals, &blocks) != 3)
		return;
	add(n, "", "error", 5, error);
	add(n, "", "signals", 7, signals);
	add(n, "", "blocks", 6, blocks);
}

void view_numbers_read(struct view_numbers *n, const char *text)
{
	const char *who = "";

	n->nr = 0;
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *word = line + strspn(line, " ");

		if (!strncmp(line, "error ", 6))
			read_outcome(n, line);
		else if (!strncmp(line, "the child", 9))
			who = "child ";
		else if (!strncmp(line, "map ", 4))
			read_map(n, who, line);
		else if (!strncmp(line, "scan ", 5))
			read_scan(n, who, line);
		else if (*word >= '0' && *word <= '9')
			read_pages(n, who, line);
		else
			read_fields(n, who, line);
	}
}

int64_t view_numbers_of(const struct view_numbers *n, const char *name)
{
	for (unsigned i = 0; i < n->nr; i++)
		if (!strcmp(n->of[i].name, name))
			return n->of[i].value;
	return 0;
}

enum { NAMES_MAX = DELTA_WORDS * 64, CHANGE_NAME = NUMBER_NAME + 24 };

struct pair {
	const char *old, *new; /* NULL if the slot is free */
	struct delta d;
};

struct names {
	char (*of)[CHANGE_NAME];
	unsigned nr;
};

struct signatures {
	struct names printed[2], changes;
	struct pair *pairs; /* open addressing */
	size_t room, nr;
};

static unsigned name_number(struct names *n, const char *name)
{
	unsigned i = 0;

	while (i < n->nr && strcmp(n->of[i], name) != 0)
		i++;
	if (i < n->nr || n->nr == NAMES_MAX)
		return i;
	snprintf(n->of[n->nr++], CHANGE_NAME, "%s", name);
	return i;
}

static bool has_name(const struct names *n, const char *name)
{
	for (unsigned i = 0; i < n->nr; i++)
		if (!strcmp(n->of[i], name))
			return true;
	return false;
}

struct signatures *signatures_new(void)
{
	struct signatures *s = calloc(1, sizeof(*s));

	if (!s)
		memory_gone("the differences");
	for (unsigned i = 0; i < 3; i++) {
		struct names *n = i < 2 ? &s->printed[i] : &s->changes;

		n->of = calloc(NAMES_MAX, sizeof(*n->of));
		if (!n->of)
			memory_gone("the differences");
	}
	return s;
}

void signatures_free(struct signatures *s)
{
	free(s->printed[0].of);
	free(s->printed[1].of);
	free(s->changes.of);
	free(s->pairs);
	free(s);
}

void signatures_learn(struct signatures *s, unsigned which, const char *text)
{
	static struct view_numbers n;

	view_numbers_read(&n, text);
	for (unsigned i = 0; i < n.nr; i++)
		name_number(&s->printed[which], n.of[i].name);
}

/*
 * Flags of VmFlags and results of acts count as 0 if they are missing. Any other number must be
 * printed by both kernels.
 */
static bool is_printed(const struct signatures *s, const char *name)
{
	if (strstr(name, "flag ") || !strcmp(name, "error") || !strcmp(name, "signals"))
		return true;
	return has_name(&s->printed[0], name) && has_name(&s->printed[1], name);
}

static void add_change(struct signatures *s, struct delta *d, const char *name, const char *how)
{
	char change[CHANGE_NAME];
	unsigned bit;

	snprintf(change, sizeof(change), "%s %s", name, how);
	bit = name_number(&s->changes, change);
	if (bit < NAMES_MAX)
		d->bits[bit / 64] |= 1ULL << bit % 64;
}

static void compare_number(struct signatures *s, struct delta *d, const struct view_number *old,
			   int64_t now)
{
	char how[24];

	if (now == old->value || !is_printed(s, old->name))
		return;
	if (strstr(old->name, PLACE)) {
		add_change(s, d, old->name, "other");
	} else if (!strcmp(old->name, "error")) {
		snprintf(how, sizeof(how), "%d, now %d", (int)old->value, (int)now);
		add_change(s, d, old->name, how);
	} else {
		add_change(s, d, old->name, now > old->value ? "more" : "less");
	}
}

/* If the number of marked pages differs, the sum of their positions adds no information. */
static void forget_places(struct signatures *s, struct delta *d)
{
	for (unsigned i = 0; i < s->changes.nr; i++) {
		const char *place = strstr(s->changes.of[i], PLACE);
		char name[CHANGE_NAME];
		int length = place ? (int)strcspn(place + strlen(PLACE), " ") : 0;

		if (!place || !(d->bits[i / 64] >> i % 64 & 1))
			continue;
		for (unsigned k = 0; k < 2; k++) {
			unsigned other;

			snprintf(name, sizeof(name), "%.*spages %.*s %s",
				 (int)(place - s->changes.of[i]), s->changes.of[i], length,
				 place + strlen(PLACE), k ? "more" : "less");
			for (other = 0; other < s->changes.nr; other++)
				if (!strcmp(s->changes.of[other], name) &&
				    d->bits[other / 64] >> other % 64 & 1)
					d->bits[i / 64] &= ~(1ULL << i % 64);
		}
	}
}

static void compare_texts(struct signatures *s, const char *old, const char *new, struct delta *d)
{
	static struct view_numbers a, b;

	memset(d, 0, sizeof(*d));
	view_numbers_read(&a, old);
	view_numbers_read(&b, new);
	for (unsigned i = 0; i < b.nr; i++)
		add(&a, "", b.of[i].name, NUMBER_NAME, 0);
	for (unsigned i = 0; i < a.nr; i++)
		compare_number(s, d, &a.of[i], view_numbers_of(&b, a.of[i].name));
	forget_places(s, d);
}

static struct pair *place(const struct signatures *s, const char *old, const char *new)
{
	uint64_t h = ((uintptr_t)old ^ (uint64_t)(uintptr_t) new << 21) * 0x9e3779b97f4a7c15u;
	size_t i = (size_t)(h >> 24) % s->room;

	while (s->pairs[i].old && (s->pairs[i].old != old || s->pairs[i].new != new))
		i = (i + 1) % s->room;
	return &s->pairs[i];
}

static void grow(struct signatures *s)
{
	struct pair *old = s->pairs;
	size_t room = s->room;

	s->room = room ? 2 * room : 4096;
	s->pairs = calloc(s->room, sizeof(*s->pairs));
	if (!s->pairs)
		memory_gone("the differences");
	for (size_t i = 0; i < room; i++)
		if (old[i].old)
			*place(s, old[i].old, old[i].new) = old[i];
	free(old);
}

const struct delta *signatures_delta(struct signatures *s, const char *old, const char *new)
{
	struct pair *p;

	if (2 * s->nr >= s->room)
		grow(s);
	p = place(s, old, new);
	if (!p->old) {
		*p = (struct pair) { .old = old, .new = new };
		compare_texts(s, old, new, &p->d);
		s->nr++;
	}
	return &p->d;
}

const char *delta_print(const struct signatures *s, const struct delta *d, char buf[SIGNATURE_TEXT])
{
	size_t len = 0;

	*buf = '\0';
	for (unsigned i = 0; i < s->changes.nr; i++)
		if (d->bits[i / 64] >> i % 64 & 1 && len < SIGNATURE_TEXT)
			len += (size_t)snprintf(buf + len, SIGNATURE_TEXT - len, "%s%s",
						len ? ", " : "", s->changes.of[i]);
	return buf;
}
