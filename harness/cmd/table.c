// SPDX-License-Identifier: MIT
/* The table of commands. */
#include "cmd/atlas/atlas.h"
#include "cmd/bisect/bisect.h"
#include "cmd/check/check.h"
#include "cmd/demo/demo.h"
#include "cmd/fuzz/fuzz.h"
#include "cmd/list/list.h"
#include "cmd/machine/command.h"
#include "cmd/run/run.h"
#include "cmd/scan/scan.h"
#include "cmd/vm/command.h"
#include "commands.h"
#include <string.h>

const struct command *const commands[] = {
	&command_check, &command_list,    &command_explain, &command_compare,     &command_report,
	&command_scan,  &command_machine, &command_run,     &command_fuzz,        &command_atlas,
	&command_demo,  &command_vm,      &command_bisect,  &command_help_itself, NULL,
};

_Static_assert(sizeof(commands) / sizeof(*commands) <= COMMANDS_MAX, "no_command() has room");

const struct command *command_by_name(const char *name)
{
	for (const struct command *const *c = commands; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}
