#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kallsyms.py VMLINUX: prints the symbols of a kernel in the format of /proc/kallsyms, from its image; the kernel does not run.

The tables follow one another (scripts/kallsyms.c): the count, the names, markers (where each 256th name begins), 256
tokens, where each token begins, and the addresses, relative to a base. Known for 6.12; other orders are an error.
"""
import struct
import sys
from pathlib import Path


def token_table(data):
    """Returns (begin of the tokens, tokens, end of their index)."""
    digits = b"".join(bytes([ord("0") + i, 0]) for i in range(10))
    at = data.find(digits)
    while at >= 0:
        start = at
        for _ in range(ord("0")):
            start = data.rfind(b"\0", 0, start - 1) + 1
        tokens, end = [], start
        for _ in range(256):
            stop = data.index(b"\0", end)
            tokens.append(data[end:stop])
            end = stop + 1
        index = struct.pack("<256H", *(sum(len(t) + 1 for t in tokens[:i]) for i in range(256))) if end - start < 65536 else b"-" * 512
        there = data.find(index, end, end + 64 + len(index))
        if there >= 0:
            return start, tokens, there + len(index)
        at = data.find(digits, at + 1)
    sys.exit("kallsyms.py: no table of tokens")


def marker_table(data, end):
    """Returns (begin of the markers, their number, the last marker). Markers are numbers before END that rise from 0."""
    word = lambda at: struct.unpack_from("<I", data, at)[0]
    end = end // 8 * 8
    while not word(end - 4):
        end -= 4
    at = end - 4
    last, count = word(at), 1
    while word(at - 4) < word(at):
        at -= 4
        count += 1
        if not word(at):
            break
    return at, count, last


def names_of(data, tokens, at, count, markers):
    names, start = [], at
    for i in range(count):
        if i % 256 == 0 and at - start != struct.unpack_from("<I", data, markers + i // 64)[0]:
            return None
        length, at = data[at], at + 1
        if length & 0x80:
            length, at = length & 0x7f | data[at] << 7, at + 1
        names.append(b"".join(tokens[c] for c in data[at:at + length]).decode())
        at += length
    return names


def symbols(image):
    """Returns (address, type, name) of each symbol."""
    data = Path(image).read_bytes()
    start, tokens, end = token_table(data)
    markers, number, last = marker_table(data, start)
    names = None
    for at in range((markers - last) // 8 * 8, markers - last - 80000, -8):
        count = struct.unpack_from("<I", data, at)[0]
        if (count + 255) // 256 == number:
            names = names_of(data, tokens, at + 8, count, markers)
        if names:
            break
    if not names:
        sys.exit("kallsyms.py: no names")
    offsets = (end + 7) // 8 * 8
    base, = struct.unpack_from("<Q", data, (offsets + 4 * len(names) + 7) // 8 * 8)
    for name, offset in zip(names, struct.unpack_from(f"<{len(names)}i", data, offsets)):
        yield (offset if offset >= 0 else base - 1 - offset) & (1 << 64) - 1, name[0], name[1:]


if __name__ == "__main__":
    for address, kind, name in symbols(sys.argv[1]):
        print(f"{address:016x} {kind} {name}")
