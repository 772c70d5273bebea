#!/usr/bin/env python3
"""examples/testing/googletest and catch2, built against an installation: they pass, and fail for a wrong kernel.

usage: cpp_test.py TRANSPIRE REPOSITORY BUILD CMAKE googletest|catch2
"""
import pathlib
import subprocess
import sys
import tempfile

from support import WRONG_KERNEL, Case, main, skip

BUILD, CMAKE, WHICH = pathlib.Path(sys.argv[3]).resolve(), pathlib.Path(sys.argv[4]), sys.argv[5]
CTEST = CMAKE.with_name("ctest")
PACKAGES = {"googletest": "GTest", "catch2": "Catch2"}


FIND_PACKAGE = f"""cmake_minimum_required(VERSION 3.20)
project(find LANGUAGES CXX)
find_package({PACKAGES[WHICH]} REQUIRED)
"""


def is_installed():
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "CMakeLists.txt").write_text(FIND_PACKAGE, encoding="utf-8")
        return subprocess.run([CMAKE, "-G", "Ninja", "-S", folder, "-B", folder], capture_output=True, check=False).returncode == 0


class Frameworks(Case):
    def build(self):
        prefix, build = self.folder / "installed", self.folder / "build"
        self.run_(CMAKE, "--install", BUILD, "--prefix", prefix)
        self.run_(CMAKE, "-G", "Ninja", "-S", f"testing/{WHICH}", "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
                  "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON", "-DCMAKE_CXX_FLAGS=-O0 -Wall -Wextra")
        self.run_(CMAKE, "--build", build)
        return build

    def test_right_and_wrong_kernels(self):
        build = self.build()
        self.assertIn("100% tests passed", self.run_(CTEST, "--test-dir", build, "--output-on-failure"))
        if WHICH == "googletest":
            self.change(self.kernels / "grey.cl", *WRONG_KERNEL)
            text = self.run_(CTEST, "--test-dir", build, "--output-on-failure", code=None)
            self.assertIn("2 tests failed out of 3", text)
            self.assertRegex(text, r"out: \d+ of 1000 elements differ by more than 4 ulp")
            self.assertIn("out[3]: expected 0.587, found 0.578", text)  # by the launch file
            self.assertIn("TSP-R0021", text)
        else:
            self.change(self.kernels / "histogram.cl", ("% 16", "% 17"))
            text = self.run_(CTEST, "--test-dir", build, "--output-on-failure", code=None)
            self.assertRegex(text, r"bins: \d+ of 16 elements differ")
            self.assertIn("TSP-R0022", text)


if __name__ == "__main__":
    if not is_installed():
        skip(PACKAGES[WHICH])
    main()
