// SPDX-License-Identifier: MIT
/*
 * Helpers for the tests of the readers: recorded files, and texts in memory without a byte beyond
 * their end, so that a sanitizer notices a read beyond it.
 */
#ifndef RSSCK_TEST_RECORDED_H
#define RSSCK_TEST_RECORDED_H

#include "tests/support/test.h"
#include <rssck/source.h>

struct bytes {
	char *data;
	size_t len;
};

/* The kernels whose files were recorded. The formats changed between them. */
static const char *const recorded_kernels[] = { "5.10", "6.1", "6.12", "6.18", "7.3" };

enum { RECORDED_KERNELS = sizeof(recorded_kernels) / sizeof(recorded_kernels[0]) };

static inline struct bytes bytes_of(const char *data, size_t len)
{
	/* malloc(0) may return NULL; an additional byte would hide an overrun. */
	struct bytes b = { malloc(len ? len : 1), len };

	assert_non_null(b.data);
	memcpy(b.data, data, len);
	return b;
}

static inline void bytes_free(struct bytes *b)
{
	free(b->data);
}

/*
 * Calls reader(data, len, further arguments), such as maps_read(), on a heap copy of the text. Its
 * value is the result of the reader.
 */
#define READ_TEXT(reader, text, size, ...)                                    \
	({                                                                    \
		struct bytes read_text = bytes_of(text, size);                \
		int got = reader(read_text.data, read_text.len, __VA_ARGS__); \
		free(read_text.data);                                         \
		got;                                                          \
	})

/* A text that cannot be read, and words of the error. */
struct wrong {
	const char *text, *complaint;
};

static inline struct bytes recorded(const char *kernel, const char *file)
{
	struct text t = { .data = NULL };
	struct bytes b;
	char path[128];

	snprintf(path, sizeof(path), "harness/tests/recorded/%s/%s", kernel, file);
	if (text_read(&t, 0, path))
		fail_msg("%s cannot be read: run the tests from the top of the tree", path);
	b = bytes_of(t.data, t.len);
	text_free(&t);
	return b;
}

/* Returns a copy in which the first `from` is replaced by `to`. */
static inline struct bytes replaced(struct bytes b, const char *from, const char *to)
{
	const char *at = memmem(b.data, b.len, from, strlen(from));
	struct bytes r = { NULL, b.len - strlen(from) + strlen(to) };
	size_t before;

	assert_non_null(at);
	before = (size_t)(at - b.data);
	r.data = malloc(r.len ? r.len : 1);
	assert_non_null(r.data);
	memcpy(r.data, b.data, before);
	memcpy(r.data + before, to, strlen(to));
	memcpy(r.data + before + strlen(to), at + strlen(from), b.len - before - strlen(from));
	free(b.data);
	return r;
}

static inline void assert_value(const struct values *v, enum metric_id id, int64_t expected)
{
	if (!v->have[id])
		fail_msg("%s is absent, expected %lld", metric(id)->name, (long long)expected);
	if (v->of[id] != expected)
		fail_msg("%s is %lld, expected %lld", metric(id)->name, (long long)v->of[id],
			 (long long)expected);
}

/* Checks that a recorded file has each field of the table, from `first` to `last`. */
static inline void assert_all_printed(const struct values *v, enum metric_id first,
				      enum metric_id last, const char *kernel, const char *file)
{
	for (unsigned id = first; id <= last; id++)
		if (!v->have[id])
			fail_msg("%s is in include/rssck/metrics.def and not in "
				 "harness/tests/recorded/%s/%s: add the line there as that kernel "
				 "prints it, or correct .key of the row",
				 metric(id)->name, kernel, file);
}

static inline void assert_all_absent(const struct values *v, enum source source)
{
	for (unsigned id = 0; id < METRIC_COUNT; id++)
		if (metric(id)->source == source && v->have[id])
			fail_msg("%s is %lld, expected it absent", metric(id)->name,
				 (long long)v->of[id]);
}

/* Checks the source of the error, and that its text contains these words. */
static inline void assert_complaint(const struct source_error *e, enum source source,
				    const char *words)
{
	assert_int_equal(e->source, source);
	if (!strstr(e->text, words))
		fail_msg("the error is \"%s\", expected it to say \"%s\"", e->text, words);
}

typedef int values_reader(const char *data, size_t len, struct values *v, struct source_error *e);

/* A file of one line must be whole. Another file may be cut only between two lines. */
static inline void assert_cuts_refused(values_reader *read, const char *kernel, const char *file,
				       bool one_line)
{
	OWNED(bytes_free) struct bytes whole = recorded(kernel, file);

	for (size_t len = 0; len <= whole.len; len++) {
		OWNED(bytes_free) struct bytes cut = bytes_of(whole.data, len);
		bool line_ends = len && whole.data[len - 1] == '\n';
		bool complete = one_line ? len == whole.len : line_ends;
		struct values v = { .have = { false } };
		struct source_error e;

		assert_int_equal(read(cut.data, cut.len, &v, &e), complete ? 0 : -1);
	}
}

#endif
