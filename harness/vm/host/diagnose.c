// SPDX-License-Identifier: MIT
/*
 * Explains why a machine gave no result: what has happened, the console's last lines, and what to
 * do.
 */
#include "diagnose.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LAST_LINES = 12 };

/* Console messages and their meanings. The most specific ones come first. */
static const struct {
	const char *words, *meaning;
} signs[] = {
	{ "Initramfs unpacking failed", "the guest is out of memory; give it more with --memory" },
	{ "System is deadlocked on memory",
	  "the guest is out of memory; give it more with --memory" },
	{ "compulsory panic_on_oom",
	  "vm.panic_on_oom is 2, and the guest, or a cgroup in it, is out of memory" },
	{ "panic - not syncing: Memory failure", "vm.memory_failure_recovery is 0" },
	{ "Out of memory:", "the guest is out of memory; give it more with --memory" },
	{ "Cannot allocate memory", "the guest is out of memory; give it more with --memory" },
	{ "Unable to mount root fs",
	  "the kernel did not accept the initramfs; give the guest more "
	  "memory with --memory, or build with CONFIG_BLK_DEV_INITRD=y" },
	{ "No working init found",
	  "the kernel could not start rssck; give it more memory with --memory, or build it with "
	  "CONFIG_BINFMT_ELF=y" },
	{ "Requested init", "the kernel could not start rssck; build it with CONFIG_BINFMT_ELF=y" },
	{ "kill init! exitcode=0x00007f00",
	  "the loader could not start rssck in the guest; run ldd on rssck, and build it again" },
	{ "Kernel panic", "a bug of the kernel, or the guest needs more --memory" },
};

static const char *meaning_of(const struct vm_outcome *out)
{
	for (size_t i = 0; out->console && i < sizeof(signs) / sizeof(*signs); i++)
		if (strstr(out->console, signs[i].words))
			return signs[i].meaning;
	return NULL;
}

static const char *last_lines(const char *text, int lines)
{
	const char *at = text + strlen(text);

	while (at > text && strchr("\r\n", at[-1]))
		at--;
	while (at > text && (at[-1] != '\n' || --lines))
		at--;
	return at;
}

static void append(char *why, size_t size, const char *words)
{
	size_t used = strlen(why);

	snprintf(why + used, size - used, "%s", words);
}

/* Appends a text with each line indented, without carriage returns and empty lines. */
static void append_lines(char *why, size_t size, const char *text)
{
	size_t used = strlen(why);
	bool at_start = true;

	for (; *text && used + 8 < size; text++) {
		if (*text == '\r' || (*text == '\n' && at_start))
			continue;
		if (at_start)
			used += snprintf(why + used, size - used, "\n    ");
		at_start = *text == '\n';
		if (!at_start)
			why[used++] = *text >= ' ' || *text == '\t' ? *text : '?';
	}
	why[used] = '\0';
}

static void append_console(char *why, size_t size, const struct vm_outcome *out)
{
	if (!out->console_length) {
		append(why, size, "\n  The console printed nothing.");
		return;
	}
	append(why, size, "\n  The console's last lines:");
	append_lines(why, size, last_lines(out->console, LAST_LINES));
}

static const char *when(const struct vm_outcome *out)
{
	return out->booted ? "while rssck ran" : "before init ran";
}

static const char *driver_of(const struct vm_options *o)
{
	return o->board ? o->board->driver : "CONFIG_SERIAL_8250_CONSOLE";
}

static void append_reset_meaning(const struct vm_outcome *out, const struct vm_options *o,
				 char *why, size_t size)
{
	const char *meaning = meaning_of(out);

	if (meaning) {
		append(why, size, meaning);
	} else if (out->console_length) {
		append(why, size,
		       "perhaps a triple fault; give it more --memory, or try --append nokaslr");
	} else {
		append(why, size, "there was no serial output; the kernel needs ");
		append(why, size, driver_of(o));
		append(why, size, "=y");
	}
}

static void reset(const struct vm_outcome *out, const struct vm_options *o, char *why, size_t size)
{
	snprintf(why, size, "%s: the guest reset itself %s: ", o->kernel, when(out));
	append_reset_meaning(out, o, why, size);
}

/*
 * Explains why QEMU ended: a panic of the guest (because of -no-reboot), a signal, an error of
 * QEMU, or a reset.
 */
static void exited(const struct vm_outcome *out, const struct vm_options *o, char *why, size_t size)
{
	const char *panic = out->console ? strstr(out->console, "Kernel panic") : NULL;
	int status = out->qemu_status;

	if (panic)
		snprintf(why, size, "%s: %.*s: %s", o->kernel, (int)strcspn(panic, "\r\n"), panic,
			 meaning_of(out));
	else if (WIFSIGNALED(status))
		snprintf(
			why, size,
			"%s: QEMU was killed by signal %d (%s) %s; run it again, and find out what "
			"killed QEMU (with SIGKILL, perhaps the host was out of memory)",
			o->kernel, WTERMSIG(status), strsignal(WTERMSIG(status)), when(out));
	else if (status)
		snprintf(why, size, "%s: QEMU failed with status %d; see its message", o->kernel,
			 WEXITSTATUS(status));
	else
		reset(out, o, why, size);
	if (out->errors_length) {
		append(why, size, "\n  QEMU said:");
		append_lines(why, size, last_lines(out->errors, LAST_LINES));
	}
}

static void silent(const struct vm_outcome *out, const struct vm_options *o,
		   const struct attempt *attempt, char *why, size_t size)
{
	snprintf(why, size,
		 "%s: no serial output in %.0f s (%s) in two attempts; the kernel needs "
		 "%s=y, and CONFIG_EARLY_PRINTK=y helps",
		 o->kernel, out->run_s, accel_name(attempt->accel), driver_of(o));
}

/*
 * On a machine with too much to do, a guest's kernel calibrates its clocks wrongly and may hang:
 * 7.3 did so in three boots of four at a load of 18 on 2 CPUs.
 */
static void append_load(char *why, size_t size)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t used = strlen(why);
	double load;

	if (getloadavg(&load, 1) == 1 && load > 2 * (double)cpus)
		snprintf(why + used, size - used,
			 "; or this machine has too much to do (its load is %.0f on %ld CPU%s)",
			 load, cpus, cpus == 1 ? "" : "s");
}

static void unbooted(const struct vm_outcome *out, const struct vm_options *o,
		     const struct attempt *attempt, char *why, size_t size)
{
	const char *meaning = meaning_of(out);

	snprintf(
		why, size,
		"%s: the guest hangs: in two attempts init has not answered in %.0f s (%s): %s",
		o->kernel, out->run_s, accel_name(attempt->accel),
		meaning ? meaning
			: "the kernel needs CONFIG_BLK_DEV_INITRD=y, CONFIG_DEVTMPFS=y and two serial "
			  "ports (CONFIG_SERIAL_8250_RUNTIME_UARTS=2), or more time (--timeout)");
	append_load(why, size);
}

static void timed_out(const struct vm_outcome *out, const struct vm_options *o, char *why,
		      size_t size)
{
	const char *meaning = meaning_of(out);

	snprintf(why, size, "%s: Linux %s booted, but rssck has not ended within %u s: %s",
		 o->kernel, out->release, o->timeout,
		 meaning ? meaning : "give it more time with --timeout, or less to do");
}

/*
 * Explains a damaged message. A kernel that uses only one serial port prints its console messages
 * between the frames.
 */
static void garbled(const struct vm_outcome *out, const struct vm_options *o, char *why,
		    size_t size)
{
	snprintf(
		why, size, "%s: %s", o->kernel,
		out->booted
			? "a message from the guest was damaged; run it again, and report it if it is damaged again"
			: "the kernel uses only one of the two serial ports; build with "
			  "CONFIG_SERIAL_8250_RUNTIME_UARTS=2 or more");
}

void diagnose(const struct vm_outcome *out, const struct vm_options *o,
	      const struct attempt *attempt, char *why, size_t size)
{
	switch (out->end) {
	case VM_EXITED:
		exited(out, o, why, size);
		break;
	case VM_SILENT:
		silent(out, o, attempt, why, size);
		break;
	case VM_UNBOOTED:
		unbooted(out, o, attempt, why, size);
		break;
	case VM_TIMEOUT:
		timed_out(out, o, why, size);
		break;
	case VM_FAILED:
		snprintf(why, size, "%s: %s", o->kernel, out->failure);
		break;
	case VM_GARBLED:
		garbled(out, o, why, size);
		break;
	case VM_SIGNAL:
		snprintf(why, size, "%s: stopped by %s", o->kernel, strsignal(out->signal));
		return;
	case VM_DONE:
		return;
	}
	append_console(why, size, out);
}

void diagnose_complaints(const struct vm_outcome *out, char *text, size_t size)
{
	static const char *const words[] = { "BUG: ",       "WARNING: ",
					     "Oops: ",      "general protection fault",
					     "rcu: INFO: ", "INFO: task " };
	const char *line = out->console ? out->console : "", *stop;
	size_t used = 0;

	for (text[0] = '\0'; *line; line = stop + strspn(stop, "\r\n")) {
		stop = line + strcspn(line, "\r\n");
		for (size_t i = 0; i < sizeof(words) / sizeof(*words) && used + 8 < size; i++) {
			const char *found = strstr(line, words[i]);

			if (!found || found >= stop)
				continue;
			used += snprintf(text + used, size - used, "    %.*s\n",
					 (int)(stop - line > 300 ? 300 : stop - line), line);
			break;
		}
	}
	if (used >= size)
		text[size - 1] = '\0';
}
