// SPDX-License-Identifier: MIT
/* A row of a tool or of a file that was pasted is recognised, and each column gets its number. */
#include "tests/explain/recorded_topics.h"

static const struct pasted *pasted(const struct query *q)
{
	if (q->kind != QUERY_ROW)
		fail_msg("this is no row: kind %d, %s", (int)q->kind, first_of(q));
	return &q->rows[0];
}

static const char *column(const struct pasted *p, const char *name)
{
	for (size_t i = 0; i < ROW_COLUMNS && p->row->of[i].name; i++)
		if (!strcmp(p->row->of[i].name, name))
			return p->value[i];
	fail_msg("%s has no column %s", p->row->title, name);
	return NULL;
}

TEST(each_column_of_a_row_gets_its_number)
{
	static const struct {
		const char *text, *title, *name, *value;
	} rows[] = {
		{ "Mem:  15Gi  3.1Gi  214Mi  1.2Gi  12Gi  11Gi", "A row Mem of free", "available",
		  "11Gi" },
		{ "Mem: 16044 15500 544 0 210 9100", "A row Mem of free before procps 3.3.10",
		  "cached", "9100" },
		{ "Mem: 24152 3534 9353 218 300 11529 20618", "A row Mem of free -w", "cache",
		  "11529" },
		{ "Mem: 24152 300 23500 2 352 23600", "A row Mem of free", "available", "23600" },
		{ "Swap:          8191        8190           1", "A row Swap of free", "used",
		  "8190" },
		{ "Total:  32236  11724  9354", "A row Total of free -t", "free", "9354" },
		{ "-/+ buffers/cache:       5816       2166",
		  "The row \"-/+ buffers/cache\" of free", "free", "2166" },
		{ "MiB Mem :  15895.4 total,    312.6 free,   9120.3 used,   6462.5 buff/cache",
		  "The line Mem of top", "used", "9120.3" },
		{ "KiB Swap:  2097148 total,   102400 free,  1994748 used.  3410236 avail Mem",
		  "The line Swap of top", "avail mem", "3410236" },
		{ "Mem:  16330716k total, 15895000k used,   435716k free,   209780k buffers",
		  "The line Mem of top", "buffers", "209780k" },
		{ "Swap:  2097148k total,   102400k used,  1994748k free,  8123412k cached",
		  "The line Swap of top", "cached", "8123412k" },
		{ "76829 root      20   0 95.3g  80g 1328 R 56.4 63.8  29424:59 redis-server",
		  "A row of top or htop", "RES", "80g" },
		{ " 12 root rt -20 1024 512 128 S 0.0 0.1 0:01.22 migration/0",
		  "A row of top or htop", "SHR", "128" },
		{ "vcap   154  0.1  1.5 1691384 510256 ?  Sl   Jun01   1:29 node app.js",
		  "A row of ps aux", "RSS", "510256" },
		{ "root 1 0.0 0.1 168 11 pts/0 Ss+ 10:23 0:02 /sbin/init", "A row of ps aux", "VSZ",
		  "168" },
		{ "4 S 0 1 0 0 80 0 - 9063 - ? 00:00:02 systemd", "A row of ps -l", "SZ", "9063" },
		{ "12:00:01 PM 1000 2143 2.97 0.00 3572 2640 0.01 pidstat", "A row of pidstat -r",
		  "RSS", "2640" },
		{ "24633 root timeout 0 152 274 1736", "A row of smem", "PSS", "274" },
		{ "181977088 57352941 64512000 0 106196992 3992 0", "The file mm_stat of zram",
		  "mem_used_total", "64512000" },
		{ "181977088 57352941 64512000 0 106196992 3992 0 17 18",
		  "The file mm_stat of zram", "huge_pages_since", "18" },
		{ "50.8 MiB +   5.1 MiB =  55.9 MiB       chrome (12)", "A row of ps_mem", "Shared",
		  "5.1 MiB" },
		{ "7f30e8000000-7f30e8600000 rw-p 00000000 00:00 0",
		  "A line of /proc/PID/maps, or the first line of a mapping in smaps", "size",
		  "6144 kB" },
		{ "55d1c0a5d000-55d1c0a7e000 rw-p 00000000 00:00 0   [heap]",
		  "A line of /proc/PID/maps, or the first line of a mapping in smaps", "name",
		  "heap" },
		{ "000055d1c0a5d000     132      16      12 rw---   [ anon ]", "A line of pmap -x",
		  "RSS", "16" },
		{ "00007f30e8000000   6144K rw---   [ anon ]", "A line of pmap", "size", "6144K" },
		{ "7f30e8000000 default anon=12 dirty=12 N0=8 N1=4 kernelpagesize_kB=4",
		  "A line of /proc/PID/numa_maps", "policy", "default" },
		{ "VmFlags: rd wr mr mw me nr", "The line VmFlags of smaps", "nr", "nr" },
		{ "2634 288 22 1 0 300 0", "/proc/PID/statm", "resident", "288" },
		{ "c137012d8af9 0.00% 495.2MiB / 64GiB 0.73% 24.6GB / 29.5GB 0B / 49.7GB 42",
		  "A row of docker stats", "MEM USAGE", "495.2MiB" },
		{ "c137 web-1 0.00% 495.2MiB/64GiB 0.73% 24.6GB / 29.5GB 0B / 49.7GB 42",
		  "A row of docker stats", "LIMIT", "64GiB" },
		{ "Memory: 15.9M (high: 512.0M max: 1.0G available: 496.0M peak: 16.4M swap: 2.1M)",
		  "The line Memory of systemctl status", "available", "496.0M" },
		{ "Memory: 3.9G (available: 21.2G peak: 5.4G)",
		  "The line Memory of systemctl status", "available", "21.2G" },
		{ "Memory: 15.9M (peak: 16.4M swap: 2.1M swap peak: 3M)",
		  "The line Memory of systemctl status", "swap peak", "3M" },
		{ "anon 734003200 file 4096 kernel 8192", "memory.stat of a cgroup", "file",
		  "4096" },
		{ " 2  0  0 9551268 134704 12128596  0 0 368 3614  614 1594 55 10 35  0  0",
		  "A row of vmstat", "cache", "12128596" },
		{ "r b swpd free inact active si so bi bo in cs us sy id wa st 2 0 7 9551268 11103928 3328080 0 0 368 3614 614 1594 55 10 35 0 0",
		  "A row of vmstat -a", "active", "3328080" },
		{ "07:29:33 9551412 21235200 2854652 11.54 134544 11557684 6947052 28.09 3327712 11102772 3588",
		  "A row of sar -r", "kbavail", "21235200" },
		{ "Average: 0 0 0.00 5 0.00", "A row of sar -S", "kbswpcad", "5" },
		{ "/dev/dm-1  partition\t2097148\t\t102400\t\t-2",
		  "A row of /proc/swaps or of swapon", "Used", "102400" },
		{ "/dev/zram0 lzo-rle 3.8G 1.2G 312M 330M 4 [SWAP]", "A row of zramctl", "TOTAL",
		  "330M" },
		{ "Node 0, zone   Normal   121 60 30 12 4 2 1 0 0 0 0", "A row of /proc/buddyinfo",
		  "order 0", "121" },
		{ "301002 300755  99%    0.04K   2951      102     11804K extent_status",
		  "A row of slabtop", "CACHE SIZE", "11804K" },
		{ "dentry 1234 2345 192 21 1 : tunables 0 0 0 : slabdata 111 111 0",
		  "A row of /proc/slabinfo", "objsize", "192" },
		{ "[ 12.345] [  21447]  1000 21447  2467908   995526  8622080  3  -998 java",
		  "A row of the OOM killer's table of tasks", "pgtables_bytes", "8622080" },
		{ "[  21447]  1000 21447  2467908  995526 995000 500 26 8622080 0  0 java",
		  "A row of the OOM killer's table of tasks", "rss_shmem", "26" },
		{ "4194304 pages RAM", "The line \"pages RAM\" of Mem-Info", "pages RAM",
		  "4194304" },
		{ "ZRAM: 20,608K physical used for 89,492K in swap ( 524,284K total swap)",
		  "The line ZRAM of dumpsys meminfo", "in swap", "89,492K" },
		{ "{ rss: 104857600, heapTotal: 73728000, heapUsed: 51000000, external: 1234 }",
		  "process.memoryUsage() of Node.js", "heapUsed", "51000000" },
		{ "{\"rss\":104857600,\"heapTotal\":73728000,\"heapUsed\":51000000}",
		  "process.memoryUsage() of Node.js", "heapTotal", "73728000" },
		{ "PAG | scan 171020 | steal 110338 | swout 24106 |", "The line PAG of atop",
		  "steal", "110338" },
		{ "pmem(rss=15491072, vms=84025344, shared=5206016, text=2555904, lib=0, data=9891840, dirty=0)",
		  "psutil's memory_info()", "vms", "84025344" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(query_free) struct query q = resolved(rows[i].text);
		const struct pasted *p = pasted(&q);

		assert_string_equal(p->row->title, rows[i].title);
		assert_string_equal(column(p, rows[i].name), rows[i].value);
	}
}

TEST(rows_below_their_heading_are_recognised_one_by_one)
{
	static const char text[] = "total used free shared buff/cache available "
				   "Mem: 15Gi 3.1Gi 214Mi 1.2Gi 12Gi 11Gi Swap: 8191 8190 1";
	OWNED(query_free) struct query q = resolved(text);
	const struct pasted *p = pasted(&q);

	assert_int_equal(q.nr_rows, 2);
	assert_string_equal(p[1].row->title, "A row Swap of free");
	assert_string_equal(column(&p[1], "total"), "8191");
}

TEST(a_row_of_an_unknown_shape_is_not_answered_by_a_word_of_it)
{
	static const char *const texts[] = {
		"21447 1000 21447 2467908 995526 8622080 java",
		"1 2 3 4 5 swap 6 7",
	};
	static const char *const sentences[] = {
		"why is swap 8191 of 8190 full",
		"Mem: 15Gi total but top says 12Gi",
		"memory 512",
		"top 10 linux commands",
		"rss 500mb cache 2gb",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		OWNED(query_free) struct query q = resolved(texts[i]);

		assert_true(q.kind == QUERY_NEAR || q.kind == QUERY_NONE);
	}
	for (size_t i = 0; i < sizeof(sentences) / sizeof(*sentences); i++) {
		OWNED(query_free) struct query q = resolved(sentences[i]);

		assert_int_not_equal(q.kind, QUERY_ROW);
	}
}

/* "anon 734003200" is a line of memory.stat, where "anon" alone has other meanings. */
TEST(a_name_and_bytes_are_a_line_of_memory_stat)
{
	OWNED(query_free) struct query anon = resolved("anon 734003200");
	OWNED(query_free) struct query shmem = resolved("shmem 12886016");

	assert_string_equal(anon.found.of[0].name, "memory.stat anon");
	assert_string_equal(shmem.found.of[0].name, "memory.stat shmem");
}

TEST(rows_refer_to_existing_names)
{
	size_t nr;
	const struct row *row = rows_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		for (const char *p = row[i].look_up; *p; p += strspn(p, ", ")) {
			size_t len = strcspn(p, ",");
			char name[128];

			snprintf(name, sizeof(name), "%.*s", (int)len, p);
			OWNED(query_free) struct query q = resolved(name);

			if (q.kind != QUERY_NAME)
				fail_msg("%s names '%s'", row[i].title, name);
			p += len;
		}
	}
}

TEST(a_number_of_the_kernels_log_is_decoded_in_a_sentence)
{
	static const struct {
		const char *text, *title, *name, *value;
	} rows[] = {
		{ "oom log \"pgtables:5432kB\"", "\"Killed process\"", "pgtables", "5432kB" },
		{ "UID:0 pgtables:5432kB oom_score_adj:-997", "\"Killed process\"", "oom_score_adj",
		  "-997" },
		{ "what does boost:0kB mean", "a memory zone", "boost", "0kB" },
		{ "oom report mapped:100", "Mem-Info", "mapped", "100" },
	};
	OWNED(query_free) struct query other = resolved("free: 12345 kB");

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(query_free) struct query q = resolved(rows[i].text);
		const struct pasted *p = pasted(&q);

		assert_non_null(strstr(p->row->title, rows[i].title));
		assert_string_equal(column(p, rows[i].name), rows[i].value);
	}
	assert_int_not_equal(other.kind, QUERY_ROW);
}
