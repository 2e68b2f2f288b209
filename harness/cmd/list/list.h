// SPDX-License-Identifier: MIT
#ifndef RSSCK_CMD_LIST_H
#define RSSCK_CMD_LIST_H

#include "cmd/line/command.h"

/* rssck list, which is also rssck check --list. */
extern const struct command command_list;

#endif
