#!/usr/bin/env python3
"""Makes the table of measured errors and times in docs/numerics.md, from `transpire ulp`.

With --update PROGRAM everything is measured anew, which takes minutes, and the table rewritten; with names of functions
behind it, only their rows. With --pocl PROGRAM, a transpire-opencl-ulp, the columns of PoCL are. Otherwise the script
checks what is written: a row for every function and type, no worst error above its bound, and no result of the reference
mode that is not correctly rounded.
"""
import json
import pathlib
import re
import subprocess
import sys

BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->"
TYPES = ("half", "float", "double")
SAMPLES = {"half": 1_000_000, "float": 1_000_000, "double": 200_000}
HEADER = ("| function | type | fast: worst ulp | allowed, full / embedded | margin | reference: wrong of calls "
          "| ns: baseline / avx2 / avx512 | ns: reference | C library: worst ulp | C library: ns "
          "| PoCL: worst ulp | PoCL: ns |\n" + "|---|---|---|---|---|---|---|---|---|---|---|---|\n")
MEASURED = re.compile(r"^TRANSPIRE_MEASURED\((\w+), [^,]+, [^,]+, (\w+),", re.MULTILINE)
NAMES = re.compile(r"^TRANSPIRE_REFERENCE\((\w+), (\w+),", re.MULTILINE)
OPS = re.compile(r"^TRANSPIRE_OP\((\w+), k(\w+),", re.MULTILINE)
OTHERS = {"FDiv": "divide", "FRem": "fmod", "FDim": "fdim", "FAbs": "fabs"}  # others are called as their ops


def ops_of(shapes: set[str]) -> set[str]:
    """The names of functions whose ops have such operands."""
    root = pathlib.Path(__file__).resolve().parent.parent
    found = [pair for folder in ("extinst", "vm/ops") for path in sorted((root / folder).glob("*.def"))
             for pair in OPS.findall(path.read_text(encoding="utf-8"))]
    return {OTHERS.get(op, op.lower()) for op, shape in found if shape in shapes}


INTEGER = ops_of({"IntFloat"})  # whose second operand is an int
TWO = ops_of({"Binary"}) | INTEGER


def functions(root: pathlib.Path) -> dict[str, bool]:
    """The names, and whether the C library has each."""
    names = OTHERS | dict(NAMES.findall((root / "extinst/reference/functions.def").read_text(encoding="utf-8")))
    rows = MEASURED.findall((root / "ulp/measured.def").read_text(encoding="utf-8"))
    return {names.get(op, op.lower()): own == "true" for op, own in rows}


def measure(program: str, name: str, kind: str, mode: str, isa: str, samples: int) -> dict:
    command = [program, "ulp", name, "--type", kind, "--mode", mode, "--isa", isa, "--samples", str(samples),
               "--format", "json"]
    if kind == "half" and name not in TWO:
        command.append("--exhaustive")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    if "errors" in report:
        sys.exit(f"{' '.join(command)}: {report['errors']}")
    return report


def short(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.3g}"


def bound(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def row(program: str, isas: list[str], name: str, kind: str, in_library: bool) -> list[str]:
    fast = [measure(program, name, kind, "fast", isa, SAMPLES[kind] if isa == isas[-1] else 1000) for isa in isas]
    exact = measure(program, name, kind, "reference", isas[-1], SAMPLES[kind])
    worst, full = fast[-1]["worst"]["ulp"], fast[-1]["bound"]["full"]
    margin = "-" if full is None or not isinstance(worst, float | int) or worst == 0 else f"{full / worst:.2g}"
    library = ["-", "-"]
    if in_library and kind != "half":
        theirs = measure(program, name, kind, "libc", isas[-1], SAMPLES[kind])
        library = [short(theirs["worst"]["ulp"]), short(theirs["ns_per_value"])]
    times = " / ".join(short(report["ns_per_value"]) for report in fast)
    return [name, kind, short(worst), f"{bound(full)} / {bound(fast[-1]['bound']['embedded'])}", margin,
             f"{exact['not_correctly_rounded']} of {exact['calls']}", times, short(exact["ns_per_value"]), *library]


def line_of(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def pocl_cells(program: str, name: str, kind: str) -> list[str]:
    if kind == "half":
        return ["-", "-"]
    done = subprocess.run([program, "Portable Computing Language", name, kind, str(SAMPLES[kind])],
                          capture_output=True, text=True, check=False)
    if done.returncode == 4:  # a function that it does not have
        return ["-", "-"]
    if done.returncode != 0:
        sys.exit(f"{name} of {kind}: exit code {done.returncode}\n{done.stderr}")
    report = json.loads(done.stdout)
    return [short(report["worst_ulp"]), short(report["ns_per_value"])]


def update_pocl(program: str, only: list[str], table: str) -> str:
    updated = HEADER
    for cells in rows_of(table):
        measured = not only or cells[0] in only
        updated += line_of(cells[:10] + (pocl_cells(program, *cells[:2]) if measured else cells[10:]))
    return updated


def rows_of(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def update(root: pathlib.Path, program: str, only: list[str], before: str) -> str:
    version = json.loads(subprocess.run([program, "version", "--format", "json"], capture_output=True, text=True,
                                        check=True).stdout)
    written = {(cells[0], cells[1]): cells for cells in rows_of(before)}
    table = HEADER
    for name, in_library in sorted(functions(root).items()):
        for kind in TYPES:
            cells = written.get((name, kind))
            if not (only and name not in only and cells):
                cells = row(program, version["instruction_sets"], name, kind, in_library) + (cells or ["-"] * 12)[10:]
            table += line_of(cells)
        print(name, flush=True)
    return table


def check(root: pathlib.Path, table: str) -> int:
    rows = rows_of(table)
    wanted = [[name, kind] for name in sorted(functions(root)) for kind in TYPES]
    wrong = 0
    if [cells[:2] for cells in rows] != wanted:
        print("docs/numerics.md has other functions than ulp/measured.def: run with --update PROGRAM")
        wrong += 1
    for cells in rows:
        full = cells[3].split(" / ")[0]
        outside = full != "-" and float(cells[2]) > float(full)
        rounded = re.fullmatch(r"0 of [1-9]\d*", cells[5])
        if outside or not rounded:
            print(f"{cells[0]} of {cells[1]}: worst error {cells[2]}, allowed {full}; {cells[5]} wrong")
            wrong += 1
    print(f"{len(rows)} rows, {wrong} wrong")
    return 1 if wrong or not rows else 0


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    path = root / "docs/numerics.md"
    head, rest = path.read_text(encoding="utf-8").split(BEGIN)
    table, tail = rest.split(END)
    if len(sys.argv) > 3 and sys.argv[2] == "--update":
        table = update(root, sys.argv[3], sys.argv[4:], table)
    elif len(sys.argv) > 3 and sys.argv[2] == "--pocl":
        table = update_pocl(sys.argv[3], sys.argv[4:], table)
    if len(sys.argv) > 3:
        path.write_text(head + BEGIN + table + END + tail, encoding="utf-8")
    return check(root, table)


if __name__ == "__main__":
    sys.exit(main())
