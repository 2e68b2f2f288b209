// SPDX-License-Identifier: MIT
/*
 * Calls a case's own judge(), which runs in rssck's process. If it crashes, only that case is an
 * error.
 */
#include "private.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
enum { SIGNALS = sizeof(signals) / sizeof(*signals) };

static sigjmp_buf before_judge;

static void leave_judge(int signal)
{
	siglongjmp(before_judge, signal);
}

/* Returns 0, or the signal that judge() raised. */
static int call(const struct trial *t, struct judgement *j)
{
	int signal = sigsetjmp(before_judge, 1);

	if (!signal)
		t->c->judge(t, j);
	return signal;
}

void judge_by_case(const struct trial *t, struct judgement *j)
{
	const struct sigaction leave = { .sa_handler = leave_judge };
	struct sigaction before[SIGNALS];
	struct trial judged = *t;
	int signal;

	if (!t->c->judge)
		return;
	judged.wrong = j->error;
	j->t = &judged;
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &leave, &before[i]);
	signal = call(&judged, j);
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
	j->t = NULL;
	if (signal && !j->error[0])
		snprintf(j->error, sizeof(j->error), "its judge() crashed (%s)", strsignal(signal));
}
