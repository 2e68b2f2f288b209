// SPDX-License-Identifier: MIT
/* The table of verbs, and the acts as text. */
#include "base/number.h"
#include "verbs.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */

#define ADVICE(word, what, often)                                                                 \
	{ .name = "madvise", .mode = #word, .operands = OPERAND_RANGE, .value = MADV_##word,      \
	  .effect = EFFECT_##what, .weight = often, .run = verb_madvise }
#define TO_PROCESS(word, what, often)                                                             \
	{ .name = "process_madvise", .mode = #word, .operands = OPERAND_RANGE | OPERAND_PROCESS,  \
	  .value = MADV_##word, .effect = EFFECT_##what, .weight = often, .run = verb_process_madvise }
#define MAPPING(words, behind, is_shared, often)                                                  \
	{ .name = "mmap", .mode = words, .operands = OPERAND_RANGE, .options = "rw|r|none",       \
	  .effect = EFFECT_MAP, .backing = behind, .shared = is_shared, .weight = often, .run = verb_mmap }
#define ON_RANGE(word, what, often, function, ...)                                                \
	{ .name = word, .mode = "", .operands = OPERAND_RANGE, .effect = EFFECT_##what,           \
	  .weight = often, .run = function, __VA_ARGS__ }

const struct verb verbs[] = {
	MAPPING("anon private", BACKED_BY_NOTHING, false, 24),
	{ .name = "mmap", .mode = "huge private", .operands = OPERAND_RANGE, .options = "rw",
	  .effect = EFFECT_MAP, .huge = true, .weight = 10, .run = verb_mmap },
	MAPPING("anon shared", BACKED_BY_NOTHING, true, 8),
	{ .name = "mmap", .mode = "huge shared", .operands = OPERAND_RANGE, .options = "rw",
	  .effect = EFFECT_MAP, .huge = true, .shared = true, .weight = 3, .run = verb_mmap },
	{ .name = "mmap", .mode = "huge memfd", .operands = OPERAND_RANGE, .options = "rw",
	  .effect = EFFECT_MAP, .backing = BACKED_BY_MEMFD, .huge = true, .shared = true, .weight = 4,
	  .run = verb_mmap },
	{ .name = "mmap", .mode = "hugetlb private", .operands = OPERAND_RANGE, .options = "rw",
	  .effect = EFFECT_MAP, .backing = BACKED_BY_HUGETLB, .huge = true, .weight = 1, .run = verb_mmap },
	{ .name = "mmap", .mode = "hugetlb shared", .operands = OPERAND_RANGE, .options = "rw",
	  .effect = EFFECT_MAP, .backing = BACKED_BY_HUGETLB, .huge = true, .shared = true,
	  .weight = 1, .run = verb_mmap },
	MAPPING("file private", BACKED_BY_FILE, false, 8),
	MAPPING("file shared", BACKED_BY_FILE, true, 8),
	MAPPING("memfd private", BACKED_BY_MEMFD, false, 5),
	MAPPING("memfd shared", BACKED_BY_MEMFD, true, 8),
	{ .name = "mmap", .mode = "text", .operands = OPERAND_RANGE, .effect = EFFECT_MAP,
	  .backing = BACKED_BY_FILE, .value = PROT_READ, .weight = 3, .run = verb_mmap },
	{ .name = "mmap", .mode = "memfd text", .operands = OPERAND_RANGE, .effect = EFFECT_MAP,
	  .backing = BACKED_BY_MEMFD, .value = PROT_READ, .weight = 2, .run = verb_mmap },
	{ .name = "mmap", .mode = "growsdown", .operands = OPERAND_RANGE, .options = "rw|r|none",
	  .effect = EFFECT_MAP, .flags = MAP_GROWSDOWN, .weight = 6, .run = verb_mmap },
	{ .name = "mmap", .mode = "droppable", .operands = OPERAND_RANGE, .options = "rw|r|none",
	  .effect = EFFECT_MAP, .flags = MAP_DROPPABLE, .weight = 4, .run = verb_mmap },
	{ .name = "mmap", .mode = "again shared", .operands = OPERAND_RANGE | OPERAND_REGION,
	  .effect = EFFECT_MAP_AGAIN, .shared = true, .weight = 5, .run = verb_mmap_again },
	{ .name = "mmap", .mode = "again private", .operands = OPERAND_RANGE | OPERAND_REGION,
	  .effect = EFFECT_MAP_AGAIN, .weight = 5, .run = verb_mmap_again },
	{ .name = "mmap", .mode = "beside", .operands = OPERAND_RANGE, .options = "rw|r|none",
	  .effect = EFFECT_MAP, .weight = 5, .run = verb_mmap_beside },
	{ .name = "mmap", .mode = "over", .operands = OPERAND_RANGE, .options = "rw|r|none", .value = 1,
	  .effect = EFFECT_MAP, .weight = 4, .run = verb_mmap_beside },
	ON_RANGE("munmap", UNMAP, 12, verb_munmap),
	ON_RANGE("write", WRITE, 60, verb_write, .options = "|by 2|by 16|back"),
	ON_RANGE("thread write", WRITE, 4, verb_thread_write, .options = "|by 2|by 16|back"),
	{ .name = "write", .mode = "elsewhere", .operands = OPERAND_RANGE, .options = "|by 2|by 16|back",
	  .effect = EFFECT_WRITE, .weight = 4, .run = verb_write_elsewhere },
	ON_RANGE("read", READ, 40, verb_read, .options = "|by 2|by 16|back"),
	ON_RANGE("mprotect", PROTECT, 15, verb_mprotect, .options = "rw|r|none|rx|rwx"),
	{ .name = "mremap", .mode = "", .operands = OPERAND_RANGE | OPERAND_REGION,
	  .effect = EFFECT_MOVE, .weight = 12, .run = verb_mremap },
	{ .name = "mremap", .mode = "DONTUNMAP", .operands = OPERAND_RANGE | OPERAND_REGION,
	  .value = MREMAP_DONTUNMAP, .effect = EFFECT_MOVE_PAGES, .weight = 8, .run = verb_mremap },
	{ .name = "mremap", .mode = "beside", .operands = OPERAND_RANGE, .effect = EFFECT_MOVE,
	  .weight = 4, .run = verb_mremap },
	{ .name = "mremap", .mode = "DONTUNMAP beside", .operands = OPERAND_RANGE,
	  .value = MREMAP_DONTUNMAP, .effect = EFFECT_MOVE_PAGES, .weight = 6, .run = verb_mremap },
	{ .name = "mremap", .mode = "GROW", .operands = OPERAND_RANGE, .options = "by 1|by 16|by 64",
	  .effect = EFFECT_GROW, .weight = 8, .run = verb_grow },
	{ .name = "mremap", .mode = "GROW", .operands = OPERAND_RANGE | OPERAND_REGION,
	  .options = "by 1|by 16|by 64", .effect = EFFECT_MOVE, .weight = 4, .run = verb_mremap },
	{ .name = "mremap", .mode = "SHRINK", .operands = OPERAND_RANGE, .effect = EFFECT_UNMAP,
	  .weight = 3, .run = verb_shrink },
	ON_RANGE("mlock", LOCK, 14, verb_mlock),
	{ .name = "mlock", .mode = "ONFAULT", .operands = OPERAND_RANGE, .value = MLOCK_ONFAULT,
	  .effect = EFFECT_LOCK_LATER, .weight = 6, .run = verb_mlock },
	ON_RANGE("munlock", UNLOCK, 8, verb_mlock, .value = -1),
	{ .name = "mlockall", .mode = "FUTURE", .effect = EFFECT_LOCK_NEW, .weight = 4, .run = verb_mlockall },
	{ .name = "munlockall", .mode = "", .effect = EFFECT_UNLOCK_ALL, .weight = 3,
	  .run = verb_munlockall },
	ADVICE(DONTNEED, DROP, 16),
	ADVICE(FREE, FREE, 12),
	ADVICE(PAGEOUT, PAGE_OUT, 20),
	ADVICE(COLD, COLD, 5),
	ADVICE(WILLNEED, NONE, 5),
	ADVICE(HUGEPAGE, HUGE, 5),
	ADVICE(NOHUGEPAGE, NONE, 2),
	ADVICE(COLLAPSE, COLLAPSE, 10),
	ADVICE(POPULATE_READ, READ, 6),
	ADVICE(POPULATE_WRITE, WRITE, 6),
	ADVICE(WIPEONFORK, WIPE_ON_FORK, 4),
	ADVICE(KEEPONFORK, KEEP_ON_FORK, 1),
	ADVICE(DONTFORK, KEEP_FROM_FORK, 4),
	ADVICE(DOFORK, GIVE_TO_FORK, 1),
	ADVICE(DONTDUMP, NONE, 2),
	ADVICE(DODUMP, NONE, 1),
	ADVICE(REMOVE, PUNCH, 4),
	ADVICE(DONTNEED_LOCKED, DROP, 3),
	ADVICE(MERGEABLE, NONE, 0),
	ADVICE(UNMERGEABLE, UNMERGE, 2),
	ADVICE(GUARD_INSTALL, GUARD, 5),
	ADVICE(GUARD_REMOVE, UNGUARD, 3),
	TO_PROCESS(PAGEOUT, PAGE_OUT, 5),
	TO_PROCESS(COLD, COLD, 2),
	TO_PROCESS(WILLNEED, NONE, 2),
	ON_RANGE("truncate", TRUNCATE, 6, verb_truncate),
	ON_RANGE("punch", PUNCH, 6, verb_punch),
	ON_RANGE("pwrite", EXTEND, 6, verb_pwrite),
	{ .name = "fork", .mode = "", .operands = OPERAND_PROCESS, .effect = EFFECT_FORK,
	  .weight = 16, .run = verb_fork },
	{ .name = "exit", .mode = "", .operands = OPERAND_PROCESS, .effect = EFFECT_EXIT,
	  .weight = 8, .run = verb_exit },
	{ .name = "userfaultfd", .mode = "", .operands = OPERAND_RANGE, .options = "asking|not asking",
	  .effect = EFFECT_WATCH, .weight = 6, .run = verb_watch },
	{ .name = "userfaultfd", .mode = "protect", .operands = OPERAND_RANGE, .value = 1,
	  .effect = EFFECT_PROTECT_BY_WATCH, .weight = 6, .run = verb_watch_protect },
	{ .name = "userfaultfd", .mode = "unprotect", .operands = OPERAND_RANGE,
	  .effect = EFFECT_PROTECT_BY_WATCH, .weight = 2, .run = verb_watch_protect },
	{ .name = "userfaultfd", .mode = "unregister", .operands = OPERAND_RANGE,
	  .effect = EFFECT_WATCH, .run = verb_watch_end },
	{ .name = "userfaultfd", .mode = "close", .operands = OPERAND_RANGE, .effect = EFFECT_WATCH,
	  .run = verb_watch_close },
	{ .name = "PAGEMAP_SCAN", .mode = "protect", .operands = OPERAND_RANGE,
	  .effect = EFFECT_PROTECT_BY_WATCH, .weight = 5, .run = verb_scan_protect },
	{ .name = "userfaultfd", .mode = "copy", .operands = OPERAND_RANGE, .effect = EFFECT_PROVIDE,
	  .weight = 5, .run = verb_watch_copy },
	{ .name = "userfaultfd", .mode = "copy protected", .operands = OPERAND_RANGE,
	  .options = "asking|not asking", .effect = EFFECT_PROVIDE_PROTECTED, .weight = 4,
	  .run = verb_watch_copy_protected },
	ON_RANGE("io_uring", PIN, 5, verb_pin, .tells = "status.VmPin while a buffer is registered"),
	{ .name = "io_uring", .mode = "closed", .operands = OPERAND_RANGE, .effect = EFFECT_PIN,
	  .weight = 4, .run = verb_pin_closed },
	{ .name = "cpu", .mode = "offline", .effect = EFFECT_NONE, .weight = 1, .run = verb_cpu },
	ON_RANGE("uprobe", PROBE, 3, verb_probe),
	{ .name = "clear_refs", .mode = "referenced", .effect = EFFECT_UNREFERENCE, .value = 1,
	  .weight = 4, .run = verb_clear_refs },
	{ .name = "swapoff", .mode = "", .effect = EFFECT_SWAP_IN, .weight = 3, .run = verb_swapoff },
	{ .name = "clear_refs", .mode = "soft-dirty", .effect = EFFECT_CLEAN, .value = 4,
	  .weight = 14, .run = verb_clear_refs },
	ON_RANGE("mincore", NONE, 4, verb_mincore, .asks = "pages of which mincore tells the same",
		 .rule = "a mapping that begins within a file tells what one of all of it tells"),
	{ .name = "PAGEMAP_SCAN", .mode = "ask", .operands = OPERAND_RANGE, .effect = EFFECT_NONE,
	  .options = "present|not present|present or swapped|not present or file|present, not huge or zero",
	  .weight = 4, .run = verb_scan_ask, .asks = "pages that PAGEMAP_SCAN finds",
	  .rule = "those whose categories are asked for" },
	{ .name = "mincore", .mode = "mapped", .operands = OPERAND_RANGE, .effect = EFFECT_NONE,
	  .weight = 4, .run = verb_mincore_mapped, .asks = "pages of which mincore tells what pagemap does",
	  .rule = "what is present is in core, and what is no entry and of no file is not" },
	{ .name = "PAGEMAP_SCAN", .mode = "each", .operands = OPERAND_RANGE, .effect = EFFECT_NONE,
	  .weight = 5, .run = verb_scan_each, .asks = "pages of which PAGEMAP_SCAN tells the same",
	  .rule = "each category asked for alone is what it is among all" },
	{ .name = "cgroup", .mode = "read", .operands = OPERAND_RANGE, .options = "|by 2|by 16|back",
	  .effect = EFFECT_READ, .weight = 2, .run = verb_cgroup_read, .asks = "memory.stat's pgmajfault",
	  .rule = "those of the machine, on which nobody else has any",
	  .tells = "memory.stat's pgfault" },
	{ .name = "ksm", .mode = "merge", .operands = OPERAND_RANGE, .effect = EFFECT_MERGE,
	  .weight = 3, .run = verb_ksm_merge },
	{ .name = "ksm", .mode = "unmerge", .effect = EFFECT_UNMERGE, .weight = 1, .run = verb_ksm_unmerge,
	  .asks = "pages and items that KSM keeps for a process", .rule = "none once KSM has let go of all pages" },
	{ .name = "ksm", .mode = "merge zeroes", .operands = OPERAND_RANGE, .value = 1,
	  .effect = EFFECT_MERGE_ZEROES, .weight = 2, .run = verb_ksm_merge },
	{ .name = "ksm", .mode = "zeroes", .effect = EFFECT_MERGE_ALL_ZEROES, .weight = 3,
	  .run = verb_ksm_zeroes, .asks = "zero pages of KSM that have gone", .rule = "none is left, whichever CPUs unmap them" },
	{ .name = "userfaultfd", .mode = "move", .operands = OPERAND_RANGE | OPERAND_REGION,
	  .effect = EFFECT_CARRY, .weight = 6, .run = verb_watch_move },
	{ .name = "userfaultfd", .mode = "zero", .operands = OPERAND_RANGE,
	  .effect = EFFECT_PROVIDE_ZERO, .weight = 3, .run = verb_watch_zero },
	{ .name = "userfaultfd", .mode = "continue", .operands = OPERAND_RANGE,
	  .effect = EFFECT_CONTINUE, .weight = 3, .run = verb_watch_continue },
	{ .name = "userfaultfd", .mode = "poison", .operands = OPERAND_RANGE,
	  .effect = EFFECT_GUARD, .weight = 2, .run = verb_watch_poison },
	ON_RANGE("stat", NONE, 3, verb_stat, .asks = "blocks of a shmem file, in pages,",
		 .rule = "as many as it has pages of data, or more"),
	ON_RANGE("pread", WRITE, 4, verb_pread, .options = "|by 2|by 16|back"),
	ON_RANGE("mem write", FORCE_FROM_AFAR, 4, verb_mem_write),
	{ .name = "process_vm_writev", .mode = "", .operands = OPERAND_RANGE | OPERAND_PROCESS,
	  .effect = EFFECT_WRITE_FROM_AFAR, .weight = 4, .run = verb_process_write },
	ON_RANGE("msync", NONE, 2, verb_msync),
	ON_RANGE("name", NONE, 3, verb_name, .options = "one|another|none"),
	ON_RANGE("move_pages", SHAKE, 3, verb_move_pages),
	{ .name = "compact", .mode = "", .effect = EFFECT_SHAKE, .weight = 2, .run = verb_compact },
	{ .name = "drop_caches", .mode = "", .effect = EFFECT_SHAKE, .weight = 2,
	  .run = verb_drop_caches },
	{ .name = "brk", .mode = "", .effect = EFFECT_NONE, .weight = 2, .run = verb_brk },
	{ .name = "brk", .mode = "locked", .effect = EFFECT_UNLOCK_ALL, .value = 1, .weight = 2,
	  .run = verb_brk },
	{ .name = "stack", .mode = "", .effect = EFFECT_NONE, .weight = 1, .run = verb_stack },
	{ .name = "stack", .mode = "locked", .effect = EFFECT_NONE, .value = 1, .weight = 2,
	  .run = verb_stack },
	ON_RANGE("Swap", NONE, 3, verb_swap_ask,
		 .asks = "pages of Swap of a private, untouched mapping",
		 .rule = "as many as of a shared one of the same file"),
	{ .name = "limit", .mode = "", .options = "address space|mappings", .effect = EFFECT_NONE,
	  .weight = 3, .run = verb_limit },
};

/* clang-format on */

const size_t nr_verbs = sizeof(verbs) / sizeof(*verbs);

bool act_touches(const struct act *a, uint32_t i)
{
	static const unsigned strides[] = { 1, 2, 16, 1 };

	return i < a->pages &&
	       (verbs[a->verb].run == verb_madvise || i % strides[a->option % 4] == 0);
}

uint32_t act_growth(const struct act *a)
{
	static const uint32_t by[] = { 1, 16, 64 };
	uint32_t room = ACT_REGION_PAGES - a->first - a->pages, pages = by[a->option % 3];

	return pages < room ? pages : room;
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

	/* A mapping of text has its own. */
	return verbs[a->verb].run == verb_mmap && verbs[a->verb].value ? verbs[a->verb].value
								       : of[a->option % 5];
}

unsigned option_count(const char *list)
{
	unsigned n = 1;

	for (; list && *list; list++)
		n += *list == '|';
	return n;
}

const char *option_word(const char *list, unsigned number, char *buf, size_t size)
{
	for (; list && number; number--) {
		list = strchr(list, '|');
		list = list ? list + 1 : NULL;
	}
	snprintf(buf, size, "%.*s", list ? (int)strcspn(list, "|") : 0, list ? list : "");
	return buf;
}

static void add(char buf[ACT_TEXT], const char *word)
{
	size_t len = strlen(buf);

	if (*word)
		snprintf(buf + len, ACT_TEXT - len, "%s%s", len ? " " : "", word);
}

const char *act_print(const struct act *a, char buf[ACT_TEXT])
{
	const struct verb *v = &verbs[a->verb];
	char word[40];

	*buf = '\0';
	snprintf(word, sizeof(word), "p%u", a->process);
	add(buf, a->process ? word : "");
	add(buf, v->name);
	if (v->operands == OPERAND_PROCESS)
		snprintf(word, sizeof(word), "p%u", a->to);
	else if (v->operands & OPERAND_RANGE)
		snprintf(word, sizeof(word), "r%u %u..%u", a->region, a->first,
			 a->first + a->pages - 1);
	else
		*word = '\0';
	add(buf, word);
	add(buf, v->mode);
	if (v->operands & OPERAND_RANGE && v->operands & (OPERAND_REGION | OPERAND_PROCESS)) {
		snprintf(word, sizeof(word), "to %c%u", v->operands & OPERAND_REGION ? 'r' : 'p',
			 a->to);
		add(buf, word);
	}
	add(buf, option_word(v->options, a->option, word, sizeof(word)));
	return buf;
}

static const char *after_blanks(const char *p)
{
	while (isblank((unsigned char)*p))
		p++;
	return p;
}

/* True if the text goes on with these words; *p is then behind them. */
static bool take_words(const char **p, const char *words)
{
	size_t len = strlen(words);

	if (strncmp(*p, words, len) || (len && (*p)[len] && !isblank((unsigned char)(*p)[len])))
		return false;
	*p = after_blanks(*p + len);
	return true;
}

/* "r3" or "p1", below `most`. */
static bool take_numbered(const char **p, char letter, unsigned most, uint8_t *number)
{
	const char *digits = *p + 1;
	uint64_t value;

	if (**p != letter || !isdigit((unsigned char)*digits) ||
	    number_unsigned(&digits, digits + strlen(digits), &value) != NUMBER_OK ||
	    value >= most || (*digits && !isblank((unsigned char)*digits)))
		return false;
	*number = (uint8_t)value;
	*p = after_blanks(digits);
	return true;
}

static bool take_range(const char **p, struct act *a)
{
	const char *end = *p + strlen(*p);
	uint64_t first, last;

	if (number_unsigned(p, end, &first) != NUMBER_OK || strncmp(*p, "..", 2) != 0)
		return false;
	*p += 2;
	if (number_unsigned(p, end, &last) != NUMBER_OK || last < first || last >= ACT_REGION_PAGES)
		return false;
	a->first = (uint32_t)first;
	a->pages = (uint32_t)(last - first + 1);
	*p = after_blanks(*p);
	return true;
}

static bool take_option(const char **p, const struct verb *v, struct act *a)
{
	char word[40];

	for (unsigned i = 0; v->options && i < option_count(v->options); i++) {
		const char *at = *p;

		if (!take_words(&at, option_word(v->options, i, word, sizeof(word))) || *at)
			continue;
		*p = at;
		a->option = (uint8_t)i;
		return true;
	}
	return !v->options && !**p;
}

/* The words behind the verb's name, if they are this row's. */
static bool parse_row(const struct verb *v, const char *p, struct act *a)
{
	if (v->operands == OPERAND_PROCESS)
		return take_numbered(&p, 'p', ACT_PROCESSES, &a->to) && !*p;
	if (v->operands & OPERAND_RANGE &&
	    (!take_numbered(&p, 'r', ACT_REGIONS, &a->region) || !take_range(&p, a)))
		return false;
	if (!take_words(&p, v->mode))
		return false;
	if (v->operands & OPERAND_REGION &&
	    (!take_words(&p, "to") || !take_numbered(&p, 'r', ACT_REGIONS, &a->to)))
		return false;
	if (v->operands & OPERAND_PROCESS &&
	    (!take_words(&p, "to") || !take_numbered(&p, 'p', ACT_PROCESSES, &a->to)))
		return false;
	return take_option(&p, v, a);
}

int act_parse(struct act *a, const char *text, char *why, size_t size)
{
	const char *p = after_blanks(text);
	bool named = false;

	*a = (struct act) { 0 };
	take_numbered(&p, 'p', ACT_PROCESSES, &a->process);
	for (size_t i = 0; i < nr_verbs; i++) {
		const char *rest = p;
		struct act row = { .process = a->process, .verb = (uint16_t)i };

		if (!take_words(&rest, verbs[i].name))
			continue;
		named = true;
		if (!parse_row(&verbs[i], rest, &row))
			continue;
		*a = row;
		return 0;
	}
	snprintf(why, size,
		 named ? "\"%.60s\" has other operands" : "\"%.60s\" begins with no verb", text);
	return -1;
}
