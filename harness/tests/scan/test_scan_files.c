// SPDX-License-Identifier: MIT
/*
 * Mappings summed by file, and the pages of a mapping in runs, from recorded text and from this
 * process.
 */
#include "scan/files/print.h"
#include "tests/support/child.h"
#include "tests/support/files.h"
#include "tests/support/host.h"
#include "tests/support/json.h"
#include <rssck/source.h>

#define BLOCK(line, rss, pss, sc, sd, pc, pd, swap)                                          \
	line "\nSize: 64 kB\nRss: " #rss " kB\nPss: " #pss " kB\nShared_Clean: " #sc         \
	     " kB\nShared_Dirty: " #sd " kB\nPrivate_Clean: " #pc " kB\nPrivate_Dirty: " #pd \
	     " kB\nSwap: " #swap " kB\nVmFlags: rd mr mw me\n"

/*
 * libc twice, another file of the same name, the heap, two mappings without a name, and an empty
 * mapping.
 */
static const char smaps_text[] = BLOCK("1000-11000 r-xp 00000000 08:01 7    /lib/libc.so", 40, 4,
				       36, 0, 4, 0, 0) BLOCK("21000-31000 rw-p 00000000 00:00 0 ",
							     8, 8, 0, 0, 0, 8, 4)
	BLOCK("41000-51000 rw-p 00010000 08:01 7    /lib/libc.so", 12, 12, 0, 0, 4, 8, 0)
		BLOCK("61000-71000 rw-p 00000000 00:00 0                          [heap]", 100, 60,
		      0, 80, 0, 20, 0) BLOCK("81000-91000 r-xp 00000000 08:01 8    /lib/libc.so", 4,
					     1, 4, 0, 0, 0, 0)
			BLOCK("a1000-b1000 rw-p 00000000 00:00 0 ", 16, 16, 0, 0, 0, 16, 0)
				BLOCK("c1000-d1000 r--s 00000000 08:01 9    /tmp/\033[2Jevil", 0, 0,
				      0, 0, 0, 0, 0);

static struct snapshot recorded(void)
{
	struct snapshot s = { .pid = 1 };
	struct source_error e;

	assert_int_equal(smaps_read(smaps_text, sizeof(smaps_text) - 1, &s, &e), 0);
	return s;
}

static void expect_file(const struct file *f, const char *name, size_t maps, int64_t rss,
			int64_t pss, int64_t private_clean, int64_t private_dirty,
			int64_t shared_clean, int64_t shared_dirty)
{
	assert_string_equal(f->name, name);
	assert_int_equal(f->nr_maps, maps);
	assert_int_equal(f->size, (int64_t)maps * 64);
	assert_int_equal(f->rss, rss);
	assert_int_equal(f->pss, pss);
	assert_int_equal(f->private_clean, private_clean);
	assert_int_equal(f->private_dirty, private_dirty);
	assert_int_equal(f->shared_clean, shared_clean);
	assert_int_equal(f->shared_dirty, shared_dirty);
}

TEST(mappings_are_summed_by_file_and_sorted_by_size)
{
	OWNED(snapshot_free) struct snapshot s = recorded();
	OWNED(files_free) struct files f;

	files_make(&f, &s, false);
	assert_int_equal(f.nr, 5);
	expect_file(&f.of[0], "[heap]", 1, 100, 60, 0, 20, 0, 80);
	expect_file(&f.of[1], "/lib/libc.so", 2, 52, 16, 8, 8, 36, 0);
	expect_file(&f.of[2], "[anonymous]", 2, 24, 24, 0, 24, 0, 0);
	assert_int_equal(f.of[2].swap, 4);
	/* A different inode is a different file. */
	expect_file(&f.of[3], "/lib/libc.so", 1, 4, 1, 0, 0, 4, 0);
	for (size_t i = 0; i < s.nr_maps; i++)
		assert_string_equal(f.of[f.of_map[i]].name,
				    s.maps[i].name[0] ? s.maps[i].name : "[anonymous]");
	assert_int_equal(f.of_map[0], f.of_map[2]);
	assert_int_equal(f.of_map[4], 3);
}

TEST(the_sum_by_mapping_equals_the_sum_by_file)
{
	OWNED(snapshot_free) struct snapshot s = recorded();
	OWNED(files_free) struct files each, by_file;
	struct file sum;

	files_make(&each, &s, true);
	files_make(&by_file, &s, false);
	assert_int_equal(each.nr, 7);
	expect_file(&each.of[2], "[anonymous]", 1, 16, 16, 0, 16, 0, 0);
	sum = files_sum(&each);
	expect_file(&sum, "all", 7, s.values.of[METRIC_SMAPS_RSS], 101,
		    s.values.of[METRIC_SMAPS_PRIVATE_CLEAN],
		    s.values.of[METRIC_SMAPS_PRIVATE_DIRTY], s.values.of[METRIC_SMAPS_SHARED_CLEAN],
		    s.values.of[METRIC_SMAPS_SHARED_DIRTY]);
	sum = files_sum(&by_file);
	expect_file(&sum, "all", 7, 180, 101, 8, 52, 40, 80);
}

static int file_of(const char *text)
{
	int fd = open(folder_put("smaps", text), O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static int add_to(const struct mapping *m, void *arg)
{
	files_add(arg, m);
	return 0;
}

/* The text is far longer than one read(2) returns. */
TEST(a_long_smaps_read_in_pieces_gives_the_same_sums)
{
	enum { MAPPINGS = 9000 };
	OWNED(snapshot_free) struct snapshot s = { .pid = 1 };
	struct files whole, pieces;
	struct source_error e;
	char *text;
	FILE *out = printing();

	for (int i = 0; i < MAPPINGS; i++)
		fprintf(out,
			"%x000-%x000 r--p 00000000 08:01 %d    /lib/%d.so\nSize: 4 kB\nRss: %d kB\n"
			"Pss: 1 kB\nVmFlags: rd mr mw me\n",
			i + 1, i + 2, i % 700, i % 700, i % 50);
	text = printed(out);
	assert_int_equal(smaps_read(text, strlen(text), &s, &e), 0);
	files_make(&whole, &s, false);

	int fd = file_of(text);

	files_begin(&pieces, false);
	assert_int_equal(smaps_each(fd, add_to, &pieces, &e), 0);
	files_end(&pieces);
	close(fd);
	assert_int_equal(pieces.nr, 700);
	assert_int_equal(whole.nr, 700);
	for (size_t i = 0; i < whole.nr; i++) {
		assert_string_equal(pieces.of[i].name, whole.of[i].name);
		assert_int_equal(pieces.of[i].rss, whole.of[i].rss);
		assert_int_equal(pieces.of[i].nr_maps, whole.of[i].nr_maps);
	}
	files_free(&whole);
	files_free(&pieces);

	/* A text that is cut off in its last block, and an empty text. */
	files_begin(&pieces, false);
	text[strlen(text) - 10] = '\0';
	fd = file_of(text);
	assert_int_equal(smaps_each(fd, add_to, &pieces, &e), -1);
	close(fd);
	fd = file_of("");
	assert_int_equal(smaps_each(fd, add_to, &pieces, &e), -1);
	close(fd);
	files_free(&pieces);
}

TEST(the_table_lists_files_with_pages_and_counts_the_rest)
{
	OWNED(snapshot_free) struct snapshot s = recorded();
	OWNED(files_free) struct files f;
	char *text;
	json_auto_t *j;

	files_make(&f, &s, false);
	text = PRINTED(out, files_print(&f, out));
	assert_says(text, "1 empty mapping (64 kB) not listed");
	assert_says_not(text, "evil");
	/* No escape code is printed on a terminal. */
	f.of[4].rss = 4;
	text = PRINTED(out, files_print(&f, out));
	assert_says(text, "evil");
	assert_null(strchr(text, '\033'));
	j = files_json(&f);
	assert_int_equal(json_array_size(j), 5);
	assert_int_equal(json_number(j, "1/Private_Dirty"), 8);
}

TEST(the_table_has_a_column_per_number_of_sharers)
{
	static const struct {
		uint64_t mapcount;
		unsigned column;
	} expected[] = {
		{ 0, MAPCOUNT_NONE },       { 1, MAPCOUNT_1 },   { 2, MAPCOUNT_2 },
		{ 3, MAPCOUNT_4 },          { 4, MAPCOUNT_4 },   { 5, MAPCOUNT_8 },
		{ 8, MAPCOUNT_8 },          { 9, MAPCOUNT_16 },  { 16, MAPCOUNT_16 },
		{ 17, MAPCOUNT_64 },        { 64, MAPCOUNT_64 }, { 65, MAPCOUNT_MANY },
		{ 1000000, MAPCOUNT_MANY },
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		assert_int_equal(mapcount_column(expected[i].mapcount), expected[i].column);
}

TEST(sharers_without_privilege_give_a_reason)
{
	const struct host h = { .sees_pfns = false, .kpagecount = -1 };
	OWNED(snapshot_free) struct snapshot s = recorded();
	struct mapcounts of[8];
	OWNED(files_free) struct files f;
	char why[200];

	files_make(&f, &s, false);
	assert_int_equal(mapcounts_read(of, &s, &f, &h, NULL, why, sizeof(why)), -1);
	assert_says(why, "root");
}

TEST(a_mapping_is_found_by_address_name_or_part)
{
	const struct mapping file = { .name = "/lib/libc.so.6",
				      .start = 0x7f0000,
				      .end = 0x7f8000 };
	const struct mapping none = { .name = "", .start = 0xcafe0000, .end = 0xcaff0000 };

	assert_int_equal(mapping_is_meant(&file, "7f0000"), MEANT_BY_ADDRESS);
	assert_int_equal(mapping_is_meant(&file, "0x7f7fff"), MEANT_BY_ADDRESS);
	assert_int_equal(mapping_is_meant(&file, "7f0000-7f8000"), MEANT_BY_ADDRESS);
	assert_int_equal(mapping_is_meant(&file, "7f8000"), MEANT_NOT);
	assert_int_equal(mapping_is_meant(&file, "/lib/libc.so.6"), MEANT_BY_NAME);
	assert_int_equal(mapping_is_meant(&file, "libc.so.6"), MEANT_BY_NAME);
	assert_int_equal(mapping_is_meant(&file, "libc"), MEANT_BY_PART);
	assert_int_equal(mapping_is_meant(&file, ""), MEANT_NOT);
	assert_int_equal(mapping_is_meant(&none, "cafe0000"), MEANT_BY_ADDRESS);
	assert_int_equal(mapping_is_meant(&none, "cafe"), MEANT_NOT);
	assert_int_equal(mapping_is_meant(&none, "[anonymous]"), MEANT_BY_NAME);
	assert_int_equal(mapping_is_meant(&none, "anon"), MEANT_BY_PART);
}

struct seen {
	size_t runs;
	uint64_t next, in, nothing;
	int64_t mapcount;
};

static void see(const struct run *r, void *arg)
{
	struct seen *s = arg;

	assert_int_equal(r->start, s->next);
	s->next += r->pages * (uint64_t)sysconf(_SC_PAGESIZE);
	s->runs++;
	if (r->state.where == PAGE_IN) {
		s->in += r->pages;
		s->mapcount = r->state.mapcount;
		assert_true(r->state.class == CLASS_ANON);
	} else {
		assert_int_equal(r->state.where, PAGE_NONE);
		s->nothing += r->pages;
	}
}

TEST(consecutive_equal_pages_are_one_run)
{
	enum { PAGES = 100000 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = map_private(PAGES * page);
	struct mapping m = { .name = "", .flags = "", .start = (uintptr_t)p };
	struct seen s = { .next = (uintptr_t)p };
	OWNED(host_close) struct host h = host_here();
	char why[512];

	madvise(p, PAGES * page, MADV_NOHUGEPAGE);
	/* The next pages cross the border of a block; the last page is written as well. */
	memset(p + 30000 * page, 1, 10000 * page);
	p[(PAGES - 1) * page] = 1;
	m.end = m.start + PAGES * page;
	assert_int_equal(runs_walk(&m, getpid(), &h, see, &s, why, sizeof(why)), 0);
	assert_int_equal(s.next, m.end);
	assert_int_equal(s.in, 10001);
	assert_int_equal(s.nothing, PAGES - 10001);
	/*
	 * The Referenced and active bits may split runs further, so there is no exact upper limit.
	 */
	assert_true(s.runs >= 4 && s.runs < 100);
	if (h.sees_pfns)
		assert_int_equal(s.mapcount, 1);
	munmap(p, PAGES * page);
}

static void see_any(const struct run *r, void *arg)
{
	struct seen *s = arg;

	s->runs++;
	s->in += r->pages;
	s->next = r->start;
}

TEST(in_a_reservation_only_the_present_pages_are_read)
{
	const size_t size = (size_t)1 << (sizeof(size_t) > 4 ? 40 : 29), apart = size / 4;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct mapping m = { .name = "", .flags = "", .start = (uintptr_t)p };
	struct seen s = { .runs = 0 };
	OWNED(host_close) struct host h = host_here();
	char why[512];

	if (p == MAP_FAILED || !h.has_scan)
		skip();
	madvise(p, size, MADV_NOHUGEPAGE);
	p[apart] = 1;
	p[2 * apart] = 1;
	m.end = m.start + size;
	assert_int_equal(runs_walk(&m, getpid(), &h, see_any, &s, why, sizeof(why)), 0);
	assert_int_equal(s.runs, 2);
	assert_int_equal(s.in, 2);
	assert_int_equal(s.next, m.start + 2 * apart);
	munmap(p, size);
}

TEST(a_run_is_printed_as_one_line)
{
	const struct run r = { .start = 0x7f00,
			       .pages = 1234,
			       .state = { .where = PAGE_IN,
					  .class = CLASS_SHMEM,
					  .attributes = 1 | 1 << 3,
					  .mapcount = 20 } };
	const struct run out_of = { .start = 0x1000,
				    .pages = 1,
				    .state = { .where = PAGE_OUT, .mapcount = -1 } };
	char *text;
	FILE *out = printing();
	json_auto_t *j = run_json(&r);

	run_print(&r, out);
	run_print(&out_of, out);
	text = printed(out);
	assert_string_equal(text,
			    "            7f00        1,234  shmem            20  exclusive huge\n"
			    "            1000            1  on swap           - \n");
	assert_int_equal(json_number(j, "mapped"), 20);
	assert_int_equal(json_length(j, "and"), 2);
}
