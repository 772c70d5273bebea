#!/usr/bin/env python3
"""Makes the README's table of supported instructions from the golden programs.

An instruction is supported when a golden program that must run (expects no refusal) contains it. With
--update the table in README.md is rewritten; otherwise the script fails when it is out of date.
"""
import json
import pathlib
import re
import subprocess
import sys

BEGIN, END = "<!-- supported: begin -->\n", "<!-- supported: end -->"
GRAMMAR = "/usr/include/spirv/unified1/spirv.core.grammar.json"
SKIPPED = {"Debug", "Annotation", "Extension", "Mode-Setting", "Type-Declaration",
           "@exclude", "Reserved"}


def instructions_of(path: pathlib.Path, transpire: str) -> tuple[set[str], set[str]]:
    if path.suffix == ".spvasm":
        text = path.read_text(encoding="utf-8")
    else:
        done = subprocess.run([transpire, "dis", str(path)], capture_output=True, text=True, check=False)
        text = done.stdout
    code = "\n".join(line.split(";")[0] for line in text.splitlines())
    return set(re.findall(r"\bOp[A-Z]\w+", code)), set(re.findall(r"OpExtInst\s+%\w+\s+%\w+\s+(\w+)", code))


def main() -> int:
    root, transpire = pathlib.Path(sys.argv[1]), sys.argv[2]
    classes = {i["opname"]: i.get("class", "") for i in json.load(open(GRAMMAR))["instructions"]}
    seen: set[str] = set()
    functions: set[str] = set()
    programs = 0
    for path in sorted((root / "tests/programs").rglob("*")):
        if path.suffix not in {".cl", ".spvasm"} or "expect refused" in path.read_text(encoding="utf-8"):
            continue
        programs += 1
        ops, calls = instructions_of(path, transpire)
        seen |= ops
        functions |= calls
    table = "| class | instructions that golden programs run |\n|---|---|\n"
    by_class: dict[str, list[str]] = {}
    for op in sorted(seen):
        group = classes.get(op, "")
        if group and group not in SKIPPED:
            by_class.setdefault(group.replace("_", "-"), []).append(op.removeprefix("Op"))
    for group in sorted(by_class):
        table += f"| {group} | {' '.join(by_class[group])} |\n"
    table += f"| OpenCL.std | {' '.join(sorted(functions))} |\n"
    readme = root / "README.md"
    text = readme.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    updated = head + BEGIN + table + END + tail
    if "--update" in sys.argv:
        readme.write_text(updated, encoding="utf-8")
    count = sum(len(v) for v in by_class.values())
    print(f"{programs} programs, {count} instructions, {len(functions)} OpenCL.std functions")
    if updated != text and "--update" not in sys.argv:
        print("README.md's table is out of date: run tests/support_table.py with --update")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
