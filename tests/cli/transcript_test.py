#!/usr/bin/env python3
"""Runs a transcript of tests/cli/transcripts in a shell, and compares what its commands print and how they end.

usage: transcript_test.py TRANSPIRE REPOSITORY NAME [--update]

A transcript runs in an empty folder, with `transpire` in PATH. One shell runs all its commands, so functions and variables last.
Lines behind "> " are what the command reads: `$ cat > k.cl` writes them to a file. A command that fails shows its exit code:
`$ transpire run  # exit 2`. transcript.py says how lines are compared. Blank lines and lines that begin with "# " are for the
reader. --update writes what the commands print now, where it does not match.

Transcripts may use these variables and functions:
  $ROOT, $DATA, $PROGRAMS, $EXAMPLES   folders: the repository, data as the build writes them whole, golden programs, examples; $KERNELS is $DATA/kernels.spvasm
  $INSTRUCTION_SETS               of this machine, worst first, each with a comma before it
  expanded FILE                   writes assembly that it reads in the short form of tests/programs/README.md
  coded COMMAND...                prints the command's exit code before what it prints: for commands in a loop
  pick PATH...                    prints members of the JSON document that it reads, in one line: launches[0].end, findings[].rule

Exit code 77, skipped: the transcript has OpenCL C, and there is no compiler.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from support import DATA, EXAMPLES, EXPAND, KERNELS, PATIENCE, PROGRAMS, ROOT, TRANSPIRE, has_compiler

sys.path.insert(0, str(ROOT / "tests"))
from transcript import matches, normalise  # noqa: E402


START = f"""set -o pipefail
ROOT={ROOT} DATA={DATA} KERNELS={KERNELS} PROGRAMS={PROGRAMS} EXAMPLES={EXAMPLES} PATH=$NOTES/bin:$PATH
INSTRUCTION_SETS=$(transpire version --format=json | pick instruction_sets | tr -d '[]"' | sed 's/^/,/')
coded() {{ local printed; printed=$("$@" 2>&1); echo "$? $printed"; }}
expanded() {{ mkdir -p $NOTES/short/it; cat > $NOTES/short/it/$1.in; {EXPAND} $NOTES/short $NOTES/whole && cp $NOTES/whole/it/$1 $1; rm $NOTES/short/it/$1.in; }}
"""


class Command:
    def __init__(self, line: str):
        self.line = line
        self.text, self.code = line, 0
        if ending := re.fullmatch(r"(.*?) +# exit (\d+)", line):
            self.text, self.code = ending[1], int(ending[2])
        self.input: list[str] = []
        self.expected: list[str] = []

    def shown(self, printed: list[str], code: int) -> str:
        prompt = f"$ {self.text}" + (f"  # exit {code}" if code else "")
        return "\n".join([prompt, *(f"> {line}".rstrip() for line in self.input), *printed]) + "\n"


def parse(text: str) -> list[Command | str]:
    """Commands, and the lines between them."""
    parts: list[Command | str] = []
    for line in text.splitlines():
        command = parts[-1] if parts and isinstance(parts[-1], Command) else None
        if line.startswith("$ "):
            parts.append(Command(line[2:]))
        elif not line or line.startswith("# ") or command is None:
            parts.append(line)
        elif line == ">" or line.startswith("> "):
            command.input.append(line[2:])
        else:
            command.expected.append(line)
    return parts


def run(commands: list[Command]) -> list[tuple[list[str], int]]:
    """What each command prints, without blank lines, and its exit code."""
    with tempfile.TemporaryDirectory() as notes, tempfile.TemporaryDirectory() as folder:
        note = pathlib.Path(notes)
        script = START
        for i, command in enumerate(commands):
            (note / f"{i}.in").write_text("".join(line + "\n" for line in command.input), encoding="utf-8")
            (note / f"{i}.command").write_text(command.text + "\n", encoding="utf-8")
            at = f"$NOTES/{i}"
            script += f'eval "$(cat {at}.command)" < {at}.in > {at}.out 2> {at}.error; echo $? > {at}.code\n'
        (note / "script").write_text(script, encoding="utf-8")
        (note / "bin").mkdir()
        (note / "bin" / "transpire").symlink_to(TRANSPIRE)
        (note / "bin" / "pick").symlink_to(ROOT / "tests" / "cli" / "pick.py")
        subprocess.run(["bash", note / "script"], cwd=folder, env=os.environ | {"NOTES": notes}, timeout=PATIENCE, check=True)
        results = []
        for i in range(len(commands)):
            printed = "".join((note / f"{i}.{name}").read_text(encoding="utf-8", errors="replace") for name in ("out", "error"))
            lines = [line.rstrip() for line in printed.replace(folder, "FOLDER").splitlines() if line.strip()]
            results.append((lines, int((note / f"{i}.code").read_text())))
        return results


def main() -> int:
    path = ROOT / "tests" / "cli" / "transcripts" / f"{sys.argv[3]}.txt"
    text = path.read_text(encoding="utf-8")
    if ".cl" in text and not has_compiler():
        print("skipped: there is no compiler of OpenCL C")
        return 77
    parts = parse(text)
    commands = [part for part in parts if isinstance(part, Command)]
    failed, shown = 0, {}
    for command, (printed, code) in zip(commands, run(commands), strict=True):
        good = code == command.code and matches(normalise("\n".join(command.expected)), normalise("\n".join(printed)))
        shown[command] = command.shown(command.expected if good else printed, code)
        if not good:
            failed += 1
            print(f"expected:\n{command.shown(command.expected, command.code)}found:\n{command.shown(printed, code)}")
    print(f"{path.name}: {len(commands)} commands, {failed} differ")
    if "--update" in sys.argv:
        path.write_text("".join(shown[part] if isinstance(part, Command) else part + "\n" for part in parts), encoding="utf-8")
        return 0
    return 1 if failed or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
