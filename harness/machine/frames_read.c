// SPDX-License-Identifier: MIT
/* Reads the page frames of all zones, in large reads. */
#include "base/memory.h"
#include "frames.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/kernel-page-flags.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run goes on over so many frames that are not wanted: a call costs as much. */
enum { AT_ONCE = 64 * 1024, GAP = 16 };

#define FLAG(bit) (1ULL << (bit))

enum { KPF_RESERVED = 32 };

int frames_open(struct frames_reader *f, const struct host *h, bool groups, char *why, size_t size)
{
	*f = (struct frames_reader) { .flags = h->kpageflags,
				      .counts = h->kpagecount,
				      .groups = -1 };
	if (f->flags < 0 || f->counts < 0 || !h->sees_pfns) {
		snprintf(why, size,
			 "page frames are shown to root alone (/proc/kpageflags, CAP_SYS_ADMIN)");
		return -1;
	}
	if (groups)
		f->groups = open("/proc/kpagecgroup", O_RDONLY | O_CLOEXEC);
	for (int i = 0; i < 3; i++) {
		f->words[i] = malloc(AT_ONCE * sizeof(uint64_t));
		if (!f->words[i])
			memory_gone("page frames");
		memset(f->words[i], 1, AT_ONCE * sizeof(uint64_t));
	}
	f->of = calloc(FRAMES_GROUPS, sizeof(*f->of));
	if (!f->of)
		memory_gone("page frames by cgroup");
	memset(f->of, 0, FRAMES_GROUPS * sizeof(*f->of));
	return 0;
}

void frames_close(struct frames_reader *f)
{
	for (int i = 0; i < 3; i++)
		free(f->words[i]);
	free(f->of);
	if (f->groups >= 0)
		close(f->groups);
}

static void charge(struct frames_reader *f, uint64_t inode)
{
	for (size_t i = 0; i < FRAMES_GROUPS; i++) {
		struct frames_group *g = &f->of[(inode + i) % FRAMES_GROUPS];

		if (g->inode && g->inode != inode)
			continue;
		g->inode = inode;
		g->pages++;
		return;
	}
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool is_wanted(const struct frames_reader *f, uint64_t inode)
{
	return !f->only || bsearch(&inode, f->only, f->nr_only, sizeof(inode), by_number);
}

/* Flags of frames that are not among those charged without any other sign. */
#define SHOWS                                                                                   \
	(FLAG(KPF_NOPAGE) | FLAG(KPF_BUDDY) | FLAG(KPF_LRU) | FLAG(KPF_SLAB) | FLAG(KPF_ANON) | \
	 FLAG(KPF_PGTABLE) | FLAG(KPF_HUGE) | FLAG(KPF_RESERVED))

/* Frames of which a second file is asked. */
struct wanted {
	uint64_t any, none; /* flags: any of these, none of those */
};

static bool wants(const struct wanted *w, uint64_t flags)
{
	return (!w->any || flags & w->any) && !(flags & w->none);
}

/* Of `n` frames the wanted ones, in runs; 0 for others. Sets *some if there is one. */
static int read_runs(int fd, uint64_t pfn, const uint64_t *flags, size_t n, const struct wanted *w,
		     uint64_t *words, bool *some)
{
	for (size_t i = 0, end; i < n; i = end) {
		size_t last = i;
		ssize_t got;

		if (!wants(w, flags[i])) {
			words[i] = 0;
			end = i + 1;
			continue;
		}
		for (end = i + 1; end < n && end - last <= GAP; end++)
			last = wants(w, flags[end]) ? end : last;
		end = last + 1;
		got = kpage_range(fd, pfn + i, words + i, end - i);
		if (got < 0)
			return (int)got;
		memset(words + i + got, 0, (end - i - (size_t)got) * sizeof(*words));
		*some = true;
	}
	return 0;
}

static int read_words(struct frames_reader *f, uint64_t pfn, size_t n, bool *counted, bool *charged)
{
	static const struct wanted mapped = { .any = FLAG(KPF_MMAP) },
				   used = { .none = FLAG(KPF_NOPAGE) | FLAG(KPF_BUDDY) },
				   plain = { .none = SHOWS };
	ssize_t got = kpage_range(f->flags, pfn, f->words[0], n);
	int error;

	if (got < 0)
		return (int)got;
	for (size_t i = (size_t)got; i < n; i++)
		f->words[0][i] = FLAG(KPF_NOPAGE);
	error = read_runs(f->counts, pfn, f->words[0], n, &mapped, f->words[1], counted);
	if (!error && f->groups >= 0 && (f->only || !f->grouped))
		error = read_runs(f->groups, pfn, f->words[0], n, f->only ? &used : &plain,
				  f->words[2], charged);
	return error;
}

static int read_some(struct frames_reader *f, uint64_t pfn, size_t n, struct frames_run *r,
		     struct machine_values *v)
{
	bool counted = false, charged = false;
	int error = read_words(f, pfn, n, &counted, &charged);

	for (size_t i = 0; i < n && !error; i++) {
		uint64_t flags = f->words[0][i], group = charged ? f->words[2][i] : 0;

		/* Some kernels (6.1) name the cgroup only for the head of a folio. */
		if (!(flags & FLAG(KPF_COMPOUND_TAIL)))
			f->head_group = group;
		else if (!group)
			group = f->head_group;
		if (group && !(flags & SHOWS))
			charge(f, group);
		if (is_wanted(f, group))
			frames_count(v, r, flags, counted ? f->words[1][i] : 0);
	}
	return error;
}

int frames_read(struct frames_reader *f, struct zones *z, const struct frames_run *how,
		struct machine_values *v)
{
	struct frames_run run = *how;
	int error = 0;

	frames_begin(v, &run);
	if (!f->grouped)
		memset(f->of, 0, FRAMES_GROUPS * sizeof(*f->of));
	for (size_t i = 0; i < z->nr && !error; i++) {
		struct zone *one = &z->of[i];
		uint64_t end = one->start_pfn + (uint64_t)one->spanned;

		frames_begin(&one->values, &run);
		for (uint64_t pfn = one->start_pfn; pfn < end && !error; pfn += AT_ONCE)
			error = read_some(f, pfn, end - pfn < AT_ONCE ? end - pfn : AT_ONCE, &run,
					  &one->values);
		frames_end(&one->values, &run);
		for (int n = 1; n < MACHINE_NUMBERS; n++)
			if (machine_row(n)->source == MACHINE_FRAMES)
				v->of[n] += one->values.of[n];
	}
	f->grouped = true;
	return error;
}

struct frames_group frames_largest_group(const struct frames_reader *f)
{
	struct frames_group most = { .inode = 0 };

	for (size_t i = 0; i < FRAMES_GROUPS; i++)
		if (f->of[i].pages > most.pages)
			most = f->of[i];
	return most;
}
