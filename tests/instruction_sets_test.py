#!/usr/bin/env python3
"""Whether code of an instruction set stands in that set's namespace and nowhere else: a function that two sets share out
of line is the linker's choice of one of them, and an illegal instruction on some machine.

usage: instruction_sets_test.py BINARY...

Exits with 77 (skipped) where objdump is not installed.
"""
import collections
import re
import shutil
import subprocess
import sys

# By namespace, and what functions of it may use: 0 SSE2; 1 AVX2, whose instructions begin with v, the sets of bit
# operations that come with it, but for tzcnt, which older processors run as bsf, and SSE3 to SSE4.2; 2 AVX-512, with
# registers of its own or the EVEX encoding (first byte 62).
LEVELS = {"isa_baseline": 0, "isa_avx2": 1, "isa_avx512": 2}
NAMES = ["SSE2", "AVX2", "AVX-512"]
MASKED = re.compile(r"%zmm|%k[0-7]|%[xy]mm(1[6-9]|2\d|3[01])")
VEX = re.compile(r"\t(v(?!err|erw)[a-z]|(andn|bextr|blsi|blsmsk|blsr|bzhi|lzcnt|mulx|pdep|pext|popcnt|rorx|sarx|shlx|shrx)[lq]? )")
EVEX = re.compile(r":\t62 ")
# The maps of opcodes 0F 38 and 0F 3A, and what SSE3 has in the older map.
SSE3_UP = re.compile(r":\t((66|f2|f3) )*(4[0-9a-f] )?0f 3[8a] |\t(movddup|movs[hl]dup|h(add|sub)p[sd]|addsubp[sd]|lddqu) ")
# Functions that the compiler clones, and chooses among by the machine (ulp/decide.cpp).
CLONE = re.compile(r"\.avx2$")


def level_of(function: str) -> int:
    if CLONE.search(function):
        return len(NAMES) - 1
    return max((level for name, level in LEVELS.items() if name in function), default=0)


def used_by(body: str, allowed: int) -> int:
    """The level of a function's instructions, where it is more than it may use."""
    if allowed < 2 and (EVEX.search(body) or MASKED.search(body)):
        return 2
    return 1 if allowed < 1 and (VEX.search(body) or SSE3_UP.search(body)) else allowed


def functions(binary: str):
    """Name and disassembled lines of each function."""
    name, body = "", []
    with subprocess.Popen(["objdump", "--disassemble", "--wide", binary], stdout=subprocess.PIPE, text=True) as run:
        for line in run.stdout or []:
            if line.endswith(">:\n"):
                yield name, "".join(body)
                name, body = line.split("<", 1)[1][:-3], []
            else:
                body.append(line)
    yield name, "".join(body)
    if run.returncode != 0:
        sys.exit(f"{binary}: objdump fails")


def found(binary: str) -> dict[str, int]:
    """Functions that use more than they may, and how much."""
    result, seen = {}, collections.Counter()
    for function, body in functions(binary):
        allowed = level_of(function)
        seen[allowed] += 1
        used = used_by(body, allowed)
        if used > allowed:
            result[function] = used
    if min(seen[level] for level in range(3)) < 100:
        sys.exit(f"{binary}: objdump shows no functions of each instruction set: {dict(seen)}")
    return result


def main() -> int:
    if shutil.which("objdump") is None:
        return 77
    wrong = 0
    for binary in sys.argv[1:]:
        for function, used in found(binary).items():
            print(f"{binary}: {function} is not of an instruction set with {NAMES[used]}, and uses it")
            wrong += 1
    print(f"{wrong} functions use what they may not")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
