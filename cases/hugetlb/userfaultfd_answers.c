// SPDX-License-Identifier: MIT
/*
 * What the calls of userfaultfd(2) about hugetlb pages answer, for each sequence of two pages in
 * each state and each kind of mapping, and what the process and the pool have afterwards.
 */
#include "../anonymous/userfaultfd.h"
#include "kinds.h"
#include <rssck/right.h>

STEP_SYMBOLS(ASK);

enum { RANGE = 2, LETTERS = 6, LEARN = -1, COPY_PROTECTED = 2 /* UFFDIO_COPY_MODE_WP */ };

/* As <linux/userfaultfd.h> defines them. */
enum { MINOR_HUGETLBFS = 1 << 9 }; /* since 5.13 */

/*
 * The state of a page: a absent, p present, m absent and write-protected, c in its file but not
 * mapped, e beyond the end of its file; x absent, and the source may not be read; h the same for
 * the second half of the source; u absent, and the source is untouched. LEARN: kernels differ.
 */
static const struct row {
	const struct call *call;
	const struct kind *kind;
	uint64_t mode;
	const char *letters;
	int errors[LETTERS];
} rows[] = {
	{ &COPY, &PRIVATE, 0, "apxhu", { 0, EEXIST, EFAULT, EFAULT, 0 } },
	{ &COPY, &UNRESERVED, 0, "apxhu", { 0, EEXIST, EFAULT, EFAULT, 0 } },
	{ &COPY, &OF_FILE, 0, "apxcu", { 0, EEXIST, EFAULT, 0, 0 } },
	{ &COPY, &SHARED, 0, "apxceu", { 0, EEXIST, EFAULT, EEXIST, EFAULT, 0 } },
	{ &COPY, &SHARED_UNRESERVED, 0, "apxceu", { 0, EEXIST, EFAULT, EEXIST, EFAULT, 0 } },
	{ &COPY, &PRIVATE, COPY_PROTECTED, "apm", { 0, EEXIST, 0 } },
	{ &COPY, &SHARED, COPY_PROTECTED, "apmc", { 0, EEXIST, 0, EEXIST } },
	{ &ZEROPAGE, &PRIVATE, 0, "ap", { EINVAL, EINVAL } },
	{ &ZEROPAGE, &SHARED, 0, "apce", { EINVAL, EINVAL, EINVAL, EINVAL } },
	{ &CONTINUE, &SHARED, 0, "cape", { 0, EFAULT, EEXIST, EFAULT } },
	{ &CONTINUE, &SHARED_UNRESERVED, 0, "cape", { 0, EFAULT, EEXIST, EFAULT } },
	{ &CONTINUE, &OF_FILE, 0, "ca", { 0, EFAULT } },
	{ &POISON, &PRIVATE, 0, "ap", { 0, EEXIST } },
	{ &POISON, &SHARED, 0, "apc", { 0, EEXIST, 0 } },
	{ &MOVE, &PRIVATE, 0, "ap", { EINVAL, EINVAL } },
};

enum { COPIES = 5 }; /* rows that each kernel has */
enum { ROWS = sizeof(rows) / sizeof(*rows) };

static size_t page, huge;
static int pagemap;
static bool loses; /* this kernel loses the reservation of a page whose copy fails */

/* One sequence, such as "ap", in memory. */
static struct {
	char states[RANGE + 1];
	char *range, *source;
	int uffd, fd;
} now;

/* ---- the pool ---- */

static int64_t process_pages(void)
{
	return workload_number("/proc/self/status", "HugetlbPages", -1) * 1024 / (int64_t)huge;
}

/* ---- making a sequence ---- */

static bool is_inside(int i)
{
	return now.states[i] != 'e';
}

static size_t pages_inside(void)
{
	return strcspn(now.states, "e");
}

static char *map(int flags, int fd, size_t pages)
{
	return mmap(NULL, pages * huge, PROT_READ | PROT_WRITE, flags, fd, 0);
}

/* Allocates page i of the file, without a reservation. */
static bool fill(const struct workload *w, int i)
{
	char *p = map(MAP_SHARED | MAP_NORESERVE, now.fd, pages_inside());

	if (p == MAP_FAILED)
		return false;
	touch_write(w, p + (size_t)i * huge, 1);
	return !munmap(p, pages_inside() * huge);
}

static bool make_page(const struct workload *w, int i)
{
	char *source = now.source + (size_t)i * huge;

	switch (now.states[i]) {
	case 'p':
		touch_write(w, now.range + (size_t)i * huge, 1);
		break;
	case 'c':
		return fill(w, i);
	case 'x':
		return !mprotect(source, huge, PROT_NONE);
	case 'h':
		return !mprotect(source + huge / 2, huge / 2, PROT_NONE);
	default:
		break;
	}
	return now.states[i] != 'u' || !madvise(source, huge, MADV_DONTNEED);
}

static bool protect(void)
{
	for (int i = 0; i < RANGE; i++)
		if (now.states[i] == 'm' &&
		    workload_userfaultfd_protect(now.uffd, now.range + (size_t)i * huge, huge,
						 true))
			return false;
	return true;
}

/* A writable shared mapping makes its file as long as itself, so the file is cut afterwards. */
static bool make(const struct workload *w, const struct row *r)
{
	const struct kind *k = r->kind;

	now.fd = k->of_file ? memfd_create("rssck", MFD_CLOEXEC | MFD_HUGETLB) : -1;
	if (k->of_file && (now.fd < 0 || ftruncate(now.fd, (off_t)(RANGE * huge))))
		return false;
	now.range = map(k->flags, now.fd, RANGE);
	if (now.range == MAP_FAILED)
		return false;
	if (k->of_file && ftruncate(now.fd, (off_t)(pages_inside() * huge)))
		return false;
	for (int i = 0; i < RANGE; i++)
		if (!make_page(w, i))
			return false;
	now.uffd = workload_open_userfaultfd(r->mode ? UFFD_FEATURE_WP_HUGETLBFS_SHMEM
					     : r->call == &CONTINUE ? MINOR_HUGETLBFS
								    : 0);
	return now.uffd >= 0 &&
	       !workload_register_userfaultfd(
		       now.uffd, now.range, RANGE * huge,
		       (uint64_t)(r->call->mode | (r->mode ? PROTECTS : 0))) &&
	       protect();
}

static void drop(void)
{
	munmap(now.range, RANGE * huge);
	mprotect(now.source, RANGE * huge, PROT_READ | PROT_WRITE);
	if (now.uffd >= 0)
		close(now.uffd);
	if (now.fd >= 0)
		close(now.fd);
}

/* ---- what must be there ---- */

static struct answer call(const struct row *r, size_t from, size_t bytes, uint64_t mode)
{
	return ask_userfaultfd(now.uffd, r->call, now.range + from, now.source + from, bytes, mode);
}

static int error_of(const struct row *r, int i)
{
	return r->errors[strchr(r->letters, now.states[i]) - r->letters];
}

static bool becomes_present(const struct row *r, int i, bool done)
{
	return now.states[i] == 'p' || (done && r->call != &POISON);
}

static int say(const struct row *r, const char *what, int64_t seen, int64_t expected)
{
	return workload_say(WRONG, "%s%s, %s, pages %s: %s is %lld instead of %lld", r->call->name,
			    r->mode ? " with write protection" : "", r->kind->name, now.states,
			    what, (long long)seen, (long long)expected);
}

static int compare_pages(const struct row *r, int done)
{
	for (int i = 0; i < RANGE; i++) {
		const char *p = now.range + (size_t)i * huge;
		bool present = becomes_present(r, i, i < done);
		bool is_protected = r->mode && (i < done || now.states[i] == 'm');

		for (int half = 0; half < 2; half++, p += huge - page) {
			uint64_t word = workload_entry(pagemap, p, page);

			if (!!(word & PAGEMAP_PRESENT) != present)
				return say(r, i ? "page 1 present" : "page 0 present", !present,
					   present);
			if (!!(word & PAGEMAP_UFFD_WP) != is_protected)
				return say(r, i ? "page 1 protected" : "page 0 protected",
					   !is_protected, is_protected);
		}
	}
	return RIGHT;
}

/* A page of a file is allocated once, whether it is mapped or not. A private mapping reserves for
 * its own pages only. */
static int compare_pool(const struct row *r, int done, const struct pool *before)
{
	int64_t mapped = 0, own = 0, allocated = 0, reserved;
	struct pool pool = look_at_pool();

	for (int i = 0; i < RANGE; i++) {
		bool present = becomes_present(r, i, i < done), cached = now.states[i] == 'c';
		bool is_own = present && !(cached && r->call == &CONTINUE);

		mapped += present;
		own += r->kind == &OF_FILE ? is_own : present || cached;
		allocated += (present && is_own) + (cached && (r->kind == &OF_FILE || !is_own));
	}
	reserved = (r->kind == &OF_FILE || !r->kind->of_file ? RANGE : (int64_t)pages_inside()) -
		   own;
	if (!r->kind->reserves)
		reserved = 0;
	if (process_pages() != mapped)
		return say(r, "HugetlbPages of status", process_pages(), mapped);
	if (before->free - pool.free != allocated)
		return say(r, "the change of HugePages_Free", pool.free - before->free, -allocated);
	if (pool.reserved - before->reserved != reserved)
		return say(r, "the change of HugePages_Rsvd", pool.reserved - before->reserved,
			   reserved);
	if (pool.surplus != before->surplus)
		return say(r, "HugePages_Surp", pool.surplus, before->surplus);
	return RIGHT;
}

static int compare_dropped(const struct row *r, const struct pool *before)
{
	struct pool pool = look_at_pool();

	if (pool.free != before->free)
		return say(r, "HugePages_Free after all is unmapped", pool.free, before->free);
	if (pool.reserved != before->reserved)
		return say(r, "HugePages_Rsvd after all is unmapped", pool.reserved,
			   before->reserved);
	return RIGHT;
}

static int try_sequence(const struct workload *w, const struct row *r)
{
	struct answer a, expected = { 0, (int64_t)(RANGE * huge) };
	struct pool before = look_at_pool();
	int done = 0, result;

	if (!make(w, r))
		return workload_say(CANNOT, "%s, %s, pages %s", r->call->name, r->kind->name,
				    now.states);
	while (done < RANGE && !error_of(r, done))
		done++;
	if (done < RANGE) {
		expected.error = done ? EAGAIN : error_of(r, done);
		expected.done = done ? done * (int64_t)huge : -error_of(r, done);
	}
	a = call(r, 0, RANGE * huge, r->mode);
	if (a.error != expected.error)
		return say(r, "errno", a.error, expected.error);
	if (a.done != expected.done)
		return say(r, "the field of bytes", a.done, expected.done);
	result = compare_pages(r, done);
	if (result == RIGHT)
		result = compare_pool(r, done, &before);
	drop();
	return result == RIGHT ? compare_dropped(r, &before) : result;
}

/*
 * Sequence number n of the row's letters. Only the last page can be beyond the end of a file. A
 * kernel that loses reservations would have a wrong pool afterwards, so no copy may fail there.
 */
static bool next_sequence(const struct row *r, int n)
{
	int letters = (int)strlen(r->letters);

	for (int i = 0; i < RANGE; i++) {
		now.states[i] = r->letters[n % letters];
		n /= letters;
		if (i && !is_inside(i - 1) && is_inside(i))
			return false;
	}
	return pages_inside() > 0 && !(loses && strpbrk(now.states, "xhe"));
}

/* ---- calls that are refused before any page ---- */

static int try_refused(const struct workload *w, const struct row *r)
{
	static const struct {
		const char *name;
		unsigned from, halves; /* in halves of a huge page */
		uint64_t mode;
		int error, of_move;
		bool says; /* the error, in the field of bytes */
	} refused[] = {
		{ "no bytes", 0, 0, 0, EINVAL, EINVAL, false },
		{ "half a page", 0, 1, 0, EINVAL, EINVAL, true },
		{ "one page and a half", 0, 3, 0, EINVAL, EINVAL, true },
		{ "an address inside a page", 1, 2, 0, EINVAL, EINVAL, true },
		{ "an unknown mode", 0, 2, 1ULL << 40, EINVAL, EINVAL, false },
		{ "a range beyond the mapping", 2, 4, 0, ENOENT, EINVAL, true },
		{ "a range whose half is not registered", 0, 4, 0, ENOENT, EINVAL, true },
	};
	const size_t last = sizeof(refused) / sizeof(*refused) - 1;
	struct pool before = look_at_pool();
	int result = RIGHT;

	next_sequence(r, 0);
	if (!make(w, r))
		return CANNOT;
	for (size_t i = 0; i <= last && result == RIGHT; i++) {
		int error = r->call == &MOVE ? refused[i].of_move : refused[i].error;
		struct uffdio_range half = { (uintptr_t)now.range + huge, huge };
		struct answer a;

		if (i == last)
			ioctl(now.uffd, UFFDIO_UNREGISTER, &half);
		a = call(r, refused[i].from * huge / 2, refused[i].halves * huge / 2,
			 refused[i].mode);
		if (a.error != error || a.done != (refused[i].says ? -error : UNTOUCHED))
			result = workload_say(WRONG, "%s, %s, %s: '%s' and %lld", r->call->name,
					      r->kind->name, refused[i].name, strerror(a.error),
					      (long long)a.done);
	}
	if (result == RIGHT)
		result = compare_pages(r, 0);
	if (result == RIGHT)
		result = compare_pool(r, 0, &before);
	drop();
	return result;
}

/* ---- the case ---- */

/* Unmapping a private mapping gives a lost reservation back: 5.10 has it in its list, but not in
 * the pool. */
static int learn_whether_it_loses(const struct workload *w)
{
	struct pool before = look_at_pool();
	int64_t reserved;

	memcpy(now.states, "xa", RANGE);
	if (!make(w, &rows[0]))
		return workload_say(CANNOT, "userfaultfd(2) with UFFDIO_COPY of hugetlb pages");
	call(&rows[0], 0, RANGE * huge, 0);
	reserved = look_at_pool().reserved - before.reserved;
	drop();
	loses = reserved == RANGE - 1;
	return loses || reserved == RANGE
		       ? RIGHT
		       : say(&rows[0], "the change of HugePages_Rsvd", reserved, RANGE);
}

/* Does this kernel have the call? An unknown one is refused without an answer. */
static bool has_call(const struct workload *w, const struct row *r)
{
	struct answer a = { 0, UNTOUCHED };

	next_sequence(r, 0);
	if (make(w, r))
		a = call(r, 0, RANGE * huge, r->mode);
	drop();
	return a.done != UNTOUCHED;
}

static int try_row(const struct workload *w, const struct row *r)
{
	int letters = (int)strlen(r->letters), result = try_refused(w, r);

	for (int i = 0; i < letters * letters && result == RIGHT; i++)
		if (next_sequence(r, i))
			result = try_sequence(w, r);
	return result;
}

static int try_all(const struct workload *w)
{
	int result, tried = 0;

	page = w->page_size;
	huge = workload_hugetlb_bytes();
	pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	now.source = map(MAP_PRIVATE | MAP_ANONYMOUS, -1, RANGE);
	if (pagemap < 0 || now.source == MAP_FAILED)
		return workload_say(CANNOT, "pagemap");
	touch_read(w, now.source, RANGE * huge / page);
	result = learn_whether_it_loses(w);
	for (int i = 0; i < ROWS && result == RIGHT; i++) {
		if (!has_call(w, &rows[i]))
			continue;
		result = try_row(w, &rows[i]);
		tried++;
	}
	return result == RIGHT ? workload_say(RIGHT, "%d %d", tried, loses) : result;
}

static void ask(struct workload *w)
{
	workload_report_if_right(w, try_all, "hugetlb pages that userfaultfd(2) can watch", "tried",
				 "loses");
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported(t, ASK, "tried") < COPIES)
		return judge_skip(j, "userfaultfd(2) with UFFDIO_COPY of hugetlb pages");
	judge_fact(j, "hugetlb.reservation_after_a_failed_copy", "%s",
		   trial_reported(t, ASK, "loses") ? "lost" : "kept");
}

CASE(hugetlb_userfaultfd_answers) {
	.claim =
		"A call of userfaultfd(2) about hugetlb pages stops at the first page that it refuses: it returns that page's error if it is the first one, else EAGAIN and the bytes before it, which are done. HugetlbPages and the pool change by the pages done, and by none other",
	.because =
		"mfill_atomic_hugetlb() works page by page. A page that it allocated and cannot use, because the source cannot be read or the file ends before it, returns to the pool, and its reservation to the mapping (restore_reserve_on_error()).",
	.said_by = SAID_BY("ioctl_userfaultfd(2)", "UFFDIO_COPY(2const)"),
	.needs = NEEDS("hugetlb", "guest"),
	.limit_s = 120,
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(ASK, "each sequence of pages", ask, .checks = 1)),
	.facts = FACTS(FACT(
		"hugetlb.reservation_after_a_failed_copy",
		"After UFFDIO_COPY from memory that cannot be read, the reservation of the hugetlb page is",
		"kept|lost")),
	.judge = judge,
};
