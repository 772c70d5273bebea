#!/usr/bin/env python3
"""Checks that the golden programs whose results depend on the size of sub-groups are those that docs/schedules.md lists.

Runs each program that has to do with sub-groups by seeds of a random schedule that choose sub-groups of 8, 16, 32 and 64
work-items. Programs that fail by one of them must be in the table, and those of the table must fail by one and meet their
expectations where the launch says the size that they were written for, 32. What fails with that, too, depends on the order.
"""
import pathlib
import re
import subprocess
import sys

from command import compiles_opencl_c, golden_programs
from patience import PATIENCE

ROW = re.compile(r"^\| (`.*?) \|", re.MULTILINE)
HEADING = "## Programs that look at their sub-groups"
ORDER = {"pipe/sub_groups.cl"}  # which packets a sub-group gets
SEEDS = {"1": 8, "2": 16, "3": 32, "9": 64}


def fails(transpire: str, program: pathlib.Path, *options: str) -> bool:
    command = [transpire, "run", str(program), "--schedule=random", *options]
    done = subprocess.run(command, text=True, capture_output=True, timeout=PATIENCE, check=False)
    if "expectation" not in done.stdout + done.stderr:
        sys.exit(f"{' '.join(command)}: expected a run, found\n{done.stdout}{done.stderr}")
    return done.returncode != 0


def looks_at_subgroups(program: pathlib.Path) -> bool:
    text = program.read_text(encoding="utf-8")
    return re.search("^(//|;)!", text, re.MULTILINE) is not None and re.search("sub_?group", text, re.IGNORECASE) is not None


def main() -> int:
    root, transpire = pathlib.Path(sys.argv[1]), sys.argv[2]
    if not compiles_opencl_c(transpire):
        print("no compiler of OpenCL C")
        return 77
    section = (root / "docs/schedules.md").read_text(encoding="utf-8").split(HEADING)[1].split("\n## ")[0]
    listed = {name for row in ROW.findall(section) for name in re.findall("`([^`]+)`", row)}
    folder = golden_programs(transpire)
    programs = [path for path in sorted(folder.rglob("*")) if path.suffix in (".cl", ".spvasm") and looks_at_subgroups(path)]
    failing: dict[str, list[int]] = {}
    wrong = []
    for program in programs:
        name = str(program.relative_to(folder))
        for seed in (seed for seed in SEEDS if fails(transpire, program, f"--seed={seed}")):
            if not fails(transpire, program, f"--seed={seed}", "--subgroup-size=32"):
                failing.setdefault(name, []).append(SEEDS[seed])
            elif name not in ORDER:
                wrong.append(f"{name} fails by seed {seed}, also with sub-groups of 32 work-items")
    wrong += [f"{name} fails with sub-groups of {failing[name]}, and is not listed" for name in sorted(failing.keys() - listed)]
    wrong += [f"{name} is listed, and does not depend on its sub-groups" for name in sorted(listed - failing.keys())]
    print("\n".join([f"{len(programs)} programs, {len(failing)} depend on the size of their sub-groups", *wrong]))
    return 1 if wrong or not listed else 0


if __name__ == "__main__":
    sys.exit(main())
