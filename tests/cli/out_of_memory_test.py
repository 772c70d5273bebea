#!/usr/bin/env python3
"""Commands that the system gives too little memory: each ends by itself, with TSP-L0004 and exit code 6.

usage: out_of_memory_test.py TRANSPIRE REPOSITORY
"""
import json
import os
import pathlib
import resource
import struct
import subprocess
import tempfile
import unittest

from support import KERNELS, TRANSPIRE, expanded, main

MIB = 1 << 20
SAXPY = [KERNELS, "-k", "saxpy", "-g", "8", "-a", "a=3"]

MIB = 1 << 20
SAXPY = [KERNELS, "-k", "saxpy", "-g", "8", "-a", "a=3"]

PRIVATE = """%n = OpConstant %ulong BYTES
%array = OpTypeArray %uchar %n
kernel k(%ulong i)
%v = OpVariable %_ptr_Function_array Function
%p = OpInBoundsAccessChain %_ptr_Function_uchar %v %i
OpStore %p %uchar_1
"""


def large_module(megabytes):
    """A valid module of so many constants."""
    def instruction(opcode, *operands):
        return [(len(operands) + 1) << 16 | opcode, *operands]

    count = megabytes * MIB // 16
    words = [0x07230203, 0x00010000, 0, count + 16, 0]
    for capability in (4, 6):  # Addresses, Kernel
        words += instruction(17, capability)
    words += instruction(14, 2, 2)  # Physical64 OpenCL
    words += instruction(15, 6, 4, 0x6b)  # the kernel %4 "k"
    words += instruction(19, 1) + instruction(33, 2, 1) + instruction(21, 3, 32, 0)
    for i in range(count):
        words += instruction(43, 3, 16 + i, i)
    words += instruction(54, 1, 4, 0, 2) + instruction(248, 5) + instruction(253) + instruction(56)
    return struct.pack(f"<{len(words)}I", *words)


class OutOfMemory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.large = cls.folder / "large.spv"
        cls.large.write_bytes(large_module(16))

    def call(self, words, megabytes):
        limit = megabytes * MIB
        return subprocess.run([TRANSPIRE, *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                              timeout=600, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

    def refused(self, words, megabytes, doing):
        done = self.call(words, megabytes)
        self.assertEqual(done.returncode, 6, f"{words} in {megabytes} MiB\n{done.stdout[:500]}\n{done.stderr[:2000]}")
        self.assertIn("TSP-L0004", done.stderr)
        self.assertIn(doing, done.stderr)

    def test_buffers(self):
        for maker in ("zero", "random:1:0:1"):
            self.refused(["run", *SAXPY, "-a", f"y=float:{maker}:100000000", "-a", "x=float:zero:8"], 300, "no memory")

    def test_a_file_as_a_buffer(self):
        (self.folder / "bytes").write_bytes(bytes(64 * MIB))
        self.refused(["run", *SAXPY, "-a", "y=float:file:bytes", "-a", "x=float:zero:8"], 80, "no memory")

    def test_private_memory(self):
        (self.folder / "private.spvasm").write_text(expanded(TRANSPIRE, PRIVATE.replace("BYTES", str(8 * MIB))))
        self.refused(["run", "private.spvasm", "-g", "64", "-a", "0=5", "--threads", "1"], 300, "no memory")

    def test_large_modules(self):
        for command in ("run", "info", "dis", "validate"):
            self.refused([command, self.large, *(["-g", "1"] if command == "run" else [])], 80, "large.spv")

    def test_in_json(self):
        done = self.call(["info", self.large, "--format=json"], 80)
        self.assertEqual((done.returncode, done.stderr), (6, ""))
        document = json.loads(done.stdout)
        self.assertEqual(document["errors"][0]["rule"], "TSP-L0004")

    def test_files_without_an_end(self):
        for command in (["info", "/dev/zero"], ["validate", "/dev/zero"], ["run", "/dev/zero", "-g", "1"],
                        ["run", *SAXPY, "-a", "y=float:file:/dev/zero", "-a", "x=float:zero:8"]):
            self.refused(command, 200, "TSP-L0004")
        self.refused(["run", *SAXPY, "-a", "y=float:file:/dev/zero", "-a", "x=float:zero:8", "--max-memory=1MiB"],
                     400, "limit")

    def test_no_command_is_ended_by_a_signal(self):
        """With less and less memory: it works, it is refused, or the system cannot even start the program."""
        (self.folder / "private.spvasm").write_text(PRIVATE.replace("BYTES", str(MIB)))
        commands = [["run", *SAXPY, "-a", "y=float:zero:1000", "-a", "x=float:zero:1000"],
                    ["run", "private.spvasm", "-g", "64", "-a", "0=5", "--timeout=600"],
                    ["info", self.large], ["dis", self.large], ["validate", self.large], ["info", self.large, "--template"],
                    ["explain"], ["version"], ["ulp", "exp", "--samples=1000"], ["run", "missing.launch"]]
        for command in commands:
            for megabytes in (20, 24, 32, 40, 48, 56, 64, 72, 90, 110, 140, 200):
                done = self.call(command, megabytes)
                started = "shared librar" not in done.stderr and done.returncode != 127
                allowed = (0, 2, 3, 5, 6) if started else (1, 127)
                self.assertIn(done.returncode, allowed,
                              f"{command} in {megabytes} MiB: {done.returncode}\n{done.stderr[:2000]}")
                if done.returncode == 6:
                    self.assertIn("TSP-L0004", done.stderr)


class MakingBuffers(unittest.TestCase):
    """A buffer is in memory once while it is made, whatever makes it, and what is compared with it not at all."""
    BYTES = 128 * MIB

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.numbers = cls.BYTES // 4
        head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({cls.numbers},), }}".encode()
        head += b" " * (-(len(head) + 11) % 64) + b"\n"
        with open(cls.folder / "bytes", "wb") as raw, open(cls.folder / "array.npy", "wb") as array:
            array.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head)
            for _ in range(cls.BYTES // MIB):
                raw.write(bytes(MIB))
                array.write(bytes(MIB))
        cls.small = cls.peak("y=float:zero:8")

    @classmethod
    def peak(cls, argument, *more):
        """Bytes of memory that a run touched at most."""
        words = [TRANSPIRE, "run", *SAXPY, "-a", argument, "-a", "x=float:zero:8", "--threads=1", f"--max-memory={cls.BYTES + 16 * MIB}",
                 *more]
        with subprocess.Popen([*map(str, words)], cwd=cls.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            error = process.stderr.read().decode()
            status, usage = os.wait4(process.pid, 0)[1:]
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise AssertionError(f"{words}: {process.returncode}\n{error}")
        return usage.ru_maxrss * 1024

    def test_makers(self):
        for maker, most in [("zero", 0.2), ("uninit", 1.2), ("fill:1", 1.2), ("range:0:1", 1.2), ("random:1:0:1", 1.2)]:
            self.assertLess(self.peak(f"y=float:{maker}:{self.numbers}") - self.small, most * self.BYTES, maker)

    def test_files(self):
        for value in ["file:bytes", "npy:array.npy"]:
            self.assertLess(self.peak(f"y=float:{value}") - self.small, 1.2 * self.BYTES, value)

    def test_images(self):
        for contents in [f"float:fill:1:{self.numbers}", "float:random:1:0:1", "float:file:bytes"]:
            image = f"i=image 2d R FLOAT 4096x{self.numbers // 4096} {contents}"
            self.assertLess(self.peak("y=float:zero:8", "--buffer", image) - self.small, 1.2 * self.BYTES, contents)

    def test_expectations(self):
        for value in ["zero", "fill:0", "range:0:0"]:
            peak = self.peak(f"y=float:fill:0:{self.numbers}", "--expect", f"y[8..] = float:{value}")
            self.assertLess(peak - self.small, 1.2 * self.BYTES, value)


if __name__ == "__main__":
    main()
