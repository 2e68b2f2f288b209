// SPDX-License-Identifier: MIT
/*
 * Names in the output of scan: unchanged for programs, and for a terminal without characters that
 * move its cursor.
 */
#include "scan/process/names.h"
#include "tests/support/files.h"
#include "tests/support/json.h"
#include "tests/support/test.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

enum { PAGE = 4096 };

/*
 * A newline; the four characters that maps writes for a newline; a blank; ESC; a character that
 * reverses the direction of writing; characters that JSON escapes.
 */
static const char odd[] = "new\nline \\012 \x1b[31m \xe2\x80\xae \"\\n\"";
static const char odd_comm[] = "a\nb\\n\x1b\xe2\x80\xae";

static void assert_status_name(const char *written, const char *is)
{
	char name[64];

	snprintf(name, sizeof(name), "%s", written);
	name_of_status(name);
	assert_string_equal(name, is);
}

TEST(the_escapes_of_status_are_decoded)
{
	assert_status_name("cat", "cat");
	assert_status_name("a\\nb", "a\nb");
	assert_status_name("a\\\\nb", "a\\nb");
	assert_status_name("\\\\\\n", "\\\n");
	assert_status_name("end\\", "end\\");
}

/* If map_files cannot be read, as after the end of the process, \012 is always decoded. */
TEST(an_unresolvable_name_has_its_newlines_decoded)
{
	char name[] = "/tmp/a\\012b\\012", plain[] = "/tmp/a b\\0123";

	name_of_mapping(name, 0, 0, 0);
	assert_string_equal(name, "/tmp/a\nb\n");
	name_of_mapping(plain, 0, 0, 0);
	assert_string_equal(plain, "/tmp/a b\n3");
}

/* Scans this process, which maps a file with the odd name. */
static const char *scan_self(const char *options)
{
	const char *out;
	char *p;
	int fd = open(in_folder("%s", odd), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, PAGE), 0);
	p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(p, MAP_FAILED);
	*p = 1;
	prctl(PR_SET_NAME, odd_comm, 0, 0, 0);
	out = rssck_said(0, "scan %s %d", options, getpid());
	munmap(p, PAGE);
	close(fd);
	return out;
}

static bool has_file(const json_t *process, const char *path)
{
	size_t i;
	json_t *map;

	json_array_foreach(json_object_get(process, "mappings"), i, map)
	{
		if (!strcmp(json_text(map, "file"), path))
			return true;
	}
	return false;
}

TEST(json_names_are_unchanged_and_escaped)
{
	const char *out = scan_self("--maps --json");
	json_auto_t *root = json_read(out);
	char comm[16];

	for (const char *c = out; *c; c++)
		assert_true((*c >= ' ' && *c < 0x7f) || *c == '\n');
	if (!has_file(json_at(root, "processes/0"), in_folder("%s", odd)))
		fail_msg("no map of '%s' in\n%s", odd, out);
	prctl(PR_GET_NAME, comm, 0, 0, 0);
	assert_string_equal(json_text(root, "processes/0/program"), comm);
}

TEST(a_name_cannot_move_the_cursor)
{
	const char *out = scan_self("--maps");

	assert_says(out, "new line \\012  [31m ");
	assert_says_not(out, "\x1b");
	assert_says_not(out, "new\nline");
	assert_says_not(out, "\xe2\x80\xae");
}
