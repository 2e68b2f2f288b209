// SPDX-License-Identifier: MIT
/* Lists the tools, and the command line that makes each print its columns. */
#include <rssck/tool.h>
#include <string.h>

#define ARGV(...)                 \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

/*
 * top numbers its fields from 0. In its settings file, 2 * (number + '%') + 1 is a visible field.
 * Hidden fields must be listed, too.
 */
#define TOP_SHOWN                                                                             \
	" 75 117 119 123 129 121 125 127 131 133 135 163 179 181 183 185 195 197 199 201 203" \
	" 205 155"
#define TOP_HIDDEN                                                                             \
	" 76 78 80 82 84 86 88 90 92 94 96 98 100 102 104 106 108 110 112 114 136 138 140 142" \
	" 144 146 148 150 152 156 158 160 164 166 168 170 172 174 176 186 188 190 192 206 208" \
	" 210 212 214 216 218 220 222 224 226 228 230 232 234 236 238 240 242 244 246 248 250" \
	" 252 254 256 258 260 262 264 266 268 270 272"
#define TOP_WINDOW(name, fields)                                                              \
	name "\tfieldscur= " fields                                                           \
	     "\n\twinflags=193844, sortindx=0, maxtasks=0, graph_cpus=0, graph_mems=0, "      \
	     "double_up=0, combine_cpus=0, core_types=0\n\tsummclr=1, msgsclr=1, headclr=3, " \
	     "taskclr=1\n"
static const char top_settings[] =
	"top's Config File (Linux processes with windows)\n"
	"Id:k, Mode_altscr=0, Mode_irixps=1, Delay_time=3.0, Curwin=0\n" TOP_WINDOW(
		"Def", TOP_SHOWN TOP_HIDDEN) TOP_WINDOW("Job", TOP_SHOWN TOP_HIDDEN)
		TOP_WINDOW("Mem", TOP_SHOWN TOP_HIDDEN) TOP_WINDOW(
			"Usr",
			TOP_SHOWN
				TOP_HIDDEN) "Fixed_widest=0, Summ_mscale=0, Task_mscale=0, Zero_suppress=0, Tics_scaled=0\n";

#define PS_COLUMNS \
	"pid,rss,rsz,rssize,%mem,vsz,vsize,sz,size,drs,dsiz,trs,tsiz,pss,uss,min_flt,maj_flt,oom"

/* The script prints the names and values that the library returns. */
#define PSUTIL_SCRIPT                                                                      \
	"import psutil, sys\n"                                                             \
	"for name, value in psutil.Process(@PID@).memory_full_info()._asdict().items():\n" \
	"    print(name, value)\n"

static const char htop_settings[] =
	"htop_version=3.2.2\nconfig_reader_min_version=3\n"
	"fields=0 38 39 40 41 42 46\n"
	"hide_kernel_threads=1\nhide_userland_threads=1\nheader_layout=two_50_50\n"
	"column_meters_0=Tasks\ncolumn_meter_modes_0=2\ncolumn_meters_1=Uptime\ncolumn_meter_modes_1=2\n"
	"screen:Main=PID M_VIRT M_RESIDENT M_SHARE M_TRS M_DRS PERCENT_MEM M_PSS M_SWAP M_PSSWP "
	"MINFLT MAJFLT\n.sort_key=PERCENT_CPU\n.tree_view=0\n";

static const struct tool table[] = {
	{ "top", "procps", LAYOUT_HEADER, .settings = top_settings, .settings_name = ".toprc",
	  .argv = ARGV("top", "-b", "-n", "1", "-w", "512", "-p", "@PID@") },
	{ "ps", "procps", LAYOUT_ORDER, .order = PS_COLUMNS,
	  .argv = ARGV("ps", "-o", PS_COLUMNS, "-p", "@PID@") },
	{ "pmap", "procps", LAYOUT_INLINE, .argv = ARGV("pmap", "@PID@") },
	{ "pmap -d", "procps", LAYOUT_INLINE, .argv = ARGV("pmap", "-d", "@PID@") },
	{ "pmap -x", "procps", LAYOUT_TOTAL, .argv = ARGV("pmap", "-x", "@PID@") },
	{ "pmap -X", "procps", LAYOUT_TOTAL, .argv = ARGV("pmap", "-X", "@PID@") },
	{ "pmap -XX", "procps", LAYOUT_TOTAL, .argv = ARGV("pmap", "-XX", "@PID@") },
	{ "htop", "htop", LAYOUT_HEADER, .terminal = true, .settings = htop_settings,
	  .settings_name = ".htoprc", .argv = ARGV("htop", "-C", "-d", "100", "-p", "@PID@") },
	{ "atop", "atop", LAYOUT_ORDER, .row = "PRM",
	  .order =
		  "-,-,-,-,-,-,pid,-,-,-,VSIZE,RSIZE,VSTEXT,VGROW,RGROW,MINFLT,MAJFLT,VSLIBS,VDATA,"
		  "VSTACK,SWAPSZ,-,-,PSIZE,LOCKSZ",
	  .argv = ARGV("atop", "-R", "-PPRM", "1", "1") },
	{ "pidstat", "sysstat", LAYOUT_HEADER, .argv = ARGV("pidstat", "-r", "-p", "@PID@") },
	{ "smem", "smem", LAYOUT_HEADER,
	  .argv = ARGV("smem", "-c", "pid swap uss pss rss", "-P", "rssck") },
	{ "smemstat", "smemstat", LAYOUT_HEADER, .argv = ARGV("smemstat", "-k", "-p", "@PID@") },
	{ "psutil", "python3-psutil", LAYOUT_PAIRS,
	  .argv = ARGV("/usr/bin/python3", "-c", PSUTIL_SCRIPT),
	  .absent = "No module named 'psutil'" },
	{ "libproc2", "libproc2-dev, then make", LAYOUT_PAIRS,
	  .argv = ARGV("rssck-libproc2", "@PID@") },
	{ "rssck scan", "rssck", LAYOUT_JSON,
	  .argv = ARGV("rssck", "scan", "--no-model", "--json", "@PID@") },
	{ "busybox ps", "busybox", LAYOUT_HEADER,
	  .argv = ARGV("busybox", "ps", "-o", "pid,vsz,rss") },
};

const struct tool *tools_all(size_t *nr)
{
	*nr = sizeof(table) / sizeof(*table);
	return table;
}

const struct tool *tool_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (!strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}
