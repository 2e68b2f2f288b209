// SPDX-License-Identifier: MIT
/*
 * Double entry for pages on a swap file and on a swap disk, which the kernel writes asynchronously
 * (machine/ledger uses the machine's swap, in guests mostly zram).
 */
#include "swap_file.h"
#include "swap_loads.h"

STEP_SYMBOLS(ON_FILE, ON_DISK);

enum { LOADS_IN_AREA = 8 };

static bool is_area_file;

/* Also runs when the area has been turned off already. */
static void remove_area(void)
{
	swapoff(load_area.name);
	if (is_area_file)
		unlink(load_area.name);
}

static bool is_swap_disk(const struct workload *w, int fd)
{
	char magic[SWAP_MAGIC];

	return pread(fd, magic, SWAP_MAGIC, (off_t)w->page_size - SWAP_MAGIC) == SWAP_MAGIC &&
	       !memcmp(magic, "SWAPSPACE2", SWAP_MAGIC) &&
	       !strstr(ledger_slurp("/proc/swaps"), load_area.name);
}

static bool find_disk(const struct workload *w)
{
	DIR *disks = opendir("/sys/block");
	const struct dirent *e;
	bool found = false;

	while (disks && !found && (e = readdir(disks))) {
		int fd;

		if (*e->d_name == '.' || !strncmp(e->d_name, "zram", 4))
			continue;
		snprintf(load_area.name, sizeof(load_area.name), "/dev/%.100s", e->d_name);
		fd = open(load_area.name, O_RDWR | O_CLOEXEC | O_EXCL);
		found = fd >= 0 && is_swap_disk(w, fd) &&
			swap_area_write(w, fd, lseek(fd, 0, SEEK_END));
		close(fd);
	}
	if (disks)
		closedir(disks);
	return found;
}

/* Reads the ledger and, as one more line, the used pages of the area that the kernel uses first. */
static void read_with_area(const struct workload *w, struct ledger *l)
{
	static const struct ledger_file f = { .place = "area", .unit = LEDGER_KB };
	const char *at;
	int64_t used;

	ledger_read(w, l);
	at = strstr(ledger_slurp("/proc/swaps"), load_area.name);
	if (at && sscanf(at, "%*s %*s %*d %" SCNd64, &used) == 1)
		ledger_add(w, l, &f, "used", used);
}

static void take_and_give_back(struct workload *w)
{
	static const struct load nothing = { .name = "nothing" };
	bool file = w->argument == ON_FILE, made;
	char name[WORKLOAD_NAME];
	struct ledgers *b;
	int64_t taken;
	struct workload_guard g;

	ledger_needs_room(w);
	load_area.flags = SWAP_FLAG_PREFER | SWAP_PRIORITY;
	is_area_file = file;
	if (file)
		snprintf(load_area.name, sizeof(load_area.name), "/ext4/%s",
			 workload_name(w, name));
	else if (!find_disk(w))
		workload_skip_step(w, "a spare swap disk");
	/*
	 * Forks the guard before the ledgers exist, because two processes share memory until one
	 * writes it.
	 */
	g = workload_guard_begin(w, remove_area);
	b = ledgers_open(w, read_with_area);
	made = !file || swap_file_make(w, load_area.name, LOADS_IN_AREA);
	if (!made || swapon(load_area.name, load_area.flags)) {
		workload_guard_end(w, &g);
		munmap(b, sizeof(*b));
		workload_skip_step(w, "a swap area on %s", load_area.name);
	}
	ledger_enter(w);
	b->events = true;
	take(w, &nothing, b);
	taken = swap_loads_take(w, b);
	workload_cgroup_leave(w);
	ledgers_close(w, b, taken);
	workload_guard_end(w, &g);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported_or(t, ON_FILE, "loads", SWAP_LOADS) <= SWAP_LOADS / 2)
		judge_skip(
			j,
			"a machine that can page out more than half of the kinds of memory to a swap file");
	if (trial_reported_or(t, ON_DISK, "loads", SWAP_LOADS) <= SWAP_LOADS / 2)
		judge_skip(
			j,
			"a machine that can page out more than half of the kinds of memory to a swap disk");
}

CASE(machine_swap_areas) {
	.claim =
		"If a swap file or a swap disk has the highest priority, paging out raises the area's Used in /proc/swaps and the same counters as with zram; freeing the memory lowers Used and the page counts again",
	.because =
		"__swap_writepage() has a path of its own for each kind of area. Each must count what it writes: pswpout, thp_swpout, nr_written.",
	.said_by = SAID_BY("swapon(2)", "Documentation/filesystems/proc.rst, meminfo"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.limit_s = 240,
	.steps = STEPS(STEP_AS(ON_FILE, "page out to a file", take_and_give_back,
			       .argument = ON_FILE, .checks = 1),
		       STEP_AS(ON_DISK, "page out to a disk", take_and_give_back,
			       .argument = ON_DISK, .checks = 1)),
	.judge = judge,
};
