"""What the tests of examples/testing share: a copy of the folder to work in, and running programs.

A test is called with the program, the repository and, where it builds something, the build folder as its arguments.
"""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

TRANSPIRE = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(sys.argv[2]).resolve()
SKIPPED = 77
# A weight of a colour that is wrong, and a guard that is missing.
WRONG_KERNEL = [("0.587f", "0.578f"), ("if (i >= count) return;", "")]


def skip(what):
    print(f"{what} is not installed")
    sys.exit(SKIPPED)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="transpire-examples-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        shutil.copytree(ROOT / "examples" / "testing", self.folder / "testing")
        self.kernels = self.folder / "testing" / "kernels"

    def run_(self, *command, code=0, folder=None, **environment):
        """What it prints; any code but 0 will do where `code` is None."""
        words = [str(word) for word in command]
        path = f"{TRANSPIRE.parent}:{os.environ['PATH']}"
        done = subprocess.run(words, cwd=folder or self.folder, env=dict(os.environ, PATH=path, **environment), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, check=False)
        wanted = done.returncode != 0 if code is None else done.returncode == code
        self.assertTrue(wanted, f"{shlex.join(words)}: exit code {done.returncode}\n{done.stdout}")
        return done.stdout

    def change(self, path, *changes):
        text = path.read_text(encoding="utf-8")
        for before, after in changes:
            self.assertIn(before, text)
            text = text.replace(before, after)
        path.write_text(text, encoding="utf-8")


def main():
    unittest.main(argv=sys.argv[:1])
