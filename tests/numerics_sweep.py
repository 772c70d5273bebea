#!/usr/bin/env python3
"""The runs of `transpire ulp --mode all` that take too long for CTest, and their two tables in docs/numerics.md.

usage: numerics_sweep.py ROOT                             check what is written
       numerics_sweep.py ROOT --list FOLDER               which runs FOLDER has results of, and which not
       numerics_sweep.py ROOT --run PROGRAM FOLDER [RUN...] make the runs that FOLDER has no results of
       numerics_sweep.py ROOT --update FOLDER             write the table's rows of which FOLDER has results

A run is named float_exp, half_pow or float_Length3; those of formulas (ulp/formulas.def) are in a table of their own, which may hold
smaller runs. All floats take about two minutes of one core for most functions, the whole list
some hours: stopped, --run makes the run anew that it had not finished. Results are those of one machine's instruction sets.
"""
import json
import pathlib
import re
import subprocess
import sys
from collections.abc import Callable

from numerics_measured import INTEGER, TWO, bound, functions, line_of, rows_of
from numerics_table import replaced

BEGIN, END = "<!-- sweep: begin -->\n", "<!-- sweep: end -->\n"
RANDOM = {"half": 100_000_000, "float": 100_000_000, "double": 10_000_000}
CONFIRM = {"half": 1_000_000, "float": 1_000_000, "double": 1_000_000}
HEADER = ("| function | type | operands | calls | reference: not the nearest | fast: not the nearest | fast: worst ulp "
          "| allowed | outside of it | differ between instruction sets | decided by MPFR "
          "| settled, asked: contradicted |\n" + "|---|---|---|---|---|---|---|---|---|---|---|---|\n")
FORMULAS_BEGIN, FORMULAS_END = "<!-- formulas: begin -->\n", "<!-- formulas: end -->\n"
FORMULA = re.compile(r'^TRANSPIRE_FORMULA(_OF_SIZES)?\((\w+),(?: (\d),)? "(\w+)", "\w", \w+, (true|false), "(.*)"\)$', re.MULTILINE)
FORMULA_CALLS = {"half": 100_000_000, "float": 100_000_000, "double": 1_000_000}
FEWEST_CALLS = 20_000
FORMULA_HEADER = ("| function | type | calls | fast: not the nearest | fast: largest part of the error allowed | outside of it "
                  "| reference: not the nearest | differ between instruction sets | decided by MPFR | settled, asked: contradicted |\n"
                  + "|---|---|---|---|---|---|---|---|---|---|\n")
FORMULA_NONE_WRONG = {5: "results outside of the bound", 7: "results that differ between instruction sets"}
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


def formulas(root: pathlib.Path) -> dict[str, tuple[bool, bool]]:
    """The functions, with the sizes of their vectors: whether each takes one number, and whether the reference mode rounds it once."""
    found = {}
    for sizes, name, size, operands, once, _ in FORMULA.findall((root / "ulp/formulas.def").read_text(encoding="utf-8")):
        for each in "234" if sizes else [size.strip("0")]:
            found[name + each] = operands == "s", once == "true"
    return found


def formula_runs(root: pathlib.Path) -> dict[str, list[str]]:
    words = {}
    for kind in TYPES:
        for name, (is_unary, _) in formulas(root).items():
            how = ["--exhaustive"] if is_unary and kind != "double" else ["--samples", str(FORMULA_CALLS[kind])]
            words[f"{kind}_{name}"] = [name, "--type", kind, *how, "--confirm", "20000"]
    return words


def make(root: pathlib.Path, program: str, folder: pathlib.Path, chosen: list[str]) -> int:
    known = runs(root) | formula_runs(root)
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


def formula_row(result: dict) -> str:
    reference, *fast = result["contenders"]
    calls = reference["calls"]
    if not reference["complete"] or calls < FEWEST_CALLS:
        sys.exit(f"the result of {result['type']}_{result['function']} is that of a smaller run")
    part = max(float(each["worst"]["part_of_allowed"]) for each in fast)
    not_nearest = max(each["not_correctly_rounded"] for each in fast)
    outside = max(each["outside"]["full"] for each in result["contenders"])
    cells = [result["function"], result["type"], f"{calls:,}", f"{not_nearest:,}", f"{part:.3f}" if part else "-", f"{outside:,}",
             f"{reference['not_correctly_rounded']:,}", f"{result['differing']:,}", f"{reference['decided_by_mpfr']:,}",
             f"{reference['confirmed']:,}: {reference['contradicted']:,}"]
    return line_of(cells)


def update_formulas(root: pathlib.Path, folder: pathlib.Path, before: str) -> str:
    lines = {f"{cells[1]}_{cells[0]}": line_of(cells) for cells in rows_of(before)}
    for name in formula_runs(root):
        if (folder / f"{name}.json").exists():
            lines[name] = formula_row(json.loads((folder / f"{name}.json").read_text(encoding="utf-8")))
    names = [f"{kind}_{name}" for name in formulas(root) for kind in TYPES]
    return FORMULA_HEADER + "".join(lines[name] for name in names if name in lines)


def check_formulas(root: pathlib.Path, table: str) -> int:
    once = {name: is_once for name, (_, is_once) in formulas(root).items()}

    def faults_of(cells: list[str]) -> list[str]:
        found = [f"{cells[6]} {NONE_WRONG[4]}"] if once.get(cells[0]) and cells[6] != "0" else []
        return found + ([f"a part of {cells[4]} of the error allowed"] if cells[4] != "-" and float(cells[4]) > 1 else [])

    return check(formula_runs(root), table, FORMULA_NONE_WRONG, faults_of)


def check(known: dict[str, list[str]], table: str, none_wrong: dict[int, str],
          more: Callable[[list[str]], list[str]] = lambda cells: []) -> int:
    rows = rows_of(table)
    wrong = 0
    for cells in rows:
        name = f"{cells[1]}_{cells[0]}"
        faults = [f"{cells[i]} {what}" for i, what in none_wrong.items() if cells[i] != "0"] + more(cells)
        if name not in known:
            faults.append("no such run")
        if not re.fullmatch(r"\d[\d,]*: 0", cells[-1]):
            faults.append(f"MPFR contradicts: {cells[-1]}")
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
        for name in runs(root) | formula_runs(root):
            print(name, "done" if (pathlib.Path(rest[0]) / f"{name}.json").exists() else "-")
        return 0
    path = root / "docs/numerics.md"
    text = path.read_text(encoding="utf-8")
    table = text.split(BEGIN)[1].split(END)[0]
    by_formulas = text.split(FORMULAS_BEGIN)[1].split(FORMULAS_END)[0]
    if option == "--update":
        table = update(root, pathlib.Path(rest[0]), table)
        by_formulas = update_formulas(root, pathlib.Path(rest[0]), by_formulas)
        text = replaced(replaced(text, BEGIN, table, END), FORMULAS_BEGIN, by_formulas, FORMULAS_END)
        path.write_text(text, encoding="utf-8")
    return check(runs(root), table, NONE_WRONG) | check_formulas(root, by_formulas)


if __name__ == "__main__":
    sys.exit(main())
