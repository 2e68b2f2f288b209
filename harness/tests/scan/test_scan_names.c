// SPDX-License-Identifier: MIT
/*
 * Names in the output of scan: unchanged for programs, and for a terminal without characters that
 * move its cursor.
 */
#include "scan/process/names.h"
#include "tests/support/test.h"
#include <fcntl.h>
#include <jansson.h>
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
static void scan_self(const char *options, char *out, size_t size, char *path)
{
	char folder[] = "/tmp/rssck-names.XXXXXX";
	char *p;
	int fd;

	assert_non_null(mkdtemp(folder));
	sprintf(path, "%s/%s", folder, odd);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, PAGE), 0);
	p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(p, MAP_FAILED);
	*p = 1;
	prctl(PR_SET_NAME, odd_comm, 0, 0, 0);
	shell(out, size, "%s scan %s %d", program(), options, getpid());
	munmap(p, PAGE);
	close(fd);
	unlink(path);
	rmdir(folder);
}

static const char *file_of(const json_t *process, const char *path)
{
	size_t i;
	json_t *map;

	json_array_foreach(json_object_get(process, "mappings"), i, map)
	{
		const char *name = json_string_value(json_object_get(map, "file"));

		if (name && !strcmp(name, path))
			return name;
	}
	return NULL;
}

TEST(json_names_are_unchanged_and_escaped)
{
	static char out[1 << 20];
	char path[256], comm[16];
	json_t *root, *process;

	scan_self("--maps --json", out, sizeof(out), path);
	for (const char *c = out; *c; c++)
		assert_true((*c >= ' ' && *c < 0x7f) || *c == '\n');
	root = json_loads(out, 0, NULL);
	assert_non_null(root);
	process = json_array_get(json_object_get(root, "processes"), 0);
	if (!file_of(process, path))
		fail_msg("no map of '%s' in\n%s", path, out);
	prctl(PR_GET_NAME, comm, 0, 0, 0);
	assert_string_equal(json_string_value(json_object_get(process, "program")), comm);
	json_decref(root);
}

TEST(a_name_cannot_move_the_cursor)
{
	static char out[1 << 20];
	char path[256];

	scan_self("--maps", out, sizeof(out), path);
	assert_says(out, "new line \\012  [31m ");
	assert_says_not(out, "\x1b");
	assert_says_not(out, "new\nline");
	assert_says_not(out, "\xe2\x80\xae");
}
