// SPDX-License-Identifier: MIT
/* A guest's output reaches the terminal as text, whatever it contains and however it is divided. */
#include "tests/support/test.h"
#include "vm/host/clean.h"

static void assert_cleaned(const char *text, size_t length, size_t piece, bool colour,
			   const char *expected)
{
	struct clean c = { .colour = colour };
	char to[512] = "";
	size_t used = 0;

	for (size_t at = 0; at < length; at += piece)
		used += clean_text(&c, text + at, length - at < piece ? length - at : piece,
				   to + used);
	to[used] = '\0';
	assert_string_equal(to, expected);
}

static void assert_clean(const char *text, bool colour, const char *expected)
{
	for (size_t piece = 1; piece < 8; piece++)
		assert_cleaned(text, strlen(text), piece, colour, expected);
	assert_cleaned(text, strlen(text), strlen(text), colour, expected);
}

TEST(plain_text_is_unchanged)
{
	assert_clean("ok 1\tfork/cow \xc2\xa7 \xe2\x80\x93 \xf0\x9f\x90\xa7\n", false,
		     "ok 1\tfork/cow \xc2\xa7 \xe2\x80\x93 \xf0\x9f\x90\xa7\n");
}

TEST(colour_passes_only_if_it_is_wanted)
{
	assert_clean("\033[1;31mfail\033[m x\n", true, "\033[1;31mfail\033[m x\n");
	assert_clean("\033[1;31mfail\033[m x\n", false, "fail x\n");
}

TEST(no_other_escape_sequence_passes)
{
	assert_clean("\033[2J\033[H.", true, "?[2J?[H.");
	assert_clean("\033]0;title\007.", true, "?]0;title?.");
	assert_clean("\033P1$r\033\\.", true, "?P1$r?\\.");
	assert_clean("\033\033[31m.", false, "?.");
	assert_clean("\033[1;2;3;4;5;6;7;8;9m.", true, "?[1;2;3;4;5;6;7;8;9m.");
	assert_clean("a\rb\bc\177d\007", true, "a?b?c?d?");
}

TEST(invalid_bytes_are_replaced)
{
	/*
	 * CSI as one byte, CSI as UTF-8, an overlong sequence, a truncated sequence, a reversed
	 * direction of writing
	 */
	assert_clean("\x9b"
		     "2J.",
		     true, "?2J.");
	assert_clean("\xc2\x9b"
		     "2J.",
		     true, "??2J.");
	assert_clean("\xc0\x9b.", true, "??.");
	assert_clean("\xe2\x80.", true, "??.");
	assert_clean("\xe2\x80\xae.", true, "???.");
	assert_cleaned("a\0b", 3, 1, true, "a?b");
}

TEST(random_bytes_give_harmless_text)
{
	struct clean c = { .colour = false };
	char noise[256], to[256 + CLEAN_PENDING_MAX];

	srandom(1);
	for (int round = 0; round < 4096; round++) {
		size_t length;

		for (size_t i = 0; i < sizeof(noise); i++)
			noise[i] = (char)(random() % 3 ? "\033[;0m\x9b\xc2\xe2\x80\n"[random() % 10]
						       : random());
		length = clean_text(&c, noise, sizeof(noise), to);
		assert_true(length <= sizeof(to));
		for (size_t i = 0; i < length; i++)
			assert_true((unsigned char)to[i] >= ' ' || to[i] == '\n' || to[i] == '\t');
		assert_null(memchr(to, 0x7f, length));
	}
}

TEST(console_text_is_reduced_to_ASCII)
{
	char text[] = "[ 1.0] \033[31m\xc2\x9b"
		      "2J\tx\r\n";

	clean_ascii(text, strlen(text));
	assert_string_equal(text, "[ 1.0] ?[31m??2J\tx\r\n");
}
