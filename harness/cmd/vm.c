// SPDX-License-Identifier: MIT
/* rssck vm: check on any kernel image, in a virtual machine. */
#include "vm/vm.h"
#include "base/output.h"
#include "base/style.h"
#include "commands.h"
#include "vm/host/diagnose.h"
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char help_text[] =
	"usage: rssck vm --kernel IMAGE [OPTION]... [CASE...] [-- CHECK-OPTION...]\n"
	"\n"
	"Boots a kernel image in QEMU with rssck as its init, runs `rssck check CASE...`\n"
	"inside and exits as that does. Needs no root; leaves nothing behind.\n"
	"\n"
	"  --kernel=IMAGE     a bzImage, or a vmlinux that QEMU can boot (CONFIG_PVH)\n"
	"  --output=FILE      write the results there (JSON, if --format says nothing else):\n"
	"                     whole, or not at all\n"
	"  --format=FORMAT    text (the default), ktap, junit or json\n"
	"  --modules=DIR      modules to load: plain .ko files, in the order of modules.order\n"
	"  --append=CMDLINE   more of the kernel's command line\n"
	"  --cpus=N           of the machine (2)\n"
	"  --memory=MIB       of the machine (1024)\n"
	"  --timeout=SECONDS  for the whole run (300)\n"
	"  --bisect           for `git bisect run`: exit 0 good, 1 bad, 125 cannot tell\n"
	"\n"
	"RSSCK_ACCEL=kvm or tcg says what the machine runs by (KVM where a boot proves it,\n"
	"otherwise TCG); RSSCK_QEMU names the emulator.\n"
	"\n"
	"Exit status: 0 all that could run hold, 1 a case fails, 2 rssck or the machine could\n"
	"not work, 4 nothing could run.\n";

enum option_code {
	OPTION_KERNEL = 256,
	OPTION_OUTPUT,
	OPTION_FORMAT,
	OPTION_MODULES,
	OPTION_APPEND,
	OPTION_CPUS,
	OPTION_MEMORY,
	OPTION_TIMEOUT,
	OPTION_BISECT,
};

static const struct option options[] = {
	{ "kernel", required_argument, NULL, OPTION_KERNEL },
	{ "output", required_argument, NULL, OPTION_OUTPUT },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "modules", required_argument, NULL, OPTION_MODULES },
	{ "append", required_argument, NULL, OPTION_APPEND },
	{ "cpus", required_argument, NULL, OPTION_CPUS },
	{ "memory", required_argument, NULL, OPTION_MEMORY },
	{ "timeout", required_argument, NULL, OPTION_TIMEOUT },
	{ "bisect", no_argument, NULL, OPTION_BISECT },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

enum { CPUS_MOST = 255, MEMORY_MOST = 1 << 20, TIMEOUT_MOST = 86400 };

struct vm_command {
	struct vm_options vm;
	const char *output, *format;
	bool bisect, help;
};

static int take_number(unsigned *number, const char *name, unsigned most)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(optarg, &end, 10);
	if (errno || *optarg < '0' || *optarg > '9' || *end || !value || value > most) {
		usage_error("vm", "--%s takes a number from 1 to %u, not '%s'", name, most, optarg);
		return -1;
	}
	*number = value;
	return 0;
}

static int take_format(struct vm_command *c)
{
	static const char *const formats[] = { "text", "ktap", "junit", "json" };

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(optarg, formats[i])) {
			c->format = formats[i];
			return 0;
		}
	usage_error("vm", "--format cannot be '%s'", optarg);
	return -1;
}

static int take(struct vm_command *c, int code)
{
	switch (code) {
	case OPTION_KERNEL:
		c->vm.kernel = optarg;
		return 0;
	case OPTION_OUTPUT:
		c->output = optarg;
		return 0;
	case OPTION_FORMAT:
		return take_format(c);
	case OPTION_MODULES:
		c->vm.modules = optarg;
		return 0;
	case OPTION_APPEND:
		c->vm.append = optarg;
		return 0;
	case OPTION_CPUS:
		return take_number(&c->vm.cpus, "cpus", CPUS_MOST);
	case OPTION_MEMORY:
		return take_number(&c->vm.memory, "memory", MEMORY_MOST);
	case OPTION_TIMEOUT:
		return take_number(&c->vm.timeout, "timeout", TIMEOUT_MOST);
	case OPTION_BISECT:
		c->bisect = true;
		return 0;
	case 'h':
		c->help = true;
		return 0;
	default:
		/* getopt_long() has said why. */
		return -1;
	}
}

/* Text and KTAP are for reading while the machine runs; the others are worth nothing in part. */
static void format_settle(struct vm_command *c)
{
	if (!c->format)
		c->format = c->output ? "json" : "text";
	if (!c->output && (!strcmp(c->format, "json") || !strcmp(c->format, "junit")))
		c->output = "-";
	c->vm.text = c->output ? NULL : stdout;
}

static int vm_command_read(struct vm_command *c, int argc, char **argv)
{
	int code;

	c->vm = (struct vm_options) { .cpus = 2, .memory = 1024, .timeout = 300 };
	/* Whatever else is wrong with the usage, a bisect must hear 125 and not "bad". */
	for (int i = 1; i < argc; i++)
		c->bisect |= !strcmp(argv[i], "--bisect");
	optind = 0;
	while ((code = getopt_long(argc, argv, "h", options, NULL)) != -1)
		if (take(c, code))
			return -1;
	if (!c->vm.kernel && !c->help) {
		usage_error("vm", "no kernel: give --kernel=IMAGE, such as arch/x86/boot/bzImage");
		return -1;
	}
	format_settle(c);
	return 0;
}

static bool wants_colour(const struct vm_command *c)
{
	return c->vm.text && style_is_wanted(stdout);
}

/* What rssck is called with inside: check, its options, what the caller gave. */
static const char **inside_arguments(struct vm_command *c, char **given, int nr_given)
{
	const char **arguments = calloc(nr_given + 8, sizeof(*arguments));
	int n = 0;

	if (!arguments)
		return NULL;
	arguments[n++] = "check";
	arguments[n++] = "--format";
	arguments[n++] = c->format;
	if (c->output)
		arguments[n++] = "--output=" VM_GUEST_RESULT;
	if (wants_colour(c))
		arguments[n++] = "--color=always";
	while (nr_given--)
		arguments[n++] = *given++;
	c->vm.nr_arguments = n;
	return arguments;
}

/* The status that check ended with, if it is one that check gives. */
static int status_of(const struct vm_command *c, const struct vm_outcome *out)
{
	int status = WEXITSTATUS(out->status);

	if (!WIFEXITED(out->status))
		return trouble("vm: %s: check was killed by signal %d (%s) in the guest; give more "
			       "--memory, and report it if it comes back",
			       c->vm.kernel, WTERMSIG(out->status),
			       strsignal(WTERMSIG(out->status)));
	if (status == EXIT_TROUBLE)
		return status;
	if ((status == EXIT_HOLDS || status == EXIT_FAILS || status == EXIT_NOTHING) &&
	    (out->result || !c->output))
		return status;
	return trouble("vm: %s: check ended with status %d%s; report this", c->vm.kernel, status,
		       out->result ? "" : " and no results");
}

/* check inside has ended: hand on what it wrote, and its status. */
static int deliver(const struct vm_command *c, const struct vm_outcome *out, char *why, size_t size)
{
	diagnose_complaints(out, why, size);
	if (why[0])
		fprintf(stderr, "rssck vm: %s: its kernel complained:\n%s", c->vm.kernel, why);
	if (c->output && out->result &&
	    output_write(c->output, out->result, out->result_length, why, size))
		return trouble("vm: %s", why);
	return status_of(c, out);
}

static int boot_and_deliver(const struct vm_command *c, char *why, size_t size)
{
	struct vm_outcome out;
	int status;

	if (c->output && output_check(c->output, why, size))
		return trouble("vm: %s", why);
	status = vm_run(&c->vm, &out, why, size) ? trouble("vm: %s", why)
						 : deliver(c, &out, why, size);
	if (out.end == VM_SIGNAL) {
		/* End by the signal: a shell, and git bisect, then stop as well. */
		signal(out.signal, SIG_DFL);
		raise(out.signal);
	}
	vm_outcome_free(&out);
	return status;
}

static int run(struct vm_command *c, char **given, int nr_given)
{
	const char **arguments = inside_arguments(c, given, nr_given);
	char *why = calloc(1, VM_WHY_SIZE);
	int status;

	c->vm.arguments = arguments;
	status = why && arguments ? boot_and_deliver(c, why, VM_WHY_SIZE) : trouble("no memory");
	free(arguments);
	free(why);
	return status;
}

static int help(void)
{
	fputs(help_text, stdout);
	return fflush(stdout) ? trouble("stdout: %m") : EXIT_HOLDS;
}

static int cmd_vm(int argc, char **argv)
{
	struct vm_command c = { .bisect = false };
	int status = EXIT_TROUBLE;

	if (!vm_command_read(&c, argc, argv))
		status = c.help ? help() : run(&c, argv + optind, argc - optind);
	if (!c.bisect || status == EXIT_HOLDS || status == EXIT_FAILS)
		return status;
	return EXIT_CANNOT_TELL;
}

const struct command command_vm = {
	.name = "vm",
	.run = cmd_vm,
	.usage = "--kernel IMAGE [OPTION]... [CASE...]",
	.help = "boot a kernel image in a virtual machine and check it",
};
