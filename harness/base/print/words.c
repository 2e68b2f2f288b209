// SPDX-License-Identifier: MIT
/* Cleans strings with arbitrary bytes, and formats numbers for people. */
#include "words.h"
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/*
 * Returns how many bytes follow the first byte of a character; 4 if no character begins with that
 * byte.
 */
static unsigned utf8_more(unsigned char first)
{
	if (first < 0x80)
		return 0;
	if ((first & 0xe0) == 0xc0)
		return 1;
	if ((first & 0xf0) == 0xe0)
		return 2;
	return (first & 0xf8) == 0xf0 ? 3 : 4;
}

uint32_t utf8_next(const char **s)
{
	static const uint32_t smallest[] = { 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)*s;
	unsigned more = utf8_more(p[0]);

	if (!p[0])
		return 0;
	*s += 1;
	if (!more)
		return p[0];
	if (more == 4)
		return UTF8_INVALID;

	uint32_t code = p[0] & (0x3fu >> more);

	for (unsigned i = 1; i <= more; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return UTF8_INVALID;
		code = code << 6 | (p[i] & 0x3fu);
	}
	if (code < smallest[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return UTF8_INVALID;
	*s += more;
	return code;
}

void utf8_put(uint32_t code, FILE *out)
{
	if (code < 0x80) {
		putc((int)code, out);
		return;
	}
	if (code < 0x800) {
		putc((int)(0xc0 | code >> 6), out);
	} else {
		if (code < 0x10000) {
			putc((int)(0xe0 | code >> 12), out);
		} else {
			putc((int)(0xf0 | code >> 18), out);
			putc((int)(0x80 | (code >> 12 & 0x3f)), out);
		}
		putc((int)(0x80 | (code >> 6 & 0x3f)), out);
	}
	putc((int)(0x80 | (code & 0x3f)), out);
}

char *utf8_clean(const char *s)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	uint32_t code;

	if (!out)
		return NULL;
	while ((code = utf8_next(&s)))
		utf8_put(code, out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/*
 * True for ASCII controls, U+0080 to U+009F, two line separators, and the characters that change
 * the direction of writing (Unicode's Bidi_Control).
 */
static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
	       code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

void line_put(const char *s, FILE *out)
{
	uint32_t code;

	while ((code = utf8_next(&s)))
		utf8_put(is_control(code) ? ' ' : code, out);
}

/* XML 1.0 forbids the other characters even as an escape. */
static bool is_xml(uint32_t code)
{
	return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code < 0xd800) ||
	       (code >= 0xe000 && code < 0xfffe) || code >= 0x10000;
}

void xml_put(const char *s, FILE *out)
{
	uint32_t code;

	while ((code = utf8_next(&s))) {
		switch (code) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\t':
		case '\n':
		case '\r':
			/*
			 * In an attribute, XML parsers turn these into spaces unless they are
			 * escaped.
			 */
			fprintf(out, "&#%u;", code);
			break;
		default:
			utf8_put(is_xml(code) ? code : UTF8_INVALID, out);
		}
	}
}

const char *number_words(int64_t n, char *buf, size_t size)
{
	char digits[24];
	uint64_t magnitude = n < 0 ? -(uint64_t)n : (uint64_t)n;
	int len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)magnitude);
	size_t at = 0;

	if (n < 0 && size > 1)
		buf[at++] = '-';
	for (int i = 0; i < len && at + 2 < size; i++) {
		if (i && (len - i) % 3 == 0)
			buf[at++] = ',';
		buf[at++] = digits[i];
	}
	buf[at] = '\0';
	return buf;
}

const char *difference_words(int64_t n, char *buf, size_t size)
{
	if (n <= 0)
		return number_words(n, buf, size);
	buf[0] = '+';
	number_words(n, buf + 1, size - 1);
	return buf;
}

int stream_end(FILE *out)
{
	if (fflush(out))
		return -1;
	if (!ferror(out))
		return 0;
	errno = errno ? errno : EIO;
	return -1;
}
