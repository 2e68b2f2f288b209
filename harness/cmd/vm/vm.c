// SPDX-License-Identifier: MIT
/* rssck vm: runs check, or another command of rssck, on a kernel image in a virtual machine. */
#include "base/output.h"
#include "base/print/style.h"
#include "cmd/check/check.h"
#include "cmd/line/options.h"
#include "command.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 32 };

/* Splits `text` into at most WORDS_MAX words. They point into a copy that is never freed. */
static int words_of(const char *text, const char **arguments)
{
	char *words = strdup(text), *word;
	int n = 0;

	while (words && (word = strsep(&words, " ")) && n < WORDS_MAX)
		if (*word)
			arguments[n++] = word;
	return n;
}

/*
 * True if the record of rssck atlas is requested. The guest sends a record in place of the journal
 * of check, and sends text as it is printed.
 */
static bool wants_record(const struct vm_command *c)
{
	return c->output || c->format == FORMAT_JSON;
}

/*
 * Makes the arguments of rssck in the guest: the command (check, if no other is given), and the
 * caller's words. In the guest, check prints text; rssck vm makes the other formats from check's
 * journal.
 */
static const char **inside_arguments(struct vm_command *c, char **given, int nr_given)
{
	const char **arguments = calloc(nr_given + 8 + WORDS_MAX, sizeof(*arguments));
	int n = 0;

	if (!arguments)
		return NULL;
	arguments[n++] = c->inside ? c->inside : "check";
	if (c->inside)
		n += words_of(c->inside_words, arguments + n);
	if (vm_is_atlas(c) && wants_record(c)) {
		arguments[n++] = "--format=json";
		arguments[n++] = "--output=" VM_GUEST_JOURNAL;
	}
	if (!c->inside)
		arguments[n++] = "--journal=" VM_GUEST_JOURNAL;
	if (c->vm.colour && !c->inside)
		arguments[n++] = "--color=always";
	while (nr_given--)
		arguments[n++] = *given++;
	c->vm.nr_arguments = n;
	return arguments;
}

/* The arguments for --run. Programs have the same names as on the host. */
static const char **run_arguments(struct vm_command *c)
{
	static const char *const formats[] = { "--format=text", "--format=ktap", "--format=junit",
					       "--format=json" };
	const char **arguments = calloc(16 + WORDS_MAX, sizeof(*arguments));
	int n = 0;

	if (!arguments)
		return NULL;
	arguments[n++] = "run";
	arguments[n++] = "--quiet";
	arguments[n++] = "--wrapper";
	if (c->run_options)
		n += words_of(c->run_options, arguments + n);
	if (c->vm.colour)
		arguments[n++] = "--color=always";
	if (c->output || c->format != FORMAT_TEXT) {
		arguments[n++] = formats[c->format];
		arguments[n++] = "--output=" VM_GUEST_JOURNAL;
	}
	arguments[n++] = "/bin/sh";
	arguments[n++] = "-c";
	arguments[n++] = "PATH=$2:$3; export PATH; cd \"$TMPDIR\"; eval \"$1\"";
	arguments[n++] = "sh";
	arguments[n++] = c->vm.run;
	arguments[n++] = getenv("PATH") ? getenv("PATH") : "/bin";
	arguments[n++] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
	c->vm.nr_arguments = n;
	return arguments;
}

static int boot(const struct vm_command *c, char *why, size_t size)
{
	struct vm_outcome out;
	int failed = vm_run(&c->vm, &out, why, size);
	int status = vm_deliver(c, &out, failed ? why : NULL);

	if (out.end == VM_SIGNAL) {
		/*
		 * rssck ends itself by the same signal, so that a shell, or git bisect, stops as
		 * well.
		 */
		fflush(NULL);
		signal(out.signal, SIG_DFL);
		raise(out.signal);
	}
	vm_outcome_free(&out);
	return status;
}

/* Keeps the text for a file in memory until it is complete. */
static int boot_into(struct vm_command *c, char *why, size_t size)
{
	char *text = NULL;
	size_t length;
	int status;

	if (c->output && output_check(c->output, why, size))
		return trouble("vm: %s", why);
	/* The program's output is not part of the report. */
	if (c->vm.run || (vm_is_atlas(c) && wants_record(c))) {
		c->vm.text = c->output || c->format == FORMAT_TEXT ? stdout : NULL;
		return boot(c, why, size);
	}
	if (c->format == FORMAT_TEXT)
		c->vm.text = c->output ? open_memstream(&text, &length) : stdout;
	if (c->format == FORMAT_TEXT && !c->vm.text)
		return trouble("out of memory");
	status = boot(c, why, size);
	if (!c->output || c->format != FORMAT_TEXT)
		return status;
	if (fclose(c->vm.text) || output_write(c->output, text, length, why, size))
		status = trouble("vm: %s", why[0] ? why : "out of memory");
	free(text);
	return status;
}

static int run(struct vm_command *c, char **given, int nr_given)
{
	const char **arguments;
	char *why = calloc(1, VM_WHY_SIZE);
	int status;

	c->vm.colour = !c->output && c->format == FORMAT_TEXT && style_is_wanted(stdout);
	arguments = c->vm.run ? run_arguments(c) : inside_arguments(c, given, nr_given);
	c->vm.arguments = arguments;
	status = why && arguments ? boot_into(c, why, VM_WHY_SIZE) : trouble("out of memory");
	free(arguments);
	free(why);
	return status;
}

/* Refuses arguments that the guest's check would refuse, before a machine boots. */
static bool is_wrong_inside(char **given, int nr)
{
	char *argv[nr + 2];
	struct check_options o;
	struct selection s;
	char why[320];
	int first;

	argv[0] = (char[]) { "rssck check" };
	memcpy(argv + 1, given, (size_t)nr * sizeof(*argv));
	argv[nr + 1] = NULL;
	first = check_options_parse(&o, nr + 1, argv);
	if (first <= 0)
		return true;
	if (select_cases(&s, argv + first, (size_t)(nr + 1 - first), why, sizeof(why)))
		return usage_error("vm", "%s", why), true;
	selection_free(&s);
	return false;
}

static int take_format(void *options, const char *word)
{
	struct vm_command *c = options;
	int choice = 0, failed = option_choice("vm", "format", word, option_formats, &choice);

	c->format = (enum option_format)choice;
	c->format_given = true;
	return failed;
}

static int take_inside(void *options, const char *command, const char *word)
{
	((struct vm_command *)options)->inside = command;
	((struct vm_command *)options)->inside_words = word ? word : "";
	return 0;
}

static int take_fuzz(void *options, const char *word)
{
	return take_inside(options, "fuzz", word);
}

/*
 * The second node gets a quarter of the memory, because whole processes migrate, some of them with
 * huge pages. If a node is full, the kernel swaps pages out.
 */
static int take_atlas(void *options, const char *word)
{
	((struct vm_command *)options)->vm.node_shares = 4;
	return take_inside(options, "atlas", word);
}

static int take_machine(void *options, const char *word)
{
	return take_inside(options, "machine", word);
}

/* Takes [SECONDS:|loop:]NAME=VALUE. The guest interprets the names. */
static int take_setup(void *options, const char *word)
{
	struct vm_options *vm = &((struct vm_command *)options)->vm;
	static const char *const names[] = { "/", "swap=", "cgroup=", "pressure=", "log=" };
	const char *name = word + strspn(word, "0123456789");

	name = name > word && *name == ':' ? name + 1 : word;
	if (!strncmp(word, "loop:/", 6))
		name = word + 5;
	if (vm->nr_setup == VM_SETUP_MAX)
		return usage_error("vm", "--setup is given more than %d times", VM_SETUP_MAX), -1;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strncmp(name, names[i], strlen(names[i])) || !strchr(name, '='))
			continue;
		vm->setup[vm->nr_setup++] = word;
		return 0;
	}
	usage_error("vm", "--setup takes FILE=VALUE, swap=, cgroup=, pressure= or log=, not '%s'",
		    word);
	return -1;
}

static int take_with(void *options, const char *word)
{
	struct vm_options *vm = &((struct vm_command *)options)->vm;

	if (vm->nr_with == VM_WITH_MAX)
		return usage_error("vm", "--with is given more than %d times", VM_WITH_MAX), -1;
	vm->with[vm->nr_with++] = word;
	return 0;
}

#define INTO(member) .at = offsetof(struct vm_command, member)
static const struct option_row rows[] = {
	{ "kernel", OPTION_WORD, "IMAGE",
	  "a bzImage, or a vmlinux that QEMU can boot (CONFIG_PVH); for other machines: the Image "
	  "of arm64 or riscv64 (also packed: Image.gz, vmlinuz.efi), the vmlinux of ppc64el, the "
	  "bzImage of s390x or i386",
	  INTO(vm.kernel) },
	{ "programs", OPTION_WORD, "DIR",
	  "folder with static rssck and rssck-workload for that machine, as built by make cross ARCH=arm64 "
	  "(default: build/cross/arm64 in this program's folder)",
	  INTO(vm.programs) },
	{ "output", OPTION_WORD, "FILE",
	  "write the results to FILE (JSON without --format), completely or not at all; the results "
	  "of a run that ended early are marked as incomplete",
	  INTO(output) },
	{ "format", OPTION_TAKEN, "FORMAT", "text (the default), ktap, junit or json",
	  .take = take_format, .choices = option_formats },
	{ "modules", OPTION_WORD, "DIR",
	  "folder of modules to load: uncompressed .ko files, in the order of modules.order",
	  INTO(vm.modules) },
	{ "append", OPTION_WORD, "CMDLINE", "words to add to the kernel's command line",
	  INTO(vm.append) },
	{ "setup", OPTION_TAKEN, "WHAT",
	  "a condition to set up in the guest before check runs; may be repeated: FILE=VALUE "
	  "writes VALUE (FILE may be a pattern), swap=zram, disk or none, cgroup=v1 or v2, "
	  "pressure=MIB of memory kept in use, log=TIMES unrelated kernel warnings per second; "
	  "SECONDS:WHAT sets up WHAT SECONDS after the start; loop:FILE=VALUE writes repeatedly",
	  .take = take_setup, .repeats = true },
	{ "cpus", OPTION_NUMBER, "N", "CPUs of the machine (2)", INTO(vm.cpus), .number = 255 },
	{ "memory", OPTION_NUMBER, "MIB",
	  "memory of the machine in MiB (1024; 4096 if pages are 16 or 64 KiB)", INTO(vm.memory),
	  .number = 1 << 20 },
	{ "timeout", OPTION_NUMBER, "SECONDS", "time limit of the whole run (900)",
	  INTO(vm.timeout), .number = 86400 },
	{ "fuzz", OPTION_TAKEN, "ARGS",
	  "run `rssck fuzz ARGS` in the guest instead of check; give an argument with spaces separately, after "
	  "--",
	  .take = take_fuzz, .optional = true },
	{ "atlas", OPTION_TAKEN, "ARGS",
	  "run `rssck atlas ARGS` in the guest instead of check; --output=FILE gets the result of every "
	  "sequence",
	  .take = take_atlas, .optional = true },
	{ "machine", OPTION_TAKEN, "ARGS",
	  "run `rssck machine ARGS` in the guest instead of check, for the numbers of a newly booted machine",
	  .take = take_machine, .optional = true },
	{ "run", OPTION_WORD, "COMMAND",
	  "run `rssck run sh -c COMMAND` in the guest instead of check; the programs that COMMAND names are "
	  "copied into the guest with their libraries, under their own names",
	  INTO(vm.run), .more = "Their interpreters are copied, too. The shell is not audited." },
	{ "run-options", OPTION_WORD, "ARGS",
	  "options for rssck run in the guest, words separated by "
	  "spaces",
	  INTO(run_options) },
	{ "with", OPTION_TAKEN, "PATH",
	  "copy another file or folder that COMMAND needs into the guest; may be "
	  "repeated",
	  .take = take_with, .repeats = true,
	  .more = "A symbolic link keeps its name, and its target is copied, too." },
	{ "bisect", OPTION_FLAG, NULL, "for `git bisect run`: exit 0 good, 1 bad, 125 cannot tell",
	  INTO(bisect) },
	{ .name = NULL },
};

/* Without --format: JSON if --output is given, otherwise text. */
static void format_settle(struct vm_command *c)
{
	/* The output of another command in the guest is printed unchanged. */
	if (!c->format_given && c->output && !c->inside)
		c->format = FORMAT_JSON;
	if (c->output && !strcmp(c->output, "-"))
		c->output = NULL;
}

static int parse(struct vm_command *c, int argc, char **argv)
{
	int first;

	c->vm = (struct vm_options) { .cpus = 2, .timeout = 900 };
	/* With --bisect a usage error must exit with status 125, because 2 means "bad". */
	for (int i = 1; i < argc; i++)
		c->bisect |= !strcmp(argv[i], "--bisect");
	first = options_read(&command_vm, c, argc, argv);
	if (first <= 0)
		return first;
	if (!c->vm.kernel)
		return usage_error(
			       "vm",
			       "it needs a kernel: give --kernel=IMAGE, e.g. arch/x86/boot/bzImage"),
		       -1;
	if (c->vm.run && (c->bisect || first < argc))
		return usage_error("vm", "--run cannot be given with cases or --bisect"), -1;
	if (c->run_options && !c->vm.run)
		return usage_error("vm", "--run-options needs --run=COMMAND"), -1;
	format_settle(c);
	return first;
}

static int cmd_vm(int argc, char **argv)
{
	struct vm_command c = { .bisect = false };
	int first = parse(&c, argc, argv), status = EXIT_TROUBLE;

	if (first == 0)
		return EXIT_HOLDS;
	if (first > 0 && (c.inside || !is_wrong_inside(argv + first, argc - first)))
		status = run(&c, argv + first, argc - first);
	if (!c.bisect || status == EXIT_HOLDS || status == EXIT_FAILS)
		return status;
	return EXIT_CANNOT_TELL;
}

const struct command command_vm = {
	.name = "vm",
	.run = cmd_vm,
	.usage = "--kernel=IMAGE [OPTION]... [CASE...] [-- CHECK-OPTION...]",
	.help = "boot a kernel image in a virtual machine and check it",
	.about =
		"Boots a kernel image in QEMU with rssck as its init, runs `rssck check CASE...` "
		"in the guest, and exits with its status. Needs no root, and leaves nothing behind.",
	.rows = rows,
	.after = "RSSCK_ACCEL=kvm or tcg selects the accelerator (default: KVM if a boot proves "
		 "that it works, otherwise TCG); RSSCK_QEMU names the emulator.",
	.exits = "0 all cases that could run hold, 1 a case fails, 2 rssck or the machine failed, "
		 "4 nothing could run. If the machine ends before check does, the results so far "
		 "are reported, with status 1 if a case had failed, otherwise 2",
	.words = WORD_CASE,
};
