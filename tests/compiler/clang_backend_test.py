#!/usr/bin/env python3
"""Compiles the golden programs in OpenCL C with a clang that writes SPIR-V by itself, and runs them against their own expectations.

usage: clang_backend_test.py TRANSPIRE_GOLDEN FOLDER-OF-PROGRAMS EXCEPTIONS [--every N] [--clang CLANG] [--log FILE]

The compiler tells neither lines of the source nor what a pointer points to, so the launch lines are changed: faults are expected
anywhere, and data are passed whatever their type. EXCEPTIONS lists the programs that fail all the same, each with what the compiler
makes of it: one that fails and is not listed is an error, and so is one that is listed and passes. --every N takes one of N
programs. Exit code 77, skipped, where the clang is not installed.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

NUMBERS = r"(?:u?(?:char|short|int|long)|half|float|double)\d*"


def changed(source: str) -> str:
    """The program with launch lines that say nothing of lines, and pass data to parameters of any type."""
    source = re.sub(rf"(?m)^(//! (?:arg|buffer) \S+ = {NUMBERS}:\S+?)(?::raw)?(?=\s|$)", r"\1:raw", source)
    return re.sub(r"(?m)^(//! expect fault .*?) line \d+(?::\d+)?(?=\s|$)", r"\1", source)


def copy_programs(source: pathlib.Path, target: pathlib.Path, every: int) -> None:
    """All files, for programs name others. A program that is left out has no launch lines: its name decides, so that a new program
    does not change which others run."""
    shutil.copytree(source, target)
    for path in target.rglob("*.cl"):
        text = changed(path.read_text(encoding="utf-8"))
        runs = zlib.crc32(path.relative_to(target).as_posix().encode()) % every == 0
        path.write_text(text if runs else text.replace("//!", "//"), encoding="utf-8")


def exceptions(path: pathlib.Path) -> dict[str, str]:
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    wrong = [line for line in lines if len(line) != 2 or not line[1]]
    if wrong:
        sys.exit(f"{path}: expected programs, a tab and a reason, found {wrong[0]}")
    return {name: reason for names, reason in lines for name in names.split()}


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("golden", "programs", "exceptions"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--log", type=pathlib.Path, help="keeps what the programs print")
    arguments = parser.parse_args()
    clang = shutil.which(arguments.clang)
    if clang is None:
        print(f"skipped: there is no {arguments.clang}")
        return 77
    environment = {name: value for name, value in os.environ.items() if name != "TRANSPIRE_LLVM_SPIRV"}
    environment["TRANSPIRE_CLANG"] = clang
    known = exceptions(arguments.exceptions)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "programs"
        copy_programs(arguments.programs, folder, arguments.every)
        done = subprocess.run([arguments.golden.resolve(), "--handlers", folder, ".cl"], env=environment,
                              capture_output=True, text=True, errors="replace", check=False)
        taken = {str(path.relative_to(folder)) for path in folder.rglob("*.cl") if "//!" in path.read_text(encoding="utf-8")}
    if arguments.log:
        arguments.log.write_text(done.stdout, encoding="utf-8")
    summary = re.search(r"^(\d+) passed, (\d+) failed$", done.stdout, re.MULTILINE)
    if summary is None or int(summary[1]) + int(summary[2]) != len(taken) or len(taken) < 100:
        print(done.stdout[-2000:], done.stderr[-2000:], sep="\n")
        return 1
    failed = set(re.findall(r"^FAILED (\S+)", done.stdout, re.MULTILINE))
    for name in sorted(failed - set(known)):
        print(f"{name} fails, and is not in {arguments.exceptions}:")
        print(*re.findall(rf"^FAILED {re.escape(name)}.*(?:\n(?!FAILED ).*)*", done.stdout, re.MULTILINE)[:1], sep="\n")
    stale = (set(known) & taken) - failed
    for name in sorted(stale):
        print(f"{name} does not fail, but is in {arguments.exceptions}: {known[name]}")
    print(summary[0])
    return 0 if failed <= set(known) and not stale else 1


if __name__ == "__main__":
    sys.exit(main())
