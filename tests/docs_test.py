#!/usr/bin/env python3
"""Runs the commands in the documentation and compares what they print with what is written there.

A ```console block is a transcript: transcript.py says how it is compared. `--update` rewrites the blocks.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

from transcript import matches, normalise

BLOCK = re.compile(r"(```console\n)(.*?)(```)", re.DOTALL)


def split_commands(block: str) -> list[tuple[str, str]]:
    commands: list[tuple[str, str]] = []
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            commands.append((line[2:].rstrip("\n"), ""))
        elif commands and commands[-1][0].endswith("\\"):
            commands[-1] = (commands[-1][0] + "\n" + line.rstrip("\n"), "")
        elif commands:
            commands[-1] = (commands[-1][0], commands[-1][1] + line)
    return commands


def run(command: str, root: pathlib.Path, binaries: str) -> str:
    environment = dict(os.environ, PATH=f"{binaries}:{os.environ['PATH']}")
    done = subprocess.run(["bash", "-c", command], cwd=root, env=environment, text=True,
                          capture_output=True, timeout=600, check=False)
    return done.stdout + done.stderr


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("binaries")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    passed = failed = 0
    for path in [options.root / "README.md", *sorted((options.root / "docs").glob("*.md"))]:
        text = path.read_text(encoding="utf-8")

        def check(match: re.Match) -> str:
            nonlocal passed, failed
            out = ""
            for command, expected in split_commands(match.group(2)):
                found = run(command, options.root, options.binaries)
                out += f"$ {command}\n" + (expected if options.update and "...\n" in expected else found)
                if matches(normalise(expected), normalise(found)):
                    passed += 1
                    continue
                failed += 1
                if not options.update:
                    print(f"{path.name}: $ {command}\nexpected:\n{expected}found:\n{found}")
            return match.group(1) + out + match.group(3)

        updated = BLOCK.sub(check, text)
        if options.update and updated != text:
            path.write_text(updated, encoding="utf-8")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
