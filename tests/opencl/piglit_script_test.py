#!/usr/bin/env python3
"""What scripts/check-piglit makes of tests that end well, are refused, fail, crash or are not what the list says.

The tests are made up, and so is Piglit. usage: piglit_script_test.py REPOSITORY
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv[1]).resolve() / "scripts" / "check-piglit"
PASS = """echo 'PIGLIT: {"result": "pass" }'"""
FAIL = """echo 'PIGLIT: {"result": "fail" }'; exit 1"""
SUBTEST = """echo 'PIGLIT: {"subtest": {"long" : "fail"}}'; """
REFUSAL = "echo 'error[TSP-U0001]: OpX is not supported' >&2; "


def row(outcome, words, reason="because", version="3.0"):
    return f"api@one\t{version}\t{outcome}\t{words}\t{reason}\n"


class Outcomes(unittest.TestCase):
    def check(self, body, code, *parts, rows="", total=1, options=()):
        """Runs one test, of that shell text; the output must hold all parts."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "lib/bin").mkdir(parents=True)
            (folder / "bin").mkdir()
            for path, text in (("bin/piglit", "echo 'api@one ::: ../lib/bin/one'"), ("lib/bin/one", body)):
                (folder / path).write_text(f"#!/bin/sh\n{text}\n")
                (folder / path).chmod(0o755)
            (folder / "list").write_text(f"# a comment\napi\t3.0\ttotal\t{total}\t\n{rows}")
            (folder / "driver").write_text("")
            done = subprocess.run([sys.executable, SCRIPT, "--piglit", folder / "bin/piglit", "--list", folder / "list",
                                   "--driver", folder / "driver", *options],
                                  capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (code, ""), done.stdout)
        for part in parts:
            self.assertIn(part, done.stdout)

    def test_good(self):
        self.check(PASS, 0, "passed: 1\n", "1 tests, 0 deviations\n")

    def test_not_listed(self):
        self.check(FAIL, 1, "failed: 1\n", "api@one: expected 'passed', found 'failed'\n")
        self.check(REFUSAL + FAIL, 1, "refused: 1\n")
        self.check("echo 'error[TSP-R0021]: x' >&2; " + PASS, 1, "found 'found: TSP-R0021'\n")

    def test_listed(self):
        self.check(REFUSAL + FAIL, 0, "refused: 1\n", "because", rows=row("refused", "TSP-U0001: OpX is not supported"))
        self.check(SUBTEST + FAIL, 0, "failed: 1\n", rows=row("failed", "long"))
        self.check("""echo '# Skipping device Transpire on x (avx2) here'; echo 'PIGLIT: {"result": "skip" }'""", 0,
                   rows=row("skipped", "Skipping the device here"))

    def test_listed_otherwise(self):
        self.check(PASS, 1, "expected 'failed: long', found 'passed'\n", rows=row("failed", "long"))
        self.check(SUBTEST + FAIL, 1, "expected 'failed: short', found 'failed: long'\n", rows=row("failed", "short"))

    def test_a_refusal_explains_no_wrong_result(self):
        self.check("echo 'Expecting 1, but got 2'; " + REFUSAL + SUBTEST + FAIL, 1, "failed: 1\n",
                   rows=row("refused", "TSP-U0001: OpX is not supported"))

    def test_crashes(self):
        self.check("kill -SEGV $$", 1, "crashed: 1\n", "exit code -11, 0 results")
        self.check("exit 0", 1, "crashed: 1\n", "exit code 0, 0 results")

    def test_other_versions(self):
        self.check(f"""if [ "$TRANSPIRE_CL_VERSION" = 1.2 ]; then {PASS}; else {FAIL}; fi""", 0, "2 tests, 0 deviations\n",
                   rows=row("failed", "") + row("passed", "", version="1.2"))

    def test_the_tests_that_piglit_has(self):
        self.check(PASS, 1, "api: expected 2 tests, found 1\n", total=2)
        self.check(PASS, 1, "api@two: Piglit has no such test\n", rows=row("failed", "").replace("one", "two"))

    def test_not_installed(self):
        self.check(PASS, 77, "skipped: ", options=["--piglit", "/nowhere/piglit"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
