// SPDX-License-Identifier: MIT
/*
 * The ids of the bugs of history.def. Only files that name a bug include this header, so that a new
 * row compiles few files.
 */
#ifndef RSSCK_BUG_ID_H
#define RSSCK_BUG_ID_H

#define BUG(id, ...) BUG_##id,
enum bug_id {
	BUG_NONE,
#include <rssck/history.def>
	BUG_COUNT,
};
#undef BUG

#endif
