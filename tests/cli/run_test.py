#!/usr/bin/env python3
"""Running kernels from the command line: the time limit, flags, mistakes; exit codes and messages.

usage: run_test.py TRANSPIRE REPOSITORY
"""
import json
import os
import pathlib
import struct
import subprocess
import time

from support import KERNELS, PATIENCE, SAXPY, SAXPY_LAUNCH, SPECIALISED, TRANSPIRE, Case, main, needs_compiler, within_growing_limits


class TimeLimit(Case):
    """Before the first launch; what a launch does is in the library's tests."""

    def silent_pipe(self, name):
        path = self.folder / name
        os.mkfifo(path)
        descriptor = os.open(path, os.O_RDWR)
        self.addCleanup(os.close, descriptor)
        return path

    def ends(self, *words):
        start = time.monotonic()
        done = self.run_(*words, code=6)
        self.assertLess(time.monotonic() - start, PATIENCE / 10)
        self.assertIn("TSP-L0002", done.stderr)
        return done.stderr

    def test_a_module_that_never_comes(self):
        path = self.silent_pipe("module.spv")
        self.assertIn(f"while '{path}' was read", self.ends(path, "-k", "k", "-g", "1", "--timeout", "100ms"))

    def test_a_launch_file_that_never_comes(self):
        path = self.silent_pipe("a.launch")
        self.assertIn(f"while '{path}' was read", self.ends(path, "--timeout", "100ms"))

    def test_contents_of_a_buffer_that_never_come(self):
        self.write("a.launch", f"module {KERNELS}\ntimeout 100ms\nkernel saxpy\nglobal 8\n"
                               f"arg y = float:file:{self.silent_pipe('y')}\n"
                               "buffer x = float:zero:8\narg x = buffer x\narg a = 3\nlaunch\n")
        self.write("b.launch", f"module {KERNELS}\ntimeout 100ms\nkernel saxpy\nbuffer y = float:file:{self.silent_pipe('z')}\n")
        for name in ("a.launch", "b.launch"):
            self.assertIn("' was read", self.ends(name))

    def test_in_json(self):
        self.silent_pipe("module.spv")
        document = self.json_of("run", "module.spv", "-k", "k", "-g", "1", "--timeout", "100ms", code=6)
        self.assertEqual(document["errors"][0]["rule"], "TSP-L0002")

    def test_time_enough(self):
        self.run_(*SAXPY, "--timeout", PATIENCE)


class Flags(Case):
    def test_prints_and_summary(self):
        done = self.run_(*SAXPY, "--print", "y[0..3]", "--print", "y[1] hex", "--print", "y[0] as uint")
        self.assertIn("y[0..3] = 6 7 8 9\ny[1] = 0x40e00000\ny[0] = 1086324736\n", done.stdout)
        self.assertRegex(done.stdout, r"saxpy: 8 work-items in groups of \d+, .* work-items/s\n"
                                      r"validated for opencl1\.2: 2 warnings not shown, --warnings shows them\n$")
        self.assertEqual(done.stderr, "")

    def test_quiet(self):
        self.assertEqual(self.run_(*SAXPY, "-q", "--print", "y[7]").stdout, "y[7] = 13\n")

    def test_files(self):
        (self.folder / "x.bin").write_bytes(struct.pack("<8f", *[1.5] * 8))
        words = list(SAXPY)
        words[words.index("x=float:fill:2:8")] = "x=float:file:x.bin"
        self.run_(*words, "--out", "y=y.bin", "--out", "y=y.npy", "--expect", "y ~ 0.5 = float:range:4:1")
        self.assertEqual(struct.unpack("<8f", (self.folder / "y.bin").read_bytes()),
                         tuple(4.5 + i for i in range(8)))
        self.run_(*words, "--expect", "y = npy:y.npy")
        self.run_(*words, "--expect", "y = float:file:y.bin")

    def test_arguments_by_index_and_options(self):
        self.run_(KERNELS, "-k", "saxpy", "-g", "4,2,1", "-l", "2,1,1", "--offset", "0,0,0", "-a", "0=zero:8", "-a",
                  "1=fill:1:8", "-a", "2=float:hex:0x40000000", "--threads", "1", "--max-steps", "1000", "--timeout",
                  "10s", "--isa", self.instruction_sets()[0], "--reference", "--check=ub", "--expect", "y = 2 2 2 2 2 2 2 2")

    def test_structs_vectors_and_local_memory(self):
        done = self.run_(KERNELS, "-k", "mixed", "-g", "4", "-l", "4", "-a", "out=float:uninit:4", "-a",
                         "p=struct { 10, 2 }", "-a", "v=(1,2,3,4)", "-a", "tmp=local:16", "--print", "out")
        self.assertIn("out[0..3] = 21 22 23 24\n", done.stdout)

    def test_swaps(self):
        done = self.run_(KERNELS, "-k", "add_one", "-g", "2", "-a", "from=uint:zero:2", "-a", "to=uint:zero:2",
                         "--repeat", "5", "--swap", "from,to", "--print", "from", "--print", "to", "-q")
        self.assertEqual(done.stdout, "from[0..1] = 5 5\nto[0..1] = 4 4\n")

    def test_standard_input(self):
        text = pathlib.Path(KERNELS).read_text()
        self.run_("-", *SAXPY[1:], text=text)
        lines = "".join(f";! {line}\n" for line in SAXPY_LAUNCH.splitlines()[1:])
        self.assertIn("2 expectations met", self.run_("-", text=text + lines).stdout)
        self.assertIn("standard input is a module without launch lines", self.run_("-", text=text, code=2).stderr)
        self.run_("-", "-g", "1", "--spec", "n=7", "-a", "out=uint:zero:1", "--expect", "out = 7",
                  text=pathlib.Path(SPECIALISED).read_text())

    def test_expectations(self):
        self.has(self.run_(*SAXPY, "--expect", "y[0..1] = 6 8", code=1).stderr, "error[TSP-C0023]: 1 of 2 values of 'y' differ",
                 "y[1]: expected 8, found 7")
        self.run_(*SAXPY, "--expect", "y[0..1] ~ 1 = 6 8")
        self.run_(*SAXPY, "--expect", "fault TSP-R0021", code=1)
        self.run_(*SAXPY, "--expect", "refused TSP-U0001", code=1)
        self.run_(KERNELS, "-k", "nothing", "-g", "1", "--expect", "refused TSP-C0002")


class Mistakes(Case):
    """Beside those of docs/mistakes.md."""

    def test_modules(self):
        bad = self.folder / "bad.spv"
        bad.write_bytes(b"\x03\x02\x23\x07\x00")
        self.refused([bad, "-g", "1"], "error[TSP-D", code=3)
        text = self.write("bad.spvasm", "OpNonsense\n")
        self.assertEqual(self.run_(text, "-g", "1", code=3).stdout, "")

    def test_a_seed_without_its_schedule(self):
        for words in ([], ["--schedule=serial"]):
            error = self.run_(*SAXPY, "--seed", 5, *words, code=2).stderr
            self.assertIn("error[TSP-C0020]: '--seed' chooses an order of the schedule 'random' alone\n", error)
            self.assertIn("help: add '--schedule=random'\n", error)
        self.run_(*SAXPY, "--seed", 5, "--schedule=random")
        launch = self.write("f.launch", SAXPY_LAUNCH + "schedule random\n")
        self.run_(launch, "--seed", 5)
        self.run_(launch, "--seed", 5, "--schedule=lockstep", code=2)
        program = ["--", "true"]
        self.assertIn("'--seed' chooses an order", self.call("cl", "--seed=5", *program, code=2).stderr)
        self.assertIn("number of a schedule", self.call("cl", "--seed=x", "--schedule=random", *program, code=2).stderr)
        self.call("cl", "--seed=5", "--schedule=random", *program)

    def test_standard_output_that_cannot_be_written(self):
        for words in [["run", *SAXPY], ["run", *SAXPY, "--format=json"], ["info", KERNELS], ["--help"],
                      ["run", "--help"], ["explain"], ["completion", "bash"]]:
            with self.subTest(words), open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([TRANSPIRE, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(done.returncode, 2)
                self.assertIn("error[TSP-C0024]: cannot write to standard output: No space left", done.stderr)

    def test_wording(self):
        for words, message, hint in [
                (["run", *SAXPY, "--isa"], "'--isa' needs a value", "see 'transpire run --help'"),
                (["run", *SAXPY, "--isa", "avx3"], "'avx3' is no value of --isa", "did you mean 'avx2'?"),
                (["run", *SAXPY, "--threads", "1", "--threads", "2"], "'--threads' is given 2 times", ""),
                (["completion", "tcsh"], "'tcsh' is no value of SHELL", "the values are 'bash', 'zsh' and 'fish'"),
                (["explain", "a", "b"], "'b' was not expected", ""),
                (["explain", "a", "b", "c", "d"], "'b', 'c' and 'd' were not expected", "")]:
            with self.subTest(words):
                self.has(self.call(*words, code=2).stderr, f"error[TSP-C0020]: {message}\n", hint)

    def test_limits_that_are_no_limits(self):
        for option in ["--max-steps", "--max-errors", "--max-memory", "--max-printf", "--check-memory", "--threads",
                       "--repeat", "--timeout"]:
            self.refused([*SAXPY, option, "-1"], "TSP-C0022")
        self.run_(*SAXPY, "--max-memory", "much", code=2)
        for time in ["nan", "inf", "-nan", "1e400", "1e308min"]:
            self.refused([*SAXPY, "--timeout", time], f"'{time}' is not a time")
        self.assertIn("= in '--max-steps -1'", self.refused([*SAXPY, "--max-steps", "-1"], "'-1' is no limit"))
        loop = [KERNELS, "-k", "forever", "-g", "1", "-a", "out=uint:zero:1"]
        done = self.run_(*loop, "--timeout", "0.0001ms", code=6)
        # The limit holds from the first word read, so no launch is begun.
        self.assertIn("TSP-L0002]: the time limit was reached while", done.stderr)
        self.assertEqual(done.stdout, "")
        done = within_growing_limits(0.5, lambda seconds: [done for done in [
            self.run_(*loop, "--timeout", f"{seconds}s", code=6)] if f"ran longer than {seconds} s" in done.stderr])[0]
        self.assertRegex(done.stdout, r"^forever: 1 work-item in groups of 1, [0-9.]+ .?s; ended early: time limit\n"
                                      r"validated for opencl\d\.\d: \d warnings? not shown, --warnings shows (it|them)\n$")

    def test_specialisation(self):
        words = [SPECIALISED, "-g", "1", "-a", "out=uint:zero:1", "--print", "out", "-q"]
        for value in ["3=uint:7", "n=7", "3=int:7", "n=uint:hex:0x7"]:
            self.assertEqual(self.run_(*words, "--spec", value).stdout, "out[0] = 7\n")
        error = self.refused([*words, "--spec", "3=float:7"],
                             "specialisation constant '3' is of type uint, the value of type float")
        self.assertIn("write '3 = uint:", error)
        for value in ["n=ulong:7", "3=bool:true", "3=uint2:7"]:
            self.refused([*words, "--spec", value], "is of type uint, the value of type")
        self.refused([*words, "--spec", "3=7", "--spec", "n=8"], "specialisation constant 'n' is given twice")

    def test_files_that_are_no_launch_files(self):
        bitcode = self.folder / "x.bc"
        bitcode.write_bytes(b"BC\xc0\xde\x35\x14\x00\x00\x05\n\x01 a\n\x02 b\n")
        for words in [[bitcode], [bitcode, "-k", "f", "-g", "1"]]:
            self.assertRegex(self.run_(*words, code=3).stderr, r"^error\[TSP-D0002\][^\x00-\x09]*\n")
        text = self.write("notes.txt", "some text\nof two lines\n")
        self.assertIn("TSP-D", self.run_(text, "-k", "f", "-g", "1", code=3).stderr)
        self.assertEqual(self.run_(text, code=2).stderr.count("error["), 1)
        escape = self.write("f.launch", "ker\x1b[31mnel\n")
        self.assertIn("'ker\\x1b[31mnel' is not a statement", self.run_(escape, code=2).stderr)
        launch = self.write("nameless", f"# launch\nmodule {KERNELS}\nkernel saxpy\n")
        self.assertIn("is missing: global float* 'y'", self.run_(launch, "-g", "4", code=2).stderr)

    def test_several_files(self):
        launch = self.write("f.launch", f"module {KERNELS}\n")
        for words in [[launch, KERNELS], [KERNELS, launch, "-k", "saxpy"]]:
            self.refused(words, "error[TSP-C0020]")
            self.refused(words, "f.launch' is a launch file, not a module to link")

    def test_quotes_and_empty_items(self):
        for command in ["run", "info", "dis", "validate"]:
            done = self.call(command, KERNELS, "--build-options", "-DX='a", code=2)
            self.assertIn("the single quote in '-DX='a' is not closed", done.stderr)
        launch = self.write("f.launch", f'module {KERNELS}\noptions -DX="a\n')
        self.assertIn("f.launch:2:9\n   | options -DX=\"a\n   |         ^~~~~~\n", self.refused([launch], "the double quote"))
        self.refused([*SAXPY[:-1], "a=float:data:1,,2"], "an item is missing at a comma")

    @needs_compiler
    def test_compiler_errors_show_the_source(self):
        source = self.write("bad.cl", "kernel void f(global int* x) {\nx[0] = nope;\nint a; a = 1 +;\n}\n")
        error = self.run_(source, "-g", "1", code=3).stderr
        self.assertEqual(error.count("error[TSP-C0030]"), 2)
        self.has(error, "   | x[0] = nope;\n   |        ^\n", "   | int a; a = 1 +;\n   |               ^\n")
        self.assertNotIn("generated", error)


if __name__ == "__main__":
    main()
