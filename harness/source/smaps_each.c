// SPDX-License-Identifier: MIT
/*
 * Reads smaps in pieces. For a process with many mappings, the whole text and its parsed form would
 * take tens of MiB, whose page faults cost more time than the reading.
 */
#include <errno.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A piece has room for the block of any mapping: its fields, and a path of PATH_MAX bytes with each
 * byte escaped.
 */
enum { PIECE = 256 * 1024 };

/* Returns the offset of the last block. Only the first line of a block begins with an address. */
static size_t last_block(const char *text, size_t len)
{
	for (size_t i = len; i-- > 1;)
		if (text[i - 1] == '\n' && !(text[i] >= 'A' && text[i] <= 'Z'))
			return i;
	return 0;
}

static int hand_out(const char *text, size_t len, mapping_fn *each, void *arg,
		    struct source_error *e)
{
	struct snapshot s = { .nr_maps = 0 };
	int failed = smaps_read(text, len, &s, e);

	for (size_t i = 0; i < s.nr_maps && !failed; i++) {
		failed = each(&s.maps[i], arg);
		if (failed)
			snprintf(e->text, sizeof(e->text), "has more mappings than fit in memory");
	}
	snapshot_free(&s);
	return failed ? -1 : 0;
}

static ssize_t read_on(int fd, char *to, size_t room)
{
	ssize_t n;

	do
		n = read(fd, to, room);
	while (n < 0 && errno == EINTR);
	return n;
}

static int pieces(int fd, char *text, mapping_fn *each, void *arg, struct source_error *e)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t len = 0, end;
	ssize_t n;

	while ((n = read_on(fd, text + len, PIECE - 1 - len)) > 0) {
		len += (size_t)n;
		/* A read usually returns at most a page, the buffer of seq_read_iter(). */
		if (PIECE - 1 - len > page)
			continue;
		end = last_block(text, len);
		if (hand_out(text, end, each, arg, e))
			return -1;
		memmove(text, text + end, len - end);
		len -= end;
	}
	if (n < 0) {
		e->number = errno;
		snprintf(e->text, sizeof(e->text), "cannot be read: %s", strerror(errno));
		return -1;
	}
	return hand_out(text, len, each, arg, e);
}

int smaps_each(int fd, mapping_fn *each, void *arg, struct source_error *e)
{
	char *text = malloc(PIECE);
	int failed;

	*e = (struct source_error) { .source = SOURCE_SMAPS };
	if (!text) {
		e->number = ENOMEM;
		snprintf(e->text, sizeof(e->text), "is too large for memory");
		return -1;
	}
	failed = pieces(fd, text, each, arg, e);
	free(text);
	return failed;
}
