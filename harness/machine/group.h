// SPDX-License-Identifier: MIT
/* The memory of one cgroup and those below it: memory.current, split into parts. */
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

/* A line of memory.stat, and the frames charged to the cgroup that it should count, in kB. */
struct group_line {
	const char *name;
	int64_t says, frames, late;
	int off; /* number of successive readings that were off in the same direction, negative for
		  * below */
	bool have;
};

enum { GROUP_LINES = 14, GROUP_PROCESSES = 20 };

/* A process of the cgroup, in kB. */
struct group_process {
	pid_t pid;
	char name[32];
	int64_t rss, pss, unique, swap;
};

struct memory_group {
	char folder[1024];
	bool v1;
	uint64_t *inodes; /* owned, sorted: inodes of the cgroup and of all below it */
	size_t nr, room;
	int64_t current, limit, swap, swap_limit; /* in kB; limit -1: there is none */
	bool limit_of_both;                       /* the limit is of memory and swap together */
	int64_t stock;                            /* the most that the CPUs may have charged in
						   * advance */
	int64_t part[GROUP_PARTS];
	bool frames; /* frames were read; otherwise everything is from memory.stat */
	struct group_line line[GROUP_LINES];
	unsigned readings;
	int64_t inactive_file, dirty, unevictable, oom_kills, dying;
	struct group_process of[GROUP_PROCESSES]; /* the largest */
	size_t nr_processes;
	pid_t *pids; /* owned: all of them */
	size_t pids_room;
	struct group_process all;
	struct memory_holders
		holders; /* files that its processes have open or mapped, HELD_CACHE */
	struct oom oom;  /* the last kill in it */
	bool was_killed; /* the kernel's log has one */
};

/*
 * Finds a cgroup: by its folder, or by a path below the mount; a systemd unit, a container or a
 * pod by the name of its folder. Returns 0, or -1 with a sentence in `why`.
 */
enum group_kind { GROUP_BY_PATH, GROUP_BY_UNIT, GROUP_BY_CONTAINER, GROUP_BY_POD };
int memory_group_find(struct memory_group *g, enum group_kind kind, const char *word, char *why,
		      size_t size);

/*
 * memory_group_read() reads it until its lines agree with the frames, or three readings do
 * not. Returns 0 or -1.
 */
int memory_group_read(struct memory_group *g, struct machine_reader *m, char *why, size_t size);
void memory_group_free(struct memory_group *g);

/* The number of its lines that are wrong: off in the same direction at each of three readings. */
size_t memory_group_wrong(const struct memory_group *g);

/* The number that docker and kubectl show: memory.current without inactive_file. */
int64_t memory_group_working_set(const struct memory_group *g);

/* "page_tables" in JSON, "page tables" for people. */
const char *group_part_name(enum group_part p);
const char *group_part_words(const struct memory_group *g, enum group_part p);

/* The name of the file with the charge: memory.current, or memory.usage_in_bytes of v1. */
const char *group_usage_file(const struct memory_group *g);

/* Prints the result. Returns 0, or -1 with errno. */
int memory_group_text(const struct memory_group *g, FILE *out);
json_t *memory_group_json(const struct memory_group *g);

#endif
