// SPDX-License-Identifier: MIT
/*
 * How many bytes the calls of a userfaultfd(2) say they have done, for each sequence of three pages
 * in each state: they stop at the first page that they refuse, and all before it is done.
 */
#include "userfaultfd.h"
#include <rssck/right.h>

STEP_SYMBOLS(ASK);

enum { RANGE = 3, LETTERS = 5, LEARN = -1 };
enum memory { ANON, SHARED, PRIVATE }; /* the last two are shmem */

#define BEYOND_END(call) "userfaultfd." #call "_beyond_end"

/*
 * The state of a page: a absent, p present, z the zero page, c in the cache of its file but not
 * mapped, e beyond the end of its file, x absent, and the source may not be read. For MOVE it is
 * the state of the source.
 */
static const struct row {
	const struct call *call;
	enum memory memory;
	const char *letters;
	int errors[LETTERS]; /* LEARN: of a page beyond the end, which kernels refuse differently */
	const char *fact;    /* this error */
} rows[] = {
	{ &COPY, ANON, "apzx", { 0, EEXIST, EEXIST, EFAULT }, NULL },
	{ &COPY, SHARED, "apcxe", { 0, EEXIST, EEXIST, EFAULT, LEARN }, BEYOND_END(copy) },
	{ &COPY, PRIVATE, "apcxe", { 0, EEXIST, 0, EFAULT, LEARN }, BEYOND_END(private_copy) },
	{ &ZEROPAGE, ANON, "apz", { 0, EEXIST, EEXIST }, NULL },
	{ &ZEROPAGE, SHARED, "apce", { 0, EEXIST, EEXIST, LEARN }, BEYOND_END(zeropage) },
	{ &ZEROPAGE, PRIVATE, "apce", { 0, EEXIST, 0, LEARN }, BEYOND_END(private_zeropage) },
	{ &CONTINUE, SHARED, "cape", { 0, EFAULT, EEXIST, LEARN }, BEYOND_END(continue) },
	{ &POISON, ANON, "apz", { 0, EEXIST, EEXIST }, NULL },
	{ &POISON, SHARED, "apce", { 0, EEXIST, 0, LEARN }, BEYOND_END(poison) },
	{ &POISON, PRIVATE, "apce", { 0, EEXIST, 0, LEARN }, BEYOND_END(private_poison) },
	{ &MOVE, ANON, "paz", { 0, ENOENT, 0 }, NULL },
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static size_t page;
static int uffd, pagemap;
static int beyond_end[ROWS]; /* the error that this kernel returns; 0: it lacks the call */

/* One sequence, such as "apa", in memory. */
static struct {
	char states[RANGE + 1];
	char *range, *source;
} now;

/* ---- making a sequence ---- */

static bool make_page(const struct workload *w, const struct row *r, int i, int fd)
{
	char *p = (r->call == &MOVE ? now.source : now.range) + (size_t)i * page;

	switch (now.states[i]) {
	case 'p':
		touch_write(w, p, 1);
		break;
	case 'z':
		touch_read(w, p, 1);
		break;
	case 'c':
		return pwrite(fd, "c", 1, (off_t)((size_t)i * page)) == 1;
	case 'x':
		return !mprotect(now.source + (size_t)i * page, page, PROT_NONE);
	default:
		break;
	}
	return true;
}

/* A shmem file without large folios. */
static int shmem_of_pages(const struct workload *w, size_t pages)
{
	static int at = -1, of_pages = -1;
	int fd;

	if (of_pages < 0)
		of_pages = workload_memfd_of_pages(w);
	if (of_pages)
		return workload_shmem_or_none(w, pages);
	if (at < 0)
		at = workload_tmpfs_of_pages("size=1m");
	fd = openat(at, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return fd >= 0 && ftruncate(fd, (off_t)(pages * page)) ? -1 : fd;
}

static char *map(int how, int fd)
{
	return workload_try_map(RANGE * page, PROT_READ | PROT_WRITE, how, fd);
}

static bool make(const struct workload *w, const struct row *r)
{
	size_t inside = strcspn(now.states, "e");
	int fd = r->memory == ANON ? -1 : shmem_of_pages(w, inside);

	now.range = map(r->memory == SHARED ? MAP_SHARED : MAP_PRIVATE, fd);
	now.source = map(MAP_PRIVATE, -1);
	if ((r->memory != ANON && fd < 0) || !now.range || !now.source)
		return false;
	if (r->call != &MOVE)
		touch_write(w, now.source, RANGE);
	for (int i = 0; i < RANGE; i++)
		if (!make_page(w, r, i, fd))
			return false;
	if (fd >= 0)
		close(fd);
	return !workload_register_userfaultfd(uffd, now.range, RANGE * page,
					      (uint64_t)r->call->mode);
}

static void drop(void)
{
	munmap(now.range, RANGE * page);
	munmap(now.source, RANGE * page);
}

/* ---- the call ---- */

static struct answer call(const struct row *r, size_t from, size_t bytes, uint64_t mode)
{
	return ask_userfaultfd(uffd, r->call, now.range + from, now.source + from, bytes, mode);
}

static int error_of(const struct row *r, int i)
{
	const char *at = strchr(r->letters, now.states[i]);
	int error = at ? r->errors[at - r->letters] : 0;

	return error == LEARN ? beyond_end[r - rows] : error;
}

static bool is_present(const char *p)
{
	return workload_is_present(pagemap, p, page);
}

/* The zero page is present, a poisoned page is not. */
static bool becomes_present(const struct row *r, int i, bool done)
{
	bool was = r->call != &MOVE && strchr("pz", now.states[i]);

	return was || (done && r->call != &POISON);
}

static int compare_pages(const struct row *r, int done)
{
	for (int i = 0; i < RANGE; i++)
		if (is_present(now.range + (size_t)i * page) != becomes_present(r, i, i < done))
			return workload_say(WRONG, "%s, memory %d, pages %s: page %d is %s",
					    r->call->name, (int)r->memory, now.states, i,
					    becomes_present(r, i, i < done) ? "absent" : "present");
	for (int i = 0; i < RANGE && r->call == &MOVE; i++)
		if (is_present(now.source + (size_t)i * page) !=
		    (i >= done && now.states[i] != 'a'))
			return workload_say(WRONG, "%s, pages %s: source page %d", r->call->name,
					    now.states, i);
	return RIGHT;
}

static int try_sequence(const struct workload *w, const struct row *r)
{
	struct answer a, expected = { 0, RANGE * (int64_t)page };
	int done = 0;

	if (!make(w, r))
		return CANNOT;
	while (done < RANGE && !error_of(r, done))
		done++;
	if (done < RANGE) {
		expected.error = done ? EAGAIN : error_of(r, done);
		expected.done = done ? done * (int64_t)page : -error_of(r, done);
	}
	a = call(r, 0, RANGE * page, 0);
	if (a.error != expected.error || a.done != expected.done)
		return workload_say(
			WRONG, "%s, memory %d, pages %s: '%s' and %lld instead of '%s' and %lld",
			r->call->name, (int)r->memory, now.states, strerror(a.error),
			(long long)a.done, strerror(expected.error), (long long)expected.done);
	done = compare_pages(r, done);
	drop();
	return done;
}

/* Sequence number n of the row's letters. Only the last pages can be beyond the end of a file. */
static bool next_sequence(const struct row *r, int n)
{
	size_t letters = strlen(r->letters);

	for (int i = 0; i < RANGE; i++) {
		now.states[i] = r->letters[(size_t)n % letters];
		n /= (int)letters;
		if (i && now.states[i - 1] == 'e' && now.states[i] != 'e')
			return false;
	}
	return true;
}

static int sequences(const struct row *r)
{
	int n = 1;

	for (int i = 0; i < RANGE; i++)
		n *= (int)strlen(r->letters);
	return n;
}

/* ---- calls that are refused before any page ---- */

/* A range that reaches beyond its mapping is refused as a whole. */
static int try_refused(const struct workload *w, const struct row *r)
{
	static const struct {
		const char *name;
		unsigned from, halves; /* in halves of a page */
		uint64_t mode;
		int error, of_move;
		bool says; /* the error, in the field of bytes */
	} refused[] = {
		{ "no bytes", 0, 0, 0, EINVAL, EINVAL, false },
		{ "half a page", 0, 1, 0, EINVAL, EINVAL, false },
		{ "an address inside a page", 1, 2, 0, EINVAL, EINVAL, false },
		{ "an unknown mode", 0, 2, 1ULL << 40, EINVAL, EINVAL, false },
		{ "a range beyond the mapping", 2, 6, 0, ENOENT, EINVAL, true },
		{ "no mapping", 16, 2, 0, ENOENT, 0, true },
	};
	int result = RIGHT;

	next_sequence(r, 0);
	if (!make(w, r))
		return CANNOT;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused) && result == RIGHT; i++) {
		int error = r->call == &MOVE ? refused[i].of_move : refused[i].error;

		if (!error) /* another mapping may be there */
			continue;

		struct answer a = call(r, refused[i].from * page / 2, refused[i].halves * page / 2,
				       refused[i].mode);

		if (a.error != error || a.done != (refused[i].says ? -error : UNTOUCHED))
			result = workload_say(WRONG, "%s, memory %d, %s: '%s' and %lld",
					      r->call->name, (int)r->memory, refused[i].name,
					      strerror(a.error), (long long)a.done);
	}
	if (result == RIGHT)
		result = compare_pages(r, 0);
	drop();
	return result;
}

/* ---- the case ---- */

/* Does this kernel have the call? An unknown one is refused without an answer. */
static bool has_call(const struct workload *w, const struct row *r)
{
	struct answer a;

	next_sequence(r, 0);
	if (!make(w, r))
		return false;
	a = call(r, 0, RANGE * page, 0);
	drop();
	return a.done != UNTOUCHED;
}

static int learn_beyond_end(const struct workload *w, const struct row *r)
{
	struct answer a;

	memset(now.states, 'e', RANGE);
	if (!make(w, r))
		return CANNOT;
	a = call(r, 0, RANGE * page, 0);
	drop();
	beyond_end[r - rows] = a.error;
	return a.error ? RIGHT
		       : workload_say(WRONG, "%s beyond the end of a file is done", r->call->name);
}

static int try_row(const struct workload *w, const struct row *r)
{
	int n = sequences(r), result = try_refused(w, r);

	if (result == RIGHT && r->fact)
		result = learn_beyond_end(w, r);
	for (int i = 0; i < n && result == RIGHT; i++)
		if (next_sequence(r, i))
			result = try_sequence(w, r);
	return result;
}

static int try_all(const struct workload *w)
{
	int result = RIGHT, last = -1;

	page = w->page_size;
	uffd = workload_open_userfaultfd(UFFD_FEATURE_MINOR_SHMEM);
	if (uffd < 0)
		uffd = workload_open_userfaultfd(0);
	pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (uffd < 0 || pagemap < 0)
		return workload_say(CANNOT, "userfaultfd(2), and pagemap");
	for (int i = 0; i < ROWS && result == RIGHT; i++) {
		if (!has_call(w, &rows[i]))
			continue;
		result = try_row(w, &rows[i]);
		last = i;
	}
	if (result != RIGHT)
		return result;
	workload_say(RIGHT, "%d", last);
	for (int i = 0; i < ROWS; i++)
		workload_say(RIGHT, " %d", beyond_end[i]);
	return RIGHT;
}

static const char *short_name(int row)
{
	return strchr(rows[row].fact, '.') + 1;
}

static void ask(struct workload *w)
{
	char text[320], *next = text;

	workload_must_be_right(w, try_all, text, sizeof(text),
			       "memory that userfaultfd(2) can watch");
	workload_report(w, "last", strtoll(text, &next, 10));
	for (int i = 0; i < ROWS; i++) {
		int64_t error = strtoll(next, &next, 10);

		if (rows[i].fact)
			workload_report(w, short_name(i), error);
	}
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t last = trial_reported(t, ASK, "last");

	if (last < 0)
		return judge_skip(j, "userfaultfd(2) with UFFDIO_COPY");
	for (int i = 0; i < ROWS; i++) {
		int64_t error = rows[i].fact ? trial_reported(t, ASK, short_name(i)) : 0;

		if (error)
			judge_fact(j, rows[i].fact, "%s",
				   error == EFAULT   ? "EFAULT"
				   : error == EINVAL ? "EINVAL"
				   : error == ENOMEM ? "ENOMEM"
						     : strerror((int)error));
	}
}

#define BEYOND(fact, call, values) \
	FACT(BEYOND_END(fact), call " beyond the end of a file fails with", values)

CASE(anonymous_userfaultfd_answers) {
	.claim =
		"A call of userfaultfd(2) about a range stops at the first page that it refuses. It returns that page's error if it is the first one, else EAGAIN and the bytes before it, which are done. A range beyond the mapping is refused as a whole",
	.because =
		"mfill_atomic() and move_pages() work page by page, and return the bytes done if there are any. The checks of the whole range come before, and leave the field as it was if they do not look at mappings.",
	.said_by = SAID_BY("ioctl_userfaultfd(2)", "UFFDIO_COPY(2const)"),
	.limit_s = 120,
	.steps = STEPS(STEP_AS(ASK, "each sequence of pages", ask, .checks = 1)),
	.facts = FACTS(BEYOND(copy, "UFFDIO_COPY to a shared mapping", "EFAULT|ENOMEM"),
		       BEYOND(private_copy, "UFFDIO_COPY to a private mapping", "EFAULT"),
		       BEYOND(zeropage, "UFFDIO_ZEROPAGE of a shared mapping", "EFAULT|ENOMEM"),
		       BEYOND(private_zeropage, "UFFDIO_ZEROPAGE of a private mapping", "EFAULT"),
		       BEYOND(continue, "UFFDIO_CONTINUE", "EFAULT|EINVAL"),
		       BEYOND(poison, "UFFDIO_POISON of a shared mapping", "EFAULT"),
		       BEYOND(private_poison, "UFFDIO_POISON of a private mapping", "EFAULT")),
	.judge = judge,
};
