#!/usr/bin/env python3
"""docs/mistakes.md shows forty wrong usages and thirty wrong modules, each with one error, its place and a help, and several at once.

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


def faults_of(command: str, output: str, wanted: int = 1) -> list[str]:
    errors = output.count("error[TSP-")
    # What is missing altogether has no place: the message says what it is.
    missing = re.search(r"is missing|has no global size", output)
    # Before the error may stand what the run printed.
    shown = output[output.find("error["):]
    wrong = [] if errors == wanted else [f"{errors} errors"]
    wrong += [] if missing or has_place(command, shown) else ["no place"]
    return wrong + ([] if output.count("\nhelp: ") >= wanted else ["no help"])


def main() -> int:
    text = (pathlib.Path(sys.argv[1]) / "docs" / "mistakes.md").read_text(encoding="utf-8")
    usages, _, rest = text.partition("\n## Several at once\n")
    several, _, modules = rest.partition("\n## Modules\n")
    wrong = 0
    for name, part, count, errors in (("usages", usages, 40, 1), ("usages with several mistakes", several, 2, 4), ("modules", modules, 30, 1)):
        blocks = BLOCK.findall(part)
        if len(blocks) != count or part.count("```console") != count:
            print(f"expected {count} {name}, found {len(blocks)}")
            wrong += 1
        for command, output in blocks:
            for fault in faults_of(command, output, errors):
                print(f"{fault}: $ {command}\n{output}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
