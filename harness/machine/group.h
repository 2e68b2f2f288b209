// SPDX-License-Identifier: MIT
/* The memory of a cgroup and the cgroups below it: splits memory.current into parts. */
#ifndef RSSCK_MACHINE_GROUP_H
#define RSSCK_MACHINE_GROUP_H

#include "holders.h"
#include "oom.h"
#include "reading.h"
#include <jansson.h>
#include <stdio.h>
#include <sys/types.h>

enum group_part {
	GROUP_ANON,
	GROUP_ANON_UNMAPPED,
	GROUP_CACHE_MAPPED,
	GROUP_CACHE_UNMAPPED,
	GROUP_SHMEM_MAPPED,
	GROUP_SHMEM_UNMAPPED,
	GROUP_PGTABLE,
	GROUP_STACKS,
	GROUP_VMALLOC,
	GROUP_SLAB,
	GROUP_PERCPU,
	GROUP_SOCK,
	GROUP_HUGETLB,
	GROUP_OTHER, /* frames without a flag: pipes, rings, drivers */
	GROUP_STOCK, /* charged in advance for CPUs, or unexplained */
	GROUP_PARTS,
};

/* A line of memory.stat, with the frames of the cgroup that the line should count, in kB. */
struct group_line {
	const char *name;
	int64_t says, frames, late;
	int off; /* number of successive readings that were off in the same direction; negative: the
		  * line was too low */
	bool have;
	bool moved; /* the difference exceeds `late`, but too few readings were off to call the line
		     * wrong */
};

enum { GROUP_LINES = 14, GROUP_PROCESSES = 20 };

/* A process of the cgroup; sizes in kB. */
struct group_process {
	pid_t pid;
	char name[32];
	int64_t rss, pss, unique, swap;
	bool unread; /* another user's process: pss and unique are unknown, rss and swap are those
		      * of status */
};

struct memory_group {
	char folder[1024];
	bool v1;
	uint64_t *inodes; /* owned, sorted: inodes of the cgroup and of all cgroups below it */
	size_t nr;
	int64_t current, limit, swap, swap_limit; /* in kB; a limit is -1 if there is none */
	int64_t machine_swap;                     /* SwapTotal, in kB */
	bool limit_of_both;                       /* the limit is for the sum of memory and swap */
	/*
	 * The cgroup above with the least room below its limit, if this is less than the room
	 * of the cgroup itself; "": none.
	 */
	char above[1024];
	int64_t above_current, above_limit;
	int64_t current_least, current_most; /* smallest and largest memory.current, in kB */
	bool moves;    /* memory.current, or a line of memory.stat, changed by more than `stock` */
	int64_t stock; /* the most that CPUs may have charged in advance, in kB */
	int64_t part[GROUP_PARTS];
	bool frames; /* page frames were read; false: the parts are from files of the cgroup */
	struct group_line line[GROUP_LINES];
	unsigned readings;
	int64_t tables;    /* the sum of VmPTE of all processes, in kB; 0 without page frames */
	bool upper_tables; /* GROUP_OTHER may include page tables of upper levels */
	int64_t kernel;    /* all kernel memory; 0: memory.stat does not say */
	int64_t inactive_file, dirty, unevictable, oom_kills, dying;
	struct group_process of[GROUP_PROCESSES]; /* the processes with the largest Pss, or the
						   * largest Rss where Pss is unread */
	size_t nr_processes;
	pid_t *pids; /* owned: the PIDs of all processes */
	struct group_process all;
	size_t unread; /* number of processes that are `unread`; `all` lacks their pss and unique */
	struct memory_holders
		holders; /* files that the processes have open or mapped (HELD_CACHE) */
	struct oom oom;  /* the last OOM kill in the cgroup */
	bool was_killed; /* `oom` is set: the kernel log has a kill */
};

/*
 * Finds a cgroup by its folder or by its path relative to the mount point. Finds a systemd unit, a
 * container or a pod by the name of its folder: the one whose whole name is `word`, or else the
 * only one that matches. Returns 0, or -1 with a sentence in `why`.
 */
enum group_kind { GROUP_BY_PATH, GROUP_BY_UNIT, GROUP_BY_CONTAINER, GROUP_BY_POD };
int memory_group_find(struct memory_group *g, enum group_kind kind, const char *word, char *why,
		      size_t size);

/*
 * Repeats the reading until each line agrees with the frames or is wrong, and the parts add up to
 * memory.current; at most eight times, and for at most about two seconds if the cgroup's memory
 * changes. Without page frames there is one reading. Returns 0, or -1 with a sentence in `why`.
 */
int memory_group_read(struct memory_group *g, struct machine_reader *m, char *why, size_t size);
void memory_group_free(struct memory_group *g);

/*
 * For kernels that count only the lower levels of page tables: moves the others that VmPTE counts
 * from GROUP_OTHER to GROUP_PGTABLE.
 */
void memory_group_add_tables(struct memory_group *g);

/* Returns memory.current in kB, or -1. */
int64_t memory_group_current(const struct memory_group *g, struct text *t);

/* True if the parts and memory.current are from different moments, so they cannot be compared. */
bool memory_group_is_blurred(const struct memory_group *g);

/*
 * Returns the number of wrong lines, which were off in the same direction at three or more
 * successive readings.
 */
size_t memory_group_wrong(const struct memory_group *g);

/* Returns the kB that docker stats and kubectl top show: memory.current minus inactive_file. */
int64_t memory_group_working_set(const struct memory_group *g);

/*
 * group_part_name() returns "page_tables" for JSON; group_part_words() returns "page tables" for
 * people. The words depend on the version of the cgroup, and on what could be read.
 */
const char *group_part_name(enum group_part p);
const char *group_part_words(const struct memory_group *g, enum group_part p);

/* Returns the name of the file: memory.current, or memory.usage_in_bytes of v1. */
const char *group_usage_file(const struct memory_group *g);

/* Prints the result. Returns 0, or -1 with errno. */
int memory_group_text(const struct memory_group *g, FILE *out);
json_t *memory_group_json(const struct memory_group *g);

#endif
