// SPDX-License-Identifier: MIT
/* The parts of rssck vm. */
#ifndef RSSCK_CMD_VM_H
#define RSSCK_CMD_VM_H

#include "cmd/line/command.h"
#include "vm/vm.h"

extern const struct command command_vm;

struct vm_command {
	struct vm_options vm;
	const char *output; /* NULL: stdout */
	enum option_format format;
	bool format_given, bisect;
	const char
		*run_options; /* options of rssck run inside, words separated by spaces; or NULL */
	const char *inside;   /* the command that runs inside: "fuzz", "atlas", "machine"; NULL:
			       * check */
	const char *inside_words; /* its arguments, words separated by spaces */
};

/* True if rssck atlas runs inside. */
bool vm_is_atlas(const struct vm_command *c);

/*
 * Reports the results of the guest's check: all of them, or those until the machine
 * ended. `failed`: why it ended, as a sentence, or NULL. Returns the exit status.
 */
int vm_deliver(const struct vm_command *c, const struct vm_outcome *out, const char *failed);

#endif
