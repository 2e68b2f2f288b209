// SPDX-License-Identifier: MIT
/*
 * Implements the verbs that read and write page by page, and counts accesses that raise a signal.
 */
#include "agent/agent.h"
#include "base/cpus.h"
#include "data.h"
#include "verbs.h"
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

/*
 * Where to continue after an access that raised a signal; NULL while this thread is in no access.
 */
static __thread sigjmp_buf *answered;

/* Any other fault ends the process, as without this handler. */
static void on_fault(int sig)
{
	if (answered)
		siglongjmp(*answered, 1);
	signal(sig, SIG_DFL);
}

void act_handle_faults(void)
{
	struct sigaction s = { .sa_handler = on_fault, .sa_flags = SA_NODEFER };

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

/* A function of its own, so that siglongjmp() does not change the caller's variables. */
static void access_page(struct worker *k, volatile char *c, bool writes, char what)
{
	sigjmp_buf here;

	answered = &here;
	if (sigsetjmp(here, 0)) {
		k->outcome.faulted++;
	} else {
		touch(c, writes, what);
		if (writes && k->data)
			data_stamp(k, c);
	}
	answered = NULL;
}

bool act_load(const volatile void *at, uint64_t *value)
{
	sigjmp_buf here;
	volatile bool done = false;

	answered = &here;
	if (!sigsetjmp(here, 0)) {
		*value = *(const volatile uint64_t *)at;
		done = true;
	}
	answered = NULL;
	return done;
}

static void access_pages(struct worker *k, const struct act *a, bool writes)
{
	static const char back[] = "back";
	char word[40];
	bool backwards = !strcmp(option_word(k->verb->options, a->option, word, sizeof(word)),
				 back);
	char *at = act_address(k, a);

	for (uint32_t n = 0; n < a->pages; n++) {
		uint32_t i = backwards ? a->pages - 1 - n : n;

		if (act_touches(a, i))
			access_page(k, at + i * k->page, writes, (char)(a->serial | 1));
	}
}

void verb_read(struct worker *k, const struct act *a)
{
	access_pages(k, a, false);
}

void verb_write(struct worker *k, const struct act *a)
{
	access_pages(k, a, true);
}

/*
 * The new pages are in another CPU's folio batches, so they are neither on an LRU list nor isolated
 * while this CPU locks or unmaps them (lru_add_drain() drains only one CPU).
 */
void verb_write_elsewhere(struct worker *k, const struct act *a)
{
	struct cpu_mask before;
	int list[HOST_CPUS_MAX];
	unsigned n = cpus_list(&k->w->private->hello.all, list);

	errno = ENODEV;
	act_result(k, n < 2 ? -1 : cpus_now(&before));
	if (k->outcome.error)
		return;
	act_result(k, cpus_keep_to_one(list[n - 1]));
	verb_write(k, a);
	cpus_keep_to(&before);
}
