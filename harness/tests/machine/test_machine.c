// SPDX-License-Identifier: MIT
/* The machine's numbers as values: parsed, counted, judged, summed. */
#include "machine/audit.h"
#include "machine/met.h"
#include "machine/sums.h"
#include "machine/walk.h"
#include "tests/support/test.h"
#include <fcntl.h>
#include <linux/kernel-page-flags.h>

#define FLAG(bit) (1ULL << (bit))

enum { KB = 4, HUGE = 512, KPF_RESERVED = 32 };

static const char zoneinfo[] = "Node 0, zone      DMA\n"
			       "  per-node stats\n"
			       "      nr_inactive_anon 10\n"
			       "      nr_anon_pages 7\n"
			       "  pages free     100\n"
			       "        min      1\n"
			       "        low      2\n"
			       "        high     3\n"
			       "        spanned  4095\n"
			       "        present  3998\n"
			       "        managed  3840\n"
			       "        protection: (0, 30, 40, 40)\n"
			       "      nr_free_pages 100\n"
			       "  pagesets\n"
			       "    cpu: 0\n"
			       "              count:    5\n"
			       "              high:     9\n"
			       "  vm stats threshold: 6\n"
			       "    cpu: 1\n"
			       "              count:    6\n"
			       "  vm stats threshold: 6\n"
			       "  start_pfn:           1\n"
			       "Node 0, zone    DMA32\n"
			       "  pages free     200\n"
			       "        low      20\n"
			       "        high     30\n"
			       "        present  5000\n"
			       "        managed  4000\n"
			       "        protection: (0, 0, 0, 0)\n"
			       "  start_pfn:           4096\n";

TEST(zoneinfo_is_parsed)
{
	static struct zones z;
	static struct machine_values v;

	assert_int_equal(zones_parse(zoneinfo, KB, &z), 0);
	assert_int_equal(z.nr, 2);
	assert_true(z.of[0].first);
	assert_false(z.of[1].first);
	assert_int_equal(z.of[0].spanned, 4095);
	assert_int_equal(z.of[0].pcp, 11);
	assert_int_equal(z.of[0].threshold, 6);
	assert_int_equal(z.of[1].start_pfn, 4096);
	assert_int_equal(z.of[0].values.of[MACHINE_VMSTAT_NR_FREE_PAGES], 100 * KB);
	assert_int_equal(z.of[0].of_node.of[MACHINE_VMSTAT_NR_ANON_PAGES], 7 * KB);
	assert_false(z.of[1].values.have[MACHINE_VMSTAT_NR_FREE_PAGES]);
	zones_sum(&z, KB, &v);
	assert_int_equal(v.of[MACHINE_SUM_MANAGED], 7840 * KB);
	assert_int_equal(v.of[MACHINE_SUM_RESERVES], (40 + 3 + 30) * KB);
	assert_int_equal(v.of[MACHINE_SUM_PCP], 11 * KB);
	assert_int_equal(zones_parse("nothing\n", KB, &z), -1);
}

/*
 * Zone 1 was added in the middle of zone 0. Block 9 is offline, so it is read as a part of the
 * first zone.
 */
TEST(a_frame_that_two_zones_span_is_counted_once)
{
	static struct zones z = { .nr = 2,
				  .of = { { .start_pfn = 0, .spanned = 1000 },
					  { .start_pfn = 400, .spanned = 600 } } };
	static struct zone_blocks b = { .pages = 100 };

	memset(b.owner, ZONES_MAX, sizeof(b.owner));
	memset(b.owner + 4, 1, 5);
	b.owner[6] = 0;
	for (uint64_t pfn = 0; pfn < 1000; pfn += 50) {
		bool second = pfn >= 400 && pfn < 900 && pfn / 100 != 6;

		assert_int_equal(zones_has(&z, &b, 0, pfn), !second);
		if (pfn >= 400)
			assert_int_equal(zones_has(&z, &b, 1, pfn), second);
	}
	assert_int_equal(zones_next(&b, 399), 400);
	b.pages = 0;
	assert_true(zones_has(&z, &b, 1, 650));
	zones_divide(&(struct zones) { .nr = 1 }, KB, &b);
	assert_int_equal(b.pages, 0);
}

TEST(lines_are_found_by_their_keys)
{
	static struct machine_values v;
	size_t unknown = machine_parse("MemTotal:       1000 kB\nActive(anon):   30 kB\n"
				       "HugePages_Total:      2\nSomethingNew:  1 kB\n",
				       MACHINE_MEMINFO, KB, &v);

	assert_int_equal(unknown, 1);
	assert_int_equal(v.of[MACHINE_MEMINFO_MEMTOTAL], 1000);
	assert_int_equal(v.of[MACHINE_MEMINFO_ACTIVE_ANON], 30);
	assert_int_equal(v.of[MACHINE_MEMINFO_HUGEPAGES_TOTAL], 2);
	unknown = machine_parse("nr_free_pages 5\nnr_kernel_stack 160\npgfault 12\nnr_new 1\n",
				MACHINE_VMSTAT, KB, &v);
	assert_int_equal(unknown, 1);
	assert_int_equal(v.of[MACHINE_VMSTAT_NR_FREE_PAGES], 20);
	assert_int_equal(v.of[MACHINE_VMSTAT_NR_KERNEL_STACK], 160);
}

TEST(each_line_has_a_comparison_or_a_reason)
{
	for (int n = 1; n < MACHINE_NUMBERS; n++) {
		const struct machine_row *row = machine_row(n);
		bool line = row->source == MACHINE_MEMINFO || row->source == MACHINE_VMSTAT;

		assert_non_null(row->name);
		if (line && machine_is_judged(n) != !row->why_not)
			fail_msg("%s needs either a comparison or a reason", row->name);
		if (!line && machine_is_judged(n))
			fail_msg("%s must not be judged: other lines are compared with it",
				 row->name);
		assert_int_equal(machine_by_name(row->name), n);
	}
}

static struct frames_run run = { .page_kb = KB, .huge = HUGE, .by_age = true };

static void counts_as(uint64_t flags, uint64_t mapped, enum machine_number n)
{
	static struct machine_values v;
	struct frames_run r = run;

	frames_begin(&v, &r);
	frames_count(&v, &r, flags, mapped > 0, 1);
	frames_end(&v, &r);
	assert_int_equal(v.of[n], KB);
}

TEST(each_frame_is_counted_in_its_kind)
{
	const uint64_t lru = FLAG(KPF_LRU) | FLAG(KPF_UPTODATE),
		       anon = lru | FLAG(KPF_ANON) | FLAG(KPF_SWAPBACKED) | FLAG(KPF_MMAP);

	counts_as(FLAG(KPF_BUDDY), 0, MACHINE_FRAMES_FREE);
	counts_as(anon, 1, MACHINE_FRAMES_ANON);
	counts_as(anon, 3, MACHINE_FRAMES_INACTIVE_ANON);
	counts_as(anon | FLAG(KPF_SWAPCACHE), 0, MACHINE_FRAMES_ANON_UNMAPPED);
	counts_as(anon | FLAG(KPF_SWAPCACHE), 0, MACHINE_FRAMES_SWAPCACHE);
	counts_as(lru | FLAG(KPF_SWAPBACKED) | FLAG(KPF_SWAPCACHE), 0,
		  MACHINE_FRAMES_ANON_UNMAPPED);
	counts_as(lru | FLAG(KPF_SWAPBACKED) | FLAG(KPF_SWAPCACHE), 0, MACHINE_FRAMES_SWAPCACHE);
	counts_as(lru, 0, MACHINE_FRAMES_CACHE);
	counts_as(lru | FLAG(KPF_MMAP), 2, MACHINE_FRAMES_CACHE_MAPPED);
	counts_as(lru | FLAG(KPF_MMAP), 2, MACHINE_FRAMES_MAPPED);
	counts_as(lru | FLAG(KPF_SWAPBACKED), 0, MACHINE_FRAMES_SHMEM_UNMAPPED);
	counts_as(lru | FLAG(KPF_DIRTY), 0, MACHINE_FRAMES_DIRTY_EVICTABLE);
	counts_as(lru | FLAG(KPF_DIRTY) | FLAG(KPF_UNEVICTABLE), 0, MACHINE_FRAMES_DIRTY);
	counts_as(lru | FLAG(KPF_UNEVICTABLE), 0, MACHINE_FRAMES_UNEVICTABLE);
	counts_as(lru | FLAG(KPF_WRITEBACK), 0, MACHINE_FRAMES_WRITEBACK);
	counts_as(lru | FLAG(KPF_ACTIVE), 0, MACHINE_FRAMES_LRU_FILE);
	counts_as(FLAG(KPF_SLAB), 0, MACHINE_FRAMES_SLAB);
	counts_as(FLAG(KPF_SLAB) | FLAG(KPF_ANON) | FLAG(KPF_KSM), 0, MACHINE_FRAMES_SLAB);
	counts_as(FLAG(KPF_HUGE) | FLAG(KPF_ANON), 1, MACHINE_FRAMES_HUGETLB);
	counts_as(FLAG(KPF_RESERVED), 0, MACHINE_FRAMES_RESERVED);
	counts_as(FLAG(KPF_RESERVED) | FLAG(KPF_MMAP), 1, MACHINE_FRAMES_MAPPED);
	counts_as(FLAG(KPF_MMAP), 1, MACHINE_FRAMES_OTHER_MAPPED);
	counts_as(FLAG(KPF_COMPOUND_HEAD), 0, MACHINE_FRAMES_LARGE);
	counts_as(FLAG(KPF_UPTODATE), 0, MACHINE_FRAMES_BATCH);
	counts_as(0, 0, MACHINE_FRAMES_PLAIN);
}

/* Up to 6.9 a tail page does not show the flags of its folio. */
TEST(a_tail_page_counts_as_its_head)
{
	static struct machine_values v;
	struct frames_run r = run;
	uint64_t head = FLAG(KPF_COMPOUND_HEAD) | FLAG(KPF_LRU) | FLAG(KPF_SWAPBACKED);

	frames_begin(&v, &r);
	for (int i = 0; i < HUGE; i++)
		frames_count(&v, &r, i ? FLAG(KPF_COMPOUND_TAIL) : head, false, 1);
	frames_count(&v, &r, 0, false, 1);
	frames_end(&v, &r);
	assert_int_equal(v.of[MACHINE_FRAMES_SHMEM], HUGE * KB);
	assert_int_equal(v.of[MACHINE_FRAMES_SHMEM_HUGE], HUGE * KB);
	assert_int_equal(v.of[MACHINE_FRAMES_PLAIN], KB);
}

TEST(sums_over_slabinfo_vmallocinfo_and_stacks)
{
	static struct machine_values v;

	sums_slabinfo("slabinfo - version: 2.1\n# name <active_objs> : slabdata <a> <b>\n"
		      "dentry 10 21 192 21 1 : tunables 0 0 0 : slabdata 1 3 0\n"
		      "task 10 21 192 21 8 : tunables 0 0 0 : slabdata 1 2 0\n",
		      KB, &v);
	assert_int_equal(v.of[MACHINE_SUM_SLABINFO], (3 + 16) * KB);
	sums_vmallocinfo("0x0-0x1 20480 kernel_clone+0x94/0x3e0 pages=4 vmalloc N0=4\n"
			 "0x1-0x2 20480 irq_init+0x1/0x2 pages=4 vmap\n"
			 "0x3-0x4  8192 acpi+0x1/0x2 phys=0x0 ioremap\n",
			 KB, &v);
	assert_int_equal(v.of[MACHINE_SUM_VMALLOC], 4 * KB);
	sums_swaps("Filename Type Size Used Priority\n/dev/zram0 partition 1000 24 -2\n", &v);
	assert_int_equal(v.of[MACHINE_SUM_SWAP_SIZE], 1000);
	assert_int_equal(v.of[MACHINE_SUM_SWAP_USED], 24);
	sums_percpu("x\n[ 0.1] percpu: Embedded 53 pages/cpu s185496\n", 4, KB, &v);
	assert_int_equal(v.of[MACHINE_SUM_FIRST_CHUNK], 53 * 4 * KB);
	sums_log_pools(
		"[ 0.0] ftrace: allocating 45379 entries in 180 pages\n"
		"[ 0.0] ftrace: allocated 180 pages with 4 groups\n"
		"[ 1.1] DMA: preallocated 128 KiB GFP_KERNEL pool for atomic allocations\n"
		"[ 1.2] DMA: preallocated 64 KiB GFP_KERNEL|GFP_DMA pool for atomic allocations\n",
		KB, &v);
	assert_int_equal(v.of[MACHINE_SUM_FTRACE], 180 * KB);
	assert_int_equal(v.of[MACHINE_SUM_DMA_POOLS], 192);
	sums_ftrace("45400 pages:181 groups: 4\n", KB, &v);
	assert_int_equal(v.of[MACHINE_SUM_FTRACE], 181 * KB);
	sums_trace_buffers("7 (expanded: 1408)\n", KB, &v);
	sums_trace_buffers("4080\n", KB, &v);
	assert_int_equal(v.of[MACHINE_SUM_TRACE_BUFFERS], (2 + 1024) * KB);
	machine_set(&v, MACHINE_MEMINFO_KERNELSTACK, 2524);
	sums_stacks(156, 1, 4, &v);
	assert_int_equal(v.of[MACHINE_SUM_STACKS_LEAST], 155 * 16);
	assert_int_equal(v.of[MACHINE_SUM_STACKS_MOST], 160 * 16);
}

/*
 * Returns what line_judge() says of AnonPages beside frames.anon = 100, with these values before
 * and after the reading of the frames.
 */
static enum line_state judged(struct line *l, int64_t before, int64_t after, int64_t late,
			      int64_t moved)
{
	static struct machine_values v[2];

	for (int i = 0; i < 2; i++) {
		machine_set(&v[i], MACHINE_FRAMES_ANON, 100);
		machine_set(&v[i], MACHINE_MEMINFO_ANONPAGES, i ? after : before);
	}
	line_judge(l, MACHINE_MEMINFO_ANONPAGES, &v[0], &v[1], late, moved);
	return l->state;
}

TEST(a_line_is_equal_late_or_moved)
{
	assert_int_equal(judged(&(struct line) { 0 }, 100, 104, 0, 0), LINE_EQUAL);
	assert_int_equal(judged(&(struct line) { 0 }, 104, 104, 8, 0), LINE_LATE);
	assert_int_equal(judged(&(struct line) { 0 }, 104, 104, 0, 8), LINE_MOVED);
	assert_int_equal(judged(&(struct line) { 0 }, 90, 104, 0, 0), LINE_MOVED);
}

/* Returns the state of a number that says the same in n readings. */
static enum line_state after_readings(int n, int64_t says, int64_t moved)
{
	static struct machine_judgement j;

	memset(&j, 0, sizeof(j));
	for (int i = 0; i < n; i++) {
		judged(&j.of[MACHINE_MEMINFO_ANONPAGES], says, says, 0, moved);
		j.readings++;
	}
	machine_judge_end(&j);
	return j.of[MACHINE_MEMINFO_ANONPAGES].state;
}

TEST(a_line_off_at_each_reading_by_more_than_it_moved_is_wrong)
{
	assert_int_equal(after_readings(1, 104, 0), LINE_MOVED);
	assert_int_equal(after_readings(3, 104, 0), LINE_WRONG);
	assert_int_equal(after_readings(3, 96, 0), LINE_WRONG);
	assert_int_equal(after_readings(8, 104, 4), LINE_MOVED);
	assert_int_equal(after_readings(8, 108, 4), LINE_WRONG);
	assert_int_equal(after_readings(8, 100, 0), LINE_EQUAL);
}

/*
 * Each line that is judged must be found off if it is off by one kB. One reading makes it
 * LINE_MOVED; more readings can make it LINE_WRONG.
 */
TEST(each_line_can_be_wrong)
{
	static struct machine_values v;
	size_t tried = 0;

	for (int n = 1; n < MACHINE_NUMBERS; n++) {
		const struct machine_row *row = machine_row(n);
		struct line low = { .says = 0 }, high = low;

		if (!machine_is_judged(n))
			continue;
		memset(&v, 0, sizeof(v));
		for (int k = 1; k < MACHINE_NUMBERS; k++)
			machine_set(&v, k, 0);
		machine_set(&v, n, row->most[0] ? 1 : -1);
		line_judge(&high, n, &v, &v, 0, 0);
		assert_int_equal(high.state, LINE_MOVED);
		if (row->least[0]) {
			machine_set(&v, n, -1);
			line_judge(&low, n, &v, &v, 0, 0);
			assert_int_equal(low.state, LINE_MOVED);
		}
		tried++;
	}
	assert_true(tried > 60);
}

/* Up to 6.1 pages of zram and zswap look mapped, and Mapped does not count them. */
TEST(mapped_may_leave_out_pages_of_zsmalloc)
{
	static const struct {
		int64_t says;
		enum line_state state;
	} rows[] = {
		{ 100, LINE_EQUAL }, { 88, LINE_EQUAL }, { 87, LINE_MOVED }, { 101, LINE_MOVED }
	};
	static struct machine_values v;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct line l = { .says = 0 };

		memset(&v, 0, sizeof(v));
		machine_set(&v, MACHINE_FRAMES_MAPPED, 100);
		machine_set(&v, MACHINE_SUM_ZSMALLOC_MAPPED, 12);
		machine_set(&v, MACHINE_MEMINFO_MAPPED, rows[i].says);
		line_judge(&l, MACHINE_MEMINFO_MAPPED, &v, &v, 0, 0);
		assert_int_equal(l.state, rows[i].state);
	}
}

TEST(the_parts_add_up_to_the_total)
{
	static struct machine_reading r = { .frames = true };
	struct machine_tree t;
	struct memory_holders h = { .processes = 0 };
	int64_t sum = 0;

	for (int n = 1; n < MACHINE_NUMBERS; n++)
		machine_set(&r.after, n, 0);
	machine_set(&r.after, MACHINE_MEMINFO_MEMTOTAL, 10000);
	machine_set(&r.after, MACHINE_SUM_MANAGED, 10000);
	machine_set(&r.after, MACHINE_FRAMES_FREE, 5000);
	machine_set(&r.after, MACHINE_FRAMES_CACHE, 2000);
	machine_set(&r.after, MACHINE_FRAMES_SHMEM, 1500);
	machine_set(&r.after, MACHINE_FRAMES_SHMEM_UNMAPPED, 1400);
	machine_set(&r.after, MACHINE_FRAMES_LARGE, 800);
	machine_set(&r.after, MACHINE_FRAMES_SLAB, 100);
	machine_set(&r.after, MACHINE_MEMINFO_SLAB, 200);
	holders_add(&h, HELD_SHMEM, "memfd:big of a (1)", 1400);
	holders_add(&h, HELD_SHMEM, "tmpfs on /run", 100);
	holders_add(&h, HELD_SOCKETS, "TCP", 300);
	machine_tree_make(&t, &r, &h);
	for (int p = 0; p < PART_COUNT; p++)
		sum += t.of[p];
	assert_int_equal(sum, 10000);
	assert_int_equal(t.of[PART_SHMEM_UNMAPPED], 1400);
	assert_int_equal(t.of[PART_KMALLOC], 100);
	assert_int_equal(t.of[PART_SOCKETS], 300);
	assert_int_equal(t.compound, 400);
	assert_string_equal(h.of[HELD_SHMEM].most[0].name, "memfd:big of a (1)");
	assert_int_equal(h.of[HELD_SHMEM].all, 1500);
}

TEST(vmalloc_is_summed_by_caller_without_stacks)
{
	struct memory_holders h = { .processes = 0 };

	holders_vmalloc(&h,
			"0x0-0x1 8192 bpf_map+0x94/0x3e0 pages=4 vmalloc N0=4\n"
			"0x2-0x3 8192 kernel_clone+0x94/0x3e0 pages=40 vmalloc N0=4\n"
			"0x4-0x5 8192 one_large+0x94/0x3e0 pages=7 vmalloc N0=7\n"
			"0x6-0x7 8192 bpf_map+0x14/0x3e0 pages=4 vmalloc N0=4\n",
			KB);
	assert_string_equal(h.of[HELD_VMALLOC].most[0].name, "bpf_map");
	assert_int_equal(h.of[HELD_VMALLOC].most[0].kb, 8 * KB);
}

TEST(without_frames_the_parts_are_not_called_unmapped)
{
	struct machine_tree t = { .frames = true };

	for (int p = 0; p < PART_COUNT; p++)
		assert_ptr_equal(part_words_in(&t, p), part_words(p));
	t.frames = false;
	assert_ptr_not_equal(part_words_in(&t, PART_CACHE_UNMAPPED),
			     part_words(PART_CACHE_UNMAPPED));
	assert_ptr_not_equal(part_words_in(&t, PART_SHMEM_UNMAPPED),
			     part_words(PART_SHMEM_UNMAPPED));
}

TEST(the_page_cache_of_an_open_file_is_counted)
{
	char block[1 << 16] = "", path[] = "/var/tmp/rssck-cached-XXXXXX";
	int fd = mkstemp(path), null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	uint64_t id = 0, again = 0;
	int64_t pages;

	assert_true(fd >= 0 && null >= 0);
	unlink(path);
	assert_int_equal(write(fd, block, sizeof(block)), sizeof(block));
	pages = cached_pages(fd, &id);
	assert_int_equal(cached_pages(null, &again), -1);
	/* Older kernels have no cachestat(2), and a file system may have no device. */
	if (pages >= 0) {
		assert_true(pages <= (int64_t)(sizeof(block) / 4096));
		cached_pages(fd, &again);
		assert_true(id == again && id);
	}
	close(fd);
	close(null);
}

TEST(a_long_path_is_printed_from_its_end)
{
	char name[40];

	cached_name(name, sizeof(name), "/tmp/x", ", open");
	assert_string_equal(name, "/tmp/x, open");
	cached_name(name, sizeof(name), "/var/lib/postgresql/15/main/base/16384/2619", ", open");
	assert_int_equal(strlen(name), sizeof(name) - 1);
	assert_says(name, "16384/2619, open");
	assert_int_equal(strncmp(name, "...", 3), 0);
}

TEST(changes_are_measured_from_an_earlier_record)
{
	static struct machine_audit a, b;
	struct host h = { .page_size = 4096 };
	json_auto_t *j, *none = json_object();

	a.host = b.host = &h;
	a.tree.of[PART_SLAB] = 700;
	j = machine_json(&a);
	assert_int_equal(machine_since(&b, j), 0);
	assert_int_equal(b.before[PART_SLAB], 700);
	assert_int_equal(machine_since(&b, none), -1);
}

TEST(the_largest_holders_are_kept_in_order)
{
	struct memory_holders h = { .processes = 0 };
	char name[16];

	for (int i = 0; i < 2 * HELD_MOST; i++) {
		snprintf(name, sizeof(name), "%d", i);
		holders_add(&h, HELD_SLAB, name, i % 2 ? i : 100 - i);
	}
	assert_int_equal(h.of[HELD_SLAB].nr, 2 * HELD_MOST);
	assert_int_equal(h.of[HELD_SLAB].most[0].kb, 100);
	for (int i = 1; i < HELD_MOST; i++)
		assert_true(h.of[HELD_SLAB].most[i].kb <= h.of[HELD_SLAB].most[i - 1].kb);
	assert_int_equal(h.of[HELD_SLAB].most[HELD_MOST - 1].kb, 100 - 2 * (HELD_MOST - 1));
	holders_add(&h, HELD_SLAB, "none", 0);
	assert_int_equal(h.of[HELD_SLAB].nr, 2 * HELD_MOST);
}

/* The cgroup has 3 of 10 MiB of frames without a flag, so it does not have most of them. */
TEST(the_cgroup_with_the_most_frames_without_a_flag_is_named)
{
	struct machine_tree t = { .total = 102400,
				  .frames = true,
				  .of = { [PART_UNEXPLAINED] = 10240 },
				  .largest = { .inode = 5, .pages = 768 },
				  .group = "/service" };
	char sentence[3][SENTENCE];

	machine_answer(&t, NULL, 4, sentence);
	assert_says(sentence[2],
		    "; of all cgroups, /service is charged for the most frames without a "
		    "flag, 3,072 kB.");
	assert_says_not(sentence[2], "; most");
}

/* Reclaim cannot free a ramfs, such as the root of an initramfs. */
TEST(reclaim_does_not_free_page_cache_that_is_unevictable)
{
	struct machine_tree t = { .total = 102400,
				  .frames = true,
				  .unevictable = 3000,
				  .of = { [PART_CACHE_MAPPED] = 1000,
					  [PART_CACHE_UNMAPPED] = 4000,
					  [PART_SLAB_RECLAIMABLE] = 70 } };
	char sentence[3][SENTENCE];

	machine_answer(&t, NULL, 4, sentence);
	assert_string_equal(
		sentence[1],
		"When memory is short, reclaim can free up to 2,070 kB without swap: 2,000 kB of "
		"clean page cache, and up to 70 kB of slabs. Another 3,000 kB of page cache are locked in "
		"memory, or of a ramfs, and stay.");
	t.dirty = 500;
	machine_answer(&t, NULL, 4, sentence);
	assert_says(sentence[1], "free up to 1,570 kB without swap: 1,500 kB of clean");
	assert_says(sentence[1], "written to disk first, and 3,000 kB are locked");
}

/* Shared anonymous memory may be larger, but no file lists it, so it is not among the holders. */
TEST(the_largest_shmem_is_the_largest_of_those_that_are_listed)
{
	struct memory_holders h = { .processes = 0 };
	struct machine_tree t = { .total = 99999, .of = { [PART_SHMEM_UNMAPPED] = 4000 } };
	char sentence[3][SENTENCE];

	holders_add(&h, HELD_SHMEM, "tmpfs on /dev/shm", 1052);
	machine_answer(&t, &h, 4, sentence);
	assert_says(sentence[0], "(the largest memfd, tmpfs or SysV segment, mapped or "
				 "not: tmpfs on /dev/shm, 1,052 kB)");
}

/* A task that has sent on a socket may keep up to 32 KiB for the next data (task_frag). */
TEST(compound_pages_are_not_only_of_drivers)
{
	static struct machine_audit a = { .tree = {
						  .total = 1024, .frames = true, .compound = 64 } };

	assert_says(PRINTED(out, machine_text(&a, false, out)),
		    "64 kB of the unexplained part are compound pages: buffers of drivers and of "
		    "the network.");
}

TEST(a_number_is_added_to_the_set_only_once)
{
	struct met *m = met_begin();

	for (uint64_t i = 0; i < 5000; i++)
		assert_true(met_add(m, i * 4096));
	for (uint64_t i = 0; i < 5000; i++)
		assert_false(met_add(m, i * 4096));
	met_of(m, 4096)->sum += 7;
	assert_int_equal(met_of(m, 4096)->sum, 7);
	assert_int_equal(m->nr, 5000);
	met_free(m);
}

TEST(files_that_no_process_has_open_are_found)
{
	char folder[] = "/var/tmp/rssck-walk-XXXXXX", path[64], block[1 << 16] = "";
	struct memory_holders h = { .files = met_begin(), .by_device = met_begin() };
	uint64_t id;
	int fd;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/file", folder);
	fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, block, sizeof(block)), sizeof(block));
	if (cached_pages(fd, &id) > 0) {
		walk_files(&h, folder, 4);
		walk_files(&h, folder, 4);
		walk_file_systems(&h, 4);
		assert_int_equal(h.of[HELD_CACHE].nr, 1);
		assert_string_equal(h.of[HELD_CACHE].most[0].name, path);
		assert_int_equal(h.of[HELD_FILE_SYSTEM].all, h.of[HELD_CACHE].all);
	}
	close(fd);
	unlink(path);
	rmdir(folder);
	holders_free(&h);
}

/*
 * A container runtime masks files of /proc with /dev/null, so a refresh of vmstat is not possible,
 * and CPUs keep the counts that they hold back.
 */
TEST(a_masked_stat_refresh_refreshes_nothing)
{
	assert_false(machine_refresh("/dev/null"));
	assert_false(machine_refresh("/nonexistent"));
	assert_int_equal(machine_refresh(STAT_REFRESH), access(STAT_REFRESH, R_OK) == 0);
}
