// SPDX-License-Identifier: MIT
/* The files of a node's hugetlb pool. */
#ifndef CASES_HUGETLB_NODE_H
#define CASES_HUGETLB_NODE_H

#include <rssck/case.h>

enum { NODE_FILE = 128 };

/* Writes the path of a file, such as "nr_hugepages", of the pool of huge pages of `bytes` bytes. */
static inline const char *node_file(int node, size_t bytes, const char *file, char path[NODE_FILE])
{
	snprintf(path, NODE_FILE, "/sys/devices/system/node/node%d/hugepages/hugepages-%zukB/%s",
		 node, bytes / 1024, file);
	return path;
}

/* Returns the number in such a file; `missing` if there is none. */
static inline int64_t node_number(int node, size_t bytes, const char *file, int64_t missing)
{
	char path[NODE_FILE];

	return workload_number(node_file(node, bytes, file, path), NULL, missing);
}

#endif
