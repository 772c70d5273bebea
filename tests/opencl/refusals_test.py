#!/usr/bin/env python3
"""Every entry point of the OpenCL driver is called with every kind of bad argument.

usage: refusals_test.py REPOSITORY TESTS CL_HEADER

opencl/icd_dispatch.cpp says what the entry points are. tests/opencl/refusals.tsv has for each the errors that the API's
specification lists, each with the number of kinds of bad arguments that give it, or with the reason why nothing can. TESTS, the
program of the driver's tests, notes which calls it saw refused (tests/opencl/refusals.h).
"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT, TESTS, HEADER = (pathlib.Path(word).resolve() for word in sys.argv[1:4])

# Failures of resources are no matter of arguments.
RESOURCES = ["CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY", "CL_MEM_OBJECT_ALLOCATION_FAILURE"]

# The tests with refusals; those without a compiler change their environment.
RUNS = [["--source-file=*opencl/refusals_*"], ["--test-case=no compiler"]]


def entry_points() -> set[str]:
    text = (ROOT / "opencl" / "icd_dispatch.cpp").read_text(encoding="utf-8")
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    table = {name for name, value in re.findall(r"\.(cl\w+)\s*=\s*([^,]+),", text) if value.strip() != "nullptr"}
    by_name = set(re.findall(r'entry_point\("(cl\w+)"', text))
    assert len(table) > 120 and "clCreateSubDevicesEXT" in by_name, "opencl/icd_dispatch.cpp is not what it was"
    return table | by_name


def error_names() -> dict[str, str]:
    """By number, with those that are none."""
    folder = HEADER.parent
    text = "".join((folder / name).read_text(encoding="utf-8") for name in ("cl.h", "cl_ext.h"))
    names = {"null": "null", "nothing": "nothing"}
    for name, number in re.findall(r"#define (CL_\w+)\s+(-\d+)\s", text):
        names.setdefault(number, name)  # errors come first, then the states of a build
    return names


def refusals() -> dict[tuple[str, str], int]:
    """How many kinds of bad arguments give each error of each function."""
    names, kinds = error_names(), collections.defaultdict(set)
    with tempfile.TemporaryDirectory() as folder:
        notes = pathlib.Path(folder) / "notes"
        for options in RUNS:
            subprocess.run([TESTS, *options], check=True, env={**os.environ, "TRANSPIRE_REFUSALS": str(notes)})
        for line in notes.read_text(encoding="utf-8").splitlines():
            function, error, kind = line.split("\t")
            kinds[function, names[error]].add(kind)
    return {key: len(each) for key, each in kinds.items()}


def main() -> int:
    found, mistakes = refusals(), []
    listed, reasons = {}, {}
    for line in (ROOT / "tests/opencl/refusals.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("cl"):
            name, errors = line.split("\t")
            listed.update({(name, code): int(kinds) for code, kinds in re.findall(r"(\w+) (\d+)", errors)})
        elif not line.startswith("#"):
            code, why, names = line.split("\t")
            reasons.update({(name, code): why for name in names.split(", ")})
    names = {name for name, _ in [*listed, *reasons]}
    mistakes += [f"refusals.tsv says nothing of {name}" for name in sorted(entry_points() - names)]
    mistakes += [f"{name} is no entry point" for name in sorted(names - entry_points())]
    mistakes += [f"refusals.tsv has {name} {code} twice" for name, code in listed.keys() & reasons.keys()]
    mistakes += [f"refusals.tsv: {code} needs no reason" for _, code in reasons if code in RESOURCES]
    mistakes += [f"{name}: {code}: {kinds} kinds of bad arguments, {found.get((name, code), 0)} in the tests"
                 for (name, code), kinds in listed.items() if found.get((name, code), 0) < kinds]
    mistakes += [f"{name}: {code} is tested, though '{why}'" for (name, code), why in reasons.items() if (name, code) in found]
    mistakes += [f"refusals.tsv lacks {name} {code}" for name, code in sorted(found.keys() - listed.keys() - reasons.keys())]
    print("\n".join(mistakes))
    print(f"{len(names)} entry points, {sum(found.values())} kinds of bad arguments, {len(mistakes)} mistakes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
