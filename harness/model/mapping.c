// SPDX-License-Identifier: MIT
/* Classifies mappings. */
#include <rssck/snapshot.h>
#include <string.h>

bool mapping_has_flag(const struct mapping *m, const char *flag)
{
	for (const char *p = m->flags; p[0] && p[1]; p += 3) {
		if (p[0] == flag[0] && p[1] == flag[1])
			return true;
		if (!p[2])
			break;
	}
	return false;
}

bool mapping_has_file(const struct mapping *m)
{
	return m->inode || m->dev_major || m->dev_minor;
}

/*
 * get_gate_vma() adds [vsyscall] to the output of maps and smaps, but it belongs to no mm_struct:
 * total_vm does not count it, and pagemap ends below it.
 */
bool mapping_is_gate(const struct mapping *m)
{
	return strcmp(m->name, "[vsyscall]") == 0;
}

static bool is_stack(const struct mapping *m)
{
	if (!m->flags[0])
		return strncmp(m->name, "[stack", 6) == 0;
	/* The kernel counts a shadow stack as stack, too (is_stack_mapping(), since 6.6). */
	return mapping_has_flag(m, "gd") || mapping_has_flag(m, "ss");
}

/*
 * Repeats the tests of vm_stat_account() in its order: exec_vm is executable, not writable and not
 * a stack; then stack_vm; data_vm is writable and not shared. The gate page is in none of them and
 * gets ACCOUNT_SPECIAL.
 */
enum account mapping_account(const struct mapping *m)
{
	if (mapping_is_gate(m))
		return ACCOUNT_SPECIAL;
	if (m->executable && !m->writable &&
	    !(m->flags[0] ? mapping_has_flag(m, "gd") : is_stack(m)))
		return ACCOUNT_EXEC;
	if (is_stack(m))
		return ACCOUNT_STACK;
	if (m->writable && !m->shared)
		return ACCOUNT_PRIVATE_WRITABLE;
	return ACCOUNT_OTHER;
}

int64_t mapping_on_node(const struct mapping *m, int node)
{
	for (unsigned i = 0; i < m->nr_nodes && i < NODES_KEPT; i++)
		if (m->on_node[i].node == node)
			return m->on_node[i].pages;
	return m->nr_nodes > NODES_KEPT ? -1 : 0;
}
