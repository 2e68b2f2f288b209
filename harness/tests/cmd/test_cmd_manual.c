// SPDX-License-Identifier: MIT
/*
 * The manual pages: each option of --help is in the page of its command, and roff accepts all
 * pages.
 */
#include "cmd/commands.h"
#include "tests/support/test.h"
#include <ctype.h>
#include <stdbool.h>

/* Counts all commands except help, which is the last. */
static size_t nr_commands(void)
{
	size_t nr = 0;

	while (commands[nr + 1])
		nr++;
	return nr;
}

static char *page;

#define PAGE "awk -v rssck=%s -v command=%s -f harness/cmd/manual.awk harness/cmd/rssck.1"

static void make_page(const char *command)
{
	free(page);
	page = strdup(shell_said(0, PAGE, program(), command));
}

/* Looks for an option in roff's spelling, where each '-' is "\-". */
static bool has_option(const char *option, size_t length)
{
	char written[128];
	size_t n = 0;

	for (size_t i = 0; i < length; i++) {
		if (option[i] == '-')
			written[n++] = '\\';
		written[n++] = option[i];
	}
	written[n] = '\0';
	for (const char *at = page; (at = strstr(at, written)); at += n)
		if (!isalpha((unsigned char)at[n]) && strncmp(at + n, "\\-", 2))
			return true;
	return false;
}

/*
 * Only options at the beginning of a line are checked, because descriptions may name other options.
 */
static void assert_options_of_help(const char *command)
{
	char *rest = NULL, *out = rssck_said(0, "help %s", command);

	for (char *line = strtok_r(out, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		const char *at = line;

		while (strncmp(at, "  --", 4) == 0 || strncmp(at, ", --", 4) == 0) {
			size_t length = strspn(at + 2, "-abcdefghijklmnopqrstuvwxyz");

			if (!has_option(at + 2, length) && strncmp(at + 2, "--help", 6))
				fail_msg("rssck-%s(1) does not mention %.*s", command, (int)length,
					 at + 2);
			at += 2 + length;
			at += strcspn(at, ", ");
		}
	}
}

TEST(each_option_of_help_is_in_the_manual_page)
{
	for (size_t i = 0; i < nr_commands(); i++) {
		make_page(commands[i]->name);
		assert_options_of_help(commands[i]->name);
	}
}

TEST(each_command_has_a_page_with_its_parts)
{
	for (size_t i = 0; i < nr_commands(); i++) {
		char synopsis[64];

		make_page(commands[i]->name);
		snprintf(synopsis, sizeof(synopsis), ".SH SYNOPSIS\n.B rssck %s\n",
			 commands[i]->name);
		assert_says(page, synopsis);
		assert_says(page, "\n.SH DESCRIPTION\n");
		assert_says(page, "\n.SH SEE ALSO\n");
		assert_says_not(page, "\n.SS ");
	}
}

TEST(help_lists_exactly_the_commands)
{
	const char *out = shell_said(0, "%s --help | grep -c '^  [a-z][a-z]*  '", program());

	/* The list includes help, which nr_commands() does not count. */
	assert_int_equal(atoi(out), nr_commands() + 1);
}

static void assert_roff_takes(const char *command)
{
	assert_string_equal(shell_said(0, "%s | groff -man -Tutf8 -ww 2>&1 >/dev/null", command),
			    "");
}

TEST(help_fits_80_columns)
{
	for (size_t i = 0; i <= nr_commands(); i++) {
		const char *command = i < nr_commands() ? commands[i]->name : "";

		assert_string_equal(
			shell_said(1, "%s help %s | grep -cE '.{81}'", program(), command), "0\n");
	}
}

/* Without a name before it, -m is taken for an option of rssck. */
TEST(options_after_a_name_belong_to_the_name)
{
	assert_rssck(0, "\"free -m\"", "explain free -m --json --no-model");
	assert_rssck(2, NULL, "explain -m 2>&1");
}

TEST(roff_accepts_each_page_without_a_warning)
{
	char command[256];

	if (!is_installed("groff"))
		skip();
	for (size_t i = 0; i <= nr_commands(); i++) {
		snprintf(command, sizeof(command), PAGE, program(),
			 i < nr_commands() ? commands[i]->name : "");
		assert_roff_takes(command);
	}
	snprintf(command, sizeof(command), "%s explain --manual", program());
	assert_roff_takes(command);
}
