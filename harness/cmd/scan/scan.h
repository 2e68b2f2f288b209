// SPDX-License-Identifier: MIT
/* The parts of rssck scan. */
#ifndef RSSCK_CMD_SCAN_H
#define RSSCK_CMD_SCAN_H

#include "cmd/line/command.h"
#include "machine/group.h"
#include "scan/audit/print.h"
#include "scan/census/census.h"
#include "scan/census/print.h"
#include "scan/files/detail.h"
#include "scan/files/print.h"

extern const struct command command_scan;

enum { WATCH_SECONDS = 2 };

struct scan_options {
	struct detail_wanted detail;
	bool all; /* --all, --user or --name: a census */
	struct census_wanted census;
	const char *group; /* the cgroup to scan; NULL: scan processes */
	enum group_kind group_kind;
	bool json, no_model, colour;
	double watch; /* seconds; 0: not */
};

/* State that is kept between processes. */
struct scanner_state {
	const struct scan_options *options;
	struct host host;
	struct measured measured;
	struct reader reader;
};

/* Audits one more process with its details, as text or as JSON. Returns an exit status. */
int scan_process(struct scanner_state *s, pid_t pid, json_t *list);

/* Prints what the audit of a process found. */
void scan_show_audit(const struct audit *a, const struct reading *p, const struct scanner_state *s);

/*
 * Finds the sharers of --sharers=FILE: stores them in root, or prints them if that is
 * NULL. Returns an exit status.
 */
int scan_file(const struct scanner_state *s, json_t *root);

/* Follows a process until it ends, or until Ctrl-C. */
int scan_watch(struct scanner_state *s, pid_t pid);

/* A cgroup. */
int scan_cgroup(const struct scanner_state *s);

/* Many processes. */
int scan_census(struct scanner_state *s);

/* The exit status of several: the most serious one. */
int scan_worse(int a, int b);

/* The exit status of a verdict. */
int scan_status(enum audit_verdict v);

#endif
