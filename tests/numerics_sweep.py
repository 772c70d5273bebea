#!/usr/bin/env python3
"""The runs of `transpire ulp --mode all` that take too long for CTest, and their table in docs/numerics.md.

usage: numerics_sweep.py ROOT                             check what is written
       numerics_sweep.py ROOT --list FOLDER               which runs FOLDER has results of, and which not
       numerics_sweep.py ROOT --run PROGRAM FOLDER [RUN...] make the runs that FOLDER has no results of
       numerics_sweep.py ROOT --update FOLDER             write the table's rows of which FOLDER has results

A run is named float_exp or half_pow. All floats take about two minutes of one core for most functions, the whole list
some hours: stopped, --run makes the run anew that it had not finished. Results are those of one machine's instruction sets.
"""
import json
import pathlib
import re
import subprocess
import sys

from numerics_measured import INTEGER, TWO, bound, functions, line_of, rows_of

BEGIN, END = "<!-- sweep: begin -->\n", "<!-- sweep: end -->\n"
RANDOM = {"half": 100_000_000, "float": 100_000_000, "double": 10_000_000}
CONFIRM = {"half": 1_000_000, "float": 1_000_000, "double": 1_000_000}
HEADER = ("| function | type | operands | calls | reference: not the nearest | fast: not the nearest | fast: worst ulp "
          "| allowed | outside of it | differ between instruction sets | decided by MPFR "
          "| settled, asked: contradicted |\n" + "|---|---|---|---|---|---|---|---|---|---|---|---|\n")
TYPES = ("half", "float", "double")
NONE_WRONG = {4: "results of the reference mode that are not the nearest number", 8: "results outside of the bound",
              9: "results that differ between instruction sets"}


def is_exhaustive(name: str, kind: str) -> bool:
    if name in TWO:
        return kind == "half" and name not in INTEGER
    return kind != "double"


def runs(root: pathlib.Path) -> dict[str, list[str]]:
    """The words of each run's command, by the run's name: halves first, which take no time, then random calls."""
    names = sorted(functions(root))
    wanted = [("half", name) for name in names if name not in TWO]
    wanted += [("float", name) for name in names if name in TWO]
    wanted += [("float", name) for name in names if name not in TWO]
    wanted += [("half", name) for name in names if name in TWO]
    wanted += [("double", name) for name in names]
    words = {}
    for kind, name in wanted:
        how = ["--exhaustive"] if is_exhaustive(name, kind) else ["--samples", str(RANDOM[kind])]
        words[f"{kind}_{name}"] = [name, "--type", kind, *how, "--confirm", str(CONFIRM[kind])]
    return words


def make(root: pathlib.Path, program: str, folder: pathlib.Path, chosen: list[str]) -> int:
    known = runs(root)
    if unknown := set(chosen) - set(known):
        sys.exit(f"there is no run {', '.join(sorted(unknown))}; --list FOLDER names them")
    folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for name in chosen or known:
        path = folder / f"{name}.json"
        if path.exists():
            continue
        command = [program, "ulp", *known[name], "--mode", "all", "--format", "json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join(command)} ends with {done.returncode}\n{done.stdout}")
        path.write_text(done.stdout, encoding="utf-8")
        seconds = json.loads(done.stdout)["contenders"][0]["seconds"]
        print(f"{name}: {seconds:.0f} s{', with results that are wrong' if done.returncode else ''}", flush=True)
        wrong += done.returncode
    return 1 if wrong else 0


def operands(name: str, kind: str) -> str:
    if is_exhaustive(name, kind):
        return f"every pair of {kind}s" if name in TWO else f"every {kind}"
    return f"random, and all {'pairs of ' if name in TWO else ''}special values"


def row(result: dict) -> str:
    name, kind = result["function"], result["type"]
    reference, *fast = result["contenders"]
    count = {"half": 16, "float": 32}.get(kind, 64) * (2 if name in TWO else 1)
    calls = reference["calls"]
    if not reference["complete"] or calls < (2**count if is_exhaustive(name, kind) else RANDOM[kind]):
        sys.exit(f"the result of {kind}_{name} is that of a smaller run")
    worst = max(fast, key=lambda each: float(each["worst"]["ulp"]))["worst"]["ulp"]
    cells = [name, kind, operands(name, kind), f"{calls:,}", f"{reference['not_correctly_rounded']:,}",
             f"{max(each['not_correctly_rounded'] for each in fast):,}",
             worst if isinstance(worst, str) else f"{worst:.4g}", bound(fast[0]["bound"]["full"]),
             f"{max(each['outside']['full'] for each in fast):,}", f"{result['differing']:,}",
             f"{reference['decided_by_mpfr']:,}", f"{reference['confirmed']:,}: {reference['contradicted']:,}"]
    return line_of(cells)


def update(root: pathlib.Path, folder: pathlib.Path, before: str) -> str:
    lines = {(cells[0], cells[1]): line_of(cells) for cells in rows_of(before)}
    for name in runs(root):
        if (folder / f"{name}.json").exists():
            result = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
            lines[result["function"], result["type"]] = row(result)
    return HEADER + "".join(lines[key] for key in sorted(lines, key=lambda key: (key[0], TYPES.index(key[1]))))


def check(root: pathlib.Path, table: str) -> int:
    rows = rows_of(table)
    known = runs(root)
    wrong = 0
    for cells in rows:
        name = f"{cells[1]}_{cells[0]}"
        faults = [f"{cells[i]} {what}" for i, what in NONE_WRONG.items() if cells[i] != "0"]
        if name not in known:
            faults.append("no such run")
        if not re.fullmatch(r"\d[\d,]*: 0", cells[11]):
            faults.append(f"MPFR contradicts: {cells[11]}")
        for fault in faults:
            print(f"{name}: {fault}")
        wrong += len(faults)
    for name in sorted(set(known) - {f"{cells[1]}_{cells[0]}" for cells in rows}):
        print(f"{name}: no such row")
        wrong += 1
    print(f"{len(rows)} of {len(known)} runs, {wrong} wrong")
    return 1 if wrong else 0


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    option, rest = (sys.argv[2], sys.argv[3:]) if len(sys.argv) > 3 else ("", [])
    if option == "--run":
        return make(root, rest[0], pathlib.Path(rest[1]), rest[2:])
    if option == "--list":
        for name in runs(root):
            print(name, "done" if (pathlib.Path(rest[0]) / f"{name}.json").exists() else "-")
        return 0
    path = root / "docs/numerics.md"
    head, tail = path.read_text(encoding="utf-8").split(BEGIN)
    table, tail = tail.split(END)
    if option == "--update":
        table = update(root, pathlib.Path(rest[0]), table)
        path.write_text(head + BEGIN + table + END + tail, encoding="utf-8")
    return check(root, table)


if __name__ == "__main__":
    sys.exit(main())
