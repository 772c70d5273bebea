#!/usr/bin/env python3
"""The command line from the outside: exit codes, messages, files, and JSON against its schemas.

usage: cli_test.py TRANSPIRE REPOSITORY
"""
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

TRANSPIRE = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(sys.argv[2]).resolve()
DATA = ROOT / "tests" / "cli" / "data"
EXAMPLES = ROOT / "examples"
KERNELS = str(DATA / "kernels.spvasm")
MEMORY = str(DATA / "memory.spvasm")
SPECIALISED = str(DATA / "specialised.spvasm")
SAXPY = [KERNELS, "-k", "saxpy", "-g", "8", "-a", "y=float:range:0:1:8", "-a", "x=float:fill:2:8", "-a", "a=3"]


def schema(name):
    return json.loads((ROOT / "docs" / name).read_text())


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *words, code=0, text=None):
        done = subprocess.run([TRANSPIRE, *map(str, words)], cwd=self.folder, capture_output=True, input=text,
                              text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        return done

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

    def refused(self, words, message, code=2):
        error = self.run_(*words, code=code).stderr
        self.assertIn(message, error)
        return error


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
        self.assertLess(time.monotonic() - start, 10)
        self.assertIn("TSP-L0002", done.stderr)
        return done.stderr

    def test_a_module_that_never_comes(self):
        path = self.silent_pipe("module.spv")
        self.assertIn(f"while '{path}' was read", self.ends(path, "-k", "k", "-g", "1", "--timeout", "100ms"))

    def test_a_launch_file_that_never_comes(self):
        path = self.silent_pipe("a.launch")
        self.assertIn("before the first launch", self.ends(path, "--timeout", "100ms"))

    def test_contents_of_a_buffer_that_never_come(self):
        self.write("a.launch", f"module {KERNELS}\ntimeout 100ms\nkernel saxpy\nglobal 8\n"
                               f"arg y = float:file:{self.silent_pipe('y')}\n"
                               "buffer x = float:zero:8\narg x = buffer x\narg a = 3\nlaunch\n")
        self.write("b.launch", f"module {KERNELS}\ntimeout 100ms\nbuffer y = float:file:{self.silent_pipe('z')}\n")
        for name in ("a.launch", "b.launch"):
            self.assertIn("before the first launch", self.ends(name))

    def test_in_json(self):
        self.silent_pipe("module.spv")
        document = self.json_of("run", "module.spv", "-k", "k", "-g", "1", "--timeout", "100ms", code=6)
        self.assertEqual(document["errors"][0]["rule"], "TSP-L0002")

    def test_time_enough(self):
        self.run_(*SAXPY, "--timeout", "100")


class Flags(Case):
    def test_prints_and_summary(self):
        done = self.run_(*SAXPY, "--print", "y[0..3]", "--print", "y[1] hex", "--print", "y[0] as uint")
        self.assertIn("y[0..3] = 6 7 8 9\ny[1] = 0x40e00000\ny[0] = 1086324736\n", done.stdout)
        self.assertRegex(done.stdout, r"saxpy: 8 work-items in groups of \d+, .* work-items/s\n$")
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
                  "10s", "--isa", "baseline", "--reference", "--check=ub", "--expect", "y = 2 2 2 2 2 2 2 2")

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
        lines = "".join(f";! {line}\n" for line in LaunchFiles.LAUNCH.splitlines()[1:])
        self.assertIn("2 expectations met", self.run_("-", text=text + lines).stdout)
        self.assertIn("standard input is a module without launch lines", self.run_("-", text=text, code=2).stderr)
        source = "__kernel void f(__global int* x) { x[0] = 1; }\n"
        for words in [["run", "-", "-g", "1"], ["info", "-"]]:
            self.assertIn("help: OpenCL C is read from files", self.call(*words, text=source, code=3).stderr)
        self.run_("-", "-g", "1", "--spec", "n=7", "-a", "out=uint:zero:1", "--expect", "out = 7",
                  text=pathlib.Path(SPECIALISED).read_text())

    def test_expectations(self):
        error = self.run_(*SAXPY, "--expect", "y[0..1] = 6 8", code=1).stderr
        self.assertIn("error[TSP-C0023]: 1 of 2 values of 'y' differ", error)
        self.assertIn("y[1]: expected 8, found 7", error)
        self.run_(*SAXPY, "--expect", "y[0..1] ~ 1 = 6 8")
        self.run_(*SAXPY, "--expect", "fault TSP-R0021", code=1)
        self.run_(*SAXPY, "--expect", "refused TSP-U0001", code=1)
        self.run_(KERNELS, "-k", "nothing", "-g", "1", "--expect", "refused TSP-C0002")


class Mistakes(Case):
    def test_kernels(self):
        self.assertIn("did you mean 'saxpy'?", self.refused([KERNELS, "-k", "saxpi", "-g", "1"], "no kernel 'saxpi'"))
        self.refused([KERNELS, "-g", "1"], "the launch names no kernel")

    def test_arguments(self):
        error = self.refused([KERNELS, "-k", "saxpy", "-g", "1", "-a", "a=1"], "argument 0 of kernel 'saxpy' is missing")
        self.assertIn("for example 'y = float:zero:1024'", error)
        self.refused([*SAXPY, "-a", "z=1"], "has no argument 'z'")
        self.refused([*SAXPY, "-a", "a=4"], "argument 'a' is given twice")
        self.refused([*SAXPY, "-a", "2=4"], "argument 'a' is given twice")
        self.refused([*SAXPY[:-1], "a=1.5.5"], "'1.5.5' is no float")
        self.refused([*SAXPY[:-1], "a"], "'=' is missing")

    def test_types(self):
        words = list(SAXPY)
        words[words.index("x=float:fill:2:8")] = "x=uint:fill:2:8"
        self.assertIn("the data are of type uint", self.refused(words, "the parameter points to float"))

    def test_geometry(self):
        self.refused([KERNELS, "-k", "saxpy"], "")
        self.refused([*SAXPY, "-l", "2,2"], "the global size has 1 dimensions, the local size has 2")
        self.refused([*SAXPY[:4], "0", *SAXPY[5:], "-g", "1,1,1,1"], "")

    def test_files(self):
        self.refused(["no-such.spv", "-g", "1"], "cannot read 'no-such.spv'")
        self.refused([*SAXPY, "--out", "y=no/such/folder"], "cannot write")
        self.refused([*SAXPY, "--print", "q"], "there is no buffer 'q'")
        self.refused([*SAXPY, "--print", "y[8]"], "lies outside the buffer")

    def test_modules(self):
        bad = self.folder / "bad.spv"
        bad.write_bytes(b"\x03\x02\x23\x07\x00")
        self.refused([bad, "-g", "1"], "error[TSP-D", code=3)
        text = self.write("bad.spvasm", "OpNonsense\n")
        self.assertEqual(self.run_(text, "-g", "1", code=3).stdout, "")

    def test_command_line(self):
        self.assertIn("did you mean 'run'?", self.call("rum", code=2).stderr)
        self.assertIn("did you mean '--print'?", self.run_(*SAXPY, "--prnt", "y", code=2).stderr)
        self.call(code=2)
        self.call("run", code=2)
        self.run_(*SAXPY, "--isa", "riscv", code=2)
        self.run_(*SAXPY, "--threads", "many", code=2)
        self.run_(*SAXPY, "--timeout", "soon", code=2)
        self.run_(KERNELS, code=2)
        launch = self.write("f.launch", f"module {KERNELS}\nkernel saxpy\n")
        self.assertIn("describes its launch itself", self.run_(launch, "-g", "4", code=2).stderr)

    def test_faults_and_limits(self):
        words = [KERNELS, "-k", "saxpy", "-g", "9", "-a", "y=float:zero:8", "-a", "x=float:fill:2:9", "-a", "a=3"]
        self.assertIn("TSP-R00", self.run_(*words, code=4).stderr)
        loop = [KERNELS, "-k", "forever", "-g", "1", "-a", "out=uint:zero:1"]
        self.assertIn("TSP-L0001", self.run_(*loop, "--max-steps", "1000", code=6).stderr)
        self.run_(*loop, "--max-steps", "1000", "--expect", "fault TSP-L0001")
        self.assertIn("TSP-L0002", self.run_(*loop, "--timeout", "100ms", code=6).stderr)
        self.run_(*loop, "--timeout", "100ms", "--expect", "fault TSP-L0002")
        self.run_(*SAXPY, "--max-memory", "10", code=6)
        self.run_(*SAXPY, "--max-memory", "much", code=2)
        self.run_(KERNELS, "-k", "saxpy", "-g", "1", "-a", "y=float:zero:99999999999999", "-a", "x=zero:1", "-a", "a=1",
                  code=6)


    def test_standard_output_that_cannot_be_written(self):
        for words in [["run", *SAXPY], ["run", *SAXPY, "--format=json"], ["info", KERNELS], ["--help"],
                      ["run", "--help"], ["explain"], ["completion", "bash"]]:
            with self.subTest(words), open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([TRANSPIRE, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(done.returncode, 2)
                self.assertIn("error[TSP-C0024]: cannot write to standard output: No space left", done.stderr)

    def test_wording(self):
        for words, message, hint in [
                (["run"], "FILE is missing", "see 'transpire run --help'"),
                ([], "a command is missing", "see 'transpire --help'"),
                (["run", *SAXPY, "--isa"], "'--isa' needs a value", "see 'transpire run --help'"),
                (["run", *SAXPY, "--isa", "avx3"], "'avx3' is no value of --isa", "did you mean 'avx2'?"),
                (["run", *SAXPY, "--threads", "1", "--threads", "2"], "'--threads' is given 2 times", ""),
                (["completion", "tcsh"], "'tcsh' is no value of SHELL", "the values are 'bash', 'zsh' and 'fish'"),
                (["explain", "a", "b"], "'b' was not expected", ""),
                (["explain", "a", "b", "c", "d"], "'b', 'c' and 'd' were not expected", "")]:
            with self.subTest(words):
                error = self.call(*words, code=2).stderr
                self.assertIn(f"error[TSP-C0020]: {message}\n", error)
                self.assertIn(hint, error)

    def test_limits_that_are_no_limits(self):
        for option in ["--max-steps", "--max-errors", "--max-memory", "--max-printf", "--threads", "--repeat",
                       "--timeout"]:
            self.refused([*SAXPY, option, "-1"], "TSP-C0022")
        for time in ["nan", "inf", "-nan", "1e400", "1e308min"]:
            self.refused([*SAXPY, "--timeout", time], f"'{time}' is not a time")
        self.assertIn("= in '--max-steps -1'", self.refused([*SAXPY, "--max-steps", "-1"], "'-1' is no limit"))
        loop = [KERNELS, "-k", "forever", "-g", "1", "-a", "out=uint:zero:1"]
        done = self.run_(*loop, "--timeout", "0.0001ms", code=6)
        # The limit holds from the first word read, so no launch is begun.
        self.assertIn("TSP-L0002]: the time limit was reached while", done.stderr)
        self.assertEqual(done.stdout, "")
        done = self.run_(*loop, "--timeout", "500ms", code=6)
        self.assertIn("ran longer than 0.5 s", done.stderr)
        self.assertRegex(done.stdout, r"^forever: 1 work-item in groups of 1, [0-9.]+ .?s; ended early: time limit\n$")

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
        self.assertIn("describes its launch itself", self.run_(launch, "-g", "4", code=2).stderr)

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
        self.assertIn("f.launch:2:1", self.refused([launch], "the double quote"))
        self.refused([*SAXPY[:-1], "a=float:data:1,,2"], "an item is missing at a comma")

    @unittest.skipUnless(shutil.which("clang-15"), "needs clang-15")
    def test_compiler_errors_show_the_source(self):
        source = self.write("bad.cl", "kernel void f(global int* x) {\nx[0] = nope;\nint a; a = 1 +;\n}\n")
        error = self.run_(source, "-g", "1", code=3).stderr
        self.assertEqual(error.count("error[TSP-C0030]"), 2)
        self.assertIn("= x[0] = nope;\n", error)
        self.assertIn("= int a; a = 1 +;\n", error)
        self.assertNotIn("generated", error)


class LaunchFiles(Case):
    LAUNCH = f"""module {KERNELS}
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

    def test_text(self):
        path = self.write("f.launch", self.LAUNCH)
        self.assertIn("y[0..1] = 8 9\n", self.run_(path, "--print", "y[7]").stdout)
        self.assertTrue((self.folder / "result.bin").exists())
        self.assertIn("2 expectations met", self.run_(path).stdout)

    def test_a_name_tells_nothing(self):
        self.run_(self.write("file", self.LAUNCH))

    def test_embedded(self):
        text = pathlib.Path(KERNELS).read_text()
        lines = "".join(f";! {line}\n" for line in self.LAUNCH.splitlines()[1:])
        self.run_(self.write("k.spvasm", lines + text))
        bad = self.write("bad.spvasm", text + ";! kernal saxpy\n")
        self.assertRegex(self.run_(bad, code=2).stderr, r"bad\.spvasm:\d+:\d")

    def test_json(self):
        description = {
            "modules": [KERNELS],
            "steps": [
                {"launch": {"kernel": "saxpy", "global": [8],
                            "arguments": {"y": {"type": "float", "range": [0, 1], "count": 8},
                                          "x": "float:fill:2:8", "a": 3}}},
                {"print": "y[0..1]"},
                {"expect": {"values": "y[0..1]", "equals": [6, 7]}},
            ],
        }
        if jsonschema:
            jsonschema.validate(description, schema("launch.schema.json"))
        self.assertIn("y[0..1] = 6 7\n", self.run_(self.write("f.json", json.dumps(description))).stdout)

    @unittest.skipUnless(jsonschema, "the package jsonschema is not installed")
    def test_json_is_what_the_schema_says(self):
        good = {"modules": [KERNELS], "steps": [
            {"launch": {"kernel": "saxpy", "global": 8,
                        "arguments": {"y": {"type": "float", "zero": 8}, "x": "float:fill:2:8", "a": 3}}},
            {"expect": {"values": "y", "equals": {"fill": 6}}}]}
        self.run_(self.write("f.json", json.dumps(good)))
        launch = {"launch": {"arguments": {"y": {"type": "float", "zero": 8, "readOnly": True}}}}
        swap = {"expect": {"values": "y", "equals": 6, "swap": 1}}
        changes = [{"reference": "yes"}, {"threads": "2"}, {"threads": -1}, {"steps": {}}, {"modules": []}, {"isa": "x"},
                   {"bogus": 1}, {"check": [1]}, {"steps": [launch]}, {"steps": [swap]}, {"steps": [{"out": "y"}]},
                   {"steps": [{"print": "y", "launch": {}}]}]
        values = [True, {"bogus": True}, {"zero": 1, "fill": 1}, {"fill": 1}, {"zero": 1, "count": 1}, {"range": [0]},
                  {"type": "flaot", "zero": 1}, {"hex": [1]}, {"file": None}, {"data": [{}]}, {"zero": "4"}]
        checker = jsonschema.Draft7Validator(schema("launch.schema.json"))
        self.assertTrue(checker.is_valid(good))
        for change in changes + [{"buffers": {"b": value}} for value in values]:
            with self.subTest(change):
                self.assertFalse(checker.is_valid(good | change))
                self.assertIn("= at /", self.run_(self.write("f.json", json.dumps(good | change)), code=2).stderr)
        for missing in good:
            rest = {key: value for key, value in good.items() if key != missing}
            self.assertFalse(checker.is_valid(rest))
            self.assertIn(f"'{missing}' is missing", self.run_(self.write("f.json", json.dumps(rest)), code=2).stderr)

    def test_sim(self):
        self.write("k.spvasm", pathlib.Path(KERNELS).read_text())
        path = self.write("f.sim", "k.spvasm saxpy\n4 1 1\n2 1 1\n<size=16 range=0:1:3 dump>\n<size=16> 1 2 3 4\n"
                                   "<size=4>\n2\n")
        self.assertEqual(self.run_(path, "-q").stdout,
                         "\nArgument 'y': 16 bytes\n  y[0] = 2\n  y[1] = 5\n  y[2] = 8\n  y[3] = 11\n\n")

    def test_sim_access_and_signs(self):
        words = 'OpString "kernel_arg_type.signs.int*,int*,"'
        text = """OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %f "signs"
%words = WORDS
OpName %from "from"
OpName %to "to"
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%one = OpConstant %long 1
%three = OpConstant %int 3
%two = OpConstant %int 2
%pair = OpTypeArray %int %two
%p_int = OpTypePointer CrossWorkgroup %int
%p_pair = OpTypePointer CrossWorkgroup %pair
%type = OpTypeFunction %void %p_int %p_int
%f = OpFunction %void None %type
%from = OpFunctionParameter %p_int
%to = OpFunctionParameter %p_int
%entry = OpLabel
%pairs = OpBitcast %p_pair %from
%at = OpAccessChain %p_int %pairs %three
%x = OpLoad %int %at
OpStore %to %x
%y = OpLoad %int %to
%next = OpPtrAccessChain %p_int %to %one
OpStore %next %y
OpReturn
OpFunctionEnd
"""
        self.write("k.spvasm", text.replace("WORDS", words))
        sim = "k.spvasm signs\n1 1 1\n1 1 1\n<size=16> 1 2 3 -4\n<size=8 fill=5 ACCESS dump>\n"
        path = self.write("f.sim", sim.replace("ACCESS", ""))
        done = self.run_(path, "-q", code=4)
        self.assertIn("to[0] = -4\n  to[1] = -4\n", done.stdout)
        self.assertIn("error[TSP-R0028]: load with index 3 outside an array of 2 elements in buffer 'from'", done.stderr)
        self.run_(path, "--check=none")
        path = self.write("f.sim", sim.replace("ACCESS", "wo"))
        done = self.run_(path, "-q", "--check=none", code=4)
        self.assertIn("to[0] = -4\n  to[1] = 0\n", done.stdout)
        self.assertIn("error[TSP-R0027]: 4-byte load from write-only buffer 'to'", done.stderr)
        words = ["k.spvasm", "-g", "1", "-a", "from=int:data:1,2,3,4", "-a", "to=int:zero:2:wo"]
        self.run_(*words, "--expect", "fault TSP-R0027 on to")
        self.run_(*words, "--check=bounds", "--expect", "fault TSP-R0027 on to", "--expect", "fault TSP-R0028 on from")
        self.refused([*words, "--check=everything"], "--check")

    def test_mistakes_have_places(self):
        self.assertIn("f.launch:1:1", self.run_(self.write("f.launch", "kernal k\n"), code=2).stderr)
        self.assertIn("f.json:1:", self.run_(self.write("f.json", "{"), code=2).stderr)
        self.assertIn("f.sim:1", self.run_(self.write("f.sim", "a b 1"), code=2).stderr)

    def test_examples(self):
        for path in sorted(EXAMPLES.glob("*")):
            if path.is_file() and (path.suffix in {".launch", ".json"} or "//!" in path.read_text()):
                with self.subTest(path.name):
                    self.run_(path)


class Json(Case):
    def test_run(self):
        document = self.json_of("run", *SAXPY, "--print", "y[0..1]", "--expect", "y[0] = 6")
        self.assertEqual(document["prints"], [{"buffer": "y", "first": 0, "type": "float", "values": [6, 7]}])
        self.assertEqual(document["launches"][0]["work_items"], 8)
        self.assertEqual(document["expectations"], {"checked": 1, "failures": []})

    def test_findings(self):
        document = self.json_of("run", KERNELS, "-k", "saxpy", "-g", "9", "-a", "y=float:zero:8", "-a",
                                "x=float:fill:2:9", "-a", "a=3", code=4)
        self.assertEqual(document["findings"][0]["global_id"], [8, 0, 0])
        self.assertEqual(document["findings"][0]["allocation"], "y")

    def test_failures(self):
        self.assertEqual(len(self.json_of("run", *SAXPY, "--expect", "y = 0", code=1)["expectations"]["failures"]), 1)
        self.json_of("run", KERNELS, "-k", "q", "-g", "1", code=2)
        self.json_of("run", "no-such.spv", "-g", "1", code=2)
        self.json_of("run", "--nonsense", code=2)
        self.json_of("rum", code=2)

    def test_limits_are_findings(self):
        loop = ["run", KERNELS, "-k", "forever", "-g", "1", "-a", "out=uint:zero:1"]
        for rule, end, limit in [("TSP-L0001", "step limit", ["--max-steps", "1000"]),
                                 ("TSP-L0002", "time limit", ["--timeout", "100ms"])]:
            document = self.json_of(*loop, *limit, code=6)
            self.assertEqual(document["launches"][0]["end"], end)
            finding, = document["findings"]
            self.assertEqual((finding["rule"], finding["kernel"], finding["count"]), (rule, "forever", 1))
            self.assertEqual(finding["instruction"], "OpBranchConditional")
            self.assertIn("word_offset", finding)

    def test_values_that_json_lacks(self):
        document = self.json_of("run", KERNELS, "-k", "saxpy", "-g", "1", "-a", "y=float:data:inf,nan", "-a",
                                "x=float:zero:2", "-a", "a=0", "--print", "y")
        self.assertEqual(document["prints"][0]["values"], ["inf", "nan"])

    def test_other_commands(self):
        info = self.json_of("info", KERNELS)
        self.assertIn("saxpy", [kernel["name"] for kernel in info["kernels"]])
        self.json_of("validate", KERNELS, "--strictness=field")
        self.json_of("validate", KERNELS, code=3)
        self.assertIn("OpFMul", self.json_of("dis", KERNELS)["text"])
        self.assertEqual(len(self.json_of("explain", "TSP-R0021")["rules"]), 1)
        self.json_of("explain")
        self.json_of("explain", "TSP-X9999", code=2)
        self.json_of("version")


class Inspection(Case):
    def test_info(self):
        text = self.call("info", KERNELS).stdout
        for part in ["kernel saxpy", "global float* y", "float a", "capabilities: ", "Kernel", "struct"]:
            self.assertIn(part, text)

    def test_template_runs(self):
        for kernel in ["saxpy", "mixed", "add_one"]:
            self.call("info", KERNELS, "--template", "-k", kernel, "-o", "t.launch")
            self.run_("t.launch")
        self.assertIn("kernel saxpy\n", self.call("info", KERNELS, "--template").stdout)
        (self.folder / "sub").mkdir()
        self.write("k.spvasm", pathlib.Path(KERNELS).read_text())
        self.call("info", "k.spvasm", "--template", "-k", "saxpy", "-o", "sub/t.launch")
        self.run_("sub/t.launch")
        self.call("info", KERNELS, "--template", "-k", "q", code=2)
        text = self.call("info", KERNELS, "--template", "--build-options", """-DX='a b' -DS='"s"' -DN=4""").stdout
        self.assertIn("""\noptions "-DX=a b" '-DS="s"' -DN=4\n""", text)

    def test_info_of_one_kernel(self):
        self.assertNotIn("kernel mixed", self.call("info", KERNELS, "-k", "saxpy").stdout)
        document = json.loads(self.call("info", KERNELS, "-k", "saxpy", "--format=json").stdout)
        self.assertEqual([kernel["name"] for kernel in document["kernels"]], ["saxpy"])
        self.assertIn("--output needs --template", self.call("info", KERNELS, "-o", "f", code=2).stderr)
        done = self.call("info", KERNELS, "--template", "--format=json", code=2)
        self.assertEqual(json.loads(done.stdout)["errors"][0]["rule"], "TSP-C0020")

    def test_template_of_a_kernel_that_does_not_run(self):
        text = """OpCapability Addresses
OpCapability Kernel
OpCapability ImageBasic
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %f "f"
%void = OpTypeVoid
%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%type = OpTypeFunction %void %image
%f = OpFunction %void None %type
%i = OpFunctionParameter %image
%entry = OpLabel
OpReturn
OpFunctionEnd
"""
        text = self.call("info", self.write("image.spvasm", text), "--template").stdout
        self.assertRegex(text, r"\n# does not run: TSP-U\d{4} .*\nkernel f\n")

    def test_program_scope_variables(self):
        done = self.call("info", MEMORY)
        self.assertIn("program-scope variable: uint counter  (4 bytes)\n", done.stdout)
        self.assertIn("\n# variable counter = bytes:zero:4", self.call("info", MEMORY, "--template").stdout)
        variables = self.json_of("info", MEMORY)["module"]["variables"]
        self.assertEqual([v["name"] for v in variables], ["counter", "steps"])

    def test_disassembly_assembles(self):
        self.write("k.spvasm", self.call("dis", KERNELS).stdout)
        self.run_("k.spvasm", *SAXPY[1:])
        self.call("dis", KERNELS, "--offsets")

    def test_validate(self):
        field = ["validate", KERNELS, "--strictness", "field"]
        self.assertIn("valid for opencl2.2", self.call(*field).stdout)
        self.assertIn("valid for opencl1.2", self.call(*field, "--env", "opencl1.2").stdout)
        self.call("validate", KERNELS, "--env", "vulkan", code=2)
        # A structure by value is a Function pointer, as llvm-spirv makes them.
        strict = self.call("validate", KERNELS, code=3).stderr
        self.assertEqual(re.findall(r"^(\w+)\[(\S+)\]", strict, re.MULTILINE),
                         [("warning", "TSP-ENV-2.2-01"), ("error", "TSP-ENV-2.9-05")])
        self.assertIn("kernels.spvasm:271:36\n   |         %p_0 = OpFunctionParameter %_ptr_", strict)
        self.assertIn("^~~", strict)
        self.assertIn("= clause: OpenCL SPIR-V Environment 2.2, 2.9\n", strict)
        for words in [["--suppress", "env-2.9-05"], ["--strictness=none"]]:
            self.call("validate", KERNELS, *words)
        self.call(*field, "-Werror", code=3)
        self.call("validate", KERNELS, "--suppress", "ENV-9", code=2)

    def test_validate_for_a_device(self):
        for text, code in [("{}", 0), ('{"extensions": ["cl_khr_fp16"]}', 0), ('{"address_bits": 32}', 3),
                           ('{"fp64": 1}', 2), ("[", 2), ('{"fp46": true}', 2), ("", 2)]:
            device = self.write("device.json", text)
            done = self.call("validate", KERNELS, "--strictness=field", "--device", device, code=code)
            if code == 2:
                self.assertIn("error[TSP-C0035]", done.stderr)
            if code == 3:
                self.assertIn("error[TSP-ENV-2.1-04]", done.stderr)

    def test_validate_words(self):
        """What the decoder refuses has the validator's rule, where it has one; words have offsets."""
        text = pathlib.Path(KERNELS).read_text()
        bad = self.write("bad.spvasm", text.replace("OpTypeInt 32 0", "OpTypeInt 32 1"))
        document = self.json_of("validate", bad, "--strictness=field", code=3)
        self.assertEqual([d["rule"] for d in document["diagnostics"] if d["severity"] == "error"],
                         ["TSP-ENV-2.1-06"])
        self.assertEqual(document["error_count"], 1)
        everything = self.json_of("validate", bad, "--strictness=field", "--all", code=3)
        self.assertGreaterEqual(everything["error_count"], 1)
        sarif = json.loads(self.call("validate", bad, "--format", "sarif", code=3).stdout)
        result = sarif["runs"][0]["results"][-1]
        self.assertEqual((sarif["version"], result["level"]), ("2.1.0", "error"))
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], str(bad))
        words = pathlib.Path(self.write("short.spv", ""))
        words.write_bytes(bytes.fromhex("03022307") + bytes(4))
        self.call("validate", str(words), code=3)

    def test_run_validates(self):
        text = pathlib.Path(KERNELS).read_text()
        bad = self.write("bad.spvasm", text.replace("OpTypeInt 32 0", "OpTypeInt 32 1"))
        launch = [*SAXPY[1:], "--print", "y"]
        self.assertIn("error[TSP-ENV-2.1-06]", self.call("run", bad, *launch, code=3).stderr)
        self.call("run", bad, *launch, "--strictness", "none")
        self.assertEqual(self.call("run", KERNELS, *launch).stderr, "")
        self.assertIn("warning[TSP-ENV-2.9-05]", self.call("run", KERNELS, *launch, "--warnings").stderr)
        self.assertIn("error[TSP-ENV-2.9-05]", self.call("run", KERNELS, *launch, "--strictness=strict", code=3).stderr)

    def test_math(self):
        done = self.run_(*SAXPY, "--math=reference", "--print=y[0..1]")
        self.assertIn("y[0..1] = 6 7", done.stdout)
        done = self.run_(*SAXPY, "--math=exact", code=2)
        self.assertIn("TSP-C0020", done.stderr)
        launch = self.write("math.launch", "module " + KERNELS + "\nmath exact\n")
        self.assertIn("there is no mode 'exact' of math functions", self.run_(launch, code=2).stderr)

    def test_ulp(self):
        done = self.call("ulp", "exp", "--samples=5000")
        self.assertIn("outside the bound: 0 (full profile), 0 (embedded)", done.stdout)
        report = self.json_of("ulp", "sin", "--type=half", "--exhaustive", "--mode=reference", "--confirm=100")
        self.assertEqual((report["calls"], report["not_correctly_rounded"], report["contradicted"]), (65536, 0, 0))
        self.assertGreater(report["confirmed"], 10)
        self.assertEqual(sum(bin["calls"] for bin in report["histogram"]), 65536)
        self.assertEqual(report["bound"], {"full": 2, "embedded": 2})
        down = self.json_of("ulp", "sin", "--type=half", "--exhaustive", "--mode=reference", "--rounding=rtn")
        self.assertEqual((down["rounding"], down["not_correctly_rounded"]), ("rtn", 0))
        self.assertNotEqual(down["checksum"], report["checksum"])
        self.assertGreater(down["worst"]["ulp"], 0.9)
        self.assertEqual(down["bound"], {"full": None, "embedded": None})
        for words in (["sin", "--rounding=rtz"], ["sin", "--mode=all", "--rounding=rtz"],
                      ["sqrt", "--type=half", "--mode=reference", "--rounding=rtz"]):
            self.assertIn("TSP-C0022", self.call("ulp", *words, code=2).stderr)
        # Two threads make the same calls.
        one = self.json_of("ulp", "pow", "--samples=20000", "--seed=5")
        two = self.json_of("ulp", "pow", "--samples=20000", "--seed=5", "--threads=2")
        self.assertEqual(one["checksum"], two["checksum"])
        self.assertEqual(one["worst"], two["worst"])
        self.assertNotEqual(one["checksum"], self.json_of("ulp", "pow", "--samples=20000", "--seed=6")["checksum"])
        narrow = self.json_of("ulp", "log", "--mode=libc", "--range=1:0x1.8p0", "--samples=3000", "--isa=baseline")
        self.assertEqual(narrow["calls"], 3000)

    def test_ulp_of_all(self):
        done = self.call("ulp", "exp", "--mode=all", "--samples=5000")
        self.assertIn("calls whose bits differ between instruction sets: 0", done.stdout)
        sets = self.json_of("version")["instruction_sets"]
        words = ["rsqrt", "--samples=30000", "--confirm=300"]
        everything = self.json_of("ulp", *words, "--mode=all", "--threads=2")
        self.assertEqual(everything["differing"], 0)
        contenders = everything["contenders"]
        self.assertEqual([(each["mode"], each["instruction_set"]) for each in contenders],
                         [("reference", sets[-1])] + [("fast", name) for name in sets])
        # Each has the figures that a run of its own gives.
        for each in contenders:
            alone = self.json_of("ulp", *words, "--mode=" + each["mode"], "--isa=" + each["instruction_set"])
            for key in ["calls", "decided_by_mpfr", "confirmed", "contradicted", "not_correctly_rounded", "worst", "bound",
                        "outside", "histogram", "checksum"]:
                self.assertEqual(each[key], alone[key], key)
        self.assertGreater(contenders[1]["not_correctly_rounded"], contenders[0]["not_correctly_rounded"])
        one = self.json_of("ulp", "hypot", "--type=half", "--samples=100", "--mode=all", "--isa=baseline")
        self.assertEqual([each["instruction_set"] for each in one["contenders"]], ["baseline", "baseline"])

    def test_ulp_refuses(self):
        for words, text in [(["fract"], "there is no measure for a function 'fract'"),
                            (["pow", "--exhaustive"], "too many operands"),
                            (["pown", "--type=half", "--exhaustive"], "too many operands"),
                            (["exp", "--range=1"], "'1' is not a range"),
                            (["exp", "--range=2:1"], "the first below the second"),
                            (["exp", "--range=0:inf"], "must be finite"),
                            (["exp", "--samples=x"], "samples"),
                            (["sinpi", "--mode=libc"], "the C library has no sinpi"),
                            (["exp", "--mode=libc", "--type=half"], "the C library has no exp")]:
            done = self.call("ulp", *words, code=2)
            self.assertIn(text, done.stderr)
            self.assertIn("TSP-C0022", done.stderr)

    def test_explain(self):
        self.assertIn("TSP-R0021 (error)", self.call("explain", "r21").stdout)
        for spelling in ["ENV-2.1-07", "tsp-env-2.1-07"]:
            page = self.call("explain", spelling).stdout
            self.assertIn("TSP-ENV-2.1-07 (error)", page)
            self.assertIn("This breaks it:", page)
        listed = re.findall(r"^TSP-\w\d{4}", self.call("explain").stdout, re.MULTILINE)
        self.assertEqual(listed, sorted(listed, key=lambda rule: "DVURLC".index(rule[4]) * 10**4 + int(rule[5:])))
        self.call("explain", "R9999", code=2)

    def test_version_and_help(self):
        self.assertRegex(self.call("version").stdout, r"^transpire \d+\.\d+\.\d+\n.*baseline")
        self.assertIn("Usage", self.call("--help").stdout)
        for command in ["run", "info", "validate", "dis", "cl", "ulp", "explain", "version", "help", "completion"]:
            self.assertIn("Usage", self.call(command, "--help").stdout)
            self.assertIn(f"Usage: transpire {command}", self.call("help", command).stdout)
            self.assertEqual(self.call(command, "--help").stdout, self.call("help", command).stdout)
            self.assertRegex(self.call("--help").stdout, rf"\n  {command} ")
        self.assertIn("TRANSPIRE_THREADS", self.call("run", "--help").stdout)
        self.call("help", "nothing", code=2)

    def test_generated_documents(self):
        page = self.call("help", "--man").stdout
        self.assertTrue(page.startswith(".TH TRANSPIRE 1"))
        variables = re.findall(r"^\.B ([A-Z_]+)$", page.split(".SH ENVIRONMENT")[1].split(".SH")[0], re.MULTILINE)
        self.assertIn("TRANSPIRE_ISA", variables)
        for variable in variables:
            self.assertIn(f"`{variable}`", (ROOT / "README.md").read_text())
        script = self.write("c.bash", self.call("completion", "bash").stdout)
        subprocess.run(["bash", "-n", script], check=True)
        probe = f"source {script}; COMP_WORDS=(transpire run --is); COMP_CWORD=2; _transpire; echo ${{COMPREPLY[@]}}"
        done = subprocess.run(["bash", "-c", probe], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "--isa\n")
        for shell in ["zsh", "fish"]:
            self.assertIn("transpire", self.call("completion", shell).stdout)
        self.call("completion", "tcsh", code=2)


class Memory(Case):
    """Slices of buffers, shared virtual memory and program-scope variables."""

    SLICES = f"""module {KERNELS}
kernel saxpy
global 8
buffer data = float:range:0:1:16
buffer tail = buffer data offset 32 size 32
arg y = buffer tail
arg x = buffer data size 32 readonly
arg a = 2
expect tail = 8 11 14 17 20 23 26 29
expect data[7..9] = 7 8 11
expect x[0..2] = 0 1 2
"""
    BASE = 0x200000000000
    LIST = f"""module {MEMORY}
kernel walk
global 1
shared nodes at {BASE + 0x300000:#x} = ulong:data:0x200000900010,3
shared more at 0x200000900000 = ulong:data:0,0,0,4
arg list = shared {BASE + 0x300000:#x}
arg sum = ulong:zero:1
expect sum = 7
expect nodes[1] = 6
expect more = 0 0 0 8
print more as uint
out nodes = nodes.bin
"""
    VARIABLES = f"""module {MEMORY}
kernel count
global 1
arg total = uint:zero:1
variable steps = data:1,10
launch
expect total = 5
expect counter = 16
launch
expect total = 16
print counter
"""

    def test_slices(self):
        self.run_(self.write("f.launch", self.SLICES))
        beyond = self.SLICES.split("expect")[0].replace("global 8", "global 9")
        error = self.run_(self.write("f.launch", beyond), code=4).stderr
        self.assertIn("'tail'", error)
        self.refused([self.write("f.launch", self.SLICES.replace("offset 32", "offset 33"))],
                     "error[TSP-C0003]: expected a slice within the 64 bytes of buffer 'data', found 32 bytes from byte "
                     "33 on\n  --> ")
        self.refused([self.write("f.launch", self.SLICES.replace("data offset", "date offset"))], "no buffer 'date'")
        self.refused([self.write("f.launch", self.SLICES.replace(" size 32\narg", "\narg"))], "needs a 'size'")
        self.run_(KERNELS, "-k", "saxpy", "-g", "2", "--buffer", "d=float:fill:3:8", "-a", "y=buffer d offset 8 size 8",
                  "-a", "x=buffer d", "-a", "a=1", "--expect", "d = 3 3 6 6 3 3 3 3", "--expect", "y = 6 6")

    def test_shared_memory(self):
        done = self.run_(self.write("f.launch", self.LIST))
        self.assertIn("more[0..7] = 0 0 0 0 0 0 8 0\n", done.stdout)
        self.assertEqual((self.folder / "nodes.bin").read_bytes()[8:], struct.pack("<Q", 6))
        by_name = self.LIST.replace("list = shared", "list = shared nodes offset 0 #")
        self.run_(self.write("f.launch", by_name))
        self.run_(self.write("f.launch", f"shared-base {self.BASE + (1 << 37):#x}\n" + self.LIST), code=6)

    def test_shared_memory_that_cannot_be_had(self):
        error = self.run_(self.write("f.launch", self.LIST.replace("0x200000900000", "0x200000300000")), code=6).stderr
        self.assertIn("error[TSP-L0004]: no room for 32 bytes of 'more' at 0x200000300000", error)
        error = self.run_(self.write("f.launch", "shared-base 0x123\n" + self.LIST), code=6).stderr
        self.assertIn("begins at a multiple of 1 MiB, found 0x123", error)
        lines = self.LIST.splitlines()
        without = "\n".join(line for line in lines if not line.startswith("shared "))
        self.refused([self.write("f.launch", without)], "is a pointer to shared memory, and there is none")
        for line in ["shared nodes = ulong:zero:1", "shared nodes at = ulong:zero:1", "shared nodes at x = ulong:zero:1",
                     "shared at 0x200000000000 = ulong:zero:1", "shared n at 0x200000000000 = ulong:zero:1:ro"]:
            self.refused([self.write("f.launch", f"module {MEMORY}\n{line}\n")], "f.launch:2:1")

    def test_variables(self):
        done = self.run_(self.write("f.launch", self.VARIABLES))
        self.assertIn("counter[0] = 27\n", done.stdout)
        self.assertIn("3 expectations met", done.stdout)
        literal = self.VARIABLES.replace("data:1,10", "{1, 10}") + "variable counter = bytes:hex:05000000\n"
        self.run_(self.write("f.launch", literal))
        self.refused([self.write("f.launch", self.VARIABLES.replace("steps =", "step ="))], "did you mean 'steps'?")
        self.refused([self.write("f.launch", self.VARIABLES.replace("1,10", "1,2,3"))],
                     "variable 'steps' of type uint[2] has 8 bytes, the value has 12")

    def test_json(self):
        launch = {"kernel": "walk", "global": 1, "arguments": {"list": {"shared": "nodes", "offset": 16},
                                                               "sum": {"buffer": "all", "offset": 8, "size": 8}}}
        description = {
            "modules": [MEMORY],
            "buffers": {"all": {"type": "ulong", "zero": 4}, "a part": {"buffer": "all", "offset": 16, "size": 16}},
            "shared-base": hex(self.BASE), "variables": {"counter": 9, "steps": {"type": "uint", "zero": 2}},
            "shared": {"nodes": {"at": self.BASE, "value": {"type": "ulong", "data": [0, 0, self.BASE, 4]}}},
            "steps": [{"launch": launch}, {"expect": {"values": "all", "equals": [0, 4, 0, 0]}},
                      {"expect": "counter = 9"}],
        }
        if jsonschema:
            jsonschema.validate(description, schema("launch.schema.json"))
        self.run_(self.write("f.json", json.dumps(description)))
        for change in [{"shared": {"n": {"at": 1}}}, {"shared": {"n": "ulong:zero:1"}}, {"variables": {"counter": None}},
                       {"buffers": {"b": {"buffer": "all", "offset": 1}}}, {"shared-base": 0.5}]:
            with self.subTest(change):
                if jsonschema:
                    checker = jsonschema.Draft7Validator(schema("launch.schema.json"))
                    self.assertFalse(checker.is_valid(description | change))
                self.refused([self.write("f.json", json.dumps(description | change))], "= at /")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
