// SPDX-License-Identifier: MIT
/* Turns the table of words into acts, and converts sequences to and from numbers and text. */
#include "words.h"
#include "agent/verbs/verbs.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* <rssck/step.h> defines an ACT() for cases, which is not used here. */
#undef ACT

enum { SMALL_PAGES = 4, MIDDLE_PAGES = 16, THIN_ABOVE = 64, TURN_MOST = SIDE_TURN_ACTS };

/* The parts of a region on which an act can work. */
enum part { WHOLE = 1, MIDDLE = 2, SECOND = 4 };
enum {
	SMALL = SIZE_SMALL,
	HUGE = SIZE_HUGE,
	HUGETLB = SIZE_HUGETLB,
	LARGE = SIZE_MIDDLE,
	CLEARED = SIZE_CLEARED,
	CLEARED_HUGE = SIZE_CLEARED_HUGE,
	SWAP = NEEDS_SWAP
};

static const struct {
	const char *name;
	enum word_size size;
	unsigned needs;
	const char *acts[TURN_MOST];
} kind_rows[] = {
#define KIND(name, size, needs, ...) { name, (enum word_size)size, needs, { __VA_ARGS__ } },
#define ACT(name, parts, needs, first, second)
#define EVENT(name, how, act, when)
#include "words.def"
#undef KIND
#undef ACT
};

static const struct {
	const char *name;
	unsigned parts, needs;
	const char *acts[2];
} act_rows[] = {
#define KIND(name, size, needs, ...)
#define ACT(name, parts, needs, first, second) { name, parts, needs, { first, second } },
#include "words.def"
#undef ACT
#undef EVENT
};

static const struct {
	const char *name;
	enum side_event how;
	const char *act;
	enum event_when when;
} event_rows[] = {
#define ACT(name, parts, needs, first, second)
#define EVENT(name, how, act, when) { name, how, act, when },
#include "words.def"
#undef KIND
#undef ACT
#undef EVENT
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

static void part_range(enum part part, enum word_size size, uint32_t huge, uint32_t *first,
		       uint32_t *pages)
{
	const struct {
		uint32_t all, first, pages;
	} of[SIZE_COUNT] = {
		[SIZE_SMALL] = { SMALL_PAGES, 1, 2 },      [SIZE_HUGE] = { huge, 16, 8 },
		[SIZE_HUGETLB] = { 2 * huge, huge, huge }, [SIZE_MIDDLE] = { MIDDLE_PAGES, 4, 8 },
		[SIZE_CLEARED] = { SMALL_PAGES, 1, 2 },    [SIZE_CLEARED_HUGE] = { huge, 16, 8 },
	};

	*first = part == WHOLE ? 0 : part == SECOND ? of[size].all / 2 : of[size].first;
	*pages = part == WHOLE ? of[size].all : part == SECOND ? of[size].all / 2 : of[size].pages;
}

/*
 * Adds an act of the table of verbs, with "@" replaced by the range. If the range does not fit into
 * a region (huge pages, if base pages are large), w->not_had says so.
 */
static void add_act(struct words *w, struct side_turn *t, const char *text, enum part part,
		    enum word_size size, uint32_t huge)
{
	const char *at = strchr(text, '@');
	char whole[ACT_TEXT], why[160];
	struct act *a = &t->acts[t->nr];
	uint32_t first, pages;

	part_range(part, size, huge, &first, &pages);
	if (at)
		snprintf(whole, sizeof(whole), "%.*sr0 %u..%u%s", (int)(at - text), text, first,
			 first + pages - 1, at + 1);
	else
		snprintf(whole, sizeof(whole), "%s", text);
	if (act_parse(a, whole, why, sizeof(why)) == 0)
		t->whole[t->nr++] = at && part == WHOLE;
	else if (!w->not_had[size][0])
		snprintf(w->not_had[size], sizeof(w->not_had[size]), "%.*s",
			 (int)sizeof(w->not_had[size]) - 1, why);
}

/* Touching each 16th page of a huge page is enough. */
static void thin_out(struct side_turn *t)
{
	struct act *a = &t->acts[t->nr - 1];
	verb_fn *run;

	if (!t->nr)
		return;
	run = verbs[a->verb].run;
	if (a->pages > THIN_ABOVE &&
	    (run == verb_read || run == verb_write || run == verb_mem_write_to || run == verb_poke))
		a->option = 2;
}

/* Returns bits 1 << enum event_when: the events that make sense only after this act. */
static unsigned leads_to(const struct side_turn *t)
{
	unsigned events = 0;

	for (unsigned i = 0; i < t->nr; i++) {
		const struct verb *v = &verbs[t->acts[i].verb];

		if (v->effect == EFFECT_PAGE_OUT)
			events |= 1U << AFTER_PAGEOUT;
		if (v->run == verb_madvise && v->value == MADV_MERGEABLE)
			events |= 1U << AFTER_MERGEABLE;
		if (v->run == verb_watch || v->run == verb_watch_copy_protected ||
		    v->run == verb_scan_protect)
			events |= 1U << AFTER_WATCH;
	}
	return events;
}

static void add_kinds(struct words *w, uint32_t huge)
{
	for (size_t i = 0; i < COUNT(kind_rows); i++) {
		struct kind *k = &w->kinds[w->nr_kinds++];

		*k = (struct kind) { .size = kind_rows[i].size, .needs = kind_rows[i].needs };
		snprintf(k->name, sizeof(k->name), "%s", kind_rows[i].name);
		for (unsigned n = 0; n < TURN_MOST && kind_rows[i].acts[n]; n++)
			add_act(w, &k->turn, kind_rows[i].acts[n], WHOLE, k->size, huge);
		k->leads_to = leads_to(&k->turn);
	}
}

static void add_word(struct words *w, size_t row, enum part part, uint32_t huge)
{
	struct word *word = &w->acts[w->nr_acts++];
	const char *part_name = part == MIDDLE && act_rows[row].parts & WHOLE ? " middle" : "";

	*word = (struct word) { .needs = act_rows[row].needs };
	snprintf(word->name, sizeof(word->name), "%s%s", act_rows[row].name, part_name);
	for (unsigned n = 0; n < 2 && act_rows[row].acts[n]; n++)
		for (unsigned size = 0; size < SIZE_COUNT; size++) {
			add_act(w, &word->turn[size], act_rows[row].acts[n], part,
				(enum word_size)size, huge);
			thin_out(&word->turn[size]);
		}
	word->leads_to = leads_to(&word->turn[0]);
}

static unsigned find_act(const struct words *w, const char *name)
{
	unsigned i = 0;

	while (i < w->nr_acts && strcmp(w->acts[i].name, name) != 0)
		i++;
	return i;
}

static void add_event(struct words *w, size_t row, uint32_t huge)
{
	struct event *e = &w->events[w->nr_events++];
	const char *act = event_rows[row].act;

	*e = (struct event) { .how = event_rows[row].how, .when = event_rows[row].when };
	snprintf(e->name, sizeof(e->name), "%s", event_rows[row].name);
	for (unsigned size = 0; act && size < SIZE_COUNT; size++) {
		add_act(w, &e->turn[size], act, WHOLE, (enum word_size)size, huge);
		thin_out(&e->turn[size]);
	}
	e->small_only = act && verbs[e->turn[0].acts[0].verb].run == verb_migrate_all;
}

void words_make(struct words *w, uint32_t huge)
{
	memset(w, 0, sizeof(*w));
	add_kinds(w, huge);
	for (size_t i = 0; i < COUNT(act_rows); i++)
		for (unsigned part = WHOLE; part <= SECOND; part *= 2)
			if (act_rows[i].parts & part)
				add_word(w, i, (enum part)part, huge);
	for (size_t i = 0; i < COUNT(event_rows); i++)
		add_event(w, i, huge);
	for (unsigned i = w->nr_kinds; i-- > 0;) {
		w->first_of[w->kinds[i].size] = i;
		w->kinds_of[w->kinds[i].size]++;
	}
	w->access[0] = find_act(w, "read middle");
	w->access[1] = find_act(w, "write middle");
}

static unsigned kinds_of(const struct words *w, enum word_size size, unsigned *first)
{
	*first = w->first_of[size];
	return w->kinds_of[size];
}

/* The sequences of one size and one event have consecutive numbers. */
static uint64_t group_count(const struct words *w, unsigned length, enum word_size size)
{
	unsigned first;
	uint64_t n = kinds_of(w, size, &first) * (uint64_t)(w->nr_acts + 1);

	for (unsigned i = 1; i < length; i++)
		n *= w->nr_acts;
	return n;
}

uint64_t sequences_count(const struct words *w, unsigned length)
{
	uint64_t n = 0;

	for (unsigned size = 0; size < SIZE_COUNT; size++)
		n += group_count(w, length, (enum word_size)size) * (w->nr_events + 1);
	return n;
}

/*
 * Finds the size and event that belong to a number, and the number's index among the sequences with
 * them.
 */
static uint64_t place_of(const struct words *w, unsigned length, uint64_t number,
			 enum word_size *size, unsigned *event)
{
	*event = 0;
	for (unsigned s = 0; s < SIZE_COUNT; s++) {
		uint64_t of = group_count(w, length, (enum word_size)s);

		*size = (enum word_size)s;
		if (number < of * (w->nr_events + 1)) {
			*event = (unsigned)(number / of);
			return number % of;
		}
		number -= of * (w->nr_events + 1);
	}
	return 0;
}

uint64_t sequence_number(const struct words *w, unsigned length, const struct sequence *s)
{
	enum word_size size = w->kinds[s->kind].size;
	unsigned first = 0, kinds = kinds_of(w, size, &first);
	uint64_t before = 0, at = s->act[0] == NO_WORD ? 0 : s->act[0] + 1U;

	for (unsigned i = 1; i < length; i++)
		at = at * w->nr_acts + s->act[i];
	for (unsigned i = 0; i < size; i++)
		before += group_count(w, length, (enum word_size)i) * (w->nr_events + 1);
	before += (s->event == NO_WORD ? 0 : s->event + 1U) * group_count(w, length, size);
	return before + at * kinds + (s->kind - first);
}

bool size_is_huge(enum word_size size)
{
	return size == SIZE_HUGE || size == SIZE_HUGETLB || size == SIZE_CLEARED_HUGE;
}

static bool act_means_something(const struct words *w, const struct sequence *s, unsigned i)
{
	const struct kind *k = &w->kinds[s->kind];
	unsigned needs = s->act[i] == NO_WORD ? 0 : w->acts[s->act[i]].needs;
	bool first = i == 0 || (i == 1 && s->act[0] == NO_WORD);

	return !(needs & NEEDS_FILE && !(k->needs & HAS_FILE)) &&
	       !(needs & AFTER_ANOTHER && first) &&
	       !(needs & HUGE_ALONE && size_is_huge(k->size) && s->length > 1 &&
		 s->act[0] != NO_WORD) &&
	       !(needs & NO_HUGETLB && k->size == SIZE_HUGETLB);
}

bool sequence_is_at_once(const struct words *w, const struct sequence *s)
{
	return s->event != NO_WORD && w->events[s->event].when == NAMED;
}

/*
 * Stricter than act_may_race(): false for acts that would move, extend or shrink the region again
 * in each round, for registering with userfaultfd, and for pinning.
 */
static bool may_be_at_once(const struct words *w, const struct sequence *s, unsigned i)
{
	enum word_size size = w->kinds[s->kind].size;
	const struct side_turn *t = s->act[i] == NO_WORD ? NULL : &w->acts[s->act[i]].turn[size];
	const struct act *a = t && t->nr ? &t->acts[t->nr - 1] : NULL;
	const struct verb *v = a ? &verbs[a->verb] : NULL;

	return v && act_may_race(a) && v->effect != EFFECT_MOVE && v->effect != EFFECT_MOVE_PAGES &&
	       v->effect != EFFECT_GROW && v->effect != EFFECT_WATCH && v->run != verb_shrink &&
	       v->run != verb_pin;
}

void sequence_pair(const struct words *w, const struct sequence *s, struct side_turn *t)
{
	enum word_size size = w->kinds[s->kind].size;

	*t = (struct side_turn) { .nr = 0 };
	if (s->length < 2 || !may_be_at_once(w, s, 0) || !may_be_at_once(w, s, 1))
		return;
	t->nr = 2;
	for (unsigned i = 0; i < 2; i++) {
		const struct side_turn *of = &w->acts[s->act[i]].turn[size];

		t->acts[i] = of->acts[of->nr - 1];
		t->whole[i] = of->whole[of->nr - 1];
	}
}

static bool event_means_something(const struct words *w, const struct sequence *s)
{
	const struct kind *k = &w->kinds[s->kind];
	unsigned leads_to = k->leads_to;
	const struct event *e;

	if (s->event == NO_WORD)
		return true;
	e = &w->events[s->event];
	if (e->when == NAMED)
		return may_be_at_once(w, s, 0) && (s->length < 2 || may_be_at_once(w, s, 1));
	if (e->small_only && size_is_huge(k->size))
		return false;
	if (e->when <= SOMETIMES)
		return true;
	if (s->act[0] != NO_WORD)
		leads_to |= w->acts[s->act[0]].leads_to;
	return leads_to >> e->when & 1;
}

bool sequence_has_its_event(const struct words *w, const struct sequence *s)
{
	enum { ONE_OF = 64 };
	unsigned sum = s->kind;
	bool seldom = w->kinds[s->kind].needs & LIKE_ANOTHER;

	if (sequence_is_at_once(w, s))
		return false;
	if (s->event == NO_WORD || s->act[0] == NO_WORD || w->events[s->event].when > SOMETIMES ||
	    (w->events[s->event].when == ALWAYS && !seldom))
		return true;
	for (unsigned i = 0; i < s->length; i++)
		sum = sum * 31 + s->act[i];
	return (sum ^ sum >> 7) % ONE_OF == s->event;
}

bool sequence_means_something(const struct words *w, const struct sequence *s)
{
	for (unsigned i = 0; i < s->length; i++)
		if (!act_means_something(w, s, i))
			return false;
	return event_means_something(w, s);
}

bool sequence_of(const struct words *w, unsigned length, uint64_t number, struct sequence *s)
{
	enum word_size size;
	unsigned event, first = 0, kinds, sum;
	uint64_t at = place_of(w, length, number, &size, &event);

	kinds = kinds_of(w, size, &first);
	*s = (struct sequence) { .length = (uint8_t)length };
	s->kind = (uint8_t)(first + at % kinds);
	at /= kinds;
	for (unsigned i = length - 1; i > 0; i--, at /= w->nr_acts)
		s->act[i] = (uint8_t)(at % w->nr_acts);
	s->act[0] = at ? (uint8_t)(at - 1) : NO_WORD;
	s->event = event ? (uint8_t)(event - 1) : NO_WORD;
	sum = s->kind + s->act[0];
	for (unsigned i = 1; i < length; i++)
		sum += s->act[i];
	s->access = (uint8_t)w->access[sum % 2];
	return sequence_means_something(w, s);
}

struct sequence sequence_of_kind(unsigned kind)
{
	struct sequence s = { .kind = (uint8_t)kind, .event = NO_WORD, .access = NO_WORD };

	memset(s.act, NO_WORD, sizeof(s.act));
	return s;
}

bool sequences_go_together(const struct words *w, unsigned length, uint64_t a, uint64_t b)
{
	enum word_size size[2];
	unsigned event[2];

	place_of(w, length, a, &size[0], &event[0]);
	place_of(w, length, b, &size[1], &event[1]);
	return size[0] == size[1] && event[0] == event[1];
}

static bool moves_to_node(const struct words *w, const struct sequence *s)
{
	for (unsigned i = 0; i < s->length; i++)
		if (s->act[i] != NO_WORD &&
		    verbs[w->acts[s->act[i]].turn[0].acts[0].verb].run == verb_move_pages)
			return true;
	return false;
}

unsigned sequences_at_once(const struct words *w, const struct sequence *s)
{
	static const unsigned most[SIZE_COUNT] = {
		[SIZE_SMALL] = SIDE_WINDOWS,
		[SIZE_HUGE] = SIDE_WINDOWS / 2,
		[SIZE_HUGETLB] = HUGETLB_POOL / HUGETLB_EACH,
		[SIZE_MIDDLE] = SIDE_WINDOWS,
		[SIZE_CLEARED] = SIDE_WINDOWS,
		[SIZE_CLEARED_HUGE] = SIDE_WINDOWS / 2,
	};

	if (size_is_huge(w->kinds[s->kind].size) && moves_to_node(w, s))
		return HUGE_ON_NODE;
	return most[w->kinds[s->kind].size];
}

static void add_text(char buf[SEQUENCE_TEXT], const char *word)
{
	size_t len = strlen(buf);

	snprintf(buf + len, SEQUENCE_TEXT - len, "%s%s", len ? ", " : "", word);
}

/* The number of the act of that moment; NO_WORD if it has none. */
static unsigned act_at(const struct sequence *s, enum moment_of at)
{
	if (at == AT_FIRST)
		return s->act[0];
	if (at == AT_ACCESS)
		return s->access;
	return at >= AT_SECOND && at - AT_SECOND + 1U < s->length ? s->act[at - AT_SECOND + 1]
								  : NO_WORD;
}

static const char *word_before(const struct words *w, const struct sequence *s, enum moment_of at)
{
	unsigned act = act_at(s, at);

	if (at == AT_KIND)
		return w->kinds[s->kind].name;
	if (at == AT_EVENT)
		return s->event == NO_WORD ? NULL : w->events[s->event].name;
	return act == NO_WORD ? NULL : w->acts[act].name;
}

const char *sequence_until(const struct words *w, const struct sequence *s, enum moment_of at,
			   char buf[SEQUENCE_TEXT])
{
	*buf = '\0';
	for (unsigned i = 0; i <= at; i++) {
		const char *word = word_before(w, s, (enum moment_of)i);

		if (word)
			add_text(buf, word);
	}
	return buf;
}

const char *sequence_print(const struct words *w, const struct sequence *s, char buf[SEQUENCE_TEXT])
{
	return sequence_until(w, s, AT_ACCESS, buf);
}

const struct side_turn *sequence_turn(const struct words *w, const struct sequence *s,
				      enum moment_of at)
{
	enum word_size size = w->kinds[s->kind].size;
	unsigned act = act_at(s, at);

	if (at == AT_KIND)
		return &w->kinds[s->kind].turn;
	if (at == AT_EVENT)
		return s->event == NO_WORD ? NULL : &w->events[s->event].turn[size];
	return act == NO_WORD ? NULL : &w->acts[act].turn[size];
}

bool sequence_has(const struct words *w, const struct sequence *s, unsigned effect)
{
	for (unsigned at = AT_KIND; at < AT_COUNT; at++) {
		const struct side_turn *t = sequence_turn(w, s, (enum moment_of)at);

		for (unsigned i = 0; t && i < t->nr; i++)
			if (verbs[t->acts[i].verb].effect == effect)
				return true;
	}
	return false;
}

static const char *take_word(const char **p, char word[WORD_TEXT])
{
	const char *end;
	size_t len;

	while (isspace((unsigned char)**p))
		++*p;
	end = strchrnul(*p, ',');
	len = (size_t)(end - *p);
	while (len && isspace((unsigned char)(*p)[len - 1]))
		len--;
	snprintf(word, WORD_TEXT, "%.*s", (int)(len < WORD_TEXT ? len : WORD_TEXT - 1), *p);
	*p = *end ? end + 1 : end;
	return word;
}

static bool take_kind(const struct words *w, struct sequence *s, const char *word)
{
	for (unsigned i = 0; i < w->nr_kinds; i++)
		if (!strcmp(w->kinds[i].name, word)) {
			s->kind = (uint8_t)i;
			return true;
		}
	return false;
}

static bool take_event(const struct words *w, struct sequence *s, const char *word)
{
	for (unsigned i = 0; i < w->nr_events && s->event == NO_WORD; i++)
		if (!strcmp(w->events[i].name, word)) {
			s->event = (uint8_t)i;
			return true;
		}
	return false;
}

/* An event comes after the first act, or before all acts. The last act is the access. */
static void arrange(struct sequence *s, const uint8_t *acts, unsigned nr, unsigned before_event)
{
	bool event = s->event != NO_WORD, access = nr && !(event && before_event == nr);
	unsigned at = event && !before_event ? 1 : 0;

	memset(s->act, NO_WORD, sizeof(s->act));
	for (unsigned i = 0; i < nr - access; i++)
		s->act[at++] = acts[i];
	s->length = (uint8_t)at;
	s->access = access ? acts[nr - 1] : NO_WORD;
}

static int refuse(char *why, size_t size, const char *what, const char *word)
{
	snprintf(why, size, "'%s' %s", word, what);
	return -1;
}

int sequence_parse(const struct words *w, struct sequence *s, const char *text, char *why,
		   size_t size)
{
	uint8_t acts[LENGTH_MAX + 1];
	unsigned nr = 0, before_event = 0;
	char word[WORD_TEXT];

	*s = (struct sequence) { .event = NO_WORD, .access = NO_WORD };
	if (!take_kind(w, s, take_word(&text, word)))
		return refuse(why, size, "is not a kind of memory", word);
	while (*text) {
		unsigned act = find_act(w, take_word(&text, word));

		if (nr == COUNT(acts))
			return refuse(why, size, "is more than the maximum number of acts", word);
		if (act < w->nr_acts)
			acts[nr++] = (uint8_t)act;
		else if (nr <= 1 && take_event(w, s, word))
			before_event = nr;
		else
			return refuse(why, size,
				      "is not an act, and not an event that may follow "
				      "the first act",
				      word);
	}
	arrange(s, acts, nr, before_event);
	return 0;
}

bool sequence_shows(const struct words *w, const char *words, uint64_t *number, enum moment_of *at)
{
	bool acts_last;
	struct sequence s;
	char why[160];

	if (sequence_parse(w, &s, words, why, sizeof(why)) < 0 || s.length > 1)
		return false;
	acts_last = s.access != NO_WORD;
	*at = acts_last ? AT_SECOND : s.event != NO_WORD ? AT_EVENT : AT_KIND;
	/*
	 * The text before the last act is read in the sequence that ends with the table's first
	 * act.
	 */
	s.act[1] = acts_last ? s.access : 0;
	*number = sequence_number(w, 2, &s);
	return true;
}
