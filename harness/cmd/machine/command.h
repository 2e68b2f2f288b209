// SPDX-License-Identifier: MIT
#ifndef RSSCK_CMD_MACHINE_H
#define RSSCK_CMD_MACHINE_H

#include "cmd/line/command.h"

extern const struct command command_machine;

#endif
