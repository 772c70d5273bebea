#!/usr/bin/env python3
"""examples/testing/lit: passes with the compiler that there is, and finds what a wrong one makes.

usage: lit_test.py TRANSPIRE REPOSITORY
"""
import os
import pathlib
import shutil
import sys

from support import Case, main, skip

LLVM = pathlib.Path("/usr/lib/llvm-15")
LIT = LLVM / "build/utils/lit/lit.py"
# Compiles something else than it is given.
WRONG_COMPILER = r"""#!/bin/sh
sed -e 's/? high : x\[i\]/? x[i] : high/' -e 's/k < 4/k < 3/' "$2" >"$4.cl"
exec transpire compile "$1" "$4.cl" -o "$4"
"""


def command():
    if shutil.which("lit"):
        return ["lit"]
    if not LIT.exists():
        skip("lit")
    return [sys.executable, LIT]


class Lit(Case):
    def lit(self, *words, code=0):
        return self.run_(*command(), "-v", "testing/lit", "-D", f"output={self.folder / 'output'}", *words, code=code)

    def test_a_right_compiler(self):
        text = self.lit()
        for name in ("clamp.cl", "gcd.spvasm", "unroll.cl"):
            self.assertIn(f"PASS: kernels :: {name}", text)

    def test_a_wrong_compiler(self):
        compiler = self.folder / "wrong-compiler"
        compiler.write_text(WRONG_COMPILER, encoding="utf-8")
        compiler.chmod(0o755)
        text = self.lit("-D", f"compile={compiler}", code=1)
        self.assertIn("FAIL: kernels :: clamp.cl", text)
        self.assertIn("x[1]: expected 0, found 10", text)
        self.assertIn("FAIL: kernels :: unroll.cl", text)
        self.assertIn("out[0]: expected 10, found 6", text)
        self.assertIn("PASS: kernels :: gcd.spvasm", text)


if __name__ == "__main__":
    command()
    os.environ["PATH"] += f":{LLVM / 'bin'}"  # FileCheck
    main()
