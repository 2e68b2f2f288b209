// SPDX-License-Identifier: MIT
/*
 * Double entry for huge pages smaller than a PMD. Each load uses folios of one size; the lines of
 * this size move by the load's pages, and those of other sizes do not move.
 */
#include "sizes.h"
#include "double_entry.h"
#include "limit.h"

STEP_SYMBOLS(ANONYMOUS, SHARED);

static size_t folio_bytes(void)
{
	return sizes.kb * 1024;
}

static bool is_in_core(const struct workload *w, char *p, size_t bytes)
{
	unsigned char in[512];
	size_t pages = bytes / w->page_size;

	for (size_t at = 0; at < pages; at += sizeof(in)) {
		size_t n = pages - at < sizeof(in) ? pages - at : sizeof(in);

		if (mincore(p + at * w->page_size, n * w->page_size, in))
			return false;
		for (size_t i = 0; i < n; i++)
			if (!(in[i] & 1))
				return false;
	}
	return true;
}

/* Touches one byte of each folio. Returns NULL if not all pages are in memory then. */
static char *touch_folios(const struct workload *w, char *p)
{
	errno = ENOMEM;
	for (size_t at = 0; p && at < load_bytes(w); at += folio_bytes())
		p[at] = 1;
	return p && is_in_core(w, p, load_bytes(w)) ? p : NULL;
}

static char *anon_folios(const struct workload *w)
{
	return touch_folios(w, huge_map(w, -1));
}

/* Writes each page, because pages of zeroes are not written to swap. */
static char *anon_written(const struct workload *w)
{
	char *p = anon_folios(w);

	if (p)
		load_write(w, p);
	return p;
}

static char *shmem_folios(const struct workload *w)
{
	int fd = shmem_file(w);
	char *p = fd < 0 ? NULL : touch_folios(w, huge_map(w, fd));

	if (p)
		load_write(w, p);
	return p;
}

static bool on_halves(const struct workload *w, char *p, int advice)
{
	size_t half = folio_bytes() / 2;

	for (size_t at = 0; at < load_bytes(w); at += 2 * half)
		if (syscall(SYS_madvise, p + at + half, half, advice))
			return false;
	return true;
}

static int64_t halves(const struct workload *w, bool done)
{
	return done ? (int64_t)load_pages(w) / 2 : -ENOENT;
}

/* ---- acts that return half of the pages, so that lines of whole folios move twice as far ---- */

static int64_t anon_unmapped(const struct workload *w)
{
	size_t half = folio_bytes() / 2;
	char *p = anon_folios(w);

	for (size_t at = half; p && at < load_bytes(w); at += 2 * half)
		munmap(p + at, half);
	return halves(w, p);
}

static int64_t anon_refilled(const struct workload *w)
{
	char *p = anon_folios(w);

	return halves(w, p && on_halves(w, p, MADV_DONTNEED) && load_write(w, p));
}

static bool write_halves(const struct workload *w, char *p)
{
	for (size_t at = 0; at < load_bytes(w); at += w->page_size)
		if (at % folio_bytes() >= folio_bytes() / 2)
			p[at] = 2;
	return true;
}

/*
 * A child copies the second half of each folio. When this process has ended, only the child maps
 * the folios, and of each only the first half.
 */
static int64_t anon_copied(const struct workload *w)
{
	char *p = anon_folios(w);

	return halves(w, p && load_copy_by(w, p, write_halves));
}

/* If only a part of a folio is paged out, the kernel splits the folio. */
static int64_t anon_half_out(const struct workload *w)
{
	char *p = load_has_swap(w) ? anon_written(w) : NULL;

	return halves(w, p && on_halves(w, p, MADV_PAGEOUT));
}

/* Holds a page of each folio in a pipe, so that the folio cannot be split. */
static int64_t anon_held(const struct workload *w)
{
	char *p = load_has_swap(w) ? anon_written(w) : NULL;
	int end[2];

	if (!p || pipe2(end, O_CLOEXEC | O_NONBLOCK) || fcntl(end[1], F_SETPIPE_SZ, 1 << 20) < 0)
		return -ENOENT;
	for (size_t at = 0; at < load_bytes(w); at += folio_bytes()) {
		struct iovec one = { p + at, 1 };

		if (vmsplice(end[1], &one, 1, 0) != 1)
			return -ENOENT;
	}
	return halves(w, on_halves(w, p, MADV_PAGEOUT));
}

static int64_t shmem_punched_halves(const struct workload *w)
{
	char *p = shmem_folios(w);

	return halves(w, p && on_halves(w, p, MADV_REMOVE));
}

/* ---- acts that return all pages ---- */

/*
 * Waits until the folios are written, and then reads a page of each back. (If a process ends while
 * a folio is under writeback, the folio stays in the swap cache.) Returns false if the folios were
 * still in the swap cache, or if the kernel did not read whole folios.
 */
static bool read_folios(const struct workload *w, char *p)
{
	await_writeback();
	if (ledger_number("memory.stat", "swapcached") > (int64_t)load_bytes(w) / BOUND) {
		errno = EOPNOTSUPP;
		return false;
	}
	for (size_t at = 0; at < load_bytes(w); at += folio_bytes())
		(void)*(volatile char *)&p[at];
	errno = EOPNOTSUPP;
	return load_marked(w, p, PAGEMAP_PRESENT) == (int64_t)load_pages(w);
}

/*
 * Migrates to another node, but not back. If the kernel counts the folios as partially mapped after
 * a migration, it splits them in the next one.
 */
static bool migrate_away(const struct workload *w, char *p)
{
	int other = migrate_to(w, p, load_pages(w), 1, 0) < load_pages(w);

	errno = ENODEV;
	return migrate_to(w, p, load_pages(w), other, MPOL_MF_MOVE) == load_pages(w);
}

static bool read_pages(const struct workload *w, char *p)
{
	syscall(SYS_madvise, p, load_bytes(w), MADV_NOHUGEPAGE);
	return load_read(w, p);
}

/*
 * Reads a memfd back, if the kernel has stats/swpin (6.13). 6.12.43 charges no cgroup for pages of
 * such a memfd, and warns when it is freed (shmem_evict_inode()).
 */
static bool read_shmem(const struct workload *w, char *p)
{
	char path[LEDGER_PATH];

	return !access(ledger_size_path(folio_bytes(), "stats/swpin", path), F_OK) &&
	       load_read(w, p);
}

/*
 * Touches one byte of each folio, if the first one is whole, until memory.max has had no room for
 * two folios, and frees all memory. Returns the pages of the two. Uses a system call, because the
 * kernel repeats a fault endlessly if it can kill no process.
 */
static int64_t folios_beyond_max(const struct workload *w, char *p)
{
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC), limit;
	int64_t refused = 0;
	bool whole = p && zero >= 0 && read(zero, p, 1) == 1 && is_in_core(w, p, folio_bytes());

	limit = whole ? limit_begin(w, (int64_t)load_pages(w) / 2) : -1;
	if (limit < 0)
		return -ENOENT;
	for (size_t at = 0; refused < 2 && at < load_bytes(w); at += folio_bytes())
		refused += read(zero, p + at, 1) < 0 || !is_in_core(w, p + at, folio_bytes());
	munmap(p, load_bytes(w));
	limit_end(limit);
	return refused == 2 ? 2 * (int64_t)(folio_bytes() / w->page_size) : -ENOENT;
}

static int64_t folios_compressed(const struct workload *w)
{
	int64_t pages = load_compress(w, anon_written(w));

	await_writeback();
	return pages;
}

static int64_t anon_beyond_max(const struct workload *w)
{
	return folios_beyond_max(w, huge_map(w, -1));
}

static int64_t shmem_folios_beyond_max(const struct workload *w)
{
	int fd = shmem_file(w);
	int64_t pages = fd < 0 ? -errno : folios_beyond_max(w, huge_map(w, fd));

	if (fd >= 0 && ftruncate(fd, 0))
		pages = -errno;
	close(fd);
	return pages;
}

#define FAULTS       " mthp_anon_fault_alloc*1 "
#define HALF_FAULTS  " mthp_anon_fault_alloc*2 "
#define SHMEM_FAULTS " mthp_shmem_alloc*1 pgfault? "

/* Events of folios that go to swap: each leaves in one of three ways. */
#define OUT_EVENTS                                                              \
	" swpout+zswpout+swpout_fallback*1 mthp_swpout? mthp_swpout_fallback? " \
	"mthp_zswpout? mthp_split? " PAGE_EVENTS
#define SPLIT_OUT_EVENTS " mthp_split*2 " PAGE_EVENTS
#define PAGE_EVENTS                                                               \
	" mthp_split_deferred? pswpout*1 nr_vmscan_write? nr_written? "           \
	"pgmajfault? pswpin? workingset_activate_anon? workingset_restore_anon? " \
	"workingset_activate? workingset_restore? workingset_refault_anon? "

#define LOCKED_AGAIN                                              \
	" unevictable_pgs_mlocked*2 unevictable_pgs_munlocked*2 " \
	"unevictable_pgs_culled? unevictable_pgs_rescued? "

/* clang-format off */
#define ANON_SIZE ANON_MEMORY, { SIZE_FOLIOS, 1 }
/* clang-format on */
#define LIMIT_ALARMS                                                    \
	" memory.events.max memory.events.local.max memory.events.oom " \
	"memory.events.local.oom memory.swap.events.max "

static const struct load anon_loads[] = {
	{ .name = "nothing" },
	{ TAKES("folios", anon_folios), .moves = { ANON_SIZE }, .counts = FAULTS },
	{ DOES("folios for which memory.max has no room", anon_beyond_max), .any = KIND(PAID),
	  .may_raise = LIMIT_ALARMS,
	  .counts = RECLAIM_EVENTS " mthp_anon_fault_alloc? mthp_anon_fault_fallback*1 "
				   "mthp_anon_fault_fallback_charge*1 " },
	{ DOES("folios of which a child has copied half", anon_copied),
	  .moves = { { ANON, 3 }, LISTED(3), { SIZE_FOLIOS, 2 } },
	  .counts = HALF_FAULTS " mthp_split_deferred*2 " },
	{ TAKES("folios that are paged out", anon_written, load_page_out), .moves = { ON_SWAP },
	  .any = TO_SWAP | KIND(ANON) | KIND(SIZE_FOLIOS), .counts = FAULTS OUT_EVENTS },
	{ TAKES("folios that were paged out and read as folios", anon_written, load_page_out,
		read_folios),
	  .moves = { { ANON, 1 }, { SIZE_FOLIOS, 1 } }, .any = TO_SWAP,
	  .counts = FAULTS OUT_EVENTS " mthp_swpin*1 " },
	{ TAKES("folios that were paged out and read as pages", anon_written, load_page_out,
		read_pages),
	  .moves = { { ANON, 1 } }, .any = TO_SWAP | KIND(SIZE_FOLIOS),
	  .counts = FAULTS OUT_EVENTS },
	{ DOES("folios that zswap compresses", folios_compressed),
	  .moves = { ON_SWAP, { UNCOMPRESSED, 1 } },
	  .any = TO_SWAP | KIND(ANON) | KIND(SIZE_FOLIOS), .counts = FAULTS OUT_EVENTS },
	{ DOES("folios of which half is paged out", anon_half_out),
	  .moves = { { ANON, 1 }, ON_SWAP }, .any = TO_SWAP | KIND(ANON),
	  .counts = HALF_FAULTS SPLIT_OUT_EVENTS },
	{ DOES("folios that cannot be split", anon_held),
	  .moves = { { ANON, 2 }, LISTED(2), { SIZE_FOLIOS, 2 } },
	  .counts = HALF_FAULTS " mthp_split_failed*2 " },
	{ DOES("folios of which half is unmapped", anon_unmapped),
	  .moves = { { ANON, 1 }, LISTED(2), { SIZE_FOLIOS, 2 }, { SIZE_PARTS, 2 } },
	  .counts = HALF_FAULTS " mthp_split_deferred*2 " },
	{ DOES("folios of which half is dropped and written again", anon_refilled),
	  .moves = { { ANON, 2 }, LISTED(3), { SIZE_FOLIOS, 2 }, { SIZE_PARTS, 2 } },
	  .counts = HALF_FAULTS " mthp_split_deferred*2 " },
	{ TAKES("folios that migrate", anon_folios, migrate_away), .moves = { ANON_SIZE },
	  .any = KIND(SIZE_PARTS), .counts = FAULTS " pgmigrate_success*1 mthp_split_deferred? " },
	{ TAKES("folios that are locked again", anon_folios, load_lock, load_unlock, load_lock),
	  .moves = { LOCKED_MEMORY, { SIZE_FOLIOS, 1 } }, .counts = FAULTS LOCKED_AGAIN },
	{ TAKES("folios that MADV_FREE frees", anon_folios, load_free, load_page_out),
	  .any = KIND(PAID), .counts = FAULTS " pglazyfree*1 pglazyfreed*1 mthp_split_deferred? " },
	{ TAKES("folios that are collapsed", anon_folios, load_collapse),
	  .moves = { ANON_MEMORY, { ANON_THP, 1 } },
	  .counts = FAULTS " thp_collapse_alloc*1 pmd_collapse_alloc*1 mthp_split_deferred? " },
};

static const struct load shmem_loads[] = {
	{ .name = "nothing" },
	{ TAKES("folios of a memfd", shmem_folios), .moves = { SHMEM_MEMORY, { MAPPED, 1 } },
	  .counts = SHMEM_FAULTS },
	{ DOES("folios of a memfd for which memory.max has no room", shmem_folios_beyond_max),
	  .any = KIND(PAID), .may_raise = LIMIT_ALARMS,
	  .counts = RECLAIM_EVENTS
	  " mthp_shmem_alloc? mthp_shmem_fallback*1 mthp_shmem_fallback_charge*1 " },
	{ TAKES("folios of a memfd that are paged out", shmem_folios, load_page_out),
	  .moves = { ON_SWAP }, .any = TO_SWAP | KIND(SHMEM) | KIND(MAPPED),
	  .counts = SHMEM_FAULTS OUT_EVENTS },
	{ TAKES("folios of a memfd that were paged out", shmem_folios, load_page_out, read_shmem),
	  .moves = { { SHMEM, 1 }, { MAPPED, 1 } }, .any = TO_SWAP,
	  .counts = SHMEM_FAULTS OUT_EVENTS " mthp_swpin? " },
	{ DOES("folios of a memfd of which half is removed", shmem_punched_halves),
	  .moves = { SHMEM_MEMORY }, /* a split leaves pages of a file unmapped */
	  .counts = " mthp_shmem_alloc*2 pgfault? pgactivate? mthp_split*2 " },
	{ TAKES("folios of a memfd that migrate", shmem_folios, load_migrate),
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 } },
	  .counts = SHMEM_FAULTS " pgmigrate_success*2 " },
	{ TAKES("folios of a memfd that are locked again", shmem_folios, load_lock, load_unlock,
		load_lock),
	  .moves = { LOCKED_SHMEM }, .counts = SHMEM_FAULTS " pgactivate? " LOCKED_AGAIN },
};

enum {
	ANON_LOADS = sizeof(anon_loads) / sizeof(*anon_loads),
	SHMEM_LOADS = sizeof(shmem_loads) / sizeof(*shmem_loads),
};

static void read_with_sizes(const struct workload *w, struct ledger *l)
{
	static const struct ledger_file meminfo = { .place = "meminfo" },
					vmstat = { .place = "vmstat", .vmstat = true },
					stat = { .place = "memory.stat", .unit = LEDGER_BYTES },
					cgroup = { .place = "cgroup", .unit = LEDGER_BYTES };
	static const char *const charges[] = { "memory.current", "memory.swap.current" };
	char path[LEDGER_PATH];

	l->nr = l->entries = 0;
	ledger_text(w, l, "/proc/meminfo", &meminfo);
	ledger_text(w, l, "/proc/vmstat", &vmstat);
	ledger_pending(w, l, &vmstat);
	ledger_swaps(w, l);
	sizes_read(w, l);
	ledger_text(w, l, ledger_path("memory.stat", path), &stat);
	for (size_t i = 0; i < sizeof(charges) / sizeof(*charges); i++) {
		int64_t n = ledger_number(charges[i], NULL);

		if (n >= 0)
			ledger_add(w, l, &cgroup, charges[i], n);
	}
	ledger_alarms(w, l);
}

/*
 * Takes the loads with folios of one size, which each message names. Adds to *parts the pages of
 * folios that count as partially mapped after they have migrated.
 */
static int64_t take_size(struct workload *w, struct ledgers *b, bool shmem, int64_t *parts)
{
	const struct load *loads = shmem ? shmem_loads : anon_loads;
	int64_t taken = 0;

	b->begun = false; /* the names of the lines change with the size */
	for (size_t i = b->idle_rounds ? 1 : 0; i < (shmem ? SHMEM_LOADS : ANON_LOADS); i++) {
		struct load load = loads[i];
		char name[96];
		bool done;

		snprintf(name, sizeof(name), "%zu kB: %s", sizes.kb, load.name);
		load.name = name;
		done = take(w, &load, b);
		taken += done;
		if (done && load.then[0] == migrate_away)
			*parts += event_moved(b->before, b->during,
					      "thp.mthp_nr_anon_partially_mapped");
	}
	return taken;
}

/*
 * Tries three sizes below a PMD: the smallest, the largest and one in between; the kernel has the
 * same code for all. A load grows with the number of CPUs, so with more than two CPUs tries only
 * the largest size.
 */
static bool is_tried(const struct workload *w, size_t size, bool shmem)
{
	bool all = BATCHES * CGROUP_BATCH * sysconf(_SC_NPROCESSORS_CONF) <= PAGES_LEAST;
	size_t least = SIZE_MAX, most = 0, kb;

	for (size_t i = 0; i < sizes.nr_settings; i++) {
		kb = sizes.setting[i].kb;
		if (sizes.setting[i].shmem != shmem || kb * 1024 >= w->huge_page_size)
			continue;
		least = kb < least ? kb : least;
		most = kb > most ? kb : most;
	}
	kb = sizes.setting[size].kb;
	return sizes.setting[size].shmem == shmem &&
	       (kb == most || (all && (kb == least || kb == 4 * least)));
}

static void take_and_give_back(struct workload *w)
{
	bool shmem = w->argument;
	int64_t taken = 0, nr = 0, parts = 0;
	struct ledgers *b;
	struct workload_guard g;

	sizes_open();
	for (size_t i = 0; i < sizes.nr_settings; i++)
		nr += is_tried(w, i, shmem);
	if (!nr)
		workload_skip_step(w, "huge pages smaller than a PMD (hugepages-*kB/%s)",
				   shmem ? "shmem_enabled, Linux 6.11" : "enabled, Linux 6.8");
	ledger_needs_room(w);
	g = workload_guard_begin(w, sizes_restore);
	b = ledgers_open(w, read_with_sizes);
	ledger_enter(w);
	workload_try_to_set("/proc/self/oom_score_adj", "-1000");
	b->events = true;
	b->shmem_huge = false;
	for (size_t i = 0; i < sizes.nr_settings; i++)
		if (is_tried(w, i, shmem)) {
			sizes_use(sizes.setting[i].kb, shmem);
			taken += take_size(w, b, shmem, &parts);
		}
	workload_cgroup_leave(w);
	ledgers_close(w, b, taken);
	workload_guard_end(w, &g);
	sizes_close();
	workload_report(w, "sizes", nr);
	workload_report(w, "parts", parts);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		unsigned step;
		int64_t loads;
	} steps[] = { { ANONYMOUS, ANON_LOADS }, { SHARED, SHMEM_LOADS } };

	if (trial_reported_or(t, ANONYMOUS, "parts", -1) >= 0)
		judge_yes_no(j, "mthp.migrated_folio_is_partially_mapped",
			     trial_reported(t, ANONYMOUS, "parts") > 0);
	for (size_t i = 0; i < 2; i++)
		if (trial_reported_or(t, steps[i].step, "loads", 1) * 2 <=
		    trial_reported_or(t, steps[i].step, "sizes", 0) * steps[i].loads)
			judge_skip(
				j,
				"a machine that can allocate large folios in more than half of this case's tests");
}

CASE(machine_sizes) {
	.claim =
		"The numbers in hugepages-<size>kB/stats follow anonymous and shmem folios of this size as they are allocated, copied, paged out, split, migrated and freed, and count no folios of other sizes",
	.because =
		"Each path counts the order of the folio on which it works (count_mthp_stat(), mod_mthp_stat()). nr_anon and nr_anon_partially_mapped fall again when the folio is freed or split.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/transhuge.rst, anon_fault_alloc",
			   "Documentation/admin-guide/mm/transhuge.rst, nr_anon"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.limit_s = 240,
	.steps = STEPS(STEP_AS(ANONYMOUS, "use three sizes for anonymous memory",
			       take_and_give_back, .checks = 1),
		       STEP_AS(SHARED, "use three sizes for shmem", take_and_give_back,
			       .argument = 1, .checks = 1)),
	.facts = FACTS(FACT("mthp.migrated_folio_is_partially_mapped",
			    "Does a large folio that is mapped completely count as "
			    "partially mapped after it migrates?",
			    "yes|no")),
	.judge = judge,
};
