"""What the tests of the command line from the outside share: the program, its inputs, and a test case with a folder.

A test is called with the program and the repository as its arguments.
"""
import functools
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from command import compiles_opencl_c, expanded, golden_programs  # noqa: E402
from patience import PATIENCE, children_of, processor_seconds, wait_until, within_growing_limits  # noqa: E402,F401

TRANSPIRE = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(sys.argv[2]).resolve()
EXAMPLES = ROOT / "examples"
PROGRAMS = golden_programs(TRANSPIRE)
DATA = PROGRAMS.parent / "cli" / "data"
EXPAND = PROGRAMS.parent / "shorthand" / "expand_programs"
KERNELS = str(DATA / "kernels.spvasm")
MEMORY = str(DATA / "memory.spvasm")
SPECIALISED = str(DATA / "specialised.spvasm")
SAXPY = [KERNELS, "-k", "saxpy", "-g", "8", "-a", "y=float:range:0:1:8", "-a", "x=float:fill:2:8", "-a", "a=3"]
SAXPY_LAUNCH = f"""module {KERNELS}
kernel saxpy
global 8
arg y = float:range:0:1:8
arg x = float:fill:2:8
arg a = 3
launch
expect y[0..1] = 6 7
arg a = 1
launch
print y[0..1]
out y = result.bin
expect y[0..1] ~ 2ulp = 8 9
"""


@functools.cache
def has_compiler():
    return compiles_opencl_c(TRANSPIRE)


def needs_compiler(test):
    """For tests of OpenCL C: any compiler that the program finds will do."""
    return unittest.skipUnless(has_compiler(), "needs a compiler of OpenCL C")(test)


def schema(name):
    return json.loads((ROOT / "docs" / name).read_text())


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *words, code=0, text=None, folder=None):
        """Runs the program, which must exit with the code; with any where that is None."""
        done = subprocess.run([TRANSPIRE, *map(str, words)], cwd=folder or self.folder, capture_output=True, input=text,
                              text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, done.returncode if code is None else code, f"{words}\n{done.stdout}\n{done.stderr}")
        return done

    def instruction_sets(self):
        """Those of this machine, worst first."""
        return self.json_of("version")["instruction_sets"]

    def run_(self, *words, **more):
        return self.call("run", *words, **more)

    def json_of(self, *words, code=0):
        done = self.call(*words, "--format=json", code=code)
        self.assertEqual(done.stderr, "")
        document = json.loads(done.stdout)
        if jsonschema:
            jsonschema.validate(document, schema("output.schema.json"))
        self.assertEqual(document["exit_code"], code)
        return document

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def bless(self, name, text, *words):
        """The launch file once `test --bless` has changed it, so that it passes, and what was said."""
        path = self.write(name, text)
        done = self.call("test", path.name, "--bless", *words)
        self.assertIn("1 of 1 test passed", self.call("test", path.name, *words).stdout)
        return path.read_text(), done.stdout

    def has(self, text, *parts):
        """The text has each of the parts."""
        for part in parts:
            self.assertIn(part, text)

    def refused(self, words, message, code=2):
        error = self.run_(*words, code=code).stderr
        self.assertIn(message, error)
        return error


def main():
    unittest.main(argv=sys.argv[:1])
