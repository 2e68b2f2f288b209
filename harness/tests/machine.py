#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""machine.py NAME LOG: a line for each load in the output of `load KINDS MIB rssck machine --json`.

Exit: 1 where a line is wrong, the load is not named in the first sentence with its process, or more than 0.5 % of the
memory is unexplained.
"""
import json
import sys

UNEXPLAINED = 0.5
CANNOT = 77  # load.c: the kind cannot be made here
# For each load: its part of the tree, and whether its process must be named with it.
PARTS = {
    "rest": (None, False),
    "anon": ("anon", True),
    "tmpfs": ("shmem_unmapped", False),
    "memfd": ("shmem_unmapped", True),
    "pipes": ("pipes", True),
    "sockets": ("sockets", False),
    "dentries": ("slab", False),  # of 900 bytes a file, 700 are its inode, which is not reclaimable
    "pagetables": ("page_tables", True),
    "hugetlb": ("hugetlb_used", True),
    "vmalloc": ("vmalloc", False),
    "io_uring": ("rings", True),
}


def pieces(lines):
    """The loads of a log: kind, process, what was printed, status."""
    kind, pid, text = None, 0, []
    for line in lines:
        words = line.split()
        if words[:2] == ["==", "status"] and kind:
            yield kind, pid, "".join(text), int(words[2])
            kind = None
        elif words[:1] == ["=="] and len(words) == 3:
            kind, pid, text = words[1], int(words[2]), []
        elif kind:
            text.append(line)


def read(text):
    """The report in what was printed, or None."""
    try:
        return json.loads(text[text.index("{"):text.rindex("}") + 1])
    except ValueError:
        return None


def unexplained(report):
    return 100 * report["tree"]["unexplained"]["kB"] / report["total_kB"]


def faults(kind, pid, report, status):
    """What is not as it must be."""
    if report is None:
        yield f"no report, status {status}"
        return
    part, process = PARTS[kind]
    wrong = [x["line"] for x in report["lines"] if x["state"] == "wrong"]
    if wrong:
        yield "wrong: " + ", ".join(wrong)
    elif not report["saw_page_frames"] or status:
        yield f"status {status}"
    if part and part not in report["named"]:
        yield "not named: " + ", ".join(report["named"])
    elif process and report["tree"][part].get("most_pid") != pid:
        yield f"process {pid} is not named, but " + report["tree"][part].get("most_of", "none")
    if abs(unexplained(report)) > UNEXPLAINED:
        yield "unexplained"


def columns(report):
    counts, cost = report["counts"], report["cost"]
    return (f"{counts['equal']:4} {counts['late']:4} {counts['moved']:5} {counts['wrong']:5} {unexplained(report):11.2f} "
            f"{cost['frames_us'] / 1000 / (report['total_kB'] / 2 ** 20):7.1f} {cost['readings']:8}  ")


def main():
    name, log = sys.argv[1:3]
    failed, seen = False, 0
    with open(log, errors="replace") as f:
        for kind, pid, text, status in pieces(f):
            report = read(text)
            found = [] if status == CANNOT else list(faults(kind, pid, report, status))
            failed |= bool(found)
            seen += 1
            verdict = "FAILED: " + "; ".join(found) if found else "skipped: it cannot be made here" if status == CANNOT else ""
            print(f"{name:22} {kind:11} {columns(report) if report else ''}{verdict}", flush=True)
    if not seen:
        print(f"{name:22} FAILED: it printed nothing")
    return failed or not seen


if __name__ == "__main__":
    sys.exit(main())
