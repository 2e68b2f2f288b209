// SPDX-License-Identifier: MIT
/*
 * Writes text as HTML. Every text that is not our own markup is written here, so that no name,
 * reason or fact of a results file can become markup.
 */
#include "base/print/words.h"
#include "private.h"
#include <stdarg.h>
#include <string.h>

/* Writes the value of the conversion after a '%'. Returns a pointer past the conversion. */
static const char *put_one(FILE *out, const char *format, va_list *args)
{
	switch (*format) {
	case 's':
		xml_put(va_arg(*args, const char *), out);
		return format + 1;
	case 'u':
		fprintf(out, "%u", va_arg(*args, unsigned));
		return format + 1;
	case 'd':
		fprintf(out, "%d", va_arg(*args, int));
		return format + 1;
	case 'z': /* %zu */
		fprintf(out, "%zu", va_arg(*args, size_t));
		return format + 2;
	case 'l': /* %lld */
		fprintf(out, "%lld", va_arg(*args, long long));
		return format + 3;
	case '%':
		putc('%', out);
		return format + 1;
	default: /* copied unchanged */
		putc('%', out);
		return format;
	}
}

void html_put(FILE *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	while (*format) {
		if (*format == '%')
			format = put_one(out, format + 1, &args);
		else
			putc(*format++, out);
	}
	va_end(args);
}

void html_anchor(const char *prefix, const char *name, FILE *out)
{
	fputs(prefix, out);
	for (; *name; name++) {
		bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
			     (*name >= '0' && *name <= '9') || strchr("._/-", *name);

		putc(plain ? *name : '_', out);
	}
}

/*
 * Length of a commit's abbreviated hash at the beginning of s: twelve hexadecimal digits, with at
 * least one letter and one decimal digit; 0: there is none.
 */
static size_t hash_length(const char *s)
{
	size_t len = strspn(s, "0123456789abcdef"), digits = 0;

	for (size_t i = 0; i < len; i++)
		digits += s[i] <= '9';
	return len == 12 && digits && digits < len ? len : 0;
}

void html_prose(const char *text, FILE *out)
{
	bool at_word = true;

	while (*text) {
		size_t hash = at_word ? hash_length(text) : 0;
		char part[16] = "";

		if (hash) {
			snprintf(part, sizeof(part), "%.*s", (int)hash, text);
			html_put(out, "<a href=\"https://git.kernel.org/linus/%s\">%s</a>", part,
				 part);
			text += hash;
			at_word = false;
			continue;
		}

		/* A character may have several bytes, so utf8_next() finds its end. */
		const char *next = text;

		utf8_next(&next);
		snprintf(part, sizeof(part), "%.*s", (int)(next - text), text);
		xml_put(part, out);
		at_word = *text == ' ' || *text == '(' || *text == '\'';
		text = next;
	}
}

void html_case_link(const char *id, FILE *out)
{
	fputs("<a href=\"#", out);
	html_anchor("c-", id, out);
	fputs("\">", out);
	html_put(out, "%s", id);
	fputs("</a>", out);
}

void html_metric_link(enum metric_id id, FILE *out)
{
	fputs("<a href=\"#", out);
	html_anchor("metric-", metric(id)->name, out);
	html_put(out, "\"><code>%s</code></a>", metric(id)->name);
}

void html_kernels(const struct html *h, const bool *set)
{
	char words[640];

	html_put(h->out, "%s", kernels_words(&h->kernels, set, words, sizeof(words)));
}

void html_by_kernel(const struct html *h, cell_fn *cell, const void *row)
{
	unsigned nr = row_values(&h->kernels, cell, row, h->values);

	for (unsigned value = 1; value <= nr; value++) {
		char buf[CELL_SIZE];
		const char *said = NULL;

		for (size_t i = 0; i < h->kernels.nr; i++) {
			h->set[i] = h->values[i] == value;
			if (h->set[i] && !said)
				said = cell(&h->kernels.of[i], row, buf, sizeof(buf));
		}
		html_put(h->out, "%s<b>", value > 1 ? "; " : "");
		html_put(h->out, "%s</b> on ", said);
		html_kernels(h, h->set);
	}
	if (!nr)
		fputs("unknown: the case did not run", h->out);
}

const char *html_newest(const struct html *h, char *buf, size_t size)
{
	buf[0] = '\0';
	return h->kernels.nr ? kernel_name(&h->kernels, h->kernels.nr - 1, buf, size) : buf;
}
