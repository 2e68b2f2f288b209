// SPDX-License-Identifier: MIT
/* Which lines of the kernel log speak of broken books, on records as /dev/kmsg gives them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/log.h"
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *const troubles[] = {
	"1,1037,52714213,-;BUG: Bad rss-counter state mm:00000000f7e3b0c5 type:MM_ANONPAGES val:1",
	"1,1038,52714219,-;BUG: Bad rss-counter state mm:ffff8881034d8000 type:MM_FILEPAGES val:-7 "
	"Comm:rssck-workload Pid:1234",
	"1,411,9124,-;BUG: Bad page map in process rssck-workload  pte:800000010d0f7867 "
	"pmd:0a0b0067",
	"1,412,9124,-;BUG: unable to handle page fault for address: ffffc900001c7ff8",
	"3,500,9124,-;BUG: KASAN: slab-use-after-free in zap_pte_range+0x1/0x2",
	"4,611,81,-;WARNING: CPU: 1 PID: 99 at mm/memory.c:1520 zap_pte_range+0x6f1/0x9a0",
	"4,612,81,-;WARNING: possible circular locking dependency detected",
	"1,413,9124,-;BUG: non-zero pgtables_bytes on freeing mm: 4096",
	"1,1037,52714213,c;[   52.714213] BUG: Bad rss-counter state mm:0 type:MM_SWAPENTS val:1",
};

static const char *const harmless[] = {
	"6,339,1853421,-;EXT4-fs (vda1): mounted filesystem with ordered data mode",
	"5,1,0,-;Linux version 6.12.43+deb13-amd64 (debian-kernel@lists.debian.org)",
	"4,90,120,-;[Firmware Bug]: TSC doesn't count with P0 frequency!",
	"6,800,99,-;usb 1-1: DEBUG: state 3",
	"7,801,99,-;e1000DEBUG: link up",
	"3,802,99,-;Out of memory: Killed process 99 (stress) total-vm:1kB, anon-rss:1kB",
	"6,803,99,-;process 'rssck-workload' launched '/bin/false' with NULL argv",
	/* Programs may write there, too; the kernel never gives its own lines a facility. */
	"12,804,99,-;systemd[1]: WARNING: made-up.service: Unit has no description",
	"30,805,99,-;cloud-init[400]: BUG: this is what a program says",
	"12,806,99,-;somebody: Bad rss-counter state, he wrote",
	"",
	";",
	"4,90,120",
};

static void test_lines_about_broken_books_are_trouble(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(troubles) / sizeof(*troubles); i++)
		if (!log_is_trouble(troubles[i]))
			fail_msg("passed over: %s", troubles[i]);
}

static void test_lines_of_others_are_not(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++)
		if (log_is_trouble(harmless[i]))
			fail_msg("taken for trouble: %s", harmless[i]);
}

/* A log that hands out one record a read, as /dev/kmsg does. */
struct log {
	int write_to, read_from;
};

static struct log log_made(void)
{
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair), 0);
	return (struct log) { pair[0], pair[1] };
}

static void say(const struct log *l, const char *record)
{
	assert_int_equal(write(l->write_to, record, strlen(record)), (long)strlen(record));
}

static void log_close(const struct log *l)
{
	close(l->write_to);
	close(l->read_from);
}

static void test_the_first_line_of_trouble_is_told_without_its_prefix(void **state)
{
	struct log l = log_made();
	char line[200];

	(void)state;
	say(&l, harmless[0]);
	say(&l, "1,7,9,-;BUG: Bad rss-counter state mm:1 type:MM_ANONPAGES val:1\n SUBSYSTEM=x\n");
	say(&l, "4,8,9,-;WARNING: CPU: 0 PID: 1 at mm/x.c:1\n");
	say(&l, harmless[1]);
	assert_true(log_find_trouble(l.read_from, line, sizeof(line)));
	assert_string_equal(line, "BUG: Bad rss-counter state mm:1 type:MM_ANONPAGES val:1");
	log_close(&l);
}

/* What was told once is not told of the next case. */
static void test_a_line_is_told_once(void **state)
{
	struct log l = log_made();
	char line[200];

	(void)state;
	say(&l, troubles[0]);
	say(&l, troubles[5]);
	assert_true(log_find_trouble(l.read_from, line, sizeof(line)));
	assert_false(log_find_trouble(l.read_from, line, sizeof(line)));
	say(&l, harmless[2]);
	assert_false(log_find_trouble(l.read_from, line, sizeof(line)));
	log_close(&l);
}

static void test_a_long_line_is_cut_to_the_room_there_is(void **state)
{
	struct log l = log_made();
	char line[12];

	(void)state;
	say(&l, troubles[0]);
	assert_true(log_find_trouble(l.read_from, line, sizeof(line)));
	assert_string_equal(line, "BUG: Bad rs");
	log_close(&l);
}

static void test_a_log_that_cannot_be_read_holds_no_trouble(void **state)
{
	char line[200];
	int directory = open("/", O_RDONLY | O_DIRECTORY);

	(void)state;
	assert_false(log_find_trouble(-1, line, sizeof(line)));
	assert_false(log_find_trouble(directory, line, sizeof(line)));
	close(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_about_broken_books_are_trouble),
		cmocka_unit_test(test_lines_of_others_are_not),
		cmocka_unit_test(test_the_first_line_of_trouble_is_told_without_its_prefix),
		cmocka_unit_test(test_a_line_is_told_once),
		cmocka_unit_test(test_a_long_line_is_cut_to_the_room_there_is),
		cmocka_unit_test(test_a_log_that_cannot_be_read_holds_no_trouble),
	};

	return cmocka_run_group_tests_name("engine: the kernel log", tests, NULL, NULL);
}
