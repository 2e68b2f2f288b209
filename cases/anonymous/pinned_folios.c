// SPDX-License-Identifier: MIT
/*
 * VmPin counts each huge page or other large folio once, and in full, even if a ring's registered
 * buffers use only some of its pages; so does RLIMIT_MEMLOCK.
 */
#include <linux/capability.h>
#include <linux/io_uring.h>
#include <rssck/case.h>
#include <sys/uio.h>

enum { SMALL = 4, FOLIOS = 2, RING = 0, ENTRIES = 4, BUFFERS_MOST = 4, BYTES_MOST = 32 << 20 };
STEP_SYMBOLS(REGISTER);

/* Two neighbouring folios of the same size. Registering makes their pages present. */
struct memory {
	char *p;
	int64_t pages; /* of each folio; of 1 page each if `small` */
	bool small;
};

/* ---- kinds; each returns false if it is not possible here ---- */

static bool map_small(struct workload *w, struct memory *m)
{
	m->pages = SMALL;
	m->small = true;
	m->p = workload_anonymous(w, FOLIOS * SMALL);
	madvise(m->p, FOLIOS * SMALL * w->page_size, MADV_NOHUGEPAGE);
	return true;
}

static bool map_folios(struct workload *w, struct memory *m)
{
	m->pages = WORKLOAD_FOLIO_PAGES;
	m->p = workload_folios(w, FOLIOS, workload_folio_bytes(w));
	return m->p;
}

static bool map_huge(struct workload *w, struct memory *m)
{
	size_t bytes = FOLIOS * w->huge_page_size;

	if (!bytes || bytes > BYTES_MOST)
		return false;
	m->pages = w->huge;
	m->p = workload_huge_map(w, FOLIOS, -1);
	return workload_try_huge_write(w, m->p, FOLIOS);
}

static bool map_hugetlb(struct workload *w, struct memory *m)
{
	size_t bytes = FOLIOS * workload_hugetlb_bytes();
	void *p = NULL;

	if (bytes && bytes <= BYTES_MOST)
		p = workload_try_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_HUGETLB, -1);
	if (!p)
		return false;
	workload_remember(w, p, bytes);
	m->p = p;
	m->pages = (int64_t)(bytes / w->page_size) / FOLIOS;
	return true;
}

static const struct {
	const char *name;
	bool (*map)(struct workload *w, struct memory *m);
} kinds[] = {
	{ "small pages", map_small },
	{ "large folios", map_folios },
	{ "huge pages", map_huge },
	{ "hugetlb pages", map_hugetlb },
};

/* ---- buffers ---- */

/* A buffer, in half pages from the folio's start on. */
struct buffer {
	int folio, from, halves;
};

static const struct set {
	const char *name;
	struct buffer of[BUFFERS_MOST]; /* ends with a buffer of 0 bytes */
} sets[] = {
	{ "one page", { { 0, 2, 2 } } },
	{ "a part of two pages", { { 0, 1, 2 } } },
	{ "two buffers in one folio", { { 0, 0, 2 }, { 0, 4, 4 } } },
	{ "overlapping buffers", { { 0, 0, 4 }, { 0, 2, 4 } } },
	{ "a buffer in each folio", { { 0, 0, 2 }, { 1, 0, 2 } } },
	{ "a buffer across both folios", { { 1, -2, 4 } } },
};

static int64_t half_page(const struct memory *m, const struct buffer *b)
{
	return 2 * b->folio * m->pages + b->from;
}

/*
 * One folio, the other, the first again: from 6.13 on some kernels count the first folio again,
 * because headpage_already_acct() does not see the earlier buffers of the same call.
 */
static const struct set again = { "the first folio again",
				  { { 0, 0, 2 }, { 1, 2, 4 }, { 0, 4, 2 } } };

/* Small pages count for each buffer; a folio counts once, and in full. */
static int64_t pinned_by(const struct memory *m, const struct set *s)
{
	bool used[FOLIOS] = { false };
	int64_t pages = 0;

	for (const struct buffer *b = s->of; b < s->of + BUFFERS_MOST && b->halves; b++) {
		int64_t first = half_page(m, b) / 2, last = (half_page(m, b) + b->halves - 1) / 2;

		pages += last - first + 1;
		used[first / m->pages] = used[last / m->pages] = true;
	}
	return m->small ? pages : (used[0] + used[1]) * m->pages;
}

/* Returns false with errno if the kernel refuses. */
static bool register_set(struct workload *w, const struct memory *m, const struct set *s)
{
	struct iovec io[BUFFERS_MOST];
	unsigned nr = 0;

	for (; nr < BUFFERS_MOST && s->of[nr].halves; nr++)
		io[nr] = (struct iovec) {
			m->p + half_page(m, &s->of[nr]) * (int64_t)w->page_size / 2,
			(size_t)s->of[nr].halves * w->page_size / 2,
		};
	return syscall(SYS_io_uring_register, w->fd[RING], IORING_REGISTER_BUFFERS, io, nr) == 0;
}

static void must_be(struct workload *w, const char *kind, const char *set, int64_t seen,
		    int64_t expected)
{
	if (seen != expected)
		workload_fail(w, "%s, %s: VmPin is %lld pages, should be %lld", kind, set,
			      (long long)seen, (long long)expected);
}

/*
 * Registers the buffers, and unregisters them. Returns by how many pages VmPin was too high in
 * between; -1 if RLIMIT_MEMLOCK is too low.
 */
static int64_t excess(struct workload *w, const char *kind, const struct memory *m,
		      const struct set *s)
{
	int64_t before = workload_status_pages(w, "VmPin"), with;

	if (!register_set(w, m, s)) {
		if (errno != ENOMEM)
			workload_skip(w, "IORING_REGISTER_BUFFERS: %m");
		return -1;
	}
	with = workload_status_pages(w, "VmPin");
	workload_must(
		w, syscall(SYS_io_uring_register, w->fd[RING], IORING_UNREGISTER_BUFFERS, NULL, 0),
		"IORING_UNREGISTER_BUFFERS");
	must_be(w, kind, "unregistered", workload_status_pages(w, "VmPin") - before, 0);
	if (with - before < pinned_by(m, s))
		must_be(w, kind, s->name, with - before, pinned_by(m, s));
	return with - before - pinned_by(m, s);
}

/* Returns false if RLIMIT_MEMLOCK is too low. */
static bool check_set(struct workload *w, const char *kind, const struct memory *m,
		      const struct set *s)
{
	int64_t more = excess(w, kind, m, s);

	if (more > 0)
		must_be(w, kind, s->name, pinned_by(m, s) + more, pinned_by(m, s));
	return more == 0;
}

/* Returns how often the first folio counts again: 0 or 1; -1 if RLIMIT_MEMLOCK is too low. */
static int64_t counts_again(struct workload *w, const char *kind, const struct memory *m)
{
	int64_t more = excess(w, kind, m, &again);

	if (more > 0 && (m->small || more != m->pages))
		must_be(w, kind, again.name, pinned_by(m, &again) + more, pinned_by(m, &again));
	return more > 0 ? 1 : more;
}

/*
 * Sets RLIMIT_MEMLOCK one page below both folios, then registers a page of each. The kernel must
 * refuse that, and must count nothing.
 */
static void check_limit(struct workload *w, const char *kind, const struct memory *m)
{
	static const struct set each = { "beyond RLIMIT_MEMLOCK", { { 0, 0, 2 }, { 1, 0, 2 } } };
	int64_t before = workload_status_pages(w, "VmPin");
	struct rlimit was, low;
	bool done;

	workload_must(w, getrlimit(RLIMIT_MEMLOCK, &was), "getrlimit");
	low = (struct rlimit) { (rlim_t)(pinned_by(m, &each) - 1) * w->page_size, was.rlim_max };
	if (low.rlim_cur > was.rlim_cur)
		return;
	workload_must(w, setrlimit(RLIMIT_MEMLOCK, &low), "setrlimit");
	done = register_set(w, m, &each);
	workload_must(w, setrlimit(RLIMIT_MEMLOCK, &was), "setrlimit");
	if (done)
		workload_fail(w, "%s: registered %lld pages beyond RLIMIT_MEMLOCK", kind,
			      (long long)pinned_by(m, &each));
	must_be(w, kind, each.name, workload_status_pages(w, "VmPin") - before, 0);
}

/* Raises the limit if that is allowed: up to 5.15 it is 64 KiB. */
static void set_up(struct workload *w)
{
	struct io_uring_params p = { .flags = 0 };
	struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };

	if (setrlimit(RLIMIT_MEMLOCK, &all) < 0 && getrlimit(RLIMIT_MEMLOCK, &all) == 0) {
		all.rlim_cur = all.rlim_max;
		workload_must(w, setrlimit(RLIMIT_MEMLOCK, &all), "setrlimit");
	}
	workload_must(w, workload_set_capability(CAP_IPC_LOCK, false), "capset");
	w->fd[RING] = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);
	if (w->fd[RING] < 0)
		workload_skip(w, "io_uring_setup(2): %m");
}

static void register_all(struct workload *w)
{
	int64_t large = 0, twice[2] = { 0 }; /* folios counted once, and counted again */

	set_up(w);
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		struct memory m = { .p = NULL };
		int64_t more;

		if (!kinds[k].map(w, &m))
			continue;
		for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++)
			large += check_set(w, kinds[k].name, &m, &sets[i]) && !m.small;
		more = counts_again(w, kinds[k].name, &m);
		if (more >= 0 && !m.small)
			twice[more]++;
		check_limit(w, kinds[k].name, &m);
	}
	close(w->fd[RING]);
	workload_report(w, "large", large);
	workload_report(w, "once", twice[0]);
	workload_report(w, "again", twice[1]);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t once = trial_reported(t, REGISTER, "once"),
		counted_again = trial_reported(t, REGISTER, "again");

	if (trial_reported(t, REGISTER, "large") == 0)
		return judge_skip(j, "large folios, or a higher RLIMIT_MEMLOCK");
	if (once || counted_again)
		judge_fact_of(j, "pinned.folio_of_an_earlier_buffer", counted_again,
			      once + counted_again, "counted once", "counted again",
			      "sometimes counted again");
}

CASE(anonymous_pinned_folios) {
	.claim =
		"VmPin counts a huge page or another large folio once, and in full, when buffers in it are registered with io_uring, and small pages once for each buffer; RLIMIT_MEMLOCK limits the same number; unregistering subtracts it",
	.because = "io_buffer_account_pin() adds all pages of a large folio unless the ring has "
		   "counted the folio before (headpage_already_acct()).",
	.said_by = SAID_BY("io_uring_register(2)", "proc_pid_status(5), VmPin"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(REGISTER, "register buffers of each kind", register_all, .checks = 1,
			       .flags = STEP_ANY_PAGES)),
	.facts = FACTS(FACT(
		"pinned.folio_of_an_earlier_buffer",
		"In VmPin, a large folio that is used by the first and the third buffer of one call, and not by the second, is",
		"counted once|counted again")),
	.judge = judge,
};
