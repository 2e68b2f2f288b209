// SPDX-License-Identifier: MIT
/* Which memory policies the kernel accepts, and what it tells about them. */
#ifndef CASES_VIRTUAL_POLICY_RULES_H
#define CASES_VIRTUAL_POLICY_RULES_H

#include <linux/mempolicy.h>
#include <rssck/case.h>

enum { STATIC = 1 << 15, RELATIVE = 1 << 14, BALANCING = 1 << 13, NO_FLAG = 1 << 12 };
enum { ALL_NODES = 3 }; /* the nodes 0 and 1 */
enum way { OF_PROCESS, OF_MAPPING, OF_SHARED, WAYS };
enum takes { NO_NODES, SOME_OR_LOCAL, NODES };

static const char *const ways[] = { "set_mempolicy", "mbind", "mbind of shared memory" };

static const struct mode {
	const char *name, *text;
	int mode;
	enum takes takes;
	bool has_home; /* set_mempolicy_home_node(2) accepts it */
} modes[] = {
	{ "MPOL_DEFAULT", "default", 0, NO_NODES, false },
	{ "MPOL_PREFERRED", "prefer", 1, SOME_OR_LOCAL, false },
	{ "MPOL_BIND", "bind", 2, NODES, true },
	{ "MPOL_INTERLEAVE", "interleave", 3, NODES, false },
	{ "MPOL_LOCAL", "local", 4, NO_NODES, false },
	{ "MPOL_PREFERRED_MANY", "prefer (many)", 5, NODES, true },             /* since 5.15 */
	{ "MPOL_WEIGHTED_INTERLEAVE", "weighted interleave", 6, NODES, false }, /* since 6.9 */
	{ "mode 7", "", 7, NODES, false },
};

static const struct flags {
	const char *name, *text; /* the text is that of a kernel that prints BALANCING */
	int bits;
} flags[] = {
	{ "", "", 0 },
	{ " | STATIC", "=static", STATIC },
	{ " | RELATIVE", "=relative", RELATIVE },
	{ " | STATIC | RELATIVE", "", STATIC | RELATIVE },
	{ " | BALANCING", "=balancing", BALANCING }, /* since 5.12 */
	{ " | BALANCING | STATIC", "=static|balancing", BALANCING | STATIC },
	{ " | BALANCING | RELATIVE", "=relative|balancing", BALANCING | RELATIVE },
	{ " | bit 12", "", NO_FLAG },
};

/* Node 2 is not there. */
static const unsigned masks[] = { 0, 1, 2, 3, 4, 5, 6, 12 };

enum { DEFAULT, PREFERRED, BIND, LOCAL = 4 };
enum {
	MODES = sizeof(modes) / sizeof(*modes),
	FLAGS = sizeof(flags) / sizeof(*flags),
	MASKS = sizeof(masks) / sizeof(*masks),
	ROWS = MODES * FLAGS * MASKS,
	TEXT = 64,
};

/* As numa_maps may print a policy with BALANCING. */
enum { PRINTS_DEFAULT, PRINTS_NOTHING, PRINTS_BALANCING, PRINTS_NO_NAME, REFUSES };

struct row {
	enum way way;
	const struct mode *mode;
	const struct flags *flags;
	unsigned mask;
};

/* What this kernel does; each is a fact. */
static struct {
	bool knows[MODES], balances[MODES];
	int local;          /* the mode that get_mempolicy(2) returns for MPOL_LOCAL */
	int text;           /* of BALANCING */
	bool keeps_request; /* get_mempolicy(2) returns the nodes that BALANCING was passed */
	bool has_homes;     /* set_mempolicy_home_node(2) */
} kernel;

/* ---- what is expected ---- */

/*
 * Nodes of RELATIVE are numbers among the allowed nodes, modulo their number; others are limited to
 * the allowed nodes (mpol_set_nodemask()).
 */
static unsigned used(const struct row *r)
{
	unsigned both = 0;

	if (!(r->flags->bits & RELATIVE))
		return r->mask & ALL_NODES;
	for (unsigned mask = r->mask; mask; mask >>= 2)
		both |= mask & ALL_NODES;
	return both;
}

static bool is_local(const struct row *r)
{
	return r->mode->mode == LOCAL || (r->mode->mode == PREFERRED && !r->mask);
}

/* The rules of sanitize_mpol_flags() and mpol_new(). */
static bool is_refused(const struct row *r)
{
	int bits = r->flags->bits;

	if (!kernel.knows[r->mode->mode] || bits & NO_FLAG || !(~bits & (STATIC | RELATIVE)) ||
	    (bits & BALANCING && !kernel.balances[r->mode->mode]))
		return true;
	if (r->mode->mode == DEFAULT)
		return r->mask;
	if (is_local(r))
		return r->mask || bits & (STATIC | RELATIVE);
	return !used(r);
}

static unsigned nodes_of(const struct row *r)
{
	bool first = r->mode->mode == PREFERRED; /* it keeps the first node only */
	unsigned nodes = used(r);

	return first && nodes & 1 ? 1 : nodes;
}

static unsigned told_nodes(const struct row *r)
{
	if (r->mode->mode == DEFAULT || is_local(r))
		return 0;
	return r->flags->bits & (STATIC | RELATIVE) ||
			       (r->flags->bits & BALANCING && kernel.keeps_request)
		       ? r->mask
		       : nodes_of(r);
}

static int told_mode(const struct row *r)
{
	if (r->mode->mode == DEFAULT)
		return DEFAULT;
	return (is_local(r) ? kernel.local : r->mode->mode) | r->flags->bits;
}

static const char *flags_text(const struct row *r)
{
	static const char *const without[] = { [4] = "=", [5] = "=static", [6] = "=relative" };
	ptrdiff_t i = r->flags - flags;

	if (!(r->flags->bits & BALANCING) || kernel.text == PRINTS_BALANCING)
		return r->flags->text;
	return kernel.text == PRINTS_NO_NAME ? without[i] : without[i][1] ? without[i] : "";
}

static void text_of(const struct row *r, char text[TEXT])
{
	static const char *const lists[] = { "", "0", "1", "0-1" };

	if (r->mode->mode == DEFAULT ||
	    (r->flags->bits & BALANCING && kernel.text == PRINTS_DEFAULT))
		snprintf(text, TEXT, "default");
	else if (is_local(r))
		snprintf(text, TEXT, "local");
	else
		snprintf(text, TEXT, "%s%s:%s", r->mode->text, flags_text(r), lists[nodes_of(r)]);
}

#endif
