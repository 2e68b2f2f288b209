// SPDX-License-Identifier: MIT
/*
 * Implements the ready-made steps of <rssck/step.h>. Their parameters are the fields of struct
 * step.
 */
#include "agent.h"
#include <rssck/uapi.h>
#include <unistd.h>

static size_t pages(const struct workload *w)
{
	return (size_t)pages_of((int64_t)w->step->pages, w->huge);
}

static size_t bytes(const struct workload *w)
{
	return pages(w) * w->page_size;
}

static char *range(struct workload *w)
{
	const struct step *s = w->step;

	if (!s->pages)
		workload_die(w, "step \"%s\" has no .pages", s->name);
	if (!w->slot[s->slot])
		workload_die(w, "step \"%s\": no memory was put in slot %u before this step",
			     s->name, s->slot);
	return (char *)w->slot[s->slot] +
	       (size_t)pages_of((int64_t)s->first, w->huge) * w->page_size;
}

static void put_into_slot(struct workload *w, void *p)
{
	w->slot[w->step->slot] = p;
	if (w->step->report)
		workload_report(w, w->step->report, (int64_t)(uintptr_t)p);
}

void workload_advise(struct workload *w, void *p, size_t bytes, int advice)
{
	static const struct {
		int advice;
		const char *name;
		bool may_be_missing;
	} known[] = {
		{ MADV_RANDOM, "MADV_RANDOM", false },
		{ MADV_DONTNEED, "MADV_DONTNEED", false },
		{ MADV_DONTFORK, "MADV_DONTFORK", false },
		{ MADV_DOFORK, "MADV_DOFORK", false },
		{ MADV_UNMERGEABLE, "MADV_UNMERGEABLE", false },
		{ MADV_GUARD_REMOVE, "MADV_GUARD_REMOVE", false },
		{ MADV_GUARD_INSTALL, "MADV_GUARD_INSTALL", true },
		{ MADV_HUGEPAGE, "MADV_HUGEPAGE", true },
		{ MADV_NOHUGEPAGE, "MADV_NOHUGEPAGE", true },
		{ MADV_MERGEABLE, "MADV_MERGEABLE", true },
		{ MADV_REMOVE, "MADV_REMOVE", true },
		{ MADV_FREE, "MADV_FREE", true },
		{ MADV_WIPEONFORK, "MADV_WIPEONFORK", true },
		{ MADV_COLD, "MADV_COLD", true },
		{ MADV_PAGEOUT, "MADV_PAGEOUT", true },
		{ MADV_POPULATE_READ, "MADV_POPULATE_READ", true },
		{ MADV_POPULATE_WRITE, "MADV_POPULATE_WRITE", true },
	};
	size_t i = 0;

	while (i < sizeof(known) / sizeof(*known) && known[i].advice != advice)
		i++;
	if (i == sizeof(known) / sizeof(*known))
		workload_die(w, "advice %d is not in the table of workload_advise()", advice);
	if (madvise(p, bytes, advice) == 0)
		return;
	if (known[i].may_be_missing)
		workload_skip(w, "%s: %m", known[i].name);
	workload_die(w, "%s: %m", known[i].name);
}

static void advise(struct workload *w, void *p)
{
	workload_advise(w, p, bytes(w), w->step->advice);
}

static int protection(const struct step *s)
{
	return s->prot == NO_ACCESS ? PROT_NONE : s->prot ? s->prot : PROT_READ | PROT_WRITE;
}

static void map(struct workload *w, int usual, int fd)
{
	const struct step *s = w->step;
	int flags = (s->mapping ? s->mapping : usual) | (fd < 0 ? MAP_ANONYMOUS : 0);

	if (!s->pages)
		workload_die(w, "step \"%s\" has no .pages", s->name);
	put_into_slot(w, workload_map(w, bytes(w), protection(s), flags, fd, 0));
	if (s->advice)
		advise(w, w->slot[s->slot]);
	touch_read(w, w->slot[s->slot], s->read);
	touch_write(w, w->slot[s->slot], s->written);
}

void step_map(struct workload *w)
{
	map(w, MAP_PRIVATE, -1);
}

void step_map_file(struct workload *w)
{
	w->fd[w->step->file] = workload_file(w, pages(w));
	map(w, MAP_PRIVATE, w->fd[w->step->file]);
}

void step_map_shmem(struct workload *w)
{
	w->fd[w->step->file] = workload_shmem(w, pages(w));
	map(w, MAP_SHARED, w->fd[w->step->file]);
}

void step_map_again(struct workload *w)
{
	map(w, MAP_SHARED, w->fd[w->step->file]);
}

void step_map_locked(struct workload *w)
{
	map(w, MAP_PRIVATE, -1);
	step_lock(w);
}

void step_map_paged_out(struct workload *w)
{
	map(w, MAP_PRIVATE, -1);
	step_write(w);
	step_page_out(w);
}

void step_huge_page(struct workload *w)
{
	put_into_slot(w, workload_huge_page(w));
}

void step_write(struct workload *w)
{
	touch_write(w, range(w), pages(w));
}

void step_read(struct workload *w)
{
	touch_read(w, range(w), pages(w));
}

void step_rewrite(struct workload *w)
{
	workload_rewrite(w, range(w), pages(w));
}

void step_read_back(struct workload *w)
{
	workload_must_hold(w, range(w), pages(w), true);
}

void step_read_zeroes(struct workload *w)
{
	workload_must_hold(w, range(w), pages(w), false);
}

void step_unmap(struct workload *w)
{
	char *p = range(w);

	workload_must(w, munmap(p, bytes(w)), "munmap");
	workload_forget_range(w, p, bytes(w));
}

void step_remap(struct workload *w)
{
	put_into_slot(
		w, workload_remap(w, range(w), pages(w), w->step->becomes, MREMAP_MAYMOVE, NULL));
}

void step_grow_in_place(struct workload *w)
{
	workload_remap(w, range(w), pages(w), w->step->becomes, 0, NULL);
}

void step_advise(struct workload *w)
{
	advise(w, range(w));
}

/* A security module may refuse executable memory. */
void step_protect(struct workload *w)
{
	if (mprotect(range(w), bytes(w), w->step->prot) == 0)
		return;
	if (w->step->prot & PROT_EXEC)
		workload_skip(w, "mprotect to %#x: %m", (unsigned)w->step->prot);
	workload_die(w, "mprotect to %#x: %m", (unsigned)w->step->prot);
}

void step_make_writable_text(struct workload *w)
{
	if (mprotect(range(w), bytes(w), PROT_READ | PROT_WRITE | PROT_EXEC) < 0)
		workload_skip_step(w, "mprotect to writable and executable: %m");
}

void step_lock(struct workload *w)
{
	if (mlock(range(w), bytes(w)) < 0)
		workload_skip(w, "mlock: %m");
}

void step_unlock(struct workload *w)
{
	workload_must(w, munlock(range(w), bytes(w)), "munlock");
}

void step_unlock_all(struct workload *w)
{
	workload_must(w, munlockall(), "munlockall");
}

void step_page_out(struct workload *w)
{
	workload_page_out(w, range(w), pages(w));
}

void step_page_out_shmem(struct workload *w)
{
	workload_page_out_shmem(w, range(w), pages(w));
}

void step_read_from_swap(struct workload *w)
{
	int64_t n = (int64_t)pages(w), clean;

	step_read(w);
	clean = workload_pages_clean(w, w->slot[w->step->slot]);
	workload_expect(w, ANON_CLEAN(clean), ANON_WRITE(n - clean));
}

void step_reclaim(struct workload *w)
{
	workload_reclaim(w, range(w), pages(w));
}

void step_truncate(struct workload *w)
{
	workload_must(w, ftruncate(w->fd[w->step->file], (off_t)bytes(w)), "ftruncate");
}

void step_sync(struct workload *w)
{
	workload_must(w, fsync(w->fd[w->step->file]), "fsync");
}

void step_fork(struct workload *w)
{
	workload_fork(w, w->step->child);
}

void step_reap(struct workload *w)
{
	workload_reap(w, w->step->child);
}

void step_exec(struct workload *w)
{
	workload_exec_fresh(w, w->step->child);
}

void step_end_threads(struct workload *w)
{
	workload_threads_end(w);
}

void step_clear_refs(struct workload *w)
{
	workload_clear_refs(w, w->step->refs);
}

void step_report_rusage(struct workload *w)
{
	workload_report_rusage(w, RUSAGE_SELF);
}

void step_nothing(struct workload *w)
{
	(void)w;
}
