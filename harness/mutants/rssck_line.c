// SPDX-License-Identifier: GPL-2.0
/*
 * This file is copied into mm/. It changes one number in the text of a file of /proc, /sys or a
 * cgroup while the kernel prints it, so that lines.py can find out which case reads that number. No
 * number of the kernel itself is changed: the next case starts from true ones.
 *
 * The parameter rssck_line.change is "PATH LABEL HOW [ONLY]", or empty:
 *
 *   PATH   the file's type of file system and its path there, with at most one *: proc:/meminfo,
 *          proc:/#/smaps (# stands for a number), cgroup2:*memory.stat
 *   LABEL  the word before the number; _ stands for a space; - for the first number, 5: for the
 *          fifth word
 *   HOW    x2, 0, or +4: what the number becomes, unless it is 0
 *   ONLY   the record (a mapping, a zone, a line) must contain this; _ stands for a space
 *
 * The parameter rssck_line.flip is "SITE KIND FLIP WITH WITHOUT", or empty: in the words that SITE
 * of hooks.py prints for a mapping of KIND (-1: any) that have all bits of WITH and none of
 * WITHOUT, the bits of FLIP are inverted. The last three are hexadecimal.
 *
 * If rssck_line.trace is 1, each file that is read is written once to QEMU's isa-debugcon: its
 * name, and one record. A file whose records are a line each has all of them written. Setting the
 * parameter again begins anew.
 */
#include <linux/ctype.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/hugetlb.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rssck_line.h>
#include <linux/seq_file.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>

enum { PORT = 0x5e8, SEEN = 4096, RECORD = 8192, NAME = 512, NUMBER = 24 };

static char change[NAME];
static char words[NAME];
static char *path, *label, *how, *only;
static bool active;
static bool trace;
static u32 seen[SEEN];
static DEFINE_SPINLOCK(lock);

static char *spaced(char *word)
{
	if (word && word[1])
		strreplace(word, '_', ' ');
	return word;
}

static int change_set(const char *value, const struct kernel_param *kp)
{
	char *rest = words;

	active = false;
	strscpy(change, value, sizeof(change));
	strim(change);
	strscpy(words, change, sizeof(words));
	path = strsep(&rest, " ");
	label = rest ? strsep(&rest, " ") : NULL;
	how = rest ? strsep(&rest, " ") : NULL;
	only = spaced(rest);
	active = how && *how;
	return 0;
}

static int trace_set(const char *value, const struct kernel_param *kp)
{
	memset(seen, 0, sizeof(seen));
	return param_set_bool(value, kp);
}

static struct {
	int site, kind;
	u64 flip, with, without;
	char text[NAME];
} flip;

static int flip_set(const char *value, const struct kernel_param *kp)
{
	flip.site = 0;
	strscpy(flip.text, value, sizeof(flip.text));
	if (sscanf(value, "%d %d %llx %llx %llx", &flip.site, &flip.kind, &flip.flip, &flip.with,
		   &flip.without) != 5)
		flip.site = 0;
	return 0;
}

static const struct kernel_param_ops flip_ops = { .set = flip_set, .get = param_get_string };
static struct kparam_string flip_string = { .maxlen = sizeof(flip.text), .string = flip.text };
static const struct kernel_param_ops change_ops = { .set = change_set, .get = param_get_string };
static struct kparam_string change_string = { .maxlen = sizeof(change), .string = change };
static const struct kernel_param_ops trace_ops = { .set = trace_set, .get = param_get_bool };

module_param_cb(change, &change_ops, &change_string, 0644);
module_param_cb(flip, &flip_ops, &flip_string, 0644);
module_param_cb(trace, &trace_ops, &trace, 0644);

/* The file's name: its numbers are written as #, unless they are part of a word. */
static bool name_of(struct seq_file *m, char *name)
{
	char *buf = kmalloc(PATH_MAX, GFP_KERNEL), *from, *to = name;
	bool after_word = false;

	if (!buf)
		return false;
	from = m->file ? dentry_path_raw(m->file->f_path.dentry, buf, PATH_MAX) : ERR_PTR(-EINVAL);
	if (!IS_ERR(from))
		to += scnprintf(name, NAME / 2, "%s:", m->file->f_inode->i_sb->s_type->name);
	for (; !IS_ERR(from) && *from && to < name + NAME - 1; from++) {
		if (!isdigit(*from) || after_word)
			*to++ = *from;
		else if (to[-1] != '#')
			*to++ = '#';
		after_word = isalpha(*from) || (after_word && (isdigit(*from) || *from == '-'));
	}
	*to = '\0';
	kfree(buf);
	return to > name;
}

/* A record that is one line, and begins with a word, is known by that word, others by the file. */
static u32 key_of(const char *name, const char *record, size_t len)
{
	const char *end = memchr(record, '\n', len);
	size_t word = 0;

	if (isalpha(*record) && (!end || end == record + len - 1))
		word = strcspn(record, ": =\t\n");
	return (full_name_hash(NULL, name, strlen(name)) ^
		(word ? full_name_hash(name, record, word) : 0)) |
	       1;
}

static void put(const char *text, size_t len)
{
	for (; len; len--, text++)
		outb(*text == '\n' ? '\r' : *text, PORT);
}

static void tell(const char *name, const char *record, size_t len)
{
	u32 key = key_of(name, record, len), *place = &seen[hash_32(key, 12)];

	spin_lock(&lock);
	if (*place != key) {
		*place = key;
		put("f", 1);
		put(name, strlen(name));
		put("\t", 1);
		put(record, min(len, (size_t)RECORD));
		outb('\n', PORT);
	}
	spin_unlock(&lock);
}

static bool is_path(const char *name)
{
	const char *star = strchr(path, '*');
	size_t before = star ? star - path : 0, after = star ? strlen(star + 1) : 0,
	       len = strlen(name);

	if (!star)
		return !strcmp(name, path);
	return len >= before + after && !strncmp(name, path, before) &&
	       !strcmp(name + len - after, star + 1);
}

static bool is_label(const char *at, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (at[i] != label[i] && !(label[i] == '_' && at[i] == ' '))
			return false;
	return true;
}

/* The first character of the number, or NULL. */
static char *number_in(char *at, char *end)
{
	size_t len = strlen(label);
	int word = 0;
	char *c;

	if (label[len - 1] == ':' && isdigit(*label)) {
		word = simple_strtol(label, NULL, 10);
		for (c = at; c < end; c++)
			if (!isspace(*c) && (c == at || isspace(c[-1])) && !--word)
				return isdigit(*c) ? c : NULL;
		return NULL;
	}
	if (!strcmp(label, "-")) {
		for (c = at; c < end; c++)
			if (isdigit(*c))
				return c;
		return NULL;
	}
	for (c = at; c + len < end; c++) {
		if ((c > at && !isspace(c[-1])) || !is_label(c, len) || !strchr(":= \t", c[len]))
			continue;
		for (c += len; c < end && *c != '\n'; c++)
			if (isdigit(*c))
				return c;
		return NULL;
	}
	return NULL;
}

static u64 changed(u64 n)
{
	if (!strcmp(how, "x2"))
		return 2 * n;
	return n && *how == '+' ? n + simple_strtoull(how + 1, NULL, 10) : 0;
}

static void replace(struct seq_file *m, char *at)
{
	char text[NUMBER], *end;
	u64 n = simple_strtoull(at, &end, 10);
	size_t was = end - at, is = scnprintf(text, sizeof(text), "%llu", changed(n));

	if (m->count + is - was >= m->size) {
		m->count = m->size;
		return;
	}
	memmove(at + is, end, m->buf + m->count - end);
	memcpy(at, text, is);
	m->count += is - was;
}

int rssck_show(struct seq_file *m, void *p)
{
	size_t from = m->count;
	int error = m->op->show(m, p);
	char *name, *at;

	if ((!trace && !active) || error || m->count <= from || m->count >= m->size)
		return error;
	name = kmalloc(NAME, GFP_KERNEL);
	if (!name || !name_of(m, name))
		goto out;
	m->buf[m->count] = '\0';
	if (trace)
		tell(name, m->buf + from, m->count - from);
	if (!active || !is_path(name))
		goto out;
	if (only && !strnstr(m->buf + from, only, m->count - from))
		goto out;
	at = number_in(m->buf + from, m->buf + m->count);
	if (at)
		replace(m, at);
out:
	kfree(name);
	return error;
}

int rssck_kind(const struct vm_area_struct *vma)
{
	if (!vma)
		return RSSCK_NO_MAPPING;
	if (is_vm_hugetlb_page(vma))
		return RSSCK_HUGETLB;
	if (vma_is_shmem((struct vm_area_struct *)vma))
		return RSSCK_SHMEM;
	return vma->vm_file ? RSSCK_FILE : RSSCK_ANONYMOUS;
}

static bool is_flipped(u64 word, int site, int kind)
{
	return site == flip.site && (kind == flip.kind || flip.kind < 0) &&
	       (word & flip.with) == flip.with && !(word & flip.without);
}

void *rssck_word(void *word, int site, int kind)
{
	u64 *w = word;

	if (unlikely(flip.site) && is_flipped(*w, site, kind))
		*w ^= flip.flip;
	return word;
}

void rssck_bytes(unsigned char *from, unsigned char *to, int site, int kind)
{
	for (; unlikely(flip.site) && from < to; from++)
		if (is_flipped(*from, site, kind))
			*from ^= flip.flip;
}
