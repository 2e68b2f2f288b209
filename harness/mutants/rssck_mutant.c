// SPDX-License-Identifier: GPL-2.0
/*
 * This file is copied into mm/. It contains the parameter that selects a mutant (rssck_mutant=N on
 * the command line), which can also be changed while the kernel runs.
 */
#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/rssck_mutant.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

enum { RSSCK_PORT = 0x5e8 };

int rssck_mutant __read_mostly;
unsigned char rssck_site_seen[RSSCK_MUTANTS];
unsigned char rssck_round __read_mostly = 1;
static int rssck_round_ms;
static DEFINE_RAW_SPINLOCK(rssck_lock);

/* Writes to QEMU's isa-debugcon, which does not change the memory numbers of the guest. */
static void rssck_put(char kind, int number)
{
	char text[16];
	unsigned long flags;

	snprintf(text, sizeof(text), "%c%d\n", kind, number);
	raw_spin_lock_irqsave(&rssck_lock, flags);
	for (const char *c = text; *c; c++)
		outb(*c, RSSCK_PORT);
	raw_spin_unlock_irqrestore(&rssck_lock, flags);
}

void rssck_site_report(int number)
{
	if (READ_ONCE(rssck_site_seen[number]) == rssck_round)
		return;
	WRITE_ONCE(rssck_site_seen[number], rssck_round);
	rssck_put('s', number);
}

/* Setting the parameter resets the list of reached places. */
static int rssck_mutant_set(const char *value, const struct kernel_param *kp)
{
	int error = param_set_int(value, kp);

	if (error)
		return error;
	memset(rssck_site_seen, 0, sizeof(rssck_site_seen));
	rssck_put('m', rssck_mutant);
	return 0;
}

static const struct kernel_param_ops rssck_ops = {
	.set = rssck_mutant_set,
	.get = param_get_int,
};
/* The parameter is parsed early, like core_param(). */
__module_param_call("", rssck_mutant, &rssck_ops, &rssck_mutant, 0644, -1, 0);

static void rssck_next_round(struct timer_list *timer)
{
	rssck_round = rssck_round % 255 + 1;
	mod_timer(timer, jiffies + msecs_to_jiffies(rssck_round_ms));
}
static DEFINE_TIMER(rssck_timer, rssck_next_round);
module_param_named(round_ms, rssck_round_ms, int, 0444);

static int __init rssck_rounds_begin(void)
{
	if (rssck_round_ms)
		mod_timer(&rssck_timer, jiffies + 1);
	return 0;
}
late_initcall(rssck_rounds_begin);
