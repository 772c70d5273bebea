#!/usr/bin/env python3
"""What needs GNU MPFR is refused by name where it is not installed, and nothing else needs it.

usage: without_mpfr_test.py TRANSPIRE LIBRARY_THAT_HIDES_IT
"""
import os
import pathlib
import subprocess
import sys

TRANSPIRE, HIDES = sys.argv[1:]
TESTS = pathlib.Path(TRANSPIRE).resolve().parent.parent / "tests"
SAXPY = ["run", f"{TESTS}/cli/data/kernels.spvasm", "-k", "saxpy", "-g", "8", "-a", "y=float:range:0:1:8",
         "-a", "x=float:fill:2:8", "-a", "a=3", "--print", "y[0..1]"]
CASES = [(SAXPY, 0, "y[0..1] = 6 7"),
         ([*SAXPY, "--math=reference"], 2, "TSP-C0034"),
         (["ulp", "exp"], 2, "TSP-C0034")]


def main() -> int:
    wrong = 0
    for words, code, text in CASES:
        done = subprocess.run([TRANSPIRE, *words], env=dict(os.environ, LD_PRELOAD=HIDES), capture_output=True,
                              text=True, check=False)
        if done.returncode != code or text not in done.stdout + done.stderr:
            print(f"{' '.join(words)}: expected exit code {code} and '{text}', found {done.returncode} and\n"
                  f"{done.stdout}{done.stderr}")
            wrong += 1
    print(f"{len(CASES)} commands, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
