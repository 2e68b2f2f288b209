// SPDX-License-Identifier: MIT
/* rssck vm: check on any kernel image, in a virtual machine. */
#include "base/output.h"
#include "base/print/style.h"
#include "base/print/words.h"
#include "cmd/check/check.h"
#include "command.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_MAX = 32 };

static const char options_text[] =
	"Boots a kernel image in QEMU with rssck as its init, runs `rssck check CASE...`\n"
	"inside and exits as that does. Needs no root; leaves nothing behind.\n"
	"\n"
	"  --kernel=IMAGE     a bzImage, or a vmlinux that QEMU can boot (CONFIG_PVH); of another\n"
	"                     machine: the Image of arm64 or riscv64 (also packed: Image.gz,\n"
	"                     vmlinuz.efi), the vmlinux of ppc64el, the bzImage of s390x or i386\n"
	"  --programs=DIR     rssck and rssck-workload for that machine, static, as make cross\n"
	"                     ARCH=arm64 builds them (build/cross/arm64, beside this program)\n"
	"  --output=FILE      write the results there (JSON, if --format says nothing else):\n"
	"                     whole, or not at all; a run that ended early says so in them\n"
	"  --format=FORMAT    text (the default), ktap, junit or json\n"
	"  --modules=DIR      modules to load: plain .ko files, in the order of modules.order\n"
	"  --append=CMDLINE   more of the kernel's command line\n"
	"  --setup=WHAT       a condition made in the guest before check runs; may be repeated:\n"
	"                     FILE=VALUE written (FILE may be a pattern), swap=zram, disk or none,\n"
	"                     cgroup=v1 or v2, pressure=MIB of memory used beside it, log=TIMES a\n"
	"                     second somebody else's trouble in the kernel log; SECONDS:WHAT: later\n"
	"  --cpus=N           of the machine (2)\n"
	"  --memory=MIB       of the machine (1024; 4096 where pages are 16 or 64 KiB)\n"
	"  --timeout=SECONDS  for the whole run (300)\n"
	"  --fuzz[=ARGS]      run `rssck fuzz ARGS` inside instead of check; what has spaces goes\n"
	"                     behind --, as an argument of its own\n"
	"  --run=COMMAND      not check, but `rssck run sh -c COMMAND`: the programs that it names are\n"
	"                     carried in with their libraries, under their own names\n"
	"  --run-options=ARGS options of rssck run for it, words between spaces\n"
	"  --with=PATH        a file or a folder that it needs, too; may be repeated\n"
	"  --bisect           for `git bisect run`: exit 0 good, 1 bad, 125 cannot tell\n"
	"\n"
	"RSSCK_ACCEL=kvm or tcg says what the machine runs by (KVM where a boot proves it,\n"
	"otherwise TCG); RSSCK_QEMU names the emulator.\n"
	"\n"
	"Exit status: 0 all that could run hold, 1 a case fails, 2 rssck or the machine could\n"
	"not work, 4 nothing could run. If the machine ends before check does, what check has\n"
	"found until then is reported, with status 1 if a case had failed, otherwise 2.\n";

/* The words of ARGS; they point into a copy that is kept as long as the program runs. */
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
 * What rssck is called with inside: check, what the caller gave. Its text is for
 * people, here; everything else is made of its journal.
 */
static const char **inside_arguments(struct vm_command *c, char **given, int nr_given)
{
	const char **arguments = calloc(nr_given + 8 + WORDS_MAX, sizeof(*arguments));
	int n = 0;

	if (!arguments)
		return NULL;
	arguments[n++] = c->fuzz ? "fuzz" : "check";
	if (c->fuzz)
		n += words_of(c->fuzz, arguments + n);
	else
		arguments[n++] = "--journal=" VM_GUEST_JOURNAL;
	if (c->vm.colour && !c->fuzz)
		arguments[n++] = "--color=always";
	while (nr_given--)
		arguments[n++] = *given++;
	c->vm.nr_arguments = n;
	return arguments;
}

/* The same for --run: programs have the names that they have here. */
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
	if (c->output || c->format != VM_TEXT) {
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
		/* End by the signal: a shell, and git bisect, then stop as well. */
		fflush(NULL);
		signal(out.signal, SIG_DFL);
		raise(out.signal);
	}
	vm_outcome_free(&out);
	return status;
}

/* Text for a file is kept until it is whole; other formats are made when all is known. */
static int boot_into(struct vm_command *c, char *why, size_t size)
{
	char *text = NULL;
	size_t length;
	int status;

	if (c->output && output_check(c->output, why, size))
		return trouble("vm: %s", why);
	/* What it prints is not the report. */
	if (c->vm.run) {
		c->vm.text = c->output || c->format == VM_TEXT ? stdout : NULL;
		return boot(c, why, size);
	}
	if (c->format == VM_TEXT)
		c->vm.text = c->output ? open_memstream(&text, &length) : stdout;
	if (c->format == VM_TEXT && !c->vm.text)
		return trouble("out of memory");
	status = boot(c, why, size);
	if (!c->output || c->format != VM_TEXT)
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

	c->vm.colour = !c->output && c->format == VM_TEXT && style_is_wanted(stdout);
	arguments = c->vm.run ? run_arguments(c) : inside_arguments(c, given, nr_given);
	c->vm.arguments = arguments;
	status = why && arguments ? boot_into(c, why, VM_WHY_SIZE) : trouble("out of memory");
	free(arguments);
	free(why);
	return status;
}

/* What check would refuse is refused before a machine is booted for it. */
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

static int cmd_vm(int argc, char **argv)
{
	struct vm_command c = { .bisect = false };
	int first = vm_command_read(&c, argc, argv), status = EXIT_TROUBLE;

	if (first == 0)
		return EXIT_HOLDS;
	if (first > 0 && (c.fuzz || !is_wrong_inside(argv + first, argc - first)))
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
	.options = options_text,
};
