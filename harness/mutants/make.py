#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make.py SOURCE TSV: changes a kernel's source so that rssck_mutant=N chooses one bug of many.

ONLY=601-636,651-674 in the environment: those bugs by hand and nothing generated, which builds faster.

Upstream bugs come from real.py (numbers below 300) and older.py, invented ones from invented.py. All others are generated: each place in FILES that adds to or subtracts from a
counter, or that sets, keeps or clears a bit that a file of /proc shows, gets up to four mutants. SOURCE/.rssck-drop
lists the numbers of mutants that did not compile (written by build.sh); they are left out. TSV gets the columns number,
kind, file, line, function, operator (of an upstream bug its fix, of an invented one its difficulty and what a user
would see), original text.
"""
import os
import re
import sys
from pathlib import Path
from invented import INVENTED, SEEN
from older import OLDER
from real import REAL

FILES = [*(f"mm/{name}.c" for name in (
    "memory mremap mprotect mmap vma mlock madvise huge_memory khugepaged rmap migrate migrate_device swapfile swap_state swap "
    "shmem truncate filemap page-writeback ksm hugetlb hugetlb_cgroup memcontrol memcontrol-v1 vmscan userfaultfd gup util "
    "memory-failure workingset page_io zswap mapping_dirty_helpers page_idle mempolicy secretmem pagewalk mincore").split()),
    "fs/proc/task_mmu.c", "fs/proc/page.c", "kernel/fork.c", "kernel/events/uprobes.c"]
FIRST = 1000

# name: index of the argument that is the amount
AMOUNT = {name: at for at, names in {
    0: "atomic_long_add atomic_long_sub atomic64_add atomic64_sub atomic_add atomic_sub vm_unacct_memory hugetlb_count_add hugetlb_count_sub",
    1: "count_vm_events __count_vm_events page_counter_charge page_counter_uncharge hugetlb_acct_memory hugepage_subpool_put_pages "
       "shmem_recalc_inode shmem_uncharge memcg_uncharge lru_note_cost",
    2: "add_mm_counter mod_node_page_state __mod_node_page_state mod_lruvec_state __mod_lruvec_state mod_lruvec_page_state "
       "__mod_lruvec_page_state __lruvec_stat_mod_folio lruvec_stat_mod_folio node_stat_mod_folio zone_stat_mod_folio "
       "__zone_stat_mod_folio __node_stat_mod_folio mod_zone_page_state __mod_zone_page_state mod_memcg_state __mod_memcg_state "
       "mod_lruvec_kmem_state count_memcg_events __count_memcg_events count_memcg_folio_events mod_mthp_stat vm_stat_account",
    3: "update_lru_size",
}.items() for name in names.split()}
# name: the equivalent function with an amount (# means the amount, $ the arguments)
UNIT = {
    "inc_mm_counter": "add_mm_counter($, #)", "dec_mm_counter": "add_mm_counter($, -#)",
    "count_vm_event": "count_vm_events($, #)", "__count_vm_event": "__count_vm_events($, #)",
    "inc_node_page_state": "mod_node_page_state(page_pgdat(RSSCK_0), RSSCK_1, #)",
    "dec_node_page_state": "mod_node_page_state(page_pgdat(RSSCK_0), RSSCK_1, -#)",
    "atomic_long_inc": "atomic_long_add(#, $)", "atomic_long_dec": "atomic_long_sub(#, $)",
    "atomic64_inc": "atomic64_add(#, $)", "atomic64_dec": "atomic64_sub(#, $)",
    "atomic_inc": "atomic_add(#, $)", "atomic_dec": "atomic_sub(#, $)",
    "__lruvec_stat_add_folio": "__lruvec_stat_mod_folio($, #)", "__lruvec_stat_sub_folio": "__lruvec_stat_mod_folio($, -#)",
    "lruvec_stat_add_folio": "lruvec_stat_mod_folio($, #)", "lruvec_stat_sub_folio": "lruvec_stat_mod_folio($, -#)",
}
# Atomic counters of memory that a file shows. The others are taken for reference counts.
ATOMIC = re.compile(r"pinned_vm|pages|swap|usage|events|stat|rss|mapcount|pgtables|ksm|nr_hugepages|memory|zswap|num_poisoned")
# Calls that stand alone: the call that does the opposite, or None.
CALL = {
    "mm_inc_nr_ptes": "mm_dec_nr_ptes", "mm_dec_nr_ptes": "mm_inc_nr_ptes", "mm_inc_nr_pmds": "mm_dec_nr_pmds",
    "mm_dec_nr_pmds": "mm_inc_nr_pmds", "update_hiwater_rss": None, "update_hiwater_vm": None, "count_mthp_stat": None,
    "count_memcg_event_mm": None, "memcg_memory_event": None, "memcg_memory_event_mm": None, "folio_mark_dirty": None,
    "set_page_dirty": None, "folio_mark_accessed": None, "SetPageAnonExclusive": "ClearPageAnonExclusive",
    "ClearPageAnonExclusive": None, "__ClearPageAnonExclusive": None, "clear_soft_dirty": None, "clear_soft_dirty_pmd": None,
    "make_uffd_wp_pte": None, "make_uffd_wp_pmd": None, "make_uffd_wp_huge_pte": None, "pte_install_uffd_wp_if_needed": None,
    "vm_flags_set": "vm_flags_clear", "vm_flags_clear": "vm_flags_set", "vm_flags_reset": None, "vm_flags_init": None,
    "vm_flags_mod": None, "vma_set_page_prot": None, "tlb_remove_pmd_tlb_entry": None, "folio_deactivate": None,
    "folio_migrate_flags": None, "mlock_folio": None, "munlock_folio": None, "mlock_vma_folio": None, "munlock_vma_folio": None,
    "ksm_map_zero_page": None, "ksm_might_unmap_zero_page": None, "mem_cgroup_swapin_uncharge_swap": None,
    "hugetlb_cgroup_uncharge_folio": None, "hugetlb_cgroup_commit_charge": None, "mm_account_fault": None,
    "filemap_nr_thps_inc": "filemap_nr_thps_dec", "filemap_nr_thps_dec": "filemap_nr_thps_inc",
}
for flag in "dirty referenced active unevictable mlocked swapbacked young idle reclaim workingset".split():
    for low in ("", "__"):
        CALL[f"{low}folio_set_{flag}"] = f"folio_clear_{flag}"
        CALL[f"{low}folio_clear_{flag}"] = f"folio_set_{flag}"
# Expressions: what replaces them if they are left out ($ means the argument), and their opposite, or None.
EXPRESSION = {}
for level in ("pte", "pmd", "pte_swp", "pmd_swp", "huge_pte", "pud"):
    for set_bit, clear_bit in (("mkdirty", "mkclean"), ("mkyoung", "mkold"), ("mksoft_dirty", "clear_soft_dirty"),
                               ("mkuffd_wp", "clear_uffd_wp"), ("mkexclusive", "clear_exclusive")):
        there = {"pte": 4, "pmd": 4, "pud": 2, "huge_pte": 0}.get(level, 0)
        bits = ("mkdirty", "mkyoung", "mksoft_dirty", "mkuffd_wp", "mkexclusive").index(set_bit)
        both = bits < there or (level.endswith("_swp") and bits in (2, 3)) or (level == "pte_swp" and bits == 4) \
            or (level == "huge_pte" and bits == 3)
        EXPRESSION[f"{level}_{set_bit}"] = ("$", f"{level}_{clear_bit}" if both else None)
        EXPRESSION[f"{level}_{clear_bit}"] = ("$", f"{level}_{set_bit}" if both else None)
for name in "make_migration_entry_young make_migration_entry_dirty move_soft_dirty_pte move_soft_dirty_pmd clear_uffd_wp_pmd".split():
    EXPRESSION[name] = ("$", None)
for name in "ptep_test_and_clear_young pmdp_test_and_clear_young folio_test_clear_young".split():
    EXPRESSION[name] = ("0", None)
for flag in "dirty referenced active unevictable mlocked".split():
    EXPRESSION[f"folio_test_clear_{flag}"] = (f"folio_test_{flag}($)", None)
    EXPRESSION[f"folio_test_set_{flag}"] = (f"folio_test_{flag}($)", None)

COUNTER = re.compile(
    r"(?P<lhs>(?:\*?\b[A-Za-z_][\w]*(?:\[[^\]\n]*\])?(?:->|\.))*"
    r"(?:(?:total|locked|data|exec|stack|pinned)_vm|hiwater_\w+|(?:nr|free|surplus|resv|max)_huge_pages(?:_node\[[^;=]*?\])?|used_hpages|"
    r"rsv_hpages|usage\[[^\]]*\]|nrpages|maj_flt|min_flt|ksm_\w+|rmap_items|pages_(?:shared|sharing|unshared|skipped|scanned)|"
    r"rss\[[^;=]*?\]|swapped|alloced|inuse_pages|\bmss->\w+|\bmd->\w+(?:\[[^\]]*\])?|reserved|nr_accounted|(?<=->)rss|mlock_count|"
    r"nr_reclaimed|nr_scanned|total|recovered|failed|delayed|ignored))\s*"
    r"(?:(?P<op>\+=|-=)\s*(?P<rhs>[^;{}]+)|(?P<post>\+\+|--));")
BITS = re.compile(r"(?P<lhs>\b[A-Za-z_][\w>.\-]*)\s*(?P<op>\|=|&=)\s*(?P<rhs>[^;{}]*\b(?:VM_[A-Z_]+|PM_[A-Z_]+|PAGE_IS_[A-Z_]+|KPF_[A-Z_]+|"
                  r"RMAP_EXCLUSIVE|MFILL_ATOMIC_WP|VM_FAULT_MAJOR)\b[^;{}]*);")


def blank(text):
    """Returns the text with comments, strings and preprocessor lines replaced by spaces."""
    keep = lambda m: re.sub(r"[^\n]", " ", m.group())
    text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", keep, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", keep, text, flags=re.M)


def functions(code):
    """Returns (name, start, end) of each function body. In kernel style, its braces are in the first column."""
    for m in re.finditer(r"^(?![\s#}])[^;{}=]*?\b(\w+)\s*\((?:[^;{}]*)\)[^;{}()]*\n\{", code, flags=re.M):
        end = code.find("\n}", m.end())
        yield m.group(1), m.end(), end if end > 0 else len(code)


def closing(code, at):
    """Returns the position of the parenthesis that closes the one at AT."""
    depth = 0
    for i in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[i], 0)
        if not depth:
            return i
    return -1


def arguments(text):
    out, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(c, 0)
        if c == "," and not depth:
            out.append(text[start:i])
            start = i + 1
    return [a.strip() for a in [*out, text[start:]]]


def amount(value, number):
    return f"rssck_amount({value}, {number})", ["left out", "doubled", "negated"] + ([] if re.fullmatch(r"-?1", value.strip()) else ["one, not all"])


def change(name, args, number):
    """Returns the replacement of a call, and its operators."""
    if name in AMOUNT:
        parts = arguments(args)
        if len(parts) <= AMOUNT[name] or (name.startswith("atomic") and not ATOMIC.search(args)):
            return None
        parts[AMOUNT[name]], operators = amount(parts[AMOUNT[name]], number)
        return f"{name}({', '.join(parts)})", operators
    if name in UNIT:
        if name.startswith("atomic") and not ATOMIC.search(args):
            return None
        parts = arguments(args)
        folio = name.endswith("_folio")
        value, operators = amount(f"(long)folio_nr_pages({parts[0]})" if folio else "1", number)
        text = UNIT[name].replace("#", value).replace("$", args)
        for i, part in enumerate(parts):
            text = text.replace(f"RSSCK_{i}", part)
        return text, operators
    if name in EXPRESSION:
        left_out, opposite = EXPRESSION[name]
        text = f"rssck_is({number}) ? ({left_out.replace('$', args)}) : "
        if opposite:
            text += f"rssck_is({number + 1}) ? {opposite}({args}) : "
        return f"({{ rssck_site({number}); {text}{name}({args}); }})", ["left out"] + ["opposite"] * bool(opposite)
    opposite = CALL[name]
    text = f"({{ rssck_site({number}); if (!rssck_is({number})) "
    if opposite:
        text += f"{{ if (rssck_is({number + 1})) {opposite}({args}); else {name}({args}); }}"
    else:
        text += f"{name}({args});"
    return text + " })", ["left out"] + ["opposite"] * bool(opposite)


NAMES = re.compile(r"(?<![\w.>])(" + "|".join(sorted({*AMOUNT, *UNIT, *CALL, *EXPRESSION}, key=len, reverse=True)) + r")\s*\(")


def places(code):
    """Returns the places of a file: (start, end, function, kind, match)."""
    found = []
    for function, start, end in functions(code):
        for kind, pattern in (("call", NAMES), ("counter", COUNTER), ("bits", BITS)):
            for m in pattern.finditer(code, start, end):
                stop = closing(code, m.end() - 1) + 1 if kind == "call" else m.end()
                if stop > 0:
                    found.append((m.start(), stop, function, kind, m))
    return found


def mutate(path, source, number, dropped, rows):
    """Changes a file, from its end to its start, so that inner places are changed first."""
    text = source.read_text()
    code = blank(text)
    found = sorted(places(code), key=lambda p: p[0])
    numbers = {}
    plan = []
    for start, stop, function, kind, m in found:
        numbers[start, kind] = number
        plan.append((start, stop, function, kind, m, number))
        number += 4
    end_shift = []
    for start, stop, function, kind, m, n in reversed(plan):
        grown = sum(delta for at, delta in end_shift if at < stop)
        now = text[start:stop + grown]
        flat = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", " ", now, flags=re.S))
        flat_source = re.sub(r"\s+", " ", code[start:stop])
        if kind == "call":
            name = m.group(1)
            result = change(name, flat[flat.index("(") + 1:-1].strip(), n)
        elif kind == "counter":
            c = COUNTER.fullmatch(flat)
            if not c:
                continue
            value, operators = amount(c["rhs"] or "1", n)
            result = f"{c['lhs']} {c['op'] or c['post'][0] + '='} {value};", operators
        else:
            b = BITS.fullmatch(flat)
            if not b:
                continue
            nothing = "0" if b["op"] == "|=" else "~0UL"
            result = (f"{b['lhs']} {b['op']} ({{ rssck_site({n}); rssck_is({n}) ? {nothing} : ({b['rhs']}); }});", ["left out"])
        if not result or n in dropped:
            continue
        new, operators = result
        new += "\n" * now.count("\n")
        text = text[:start] + new + text[stop + grown:]
        end_shift.append((start, len(new) - len(now)))
        line = code.count("\n", 0, start) + 1
        for i, operator in enumerate(operators):
            rows.append((n + i, "generated", path, line, function, operator, flat_source))
    source.write_text('#include <linux/rssck_mutant.h>\n#line 1 "%s"\n%s' % (path, text))
    return number


def place_of(text, function, old):
    """Returns where the text with the old code begins and ends: a function, or the whole file; None if it is not there."""
    if not function:
        return (0, len(text)) if text.count(old) == 1 else None
    return next(((s, e) for name, s, e in functions(blank(text)) if name == function and old in text[s:e]), None)


def kind_of(number, fix):
    if fix.startswith(("subtle: ", "medium: ", "plain: ")):
        return "invented"
    return "real" if number < 200 else "real 2026" if number < 300 else "real, older"


def wanted(only, number):
    """only: "601-636,651", or "" for all."""
    parts = [part.split("-") for part in only.split(",") if part]
    return not parts or any(int(part[0]) <= number <= int(part[-1]) for part in parts)


def put_back(root, rows, only):
    """Adds the upstream and the invented bugs. A line that has a bug already gets no second one."""
    before = {}
    invented = [(number, f"{difficulty}: {SEEN[number]}", *rest) for number, difficulty, *rest in INVENTED]
    for number, fix, path, function, old, new in [*REAL, *invented, *OLDER]:
        if not wanted(only, number):
            continue
        source = root / path
        text = source.read_text()
        place = place_of(text, function, old)
        if not place:
            if not place_of(before.get(path, text), function, old):
                sys.exit(f"make.py: {number}: {path}: {function or 'the file'} has no: {old}")
            print(f"make.py: {number} is left out: {path} has another bug there")
            continue
        low, high = place
        body = text[low:high].replace(old, new.replace("@", f"rssck_real({number})"))
        line = text.count("\n", 0, low + text[low:high].index(old)) + 1
        source.write_text(text[:low] + body + text[high:])
        before.setdefault(path, text)
        rows.append((number, kind_of(number, fix), path, line, function or "-", fix, re.sub(r"\s+", " ", old)))
    return set(before)


def main():
    root, table = Path(sys.argv[1]), Path(sys.argv[2])
    drop = root / ".rssck-drop"
    dropped = {int(n) for n in drop.read_text().split()} if drop.exists() else set()
    rows = []
    only = os.environ.get("ONLY", "")
    touched = put_back(root, rows, only)
    number = FIRST
    generated = [] if only else [path for path in FILES if (root / path).exists()]
    for path in generated:
        number = mutate(path, root / path, number, dropped, rows)
    for path in touched - set(generated):
        source = root / path
        text = source.read_text()
        if path.endswith(".h"):
            at = text.index("\n", text.index("#define")) + 1
            source.write_text(text[:at] + "#include <linux/rssck_mutant.h>\n" + text[at:])
        else:
            source.write_text("#include <linux/rssck_mutant.h>\n" + text)
    rows.sort(key=lambda r: r[0])
    table.write_text("".join("\t".join(map(str, r)) + "\n" for r in rows))
    print(f"{len({r[0] for r in rows if r[1] != 'generated'})} bugs by hand, {sum(r[1] == 'generated' for r in rows)} generated mutants "
          f"of {len({r[0] - (r[0] - FIRST) % 4 for r in rows if r[1] == 'generated'})} places, numbers up to {number}")


if __name__ == "__main__":
    main()
