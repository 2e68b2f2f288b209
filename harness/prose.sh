#!/bin/sh
# SPDX-License-Identifier: MIT
# prose.sh: refuses code that compares our own wording, because anybody may change the wording. It looks at strings that
# are arguments of strcmp(3), strstr(3) or similar functions, directly or as a `static const char NAME[]` of the same
# file. A string with a space in it is either our own sentence, or part of a format of the kernel, of a tool or of user
# input. The same is true of a word for which strstr(3) or a similar function searches. These formats are listed below
# with the files that read them. Exit status: 0 nothing is wrong, 1 something is.
#
# Tests may compare words if they test the wording.
set -eu

# Each line is FILE:text. A recorded run identifies a step only by its title, which report/threads.c reads.
formats='
cases/machine/churn.h:\"state\": \"wrong\"
cases/machine/churn.h:\"wrong\": true
cases/machine/ledger.h:released
cases/machine/loads.h:nokmem
cases/cgroup/huge_split.c:memory.stat anon_thp
cases/cgroup/migrated_swap_cache.c:\nfile N0=
cases/fork/attributes.h: bind:0 
cases/fork/attributes.h: mg
cases/fork/numa_maps_sharers.c: mapmax=
cases/scanners/protected.h: uw
cases/shmem/anonymous.c:/dev/zero (deleted)
cases/shmem/posix_shm.c: (deleted)
cases/shmem/sysv.c:/SYSV00000000 (deleted)
harness/agent/verbs/ask.c:memory
harness/atlas/signature.c: frame 
harness/atlas/signature.c: x
harness/atlas/signature.c:error 
harness/atlas/signature.c:flag 
harness/atlas/signature.c:map 
harness/atlas/signature.c:scan 
harness/atlas/signature.c:the child
harness/cmd/demo/plot.c:svg
harness/cmd/run/report.c:svg
harness/course/reported.c:killed
harness/engine/log/complaint.c:pc : 
harness/fuzz/program.c:threads 
harness/grid/names.c: middle
harness/grid/names.c: of a part
harness/machine/cgroups.c:memory
harness/machine/holders.c:: slabdata
harness/machine/holders.c: pages=
harness/machine/holders.c: vmalloc
harness/machine/holders.c: mem 
harness/machine/oom.c:invoked oom-killer:
harness/machine/oom.c:Killed process 
harness/machine/sums.c:: slabdata
harness/machine/sums.c:percpu: Embedded 
harness/machine/sums.c:ftrace: allocated 
harness/machine/sums.c:DMA: preallocated 
harness/machine/sums.c: integrity_buf_pool
harness/machine/sums.c: pages=
harness/machine/sums.c: vmalloc
harness/report/load_history.c:CPU
harness/report/threads.c:100 threads x 1 MiB
harness/runs/documents.c: and 
harness/scan/process/privilege.c: /proc 
harness/scan/process/privilege.c: - proc 
harness/tool/expect.c:busybox ps
harness/tool/read.c:busybox
harness/vm/host/diagnose.c:Kernel panic
harness/fuzz/alone.c:;vmstat_refresh: 
'

find -H harness include cases -name '*.[ch]' ! -path 'harness/tests/*' ! -path 'harness/bench/*' | sort |
	formats="$formats" xargs awk '
	BEGIN {
		n = split(ENVIRON["formats"], line, "\n")
		for (i = 1; i <= n; i++) allowed[line[i]] = 1
		calls = "(strn?(case)?cmp|str(case)?str|memmem|fnmatch|regcomp|begins|starts_with|prefix)\\("
	}
	FNR == 1 { code = ""; split("", named) }

	function refuse(text) {
		if (text !~ /[A-Za-z] |[^ ] +[A-Za-z]|^ +[A-Za-z]/ && !(searches && text ~ /^[A-Za-z]+$/)) return
		if ((FILENAME ":" text) in allowed) return
		print FILENAME ":" FNR ": compares \"" text "\", which is our own wording (harness/prose.sh)"
		bad = 1
	}
	/^[ \t]*static const char [A-Za-z_]+\[\] = "/ {
		name = $0; sub(/\[\].*/, "", name); sub(/.* /, "", name)
		text = $0; sub(/^[^"]*"/, "", text); sub(/"[^"]*$/, "", text)
		named[name] = text
	}
	{
		# A call continues until its parentheses are closed.
		code = code $0 " "
		while (match(code, calls)) {
			searches = substr(code, RSTART, RLENGTH) ~ /^(str(case)?str|memmem)/
			rest = substr(code, RSTART + RLENGTH); depth = 1; quoted = at = 0
			while (depth && at < length(rest)) {
				c = substr(rest, ++at, 1)
				if (quoted && c == "\\") at++
				else if (c == "\"") quoted = !quoted
				else if (!quoted && c == "(") depth++
				else if (!quoted && c == ")") depth--
			}
			if (depth && length(code) < 1000) next
			call = substr(rest, 1, at - 1)
			code = rest
			while (match(call, /"([^"\\]|\\.)*"/)) {
				refuse(substr(call, RSTART + 1, RLENGTH - 2))
				call = substr(call, 1, RSTART - 1) substr(call, RSTART + RLENGTH)
			}
			for (name in named)
				if (call ~ "(^|[^A-Za-z_])" name "([^A-Za-z_]|$)") refuse(named[name])
		}
		code = ""
	}
	END { exit bad }' >&2 || exit 1
