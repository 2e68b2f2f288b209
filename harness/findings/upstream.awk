# SPDX-License-Identifier: MIT
#
# Reads a changelog of Debian's linux package. Prints "VERSION<TAB>TITLE" for each upstream change whose title begins
# with a subsystem of `subject` and contains one of `word`, or contains one of `anywhere`.

function select_title(  low) {
	sub(/^\[[^]]*\] /, "", title)
	sub(/ \((CVE-[0-9-]*(, )?)*\)$/, "", title)
	low = tolower(title)
	if (low ~ subject && low ~ word || low ~ anywhere)
		print version "\t" title
	title = ""
}

BEGIN {
	subject = "^(revert \")?(mm|memcg|hugetlb|hugetlbfs|proc|fs/proc|ksm|userfaultfd|shmem|tmpfs|swap|thp|khugepaged|uprobes" \
		"|cgroup|secretmem|memfd|zswap|x86/mm)[^a-z:][^:]*:|^(revert \")?(mm|memcg|hugetlb|hugetlbfs|proc|ksm|userfaultfd" \
		"|shmem|tmpfs|swap|thp|khugepaged|uprobes|cgroup|secretmem|memfd|zswap):"
	word = "account|count|stat|charg|underflow|overflow|negative|reserv|surplus|dirty|uffd|locked|mlock|rss|smaps" \
		"|pagemap|numa_maps|meminfo|kpf_|kpage|ksm_|zero ?page|nr_[a-z]|young|idle|swap entr|exclusive|mapcount" \
		"|write-?protect|special pmd|max_huge_pages|data loss|the page|usage|pm_[a-z]|page_is_|mincore|eligible"
	anywhere = "locked_vm|pinned_vm|mlock account|rss_stat|vm_softdirty|soft.?dirty|taskstats:|/proc/(pid/)?(smaps|status|stat|meminfo|vmstat)"
}
/ChangeLog-/ { if (title != "") select_title(); version = $0; sub(/.*ChangeLog-/, "", version); next }
/^    - / { if (title != "") select_title(); title = $0; sub(/^    - /, "", title); next }
/^      / && title != "" { more = $0; sub(/^ +/, " ", more); title = title more; next }
{ if (title != "") select_title() }
END { if (title != "") select_title() }
