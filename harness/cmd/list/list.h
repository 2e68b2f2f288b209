// SPDX-License-Identifier: MIT
#ifndef RSSCK_CMD_LIST_H
#define RSSCK_CMD_LIST_H

#include "cmd/line/command.h"

/* rssck list, which rssck check --list is as well. */
extern const struct command command_list;

#endif
