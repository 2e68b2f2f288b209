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
	const char *run_options;  /* of rssck run inside, words between spaces; or NULL */
	const char *inside;       /* "fuzz", "atlas", "machine": what is run inside; NULL: check */
	const char *inside_words; /* its arguments, words between spaces */
};

/* True if rssck atlas is run inside. */
bool vm_is_atlas(const struct vm_command *c);

/*
 * Report what the guest's check has found, all of it or what there was when the
 * machine ended; `failed`: the sentence why it ended, or NULL. Returns the exit status.
 */
int vm_deliver(const struct vm_command *c, const struct vm_outcome *out, const char *failed);

#endif
