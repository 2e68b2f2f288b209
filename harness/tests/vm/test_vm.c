// SPDX-License-Identifier: MIT
/* The parts of rssck vm that need no machine: messages, diagnosis, acceleration, output. */
#include "base/output.h"
#include "tests/support/child.h"
#include "tests/support/files.h"
#include "vm/frame.h"
#include "vm/host/diagnose.h"
#include "vm/image/libraries.h"
#include <errno.h>
#include <sys/resource.h>

/* ---- messages ---- */

/* Copies what frame_write() writes to `bytes`. Returns its length. */
static size_t written(const char *kind, const char *data, char *bytes, size_t size)
{
	int fd = memfd_create("frame", 0);
	ssize_t length;

	assert_int_equal(frame_write(fd, kind, data, strlen(data)), 0);
	length = pread(fd, bytes, size, 0);
	close(fd);
	return length;
}

TEST(a_message_that_comes_byte_by_byte_is_read_whole)
{
	char bytes[256];
	size_t length = written(FRAME_TEXT, "line\nRSSCK line\n", bytes, sizeof(bytes));
	OWNED(frames_free) struct frames frames = { 0 };
	struct frame frame;

	for (size_t i = 0; i < length; i++) {
		assert_int_equal(frame_next(&frames, &frame), 0);
		assert_int_equal(frames_add(&frames, bytes + i, 1), 0);
	}
	assert_int_equal(frame_next(&frames, &frame), 1);
	assert_string_equal(frame.kind, FRAME_TEXT);
	assert_int_equal(frame.length, 16);
	assert_memory_equal(frame.data, "line\nRSSCK line\n", 16);
	assert_int_equal(frame_next(&frames, &frame), 0);
}

TEST(a_damaged_message_is_noticed)
{
	char bytes[256];
	size_t length = written(FRAME_JOURNAL, "{ \"schema\": 1 }", bytes, sizeof(bytes));

	for (size_t i = 0; i < length; i++) {
		OWNED(frames_free) struct frames frames = { 0 };
		struct frame frame;

		bytes[i] ^= 0x10;
		assert_int_equal(frames_add(&frames, bytes, length), 0);
		/*
		 * If the length is too large, frame_next() waits for more bytes. The caller must
		 * recognise unknown kinds.
		 */
		if (frame_next(&frames, &frame) > 0)
			assert_string_not_equal(frame.kind, FRAME_JOURNAL);
		bytes[i] ^= 0x10;
	}
}

TEST(noise_is_not_taken_for_a_message)
{
	OWNED(frames_free) struct frames frames = { 0 };
	struct frame frame;
	char noise[128];

	memset(noise, 'x', sizeof(noise));
	assert_int_equal(frames_add(&frames, noise, sizeof(noise)), 0);
	assert_int_equal(frame_next(&frames, &frame), -1);
}

/* ---- diagnosis ---- */

static void assert_diagnosis(struct vm_outcome out, const char *words, const char *console)
{
	const struct vm_options o = { .kernel = "bzImage", .timeout = 300 };
	const struct attempt attempt = { .accel = ACCEL_TCG };
	char why[VM_WHY_SIZE] = "";

	out.console = (char *)console;
	out.console_length = console ? strlen(console) : 0;
	diagnose(&out, &o, &attempt, why, sizeof(why));
	assert_says(why, words);
	if (console)
		assert_says(why, "\n    last line");
}

TEST(each_end_of_a_guest_is_explained)
{
	static const struct {
		struct vm_outcome out;
		const char *words, *console;
	} rows[] = {
		{ { .end = VM_EXITED },
		  "Kernel panic - not syncing: Oops: ",
		  "[ 1.0] Kernel panic - not syncing: Oops\r\nlast line\r\n" },
		/* A killed QEMU is no fault of the kernel. */
		{ { .end = VM_EXITED, .booted = true, .qemu_status = SIGKILL },
		  "killed by signal 9",
		  "last line\n" },
		/* A silent guest gets a hint about its console. */
		{ { .end = VM_SILENT }, "CONFIG_SERIAL_8250_CONSOLE", NULL },
		{ { .end = VM_EXITED }, "CONFIG_SERIAL_8250_CONSOLE", NULL },
		{ { .end = VM_TIMEOUT, .booted = true },
		  "--memory",
		  "Out of memory: Killed process 94 (rssck)\nlast line\n" },
		{ { .end = VM_EXITED, .booted = true },
		  "vm.panic_on_oom",
		  "Kernel panic - not syncing: Out of memory: compulsory panic_on_oom is enabled\n"
		  "last line\n" },
		{ { .end = VM_TIMEOUT, .booted = true }, "--timeout", "last line" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_diagnosis(rows[i].out, rows[i].words, rows[i].console);
}

TEST(only_kernel_warnings_are_found_on_the_console)
{
	struct vm_outcome out = {
		.console = "[ 1.0] fine\r\n[ 2.0] BUG: Bad rss-counter state mm:1 type:2 val:3\r\n",
	};
	char text[512];

	diagnose_complaints(&out, text, sizeof(text));
	assert_string_equal(text, "    [ 2.0] BUG: Bad rss-counter state mm:1 type:2 val:3\n");
	out.console = "fine\n";
	diagnose_complaints(&out, text, sizeof(text));
	assert_string_equal(text, "");
}

/* ---- acceleration ---- */

TEST(a_silent_boot_is_tried_again)
{
	struct vm_options o = { .accel = ACCEL_TCG, .cpus = 2, .timeout = 300 };
	struct attempt attempts[ATTEMPTS_MAX];
	struct vm_outcome silent = { .end = VM_SILENT }, panic = { .end = VM_EXITED };

	assert_int_equal(accel_attempts(attempts, &o), 2);
	assert_int_equal(attempts[0].accel, ACCEL_TCG);
	assert_true(accel_try_again(&attempts[0], &silent));
	assert_true(accel_try_again(&attempts[0], &panic));
}

TEST(an_end_after_the_boot_is_not_tried_again)
{
	const struct attempt attempt = { .accel = ACCEL_KVM };
	struct vm_outcome panic = { .end = VM_EXITED, .booted = true };

	assert_false(accel_try_again(&attempt, &panic));
}

TEST(the_reason_for_emulation_is_given_unless_it_was_requested)
{
	struct vm_options o = { .accel = ACCEL_AUTO };
	char text[320];

	unsetenv("RSSCK_ACCEL");
	accel_refused(&o, EACCES, text, sizeof(text));
	assert_non_null(strstr(
		text,
		"/dev/kvm: Permission denied (most distributions let members of the group kvm"));
	accel_refused(&o, ENOENT, text, sizeof(text));
	assert_says(text, "/dev/kvm: No such file or directory");
	assert_says_not(text, "group");
	assert_string_equal(accel_refused(&o, 0, text, sizeof(text)), "");
	setenv("RSSCK_ACCEL", "tcg", 1);
	assert_string_equal(accel_refused(&o, EACCES, text, sizeof(text)), "");
	unsetenv("RSSCK_ACCEL");
	o.accel = ACCEL_TCG;
	assert_string_equal(accel_refused(&o, EACCES, text, sizeof(text)), "");
}

TEST(a_failed_boot_with_KVM_is_reported)
{
	const struct attempt kvm = { ACCEL_KVM, { .silence = 5, .boot = 10 } };
	const struct attempt tcg = { ACCEL_TCG, { .silence = 10, .boot = 36 } };
	struct vm_outcome out = { .end = VM_SILENT };
	char text[320];

	accel_gave_up(&kvm, &tcg, &out, text, sizeof(text));
	assert_says(text, "/dev/kvm opens, but the guest was silent for 5 s");
	out.end = VM_UNBOOTED;
	accel_gave_up(&kvm, &tcg, &out, text, sizeof(text));
	assert_says(text, "the guest had not booted within 10 s");
	out.end = VM_EXITED;
	accel_gave_up(&kvm, &tcg, &out, text, sizeof(text));
	assert_non_null(strstr(text, "ended before the kernel had booted (RSSCK_ACCEL"));
	out.errors = (char[]) { "\nqemu: failed to set an MSR\nqemu: aborted\n" };
	accel_gave_up(&kvm, &tcg, &out, text, sizeof(text));
	assert_non_null(strstr(text, "had booted: qemu: failed to set an MSR (RSSCK_ACCEL"));
	/* The second boot uses the same accelerator, so there is nothing to explain. */
	assert_string_equal(accel_gave_up(&tcg, &tcg, &out, text, sizeof(text)), "");
	assert_string_equal(accel_gave_up(&kvm, &kvm, &out, text, sizeof(text)), "");
}

/* ---- output ---- */

TEST(the_output_is_whole_and_no_temporary_file_remains)
{
	char why[512], *path = folder_put("written/out.json", "");

	unlink(path);
	assert_int_equal(output_check(path, why, sizeof(why)), 0);
	assert_int_equal(output_write(path, "{}\n", 3, why, sizeof(why)), 0);
	assert_string_equal(file_text(path), "{}\n");
	/* The next write replaces an existing file. */
	assert_int_equal(output_write(path, "[1,2]\n", 6, why, sizeof(why)), 0);
	assert_string_equal(file_text(path), "[1,2]\n");
	unlink(path);
	assert_int_equal(rmdir(in_folder("written")), 0);
}

/* A limit on file size ends the process in the middle of the write, like SIGKILL. */
static void write_and_be_killed(const char *path)
{
	static char text[64 << 10];
	const struct rlimit small = { .rlim_cur = sizeof(text) / 2, .rlim_max = sizeof(text) / 2 };
	char why[512];

	setrlimit(RLIMIT_FSIZE, &small);
	setrlimit(RLIMIT_CORE, &(struct rlimit) { 0, 0 });
	signal(SIGXFSZ, SIG_DFL);
	output_write(path, text, sizeof(text), why, sizeof(why));
	_exit(0);
}

TEST(a_kill_during_the_write_leaves_no_file)
{
	char *path = folder_put("killed/out.json", "");
	int fd = open(in_folder("killed"), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	pid_t pid;

	unlink(path);
	if (fd < 0)
		skip();
	close(fd);
	pid = fork();
	if (pid == 0)
		write_and_be_killed(path);
	assert_true(child_status(pid) < 0);
	assert_int_equal(rmdir(in_folder("killed")), 0);
}

TEST(an_unwritable_output_is_reported_before_the_boot)
{
	char why[512];

	assert_int_equal(output_check("/nonexistent/out.json", why, sizeof(why)), -1);
	assert_says(why, "/nonexistent/out.json");
	assert_int_equal(output_check("/tmp", why, sizeof(why)), -1);
}

TEST(a_full_disk_is_an_error)
{
	char why[512];

	assert_int_equal(output_check("/dev/full", why, sizeof(why)), 0);
	assert_int_equal(output_write("/dev/full", "{}\n", 3, why, sizeof(why)), -1);
	assert_says(why, "No space left");
}

/* ---- the host ---- */

TEST(the_libraries_of_this_program_are_found)
{
	struct libraries *l;
	char why[512], self[64];
	bool has_cmocka = false;

	/* Under valgrind the running program is valgrind, which has no libraries. */
	if (getenv("VALGRIND"))
		skip();
	l = calloc(1, sizeof(*l));
	snprintf(self, sizeof(self), "/proc/%d/exe", getpid());
	assert_int_equal(libraries_find(l, self, why, sizeof(why)), 0);
	for (size_t i = 0; i < l->count; i++)
		has_cmocka |= !!strstr(l->list[i].name, "cmocka");
	assert_true(has_cmocka);
	free(l);
}
