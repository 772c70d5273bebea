#!/usr/bin/env python3
"""examples/testing/ctest: a CTest for each launch file, also for those that come later.

usage: ctest_test.py TRANSPIRE REPOSITORY CMAKE
"""
import os
import pathlib
import re
import shutil
import sys

from support import WRONG_KERNEL, Case, main

CMAKE = pathlib.Path(sys.argv[3])
CTEST = CMAKE.with_name("ctest")


class CTests(Case):
    def names(self, build):
        return sorted(re.findall(r"Test +#\d+: (\S+)", self.run_(CTEST, "--test-dir", build, "-N")))

    def test_launch_files(self):
        build = self.folder / "build"
        self.run_(CMAKE, "-G", "Ninja", "-S", "testing/ctest", "-B", build)
        self.assertEqual(self.names(build), ["kernels/grey.launch", "kernels/histogram.cl", "kernels/transpose.launch"])
        self.assertIn("100% tests passed", self.run_(CTEST, "--test-dir", build, "-j", "2"))

        self.change(self.kernels / "grey.cl", *WRONG_KERNEL)
        text = self.run_(CTEST, "--test-dir", build, "--output-on-failure", code=None)
        self.assertIn("1 tests failed out of 3", text)
        self.assertIn("TSP-R0021", text)
        self.assertIn("out[3]: expected 0.587, found 0.578", text)

        (self.kernels / "deep").mkdir()
        shutil.copy(self.kernels / "histogram.cl", self.kernels / "deep" / "again.cl")
        os.remove(self.kernels / "grey.launch")
        self.run_(CMAKE, "--build", build)
        self.assertEqual(self.names(build), ["kernels/deep/again.cl", "kernels/histogram.cl", "kernels/transpose.launch"])


if __name__ == "__main__":
    main()
