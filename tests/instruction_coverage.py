#!/usr/bin/env python3
"""Holds the golden programs against the inventory of SPIR-V's instructions, and makes the table of docs/instructions.md.

    instruction_coverage.py REPOSITORY TRANSPIRE_GOLDEN PROGRAMS [--update]
    instruction_coverage.py REPOSITORY FILE.json...         with what it has written by --coverage-to

Every instruction of tests/data/kernel_instructions.txt and shader_instructions.txt must have been executed by a work-item
of a golden program that passes (`transpire_golden --coverage` counts them), or, where it stands outside of function bodies,
be in the module of one.
LATER lists instructions that are left to later work; one that is listed and runs is an error as well. With --update the table in
docs/instructions.md is rewritten, else it must be up to date.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

BEGIN, END = "<!-- supported: begin -->\n", "<!-- supported: end -->"

# Regular expressions of names, by why: nothing at present.
LATER: dict[str, str] = {}

# Classes whose instructions nobody executes: a passing program's module must hold them.
DECLARATIONS = {"Debug", "Annotation", "Extension", "Mode-Setting", "Type-Declaration", "Constant-Creation", "Function"}
DECLARED = {"OpLabel", "OpNoLine", "OpLine", "OpModuleProcessed", "OpExtInstImport", "OpUndef"}

# Classes that the table leaves out.
NOT_TOLD = {"Debug", "Annotation", "Extension", "Mode-Setting", "Type-Declaration"}

# What kernels may say in OpSpecConstantOp ("Constant-Creation Instructions"), without what only makes addresses.
OPERATIONS = """
    OpSConvert OpUConvert OpFConvert OpSNegate OpNot OpIAdd OpISub OpIMul OpUDiv OpSDiv OpUMod OpSRem OpSMod
    OpShiftRightLogical OpShiftRightArithmetic OpShiftLeftLogical OpBitwiseOr OpBitwiseXor OpBitwiseAnd OpVectorShuffle
    OpCompositeExtract OpCompositeInsert OpLogicalOr OpLogicalAnd OpLogicalNot OpLogicalEqual OpLogicalNotEqual OpSelect
    OpIEqual OpINotEqual OpULessThan OpSLessThan OpUGreaterThan OpSGreaterThan OpULessThanEqual OpSLessThanEqual
    OpUGreaterThanEqual OpSGreaterThanEqual OpConvertFToS OpConvertSToF OpConvertFToU OpConvertUToF OpBitcast OpFNegate
    OpFAdd OpFSub OpFMul OpFDiv OpFRem OpFMod""".split()


def read_inventory(path: pathlib.Path) -> list[dict[str, str]]:
    """Names and classes of all instructions."""
    text = re.sub("(?m)^#.*\n", "", path.read_text(encoding="utf-8")).replace("\n ", " ")
    lines = [line.split(": ") for line in text.splitlines()]
    return [{"name": name, "class": group} for group, names in lines for name in names.split()]


def reason_of(name: str, later: dict[str, str] | None = None) -> str:
    return next((why for why, names in (later or LATER).items() if re.fullmatch(names, name)), "")


def is_declaration(instruction: dict) -> bool:
    return instruction["class"] in DECLARATIONS or instruction["name"] in DECLARED


def faults(inventory: list[dict], coverage: dict, later: dict[str, str] | None = None) -> list[str]:
    """What is not covered, and what is covered though it is listed as later work."""
    found = []
    for instruction in inventory:
        name = instruction["name"]
        executed = coverage["executed"].get(name, 0) > 0
        covered = name in coverage["contained"] if is_declaration(instruction) else executed
        reason = reason_of(name, later)
        if not covered and not reason:
            found.append(f"{name}: no golden program {'holds' if is_declaration(instruction) else 'executes'} it")
        if executed and reason:  # a declaration may belong to a kernel that is refused
            found.append(f"{name}: a golden program executes it, yet it is listed as later work ({reason})")
    return found + [f"OpSpecConstantOp {name}: no golden program holds it"
                    for name in OPERATIONS if name not in coverage["operations"]]


def table(inventory: list[dict], coverage: dict) -> str:
    text = "| class | instructions that golden programs execute |\n|---|---|\n"
    classes: dict[str, list[str]] = {}
    missing: dict[str, list[str]] = {}
    for instruction in inventory:
        name, group = instruction["name"], instruction["class"]
        if reason_of(name):
            missing.setdefault(reason_of(name), []).append(name.removeprefix("Op"))
        elif group not in NOT_TOLD and not is_declaration(instruction):
            classes.setdefault(group, []).append(name.removeprefix("Op"))
    for group in sorted(classes):
        text += f"| {group} | {' '.join(classes[group])} |\n"
    text += f"| OpenCL.std | {' '.join(sorted(coverage['functions']))} |\n"
    if missing:
        text += "\n| not yet | instructions |\n|---|---|\n"
    for why, names in missing.items():
        text += f"| {why} | {' '.join(names)} |\n"
    return text


def self_test(inventory: list[dict], coverage: dict) -> None:
    """An instruction less is found, and one too many."""
    fewer = dict(coverage, executed={k: v for k, v in coverage["executed"].items() if k != "OpIAdd"})
    assert any("OpIAdd:" in fault for fault in faults(inventory, fewer))
    assert any("OpIAdd:" in fault for fault in faults(inventory, coverage, {"sums": "Op[IF]Add"}))


def coverage_in(files: list[str]) -> dict:
    """What the programs of all these files executed and hold."""
    parts = [json.loads(pathlib.Path(name).read_text(encoding="utf-8")) for name in files]
    executed = sum((collections.Counter(part["executed"]) for part in parts), collections.Counter())
    lists = {key: sorted(set().union(*(part[key] for part in parts))) for key in ("contained", "operations", "functions")}
    return {"executed": dict(executed), **lists}


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    files = [argument for argument in sys.argv[2:] if argument.endswith(".json")]
    if files:
        coverage = coverage_in(files)
    else:
        command = [sys.argv[2], "--coverage", sys.argv[3]]
        coverage = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    inventory = [each for flavour in ("kernel", "shader") for each in read_inventory(root / f"tests/data/{flavour}_instructions.txt")]
    self_test(inventory, coverage)
    found = faults(inventory, coverage)
    print("\n".join(found))
    later = sum(1 for instruction in inventory if reason_of(instruction["name"]))
    print(f"{len(inventory)} instructions: {len(inventory) - later} to cover, {later} left to later work, "
          f"{len(found)} faults; {len(coverage['functions'])} OpenCL.std functions")
    page = root / "docs" / "instructions.md"
    text = page.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    updated = head + BEGIN + table(inventory, coverage) + END + rest.split(END)[1]
    if "--update" in sys.argv:
        page.write_text(updated, encoding="utf-8")
    elif updated != text:
        print("docs/instructions.md is out of date: run tests/instruction_coverage.py with --update")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
