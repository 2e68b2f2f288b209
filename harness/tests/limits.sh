#!/bin/sh
# SPDX-License-Identifier: MIT
# limits.sh [PATTERN]: runs rssck check under the limits that shells, containers and service managers set. Under each
# limit no case may fail, and each error must name the limit: it must match the words of the limit's row. Needs root,
# because most rows use namespaces; rows that cannot be set up here are left out and named. The cases are those that
# reach most limits; CASES='*' runs all. As many rows run in parallel as there are processors (JOBS=). SHARE=10: of the
# sweeps (one tunable, system call, file or signal at a time) only a tenth runs, a different tenth each day. VERBOSE=1
# prints rssck's output in each row.
set -u
cd "$(dirname "$0")/../.."

work=$(mktemp -d "${TMPDIR:-/var/tmp}/rssck-limits.XXXXXX") || exit 2
cgroup=rssck-limits.$$
trap 'leave' EXIT
trap 'exit 2' INT TERM HUP
jobs=${JOBS:-$(nproc)}

# A cgroup can be removed only when its last process is gone, and the kernel may still be ending that process.
leave()
{
	set +f
	for i in 1 2 3 4 5 6 7 8 9 10; do
		rmdir /sys/fs/cgroup/*/$cgroup /sys/fs/cgroup/$cgroup 2>/dev/null
		find /sys/fs/cgroup -maxdepth 2 -name $cgroup 2>/dev/null | grep -q . || break
		sleep 0.3
	done
	rm -rf "$work"
}

# Runs this script JOBS times in parallel. Each of them takes every JOBS-th row.
if [ -z "${LIMITS_PART:-}" ]; then
	{
		for part in $(seq "$jobs"); do
			LIMITS_PART=$part JOBS=$jobs sh harness/tests/limits.sh "$@" &
		done
		wait
	} | tee "$work/rows"
	failed=$(grep -c '^NOT OK' "$work/rows") left_out=$(grep -c '^left out' "$work/rows")
	printf '%d rows are not ok, %d could not be set up\n' "$failed" "$left_out"
	grep -q '^ok' "$work/rows" && [ "$failed" -eq 0 ]
	exit
fi
rssck=${RSSCK:-$PWD/rssck}
# A user ID that only this part uses, because RLIMIT_NPROC counts all processes of a user.
user="setpriv --reuid=$((54321 + LIMITS_PART)) --regid=54321 --clear-groups"
rows=0 sweeps='' day=$(date +%-j)

# is_next NAME: counts a row. True if this part runs the row, and today's share includes it.
is_next()
{
	case $1 in *${pattern:-}*) ;; *) return 1 ;; esac
	rows=$((rows + 1))
	[ -z "$sweeps" ] || [ $(((rows / jobs + day) % ${SHARE:-1})) -eq 0 ] || return 1
	[ $((rows % jobs)) -eq $((LIMITS_PART % jobs)) ]
}

# row NAME WORDS COMMAND...: COMMAND runs "$@" (rssck check --quiet) under the limit.
row()
{
	name=$1 words=$2
	shift 2
	is_next "$name" || return
	"$@" true >/dev/null 2>&1 || { printf 'left out  %s\n' "$name"; return; }
	"$@" "$rssck" check --quiet $CASES >"$work/out" 2>&1 </dev/null
	status=$?
	wrong=$(grep -E '^(fail|error|rssck:)' "$work/out" | grep -Ev "^(error|rssck:).*($words)")
	# A workload that cannot report to rssck prints the reason itself.
	[ -z "$words" ] || ! grep -Eq "^rssck-workload:.*($words)" "$work/out" || wrong=''
	# Status 4: each case was skipped. Then a reason must name the limit.
	[ $status -ne 4 ] || "$@" "$rssck" check --verbose $CASES </dev/null 2>&1 | grep -Eq "$words" || wrong=skipped
	# A status of 128 or above means that a signal ended rssck, and is never ok.
	if [ $status -eq 0 ] || { [ $status -ne 1 ] && [ $status -lt 128 ] && [ -n "$words" ] && [ -z "$wrong" ]; }; then
		printf 'ok %d      %s\n' $status "$name"
		[ -z "${VERBOSE:-}" ] || sed 's/^/          /' "$work/out"
	else
		printf 'NOT OK %d  %s\n%s\n' $status "$name" "$(sed 's/^/          /' "$work/out" | head -20)"
	fi
}

# by SCRIPT COMMAND...: runs SCRIPT in a shell, which sets the limit, and then the command in its place.
by() { script=$1; shift; sh -c "$script"'; exec "$@"' sh "$@"; }
mounts() { script=$1; shift; unshare --mount sh -c "$script"' && exec "$@"' sh "$@"; }
# Like mounts(), but also in a new process namespace: when its first process ends, all end, for example a daemon that
# serves a file system.
alone() { script=$1; shift; unshare --mount --pid --fork --kill-child --mount-proc sh -c "$script"' && exec "$@"' sh "$@"; }
closed() { how=$1; shift; eval '"$@"' "$how"; }
in_cgroup()
{
	v1=$1 v2=$2
	shift 2
	sh -c 'if [ -d /sys/fs/cgroup/${1%%.*} ]; then d=/sys/fs/cgroup/${1%%.*}/$3; set_=$1; else d=/sys/fs/cgroup/$3; set_=$2; fi
		mkdir -p $d && echo ${set_#*=} >$d/${set_%%=*} && echo $$ >$d/cgroup.procs && shift 3 && exec "$@"' \
		sh "$v1" "$v2" "$cgroup" "$@"
}

# Refuses the system calls that the workload and rssck make, one at a time, with EPERM and with ENOSYS. Those in
# `needed` are not refused, because without them no program starts.
needed='arch_prctl|close|execve|mmap|mprotect|newfstatat|openat|pread64|read|write|exit|exit_group|futex'
few='counters/threads_malloc fork/zombie file/shared_write shmem/memfd anonymous/mlock fork/cow shmem/sysv anonymous/heap'
refused()
{
	number=$1 error=$2
	shift 2
	"$work/refuse" "$number" "$error" "$@"
}
syscalls()
{
	cc -o "$work/refuse" harness/tests/refuse/refuse.c 2>/dev/null || { echo 'left out  system calls: no compiler'; return; }
	echo '#include <sys/syscall.h>' | cc -E -dM - | sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)$/\1 \2/p' | sort >"$work/numbers"
	strace -f -o "$work/trace" "$rssck" check --quiet $few >/dev/null 2>&1 || { echo 'left out  system calls: no strace'; return; }
	sed -n 's/^[0-9]* *\([a-z0-9_]*\)(.*/\1/p' "$work/trace" | sort -u | grep -Evx "$needed" | join - "$work/numbers" >"$work/calls"
	all=$CASES CASES=$few
	while read -r call number; do
		words=$call
		[ "$call" != recvfrom ] || words='recv'
		row "without $call: EPERM" "$words|Operation not permitted" refused "$number" 1
		row "without $call: ENOSYS" "$words|Function not implemented" refused "$number" 38
	done <"$work/calls"
	CASES=$all
}

# Files of /proc and /sys that rssck reads and that are not about one process, one at a time: covered by /dev/null,
# empty, or unreadable.
files()
{
	all=$CASES CASES=$few
	for file in /proc/kpagecount /proc/kpageflags /proc/kpagecgroup /proc/meminfo /proc/vmstat /proc/zoneinfo /proc/swaps \
		/proc/filesystems /proc/cpuinfo /proc/stat /proc/version /proc/cmdline /proc/sysvipc/shm \
		/proc/sys/vm/dirty_expire_centisecs /proc/sys/vm/max_map_count /proc/sys/vm/overcommit_memory \
		/proc/sys/kernel/random/boot_id /proc/sys/kernel/numa_balancing /dev/kmsg /sys/devices/system/cpu/online \
		/sys/kernel/mm/transparent_hugepage/hpage_pmd_size /sys/kernel/mm/transparent_hugepage/enabled \
		/sys/kernel/mm/ksm/run /sys/kernel/mm/lru_gen/enabled; do
		[ -e $file ] || continue
		row "$file is /dev/null" "$file|${file##*/}" mounts "mount --bind /dev/null $file"
		row "$file is empty" "$file|${file##*/}" mounts "touch $work/nothing && mount --bind $work/nothing $file"
		row "$file cannot be read" "$file|${file##*/}|Permission denied" mounts "touch $work/closed && chmod 0 $work/closed &&
			mount --bind $work/closed $file && set -- $user \"\$@\""
	done
	CASES=$all
}

# on NAME MAKE MOUNT: a row with TMPDIR on a file system of its own; in an image, if MAKE is a command that makes one.
# The row is left out if the kernel lacks the file system or this machine lacks the program.
on()
{
	row "TMPDIR on $1" '' alone "mkdir -p $work/fs$rows && cd $work/fs$rows && mkdir -p on low up work && {
		[ -z '$2' ] || { truncate -s 320M image && $2 image; }; } >/dev/null 2>&1 && $3 && chmod 1777 on &&
		export TMPDIR=$work/fs$rows/on && cd /"
	rm -rf "$work"/fs*/image
}
filesystems()
{
	all=$CASES CASES="file/* fork/cow fork/rusage_* counters/lag_by_cpus counters/many_cpus
		counters/major_faults_of_threads virtual/data cgroup/page_cache"
	for how in '' ,sync ,data=journal ,noatime,nodelalloc; do
		on "ext4 $how" 'mkfs.ext4 -qF' "mount -o loop$how image on"
	done
	on 'ext4, blocks of 1 KiB' 'mkfs.ext4 -qF -b 1024' 'mount -o loop image on'
	on ext2 'mkfs.ext2 -qF' 'mount -o loop image on'
	for block in 1024 4096 16384 65536; do
		on "xfs, blocks of $block" "mkfs.xfs -qf -b size=$block" 'mount -o loop image on'
	done
	for how in '' ,compress-force=zlib ,compress-force=zstd ,nodatacow; do
		on "btrfs $how" 'mkfs.btrfs -qf' "mount -o loop$how image on"
	done
	on f2fs 'mkfs.f2fs -qf' 'mount -o loop image on'
	on vfat mkfs.vfat 'mount -o loop image on'
	on overlayfs 'mkfs.ext4 -qF' 'mount -o loop image low && mkdir low/l low/u low/w &&
		mount -t overlay none -o lowerdir=low/l,upperdir=low/u,workdir=low/w on'
	on 'overlayfs, volatile' 'mkfs.ext4 -qF' 'mount -o loop image low && mkdir low/l low/u low/w &&
		mount -t overlay none -o volatile,lowerdir=low/l,upperdir=low/u,workdir=low/w on'
	on 'overlayfs, of a tmpfs' '' 'mount -t tmpfs none low && mkdir low/l low/u low/w &&
		mount -t overlay none -o lowerdir=low/l,upperdir=low/u,workdir=low/w on'
	on 'FUSE (bindfs)' '' 'bindfs low on'
	on ramfs '' 'mount -t ramfs none on'
	on tmpfs '' 'mount -t tmpfs none on'
	on hugetlbfs '' 'mount -t hugetlbfs none on'
	CASES='file/* virtual/text_lib'
	row 'page 0 is mapped' '' setarch -Z
	row 'TMPDIR with a newline' '' by "mkdir -p '$work/a
b'; export TMPDIR='$work/a
b'"
	long=$work/long
	while [ ${#long} -lt 3700 ]; do long=$long/$(printf '%0200d' 0); done
	CASES="$CASES tools/percent"
	row 'TMPDIR of 3,800 bytes' '' by "mkdir -p $long && export TMPDIR=$long"
	CASES='file/* virtual/text_lib'
	row 'TMPDIR synchronous' '' by "mkdir -p $work/sync && chattr +S $work/sync && export TMPDIR=$work/sync"
	CASES=$all
}

# Signals that end a program: rssck must print a summary that names the signal's number, and must not crash. All cases
# together take longer than two seconds even on a fast machine. On a slow machine rssck is still measuring the counters
# after two seconds: then there are no results, and rssck says so.
signals()
{
	for signal in ALRM USR1 USR2 XCPU VTALRM PROF IO PWR 16 RTMIN+1 HUP TERM INT QUIT; do
		name="signal $signal"
		is_next "$name" || continue
		# A shell lets programs in the background ignore SIGINT and SIGQUIT.
		env --default-signal "$rssck" check --quiet --format=json --output="$work/results" >"$work/out" 2>&1 </dev/null &
		sleep 2
		kill -s "$signal" $!
		wait $!
		status=$?
		env --default-signal sh -c 'kill -s "$0" $$' "$signal" 2>/dev/null
		number=$(($? - 128))
		if [ $status -eq 2 ] && grep -qw $number "$work/out" &&
			{ [ ! -e "$work/results" ] || grep -q '"ended_early":' "$work/results"; }; then
			printf 'ok %d      %s\n' $status "$name"
		else
			printf 'NOT OK %d  %s\n%s\n' $status "$name" "$(sed 's/^/          /' "$work/out" | head -20)"
		fi
		rm -f "$work/results"
	done
}

pattern=${1:-}
CASES=${CASES:-counters/threads_malloc fork/zombie fork/server file/shared_write file/uprobe_hit shmem/posix_shm
	shmem/tmpfs_file scanners/vm_flags scanners/fields anonymous/locked_stack anonymous/userfaultfd_async tools/ps}
set -f # patterns of cases are no files

for how in '<&-' '>&-' '2>&-' '<&- >&-' '<&- 2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
	row "closed: $how" '' closed "$how"
done
row 'descriptors 3 to 20 open' '' by 'exec 3</ 4</ 5</ 6</ 7</ 8</ 9</; for i in 3 4 5 6 7 8 9; do :; done'
row 'SIGCHLD ignored' '' env --ignore-signal=CHLD
row 'SIGPIPE, SIGHUP ignored' '' env --ignore-signal=PIPE,HUP
row 'all signals ignored' '' env --ignore-signal
row 'all signals blocked' '' env --block-signal
row 'umask 0777' '' by 'umask 0777'
row 'umask 0777, a user' '' $user sh -c 'umask 0777; exec "$@"' sh
row 'nice 19' '' nice -n 19
row 'SCHED_FIFO' '' chrt -f 10
row 'SCHED_RR' '' chrt -r 10
row 'SCHED_IDLE' '' chrt -i 0
row 'SCHED_BATCH' '' chrt -b 0
row 'SCHED_DEADLINE' '' chrt -d --sched-runtime 9000000 --sched-deadline 10000000 --sched-period 10000000 0
row 'the last CPU only' '' taskset -c $(($(nproc) - 1))
row 'a session of its own' '' setsid -w
row 'an empty environment' '' env -i
row 'a folder that is gone' '' by "mkdir $work/gone; cd $work/gone; rmdir $work/gone"
row 'no randomized addresses' '' setarch -R
row 'the old address layout' '' setarch -L
row 'readable is executable' '' setarch -X
row 'first to be killed' '' choom -n 500 --
if cc -o "$work/inherit" harness/tests/refuse/inherit.c 2>/dev/null; then
	all=$CASES CASES="$CASES virtual/each_kind shmem/statfs shmem/limit_exact fork/*"
	mkdir -p "$work/landlock"
	for state in mdwe merge no-thp slack policy=1 policy=2 policy=3 timers children=40; do
		row "inherited: $state" '' "$work/inherit" $state --
	done
	row 'inherited: landlock' '' env TMPDIR="$work/landlock" "$work/inherit" landlock="$work/landlock" --
	CASES=$all
fi
row 'nofile 64' 'RLIMIT_NOFILE' prlimit --nofile=64
row 'nofile 20' 'RLIMIT_NOFILE' prlimit --nofile=20
row 'nofile 10' 'RLIMIT_NOFILE' prlimit --nofile=10
row 'nproc 3' 'RLIMIT_NPROC' $user prlimit --nproc=3
row 'nproc 20' 'RLIMIT_NPROC' $user prlimit --nproc=20
row 'memlock 0' '' prlimit --memlock=0
row 'memlock 0, a user' '' $user prlimit --memlock=0
row 'as 500000 kB' 'RLIMIT_AS' prlimit --as=512000000
row 'as 50000 kB' 'RLIMIT_AS' prlimit --as=51200000
row 'data 20000 kB' 'RLIMIT_DATA' prlimit --data=20480000
row 'data 8000 kB' 'RLIMIT_DATA' prlimit --data=8192000
row 'fsize 1000' 'RLIMIT_FSIZE' prlimit --fsize=1000
row 'fsize 100000' 'RLIMIT_FSIZE' prlimit --fsize=100000
row 'fsize 2.9 MB' 'RLIMIT_FSIZE' prlimit --fsize=2900000
row 'fsize 0' 'RLIMIT_FSIZE' prlimit --fsize=0
row 'stack 64 kB' 'RLIMIT_STACK' prlimit --stack=65536
row 'stack without limit' '' prlimit --stack=unlimited
row 'core files' '' prlimit --core=unlimited
row 'core 0' '' prlimit --core=0
row 'no signal queue, no message queue' '' prlimit --sigpending=0 --msgqueue=0
row 'stack 128 kB' 'RLIMIT_STACK' prlimit --stack=131072
row 'soft limits only' '' prlimit --nofile=32: --as=100000000: --data=10000000: --fsize=1000: --memlock=0:
row '64 kB /dev/shm' '/dev/shm' mounts 'mount -t tmpfs -o size=64k none /dev/shm'
row 'no /dev/shm' '/dev/shm' mounts 'mount -t tmpfs -o ro none /dev/shm'
row '1 MiB TMPDIR on tmpfs' '' mounts "mkdir $work/tmp; mount -t tmpfs -o size=1m none $work/tmp; export TMPDIR=$work/tmp"
row '1 MiB TMPDIR, ext4' 'TMPDIR' mounts "mkdir -p $work/tmp; truncate -s 1M $work/image;
	mkfs.ext4 -qF -O ^has_journal $work/image && mount -o loop $work/image $work/tmp && export TMPDIR=$work/tmp"
row 'TMPDIR not writable' '' $user env TMPDIR=/
row 'TMPDIR missing' '' env TMPDIR=/nonexistent
row 'TMPDIR is a file' '' env TMPDIR=/etc/passwd
row 'every folder noexec' '' mounts "mkdir -p $work/bin && mount -t tmpfs none $work/bin && cp $rssck* $work/bin/ &&
	mount --bind /var/tmp /var/tmp && mount -o remount,bind,noexec /var/tmp && export TMPDIR=/var/tmp HOME=/nonexistent"
row 'nothing can be written' '--directory' mounts 'mount -o remount,bind,ro / && mount -t tmpfs none /tmp'
row '/proc subset=pid' '/proc' mounts 'mount -t proc -o subset=pid none /proc'
row 'hidepid=1, a user' '' mounts "mount -t proc -o hidepid=1 none /proc && set -- $user \"\$@\""
row 'hidepid=2, a user' '' mounts "mount -t proc -o hidepid=2 none /proc && set -- $user \"\$@\""
row 'hidepid=4, a user' '' mounts "mount -t proc -o hidepid=4 none /proc && set -- $user \"\$@\""
row 'lxcfs: fewer CPUs, less memory' '' mounts "echo 0 >$work/cpus && mount --bind $work/cpus /sys/devices/system/cpu/online &&
	sed 's/^MemTotal:.*/MemTotal: 524288 kB/' /proc/meminfo >$work/meminfo && mount --bind $work/meminfo /proc/meminfo"
row 'no /proc' '/proc' mounts 'mount -t tmpfs none /proc'
row 'no /sys' '' mounts 'mount -t tmpfs none /sys'
row '/dev/kmsg is without an end' '' mounts "rm -f $work/full && mknod $work/full c 1 7 && mount --bind $work/full /dev/kmsg"
row 'an empty /dev' '' mounts 'mount -t tmpfs none /dev'
row 'a user' '' $user
row 'root without capabilities' '' setpriv --bounding-set=-all --inh-caps=-all --ambient-caps=-all
row 'root without CAP_SYS_PTRACE, CAP_SYS_ADMIN' '' setpriv --bounding-set=-sys_ptrace,-sys_admin
row 'no new privileges' '' setpriv --no-new-privs
row 'a user namespace' '' unshare -Ur
row 'user, process and mount namespaces' '' unshare -Urpf --mount-proc
row 'user namespace of a user' '' $user unshare -Urpf --mount-proc
row 'process namespace, /proc of the host' '/proc' unshare -pf
row 'network and ipc namespaces' '' unshare -ni
row '256 MiB of memory' 'OOM|memory' in_cgroup memory.limit_in_bytes=268435456 memory.max=268435456
row '32 MiB of memory' 'OOM|memory|[0-9] s$' in_cgroup memory.limit_in_bytes=33554432 memory.max=33554432
row '20 MiB of memory' "$cgroup" in_cgroup memory.limit_in_bytes=20971520 memory.max=20971520
row '8 processes and threads' 'pids.max' in_cgroup pids.max=8 pids.max=8
row 'a tenth of a CPU' '' in_cgroup cpu.cfs_quota_us=10000 'cpu.max=10000 100000'

sweeps=yes
# Variables that change how malloc(3) works belong to the environment, and the workload gets none of
# them.
for tunable in glibc.malloc.hugetlb=2 glibc.malloc.hugetlb=1 glibc.malloc.mmap_max=100:glibc.malloc.mmap_threshold=1 \
	glibc.malloc.mmap_max=0 glibc.malloc.top_pad=10000000 glibc.malloc.trim_threshold=0 glibc.malloc.arena_max=1 \
	glibc.malloc.arena_test=1 glibc.malloc.perturb=85 glibc.malloc.tcache_count=0 glibc.malloc.tcache_max=0 \
	glibc.malloc.check=3 glibc.malloc.mxfast=0 glibc.mem.tagging=3 glibc.pthread.rseq=0 glibc.rtld.nns=1 \
	glibc.pthread.mutex_spin_count=0 glibc.cpu.x86_ibt=off glibc.elision.enable=1 glibc.rtld.optional_static_tls=0; do
	row "GLIBC_TUNABLES=$tunable" '' env GLIBC_TUNABLES=$tunable
done
for variable in MALLOC_TOP_PAD_=10000000 MALLOC_MMAP_THRESHOLD_=1 MALLOC_TRIM_THRESHOLD_=0 MALLOC_ARENA_MAX=1 \
	MALLOC_PERTURB_=85 MALLOC_CHECK_=3 MALLOC_MMAP_MAX_=0 LD_BIND_NOW=1 LD_PRELOAD=libm.so.6 LD_LIBRARY_PATH=/nonexistent \
	LC_ALL=tr_TR.UTF-8 TZ=:/nonexistent POSIXLY_CORRECT=1 IFS=x; do
	row "$variable" '' env "$variable"
done
filesystems
syscalls
files
signals
