#!/usr/bin/env python3
"""Makes the table of error limits in docs/numerics.md.

One column is what the accuracy tests demand (tests/extinst/math_functions.cpp), the other what the specification
allows (extinst/opencl_std.def). With --update the table is rewritten; otherwise the script fails when it is out of
date or when a promise is above what is allowed.
"""
import pathlib
import re
import sys

BEGIN, END = "<!-- bounds: begin -->\n", "<!-- bounds: end -->"
ROW = re.compile(r'\{Op::k\w+, "(\w+)", [\w<>]+, [-\d.]+, [-\d.]+, ([\d.]+), ([\d.]+), ([\d.]+)\}')
ALLOWED = re.compile(r"TRANSPIRE_CLSTD\(\d+, (\w+), kMath, (\w+|[\d.]+), (\w+|[\d.]+), (\w+|[\d.]+)\)")


def spell(bound: str) -> str:
    return "-" if bound == "kNoBound" else bound


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    promised = {name: (half, single, double) for name, single, double, half in
                ROW.findall((root / "tests/extinst/math_functions.cpp").read_text(encoding="utf-8"))}
    allowed = {name: bounds for name, *bounds in
               ALLOWED.findall((root / "extinst/opencl_std.def").read_text(encoding="utf-8"))}
    table = "| function | half | float | double | allowed |\n|---|---|---|---|---|\n"
    above = 0
    for name in sorted(promised):
        for mine, most in zip(promised[name], allowed[name]):
            above += most != "kNoBound" and float(mine) > float(most)
        limits = " / ".join(spell(bound) for bound in allowed[name])
        table += f"| {name} | {' | '.join(promised[name])} | {limits} |\n"
    path = root / "docs/numerics.md"
    text = path.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    updated = head + BEGIN + table + END + rest.split(END)[1]
    if "--update" in sys.argv:
        path.write_text(updated, encoding="utf-8")
    print(f"{len(promised)} functions, {above} bounds above what is allowed")
    if updated != text and "--update" not in sys.argv:
        print("docs/numerics.md's table is out of date: run tests/numerics_table.py with --update")
        return 1
    return 1 if above or not promised else 0


if __name__ == "__main__":
    sys.exit(main())
