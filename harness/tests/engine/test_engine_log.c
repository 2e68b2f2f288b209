// SPDX-License-Identifier: MIT
/* Which process a kernel warning is about, determined from records as /dev/kmsg returns them. */
#include "engine/log/log.h"
#include "tests/support/test.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

/* Several records as read from /dev/kmsg, and the process that they are about. */
struct text {
	const char *name;
	const char *records[12];
	enum { NOBODYS, OF_OTHERS, COUNTS } is;
};

static const struct text texts[] = {
	{ "an mm dropped with counters that are not zero",
	  { "1,1037,52714213,-;BUG: Bad rss-counter state mm:00000000f7e3b0c5 type:MM_ANONPAGES "
	    "val:1" },
	  COUNTS },
	{ "the same of 6.18, which names the process",
	  { "1,1038,52714219,-;BUG: Bad rss-counter state mm:ffff8881034d8000 type:MM_FILEPAGES "
	    "val:-7 Comm:rssck-workload Pid:1234" },
	  COUNTS },
	{ "the same of a process that is not ours: the kernel has lost count",
	  { "1,1038,52714219,-;BUG: Bad rss-counter state mm:ffff8881034d8000 type:MM_SWAPENTS "
	    "val:2 Comm:firefox Pid:99" },
	  COUNTS },
	{ "the same with a time of its own",
	  { "1,1037,52714213,c;[   52.714213] BUG: Bad rss-counter state mm:0 type:MM_SWAPENTS "
	    "val:1" },
	  COUNTS },
	{ "page tables left over",
	  { "1,413,9124,-;BUG: non-zero pgtables_bytes on freeing mm: 4096" },
	  COUNTS },
	{ "a bad entry in a page table",
	  { "1,411,9124,-;BUG: Bad page map in process oom_reaper  pte:6353826300000000 "
	    "pmd:00000000",
	    "1,412,9124,-;addr:00007f50cab1d000 vm_flags:08100073 anon_vma:ffff9eea335603f0 "
	    "mapping:0000000000000000 index:7f50cab1d",
	    "4,413,9124,-;CPU: 2 PID: 1001 Comm: oom_reaper", "4,414,9124,-;Call Trace:",
	    "4,415,9124,-; <TASK>", "4,416,9124,-; unmap_page_range+0x1068/0x1130" },
	  COUNTS },
	{ "a bad page",
	  { "1,420,9124,-;BUG: Bad page state in process udevadm  pfn:46c479",
	    "0,421,9124,-;page:ffffea000f7afa78 refcount:-2 mapcount:0 mapping:0000000000000000 "
	    "index:0x0",
	    "4,422,9124,-;page dumped because: nonzero _refcount" },
	  COUNTS },
	{ "a bad entry above the last level",
	  { "3,5,9,-;mm/pgtable-generic.c:39: bad pud "
	    "0000000201325801." },
	  COUNTS },
	{ "a swap entry that there is not",
	  { "3,5,9,-;get_swap_device: Bad swap file entry 3800000000000" },
	  COUNTS },
	{ "VM_BUG_ON_PAGE() with a user's page",
	  { "4,30,9,-;page: refcount:1 mapcount:-1 mapping:0000000000000000 index:0x0 pfn:0x81a09",
	    "4,31,9,-;page dumped because: VM_BUG_ON_PAGE(page_mapcount(page) < 0)",
	    "4,32,9,-;------------[ cut here ]------------",
	    "2,33,9,-;kernel BUG at include/linux/mm.h:1042!" },
	  COUNTS },
	{ "a BUG() in rmap", { "2,33,9,-;kernel BUG at mm/rmap.c:1283!" }, COUNTS },
	{ "a WARN_ON() where page tables are torn down",
	  { "4,610,81,-;------------[ cut here ]------------",
	    "4,611,81,-;WARNING: CPU: 1 PID: 99 at mm/memory.c:1520 zap_pte_range+0x6f1/0x9a0",
	    "4,612,81,-;Modules linked in: nls_ascii nls_cp437 vfat fat",
	    "4,613,81,-;CPU: 1 PID: 99 Comm: bash Not tainted 6.1.0-18-amd64 #1  Debian 6.1.76-1",
	    "4,614,81,-;---[ end trace 0000000000000000 ]---" },
	  COUNTS },
	{ "the same as 6.18 words it",
	  { "4,611,81,-;WARNING: mm/page_counter.c:60 at page_counter_cancel+0x3e/0x60, CPU#1: "
	    "kworker/1:2/99" },
	  COUNTS },
	{ "an oops in a function of them",
	  { "1,412,9124,-;BUG: unable to handle page fault for address: ffffc900001c7ff8",
	    "1,413,9124,-;#PF: supervisor read access in kernel mode",
	    "4,414,9124,-;Oops: 0000 [#1] PREEMPT SMP NOPTI",
	    "4,415,9124,-;CPU: 0 PID: 1 Comm: systemd Not tainted 6.12.43 #1",
	    "4,416,9124,-;RIP: 0010:smaps_pte_range+0x1c1/0x4a0" },
	  COUNTS },
	{ "KASAN in a function of them",
	  { "3,500,9124,-;BUG: KASAN: slab-use-after-free in zap_pte_range+0x1/0x2" },
	  COUNTS },
	{ "a driver's warning, our process named",
	  { "4,10,9,-;------------[ cut here ]------------",
	    "4,11,9,-;WARNING: CPU: 1 PID: 99 at drivers/block/virtio_blk.c:511 "
	    "virtio_queue_rq+0x6f1/0x9a0",
	    "4,12,9,-;Modules linked in:",
	    "4,13,9,-;CPU: 1 UID: 0 PID: 99 Comm: rssck-workload Not tainted 6.12.43 #1" },
	  OF_OTHERS },
	{ "the same as 6.18 words it",
	  { "4,11,9,-;WARNING: drivers/block/virtio_blk.c:511 at virtio_queue_rq+0x6f1/0x9a0, "
	    "CPU#1: rssck-workload/99" },
	  OF_OTHERS },
	{ "lockdep, our process named in a line below",
	  { "4,611,81,-;WARNING: possible circular locking dependency detected",
	    "4,612,81,-;6.12.43 #1 Not tainted",
	    "4,613,81,-;------------------------------------------------------",
	    "4,614,81,-;rssck-workload/1234 is trying to acquire lock:" },
	  COUNTS },

	{ "a network driver's timeout",
	  { "4,10,9,-;------------[ cut here ]------------",
	    "6,11,9,-;NETDEV WATCHDOG: eth0 (e1000e): transmit queue 0 timed out 5120 ms",
	    "4,12,9,-;WARNING: CPU: 1 PID: 0 at net/sched/sch_generic.c:525 "
	    "dev_watchdog+0x21a/0x220",
	    "4,13,9,-;Modules linked in: e1000e rssck",
	    "4,14,9,-;CPU: 1 PID: 0 Comm: swapper/1 Not tainted 6.1.0-18-amd64 #1",
	    "4,15,9,-;RIP: 0010:dev_watchdog+0x21a/0x220", "4,16,9,-;Call Trace:",
	    "4,17,9,-; ? zap_pte_range+0x1/0x2", "4,18,9,-;---[ end trace 0000000000000000 ]---" },
	  OF_OTHERS },
	{ "ext4 whose disk is full",
	  { "4,9,9,-;EXT4-fs warning (device vda1): ext4_dx_add_entry:2599: Directory (ino: 14) "
	    "index full, reach max htree level :2",
	    "4,10,9,-;------------[ cut here ]------------",
	    "4,11,9,-;WARNING: CPU: 0 PID: 317 at fs/ext4/inode.c:3628 "
	    "ext4_dirty_folio+0x6b/0x80 [ext4]",
	    "4,12,9,-;Workqueue: writeback wb_workfn (flush-254:0)",
	    "4,13,9,-;CPU: 0 PID: 317 Comm: kworker/u4:3 Tainted: G        W" },
	  OF_OTHERS },
	{ "a driver that asks for too much memory",
	  { "4,11,9,-;WARNING: CPU: 0 PID: 1 at mm/page_alloc.c:4738 __alloc_pages+0x2d1/0x330",
	    "4,12,9,-;CPU: 0 PID: 1 Comm: modprobe Not tainted 6.1.0-18-amd64 #1" },
	  OF_OTHERS },
	{ "an oops of somebody else's",
	  { "1,412,9124,-;BUG: kernel NULL pointer dereference, address: 0000000000000008",
	    "4,415,9124,-;CPU: 0 PID: 812 Comm: Xorg Tainted: P           OE",
	    "4,416,9124,-;RIP: 0010:nvkm_vmm_unmap_region+0x11/0x90 [nouveau]" },
	  OF_OTHERS },
	{ "a path that ends like one of the memory code",
	  { "4,11,9,-;WARNING: CPU: 0 PID: 1 at drivers/gpu/drm/mm/memory.c:47 f+0x2d1/0x330" },
	  OF_OTHERS },
	{ "two complaints at once: the second one's process is not the first one's",
	  { "4,11,9,-;WARNING: CPU: 0 PID: 1 at kernel/irq/handle.c:161 f+0x2d1/0x330",
	    "4,12,9,-;---[ end trace 0000000000000000 ]---",
	    "6,13,9,-;process: CPU: 1 PID: 99 Comm: rssck-workload" },
	  OF_OTHERS },
	{ "somebody's mistake, and then our process reaches the limit of its cgroup",
	  { "4,11,9,-;BUG: y[306]: segfault at 7f0fc2a4c000 ip 000055770a61588b error 6 in y[d588b]",
	    "4,12,9,-;rssck-workload invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0",
	    "4,13,9,-;CPU: 0 UID: 0 PID: 307 Comm: rssck-workload Not tainted 7.2.13 #1" },
	  OF_OTHERS },
	{ "somebody's line of warning, and then our process meets a guard page or no memory",
	  { "4,11,9,-;Speculative Return Stack Overflow: WARNING: See https://kernel.org/doc/",
	    "4,12,9,-;GUP no longer grows the stack in rssck-workload (15284): 7f65-7f66 (7f64)",
	    "4,13,9,-;CPU: 0 UID: 0 PID: 15284 Comm: rssck-workload Not tainted 6.18.44 #1",
	    "4,14,9,-;WARNING: CPU: 0 PID: 1 at kernel/irq/handle.c:161 f+0x2d1/0x330",
	    "4,15,9,-;rssck-workload: page allocation failure: order:9, mode:0x40cc0(GFP_KERNEL)",
	    "4,16,9,-;CPU: 0 UID: 0 PID: 15284 Comm: rssck-workload Not tainted 6.18.44 #1" },
	  OF_OTHERS },
	{ "a starved guest, while our process ran",
	  { "0,11,9,-;watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [rssck-workload:1234]",
	    "4,12,9,-;CPU: 0 PID: 1234 Comm: rssck-workload Not tainted 6.1.0-18-amd64 #1",
	    "4,13,9,-;RIP: 0010:smaps_pte_range+0x1c1/0x4a0" },
	  OF_OTHERS },
	{ "lockdep about others",
	  { "4,612,81,-;WARNING: possible circular locking dependency detected" },
	  OF_OTHERS },

	{ "a hung task",
	  { "3,11,9,-;INFO: task kworker/u4:3:317 blocked for more than 120 seconds.",
	    "3,12,9,-;      Not tainted 6.1.0-18-amd64 #1",
	    "3,13,9,-;\"echo 0 > /proc/sys/kernel/hung_task_timeout_secs\" disables this message." },
	  NOBODYS },
	{ "somebody else killed for want of memory",
	  { "4,800,99,-;stress invoked oom-killer: gfp_mask=0x140dca(GFP_HIGHUSER_MOVABLE), order=0",
	    "4,801,99,-;CPU: 1 PID: 99 Comm: stress Not tainted 6.1.0-18-amd64 #1",
	    "3,802,99,-;Out of memory: Killed process 99 (stress) total-vm:1kB, anon-rss:1kB" },
	  NOBODYS },
	{ "harmless lines",
	  { "6,339,1853421,-;EXT4-fs (vda1): mounted filesystem with ordered data mode",
	    "5,1,0,-;Linux version 6.12.43+deb13-amd64 (debian-kernel@lists.debian.org)",
	    "4,90,120,-;[Firmware Bug]: TSC doesn't count with P0 frequency!",
	    "6,800,99,-;usb 1-1: DEBUG: state 3", "7,801,99,-;e1000DEBUG: link up",
	    "6,803,99,-;process 'rssck-workload' launched '/bin/false' with NULL argv",
	    "6,804,99,-;rssck-workload (26785): drop_caches: 1", "", ";", "4,90,120" },
	  NOBODYS },
	/*
	 * Programs may write to /dev/kmsg, too; only the kernel's own lines have facility 0
	 * (LOG_KERN).
	 */
	{ "what programs write",
	  { "12,804,99,-;systemd[1]: WARNING: made-up.service: Unit has no description",
	    "30,805,99,-;cloud-init[400]: BUG: this is what a program says",
	    "12,806,99,-;somebody: Bad rss-counter state, he wrote" },
	  NOBODYS },
};

/* A log that returns one record per read, like /dev/kmsg. */
struct log {
	int write_to, read_from;
};

static struct log log_made(void)
{
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair), 0);
	return (struct log) { pair[0], pair[1] };
}

static void say(const struct log *l, const char *record)
{
	assert_int_equal(write(l->write_to, record, strlen(record)), (long)strlen(record));
}

static void log_close(const struct log *l)
{
	close(l->write_to);
	close(l->read_from);
}

TEST(a_warning_counts_if_it_is_about_accounting_or_the_workload)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct log l = log_made();
		struct log_news news;

		for (size_t k = 0; k < 12 && texts[i].records[k]; k++)
			if (texts[i].records[k][0])
				say(&l, texts[i].records[k]);
		log_read(l.read_from, 0, &news);
		if ((texts[i].is == COUNTS) != (news.complaint[0] != '\0') ||
		    (texts[i].is == OF_OTHERS) != (news.nr_others > 0))
			fail_msg("%s: counted: \"%s\", %u about other processes: \"%s\"",
				 texts[i].name, news.complaint, news.nr_others, news.others);
		log_close(&l);
	}
}

/*
 * PIDs in warnings are those of the initial PID namespace, so in a container (leader 0) they are
 * not used.
 */
TEST(a_warning_with_the_PID_of_the_leader_counts)
{
	static const char *const oops[] = {
		"1,412,9124,-;BUG: kernel NULL pointer dereference, address: 0000000000000008",
		"4,415,9124,-;CPU: 0 PID: 812 Comm: true Not tainted",
	};
	struct complaint c = { .open = false };

	for (pid_t leader = 811; leader <= 813; leader++) {
		for (size_t i = 0; i < 2; i++)
			complaint_take(&c, oops[i], leader);
		assert_int_equal(c.about, leader == 812 ? COMPLAINT_OURS : COMPLAINT_OTHERS);
	}
	complaint_take(&c, oops[0], 0);
	complaint_take(&c, "4,415,9124,-;CPU: 0 PID: 0 Comm: swapper/0", 0);
	assert_int_equal(c.about, COMPLAINT_OTHERS);
}

TEST(the_first_warning_is_reported_without_its_prefix)
{
	struct log l = log_made();
	struct log_news news;

	say(&l, "6,339,1853421,-;EXT4-fs (vda1): mounted filesystem with ordered data mode");
	say(&l, "4,8,9,-;WARNING: CPU: 0 PID: 1 at drivers/x.c:1\n");
	say(&l, "1,7,9,-;BUG: Bad rss-counter state mm:1 type:MM_ANONPAGES val:1\n SUBSYSTEM=x\n");
	say(&l, "1,7,9,-;BUG: Bad rss-counter state mm:1 type:MM_ANONPAGES val:2\n");
	say(&l, "4,8,9,-;WARNING: CPU: 0 PID: 1 at drivers/y.c:1\n");
	log_read(l.read_from, 0, &news);
	assert_string_equal(news.complaint,
			    "BUG: Bad rss-counter state mm:1 type:MM_ANONPAGES val:1");
	assert_string_equal(news.others, "WARNING: CPU: 0 PID: 1 at drivers/x.c:1");
	assert_int_equal(news.nr_others, 2);
	log_close(&l);
}

TEST(a_pointer_in_a_warning_is_masked)
{
	struct complaint c = { .open = false };

	complaint_take(&c, texts[0].records[0], 0);
	assert_string_equal(c.line, "BUG: Bad rss-counter state mm:* type:MM_ANONPAGES val:1");
}

TEST(a_warning_is_reported_once)
{
	struct log l = log_made();
	struct log_news news;

	say(&l, texts[0].records[0]);
	log_read(l.read_from, 0, &news);
	assert_true(news.complaint[0]);
	log_read(l.read_from, 0, &news);
	assert_false(news.complaint[0]);
	say(&l, "5,1,0,-;Linux version 6.12.43+deb13-amd64");
	log_read(l.read_from, 0, &news);
	assert_false(news.complaint[0]);
	log_close(&l);
}

/* The line that names the process may arrive while the log is read. */
TEST(the_rest_of_a_warning_is_awaited)
{
	struct log l = log_made();
	struct log_news news;
	pid_t child;

	say(&l, "4,11,9,-;WARNING: CPU: 0 PID: 1 at kernel/irq/handle.c:161 f+0x2d1/0x330");
	child = fork();
	if (!child) {
		nanosleep(&(struct timespec) { .tv_nsec = 50000000 }, NULL);
		say(&l, "4,12,9,-;CPU: 0 PID: 1 Comm: rssck-workload Not tainted");
		_exit(0);
	}
	log_read(l.read_from, 0, &news);
	waitpid(child, NULL, 0);
	assert_true(news.complaint[0]);
	log_close(&l);
}

TEST(a_long_line_is_truncated)
{
	struct log l = log_made();
	struct log_news news;
	char record[2000] = "1,7,9,-;BUG: Bad rss-counter state ";

	memset(record + strlen(record), 'x', sizeof(record) - strlen(record) - 1);
	record[sizeof(record) - 1] = '\0';
	say(&l, record);
	log_read(l.read_from, 0, &news);
	assert_int_equal(strlen(news.complaint), COMPLAINT_LINE - 1);
	log_close(&l);
}

TEST(an_unreadable_log_contains_no_warning)
{
	struct log_news news;
	int directory = open("/", O_RDONLY | O_DIRECTORY);

	log_read(-1, 0, &news);
	assert_false(news.complaint[0] || news.nr_others);
	log_read(directory, 0, &news);
	assert_false(news.complaint[0] || news.nr_others);
	close(directory);
}
