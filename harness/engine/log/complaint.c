// SPDX-License-Identifier: MIT
/*
 * Recognizes the kernel's complaints. Those about memory accounting are known by the words, files
 * and functions in these lists.
 */
#include "complaint.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the longest complaint seen (lockdep's) has about 120 lines */
enum { RECORDS_MAX = 400 };

#define WORKLOAD_COMM "rssck-workload"

/* The beginnings of complaints. Each must begin a word: "DEBUG: " is not "BUG: ". */
static const char *const beginnings[] = {
	"BUG: ",
	"WARNING: ",
	"kernel BUG at ",
	"general protection fault",
	"Unable to handle kernel ",
	"Bad rss-counter state ", /* kernel/fork.c check_mm() */
	"bad pgd ",               /* mm/pgtable-generic.c pgd_clear_bad() and similar functions */
	"bad p4d ",
	"bad pud ",
	"bad pmd ",
	"Bad swap file entry ", /* mm/swapfile.c */
	"Bad swap offset entry ",
	"Unused swap file entry ",
	"Unused swap offset entry ",
	"page dumped because: VM_", /* mm/debug.c, printed before a VM_BUG_ON_PAGE() */
};

/* What ends a complaint: its own last line, or the first line of another message. */
static const char *const endings[] = {
	"[ cut here ]", "[ end trace ",
	/* These are not complaints, but they print a stack and name the running process: */
	"invoked oom-killer: ",             /* mm/oom_kill.c dump_header() */
	"page allocation failure: ",        /* mm/page_alloc.c warn_alloc() */
	"GUP no longer grows the stack in " /* mm/gup.c gup_vma_lookup() */
};

/*
 * Messages that count as complaints about memory accounting, whatever file or function they name.
 */
static const char *const accounting_words[] = {
	"Bad rss-counter state ",
	"non-zero pgtables_bytes on freeing mm",
	"Bad page map in process ", /* mm/memory.c print_bad_pte() */
	"Bad page state in process ",
	"Bad page cache in process ",
	"bad pgd ",
	"bad p4d ",
	"bad pud ",
	"bad pmd ",
	"Bad swap file entry ",
	"Bad swap offset entry ",
	"Unused swap file entry ",
	"Unused swap offset entry ",
	"page dumped because: VM_",
};

/*
 * Files that map, unmap and count pages. mm/page_alloc.c, mm/util.c and mm/slub.c are missing,
 * because their warnings report a mistake of a caller, often of a driver.
 */
static const char *const accounting_files[] = {
	"mm/filemap.c",
	"mm/gup.c",
	"mm/huge_memory.c",
	"mm/hugetlb.c",
	"mm/hugetlb_cgroup.c",
	"mm/internal.h",
	"mm/khugepaged.c",
	"mm/ksm.c",
	"mm/madvise.c",
	"mm/memcontrol.c",
	"mm/memcontrol-v1.c",
	"mm/memory.c",
	"mm/migrate.c",
	"mm/mlock.c",
	"mm/mmap.c",
	"mm/mmu_gather.c",
	"mm/mprotect.c",
	"mm/mremap.c",
	"mm/oom_kill.c",
	"mm/page_counter.c",
	"mm/page_vma_mapped.c",
	"mm/pagewalk.c",
	"mm/pgtable-generic.c",
	"mm/rmap.c",
	"mm/shmem.c",
	"mm/swap.c",
	"mm/swap_state.c",
	"mm/swapfile.c",
	"mm/truncate.c",
	"mm/userfaultfd.c",
	"mm/vma.c",
	"mm/vma_exec.c",
	"mm/vma_init.c",
	"mm/vmscan.c",
	"mm/workingset.c",
	"fs/proc/task_mmu.c",
	"fs/hugetlbfs/inode.c",
	"kernel/fork.c",
	"include/linux/mm.h",
	"include/linux/mm_inline.h",
	"include/linux/mm_types.h",
	"include/linux/rmap.h",
	"include/linux/huge_mm.h",
	"include/linux/hugetlb.h",
	"include/linux/swapops.h",
	"include/linux/pgtable.h",
	"include/linux/leafops.h",
	"include/linux/page_counter.h",
	"lib/percpu_counter.c",
};

/*
 * Prefixes of the functions that account memory. An oops in one of them is taken to be about
 * accounting.
 */
static const char *const accounting_functions[] = {
	"zap_",
	"unmap_vmas",
	"unmap_page_range",
	"unmap_region",
	"exit_mmap",
	"copy_pte_",
	"copy_page_range",
	"do_anonymous_page",
	"do_wp_page",
	"wp_page_",
	"do_swap_page",
	"finish_fault",
	"set_pte_range",
	"filemap_map_",
	"page_remove_rmap",
	"page_add_",
	"folio_add_",
	"folio_remove_rmap",
	"try_to_unmap",
	"try_to_migrate",
	"remove_migration_pte",
	"sync_mm_rss",
	"check_mm",
	"__mmdrop",
	"free_pgtables",
	"free_pgd_range",
	"move_page_tables",
	"smaps_",
	"show_smap",
	"pagemap_",
	"task_statm",
	"task_mem",
	"vm_stat_account",
	"swap_free",
	"swap_entry_",
	"swap_put_",
	"mem_cgroup_",
	"page_counter_",
	"shmem_",
	"hugetlb_",
	"__split_huge_",
	"split_huge_",
	"change_pte_range",
	"change_protection",
	"madvise_",
};

/*
 * Messages that usually mean only that the machine is too slow, such as a guest of an overloaded
 * host.
 */
static const char *const slow_words[] = {
	"soft lockup",
	"hard LOCKUP",
	"workqueue lockup",
	"self-detected stall",
	"detected stalls",
	"blocked for more than",
	"hrtimer: interrupt took",
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char *find_word(const char *text, const char *word)
{
	for (const char *at = text; (at = strstr(at, word)); at++)
		if (at == text || !isalnum((unsigned char)at[-1]))
			return at;
	return NULL;
}

static bool holds_any(const char *text, const char *const *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (find_word(text, words[i]))
			return true;
	return false;
}

/*
 * True if the message names a file of memory accounting: "at mm/memory.c:1520 zap_pte_range", since
 * 6.18 "mm/memory.c:1520 at zap_pte_range".
 */
static bool is_in_accounting_file(const char *text)
{
	for (size_t i = 0; i < COUNT(accounting_files); i++) {
		const char *at = find_word(text, accounting_files[i]);

		/* The path must begin here: drivers/net/mm/memory.c is another file. */
		if (at && (at == text || at[-1] == ' ') && at[strlen(accounting_files[i])] == ':')
			return true;
	}
	return false;
}

/*
 * True if the message names a function of memory accounting: "RIP: 0010:zap_pte_range+0x1/0x2"
 * (x86), "pc : zap_pte_range+0x1/0x2" (arm64), or KASAN's "in zap_pte_range+0x1/0x2".
 */
static bool is_in_accounting_function(const char *text)
{
	static const char *const before[] = { "RIP: 0010:", "pc : ", " in " };

	for (size_t i = 0; i < COUNT(before); i++) {
		const char *at = strstr(text, before[i]);

		if (!at)
			continue;
		at += strlen(before[i]);
		for (size_t k = 0; k < COUNT(accounting_functions); k++)
			if (!strncmp(at, accounting_functions[k],
				     strlen(accounting_functions[k])) &&
			    strstr(at, "+0x"))
				return true;
	}
	return false;
}

static bool is_about_accounting(const char *text)
{
	return holds_any(text, accounting_words, COUNT(accounting_words)) ||
	       is_in_accounting_file(text) || is_in_accounting_function(text);
}

/*
 * True if the text names our workload: "Comm: rssck-workload", "in process rssck-workload", "CPU#1:
 * rssck-workload/1234".
 */
static bool names_us(const char *text, pid_t leader)
{
	static const char *const before[] = { "PID: ", "Pid:" };
	const char *comm = find_word(text, WORKLOAD_COMM);

	if (comm && (comm > text ? isspace((unsigned char)comm[-1]) || comm[-1] == ':'
				 : comm[strlen(WORKLOAD_COMM)] == '/'))
		return true;
	for (size_t i = 0; leader > 0 && i < COUNT(before); i++) {
		const char *at = find_word(text, before[i]);

		if (at && atoi(at + strlen(before[i])) == leader)
			return true;
	}
	return false;
}

/* Masks pointers such as "mm:00000000c0ffee00", which are hashed differently after each boot. */
static void mask_pointers(char *line)
{
	for (char *p = line; (p = strstr(p, "mm:"));) {
		p += strlen("mm:");
		size_t digits = strspn(p, "0123456789abcdef");

		if (digits < 8)
			continue;
		*p = '*';
		memmove(p + 1, p + digits, strlen(p + digits) + 1);
	}
}

/*
 * Returns the text of a record "priority,sequence,time,flags;text". A priority above 7 contains a
 * facility: a program wrote the text, so it is ignored.
 */
static const char *kernel_text(const char *record)
{
	const char *text = strchr(record, ';');

	if (!text)
		return record;
	return strtoul(record, NULL, 10) > 7 ? "" : text + 1;
}

static bool begins_with_any(const char *text, const char *const *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strncmp(text, words[i], strlen(words[i])))
			return true;
	return false;
}

/*
 * True for a warning of a driver or a file system: "WARNING: CPU: 0 PID: 7 at fs/ext4/inode.c:460
 * ext4_...", since 6.18 "WARNING: fs/ext4/inode.c:460 at ext4_...". It is taken to be unrelated to
 * memory, whichever process was running.
 */
static bool is_elsewhere(const char *line)
{
	static const char *const begins[] = { " at ", "WARNING: " };
	static const char *const folders[] = { "fs/",    "drivers/", "block/",   "net/",
					       "sound/", "crypto/",  "security/" };
	static const char *const memory[] = { "fs/proc/", "fs/hugetlbfs/", "fs/userfaultfd.c",
					      "drivers/block/zram" };

	for (size_t i = 0; i < COUNT(begins); i++) {
		const char *at = strstr(line, begins[i]);

		if (!at)
			continue;
		at += strlen(begins[i]);
		if (begins_with_any(at, folders, COUNT(folders)))
			return !begins_with_any(at, memory, COUNT(memory));
	}
	return false;
}

static void look(struct complaint *c, const char *text, pid_t leader)
{
	if (holds_any(c->line, slow_words, COUNT(slow_words)))
		return;
	if (is_about_accounting(text))
		c->about = COMPLAINT_ACCOUNTING;
	else if (c->about == COMPLAINT_OTHERS && !is_elsewhere(c->line) && names_us(text, leader))
		c->about = COMPLAINT_OURS;
}

enum complaint_record complaint_take(struct complaint *c, const char *record, pid_t leader)
{
	const char *text = kernel_text(record);

	if (holds_any(text, beginnings, COUNT(beginnings))) {
		*c = (struct complaint) { .open = true };
		snprintf(c->line, sizeof(c->line), "%.*s", (int)strcspn(text, "\n"), text);
		mask_pointers(c->line);
		look(c, text, leader);
		return COMPLAINT_BEGINS;
	}
	if (!c->open || !*text)
		return COMPLAINT_NOTHING;
	if (holds_any(text, endings, COUNT(endings)) || ++c->records > RECORDS_MAX) {
		c->open = false;
		return COMPLAINT_ENDS;
	}
	/*
	 * Only lines that name the process or the failing function are examined. The stack trace
	 * names innocent functions.
	 */
	if (strstr(text, "Comm:") || strstr(text, "RIP: 0010:") || strstr(text, "pc : ") ||
	    strstr(text, WORKLOAD_COMM "/"))
		look(c, text, leader);
	return COMPLAINT_GOES_ON;
}
