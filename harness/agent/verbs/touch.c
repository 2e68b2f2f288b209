// SPDX-License-Identifier: MIT
/* Verbs: reads and writes, page by page. What a page answers with a signal is counted. */
#include "verbs.h"
#include <setjmp.h>
#include <signal.h>
#include <string.h>

static sigjmp_buf answered;

static void on_fault(int sig)
{
	(void)sig;
	siglongjmp(answered, 1);
}

static void handle_faults(void (*handler)(int))
{
	struct sigaction s = { .sa_handler = handler, .sa_flags = SA_NODEFER };

	sigaction(SIGSEGV, &s, NULL);
	sigaction(SIGBUS, &s, NULL);
}

static void touch(volatile char *c, bool writes, char what)
{
	if (writes)
		*c = what;
	else
		(void)*c;
}

/* In a frame of its own: what a fault jumps back over keeps its values. */
static void access_page(struct worker *k, volatile char *c, bool writes, char what)
{
	if (sigsetjmp(answered, 0))
		k->outcome.faulted++;
	else
		touch(c, writes, what);
}

static void access_pages(struct worker *k, const struct act *a, bool writes)
{
	static const char back[] = "back";
	char word[40];
	bool backwards = !strcmp(option_word(k->verb->options, a->option, word, sizeof(word)),
				 back);
	char *at = act_address(k, a);

	handle_faults(on_fault);
	for (uint32_t n = 0; n < a->pages; n++) {
		uint32_t i = backwards ? a->pages - 1 - n : n;

		if (act_touches(a, i))
			access_page(k, at + i * k->page, writes, (char)(a->serial | 1));
	}
	handle_faults(SIG_DFL);
}

void verb_read(struct worker *k, const struct act *a)
{
	access_pages(k, a, false);
}

void verb_write(struct worker *k, const struct act *a)
{
	access_pages(k, a, true);
}
