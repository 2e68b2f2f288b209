// SPDX-License-Identifier: MIT
/* Computes an operation's operands, and stores its outcome. */
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <rssck/source.h>
#include <unistd.h>

char *act_address(const struct worker *k, const struct act *a)
{
	return k->regions[a->region].at + a->first * k->page;
}

size_t act_bytes(const struct worker *k, const struct act *a)
{
	return a->pages * k->page;
}

void act_at_least(struct worker *k, int64_t seen, int64_t least)
{
	k->outcome.expected = least;
	k->outcome.seen = seen < least ? seen : least;
}

int act_entries(const struct worker *k, const char *at, size_t pages, uint64_t *words)
{
	uint64_t first = (uintptr_t)at;
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	int64_t n = fd < 0 ? -1
			   : pagemap_entries(fd, (long)k->page, first, first + pages * k->page,
					     words);

	if (fd >= 0)
		close(fd);
	errno = EIO;
	return n == (int64_t)pages ? 0 : -1;
}

void act_result(struct worker *k, long result)
{
	if (result < 0)
		k->outcome.error = errno ? errno : EIO;
}

bool act_touches(const struct act *a, uint32_t i)
{
	static const unsigned strides[] = { 1, 2, 16, 1 };

	return i < a->pages && (!verbs[a->verb].options || i % strides[a->option % 4] == 0);
}

uint32_t act_growth(const struct act *a)
{
	static const uint32_t by[] = { 1, 16, 64 };
	uint32_t room = ACT_REGION_PAGES - a->first - a->pages, pages = by[a->option % 3];

	return pages < room ? pages : room;
}

void act_follow(const struct act *a, bool whole, uint8_t *region, uint32_t *pages)
{
	const struct verb *v = &verbs[a->verb];

	if (v->effect == EFFECT_MAP)
		*pages = a->first + a->pages;
	else if (whole && v->effect == EFFECT_MOVE && v->operands & OPERAND_REGION)
		*region = a->to;
	else if (v->effect == EFFECT_GROW)
		*pages += act_growth(a);
}

bool act_is_beside(const struct act *a)
{
	const struct verb *v = &verbs[a->verb];

	return (v->effect == EFFECT_MOVE || v->effect == EFFECT_MOVE_PAGES) &&
	       !(v->operands & OPERAND_REGION);
}

bool act_has_room_beside(const struct act *a)
{
	return a->first + 2 * a->pages <= ACT_REGION_PAGES;
}

int act_protection(const struct act *a)
{
	static const int of[] = { PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE,
				  PROT_READ | PROT_EXEC, PROT_READ | PROT_WRITE | PROT_EXEC };

	const struct verb *v = &verbs[a->verb];

	/* "mmap text" and "mmap memfd text" have no option. */
	return v->options ? of[a->option % 5] : v->value;
}
