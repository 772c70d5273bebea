#!/usr/bin/env python3
"""What people act on: where findings are shown, for text, JSON and SARIF; runs that are interrupted; what clang says.

usage: findings_test.py TRANSPIRE REPOSITORY
"""
import json
import os
import signal
import subprocess
import time
import unittest

from support import TRANSPIRE, Case, jsonschema, main, needs_compiler, schema

CHAIN = """void put(global int* to, int i) { to[i] = 7; }
__attribute__((noinline)) void step(global int* to, int i) {
  put(to, i + 4);
}
kernel void chain(global int* y) {
  step(y, get_global_id(0));
}
"""
SPIN = """kernel void spin(global volatile int* y) {
  printf("begun\\n");
  while (y[0] == 0) {
  }
}
"""
ASSEMBLY = """OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main "main"
OpName %y "y"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%ulong_3 = OpConstant %ulong 3
%seven = OpConstant %uint 7
%to = OpTypePointer CrossWorkgroup %uint
%fn = OpTypeFunction %void %to
%main = OpFunction %void None %fn
%y = OpFunctionParameter %to
%body = OpLabel
%at = OpInBoundsPtrAccessChain %to %y %ulong_3
  OpStore %at %seven Aligned 4
OpReturn
OpFunctionEnd
"""
NEEDS_CLANG = needs_compiler


def lines_of(text, start):
    """From the line that starts so on."""
    lines = text.splitlines()
    return lines[next(i for i, line in enumerate(lines) if line.startswith(start)):]


class Places(Case):
    @NEEDS_CLANG
    def test_source_line_and_call_chain(self):
        self.write("chain.cl", CHAIN)
        for level in ["-O0", "-O2"]:
            error = self.run_("chain.cl", "-g", 1, "-a", "y=int:zero:4", "--build-options", level, code=4).stderr
            shown = lines_of(error, "error[TSP-R0021]")
            self.assertRegex(shown[1], r"^  --> chain\.cl:1:4\d$")
            self.assertEqual(shown[2], "   | " + CHAIN.splitlines()[0])
            self.assertRegex(shown[3], r"^   \| {41,}\^")
            self.assertRegex(shown[4], r"^  = instruction: word \d+: OpStore %[\w.]+ %uint_7 Aligned 4$")
            column = ":3" if level == "-O0" else ""  # debug information of an expanded call has none
            self.assertEqual(shown[5:8], ["  = in 'put'", f"  = called by 'step' at chain.cl:3{column}",
                                          "  = called by kernel 'chain' at chain.cl:6:3"])

    @NEEDS_CLANG
    def test_code_of_a_header_is_shown_in_the_header(self):
        self.write("put.h", CHAIN.splitlines()[0] + "\n")
        self.write("chain.cl", '#include "put.h"\nkernel void k(global int* y) { put(y, 9); }\n')
        error = self.run_("chain.cl", "-g", 1, "-a", "y=int:zero:4", code=4).stderr
        self.assertRegex(error, r"--> put\.h:1:4\d\n   \| void put")
        self.assertRegex(error, r"called by kernel 'k' at chain\.cl:2\b")

    def test_assembly_is_shown_as_it_was_given(self):
        self.write("k.spvasm", ASSEMBLY)
        error = self.run_("k.spvasm", "-g", 1, "-a", "y=uint:zero:3", code=4).stderr
        self.assertIn("  --> k.spvasm:18:3\n   |   OpStore %at %seven Aligned 4\n   |   ^~~~~~~\n", error)

    def test_words_are_shown_as_an_instruction(self):
        self.write("k.spvasm", ASSEMBLY)
        subprocess.run(["spirv-as", "--target-env", "spv1.2", "k.spvasm", "-o", "k.spv"], cwd=self.folder, check=True)
        error = self.run_("k.spv", "-g", 1, "-a", "y=uint:zero:3", code=4).stderr
        self.assertRegex(error, r"  --> k\.spv: word \d+, OpStore\n   \| OpStore %\d+ %uint_7 Aligned 4\n   \| \^~~~~~~\n")

    def test_what_is_refused_is_shown_in_the_text(self):
        self.write("k.spvasm", ASSEMBLY.replace("OpStore %at %seven", "OpStore %at %ulong_3"))
        error = self.run_("k.spvasm", "-g", 1, "-a", "y=uint:zero:3", code=3).stderr
        self.assertIn("  --> k.spvasm:18:15\n   |   OpStore %at %ulong_3 Aligned 4\n   |               ^~~~~~~~\n", error)
        self.assertIn("help: OpSConvert and OpUConvert make an integer of another width.", error)

    def test_in_json_and_sarif(self):
        self.write("k.spvasm", ASSEMBLY)
        words = ["run", "k.spvasm", "-g", 1, "-a", "y=uint:zero:3"]
        finding = self.json_of(*words, code=4)["findings"][0]
        self.assertEqual(finding["source"], {"file": "k.spvasm", "line": 18, "column": 3})
        self.assertEqual([frame["function"] for frame in finding["frames"]], ["main"])
        log = json.loads(self.call(*words, "--format=sarif", code=4).stdout)
        result = log["runs"][0]["results"][0]
        self.assertEqual((log["version"], result["ruleId"]), ("2.1.0", "TSP-R0021"))
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], "k.spvasm")
        self.assertEqual(place["region"], {"startLine": 18, "startColumn": 3, "endColumn": 10})


class Suggestions(Case):
    def test_misspelled_assembly(self):
        for good, bad, shown in [("OpTypeFunction", "OpTypeFunctoin", 7), ("OpenCL", "OpneCL", 26),
                                 ("CrossWorkgroup", "CrosWorkgroup", 21), ("Kernel %main", "Kernell %main", 14)]:
            text = ASSEMBLY.replace(good, bad, 1)
            self.write("k.spvasm", text)
            error = self.call("validate", "k.spvasm", code=3).stderr
            self.assertIn(f":{shown}\n   | ", error)
            self.assertIn(f"help: did you mean '{good.split()[0]}'?", error)

    def test_one_mistake_one_error(self):
        self.write("k.spvasm", ASSEMBLY.replace("%at = ", "%seven = "))
        self.assertEqual(self.call("validate", "k.spvasm", code=3).stderr.count("error["), 1)


class BeforeTheLaunch(Case):
    """What is known to be wrong before anything runs is said before anything runs."""

    def test_names_files_and_rules(self):
        self.write("k.spvasm", ASSEMBLY)
        words = ["k.spvasm", "-g", 1, "-a", "y=uint:zero:4"]
        for more, said in [(["--print", "z"], "there is no buffer 'z'\nhelp: the only one is 'y'"),
                           (["--expect", "z = 1"], "there is no buffer 'z'"),
                           (["--out", "z=z.bin"], "there is no buffer 'z'"),
                           (["--out", "y=no/y.bin"], "cannot write 'no/y.bin': there is no folder 'no'"),
                           (["--expect", "fault TSP-R9999"], "no rule has the id 'TSP-R9999'")]:
            done = self.run_(*words, *more, code=2)
            self.assertIn(said, done.stderr)
            self.assertNotIn("work-items", done.stdout + done.stderr)

    def test_lines_of_launch_files_are_quoted(self):
        self.write("k.spvasm", ASSEMBLY)
        head = "module k.spvasm\nglobal 1\narg y = uint:zero:4\nlaunch\n"
        for line, shown in [("  pirnt y", "5:3\n   |   pirnt y\n   |   ^~~~~\nhelp: did you mean 'print'?"),
                            ("print z", "5:7\n   | print z\n   |       ^\n"),
                            ("expect y[3] = 8", "5:8\n   | expect y[3] = 8\n   |        ^\n")]:
            self.write("f.launch", head + line + "\n")
            error = self.run_("f.launch", code=1 if "expect" in line else 2).stderr
            self.assertIn("  --> f.launch:" + shown, error)


@NEEDS_CLANG
class Compiler(Case):
    def test_compile_keeps_the_module(self):
        self.write("k.cl", CHAIN)
        self.call("compile", "k.cl", "-o", "k.spv")
        self.assertEqual(sorted(os.listdir(self.folder)), ["k.cl", "k.spv"])
        self.call("validate", "k.spv", "--strictness=field")
        self.call("compile", "k.cl", "--output", "plain.spv", "-O0", "-g", "--spirv-version=1.1")
        self.assertIn("SPIR-V 1.1", self.call("info", "plain.spv").stdout)
        self.assertNotEqual((self.folder / "k.spv").read_bytes(), (self.folder / "plain.spv").read_bytes())
        document = self.json_of("compile", "k.cl", "-o", "again.spv")
        self.assertEqual(document["bytes"], (self.folder / "again.spv").stat().st_size)

    def test_other_validators_take_what_is_kept(self):
        self.write("k.cl", CHAIN)
        self.call("compile", "k.cl", "-o", "k.spv")
        subprocess.run(["spirv-val", "--target-env", "opencl2.2", "k.spv"], cwd=self.folder, check=True)

    def test_several_sources(self):
        self.write("a.cl", "int twice(int x) { return 2 * x; }\n")
        self.write("b.cl", "int twice(int);\nvoid put(global int* y, int i) { y[i] = twice(i); }\n"
                           "kernel void k(global int* y) {\n  put(y, get_global_id(0));\n}\n")
        self.run_("a.cl", "b.cl", "-g", 4, "-a", "y=int:zero:4", "--expect", "y = 0 2 4 6")
        error = self.run_("a.cl", "b.cl", "-g", 5, "-a", "y=int:zero:4", code=4).stderr
        self.assertIn("--> b.cl:2:", error)
        self.assertIn("in kernel 'k'", error)

    def test_mistakes(self):
        self.write("k.cl", CHAIN)
        self.assertIn("would be replaced", self.call("compile", "k.cl", "-o", "./k.cl", code=2).stderr)
        self.assertIn("--output is missing", self.call("compile", "k.cl", code=2).stderr)
        self.assertIn("is no OpenCL C", self.call("compile", "k.spv", "-o", "x.spv", code=2).stderr)
        self.assertIn("TSP-C0001", self.call("compile", "none.cl", "-o", "x.spv", code=2).stderr)
        self.assertIn("TSP-C0024", self.call("compile", "k.cl", "-o", "no/x.spv", code=2).stderr)
        self.call("compile", "k.cl", "-o", "x.spv", "--spirv-version=2.0", code=2)
        self.write("bad.cl", "kernel void k() { return 1; }")
        self.assertIn("TSP-C0030", self.call("compile", "bad.cl", "-o", "x.spv", code=3).stderr)
        self.assertFalse((self.folder / "x.spv").exists())

    def test_warnings_are_shown_with_their_lines(self):
        self.write("w.cl", "kernel void k(global int* y) {\n  int unused;\n  y[0] = 1;\n}\n")
        shown = "warning[TSP-C0036]: unused variable 'unused' [-Wunused-variable]\n  --> w.cl:2:7\n   |   int unused;\n   |       ^\n"
        words = ["w.cl", "-g", 1, "-a", "y=int:zero:1", "--build-options", "-Wall"]
        self.assertIn(shown, self.run_(*words).stderr)
        self.assertIn(shown, self.call("compile", "w.cl", "-o", "w.spv", "--build-options", "-Wall").stderr)
        self.assertEqual(self.run_(*words[:-1], "-w").stderr, "")


@NEEDS_CLANG
class Interrupts(Case):
    def begun(self, *words):
        """A run that has come to its first launch."""
        process = subprocess.Popen([TRANSPIRE, "run", *map(str, words)], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        # Signals are kept from then on, which the launch's own thread shows.
        end = time.monotonic() + 60
        while len(os.listdir(f"/proc/{process.pid}/task")) < 2:
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        time.sleep(0.3)
        return process

    def words(self, *more):
        self.write("spin.cl", SPIN)
        return ["spin.cl", "-g", 2, "-l", 1, "-a", "y=int:zero:4", "--print", "y", "--timeout", "30", "--threads", 2, *more]

    def test_what_was_found_and_printed_is_kept(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            for more in [[], ["--repeat", 3]]:
                with self.subTest(f"{number} {more}"):
                    process = self.begun(*self.words(*more))
                    process.send_signal(number)
                    out, error = process.communicate(timeout=20)
                    self.assertEqual(process.returncode, 128 + number)
                    self.assertIn("begun\n", out)
                    self.assertIn("y[0..3] = 0 0 0 0\n", out)
                    self.assertRegex(error, r"note\[TSP-L0008\].*\n  --> spin\.cl:3:\d+\n   \|   while ")

    def test_in_json(self):
        process = self.begun(*self.words("--format=json"))
        process.send_signal(signal.SIGINT)
        document = json.loads(process.communicate(timeout=20)[0])
        self.assertEqual((document["exit_code"], document["findings"][0]["rule"]), (130, "TSP-L0008"))
        if jsonschema:
            jsonschema.validate(document, schema("output.schema.json"))

    def test_between_short_launches(self):
        self.write("short.cl", "kernel void k(global int* y) { y[0] += 1; }\n")
        process = self.begun("short.cl", "-g", 1, "-a", "y=int:zero:1", "--repeat", 10**9, "--timeout", "60")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)


if __name__ == "__main__":
    main()
