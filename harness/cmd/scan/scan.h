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

struct scan_options {
	struct detail_wanted detail;
	bool all; /* --all, --user or --name: scan many processes */
	struct census_wanted census;
	const char *group; /* the cgroup to scan; NULL: scan processes */
	enum group_kind group_kind;
	bool json, no_model, colour;
	double watch; /* in seconds; 0: do not watch */
};

/* The state that is kept from process to process. */
struct scanner_state {
	const struct scan_options *options;
	struct host host;
	struct measured measured;
	struct reader reader;
};

/* Audits one more process with its details, as text or as JSON. Returns an exit status. */
int scan_process(struct scanner_state *s, pid_t pid, json_t *list);

void scan_show_audit(const struct audit *a, const struct reading *p, const struct scanner_state *s);

/*
 * Finds the sharers of --sharers=FILE. Stores them in root, or prints them if root is NULL. Returns
 * an exit status.
 */
int scan_file(const struct scanner_state *s, json_t *root);

/* Follows a process until it ends, or until Ctrl-C. Returns an exit status. */
int scan_watch(struct scanner_state *s, pid_t pid);

/* Scans a cgroup. Returns an exit status. */
int scan_cgroup(const struct scanner_state *s);

/* Scans many processes. Returns an exit status. */
int scan_census(struct scanner_state *s);

/*
 * Returns the more serious of two exit statuses: EXIT_TROUBLE before EXIT_FAILS, and EXIT_NOTHING
 * only if both are EXIT_NOTHING.
 */
int scan_worse(int a, int b);

int scan_status(enum audit_verdict v);

#endif
