// SPDX-License-Identifier: MIT
/*
 * What a call about several elements (pages, parts of a vector, entries of an array) answers, and
 * which elements it has done, if it cannot do one of them: the first, one in the middle, the last.
 * For the cases midway and midway_*.
 */
#ifndef CASES_VIRTUAL_MIDWAY_H
#define CASES_VIRTUAL_MIDWAY_H

#include <linux/mempolicy.h>
#include <rssck/case.h>
#include <rssck/right.h>

enum { ELEMENTS = 6, NO_ELEMENT = -1, LEARNT = 3, MOST_ROWS = 48 };

/* What the call does at an element that it cannot do. */
enum pattern {
	STOPS = 1,     /* with the error; the elements before are done */
	GOES_ON,       /* the other elements are done, then it returns the error */
	REFUSES,       /* no element is done */
	IGNORES,       /* it succeeds, and the other elements are done */
	IGNORES_LATER, /* the first element is refused, any other is ignored */
	ENDS,          /* it succeeds, but only the elements before are done */
	DOES_ALL,      /* even this element, but then it returns the error */
	SUCCEEDS,      /* even this element is done */
	COUNTS,        /* like STOPS, but returns how many are done if there are any */
	FORGETS,       /* like COUNTS, but an odd last element is not counted */
	LEAVES_ONE,    /* the other elements are done, and it returns 1 */
	LEAVES_UNSAID, /* it returns 1, and no element is done */
	LEAVES_REST,   /* it stops, and returns how many elements are not done */
	LEAVES_BEHIND, /* it stops, and returns how many elements are behind this one */
	DOES_NOTHING,  /* it succeeds, and no element is done */
};

/* `as` is the value of the fact, if kernels differ. */
struct midway_answer {
	enum pattern pattern;
	int error;
	const char *as;
};

/*
 * make() makes the elements, or returns false if this machine cannot; spoil() makes element i
 * impossible; act() is the call, whose result counts elements or is -1 with errno; done() tells
 * whether the call has done element i, and is NULL if nothing shows that.
 */
struct midway {
	const char *name;
	bool (*make)(void);
	bool (*spoil)(int i);
	long (*act)(void);
	bool (*done)(int i);
	struct midway_answer may[LEARNT];
	const char *fact; /* which of these this kernel does */
	long success;     /* the result if no element is impossible; 0 unless it counts */
};

/* clang-format off */
#define ROW(title, makes, spoils, acts, shows) .name = title, .make = makes, .spoil = spoils, .act = acts, .done = shows
#define LAW(does, with)                        .may = { { .pattern = does, .error = with } }
#define DIFFERS(of, ...)                       .fact = of, .may = { __VA_ARGS__ }
#define EITHER(...)                            .may = { __VA_ARGS__ }
#define COUNTED                                .success = ELEMENTS
/* clang-format on */

/* Each row is tried in processes of their own, so that nothing must be undone. */
static struct midway_seen {
	bool made, done[ELEMENTS];
	long result;
	int error;
} * seen;

static size_t page;
static char *place; /* of the elements, if they are pages */
static const struct workload *midway_workload;
static const struct midway *midway_rows;
static int midway_nr;

static inline char *at(int i)
{
	return place + (size_t)i * page;
}

static inline void midway_run(const struct midway *r, int k)
{
	seen->made = r->make() && (k == NO_ELEMENT || r->spoil(k));
	if (!seen->made)
		return;
	errno = 0;
	seen->result = r->act();
	seen->error = seen->result < 0 ? errno : 0;
	for (int i = 0; i < ELEMENTS && r->done; i++)
		seen->done[i] = r->done(i);
}

/* Returns false if the process died. */
static inline bool midway_look(const struct midway *r, int k)
{
	pid_t pid;

	*seen = (struct midway_seen) { .made = false };
	pid = fork();
	if (!pid) {
		midway_run(r, k);
		_exit(0);
	}
	return !workload_result_of(pid, 1);
}

static inline bool midway_does(enum pattern p, int i, int k)
{
	switch (p) {
	case STOPS:
	case ENDS:
	case LEAVES_REST:
	case LEAVES_BEHIND:
	case COUNTS:
	case FORGETS:
		return i < k;
	case IGNORES_LATER:
		return k && i != k;
	case GOES_ON:
	case IGNORES:
	case LEAVES_ONE:
		return i != k;
	case DOES_ALL:
	case SUCCEEDS:
		return true;
	default:
		return false;
	}
}

static inline long midway_result(const struct midway *r, enum pattern p, int k)
{
	if (k == NO_ELEMENT)
		return r->success;
	switch (p) {
	case IGNORES:
	case ENDS:
	case SUCCEEDS:
	case DOES_NOTHING:
		return r->success;
	case IGNORES_LATER:
		return k ? r->success : -1;
	case COUNTS:
		return k ? k : -1;
	case FORGETS:
		return k > 1 ? k / 2 * 2 : -1;
	case LEAVES_ONE:
	case LEAVES_UNSAID:
		return 1;
	case LEAVES_REST:
		return ELEMENTS - k;
	case LEAVES_BEHIND:
		return ELEMENTS - 1 - k;
	default:
		return -1;
	}
}

static inline bool midway_fits(const struct midway *r, const struct midway_answer *a, int k)
{
	long result = midway_result(r, a->pattern, k);

	if (seen->result != result || (result < 0 && seen->error != a->error))
		return false;
	for (int i = 0; i < ELEMENTS && r->done; i++)
		if (seen->done[i] != (k == NO_ELEMENT || midway_does(a->pattern, i, k)))
			return false;
	return true;
}

static inline int midway_differs(const struct midway *r, int k)
{
	char done[ELEMENTS + 1] = "";

	for (int i = 0; i < ELEMENTS; i++)
		done[i] = seen->done[i] ? 'd' : '-';
	return workload_say(WRONG, "%s, without element %d: %ld (%s)%s%s; ", r->name, k,
			    seen->result, seen->error ? strerror(seen->error) : "no error",
			    r->done ? ", done " : "", r->done ? done : "");
}

/* This kernel or this machine lacks the call. */
static inline bool midway_lacks(void)
{
	static const int lacking[] = { EINVAL, ENOSYS, EPERM, EOPNOTSUPP, EFAULT };

	for (size_t i = 0; seen->made && i < sizeof(lacking) / sizeof(*lacking); i++)
		if (seen->result < 0 && seen->error == lacking[i])
			return true;
	return !seen->made;
}

/* Sets *which to the number of the answer that fits everywhere, from 1 on; 0: not tried. */
static inline int midway_try(const struct midway *r, int *which)
{
	static const int where[] = { NO_ELEMENT, 0, ELEMENTS / 2, ELEMENTS - 1 };
	unsigned fit = (1U << LEARNT) - 1;

	*which = 0;
	for (size_t n = 0; n < sizeof(where) / sizeof(*where); n++) {
		if (!midway_look(r, where[n]))
			return workload_say(WRONG, "%s, without element %d: the process died; ",
					    r->name, where[n]);
		if (where[n] == NO_ELEMENT ? midway_lacks() : !seen->made)
			return RIGHT;
		for (int i = 0; i < LEARNT; i++)
			if (!r->may[i].pattern || !midway_fits(r, &r->may[i], where[n]))
				fit &= ~(1U << i);
		if (!fit)
			return midway_differs(r, where[n]);
	}
	*which = fit & 1 ? 1 : fit & 2 ? 2 : 3;
	return RIGHT;
}

/* Says how many rows were tried, and the answer to each row with a fact. */
static inline int midway_try_all(const struct workload *w)
{
	int which[MOST_ROWS] = { 0 }, tried = 0, result = RIGHT;

	midway_workload = w;
	page = w->page_size;
	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED || midway_nr > MOST_ROWS)
		return CANNOT;
	for (int i = 0; i < midway_nr; i++) {
		int answer = midway_try(&midway_rows[i], &which[i]);

		result = answer == RIGHT ? result : answer;
		tried += which[i] > 0;
	}
	if (result != RIGHT)
		return result;
	workload_say(RIGHT, "%d", tried);
	for (int i = 0; i < midway_nr; i++)
		if (midway_rows[i].fact)
			workload_say(RIGHT, " %d", which[i]);
	return RIGHT;
}

/* For ask() and judge() of a case. */
static inline void midway_report(struct workload *w, const struct midway *rows, int nr)
{
	char text[1024], *next = text;

	midway_rows = rows;
	midway_nr = nr;
	workload_must_be_right(w, midway_try_all, text, sizeof(text),
			       "memory shared with a forked process");
	workload_report(w, "tried", strtoll(text, &next, 10));
	for (int i = 0; i < nr; i++)
		if (rows[i].fact)
			workload_report(w, rows[i].fact, strtoll(next, &next, 10));
	workload_checked(w);
}

static inline void midway_judge(const struct trial *t, struct judgement *j, unsigned step,
				const struct midway *rows, int nr)
{
	if (trial_reported(t, step, "tried") <= nr / 2)
		judge_skip(j, "a kernel and rights for most of these calls");
	for (int i = 0; i < nr; i++) {
		int64_t answer = rows[i].fact ? trial_reported(t, step, rows[i].fact) : 0;

		if (answer > 0)
			judge_fact(j, rows[i].fact, "%s", rows[i].may[answer - 1].as);
	}
}

/* ---- elements that are pages ---- */

/* Maps the elements, with memory that nobody may use before and behind. */
static inline bool midway_map(int prot, int flags, int fd)
{
	char *room = workload_try_map((ELEMENTS + 2) * page, PROT_NONE, MAP_PRIVATE, -1);

	if (!room)
		return false;
	place = room + page;
	return mmap(place, ELEMENTS * page, prot, flags | MAP_FIXED | (fd < 0 ? MAP_ANONYMOUS : 0),
		    fd, 0) == place;
}

/* Writes a byte to each element, i + 1 to number i. */
static inline void midway_fill(char *p)
{
	for (int i = 0; i < ELEMENTS; i++)
		p[(size_t)i * page] = (char)(i + 1);
}

static inline bool midway_untouched(void)
{
	return midway_map(PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
}

static inline bool midway_written(void)
{
	if (!midway_untouched())
		return false;
	midway_fill(place);
	return true;
}

static inline bool midway_no_access(int i)
{
	return !mprotect(at(i), page, PROT_NONE);
}

static inline bool midway_hole(int i)
{
	return !munmap(at(i), page);
}

static inline bool midway_locked(int i)
{
	return !mlock(at(i), page);
}

static inline bool midway_present(int i)
{
	int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	bool present = workload_is_present(pagemap, at(i), page);

	close(pagemap);
	return present;
}

/* A hole is not absent. */
static inline bool midway_absent(int i)
{
	unsigned char in;

	return !midway_present(i) && !mincore(at(i), page, &in);
}

/* A file of shared memory; its size is that of the elements. */
static inline int midway_memfd(void)
{
	return workload_shmem_or_none(midway_workload, ELEMENTS);
}

#endif
