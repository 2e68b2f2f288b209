// SPDX-License-Identifier: MIT
/* Words for the enums and bits of the table of metrics. */
#include "metric_words.h"
#include <ctype.h>
#include <rssck/tool.h>
#include <stdio.h>
#include <string.h>

static const char *unit_words(enum unit unit)
{
	static const char *const words[] = {
		[UNIT_PAGES] = "pages",
		[UNIT_KB] = "kB",
		[UNIT_BYTES] = "bytes",
		[UNIT_COUNT] = "a plain number",
	};

	return words[unit];
}

const char *kind_words(enum metric_kind kind)
{
	static const char *const words[] = {
		[KIND_COUNTER] = "a running total, cheap to read, which lags on some kernels",
		[KIND_PRECISE] = "counted in the page tables when it is read, which is slow",
		[KIND_VMA] = "a size of address space, which does not depend on what is resident",
		[KIND_PEAK] = "a high-water mark, the highest value that the kernel noticed",
		[KIND_EVENT] =
			"a count of events, an exact total, a setting, or computed from others",
	};

	return words[kind];
}

const char *metric_kind_words(enum metric_id id)
{
	static const struct {
		enum metric_id id;
		const char *words;
	} table[] = {
#define KIND(metric, words) { METRIC_##metric, words },
#include "kind_words.def"
#undef KIND
	};

	if (metric(id)->constant)
		return "a constant";
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (table[i].id == id)
			return table[i].words;
	return kind_words(metric(id)->kind);
}

const char *metric_when(enum metric_id id)
{
	if (metric(id)->constant)
		return "it never changes";
	/* Pages of hugetlb never go to swap. */
	if (id == METRIC_STATUS_HUGETLB)
		return "updated whenever pages are added or removed: at each fault and unmapping";
	return kind_when(metric(id)->kind);
}

const char *kind_when(enum metric_kind kind)
{
	static const char *const words[] = {
		[KIND_COUNTER] =
			"updated whenever pages are added or removed: at each fault, unmapping, "
			"swap-out",
		[KIND_PRECISE] =
			"counted anew at each read, by a walk that takes longer the more is mapped",
		[KIND_VMA] =
			"updated immediately by everything that changes mappings: mmap, munmap, "
			"mremap, mprotect, brk, exec, a growing stack; the bounds of the program's "
			"code only by exec and prctl(2)",
		[KIND_PEAK] =
			"stored when the count is about to fall; a read returns the larger of that "
			"and the present count",
		[KIND_EVENT] = "up to date whenever it is read",
	};

	return words[kind];
}

const char *metric_place(enum metric_id id, char *buf, size_t size)
{
	const struct metric *m = metric(id);
	bool by_number = isdigit((unsigned char)m->key[0]);
	const char *file = source_name(m->source), *unit = unit_words(m->unit);

	if (m->source == SOURCE_OOM)
		snprintf(buf, size, "%s, %s", file, unit);
	else
		snprintf(buf, size, "%s%s %s %s, %s%s", by_number ? "Field " : "", m->key,
			 by_number || m->source == SOURCE_RUSAGE || m->source == SOURCE_SCAN ? "of"
											     : "in",
			 file, m->unit == UNIT_COUNT ? "" : "in ", unit);
	return buf;
}

static const char *account_words(enum account account)
{
	static const char *const words[] = {
		[ACCOUNT_ANON] = "anonymous",
		[ACCOUNT_FILE] = "file",
		[ACCOUNT_SHMEM] = "shmem",
		[ACCOUNT_ZERO] = "zero",
		[ACCOUNT_SWAP] = "swapped anonymous",
		[ACCOUNT_SHMEM_SWAP] = "swapped shmem",
		[ACCOUNT_HUGETLB] = "hugetlb",
		[ACCOUNT_SPECIAL] = "special",
		[ACCOUNT_GUARD] = "guard",
		[ACCOUNT_UFFD_WP] = "userfaultfd-protected",
		[ACCOUNT_PINNED] = "pinned",
		[ACCOUNT_PRIVATE_WRITABLE] = "private writable",
		[ACCOUNT_STACK] = "stack",
		[ACCOUNT_EXEC] = "executable",
		[ACCOUNT_OTHER] = "shared or read-only",
		[ACCOUNT_LOCKED_VM] = "locked",
	};

	return words[account] ? words[account] : "other";
}

static void put_accounts(unsigned accounts, FILE *out)
{
	unsigned left = (unsigned)__builtin_popcount(accounts);

	for (int a = 0; a < ACCOUNT_COUNT; a++) {
		if (!(accounts & ACCOUNT_BIT(a)))
			continue;
		fputs(account_words((enum account)a), out);
		left--;
		fputs(left > 1 ? ", " : left ? " and " : "", out);
	}
}

static void put_conditions(const struct metric *m, FILE *out)
{
	static const struct {
		unsigned attribute;
		const char *with, *without;
	} words[] = {
		{ PAGE_DIRTY, "dirty", "not dirty" },
		{ PAGE_REFERENCED, "marked as accessed", "not marked as accessed" },
		{ PAGE_LOCKED, "in locked mappings", "not in locked mappings" },
		{ PAGE_LAZYFREE, "marked by MADV_FREE and clean", "not marked by MADV_FREE" },
		{ PAGE_HUGE, "mapped by a PMD", "not mapped by a PMD" },
		{ PAGE_KSM, "merged by KSM", "not merged by KSM" },
		{ PAGE_NOT_SWAPBACKED, "marked by MADV_FREE", "not marked by MADV_FREE" },
	};
	static const char *const sharing[] = {
		[SHARING_ANY] = ", each whole, however many processes map it",
		[SHARING_PRIVATE] = ", mapped once",
		[SHARING_SHARED] = ", mapped at least twice",
		[SHARING_PROPORTIONAL] = ", each divided by the number of its mappings",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if ((m->with | m->without) & words[i].attribute)
			fprintf(out, ", %s",
				m->with & words[i].attribute ? words[i].with : words[i].without);
	fputs(sharing[m->sharing], out);
}

const char *metric_counts(enum metric_id id, char *buf, size_t size)
{
	const unsigned space = IN_VM | ACCOUNT_BIT(ACCOUNT_LOCKED_VM);
	const struct metric *m = metric(id);
	FILE *out;

	buf[0] = '\0';
	out = m->accounts ? fmemopen(buf, size, "w") : NULL;
	if (!out)
		return buf;
	if (m->accounts == IN_VM) {
		fputs("all address space", out);
	} else if (m->accounts & space) {
		put_accounts(m->accounts, out);
		fputs(" address space", out);
	} else {
		put_accounts(m->accounts, out);
		fputs(" pages", out);
		put_conditions(m, out);
	}
	fclose(out);
	buf[size - 1] = '\0';
	return buf;
}

static const char *shape_words(enum column_shape shape)
{
	static const char *const words[] = {
		[COLUMN_KB] = ", in kB",
		[COLUMN_KB_GATE] =
			", and the gate page [vsyscall], which no process's total counts, in kB",
		[COLUMN_PAGES] = ", in pages",
		[COLUMN_BYTES] = ", in bytes",
		[COLUMN_COUNT] = ", as it is",
		[COLUMN_PERCENT] = " in percent of MemTotal, to the nearest tenth",
		[COLUMN_PERCENT2] = " in percent of MemTotal, to the nearest hundredth",
		[COLUMN_PERMILLE] = " in percent of MemTotal, tenths rounded down",
		[COLUMN_TEXT] = ", in kB, not rounded up to pages",
		[COLUMN_NO_TEXT] = " less the program's own code, in kB",
		[COLUMN_NOTHING] = ", or was so once: the name is kept, and shows 0",
		[COLUMN_GROWTH] = ": what it changed by since the last sample, no rate per second",
		[COLUMN_RATE] =
			": what it grew by since the last sample, divided by the seconds between",
	};

	return words[shape];
}

/* Over which mappings a column of smaps' numbers adds up. */
static const char *sum_words(const struct column *c)
{
	const struct tool *t = tool_by_name(c->tool);

	if (metric(c->metric)->source != SOURCE_SMAPS)
		return "";
	return t && t->layout == LAYOUT_TOTAL ? " of each mapping, and the sums in the last line"
					      : ", all mappings added up";
}

const char *column_numbers(const struct column *c, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s%s%s%s%s%s", metric(c->metric)->name,
		 c->plus == METRIC_NONE ? "" : " + ",
		 c->plus == METRIC_NONE ? "" : metric(c->plus)->name,
		 c->also == METRIC_NONE ? "" : " + ",
		 c->also == METRIC_NONE ? "" : metric(c->also)->name, sum_words(c),
		 shape_words(c->shape));
	return buf;
}

/* False for a percentage, a difference or a sum, which is not the metric itself. */
static bool column_is_its_metric(const struct column *c)
{
	return c->plus == METRIC_NONE &&
	       (c->shape == COLUMN_KB || c->shape == COLUMN_KB_GATE || c->shape == COLUMN_PAGES ||
		c->shape == COLUMN_BYTES || c->shape == COLUMN_COUNT || c->shape == COLUMN_TEXT);
}

const char *column_words(const struct column *c, char *buf, size_t size)
{
	const char *is;
	size_t len;

	column_numbers(c, buf, size);
	len = strlen(buf);
	if (c->note)
		len += (size_t)snprintf(buf + len, size - len, " (%s)", c->note);
	/* The sum of the mappings' sizes is the address space. */
	is = metric(c->metric == METRIC_SMAPS_SIZE ? METRIC_STATUS_VMSIZE : c->metric)->prose;
	snprintf(buf + len, size - len, ".%s%s", column_is_its_metric(c) ? " " : "",
		 column_is_its_metric(c) ? is : "");
	return buf;
}

const char unit_kb[] = "kB (1,024 bytes)";
const char unit_pages[] = "pages (getconf PAGESIZE, mostly 4,096 bytes)";

const char *metric_unit_short(enum metric_id id)
{
	return metric(id)->unit == UNIT_COUNT ? NULL : unit_words(metric(id)->unit);
}

const char *metric_unit(enum metric_id id)
{
	static const char *const words[] = {
		[UNIT_PAGES] = unit_pages,
		[UNIT_KB] = unit_kb,
		[UNIT_BYTES] = "bytes",
		[UNIT_COUNT] = NULL,
	};

	return words[metric(id)->unit];
}

const char *column_unit(const struct column *c)
{
	static const char percent[] = "percent of MemTotal";
	static const char *const units[] = {
		[COLUMN_KB] = unit_kb,       [COLUMN_KB_GATE] = unit_kb,
		[COLUMN_TEXT] = unit_kb,     [COLUMN_NO_TEXT] = unit_kb,
		[COLUMN_PAGES] = unit_pages, [COLUMN_BYTES] = "bytes",
		[COLUMN_PERCENT] = percent,  [COLUMN_PERCENT2] = percent,
		[COLUMN_PERMILLE] = percent, [COLUMN_RATE] = NULL,
	};

	return units[c->shape];
}
