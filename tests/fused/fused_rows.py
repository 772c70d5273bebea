#!/usr/bin/env python3
"""Fails when compiled code holds a fused multiply-add outside of the functions that are meant to fuse.

-ffp-contract=off forbids fusing, but a compiler may still do it where it makes vector code (g++ 12 can make
vfmaddsub of a*b+c and a*b-c side by side). Such a function would give other bits than the same one without the
instruction. The disassembly of what was compiled is the proof.

    fused_rows.py FILE...              archives or objects
    fused_rows.py --needs-fma FILE...  also fails when fma itself is not there, so that an empty listing is none
"""
import re
import subprocess
import sys

# Symbols, demangled, that may fuse, and why the result is the same without.
ALLOWED = {
    r"isa_avx(2|512)::opencl::Fma,": "the fma of OpenCL.std, whose result is the fused one",
    r"isa_avx(2|512)::opencl::Fma::": "the same",
    r"map_in_mode<.*::FmaRounded,": "the same in another rounding mode",
    r"convert_handler<transpire::vm::isa_avx2::ConvertUToF, false, float, unsigned int>":
        "g++ converts a 32-bit integer by halves, high * 65536 + low: the product is exact, so the sum is "
        "rounded once either way",
}
FMA = next(iter(ALLOWED))
SYMBOL = re.compile(r"^[0-9a-f]+ <(.*)>:$")
FUSED = re.compile(r"\tv?fn?m(?:add|sub)\w*(?=\s)")


def fused_by_symbol(path: str) -> dict[str, dict[str, int]]:
    listing = subprocess.Popen(["objdump", "-d", "-C", "--no-show-raw-insn", path], stdout=subprocess.PIPE,
                               text=True, errors="replace")
    found: dict[str, dict[str, int]] = {}
    symbol = ""
    for line in listing.stdout:
        if line.endswith(">:\n") and (head := SYMBOL.match(line)):
            symbol = head.group(1)
        elif "m" in line and (match := FUSED.search(line)):
            counts = found.setdefault(symbol, {})
            name = match.group().strip()
            counts[name] = counts.get(name, 0) + 1
    if listing.wait() != 0:
        sys.exit(f"objdump failed on {path}")
    return found


def main() -> int:
    paths = [word for word in sys.argv[1:] if not word.startswith("--")]
    allowed = wrong = fma = 0
    for path in paths:
        for symbol, counts in sorted(fused_by_symbol(path).items()):
            fma += re.search(FMA, symbol) is not None
            if any(re.search(pattern, symbol) for pattern in ALLOWED):
                allowed += 1
                continue
            wrong += 1
            print(f"{symbol}: {', '.join(f'{n} {name}' for name, n in counts.items())}")
    print(f"{allowed} functions fuse on purpose, {wrong} by accident")
    if "--needs-fma" in sys.argv and fma == 0:
        print("no fused multiply-add was found in fma itself: was the right file disassembled?")
        return 1
    return 1 if wrong or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
