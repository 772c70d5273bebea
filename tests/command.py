"""Running commands that must succeed, and looking at what they print, for tests that are scripts."""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from patience import PATIENCE


def output(*command: object, **options) -> str:
    """Standard output and error together; `options` are those of subprocess.run(). Ends the test where the command fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(words)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def compiles_opencl_c(transpire: object) -> bool:
    """Whether the program finds a compiler of OpenCL C, of whatever version, that works."""
    words = [str(transpire), "compile", "-", "-o", "-"]
    done = subprocess.run(words, input=b"kernel void f(void) {}", capture_output=True, timeout=PATIENCE, check=False)
    return done.returncode == 0


def golden_programs(transpire: object) -> pathlib.Path:
    """The folder of the golden programs that the build of this command line wrote whole: tests/shorthand."""
    return pathlib.Path(str(transpire)).resolve().parent.parent / "tests" / "programs"


def expanded(transpire: object, text: str) -> str:
    """Assembly in the short form of tests/programs/README.md, whole."""
    with tempfile.TemporaryDirectory() as folder:
        short, whole = pathlib.Path(folder, "short"), pathlib.Path(folder, "whole")
        (short / "it").mkdir(parents=True)
        (short / "it" / "it.spvasm.in").write_text(text)
        output(golden_programs(transpire).parent / "shorthand" / "expand_programs", short, whole)
        return (whole / "it" / "it.spvasm").read_text()


def expect(text: str, *patterns: str) -> None:
    """Ends the test where a regular expression is not found."""
    for pattern in patterns:
        if not re.search(pattern, text):
            sys.exit(f"expected '{pattern}', found:\n{text}")
