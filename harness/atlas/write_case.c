// SPDX-License-Identifier: MIT
#include "write_case.h"
#include "agent/verbs/verbs.h"
#include "differ.h"
#include <ctype.h>
#include <string.h>

/* <rssck/step.h> defines an ACT() for cases, which is not used here. */
#undef ACT

/*
 * The region that the memory is in now, and its length; the worker computes them in the same way.
 */
struct place {
	uint8_t region;
	uint32_t pages;
	unsigned steps;
};

/*
 * Writes "atlas_anon_free" for "cases/atlas/anon_free.c". For a path without "cases/", writes
 * "atlas_" and the last part of the path.
 */
static void put_id(const char *path, FILE *out)
{
	static const char top[] = "cases/";
	const char *last = strrchr(path, '/'), *in = strstr(path, top);
	const char *from = in ? in + sizeof(top) - 1 : last ? last + 1 : path;

	if (!in)
		fputs("atlas_", out);
	for (const char *end = strrchr(from, '.'); *from && from != end; from++)
		putc(isalnum((unsigned char)*from) ? *from : '_', out);
}

static void put_step(struct place *p, unsigned process, const char *text, FILE *out)
{
	fprintf(out, "%sACT(%u, \"%s\")", p->steps++ ? ",\n\t\t       " : "", process, text);
}

static void put_turn(struct place *p, unsigned process, const struct side_turn *t, FILE *out)
{
	char text[ACT_TEXT];

	for (unsigned i = 0; i < t->nr; i++) {
		struct act a = t->acts[i];

		a.region = p->region;
		if (verbs[a.verb].operands & OPERAND_REGION)
			a.to = !p->region;
		if (t->whole[i] && p->pages)
			a.pages = p->pages;
		put_step(p, process, act_print(&a, text), out);
		act_follow(&a, t->whole[i], &p->region, &p->pages);
	}
}

static void put_event(struct place *p, const struct event *e, const struct side_turn *t, FILE *out)
{
	struct place in_child;

	if (e->how == SIDE_ACT || e->how == SIDE_EACH) {
		put_turn(p, 0, t, out);
		return;
	}
	put_step(p, 0, "fork p1", out);
	in_child = *p;
	put_turn(&in_child, 1, t, out);
	p->steps = in_child.steps;
	if (e->how == SIDE_FORK_EXIT)
		put_step(p, 0, "exit p1", out);
}

static void put_only(const char *kernel, const char *text, const char *other, FILE *out)
{
	char who[80];

	snprintf(who, sizeof(who), "%s:", kernel);
	atlas_print_only(" * ", who, text, other, out);
}

int case_write(const struct case_of *c, const struct words *w, FILE *out, char *why, size_t size)
{
	struct place p = { .region = 0 };
	struct sequence s;

	if (sequence_parse(w, &s, c->words, why, size) < 0)
		return -1;
	fprintf(out,
		"// SPDX-License-Identifier: MIT\n"
		"/*\n * The claim in words: what the metrics report after these acts.\n *\n"
		" * %s: two kernels differ.\n",
		c->words);
	put_only(c->old, c->old_text, c->new_text, out);
	put_only(c->new, c->new_text, c->old_text, out);
	fputs(" */\n#include <rssck/case.h>\n\nCASE(", out);
	put_id(c->path, out);
	fprintf(out,
		") {\n\t.claim = \"After '%s' all numbers agree\",\n"
		"\t.because = \"Two kernels differ here; write which number differs, and why.\",\n"
		"\t.said_by = SAID_BY(\"proc_pid_smaps(5)\"),\n\t.processes = 1,\n"
		"\t/* Only identities are checked after an act; a judge() may claim more. */\n"
		"\t.steps = STEPS(",
		c->words);
	for (unsigned at = AT_KIND; at < AT_COUNT; at++) {
		const struct side_turn *t = sequence_turn(w, &s, (enum moment_of)at);

		if (t && at == AT_EVENT)
			put_event(&p, &w->events[s.event], t, out);
		else if (t)
			put_turn(&p, 0, t, out);
	}
	fputs("),\n};\n", out);
	return 0;
}
