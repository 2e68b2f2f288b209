// SPDX-License-Identifier: MIT
/*
 * rssck vm: check on any kernel image, in a virtual machine.
 */
#include "../vm/vm.h"
#include "../vm/diagnose.h"
#include "../vm/output.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HOLDS = 0, FAILS = 1, TROUBLE = 2, NOTHING_RAN = 4, CANNOT_TELL = 125 };

static const char usage_text[] =
	"usage: rssck vm --kernel IMAGE [OPTION...] [CASE...]\n"
	"\n"
	"Boots a kernel image in QEMU with rssck as its init, runs `rssck check CASE...`\n"
	"inside and exits as that does. Needs no root and leaves nothing behind.\n"
	"\n"
	"  -k, --kernel IMAGE    a bzImage, or a vmlinux that QEMU can boot (CONFIG_PVH)\n"
	"  -o, --output FILE     write the results there, as JSON\n"
	"  -f, --format FORMAT   of what is printed without --output: text (default) or json\n"
	"  -m, --modules DIR     modules to load: plain .ko files, modules.order says the order\n"
	"  -a, --append CMDLINE  more of the kernel's command line, such as numa=fake=2\n"
	"  -c, --cpus N          of the machine (default 2)\n"
	"  -M, --memory MIB      of the machine (default 1024)\n"
	"  -t, --timeout S       for the whole run (default 300)\n"
	"      --bisect          exit 0 good, 1 bad, 125 cannot tell: for `git bisect run`\n"
	"  -h, --help\n"
	"\n"
	"Exit: 0 all that could run hold, 1 a case fails, 2 rssck or the machine could not\n"
	"work, 4 nothing could run. RSSCK_ACCEL=kvm or tcg says what the machine runs by\n"
	"(default: KVM if a boot proves it, otherwise TCG); RSSCK_QEMU names the emulator.\n";

struct command {
	struct vm_options vm;
	const char *output, *format;
	bool bisect, help;
};

enum { OPTION_BISECT = 256 };

static const struct option long_options[] = {
	{ "kernel", required_argument, NULL, 'k' },
	{ "output", required_argument, NULL, 'o' },
	{ "format", required_argument, NULL, 'f' },
	{ "modules", required_argument, NULL, 'm' },
	{ "append", required_argument, NULL, 'a' },
	{ "cpus", required_argument, NULL, 'c' },
	{ "memory", required_argument, NULL, 'M' },
	{ "timeout", required_argument, NULL, 't' },
	{ "bisect", no_argument, NULL, OPTION_BISECT },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int complain(const char *sentence)
{
	fprintf(stderr, "rssck vm: %s\n", sentence);
	return -1;
}

static int number_read(unsigned *number, const char *text, unsigned least, unsigned most,
		       const char *option)
{
	char *end, sentence[256];
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (!errno && *text >= '0' && *text <= '9' && !*end && value >= least && value <= most) {
		*number = value;
		return 0;
	}
	snprintf(sentence, sizeof(sentence), "--%s %.40s: give a number from %u to %u", option,
		 text, least, most);
	return complain(sentence);
}

static int option_read(struct command *c, int option)
{
	switch (option) {
	case 'k':
		c->vm.kernel = optarg;
		return 0;
	case 'o':
		c->output = optarg;
		return 0;
	case 'f':
		c->format = optarg;
		return 0;
	case 'm':
		c->vm.modules = optarg;
		return 0;
	case 'a':
		c->vm.append = optarg;
		return 0;
	case 'c':
		return number_read(&c->vm.cpus, optarg, 1, 255, "cpus");
	case 'M':
		return number_read(&c->vm.memory, optarg, 1, 1 << 20, "memory");
	case 't':
		return number_read(&c->vm.timeout, optarg, 1, 86400, "timeout");
	case OPTION_BISECT:
		c->bisect = true;
		return 0;
	case 'h':
		c->help = true;
		return 0;
	default:
		return complain("see rssck vm --help");
	}
}

static int command_check(struct command *c, char *why, size_t size)
{
	if (c->help)
		return 0;
	if (!c->vm.kernel)
		return complain("no kernel; give --kernel IMAGE, such as arch/x86/boot/bzImage");
	if (strcmp(c->format, "text") && strcmp(c->format, "json"))
		return complain("--format: give text or json");
	if (!c->output && !strcmp(c->format, "json"))
		c->output = "-";
	if (c->output && output_check(c->output, why, size))
		return complain(why);
	return 0;
}

static int command_read(struct command *c, int argc, char **argv, char *why, size_t size)
{
	int option;

	*c = (struct command){
		.vm = { .cpus = 2, .memory = 1024, .timeout = 300 },
		.format = "text",
	};
	/* whatever goes wrong with the usage, a bisect must hear 125 and not "bad" */
	for (int i = 1; i < argc; i++)
		c->bisect |= !strcmp(argv[i], "--bisect");
	optind = 1;
	while ((option = getopt_long(argc, argv, "k:o:f:m:a:c:M:t:h", long_options, NULL)) >= 0)
		if (option_read(c, option))
			return -1;
	c->vm.arguments = argv + optind;
	c->vm.nr_arguments = argc - optind;
	return command_check(c, why, size);
}

/* check inside has ended: hand on its results and its status. */
static int deliver(const struct command *c, const struct vm_outcome *out, char *why, size_t size)
{
	diagnose_complaints(out, why, size);
	if (why[0])
		fprintf(stderr, "rssck vm: %s: its kernel complained:\n%s", c->vm.kernel, why);
	if (WIFSIGNALED(out->status)) {
		snprintf(why, size,
			 "%s: check was killed by signal %d (%s) in the guest; give more "
			 "--memory, and report it if it comes back",
			 c->vm.kernel, WTERMSIG(out->status), strsignal(WTERMSIG(out->status)));
		complain(why);
		return TROUBLE;
	}
	if (c->output && out->json &&
	    output_write(c->output, out->json, out->json_length, why, size)) {
		complain(why);
		return TROUBLE;
	}
	if (!out->json && WEXITSTATUS(out->status) != TROUBLE) {
		complain("check ended without results; report this");
		return TROUBLE;
	}
	return WEXITSTATUS(out->status);
}

static int help(void)
{
	return fputs(usage_text, stdout) < 0 || fflush(stdout) ? TROUBLE : HOLDS;
}

static int run(struct command *c, char *why, size_t size)
{
	struct vm_outcome out;
	int status = TROUBLE;

	c->vm.text = c->output ? NULL : stdout;
	if (!vm_run(&c->vm, &out, why, size))
		status = deliver(c, &out, why, size);
	else
		complain(why);
	if (out.end == VM_SIGNAL && out.signal) {
		/* end as one whom the signal has ended: a shell, and git bisect, then stop as well
		 */
		signal(out.signal, SIG_DFL);
		raise(out.signal);
	}
	vm_outcome_free(&out);
	return status;
}

int cmd_vm(int argc, char **argv)
{
	struct command c = { .bisect = false };
	char *why = calloc(1, VM_WHY_SIZE);
	int status = TROUBLE;

	if (!why)
		complain("no memory");
	else if (!command_read(&c, argc, argv, why, VM_WHY_SIZE))
		status = c.help ? help() : run(&c, why, VM_WHY_SIZE);
	free(why);
	if (!c.bisect || status == HOLDS || status == FAILS)
		return status;
	return CANNOT_TELL;
}
