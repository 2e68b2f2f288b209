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
	const char *run_options; /* options for rssck run in the guest, words separated by spaces;
				  * or NULL */
	const char
		*inside; /* the guest's command: "fuzz", "atlas" or "machine"; NULL: check or run */
	const char *inside_words; /* the command's arguments, words separated by spaces */
};

bool vm_is_atlas(const struct vm_command *c);

/*
 * Reports the guest's results: all, or those until the machine ended. `failed` is the reason why it
 * ended, or NULL. Returns the exit status.
 */
int vm_deliver(const struct vm_command *c, const struct vm_outcome *out, const char *failed);

#endif
