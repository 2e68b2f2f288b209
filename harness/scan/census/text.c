// SPDX-License-Identifier: MIT
/* Writes a census as text: the table, its sum, and what could not be seen. */
#include "base/print/style.h"
#include "base/print/words.h"
#include "print.h"
#include "scan/process/privilege.h"
#include "scan/process/user.h"

static const char *kb(int64_t n, char *buf, size_t size)
{
	return n < 0 ? "-" : number_words(n, buf, size);
}

static void print_title(const struct census_wanted *w, FILE *out)
{
	if (w->by == BY_PROCESS)
		fprintf(out, "%10s %-12s ", "PID", "user");
	else
		fprintf(out, "%10s ", "processes");
	fprintf(out, "%12s %12s %12s %12s %12s ", "PSS kB", "USS kB", "RSS kB", "VmRSS kB",
		"swap kB");
	if (w->by == BY_PROGRAM)
		fprintf(out, "%16s ", "one more kB");
	fprintf(out, " %s\n", w->by == BY_USER ? "user" : "program");
}

static void print_sizes(int64_t pss, int64_t uss, int64_t rss, int64_t vmrss, int64_t swap,
			FILE *out)
{
	const int64_t cells[] = { pss, uss, rss, vmrss, swap };
	char n[32];

	for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++)
		fprintf(out, "%12s ", kb(cells[i], n, sizeof(n)));
}

/*
 * Writes "520-98,112" if the processes of a program differ so much that a median would be
 * misleading.
 */
static void print_one_more(const struct census_row *row, FILE *out)
{
	char cell[72], n[2][32];

	if (row->one_more_most > 2 * row->one_more_least && row->nr > 1)
		snprintf(cell, sizeof(cell), "%s-%s",
			 number_words(row->one_more_least, n[0], sizeof(n[0])),
			 number_words(row->one_more_most, n[1], sizeof(n[1])));
	else
		snprintf(cell, sizeof(cell), "%s", number_words(row->one_more, n[0], sizeof(n[0])));
	fprintf(out, "%16s ", cell);
}

static void print_row(const struct census_row *row, const struct census_wanted *w, FILE *out)
{
	char n[64], user[64];

	user_name(row->first->uid, user, sizeof(user));
	if (w->by == BY_PROCESS) {
		fprintf(out, "%10d ", row->first->pid);
		fprintf(out, "%-12.12s ", user);
	} else {
		fprintf(out, "%10s ", number_words((int64_t)row->nr, n, sizeof(n)));
	}
	print_sizes(row->pss, row->uss, row->rss, row->vmrss, row->swap, out);
	if (w->by == BY_PROGRAM)
		print_one_more(row, out);
	putc(' ', out);
	line_put(w->by == BY_USER ? user : row->first->name, out);
	putc('\n', out);
}

static void print_last(const struct census *c, const struct census_wanted *w, FILE *out)
{
	char n[32];

	if (w->by == BY_PROCESS)
		fprintf(out, "%10s %-12s ", number_words((int64_t)c->nr_members, n, sizeof(n)),
			"processes");
	else
		fprintf(out, "%10s ", number_words((int64_t)c->nr_members, n, sizeof(n)));
	print_sizes(c->sum.pss, c->sum.uss, c->sum.rss, c->sum.vmrss, c->sum.swap, out);
	if (w->by == BY_PROGRAM)
		fprintf(out, "%16s ", "");
	fputs(" together\n\n", out);
}

static void print_machine(const struct census *c, FILE *out)
{
	const struct machine *m = &c->machine;
	char n[6][32];
	int64_t counters = m->anon + m->mapped;

	fprintf(out, "PSS adds up: %s kB = anonymous %s + file %s + shmem %s.\n",
		kb(c->sum.pss, n[0], sizeof(n[0])), kb(c->sum.pss_anon, n[1], sizeof(n[1])),
		kb(c->sum.pss_file, n[2], sizeof(n[2])), kb(c->sum.pss_shmem, n[3], sizeof(n[3])));
	if (m->anon < 0 || m->mapped < 0)
		return;
	fprintf(out,
		"The machine's own counters, /proc/meminfo: AnonPages %s + Mapped %s = %s kB that "
		"processes map;\nPSS here is %s kB (%.1f %% of that; difference %s kB).\n",
		kb(m->anon, n[0], sizeof(n[0])), kb(m->mapped, n[1], sizeof(n[1])),
		kb(counters, n[2], sizeof(n[2])), kb(c->sum.pss, n[3], sizeof(n[3])),
		counters ? 100.0 * (double)c->sum.pss / (double)counters : 0.0,
		difference_words(c->sum.pss - counters, n[4], sizeof(n[4])));
	fprintf(out,
		"The difference can have four causes: processes that were not seen or not selected, changes in "
		"the %s ms of\nreading, up to 1 kB of rounding for each process, and counts that CPUs hold "
		"back from meminfo. Neither\nnumber includes memory that no process maps: other page cache "
		"and shmem %s kB, hugetlb %s kB, the kernel's own %s kB.\n",
		number_words(c->milliseconds, n[0], sizeof(n[0])),
		kb(m->cached > m->mapped ? m->cached - m->mapped : 0, n[1], sizeof(n[1])),
		kb(m->hugetlb, n[2], sizeof(n[2])), kb(m->kernel, n[3], sizeof(n[3])));
}

static void print_sight(size_t nr, const char *one, const char *many, FILE *out)
{
	if (nr)
		fprintf(out, "%zu %s.\n", nr, nr == 1 ? one : many);
}

static void print_unseen(const struct census *c, FILE *out)
{
	char n[32];

	print_sight(c->sights[SIGHT_KERNEL_THREAD], "kernel thread has no memory of its own",
		    "kernel threads have no memory of their own", out);
	print_sight(c->sights[SIGHT_ZOMBIE], "zombie has freed its memory",
		    "zombies have freed their memory", out);
	print_sight(c->sights[SIGHT_GONE], "process ended while it was read",
		    "processes ended while they were read", out);
	if (c->sights[SIGHT_UNREADABLE])
		fprintf(out, "%zu process%s could not be read: %s.\n", c->sights[SIGHT_UNREADABLE],
			c->sights[SIGHT_UNREADABLE] == 1 ? "" : "es", c->unread);
	if (c->sights[SIGHT_DENIED])
		fprintf(out, "%zu process%s could not be seen: %s. VmRSS %s kB together.\n",
			c->sights[SIGHT_DENIED], c->sights[SIGHT_DENIED] == 1 ? "" : "es",
			privilege_missing(), number_words(c->unseen_vmrss, n, sizeof(n)));
	else if (privilege_hidepid())
		fprintf(out,
			"Processes of other users are hidden: /proc is mounted with %s, and shows "
			"them with CAP_SYS_PTRACE (root has it).\n",
			privilege_hidepid());
}

static void print_ending(const struct census *c, const struct census_wanted *w, FILE *out)
{
	char what[128], user[64];

	snprintf(what, sizeof(what), "%s%zu %s of %.60s", c->ending.nr == 1 ? "" : "all ",
		 c->ending.nr, c->ending.nr == 1 ? "process" : "processes",
		 w->program ? w->program : user_name(w->uid, user, sizeof(user)));
	ending_print(&c->ending, what, out);
}

void census_print(const struct census *c, const struct census_wanted *w, FILE *out, bool colour)
{
	if (c->nr_members) {
		print_title(w, out);
		for (size_t i = 0; i < c->nr_rows; i++)
			print_row(&c->rows[i], w, out);
		print_last(c, w, out);
	}
	if (c->nr_members && w->by == BY_PROGRAM)
		fputs("One more: the memory that another process of that program would add, as "
		      "anonymous memory, page tables and\nhugetlb (shared memory exists "
		      "already). It is the median over the program's processes, or their minimum and maximum. A process that does "
		      "other\nwork may need more.\n",
		      out);
	if (c->has_ending)
		print_ending(c, w, out);
	if (c->nr_members && !w->program && !w->has_uid)
		print_machine(c, out);
	print_unseen(c, out);
	if (!c->nr_off)
		return;
	style_begin(STYLE_BAD, out, colour);
	fprintf(out,
		"%zu process%s counters that are off by more than their model allows; the "
		"first: ",
		c->nr_off, c->nr_off == 1 ? " has" : "es have");
	line_put(c->off, out);
	style_end(out, colour);
	putc('\n', out);
}
