#!/usr/bin/env python3
"""The house's measures of C, C++ and Python. style_test.py ROOT

No file of production code is longer than 600 lines, no function longer than 60 (a lambda and a local class count with the function that they stand
in, a directive of several lines as a function). Intrinsics and assembly of a machine stand in that machine's header alone (MACHINES).
Rooms that lower make no number narrower but by base/narrow.h, which refuses what does not fit (LOWERING). Production code, which is everything outside of tests/ and bench/, has no six
consecutive lines twice, but for those in CLONES. Blank lines, comments, includes and lines of brackets alone are passed over.
"""
import ast
import dataclasses
import pathlib
import re
import sys

import cpp_source

MAX_FILE, MAX_FUNCTION, MIN_CLONE = 600, 60, 6
NOT_PRODUCTION = ("tests", "bench")
BRACKETS_ALONE = re.compile(r"[\[\](){};,\s]*")

# Who may name instructions, and what names them: x86's and ARM's intrinsics, their headers, builtins and types, and assembly of
# an instruction. bench/math measures libraries whose interfaces are made of such types.
MACHINES = {"vm/simd/x86.h", "vm/simd/aarch64.h", "bench/math/vector_libraries.cpp"}
INTRINSIC = re.compile(r"\b(_mm\d*_\w+|__m(128|256|512)[id]?|__mmask\d+|_CMP_\w+|_[a-z]\w*_(ss|sh|[us](8|16|32|64)|si\d+)|__rdtscp?"
                       r"|__builtin_(ia32|aarch64|arm|cpu)_\w+|\w*intrin\.h|cpuid\.h|arm_\w+\.h"
                       r"|v[a-z0-9]+(_\w+)?_[sufp](8|16|32|64)|sv\w+_[suf](8|16|32|64)|(u?int|float|poly)\d+x\d+_t)\b"
                       r"|\b(__asm__|__asm|asm)\b(?! volatile\(\"\"( ::: \"memory\")?\))[ \w]*\(")

# Where a module decides numbers that go into fields of a few bits, and what would cut them off.
LOWERING = ("vm/build/", "vm/emit/", "vm/lir/", "vm/passes/", "vm/program/")
CUTS_OFF = re.compile(r"static_cast<(std::u?int(8|16|32)_t|BlockId|ValueId|LoopId|VReg)>")

# What may stand in several places: the files, the run's first line, and why.
CLONES: list[tuple[set[str], str, str]] = []


@dataclasses.dataclass
class Line:
    path: str
    number: int
    text: str


def python_sources(root: pathlib.Path):
    for folder in sorted(root.iterdir()):
        if folder.is_dir() and not folder.name.startswith(".") and folder.name != "build":
            for path in sorted(folder.rglob("*")):
                if path.suffix == ".py" or (folder.name == "scripts" and path.is_file()
                                            and "python" in path.read_text(encoding="utf-8").split("\n", 1)[0]):
                    yield path


def without_comments(text: str, is_python: bool) -> str:
    """The text with its comments blank, each line where it was."""
    if is_python:
        return re.sub(r"^\s*#.*", "", text, flags=re.MULTILINE)
    lines = text.split("\n")
    for comment in reversed(cpp_source.comments(text)):
        for offset, part in enumerate(comment.text.split("\n")):
            at = comment.line - 1 + offset
            lines[at] = "".join(lines[at].rsplit(part, 1)) if part else lines[at]
    return "\n".join(lines)


def telling_lines(path: str, text: str) -> list[Line]:
    """The lines that count as equal or not."""
    is_python = not path.endswith(tuple(cpp_source.SUFFIXES))
    passed_over = r"(from|import) .*" if is_python else r"#\s*(include|pragma once).*"
    lines = []
    for number, line in enumerate(without_comments(text, is_python).split("\n"), 1):
        line = " ".join(line.split())
        if not BRACKETS_ALONE.fullmatch(line) and not re.fullmatch(passed_over, line):
            lines.append(Line(path, number, line))
    return lines


def runs(files: list[list[Line]]):
    """Each pair of equal runs, as long as it goes: (the one, the other, how many lines)."""
    places: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for f, lines in enumerate(files):
        for at in range(len(lines) - MIN_CLONE + 1):
            places.setdefault(tuple(line.text for line in lines[at:at + MIN_CLONE]), []).append((f, at))
    for found in places.values():
        for i, (f, a) in enumerate(found):
            for g, b in found[i + 1:]:
                if f == g and b - a < MIN_CLONE:
                    continue  # rows of a table
                if a and b and files[f][a - 1].text == files[g][b - 1].text:
                    continue  # it began before
                length = MIN_CLONE
                while a + length < len(files[f]) and b + length < len(files[g]) \
                        and files[f][a + length].text == files[g][b + length].text:
                    length += 1
                yield files[f][a], files[g][b], length


def clone_breaches(files: dict[str, str]) -> list[str]:
    production = [telling_lines(path, text) for path, text in files.items()
                  if not path.startswith(tuple(folder + "/" for folder in NOT_PRODUCTION))]
    breaches, used = [], set()
    for one, other, length in runs(production):
        entry = next((i for i, (paths, first, _) in enumerate(CLONES)
                      if {one.path, other.path} <= paths and first == one.text), None)
        if entry is None:
            breaches.append(f"{other.path}:{other.number}: {length} lines as in {one.path}:{one.number}: {one.text}")
        used.add(entry)
    for i, (paths, first, _) in enumerate(CLONES):
        if i not in used:
            breaches.append(f"tests/style_test.py: CLONES has an entry that nothing needs: {sorted(paths)}, '{first}'")
    return breaches


def function_lengths(path: str, text: str):
    """Name, line and length of all functions."""
    if path.endswith(tuple(cpp_source.SUFFIXES)):
        for function in cpp_source.functions(text):
            yield function.name, function.first, function.lines
        for token in cpp_source.tokenize(text):
            if token.kind == "directive":
                yield token.text.split("\n")[0], token.line, token.text.count("\n") + 1
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def length_breaches(path: str, text: str) -> list[str]:
    breaches = []
    count = text.count("\n")
    if count > MAX_FILE and path.split("/")[0] not in NOT_PRODUCTION:
        breaches.append(f"{path}:{MAX_FILE + 1}: the file has {count} lines, {MAX_FILE} are allowed")
    for name, line, length in function_lengths(path, text):
        if length > MAX_FUNCTION:
            breaches.append(f"{path}:{line}: {name} has {length} lines, {MAX_FUNCTION} are allowed")
    return breaches


def intrinsic_breaches(path: str, text: str) -> list[str]:
    if path in MACHINES or path.endswith(".py"):
        return []
    lines = without_comments(text, False).split("\n")
    return [f"{path}:{number}: an instruction of one machine, which belongs into its header in vm/simd"
            for number, line in enumerate(lines, 1) if INTRINSIC.search(line)]


def narrowing_breaches(path: str, text: str) -> list[str]:
    if not path.startswith(LOWERING):
        return []
    lines = without_comments(text, False).split("\n")
    return [f"{path}:{number}: a number may be cut off: narrow() and BitField (base/narrow.h) refuse it"
            for number, line in enumerate(lines, 1) if CUTS_OFF.search(line)]


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    paths = [*cpp_source.sources(root), *python_sources(root)]
    files = {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in paths}
    checks = (length_breaches, intrinsic_breaches, narrowing_breaches)
    breaches = [breach for path, text in files.items() for check in checks for breach in check(path, text)]
    breaches += clone_breaches(files)
    print("\n".join(breaches))
    print(f"{len(files)} files, {len(breaches)} breaches")
    return 1 if breaches or len(files) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
