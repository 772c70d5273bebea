#!/usr/bin/env python3
"""Golden programs with every check: those that docs/checkers.md lists have exactly the findings that it says, besides the ones
that their heads expect, and all others have none.

  checks_all_programs.py SOURCE TRANSPIRE            compares
  checks_all_programs.py SOURCE TRANSPIRE --print    prints what was found, as rows of the table
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

from command import compiles_opencl_c, golden_programs

BEGIN, END = "<!-- findings of all checks: held by tests/checks_all_programs.py -->", "<!-- end of findings -->"


def listed(page):
    """Of each program in the table the rules, by its path below tests/programs."""
    rules = {}
    for line in page.split(BEGIN)[1].split(END)[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 3 or not cells[0].startswith("`"):
            continue
        for program in re.findall(r"`([^`]+)`", cells[0]):
            rules[program.removeprefix("tests/programs/")] = set(re.findall(r"TSP-R\d+", cells[1]))
    return rules


def expected(program):
    """The rules of the findings that a program's head expects."""
    return set(re.findall(r"expect fault (TSP-R\d+)", program.read_text(errors="replace")))


def found(transpire):
    """The rules of the findings of each program that its head does not expect."""
    folder = golden_programs(transpire)
    command = [transpire, "test", ".", "--run-options", "--check all", "--format", "json"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    result = json.loads(run.stdout)
    rules = collections.defaultdict(set)
    for test in result["tests"]:
        program = test["path"].removeprefix("./")
        reported = {problem["rule"] for problem in test["problems"]}
        rules[program] = {rule for rule in reported if rule.startswith("TSP-R")} - expected(folder / test["path"])
        if test["outcome"] == "crashed":
            rules[program].add("a crash")
    return rules


def main():
    source, transpire = pathlib.Path(sys.argv[1]), sys.argv[2]
    if not compiles_opencl_c(transpire):
        print("no compiler of OpenCL C")
        return 77
    known = listed((source / "docs/checkers.md").read_text())
    now = found(transpire)
    if "--print" in sys.argv:
        for program, rules in sorted(now.items()):
            if rules:
                print(f"| `{program}` | {', '.join(sorted(rules))} | |")
        return 0
    wrong = [f"{program}: there is no such program" for program in sorted(set(known) - set(now))]
    for program, rules in sorted(now.items()):
        says = known.get(program, set())
        if rules != says:
            wrong.append(f"{program}: found {', '.join(sorted(rules)) or 'nothing'}, listed "
                         f"{', '.join(sorted(says)) or 'nothing'}")
    print("\n".join(wrong) or f"{len(now)} programs ran with every check, {len(known)} have findings that are listed")
    return 1 if wrong or not now else 0


if __name__ == "__main__":
    sys.exit(main())
