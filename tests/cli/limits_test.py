#!/usr/bin/env python3
"""Limits of what a run does beside its launches: what it reads, prints, compares and writes, and what follows a limit.

usage: limits_test.py TRANSPIRE REPOSITORY
"""
import os
import re
import signal
import subprocess
import threading
import time
import unittest

from support import KERNELS, SAXPY, TRANSPIRE, Case, main, needs_compiler, within_growing_limits

# A program that compiles for ever, in the place of clang: it says where it writes to.
SLEEPING_CLANG = """#!/bin/sh
for word in "$@"; do
  case $word in --version|--print-targets) echo "clang version 15.0.6, spirv64"; exit 0;; esac
done
for word in "$@"; do
  case $word in /*/transpire-*/*) : > "$(dirname "$word")/unfinished.tmp"; : > begun;; esac
done
exec sleep 60
"""


class Reading(Case):
    """Files that never come, or never end."""

    def silent_pipe(self, name):
        """A FIFO that nobody writes to."""
        path = self.folder / name
        os.mkfifo(path)
        return path

    def ends(self, rule, message, *words):
        self.has(self.run_(*words, code=6).stderr, rule, message)

    def test_pipes_that_nobody_writes(self):
        pipe = self.silent_pipe("never")
        limit = ["--timeout", "200ms"]
        self.ends("TSP-L0002", f"while '{pipe}' was read", *SAXPY, "--suppress", pipe, *limit)
        self.ends("TSP-L0002", "", pipe, *limit)
        self.ends("TSP-L0002", "", pipe, "-k", "k", "-g", "1", *limit)
        for maker in ["file", "npy"]:
            self.ends("TSP-L0002", f"while '{pipe}' was read", KERNELS, "-k", "saxpy", "-g", "8", "-a",
                      f"y=float:{maker}:{pipe}", "-a", "x=float:fill:2:8", "-a", "a=3", *limit)
        self.ends("TSP-L0002", f"while '{pipe}' was read", *SAXPY, "--buffer", f"p=image 2d R UNORM_INT8 file:{pipe}", *limit)
        self.ends("TSP-L0002", f"while '{pipe}' was read", *SAXPY, "--expect", f"y = float:file:{pipe}", *limit)
        self.ends("TSP-L0002", f"while '{pipe}' was written", *SAXPY, "--out", f"y={pipe}", *limit)
        for extension in ["cl", "spv", "launch", "json"]:
            self.ends("TSP-L0002", "", self.silent_pipe(f"never.{extension}"), "-k", "k", "-g", "1", *limit)
        self.ends("TSP-L0002", "", *SAXPY, "--suppress", pipe, "--timeout-total", "200ms")

    def test_pipes_that_somebody_writes(self):
        suppressions, contents = self.silent_pipe("s"), self.silent_pipe("c")
        for path, text in [(suppressions, b"TSP-R0060\n"), (contents, bytes(32))]:
            threading.Thread(target=path.write_bytes, args=[text], daemon=True).start()
        done = self.run_(KERNELS, "-k", "saxpy", "-g", "8", "-a", f"y=float:file:{contents}", "-a", "x=float:fill:2:8", "-a",
                         "a=3", "--suppress", suppressions, "--print", "y", "--timeout", "60")
        self.assertIn("y[0..7] = 6 6 6 6 6 6 6 6", done.stdout)

    def test_devices_without_an_end(self):
        limit = ["--max-memory", "8MiB", "--timeout", "60"]
        message = "'/dev/zero' has more bytes than the limit of "
        self.ends("TSP-L0004", message, *SAXPY, "--suppress", "/dev/zero", *limit)
        self.ends("TSP-L0004", message, "/dev/zero", *limit)
        self.ends("TSP-L0004", message, "/dev/zero", "-k", "k", "-g", "1", *limit)
        for maker in ["file", "npy"]:
            self.ends("TSP-L0004", message, KERNELS, "-k", "saxpy", "-g", "8", "-a", f"y=float:{maker}:/dev/zero", "-a",
                      "x=float:fill:2:8", "-a", "a=3", *limit)
        for name in ["zero.cl", "zero.spv", "zero.launch"]:
            (self.folder / name).symlink_to("/dev/zero")
            self.ends("TSP-L0004", "has more bytes than the limit of ", name, "-k", "k", "-g", "1", *limit)
        self.run_(*SAXPY, "--suppress", "/dev/null", "--timeout", "60")


class AfterTheLaunch(Case):
    LARGE = [KERNELS, "-k", "saxpy", "-g", "8", "-a", "y=float:zero:33554432", "-a", "x=float:fill:2:8", "-a", "a=3"]

    def test_printing_ends_by_a_signal(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            process = subprocess.Popen([TRANSPIRE, "run", *self.LARGE, "--print", "y as uchar cols 16", "--timeout", "60"],
                                       cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.addCleanup(process.kill)
            time.sleep(0.5)  # it prints by now, or has not begun: it ends at once either way
            process.send_signal(number)
            process.communicate(timeout=20)
            self.assertIn(process.returncode, [128 + number, -number])

    def test_the_time_of_all_launches(self):
        words = [*SAXPY, "--repeat", 10**12]
        for total in [["--timeout-total", "300ms"], ["--timeout-total", "300ms", "--timeout", "60"]]:
            self.assertIn("TSP-L0002", self.run_(*words, *total, code=6).stderr)
        self.write("a.launch", f"module {KERNELS}\ntimeout-total 300ms\nkernel saxpy\nglobal 8\narg y = float:range:0:1:8\n"
                               "arg x = float:fill:2:8\narg a = 3\nrepeat 1000000000000\nlaunch\n")
        self.assertIn("TSP-L0002", self.run_("a.launch", code=6).stderr)
        # A launch that it ends knows the rest of the time alone.
        endless = [KERNELS, "-k", "forever", "-g", "1", "-a", "out=uint:zero:1"]
        for option, said in [("--timeout-total", "was running when the {} s for the whole run ended"), ("--timeout", "ran longer than {} s")]:
            self.assertTrue(within_growing_limits(0.5, lambda seconds: re.search(
                re.escape(f"kernel 'forever' {said.format(seconds)}\n") + rf"(.*\n)+help: raise '{option}', or find an endless loop",
                self.run_(*endless, option, f"{seconds}s", code=6).stderr)))
        self.run_("a.launch", "--repeat", 2, "--timeout-total", "1000")
        self.refused([*SAXPY, "--timeout-total", "soon"], "'soon' is not a time")


@needs_compiler
class Compiling(Case):
    def test_an_interrupted_compile_leaves_nothing(self):
        clang = self.write("clang", SLEEPING_CLANG)
        clang.chmod(0o755)
        self.write("k.cl", "kernel void k() {}\n")
        temporary, begun = self.folder / "temporary", self.folder / "begun"
        temporary.mkdir()
        environment = os.environ | {"TMPDIR": str(temporary), "TRANSPIRE_CLANG": str(clang)}
        for command in [["compile", "k.cl", "-o", "k.spv"], ["run", "k.cl", "-g", "1"], ["validate", "k.cl"], ["fuzz", "k.cl", "-g", "1"]]:
            for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
                with self.subTest(f"{command[0]}, {number}"):
                    begun.unlink(missing_ok=True)
                    process = subprocess.Popen([TRANSPIRE, *command], cwd=self.folder, env=environment, start_new_session=True,
                                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    end = time.monotonic() + 60
                    while not begun.exists() and process.poll() is None and time.monotonic() < end:
                        time.sleep(0.01)
                    self.assertTrue(begun.exists())
                    self.assertNotEqual(os.listdir(temporary), [])
                    time.sleep(0.3)
                    os.killpg(process.pid, number)
                    if command[0] == "fuzz":  # which goes on at the first wish until the compiler has ended
                        time.sleep(0.4)
                        if process.poll() is None:
                            os.killpg(process.pid, number)
                    self.assertNotEqual(process.wait(timeout=30), 0)
                    self.assertEqual(os.listdir(temporary), [])


if __name__ == "__main__":
    main()
