#!/usr/bin/env python3
"""Every entry point of the OpenCL driver is called with every kind of bad argument.

usage: refusals_test.py REPOSITORY [--count]

opencl/dispatch.cpp says what the entry points are. tests/opencl/refusals.tsv has for each the errors that the API's
specification lists, each with the number of kinds of bad arguments that give it, or with the reason why nothing can. The
calls are the macros of tests/opencl/refusals.h. --count prints how many there are of each.
"""
import collections
import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
TESTS = ROOT / "tests" / "opencl"

# Failures of resources are no matter of arguments.
RESOURCES = ["CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY", "CL_MEM_OBJECT_ALLOCATION_FAILURE"]


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def entry_points() -> set[str]:
    text = without_comments((ROOT / "opencl" / "dispatch.cpp").read_text(encoding="utf-8"))
    table = {name for name, value in re.findall(r"\.(cl\w+)\s*=\s*([^,]+),", text) if value.strip() != "nullptr"}
    by_name = set(re.findall(r'entry_point\("(cl\w+)"', text))
    assert len(table) > 120 and "clCreateSubDevicesEXT" in by_name, "opencl/dispatch.cpp is not what it was"
    return table | by_name


def calls() -> collections.Counter:
    found: collections.Counter = collections.Counter()
    for path in sorted(TESTS.glob("*_test.cpp")):
        text = without_comments(path.read_text(encoding="utf-8"))
        found.update(re.findall(r"\bREFUSES(?:_TO_MAKE|_YET_MAKES)?\(\s*(cl\w+),\s*(CL_\w+),", text))
        found.update((name, "null") for name in re.findall(r"\bGIVES_NULL\(\s*(cl\w+),", text))
        found.update((name, "nothing") for name in re.findall(r"\bIGNORES\(\s*(cl\w+),", text))
        for name in re.findall(r"\bREFUSES_WAITS\(\s*(cl\w+),", text):
            found[name, "CL_INVALID_EVENT_WAIT_LIST"] += 3
            found[name, "CL_INVALID_CONTEXT"] += 1
    return found


def main() -> int:
    found = calls()
    if "--count" in sys.argv:
        for (name, code), count in sorted(found.items()):
            print(name, code, count, sep="\t")
        return 0
    mistakes = []
    listed = {}
    with (TESTS / "refusals.tsv").open(encoding="utf-8") as file:
        for name, code, kinds in csv.reader((line for line in file if line[0] != "#"), delimiter="\t"):
            if (name, code) in listed:
                mistakes.append(f"refusals.tsv has {name} {code} twice")
            if code in RESOURCES and not kinds.isdigit():
                mistakes.append(f"refusals.tsv: {code} needs no line")
            listed[name, code] = kinds
    names = {name for name, _ in listed}
    mistakes += [f"refusals.tsv says nothing of {name}" for name in sorted(entry_points() - names)]
    mistakes += [f"{name} is no entry point" for name in sorted(names - entry_points())]
    for (name, code), kinds in listed.items():
        count = found[name, code]
        if kinds.isdigit() and count < int(kinds):
            mistakes.append(f"{name}: {code}: {kinds} kinds of bad arguments, {count} in the tests")
        if not kinds.isdigit() and count != 0:
            mistakes.append(f"{name}: {code} is tested, though '{kinds}'")
    mistakes += [f"refusals.tsv lacks {name} {code}" for name, code in sorted(found.keys() - listed.keys())]
    print("\n".join(mistakes))
    print(f"{len(names)} entry points, {sum(found.values())} calls, {len(mistakes)} mistakes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
