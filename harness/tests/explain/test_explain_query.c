// SPDX-License-Identifier: MIT
/* explain answers the questions that people put to it, and the answer comes first. */
#include "tests/explain/recorded_topics.h"

/* Prints a failure and returns 1. The test continues, so that every failure is printed. */
__attribute__((format(printf, 1, 2))) static size_t say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprint_error(format, args);
	va_end(args);
	print_error("\n");
	return 1;
}

TEST(typical_queries_are_resolved)
{
	static const struct {
		const char *asked;
		enum query_kind kind;
		const char *first; /* the topic, the question or the release that is meant */
	} rows[] = {
		{ "docker stats", QUERY_NAME, "docker stats" },
		{ "docker stats --no-stream", QUERY_NAME, "docker stats" },
		{ "bpf map memory", QUERY_NAME, "BPF maps" },
		{ "/proc/vmstat pgmajfault", QUERY_NAME, "memory.stat pgmajfault" },
		{ "perf ring buffer memory", QUERY_SPELLING, "perf ring buffer" },
		{ "zramctl DATA", QUERY_NAME, "orig_data_size" },
		{ "shared memory size docker default 64mb", QUERY_QUESTION,
		  "How large is /dev/shm in a container?" },
		{ "container exited with 137", QUERY_QUESTION, "What does exit code 137 mean?" },
		{ "kubectl top", QUERY_NAME, "working set of a container" },
		{ "container_memory_working_set_bytes", QUERY_NAME, "working set of a container" },
		{ "container_memory_rss", QUERY_NAME, "container_memory_rss" },
		{ "memory.current", QUERY_NAME, "memory.current" },
		{ "memory.stat", QUERY_NAME, "memory.stat" },
		{ "file_mapped", QUERY_NAME, "file_mapped" },
		{ "memory.numa_stat", QUERY_NAME, "memory.numa_stat" },
		{ "vm.panic_on_oom", QUERY_NAME, "panic_on_oom" },
		{ "numa_pte_updates", QUERY_NAME, "numa_hint_faults" },
		{ "OOMKilled", QUERY_NAME, "OOMKilled" },
		{ "free -m", QUERY_NAME, "free" },
		{ "available", QUERY_NAME, "MemAvailable" },
		{ "MemAvailable", QUERY_NAME, "MemAvailable" },
		{ "buffers", QUERY_NAME, "Buffers" },
		{ "cached", QUERY_NAME, "Cached" },
		{ "caches", QUERY_NAME, "Cached" },
		{ "Slab", QUERY_NAME, "Slab" },
		{ "Committed_AS", QUERY_NAME, "Committed_AS" },
		{ "heap", QUERY_NAME, "heap" },
		{ "stack", QUERY_NAME, "stack" },
		{ "stacks", QUERY_NAME, "stack" },
		{ "zram", QUERY_NAME, "zram" },
		{ "vmstat", QUERY_NAME, "vmstat" },
		{ "ps aux", QUERY_NAME, "ps aux" },
		{ "/proc/PID/smaps", QUERY_NAME, "/proc/PID/smaps" },
		{ "/proc/1234/smaps", QUERY_NAME, "/proc/PID/smaps" },
		{ "/proc/self/status", QUERY_NAME, "/proc/PID/status" },
		{ "smaps_rollup", QUERY_NAME, "/proc/PID/smaps_rollup" },
		{ "/proc/meminfo", QUERY_NAME, "/proc/meminfo" },
		{ "time -v", QUERY_NAME, "/usr/bin/time -v" },
		{ "systemd-cgtop", QUERY_NAME, "systemd-cgtop" },
		{ "memory leak", QUERY_NAME, "memory leak" },
		{ "threads", QUERY_NAME, "thread" },
		{ "numa", QUERY_NAME, "NUMA" },
		{ "lru", QUERY_NAME, "LRU" },
		{ "fragmentation", QUERY_NAME, "fragmentation" },
		{ "why was my process killed", QUERY_QUESTION, "Why was a process killed?" },
		{ "why was my container killed", QUERY_QUESTION, "What kills a container?" },
		{ "oom", QUERY_NAME, "OOM" },
		{ "top", QUERY_NAME, "top" },
		{ "top RES", QUERY_NAME, "top RES" },
		{ "what is SHR?", QUERY_NAME, "top SHR" },
		{ "what does VmRSS mean", QUERY_NAME, "status.VmRSS" },
		{ "dirty pages", QUERY_NAME, "dirty" },
		{ "proportional-set-size", QUERY_NAME, "PSS" },
		{ "jvm", QUERY_NAME, "JVM memory" },
		{ "load average", QUERY_NAME, "CPU" },
		{ "6.1", QUERY_KERNEL, "6.1" },
		{ "linux 6.12.43", QUERY_KERNEL, "6.12.43" },
		{ "v7.2", QUERY_KERNEL, "7.2" },
		{ "4.19.0-27-amd64", QUERY_KERNEL, "4.19.0-27-amd64" },
		{ "VmRRS", QUERY_SPELLING, "status.VmRSS" },
		{ "MemAvailible", QUERY_SPELLING, "MemAvailable" },
		{ "dokcer stats", QUERY_SPELLING, "docker stats" },
		{ "why is rss larger than the heap", QUERY_QUESTION,
		  "Why is RSS larger than the heap?" },
		{ "why do top and ps differ?", QUERY_QUESTION, "Why do top and ps disagree?" },
		{ "why does rss not fall after free", QUERY_QUESTION,
		  "Why does RSS not fall after free()?" },
		{ "what kills a container", QUERY_QUESTION, "What kills a container?" },
		{ "how much memory does my program use", QUERY_QUESTION,
		  "How much memory does a process use?" },
		{ "why is my memory so high", QUERY_QUESTION, "Where has the memory gone?" },
		{ "the PSS of a quiet Tuesday", QUERY_NEAR, "PSS" },
		{ "VmHWM vs VmPeak", QUERY_WORDS, "status.VmHWM" },
		{ "nonsense", QUERY_NONE, "nothing" },
		{ "xyzzy plugh", QUERY_NONE, "nothing" },
		{ "?", QUERY_NONE, "nothing" },
		{ "", QUERY_NONE, "nothing" },
	};

	size_t wrong = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(query_free) struct query q = resolved(rows[i].asked);
		const char *first = q.kind == QUERY_KERNEL ? q.release : first_of(&q);

		if (q.kind != rows[i].kind || strcmp(first, rows[i].first))
			wrong += say("'%s': kind %d, '%s'", rows[i].asked, (int)q.kind, first);
	}
	assert_int_equal(wrong, 0);
}

/* Questions that people typed into trackers and search boxes, and the row that answers each. */
TEST(typical_questions_get_the_answer_about_their_subject)
{
	static const struct {
		const char *asked, *first; /* the text of the question, or the name of the topic */
	} rows[] = {
		{ "Memory leak - rss keep increasing", "Is it a memory leak?" },
		{ "Node.js process rss keeps rising when heapUsed/heapTotal does not (native memory leak)?",
		  "Why does node's RSS grow when its heap does not?" },
		{ "high rss and steady and low heap usage", "Why is RSS larger than the heap?" },
		{ "Why is the RSS getting bigger and bigger and everything else stable?",
		  "Is it a memory leak?" },
		{ "RSS grows all the time, what is the cause?", "Is it a memory leak?" },
		{ "HTOP \"free mem\" value differs from value reported by TOP and FREE",
		  "Why do htop, top and free show different used memory?" },
		{ "\"htop\" is showing different ram usage compare to \"top\"",
		  "Why do htop, top and free show different used memory?" },
		{ "document how htop calculates used/free memory values",
		  "Why do htop, top and free show different used memory?" },
		{ "M_PSS is bugged and zero", "Why is smaps or smaps_rollup not readable?" },
		{ "What include in metric container_memory_working_set_bytes",
		  "What is in container_memory_working_set_bytes?" },
		{ "kubelet counts active page cache against memory.available",
		  "How does the kubelet calculate memory.available?" },
		{ "container_memory_working_set_bytes includes cached memory",
		  "What is in container_memory_working_set_bytes?" },
		{ "Metric container_memory_working_set_bytes includes slab reclaimable memory",
		  "What is in container_memory_working_set_bytes?" },
		{ "Docker stats memory doesn't include tmpfs usage",
		  "What does docker stats subtract?" },
		{ "Docker stats memory usage is misleading", "What does docker stats subtract?" },
		{ "calculateMemUsageUnixNoCache: subtract total_inactive_file, not cache",
		  "What does docker stats subtract?" },
		{ "Node memory usage on cgroupv2 reported higher than cgroupv1",
		  "Why is container memory higher on cgroup v2 than on v1?" },
		{ "Higher Java Process RSS than Heap,stack Footprint",
		  "Why is RSS larger than the heap?" },
		{ "runtime: Go RSS memory does not decrease, memory not returned to OS",
		  "Why does Go's RSS not fall?" },
		{ "runtime: provide way to disable MADV_FREE", "Does LazyFree count in RSS?" },
		{ "subtract LazyFree from the RSS", "Does LazyFree count in RSS?" },
		{ "summing-up pss over a set of processes far exceeds the used memory",
		  "Does the sum of PSS equal the used memory?" },
		{ "mem_fragmentation_ratio is too high",
		  "What does redis's mem_fragmentation_ratio mean?" },
		{ "ARC not accounted as MemAvailable in /proc/meminfo",
		  "What does ZFS's ARC count as?" },
		{ "ARC is counted separately from buff/cache - why ?",
		  "What does ZFS's ARC count as?" },
		{ "RAM usage inside and outside container don't match",
		  "Why does a container see the memory of the host?" },
		{ "/proc/meminfo changed to the host's value",
		  "Why does a container see the memory of the host?" },
		{ "High virtual memory usage for each WebAssembly module",
		  "Why is VIRT so large?" },
		{ "VIRT memory on Linux at >80GB+", "Why is VIRT so large?" },
		{ "why the bbolt occupy so big memory space ?",
		  "Why is a database's mapped file in RSS?" },
		{ "Why the SHR field is so huge?", "What is SHR?" },
		{ "Linux: memoryUsage().peak include the parent's peak RSS",
		  "Why is ru_maxrss or the peak that of the parent?" },
		{ "Possible bug in PSS and RSS memory measurement bigger PSS than RSS",
		  "Can PSS be larger than RSS?" },
		{ "CommitLimit", "meminfo.CommitLimit" },
		{ "KReclaimable", "meminfo.KReclaimable" },
		{ "Mlocked vs Unevictable",
		  "What is the difference between Mlocked and Unevictable?" },
		{ "VmallocUsed 0", "VmallocUsed" },
		{ "SecPageTables", "meminfo.SecPageTables" },
		{ "HugePages_Free + HugePages_Rsvd > HugePages_Total",
		  "Why are HugePages_Free + HugePages_Rsvd more than HugePages_Total?" },
		{ "workingset_refault_anon", "memory.stat workingset_refault_anon" },
		{ "pgscan_kswapd", "memory.stat pgscan_kswapd" },
		{ "slab_reclaimable", "memory.stat slab_reclaimable" },
		{ "anon_thp", "memory.stat anon_thp" },
		{ "sock memory.stat", "memory.stat sock" },
		{ "kernel_stack in memory.stat", "memory.stat kernel_stack" },
		{ "hierarchical_memory_limit 9223372036854771712", "hierarchical_memory_limit" },
		{ "memory.kmem.usage_in_bytes", "memory.kmem" },
		{ "memory.failcnt", "memory.failcnt" },
		{ "memory.max_usage_in_bytes vs memory.peak",
		  "What is the difference between memory.max_usage_in_bytes and memory.peak?" },
		{ "memory.memsw.limit_in_bytes", "memory.memsw.limit_in_bytes" },
		{ "memory.pressure some avg10", "What do some, full and avg10 of PSI mean?" },
		{ "VIRT vs RES vs SHR", "What are VIRT, RES and SHR?" },
		{ "buff vs cache", "What is the difference between buffers and cache?" },
		{ "memory.max vs memory.high",
		  "What is the difference between memory.max and memory.high?" },
		{ "docker stats vs top", "Why do docker stats and top disagree?" },
		{ "pgmajfault vs pgfault",
		  "What is the difference between pgfault and pgmajfault?" },
		{ "Dirty Writeback WritebackTmp", "Dirty" },
		{ "Hugetlb vs HugePages_Total", "meminfo.Hugetlb" },
		{ "HugetlbPages in status counted in VmRSS", "status.HugetlbPages" },
		{ "memory.usage_in_bytes", "memory.usage_in_bytes" },
		{ "vmstat.pgfault", "memory.stat pgfault" },
		{ "MemFree vs MemAvailable",
		  "What is the difference between MemFree and MemAvailable?" },
		{ "free used vs meminfo", "What are the columns of free?" },
		{ "usage_in_bytes not exactly rss + cache on many cpus",
		  "How does memory.usage_in_bytes of cgroup v1 differ from rss + cache?" },
		{ "systemd-oomd used memory computed from MemFree or MemAvailable",
		  "How does systemd-oomd compute used memory?" },
		{ "postgres 15 how to see number of huge pages needed for shared memory",
		  "How many huge pages does PostgreSQL need for its shared memory?" },
		{ "shared in free", "shmem" },
		{ "shmem vs shared memory",
		  "What is the difference between Shmem and shared memory?" },
		{ "zram vs zswap", "What is the difference between zram and zswap?" },
		{ "thp vs hugetlb",
		  "What is the difference between transparent huge pages and hugetlb?" },
		{ "AnonPages vs Active(anon)+Inactive(anon)",
		  "Why do Active(anon) + Inactive(anon) differ from AnonPages?" },
		{ "Mapped vs Cached", "What is the difference between Mapped and Cached?" },
		{ "Cached less than Shmem", "Why is shared memory in Cached?" },
		{ "ps aux RSS unit", "In which unit is ru_maxrss?" },
		{ "/proc/pid/statm units", "In which unit is statm?" },
		{ "KB or KiB in /proc/meminfo", "Which unit does /proc/meminfo have?" },
		{ "what does 1.2g mean in top RES", "In which unit are top's columns?" },
		{ "top %MEM how calculated", "How is %MEM calculated?" },
		{ "ps drs trs", "ps drs" },
		{ "htop M_PRIV", "htop M_PRIV" },
		{ "htop M_TRS M_DRS", "htop CODE" },
		{ "htop purple bar", "How does htop calculate used memory?" },
		{ "vmstat si so", "vmstat" },
		{ "vmstat b column", "vmstat b" },
		{ "sar %commit over 100",
		  "Why is Committed_AS or %commit larger than the memory?" },
		{ "why is linux using all my ram", "Why does Linux use all my memory?" },
		{ "how much memory is a process really using",
		  "How much memory does a process use?" },
		{ "why sum of RSS bigger than total memory",
		  "Why is the sum of RSS larger than the memory?" },
		{ "why is swap used when ram is free", "Why is swap used though memory is free?" },
		{ "how to see swap per process", "How much swap does each process use?" },
		{ "swap not freed after process ends",
		  "Why is swap still used after the process has ended?" },
		{ "can I use swapoff -a", "Is it safe to run swapoff -a?" },
		{ "does RSS include page cache", "Does RSS count mapped files?" },
		{ "is tmpfs counted as cache", "Why is shared memory in Cached?" },
		{ "does memory limit include page cache",
		  "Does a memory limit include page cache?" },
		{ "why pod OOMKilled but memory usage low",
		  "Why was it OOMKilled though its memory usage was low?" },
		{ "exit code 137 no OOMKilled", "What does exit code 137 mean?" },
		{ "Out of memory: Killed process 1234 (java) total-vm:8123456kB, anon-rss:4012345kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:8888kB oom_score_adj:0",
		  "What does the line \"Out of memory: Killed process\" say?" },
		{ "Memory cgroup out of memory: Killed process 31 (node)",
		  "What does \"Memory cgroup out of memory: Killed process\" mean?" },
		{ "oom-kill:constraint=CONSTRAINT_MEMCG",
		  "What does the line \"oom-kill:constraint=\" say?" },
		{ "exit code 137 oomkilled false", "Why is OOMKilled false with exit code 137?" },
		{ "exit code 137 but OOMKilled is false",
		  "Why is OOMKilled false with exit code 137?" },
		{ "kubernetes memory limit 500m meaning",
		  "What do the suffixes m, M and Mi of a Kubernetes memory limit mean?" },
		{ "invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999",
		  "What does \"invoked oom-killer: gfp_mask, order, oom_score_adj\" mean?" },
		{ "page allocation failure: order:4",
		  "What does \"page allocation failure: order\" mean?" },
		{ "total-vm oom", "total-vm" },
		{ "pgtables_bytes oom", "pgtables_bytes" },
		{ "swapents", "swapents" },
		{ "fork: Cannot allocate memory",
		  "What does \"fork: Cannot allocate memory\" mean?" },
		{ "mmap failed: Cannot allocate memory but free shows plenty",
		  "Why does mmap(2) or malloc(3) fail with \"Cannot allocate memory\" though memory is free?" },
		{ "java.lang.OutOfMemoryError: unable to create native thread",
		  "What does \"unable to create native thread\" mean?" },
		{ "postgres memory usage top RES shared_buffers counted multiple times",
		  "Why does each PostgreSQL backend show the shared buffers?" },
		{ "chrome memory total of all processes",
		  "What do all processes of a program take together?" },
		{ "python process memory not released after del",
		  "Why does a Python process keep its memory after del?" },
		{ "jvm committed vs used vs rss", "JVM: committed, used or RSS?" },
		{ "GOMEMLIMIT vs container limit",
		  "How do GOMEMLIMIT and a container's limit go together?" },
		{ "jemalloc retained", "jemalloc" },
		{ "nvidia gpu memory in RSS?", "Is GPU memory in RSS?" },
		{ "qemu kvm rss bigger than guest memory",
		  "Why is a QEMU process larger or smaller than its guest?" },
		{ "memory missing not used by any process", "Where has the memory gone?" },
		{ "drop_caches safe?", "Is it safe to drop caches?" },
		{ "vm.swappiness 0", "What does vm.swappiness=0 do?" },
		{ "ksm pages_sharing pss", "Does KSM lower PSS?" },
		{ "wat is buff/cahce", "buff/cache" },
		{ "page fault major minor", "Major or minor fault?" },
		{ "used memory zombie process", "Does a zombie use memory?" },
		{ "thread memory /proc/pid/task/tid/status VmRSS same",
		  "Does a thread have memory of its own?" },
		{ "memory usage percent of container",
		  "How is a container's memory percentage calculated?" },
		{ "container_memory_rss vs memory.stat rss",
		  "How do the RSS of processes and the memory.current of a container differ?" },
		{ "container_memory_failcnt", "memory.failcnt" },
		{ "process_virtual_memory_max_bytes 18446744073709551615", "RLIMIT_AS" },
		{ "PSI full avg60", "PSI some" },
		{ "free inside docker shows host memory",
		  "Why does a container see the memory of the host?" },
		{ "smaps_rollup permission denied", "Why is smaps or smaps_rollup not readable?" },
		{ "RSS 0 kernel threads", "Why do kernel threads show no RSS?" },
		{ "oom killer killed process with less memory", "How does the OOM killer choose?" },
		{ "memory.current bigger than sum of RSS",
		  "How do the RSS of processes and the memory.current of a container differ?" },
		{ "memory.current after all processes exit",
		  "Why is memory still charged after all processes have ended?" },
		{ "deleted cgroup still charged dying",
		  "Why is memory still charged after all processes have ended?" },
		{ "lowest memory limit parent cgroup",
		  "Which limit counts if a parent cgroup has a lower one?" },
	};
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(query_free) struct query q = resolved(rows[i].asked);
		const char *first = q.kind == QUERY_NEAR ? "nothing" : first_of(&q);

		if (strcmp(first, rows[i].first))
			wrong += say("'%s' is answered by '%s'", rows[i].asked, first);
	}
	assert_int_equal(wrong, 0);
}

TEST(the_relation_of_two_numbers_is_found)
{
	static const struct {
		const char *asked;
		bool is;
	} rows[] = {
		{ "is KernelStack in VmallocUsed", true },
		{ "Mapped vs Shmem", true },
		{ "why is VmHWM bigger than VmRSS", true },
		{ "difference between SReclaimable and SUnreclaim", true },
		{ "zswap counted in swap used", true },
		{ "page cache pages not in USS", true },
		{ "statm.resident vs status.VmRSS", true },
		{ "memory.stat slab vs memory.current", true },
		{ "AnonHugePages vs MemTotal", true },
		{ "VmPeak vs Slab", false },
	};
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(query_free) struct query q = resolved(rows[i].asked);

		if ((q.kind == QUERY_WORDS && q.relation[0]) != rows[i].is)
			wrong += say("'%s': kind %d", rows[i].asked, (int)q.kind);
	}
	assert_int_equal(wrong, 0);
}

TEST(a_question_about_a_unit_is_answered_with_the_unit)
{
	static const struct {
		const char *asked;
		bool is;
	} rows[] = {
		{ "is memory.current kB or bytes", true },   { "VmLck unit", true },
		{ "memory.stat anon in bytes or kb", true }, { "HugePages_Total unit", true },
		{ "status.VmRSS in kB or KiB", true },       { "memory.events units", false },
		{ "memory.numa_stat unit", false },          { "memory.stat unit", false },
		{ "hugetlb.2MB.events unit", false },        { "VmLck", false },
	};
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(query_free) struct query q = resolved(rows[i].asked);

		if ((q.unit[0] != '\0') != rows[i].is)
			wrong += say("'%s': '%s'", rows[i].asked, q.unit);
	}
	assert_int_equal(wrong, 0);
}

static void assert_unanswered(const char *const *asked, size_t nr)
{
	size_t wrong = 0;

	for (size_t i = 0; i < nr; i++) {
		OWNED(query_free) struct query q = resolved(asked[i]);

		if (q.kind != QUERY_NONE && q.kind != QUERY_NEAR)
			wrong += say("'%s' is answered by '%s'", asked[i], first_of(&q));
	}
	assert_int_equal(wrong, 0);
}

TEST(questions_about_other_subjects_are_not_answered)
{
	static const char *const rows[] = {
		"how to install docker",
		"kubernetes pod pending insufficient memory",
		"mysql too many connections",
		"thread pool exhausted",
		"cache miss rate cpu",
		"redis eviction policy",
		"top 10 linux commands",
		"fork a github repository",
		"how to free disk space",
		"swap two variables in c",
		"page not found 404",
		"heap sort algorithm",
		"stack overflow recursion limit",
		"rss feed reader",
		"windows task manager memory commit",
		"macos memory pressure",
		"freebsd wired memory",
		"disable the swap cache",
		"set memory limit docker compose",
		"kill process using port 8080",
		"browser cache clear",
		"dns cache flush",
		"npm cache clean",
		"shared library not found",
		"git fork upstream",
		"python list memory view",
		"thread dump java",
		"numa node interleave policy mysql",
		"rss limit systemd",
		"wsl2 vmmem",
		"ecc memory errors",
		"memory bandwidth",
		"ddr5 ram speed",
		"zfs snapshot size",
		"kernel ring buffer size",
		"ruby gem memory_profiler",
		"direct memory access",
		"process not using all memory",
		"why does my process not use more than 4GB memory",
		"copy memory between processes",
		"Firefox shows 2.7 GB but about:memory shows 137 MB",
		"nvme cache",
		"inode exhausted",
		"wrong max available memory",
		"Nodememory calculation is giving wrong output",
		"initializing topmemory VmRSS or VmPeak",
		"Invalid column index used for RSS memory on Linux",
		"Memory usage reported by RSS is much higher than RocksDB MemoryUtil",
		"oomd fails to see the problem if SwapTotal=0 and MemAvailable=0",
		"Memory usage is wrong (usage vs cache)?",
	};

	assert_unanswered(rows, sizeof(rows) / sizeof(*rows));
}

TEST(a_negation_is_never_ignored)
{
	static const char *const rows[] = {
		"why is swap not used",    "why is Cached not free", "why is slab not high",
		"why does RSS never grow", "is VmRSS never right",   "why is memory without swap",
	};

	assert_unanswered(rows, sizeof(rows) / sizeof(*rows));
}

TEST(an_unknown_name_is_not_taken_for_a_known_one)
{
	static const char *const rows[] = {
		"memory.zcache.current",  "Pss_Swapped",          "fincore RES column",
		"brk vs mmap nosuchword", "memory.max vs nosuch",
	};

	assert_unanswered(rows, sizeof(rows) / sizeof(*rows));
}

/*
 * A sentence that is not understood names the questions that share its rarest words. The nearest is
 * answered if it lacks at most three words of the sentence, none of them "not".
 */
TEST(similar_questions_are_named_and_the_nearest_is_answered)
{
	static const char free_pages[] = "Why does HugePages_Free not change?";
	static const char four_files[] = "Why do stat, statm, status and smaps show different RSS?";
	static const char psi[] = "What do some, full and avg10 of PSI mean?";
	static const struct {
		const char *asked, *similar, *nearest;
	} rows[] = {
		{ "hugepages free not decreasing postgres", free_pages, free_pages },
		{ "statm vs smaps rss", four_files, four_files },
		{ "how to install docker", NULL, NULL },
		{ "dns cache flush", NULL, NULL },
		{ "psi avg10 frobnicate", psi, psi },
		{ "psi avg10 not frobnicate", psi, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(query_free) struct query q = resolved(rows[i].asked);

		assert_int_equal(q.nr_similar > 0, rows[i].similar != NULL);
		if (rows[i].similar)
			assert_string_equal(q.similar[0]->asks, rows[i].similar);
		assert_int_equal(q.nearest != NULL, rows[i].nearest != NULL);
		if (rows[i].nearest)
			assert_string_equal(q.nearest->asks, rows[i].nearest);
	}
}

TEST(a_line_of_a_log_is_recognised)
{
	static const struct {
		const char *asked, *part;
	} rows[] = {
		{ "[12.3] oom_reaper: reaped process 7 (a), now anon-rss:0kB, file-rss:0kB",
		  "oom_reaper" },
		{ "memory: usage 524288kB, limit 524288kB, failcnt 12", "failcnt" },
		{ "Node 0 DMA32 free:2kB boost:0kB min:1kB low:1kB high:1kB", "low:" },
		{ "BUG: Bad rss-counter state mm:0000 type:MM_ANONPAGES val:1", "Bad rss-counter" },
		{ "java.lang.OutOfMemoryError: Java heap space", "Java heap space" },
		{ "<jemalloc>: Unsupported system page size", "system page size" },
		{ "FATAL:  could not map anonymous shared memory: Cannot allocate memory",
		  "anonymous shared memory" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(query_free) struct query q = resolved(rows[i].asked);

		assert_int_equal(q.kind, QUERY_QUESTION);
		assert_non_null(strstr(q.question->asks, rows[i].part));
	}
}

TEST(every_question_finds_its_own_answer)
{
	size_t nr, wrong = 0;
	const struct question *q = questions_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		OWNED(query_free) struct query found = resolved(q[i].asks);

		if (found.kind == QUERY_QUESTION && found.question != &q[i])
			wrong += say("'%s' is answered by '%s'", q[i].asks, found.question->asks);
		if (found.kind != QUERY_QUESTION && found.kind != QUERY_NAME)
			wrong += say("'%s' is not answered", q[i].asks);
	}
	assert_int_equal(wrong, 0);
}
