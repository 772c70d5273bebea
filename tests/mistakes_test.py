#!/usr/bin/env python3
"""docs/mistakes.md shows thirty wrong usages and thirty wrong modules, each with one error, its place and a help.

usage: mistakes_test.py ROOT

That the program prints what stands there is docs_test.py's matter.
"""
import pathlib
import re
import shlex
import sys

BLOCK = re.compile(r"```console\n\$ ([^\n]*)\n(.*?)```", re.DOTALL)


def has_place(command: str, output: str) -> bool:
    """A line of a file, the option that is wrong, or a word of the command line that the message quotes."""
    if re.search(r"^  --> \S+|^  = in '", output, re.MULTILINE):
        return True
    quoted = [a or b for a, b in re.findall(r"'([^']+)'|\((\d+)\)", output.splitlines()[0])]
    words = shlex.split(command)
    return any(word in given for word in quoted for given in words)


def faults_of(command: str, output: str) -> list[str]:
    errors = output.count("error[TSP-")
    # What is missing altogether has no place: the message says what it is.
    missing = re.search(r"is missing|has no global size", output)
    # Before the error may stand what the run printed.
    shown = output[output.find("error["):]
    wrong = [] if errors == 1 else [f"{errors} errors"]
    wrong += [] if missing or has_place(command, shown) else ["no place"]
    return wrong + ([] if "\nhelp: " in output else ["no help"])


def main() -> int:
    text = (pathlib.Path(sys.argv[1]) / "docs" / "mistakes.md").read_text(encoding="utf-8")
    usages, _, modules = text.partition("\n## Modules\n")
    wrong = 0
    for name, part in (("usages", usages), ("modules", modules)):
        blocks = BLOCK.findall(part)
        if len(blocks) != 30 or part.count("```console") != 30:
            print(f"expected 30 {name}, found {len(blocks)}")
            wrong += 1
        for command, output in blocks:
            for fault in faults_of(command, output):
                print(f"{fault}: $ {command}\n{output}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
