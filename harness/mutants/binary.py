#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""binary.py VMLINUX SOURCE TSV: makes mutants of a distribution's kernel from its image, without building the kernel.

VMLINUX: what scripts/extract-vmlinux makes of the image; SOURCE: its source, which only says which functions the files of
make.py have. Each instruction of these functions that adds to a number in memory, calls what
adds to one, or sets or clears a bit of a page or a page table entry is left out (nops), or done the other way round (inc and
dec, add and sub). Nobody chooses them. TSV: number, file, function, address, operator, instruction, offset in the file, bytes now, bytes then.
"""
import re
import struct
import subprocess
import sys
from pathlib import Path

from kallsyms import symbols
from make import FILES, blank, functions

# Functions that add to a number or mark a page, and whose return value does not matter.
CALLS = re.compile(
    r"(__)?(mod_(node_page|zone_page|lruvec|memcg|memcg_lruvec|lruvec_kmem)_state|lruvec_stat_mod_folio|inc_node_page_state|"
    r"inc_node_state|dec_node_page_state|dec_node_state|count_memcg_events|mod_lruvec_page_state)|inc_zone_page_state|page_counter_(un)?charge|percpu_counter_add_batch|vm_stat_account|"
    r"folio_mark_accessed|mlock_folio|munlock_folio|munlock_folio|mlock_new_folio|folio_deactivate|folio_activate|folio_mark_lazyfree|lru_note_cost\w*|shmem_recalc_inode|"
    r"hugetlb_cgroup_(un|commit_)charge\w*|mm_account_fault|workingset_(refault|activation|age_nonresident)|folio_migrate_flags|mem_cgroup_swapin_uncharge_swap|"
    r"memcg_memory_event\w*|folio_mark_dirty|vma_set_page_prot|update_hiwater\w*|hugepage_subpool_put_pages|mem_cgroup_uncharge_(swap|skmem)|folio_account_cleaned|num_poisoned_pages_\w+")
PTE = {0x20: "accessed", 0x40: "dirty", 0x400: "uffd-wp", 0x800: "soft-dirty"}
NOPS = {1: "90", 2: "6690", 3: "0f1f00", 4: "0f1f4000", 5: "0f1f440000", 6: "660f1f440000", 7: "0f1f8000000000", 8: "0f1f840000000000"}


def nops(length):
    return bytes.fromhex(NOPS[length]) if length <= 8 else bytes.fromhex(NOPS[8]) + nops(length - 8)


def owners(source):
    """Maps functions to their files; only functions that exist in a single file."""
    owner = {}
    for path in FILES:
        if (source / path).exists():
            for name, _, _ in functions(blank((source / path).read_text())):
                owner[name] = path if owner.get(name, path) == path else None
    return {n: p for n, p in owner.items() if p}


def ranges(text, owner):
    """Returns (start, end, name, file) for each function of the files."""
    for (start, name), (end, _) in zip(text, text[1:]):
        base = re.sub(r"\.(isra|constprop|part|cold).*", "", name)
        if base in owner and 0 < end - start < 0x8000 and ".cold" not in name:
            yield start, end, name, owner[base]


def turned(code):
    """Returns the opposite of an instruction that adds or subtracts, by its opcode; None: there is none."""
    i = 0
    while code[i] in (0x65, 0xf0, 0x66) or 0x40 <= code[i] <= 0x4f:
        i += 1
    new = bytearray(code)
    if code[i] in (0x01, 0x29):
        new[i] ^= 0x28
    elif code[i] in (0x83, 0x81) and (code[i + 1] >> 3 & 7) in (0, 5):
        new[i + 1] ^= 5 << 3
    elif code[i] in (0xff, 0xfe) and (code[i + 1] >> 3 & 7) in (0, 1):
        new[i + 1] ^= 1 << 3
    else:
        return None
    return bytes(new)


def kind_of(name, operands, text):
    """Returns the mutants of an instruction: None, 'once' (it is left out), 'both' (also its opposite)."""
    lock = text.startswith("lock ")
    memory = re.search(r"(%gs:)?[-\w]*\((%r\w+)|%gs:", operands.split("#")[0])
    if name.startswith("call"):
        target = re.search(r"<([\w.]+)>", text)
        return "once" if target and CALLS.fullmatch(target.group(1).split(".")[0]) else None
    last = operands.split("#")[0].strip()
    to_memory = last.endswith(")") or "%gs:" in last.split(",")[-1] or re.search(r",0x[0-9a-f]+\(", last)
    stack = "(%rsp" in last.split(",")[-1] or "(%rbp" in operands
    # Only 64-bit operands are taken: 32-bit ones are reference counts. An operand like %gs:(%rax) is left out.
    if re.fullmatch(r"(inc|dec|add|sub)q?", name) and memory and to_memory and not stack:
        source = operands.rsplit(",", 1)[0] if name[:3] in ("add", "sub") else ""
        wide = name.endswith("q") or re.search(r"%r([a-ds][ix]|bp|[89]|1[0-5])$", source.strip())
        return "both" if wide and not re.search(r"%gs:\(%r\w+\)", operands) else None
    if lock and name in ("orb", "andb") and to_memory and not stack:
        mask = int(re.match(r"\$0x([0-9a-f]+)", operands).group(1), 16) & 0xff
        bit = mask if name == "orb" else mask ^ 0xff
        first = re.search(r",\(%r\w+\)$", operands)
        return None if first and bit in (0x01, 0x08, 0x20, 0x40, 0x80) else "once"
    if name in ("or", "and") and re.match(r"\$0x[0-9a-f]+,%[re]?[a-z0-9]+$", operands):
        mask = int(re.match(r"\$0x([0-9a-f]+)", operands).group(1), 16)
        bit = mask if name == "or" else ~mask & 0xffffffffffffffff
        return "once" if bit in PTE and "%r" in operands else None
    return None


def file_offsets(image):
    data = Path(image).read_bytes()
    offset, = struct.unpack_from("<Q", data, 32)
    count, = struct.unpack_from("<H", data, 56)
    loads = [struct.unpack_from("<IIQQQQQQ", data, offset + 56 * i) for i in range(count)]
    return data, [(virtual, size, at) for kind, _, at, virtual, _, size, _, _ in loads if kind == 1 and virtual]


def disassembled(image, start, end, names):
    out = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-w", f"--start-address={start:#x}", f"--stop-address={end:#x}", image],
                         capture_output=True, text=True, check=True).stdout
    lines = [m.groups() for m in re.finditer(r"^\s*([0-9a-f]{16}):\s*(.+?)\s*$", out, flags=re.M)]
    for (a, text), (b, _) in zip(lines, [*lines[1:], (f"{end:x}", "")]):
        call = re.match(r"call\s+0x([0-9a-f]+)", text) or re.match(r"call\s+([0-9a-f]{16})", text)
        if call:
            text = f"call <{names.get(int(call.group(1), 16), '?')}>"
        yield int(a, 16), int(b, 16) - int(a, 16), text


def instructions(image, spans, names):
    """Disassembles the functions, in ranges that contain few other functions."""
    while spans:
        n = 1
        while n < len(spans) and spans[n][0] - spans[n - 1][1] < 0x4000:
            n += 1
        piece, spans = spans[:n], spans[n:]
        for address, length, text in disassembled(image, piece[0][0], piece[-1][1], names):
            while address >= piece[0][1]:
                piece = piece[1:]
                if not piece:
                    break
            if not piece:
                break
            if address >= piece[0][0]:
                yield (*piece[0], address, length, text)


def main():
    image, source, table = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    data, loads = file_offsets(image)
    text = sorted((address, name) for address, kind, name in symbols(image) if kind in "tTwW")
    spans, rows = sorted(ranges(text, owners(source))), []
    for _, _, function, path, address, length, text in instructions(image, spans, dict(text)):
        if length > 15:
            continue
        plain = re.sub(r"^lock ", "", text)
        name, _, operands = plain.partition(" ")
        kind = kind_of(name, operands.strip(), text)
        if not kind:
            continue
        at = next((a + address - v for v, size, a in loads if v <= address < v + size), None)
        code = data[at:at + length]
        ways = [("left out", nops(length))]
        if kind == "both" and turned(code):
            ways.append(("opposite", turned(code)))
        for operator, new in ways:
            rows.append((10000 + len(rows), path, function, f"{address:x}", operator, re.sub(r"\s+", " ", text), at, code.hex(), new.hex()))
    table.write_text("".join("\t".join(map(str, r)) + "\n" for r in rows))
    print(f"{len(rows)} mutants at {len({r[3] for r in rows})} instructions of {len({r[2] for r in rows})} functions")


main()
