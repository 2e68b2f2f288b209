// SPDX-License-Identifier: MIT
/*
 * What a call that fills a file or a pipe answers and leaves behind if it comes to the end of a
 * tmpfs, of a limit, of a sealed file, of the pipe or of the memory in the middle.
 */
#include "../virtual/midway.h"
#include <sys/sendfile.h>
#include <sys/uio.h>

STEP_SYMBOLS(FILES);

enum { SLOTS = 8 }; /* of a pipe; a power of two */

static int root = -1, file = -1, from = -1, uffd = -1, ends[2], source[2], filled;
static char *buffer;
static struct iovec vector[ELEMENTS];

static size_t all(void)
{
	return ELEMENTS * page;
}

static off_t offset(int i)
{
	return (off_t)((size_t)i * page);
}

/* ---- elements: pages of a file, and of memory to copy ---- */

static bool make_buffer(void)
{
	char *room = workload_try_map(all() + 2 * page, PROT_NONE, MAP_PRIVATE, -1);

	if (!room)
		return false;
	buffer = room + page;
	if (mprotect(buffer, all(), PROT_READ | PROT_WRITE))
		return false;
	midway_fill(buffer);
	for (int i = 0; i < ELEMENTS; i++)
		vector[i] = (struct iovec) { buffer + offset(i), page };
	return true;
}

/* An empty file. Another file has all elements, to copy from. */
static bool of_tmpfs(void)
{
	root = workload_tmpfs_of_pages("nr_blocks=64");
	if (root < 0 || !make_buffer())
		return false;
	from = openat(root, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	file = openat(root, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return file >= 0 && write(from, buffer, all()) == (ssize_t)all() &&
	       !lseek(from, 0, SEEK_SET);
}

static bool of_memfd(void)
{
	file = memfd_create("rssck", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	return file >= 0 && make_buffer();
}

static bool spliced(void)
{
	return of_tmpfs() && !pipe2(source, O_CLOEXEC | O_NONBLOCK) &&
	       fcntl(source[1], F_SETPIPE_SZ, (int)(SLOTS * page)) > 0 &&
	       write(source[1], buffer, all()) == (ssize_t)all();
}

/* A hole, to be allocated by faults. */
static bool mapped(void)
{
	return of_tmpfs() && !ftruncate(file, offset(ELEMENTS)) &&
	       midway_map(PROT_READ | PROT_WRITE, MAP_SHARED, file);
}

static bool watched(void)
{
	uffd = workload_open_userfaultfd(0);
	return uffd >= 0 && mapped() &&
	       !workload_register_userfaultfd(uffd, place, all(), UFFDIO_REGISTER_MODE_MISSING);
}

static bool written(void)
{
	if (!of_memfd() || pwrite(file, buffer, all(), 0) != (ssize_t)all())
		return false;
	memset(buffer, 0, all());
	return true;
}

static bool piped(void)
{
	return !pipe2(ends, O_CLOEXEC | O_NONBLOCK) &&
	       fcntl(ends[1], F_SETPIPE_SZ, (int)(SLOTS * page)) > 0 && spliced();
}

/* ---- room for i of the elements ---- */

static bool blocks(int i)
{
	char option[32];

	snprintf(option, sizeof(option), "nr_blocks=%d", ELEMENTS + i);
	return workload_tmpfs_set(root, option);
}

static bool file_limit(int i)
{
	struct rlimit l;

	signal(SIGXFSZ, SIG_IGN);
	if (getrlimit(RLIMIT_FSIZE, &l))
		return false;
	l.rlim_cur = (rlim_t)offset(i);
	return !setrlimit(RLIMIT_FSIZE, &l);
}

static bool may_not_grow(int i)
{
	return !ftruncate(file, offset(i)) && !fcntl(file, F_ADD_SEALS, F_SEAL_GROW);
}

static bool no_buffer(int i)
{
	return !mprotect(buffer + offset(i), page, PROT_NONE);
}

static bool slots(int i)
{
	for (filled = 0; filled < SLOTS - i; filled++)
		if (write(ends[1], workload_buffer, page) != (ssize_t)page)
			return false;
	return true;
}

/* ---- calls ---- */

static long in_pages(ssize_t bytes)
{
	return bytes < 0 ? -1 : bytes % (ssize_t)page ? -2 : bytes / (ssize_t)page;
}

static long write_all(void)
{
	return in_pages(pwrite(file, buffer, all(), 0));
}

static long write_parts(void)
{
	return in_pages(pwritev(file, vector, ELEMENTS, 0));
}

static long append(void)
{
	return fcntl(file, F_SETFL, O_APPEND) ? -1 : in_pages(write(file, buffer, all()));
}

static long read_all(void)
{
	return in_pages(pread(file, buffer, all(), 0));
}

static long allocate(void)
{
	return fallocate(file, 0, 0, offset(ELEMENTS));
}

static long allocate_beyond_end(void)
{
	return fallocate(file, FALLOC_FL_KEEP_SIZE, 0, offset(ELEMENTS));
}

static long grow(void)
{
	return ftruncate(file, offset(ELEMENTS));
}

static long copy_range(void)
{
	return in_pages(copy_file_range(from, NULL, file, NULL, all(), 0));
}

static long send(void)
{
	return in_pages(sendfile(file, from, NULL, all()));
}

static long splice_in(void)
{
	return in_pages(splice(source[0], NULL, file, NULL, all(), SPLICE_F_NONBLOCK));
}

static long populate(void)
{
	return madvise(place, all(), MADV_POPULATE_WRITE);
}

static long fill(void)
{
	struct uffdio_copy copy = { .dst = (uintptr_t)place,
				    .src = (uintptr_t)buffer,
				    .len = all() };

	if (!ioctl(uffd, UFFDIO_COPY, &copy))
		return in_pages(copy.copy);
	return errno == EAGAIN ? in_pages(copy.copy) : -1;
}

static long into_pipe(void)
{
	return in_pages(vmsplice(ends[1], vector, ELEMENTS, SPLICE_F_NONBLOCK));
}

static long write_pipe(void)
{
	return in_pages(write(ends[1], buffer, all()));
}

static long splice_out(void)
{
	return in_pages(splice(from, NULL, ends[1], NULL, all(), SPLICE_F_NONBLOCK));
}

static long tee_pipe(void)
{
	return in_pages(tee(source[0], ends[1], all(), SPLICE_F_NONBLOCK));
}

static long move_pipe(void)
{
	return in_pages(splice(source[0], NULL, ends[1], NULL, all(), SPLICE_F_NONBLOCK));
}

/* ---- effects ---- */

static bool is_written(int i)
{
	char byte = 0;

	return pread(file, &byte, 1, offset(i)) == 1 && byte == (char)(i + 1);
}

/* The file has this many pages. */
static bool is_allocated(int i)
{
	struct stat s;

	return !fstat(file, &s) && s.st_blocks > (blkcnt_t)(offset(i) / 512);
}

static bool is_in_size(int i)
{
	struct stat s;

	return !fstat(file, &s) && s.st_size > offset(i);
}

/* The page was taken out of the pipe, which still has the others. */
static bool is_taken(int i)
{
	int bytes = 0;

	return !ioctl(source[0], FIONREAD, &bytes) && bytes <= (int)offset(ELEMENTS - 1 - i);
}

static bool is_read(int i)
{
	char *p = buffer + offset(i);

	return !mprotect(p, page, PROT_READ) && *p == (char)(i + 1);
}

/* Asked in order, it reads the pipe. */
static bool is_in_pipe(int i)
{
	for (; filled > 0; filled--)
		if (read(ends[0], workload_buffer, page) != (ssize_t)page)
			return false;
	return read(ends[0], workload_buffer, page) == (ssize_t)page &&
	       workload_buffer[0] == (char)(i + 1);
}

/* clang-format off */
static const struct midway rows[] = {
	{ ROW("write, full tmpfs", of_tmpfs, blocks, write_all, is_written), LAW(COUNTS, ENOSPC), COUNTED },
	{ ROW("write, full tmpfs: size", of_tmpfs, blocks, write_all, is_in_size), LAW(COUNTS, ENOSPC), COUNTED },
	{ ROW("write, full tmpfs: blocks", of_tmpfs, blocks, write_all, is_allocated), LAW(COUNTS, ENOSPC), COUNTED },
	{ ROW("pwritev, full tmpfs", of_tmpfs, blocks, write_parts, is_written), LAW(COUNTS, ENOSPC), COUNTED },
	{ ROW("append, full tmpfs", of_tmpfs, blocks, append, is_written), LAW(COUNTS, ENOSPC), COUNTED },
	{ ROW("fallocate, full tmpfs", of_tmpfs, blocks, allocate, is_allocated), LAW(REFUSES, ENOSPC) },
	{ ROW("fallocate, full tmpfs: size", of_tmpfs, blocks, allocate, is_in_size), LAW(REFUSES, ENOSPC) },
	{ ROW("fallocate beyond the end, full tmpfs", of_tmpfs, blocks, allocate_beyond_end, is_allocated), LAW(REFUSES, ENOSPC) },
	{ ROW("copy_file_range, full tmpfs", of_tmpfs, blocks, copy_range, is_written), LAW(COUNTS, ENOSPC), COUNTED },
	{ ROW("sendfile, full tmpfs", of_tmpfs, blocks, send, is_written), LAW(COUNTS, ENOSPC), COUNTED },
	{ ROW("splice, full tmpfs", spliced, blocks, splice_in, is_written), LAW(COUNTS, ENOSPC), COUNTED },
	{ ROW("splice, full tmpfs: pipe", spliced, blocks, splice_in, is_taken), LAW(COUNTS, ENOSPC), COUNTED },
	{ ROW("MADV_POPULATE_WRITE, full tmpfs", mapped, blocks, populate, midway_present), LAW(STOPS, EFAULT) },
	{ ROW("MADV_POPULATE_WRITE, full tmpfs: blocks", mapped, blocks, populate, is_allocated), LAW(STOPS, EFAULT) },
	{ ROW("UFFDIO_COPY, full tmpfs", watched, blocks, fill, is_written), LAW(COUNTS, ENOMEM), COUNTED },
	{ ROW("UFFDIO_COPY, full tmpfs: blocks", watched, blocks, fill, is_allocated), LAW(COUNTS, ENOMEM), COUNTED },

	{ ROW("write, RLIMIT_FSIZE", of_memfd, file_limit, write_all, is_written), LAW(COUNTS, EFBIG), COUNTED },
	{ ROW("append, RLIMIT_FSIZE", of_memfd, file_limit, append, is_written), LAW(COUNTS, EFBIG), COUNTED },
	{ ROW("copy_file_range, RLIMIT_FSIZE", of_tmpfs, file_limit, copy_range, is_written), LAW(COUNTS, EFBIG), COUNTED },
	{ ROW("sendfile, RLIMIT_FSIZE", of_tmpfs, file_limit, send, is_written), LAW(COUNTS, EFBIG), COUNTED },
	{ ROW("splice, RLIMIT_FSIZE", spliced, file_limit, splice_in, is_written), LAW(COUNTS, EFBIG), COUNTED },
	{ ROW("fallocate, RLIMIT_FSIZE", of_memfd, file_limit, allocate, is_allocated), LAW(REFUSES, EFBIG) },
	{ ROW("ftruncate, RLIMIT_FSIZE", of_memfd, file_limit, grow, is_in_size), LAW(REFUSES, EFBIG) },

	{ ROW("write, sealed", of_memfd, may_not_grow, write_all, is_written),
	  DIFFERS("midway.write_sealed", { COUNTS, EPERM, "fills it" }, { REFUSES, EPERM, "is refused" }), COUNTED },
	{ ROW("fallocate, sealed", of_memfd, may_not_grow, allocate, is_in_size), LAW(STOPS, EPERM) },
	{ ROW("ftruncate, sealed", of_memfd, may_not_grow, grow, is_in_size), LAW(STOPS, EPERM) },

	{ ROW("write, no buffer", of_memfd, no_buffer, write_all, is_written), LAW(COUNTS, EFAULT), COUNTED },
	{ ROW("write, no buffer: size", of_memfd, no_buffer, write_all, is_in_size), LAW(COUNTS, EFAULT), COUNTED },
	{ ROW("pwritev, no buffer", of_memfd, no_buffer, write_parts, is_written), LAW(COUNTS, EFAULT), COUNTED },
	{ ROW("read, no buffer", written, no_buffer, read_all, is_read), LAW(COUNTS, EFAULT), COUNTED },

	{ ROW("vmsplice, full pipe", piped, slots, into_pipe, is_in_pipe), LAW(COUNTS, EAGAIN), COUNTED },
	{ ROW("write, full pipe", piped, slots, write_pipe, is_in_pipe), LAW(COUNTS, EAGAIN), COUNTED },
	{ ROW("splice from a file, full pipe", piped, slots, splice_out, is_in_pipe), LAW(COUNTS, EAGAIN), COUNTED },
	{ ROW("splice from a pipe, full pipe", piped, slots, move_pipe, is_in_pipe), LAW(COUNTS, EAGAIN), COUNTED },
	{ ROW("splice from a pipe, full pipe: rest", piped, slots, move_pipe, is_taken), LAW(COUNTS, EAGAIN), COUNTED },
	{ ROW("tee, full pipe", piped, slots, tee_pipe, is_in_pipe), LAW(COUNTS, EAGAIN), COUNTED },
};
/* clang-format on */

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static void ask(struct workload *w)
{
	midway_report(w, rows, ROWS);
}

static void judge(const struct trial *t, struct judgement *j)
{
	midway_judge(t, j, FILES, rows, ROWS);
}

CASE(shmem_midway) {
	.claim =
		"write(2), sendfile(2), splice(2), copy_file_range(2) and UFFDIO_COPY that meet a full tmpfs, RLIMIT_FSIZE or a bad buffer midway return how much they have done, and the size and blocks of the file are those; fallocate(2) and ftruncate(2) are refused as a whole. Into a pipe goes what it has room for, and the rest stays",
	.because =
		"generic_perform_write() and splice_from_pipe() return the bytes written before an error, if there are any. shmem_fallocate() frees what it has allocated when a page is refused (shmem_undo_range()).",
	.said_by = SAID_BY("write(2)", "fallocate(2)", "splice(2)"),
	.needs = NEEDS("root"),
	.limit_s = 120,
	.steps = STEPS(STEP_AS(FILES, "each call, each place", ask, .checks = 1)),
	.facts = FACTS(FACT("midway.write_sealed",
			    "A write(2) across the end of a memfd with F_SEAL_GROW",
			    "fills it|is refused")),
	.judge = judge,
};
