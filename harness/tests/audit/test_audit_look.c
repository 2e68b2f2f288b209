// SPDX-License-Identifier: MIT
/* Findings in stopped processes: none if the numbers are right, one for each wrong number. */
#include "audit/find.h"
#include "audit/frames.h"
#include "audit/known.h"
#include "audit/look.h"
#include "base/clock.h"
#include "snapshot/snapshot.h"
#include "tests/support/child.h"
#include "tests/support/host.h"

enum { PAGES = 64, LIMIT_MS = 5000 };

static struct host host;
static struct measured unmeasured; /* without a model no number is judged by a bound */
static struct measured exact;

static _Noreturn void stand(int ready)
{
	pid_t self = getpid();

	if (write(ready, &self, sizeof(self)) == (ssize_t)sizeof(self))
		for (;;)
			pause();
	_exit(1);
}

/*
 * Starts a process with PAGES pages of shared memory and PAGES private pages, which it may share
 * with a child.
 */
static pid_t make(bool with_child, pid_t *child)
{
	int ready[2];
	pid_t pid, said;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		size_t size = PAGES * (size_t)host.page_size;
		char *shared = map_shared(size), *private = map_private(size);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		madvise(private, size, MADV_NOHUGEPAGE);
		memset(shared, 1, size);
		memset(private, 1, size);
		if (with_child && fork() == 0)
			prctl(PR_SET_PDEATHSIG, SIGKILL);
		stand(ready[1]);
	}
	for (int i = 0; i < 1 + with_child; i++) {
		assert_int_equal(read(ready[0], &said, sizeof(said)), sizeof(said));
		if (said != pid)
			*child = said;
		/* The process has answered, but may not sleep yet. */
		for (int k = 0; k < 1000 && find_state(said, said) != 'S'; k++)
			usleep(10000);
	}
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static size_t failures(const struct judgement *j, const char *metric)
{
	size_t n = 0;

	for (size_t i = 0; i < j->nr_discrepancies; i++)
		n += j->discrepancies[i].fails &&
		     (!metric || !strcmp(j->discrepancies[i].metric, metric));
	return n;
}

static enum looked look_once(const struct host *h, const struct measured *m, bool whole,
			     struct judgement *j)
{
	OWNED(snapshot_free) struct snapshot s;
	pid_t child, pid = make(false, &child);
	const struct traced who = { .pid = pid, .threads = 1, .users = 1 };
	enum looked looked = look_at(&who, &(struct looking) { h, m, whole, now_ms() + LIMIT_MS },
				     &s, j);

	child_end(pid);
	return looked;
}

/*
 * On a busy machine other processes map and unmap libraries that the process shares, so its Pss
 * changes. Then a new process is read, up to 20 times, before the test is skipped.
 */
static void look(const struct host *h, const struct measured *m, bool whole, struct judgement *j)
{
	enum looked looked = LOOKED_MOVED;

	*j = (struct judgement) { .failed = false };
	for (int tries = 0; tries < 20 && looked == LOOKED_MOVED; tries++) {
		judgement_free(j);
		looked = look_once(h, m, whole, j);
	}
	if (looked == LOOKED_MOVED) {
		judgement_free(j);
		skip();
	}
	assert_int_equal(looked, LOOKED_JUDGED);
}

TEST(an_ordinary_process_breaks_no_identity)
{
	OWNED(judgement_free) struct judgement j;

	look(&host, &unmeasured, true, &j);
	assert_int_equal(failures(&j, NULL), 0);
	assert_true(j.nr_checks > 100);
}

/*
 * Without the list of tmpfs mounts the reader of page tables takes shared memory for file pages, so
 * it finds too few shmem pages.
 */
TEST(a_number_that_is_wrong_in_every_snapshot_is_found)
{
	struct host wrong = host;
	OWNED(judgement_free) struct judgement j;

	wrong.nr_shmem_devices = 0;
	wrong.sees_pfns = false;
	look(&wrong, &exact, true, &j);
	assert_true(j.failed);
	assert_int_equal(failures(&j, "status.RssShmem"), 1);
	assert_int_equal(failures(&j, "status.RssFile"), 1);
}

TEST(rules_on_shared_pages_do_not_apply_while_a_relative_runs)
{
	struct host wrong = host;
	struct judgement j;
	size_t found = 0;

	/* Under valgrind one reading takes longer than the time limit. */
	if (!host.sees_pfns || host.kpagecount < 0 || getenv("VALGRIND"))
		skip();
	/*
	 * All counts are 0, so no frame counts as mapped once, and other processes cannot change
	 * that.
	 */
	wrong.kpagecount = memfd_create("counts", MFD_CLOEXEC);
	assert_int_equal(ftruncate(wrong.kpagecount, (off_t)1 << 40), 0);
	/* While other processes fork, a rule about shared pages may need another snapshot. */
	for (int i = 0; i < 100 && !found; i++) {
		look(&wrong, &unmeasured, true, &j);
		found = failures(&j, "kpagecount.once");
		judgement_free(&j);
	}
	assert_true(found > 0);
	look(&wrong, &unmeasured, false, &j);
	assert_int_equal(failures(&j, NULL), 0);
	judgement_free(&j);
	close(wrong.kpagecount);
}

TEST(an_ended_process_is_not_judged)
{
	struct snapshot s;
	OWNED(judgement_free) struct judgement j;
	pid_t child, pid = make(false, &child);
	const struct traced who = { .pid = pid, .threads = 1, .users = 1 };
	const struct looking how = { &host, &exact, true, now_ms() + LIMIT_MS };

	child_end(pid);
	assert_int_equal(look_at(&who, &how, &s, &j), LOOKED_GONE);
}

static void take(struct snapshot *s, pid_t pid)
{
	assert_int_equal(snapshot_take(s, pid, &host), 0);
}

TEST(frames_mapped_by_processes_outside_the_audit_are_counted_as_lost)
{
	struct snapshot s[2], *both[] = { &s[0], &s[1] }, *twice[] = { &s[0], &s[0] };
	struct frames_found all, one, more;
	pid_t child, pid;

	if (!host.sees_pfns || host.kpagecount < 0)
		skip();
	pid = make(true, &child);
	take(&s[0], pid);
	take(&s[1], child);
	assert_int_equal(frames_compare(both, 2, &host, &all), 0);
	assert_int_equal(frames_compare(both, 1, &host, &one), 0);
	assert_int_equal(frames_compare(twice, 2, &host, &more), 0);
	kill(child, SIGKILL);
	child_end(pid);
	/*
	 * Both processes were forked from the test, so the pages that they share with it do not
	 * belong to them alone.
	 */
	assert_true(one.lost >= all.lost + PAGES);
	assert_int_equal(all.mapped_more, 0);
	assert_true(more.mapped_more > 0);
	snapshot_free(&s[0]);
	snapshot_free(&s[1]);
}

static bool is_found(int64_t poisoned, struct discrepancy d)
{
	struct mapping m = { .name = "", .pagemap = { .poisoned = poisoned } };
	struct snapshot s = { .maps = &m, .nr_maps = 1 };
	struct judgement j = { .discrepancies = &d, .nr_discrepancies = 1, .failed = true };

	d.fails = true;
	known_leave_out(&s, 4096, &j);
	assert_int_equal(j.failed, d.fails);
	return d.fails;
}

TEST(poisoned_pages_excuse_at_most_their_number)
{
	const struct discrepancy three = { .counter = 10, .precise = 13, .unit = "pages" };
	const struct discrepancy kb = { .counter = 13, .precise = 1, .unit = "kB" };
	const struct discrepancy faults = { .counter = 1, .precise = 2, .unit = "faults" };
	struct discrepancy lags = three;

	lags.bound = 1;
	assert_true(is_found(0, three));
	assert_true(is_found(2, three));
	assert_false(is_found(3, three));
	assert_false(is_found(2, lags));
	assert_true(is_found(2, kb));
	assert_false(is_found(3, kb));
	assert_true(is_found(3, faults));
}

static bool is_found_with(int64_t huge_kb, enum rule_id rule)
{
	struct snapshot s = { .nr_maps = 0 };
	struct discrepancy d = { .rule = rule, .counter = 1, .unit = "pages", .fails = true };
	struct judgement j = { .discrepancies = &d, .nr_discrepancies = 1, .failed = true };

	s.values.have[METRIC_SMAPS_ANONHUGEPAGES] = true;
	s.values.of[METRIC_SMAPS_ANONHUGEPAGES] = huge_kb;
	known_leave_out(&s, 4096, &j);
	return j.failed;
}

TEST(rules_on_exclusive_pages_do_not_apply_to_huge_pages)
{
	static const enum rule_id exclusive[] = { RULE_FRAMES_ONCE, RULE_MAPPING_FRAMES_ONCE,
						  RULE_MAPPING_PRIVATE,
						  RULE_MAPPING_PRIVATE_HUGETLB };

	for (enum rule_id id = RULE_NONE; id < RULE_COUNT; id++) {
		bool excused = false;

		for (size_t i = 0; i < sizeof(exclusive) / sizeof(*exclusive); i++)
			excused |= exclusive[i] == id;
		assert_true(is_found_with(0, id));
		assert_int_equal(is_found_with(2048, id), !excused);
	}
}

FIXTURE(setup)
{
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		exact.models.of[*id].kind = MODEL_EXACT;
	exact.known = true;
	host = host_here();
	return 0;
}

FIXTURE(teardown)
{
	host_close(&host);
	return 0;
}

TESTS_SHARE(setup, teardown);
