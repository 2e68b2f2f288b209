#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""machine.py NAME LOG: a line for each load in the output of `load KINDS MIB rssck machine --json`.

Exit: 1 where a line is wrong, the load is not named in the first sentence with its process, or more than 0.5 % of the
memory is unexplained.
"""
import json
import sys

UNEXPLAINED = 0.5
# For each load: its part of the tree, and whether its process must be named with it.
PARTS = {
    "rest": (None, False),
    "anon": ("anon", True),
    "tmpfs": ("shmem_unmapped", False),
    "memfd": ("shmem_unmapped", True),
    "pipes": ("pipes", True),
    "sockets": ("sockets", False),
    "dentries": ("slab_reclaimable", False),
    "pagetables": ("page_tables", True),
    "hugetlb": ("hugetlb_used", True),
    "vmalloc": ("vmalloc", False),
    "io_uring": ("rings", True),
}


def pieces(lines):
    """The loads of a log: kind, what was printed, status."""
    kind, text = None, []
    for line in lines:
        words = line.split()
        if words[:2] == ["==", "status"] and kind:
            yield kind, "".join(text), int(words[2])
            kind = None
        elif words[:1] == ["=="]:
            kind, text = words[1], []
        elif kind:
            text.append(line)


def judge(kind, report, status):
    """What is not as it must be; "" if all is."""
    if status == 77:
        return "skipped: the load cannot be made here"
    if report is None:
        return f"FAILED: no report, status {status}"
    part, process = PARTS[kind]
    tree = report["tree"]
    unexplained = 100 * tree["unexplained"]["kB"] / report["total_kB"]
    if report["counts"]["wrong"]:
        lines = [x["line"] for x in report["lines"] if x["state"] == "wrong"]
        return "FAILED: wrong: " + ", ".join(lines)
    if not report["saw_page_frames"] or status:
        return f"FAILED: status {status}"
    if part and part not in report["named"]:
        return "FAILED: not named: " + ", ".join(report["named"])
    if process and "load" not in tree[part].get("most_of", ""):
        return "FAILED: named with " + tree[part].get("most_of", "nobody")
    if abs(unexplained) > UNEXPLAINED:
        return "FAILED: unexplained"
    return ""


def main():
    name, log = sys.argv[1:3]
    failed, seen = False, 0
    with open(log, errors="replace") as f:
        for kind, text, status in pieces(f):
            try:
                report = json.loads(text[text.index("{"):text.rindex("}") + 1])
            except ValueError:
                report = None
            verdict = judge(kind, report, status)
            failed |= verdict.startswith("FAILED")
            seen += 1
            if report is None:
                print(f"{name:22} {kind:11} {verdict}")
                continue
            counts, cost, total = report["counts"], report["cost"], report["total_kB"]
            print(f"{name:22} {kind:11} {counts['equal']:4} {counts['late']:4} {counts['moved']:5} {counts['wrong']:5} "
                  f"{100 * report['tree']['unexplained']['kB'] / total:11.2f} "
                  f"{cost['frames_us'] / 1000 / (total / 2 ** 20):7.1f} {cost['readings']:8}  {verdict}", flush=True)
    if not seen:
        print(f"{name:22} FAILED: it printed nothing")
    return failed or not seen


if __name__ == "__main__":
    sys.exit(main())
