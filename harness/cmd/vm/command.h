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
	const char *run_options; /* of rssck run inside, words between spaces; or NULL */
	bool is_atlas;           /* `fuzz` is what rssck atlas shall be called with */
	const char *fuzz; /* what rssck fuzz shall be called with inside; NULL: check is run */
};

/*
 * Report what the guest's check has found, all of it or what there was when the
 * machine ended; `failed`: the sentence why it ended, or NULL. Returns the exit status.
 */
int vm_deliver(const struct vm_command *c, const struct vm_outcome *out, const char *failed);

#endif
