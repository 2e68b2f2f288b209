// SPDX-License-Identifier: MIT
/*
 * Draws a random program. A uniform choice of verbs misses bugs. Two things find more: pairs and
 * sequences of verbs that act on each other's pages (idioms.def), and verbs that map memory of
 * their own (new, aligned, large).
 */
#include "program.h"
#include "random.h"
#include <string.h>

enum {
	STEPS_LEAST = 8,
	STEPS_MOST = 40,
	SMALL_PAGES = 64,
	HUGE_PAGES = 512, /* pages that one PMD maps if a page has 4 KiB */
	HUGE_REGIONS = 2, /* at most this many huge regions in one program, each up to 4 MiB */
	PAIR_PERCENT = 45,
	UNSETTLED_PERCENT = 25,
	STAY_PERCENT = 75, /* with threads: the next operation uses the same pages */
	TWIN_PERCENT = 15, /* with threads: another thread repeats the operation */
};

/* The predicted state of a region; the program is not run. */
struct drawn_region {
	uint32_t first, pages; /* 0 pages: the region does not exist */
	bool huge, file;
	bool placed; /* a file, or shared memory: the content of a page depends on its position */
};

struct drawing {
	struct dice dice;
	const struct recipe *recipe;
	struct program *p;
	bool alive[ACT_PROCESSES];
	const char *const *idiom; /* the remaining verbs of the current idiom; NULL: no idiom */
	bool whole, part;         /* the next verb's range: the whole region, or about half of it */
	struct drawn_region regions[ACT_PROCESSES][ACT_REGIONS];
	unsigned huge_regions;
};

enum { IDIOM_STEPS = 7, IDIOM_PERCENT = 7, WHOLE = '*', PART = '/' };

#define FOLLOWS(first, next) { first, next },
#define IDIOM(...)
static const struct {
	const char *first, *next;
} pairs[] = {
#include "idioms.def"
};
#undef FOLLOWS
#undef IDIOM

#define FOLLOWS(first, next)
#define IDIOM(...) { __VA_ARGS__ },
static const char *const idioms[][IDIOM_STEPS + 1] = {
#include "idioms.def"
};
#undef FOLLOWS
#undef IDIOM

static bool is_called(const struct verb *v, const char *name)
{
	size_t len = strlen(v->name);

	return !strncmp(name, v->name, len) && !strcmp(name[len] ? name + len + 1 : "", v->mode);
}

static bool may_be_drawn(const struct drawing *d, size_t verb)
{
	return !d->recipe->verbs || d->recipe->verbs[verb];
}

static size_t draw_verb(struct drawing *d)
{
	unsigned sum = 0, at;

	for (size_t i = 0; i < nr_verbs; i++)
		sum += may_be_drawn(d, i) ? verbs[i].weight : 0;
	at = dice_below(&d->dice, sum);
	for (size_t i = 0; i < nr_verbs; i++) {
		if (!may_be_drawn(d, i))
			continue;
		if (at < verbs[i].weight)
			return i;
		at -= verbs[i].weight;
	}
	return 0;
}

static size_t find_verb(const struct drawing *d, const char *name)
{
	for (size_t i = 0; i < nr_verbs; i++)
		if (is_called(&verbs[i], name) && may_be_drawn(d, i))
			return i;
	return nr_verbs;
}

/* Draws a verb that often follows the last one; nr_verbs if there is no such verb. */
static size_t draw_next(struct drawing *d, const struct act *last)
{
	const char *of[sizeof(pairs) / sizeof(*pairs)];
	unsigned n = 0;
	const char *next;

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (is_called(&verbs[last->verb], pairs[i].first))
			of[n++] = pairs[i].next;
	if (!n)
		return nr_verbs;
	next = of[dice_below(&d->dice, n)];
	return find_verb(d, next);
}

/*
 * Returns the next verb of the current idiom, or the first verb of a new idiom. Returns nr_verbs if
 * no idiom is in use, or if the verb may not be drawn.
 */
static size_t draw_idiom(struct drawing *d)
{
	const char *name;

	d->whole = d->part = false;
	if (d->idiom && !*d->idiom)
		d->idiom = NULL;
	if (!d->idiom && dice_says(&d->dice, IDIOM_PERCENT))
		d->idiom = idioms[dice_below(&d->dice, sizeof(idioms) / sizeof(*idioms))];
	if (!d->idiom)
		return nr_verbs;
	name = *d->idiom++;
	d->whole = *name == WHOLE;
	d->part = *name == PART;
	return find_verb(d, name + (d->whole || d->part));
}

static uint8_t draw_process(struct drawing *d)
{
	uint8_t process = (uint8_t)dice_below(&d->dice, ACT_PROCESSES);

	return d->alive[process] && dice_says(&d->dice, 60) ? process : 0;
}

static int draw_region(struct drawing *d, unsigned process, bool there)
{
	unsigned from = dice_below(&d->dice, ACT_REGIONS);

	for (unsigned i = 0; i < ACT_REGIONS; i++) {
		unsigned r = (from + i) % ACT_REGIONS;

		if (!!d->regions[process][r].pages == there)
			return (int)r;
	}
	return -1;
}

static void draw_range(struct drawing *d, const struct drawn_region *r, struct act *a)
{
	uint32_t part = r->pages > 1 ? 1 + dice_below(&d->dice, r->pages - 1) : 1;

	a->first = r->first;
	a->pages = r->pages;
	switch (dice_below(&d->dice, 8)) {
	case 0:
		a->pages = part;
		break;
	case 1:
		a->first += r->pages - part;
		a->pages = part;
		break;
	case 2:
		a->first += dice_below(&d->dice, r->pages);
		a->pages = 1;
		break;
	case 3:
		a->first += r->pages - part;
		a->pages = 1 + dice_below(&d->dice, part);
		break;
	case 4:
		a->pages = r->pages > 1 ? r->pages / 2 : 1;
		break;
	default:
		break;
	}
}

static uint8_t draw_protection(struct drawing *d, const struct verb *v)
{
	if (dice_says(&d->dice, 85))
		return 0;
	return (uint8_t)dice_below(&d->dice, option_count(v->options));
}

/* The range of an idiom's verb: the whole region, or half of it at the front or at the back. */
static void draw_much(struct drawing *d, const struct drawn_region *r, struct act *a)
{
	uint32_t left_out = d->part ? r->pages / 2 : 0;

	a->first = r->first + (left_out && dice_says(&d->dice, 50) ? left_out : 0);
	a->pages = r->pages - left_out;
}

static bool draw_map(struct drawing *d, const struct verb *v, struct act *a)
{
	int region = draw_region(d, a->process, false);
	struct drawn_region *r = &d->regions[a->process][region < 0 ? 0 : region];

	if (region < 0 || (v->huge && d->huge_regions == HUGE_REGIONS))
		return false;
	d->huge_regions += v->huge;
	a->region = (uint8_t)region;
	a->first = v->huge || dice_says(&d->dice, 70) ? 0 : dice_below(&d->dice, 16);
	a->pages = v->huge                   ? HUGE_PAGES * (dice_says(&d->dice, 20) ? 2 : 1)
		   : dice_says(&d->dice, 80) ? 1 + dice_below(&d->dice, SMALL_PAGES)
					     : 1u << dice_below(&d->dice, 7);
	a->option = draw_protection(d, v);
	*r = (struct drawn_region) { a->first, a->pages, v->huge, v->backing != BACKED_BY_NOTHING,
				     v->shared || v->backing != BACKED_BY_NOTHING };
	return true;
}

/*
 * Returns the last operation if it has a range of pages, otherwise the one before it if that has
 * one, otherwise NULL. The last operation may be a fork.
 */
static const struct act *last_with_pages(const struct program *p)
{
	for (unsigned i = p->nr; i-- > 0 && i + 2 >= p->nr;)
		if (verbs[p->acts[i].verb].operands & OPERAND_RANGE)
			return &p->acts[i];
	return NULL;
}

/* Uses the region of the previous operation if it still exists, and mostly the same pages. */
static bool draw_pages(struct drawing *d, const struct act *before, struct act *a)
{
	int region = draw_region(d, a->process, true);
	bool same = before && d->regions[a->process][before->region].pages;

	if (region < 0)
		return false;
	a->region = (uint8_t)region;
	if (same) {
		a->region = before->region;
		a->first = before->first;
		a->pages = before->pages;
	}
	if (d->whole || d->part) {
		draw_much(d, &d->regions[a->process][a->region], a);
	} else if (!same || dice_says(&d->dice, 40)) {
		draw_range(d, &d->regions[a->process][a->region], a);
	}
	return true;
}

/* Uses the addresses directly after the pages of a region. */
static bool draw_beside(struct drawing *d, const struct act *before, struct act *a)
{
	enum { MOST = 16 };
	struct drawn_region *r;

	if (!draw_pages(d, before, a))
		return false;
	r = &d->regions[a->process][a->region];
	a->first = r->first + r->pages;
	a->pages = 1 + dice_below(&d->dice, MOST);
	a->option = draw_protection(d, &verbs[a->verb]);
	if (r->huge || r->file || a->first + a->pages > ACT_REGION_PAGES)
		return false;
	r->pages += a->pages;
	return true;
}

/* Uses pages of an existing region, which mmap(2) then replaces. */
static bool draw_over(struct drawing *d, const struct act *before, struct act *a)
{
	const struct drawn_region *r;

	if (!draw_pages(d, before, a))
		return false;
	r = &d->regions[a->process][a->region];
	a->option = draw_protection(d, &verbs[a->verb]);
	return !r->huge && !r->file;
}

/* Keeps the longer of the two parts that remain after a range was removed from a region. */
static void shorten(struct drawn_region *r, const struct act *a)
{
	uint32_t end = r->first + r->pages, a_end = a->first + a->pages;
	uint32_t front = a->first > r->first ? a->first - r->first : 0;
	uint32_t back = end > a_end ? end - a_end : 0;

	if (back > front)
		r->first = end - back;
	r->pages = back > front ? back : front;
}

/* Extends the range to the end of the region, because mremap(2) can extend a mapping only there. */
static void grow(struct drawn_region *r, struct act *a)
{
	uint32_t end = r->first + r->pages;

	/* The pages of the previous operation may have been moved away. */
	if (a->first >= end)
		a->first = r->first;
	a->pages = end - a->first;
	r->pages += act_growth(a);
}

static bool draw_move(struct drawing *d, struct act *a)
{
	int to = draw_region(d, a->process, false);
	struct drawn_region *from = &d->regions[a->process][a->region];

	if (to < 0)
		return false;
	a->to = (uint8_t)to;
	d->regions[a->process][to] = *from;
	d->regions[a->process][to].first = a->first;
	d->regions[a->process][to].pages = a->pages;
	if (verbs[a->verb].effect == EFFECT_MOVE)
		shorten(from, a);
	return true;
}

static bool draw_move_beside(struct drawing *d, struct act *a)
{
	struct drawn_region *r = &d->regions[a->process][a->region];
	uint32_t end = a->first + 2 * a->pages;

	if (r->placed || !act_has_room_beside(a))
		return false;
	if (end > r->first + r->pages)
		r->pages = end - r->first;
	if (verbs[a->verb].effect == EFFECT_MOVE && a->first == r->first) {
		r->first += a->pages;
		r->pages -= a->pages;
	}
	return true;
}

static bool draw_fork(struct drawing *d, struct act *a)
{
	unsigned most = d->recipe->processes ? d->recipe->processes : ACT_PROCESSES;

	a->process = 0;
	a->to = (uint8_t)(1 + dice_below(&d->dice, ACT_PROCESSES - 1));
	if (d->alive[a->to] || a->to >= most)
		return false;
	d->alive[a->to] = true;
	memcpy(d->regions[a->to], d->regions[0], sizeof(d->regions[0]));
	return true;
}

static bool draw_exit(struct drawing *d, struct act *a)
{
	a->process = 0;
	a->to = (uint8_t)(1 + dice_below(&d->dice, ACT_PROCESSES - 1));
	if (!d->alive[a->to])
		return false;
	d->alive[a->to] = false;
	return true;
}

static bool draw_other_process(struct drawing *d, struct act *a)
{
	a->process = 0;
	a->to = (uint8_t)(1 + dice_below(&d->dice, ACT_PROCESSES - 1));
	return d->alive[a->to];
}

static bool draw_operands(struct drawing *d, const struct act *before, struct act *a)
{
	const struct verb *v = &verbs[a->verb];

	if (v->effect == EFFECT_FORK)
		return draw_fork(d, a);
	if (v->effect == EFFECT_EXIT)
		return draw_exit(d, a);
	if (v->run == verb_mmap_beside)
		return v->value ? draw_over(d, before, a) : draw_beside(d, before, a);
	if (v->effect == EFFECT_MAP)
		return draw_map(d, v, a);
	if (!(v->operands & OPERAND_RANGE)) {
		a->option = (uint8_t)dice_below(&d->dice, option_count(v->options));
		return true;
	}
	if (v->operands & OPERAND_PROCESS && !draw_other_process(d, a))
		return false;
	if (!draw_pages(d, before, a))
		return false;
	if ((v->effect == EFFECT_PUNCH || v->effect == EFFECT_TRUNCATE ||
	     v->effect == EFFECT_PROBE || v->effect == EFFECT_EXTEND ||
	     v->effect == EFFECT_MAP_AGAIN || v->run == verb_stat || v->run == verb_swap_ask) &&
	    !d->regions[a->process][a->region].file && dice_says(&d->dice, 90))
		return false;
	if (v->options)
		a->option = v->effect != EFFECT_PROTECT && dice_says(&d->dice, 60)
				    ? 0
				    : (uint8_t)dice_below(&d->dice, option_count(v->options));
	if (v->effect == EFFECT_UFFD_MOVE &&
	    (d->regions[a->process][a->region].placed || d->regions[a->process][a->region].huge))
		return false;
	if (v->operands & OPERAND_REGION && !draw_move(d, a))
		return false;
	if (v->effect == EFFECT_MOVE && v->options)
		d->regions[a->process][a->to].pages += act_growth(a);
	if (act_is_beside(a) && !draw_move_beside(d, a))
		return false;
	if (v->effect == EFFECT_GROW)
		grow(&d->regions[a->process][a->region], a);
	if (v->effect == EFFECT_UNMAP)
		shorten(&d->regions[a->process][a->region], a);
	return true;
}

/*
 * True if the next operation should use the previous operation's pages. Threads that run
 * concurrently find more bugs on the same pages.
 */
static bool stays(struct drawing *d)
{
	return d->recipe->threads > 1 && dice_says(&d->dice, STAY_PERCENT);
}

/*
 * Sometimes repeats the last operation, so that another thread may run it. Two threads then fault
 * on one page, and one of them may find it present.
 */
static bool draw_twin(struct drawing *d)
{
	const struct program *p = d->p;
	const struct act *last = p->nr ? &p->acts[p->nr - 1] : NULL;

	if (d->recipe->threads < 2 || !last || !dice_says(&d->dice, TWIN_PERCENT))
		return false;
	if (!act_may_race(last) || verbs[last->verb].operands & OPERAND_REGION ||
	    act_is_beside(last) || verbs[last->verb].effect == EFFECT_GROW ||
	    verbs[last->verb].effect == EFFECT_UNMAP)
		return false;
	d->p->acts[d->p->nr++] = *last;
	return true;
}

static void draw_act(struct drawing *d)
{
	struct act *a = &d->p->acts[d->p->nr], *last = d->p->nr ? a - 1 : NULL;
	size_t idiom = draw_idiom(d);
	size_t next = idiom < nr_verbs                            ? idiom
		      : last && dice_says(&d->dice, PAIR_PERCENT) ? draw_next(d, last)
								  : nr_verbs;
	const struct act *before = next < nr_verbs || stays(d) ? last_with_pages(d->p) : NULL;

	*a = (struct act) { .verb = (uint16_t)(next < nr_verbs ? next : draw_verb(d)) };
	a->process = before && verbs[last->verb].effect != EFFECT_FORK ? last->process
								       : draw_process(d);
	if (draw_operands(d, before, a))
		d->p->nr++;
	else
		d->idiom = NULL;
}

void program_draw(struct program *p, uint64_t seed, const struct recipe *r)
{
	struct drawing d = { .dice = { seed }, .recipe = r, .p = p, .alive = { true } };
	unsigned steps = STEPS_LEAST + dice_below(&d.dice, STEPS_MOST - STEPS_LEAST + 1);

	enum { TRIES = 20 };

	*p = (struct program) { .seed = seed, .unsettled = dice_says(&d.dice, UNSETTLED_PERCENT) };
	p->threads = r->threads;
	if (r->steps)
		steps = r->steps < ACT_STEPS_MAX ? r->steps : ACT_STEPS_MAX;
	for (unsigned i = 0; i < TRIES * steps && p->nr < steps; i++)
		if (!draw_twin(&d))
			draw_act(&d);
	program_number(p);
}
