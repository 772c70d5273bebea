#!/usr/bin/env python3
"""What scripts/check-oclgrind-kernels makes of tests that end well, differ, crash or are no longer what it lists.

The tests are made up, and so is the program that runs them. usage: oclgrind_kernels_test.py REPOSITORY
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv[1]).resolve() / "scripts" / "check-oclgrind-kernels"
LISTED, PLAIN = "interactive/pointers", "misc/plain"
REASON = "a test of Oclgrind's interactive debugger; Oclgrind itself expects it to fail before LLVM 19"
LISTED_REF = "ERROR Uninitialized address used to read\n"


class Outcomes(unittest.TestCase):
    def check(self, name, body, code, *parts, ref="EXACT 1\n"):
        """Runs one test with a program of that shell text; the output must hold all parts."""
        with tempfile.TemporaryDirectory() as folder:
            sim = pathlib.Path(folder, "kernels", name).with_suffix(".sim")
            sim.parent.mkdir(parents=True)
            sim.write_text("")
            sim.with_suffix(".ref").write_text(ref)
            program = pathlib.Path(folder, "transpire")
            program.write_text(f"#!/bin/sh\n{body}\n")
            program.chmod(0o755)
            done = subprocess.run([sys.executable, SCRIPT, pathlib.Path(folder, "kernels"), "--transpire", program],
                                  capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (code, ""), done.stdout)
        for part in (f"1 tests, {code} end otherwise than expected\n", *parts):
            self.assertIn(part, done.stdout)

    def test_good(self):
        self.check(PLAIN, "echo 1", 0, "passed: 1\n  misc/plain\n")
        self.check(PLAIN, "echo 'error[TSP-R0023]: x' >&2; exit 4", 0, "equivalent finding: 1\n",
                   ref="ERROR source pointer is not aligned to the pointed type\n")

    def test_not_listed(self):
        self.check(PLAIN, "echo 2", 1, "differs: 1\n  not expected: 1\n    misc/plain: expected '1', found '2'\n")
        self.check(PLAIN, "echo 'error[TSP-U0001]: OpX is not supported' >&2; exit 5", 1, "refused by name: 1\n")

    def test_listed(self):
        self.check(LISTED, "echo 2", 0, f"differs: 1\n  {REASON}: 1\n", ref="EXACT 7\tkernel void f() {\n")

    def test_listed_but_good(self):
        self.check(LISTED, "echo 1", 1, f"passed: 1\n  not expected: listed as '{REASON}': 1\n")

    def test_listed_for_another_reason(self):
        self.check(LISTED, "echo 'error[TSP-U0001]: OpX is not supported' >&2; exit 5", 1, ref=LISTED_REF)
        self.check(LISTED, "echo 'error[TSP-R0021]: x' >&2; exit 4", 1, "Oclgrind does not find TSP-R0021", ref=LISTED_REF)
        for code in (1, 2, 3, 6):
            self.check(LISTED, f"exit {code}", 1, "differs: 1\n", f"exit code {code}: it says nothing", ref=LISTED_REF)

    def test_crashes(self):
        for name in (LISTED, PLAIN):
            self.check(name, "kill -SEGV $$", 1, "crashed: 1\n", "exit code -11: it says nothing", ref=LISTED_REF)
            self.check(name, "echo oops >&2; exit 139", 1, "crashed: 1\n", "exit code 139: oops", ref=LISTED_REF)
            self.check(name, "exit 7", 1, "crashed: 1\n", ref=LISTED_REF)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
