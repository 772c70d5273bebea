#!/usr/bin/env python3
"""What people act on: where findings are shown, for text, JSON and SARIF; runs that are interrupted; what clang says.

usage: findings_test.py TRANSPIRE REPOSITORY
"""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import time
import unittest

from support import (PATIENCE, TRANSPIRE, Case, jsonschema, main, needs_compiler, processor_seconds, schema,
                     within_growing_limits)

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
  for (volatile uint i = 0; y[0] == 0; ++i) {
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
CAUSES = """kernel void causes(global int* a, global int* b) {
  int i = a[get_global_id(0) + 8];
  int j = b[i - 1];
  a[(100 / j) & 1] = 1;
}
"""
WAITING = """kernel void k(global volatile int* y) {
  int l = get_local_id(0);
  if (l == 70)
    for (volatile uint i = 0; y[0] == 0; ++i) {
    }
  barrier(CLK_GLOBAL_MEM_FENCE);
  y[1] = l;
}
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
    def test_an_access_of_a_struct_is_shown_once(self):
        self.write("k.cl", "typedef struct { float x, y, z, w; int id; } P;\n"
                           "kernel void copy(global const P* in, global P* out) {\n"
                           "  out[get_global_id(0)] = in[get_global_id(0)];\n}\n"
                           "kernel void turn(global P* out) {\n  local P t[4];\n  int i = get_local_id(0);\n"
                           "  t[i].id = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  t[i] = t[3 - i];\n  out[i] = t[i];\n}\n")
        buffers = ["-a", "in=int:zero:5:raw", "-a", "out=int:zero:10:raw"]
        error = self.run_("k.cl", "-k", "copy", "-g", 2, *buffers, code=4).stderr
        self.assertEqual(re.findall(r"error\[.*", error), ["error[TSP-R0020]: 20-byte copy past the end of buffer 'in'"])
        self.assertIn("  = address: buffer 'in', offset 20, size 20", error)
        error = self.run_("k.cl", "-k", "turn", "-g", 4, "-a", "out=int:zero:20:raw", "--check", "race", code=4).stderr
        self.assertEqual(len(re.findall(r"error\[TSP-R0100\]: 20-byte (?:load|store)", error)), error.count("error[TSP"))

    @NEEDS_CLANG
    def test_that_a_copy_is_told_of_once(self):
        self.write("k.cl", "kernel void k(global int* in, local int* l) {\n"
                           "  event_t e = async_work_group_copy(l, in + get_local_id(0), 1, 0);\n}\n")
        for checks in ["sync", "sync,uninit", "all"]:
            error = self.run_("k.cl", "-g", 4, "-l", 4, "-a", "in=int:zero:4", "-a", "l=local:16", f"--check={checks}").stderr
            self.assertEqual(sorted(re.findall(r"warning\[(.*?)\]", error)), ["TSP-R0043", "TSP-R0045"])

    @NEEDS_CLANG
    def test_that_more_kernels_were_enqueued_than_are_compared(self):
        self.write("k.cl", "kernel void k(global int* out) {\n  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, "
                           "ndrange_1D(1), ^{ (void)out; });\n}\n")
        for count, is_told in [(1023, False), (1024, True)]:
            error = self.run_("k.cl", "-g", count, "-a", "out=int:zero:1", "--check", "race", "--build-options=-cl-std=CL2.0").stderr
            self.assertEqual("--check=race compares the first 1023 kernels that a launch enqueues, and it enqueued more" in error,
                             is_told)

    @NEEDS_CLANG
    def test_code_of_a_header_is_shown_in_the_header(self):
        self.write("put.h", CHAIN.splitlines()[0] + "\n")
        self.write("chain.cl", '#include "put.h"\nkernel void k(global int* y) { put(y, 9); }\n')
        error = self.run_("chain.cl", "-g", 1, "-a", "y=int:zero:4", code=4).stderr
        self.assertRegex(error, r"--> put\.h:1:4\d\n   \| void put")
        self.assertRegex(error, r"called by kernel 'k' at chain\.cl:2\b")

    @unittest.skipUnless(shutil.which("spirv-as"), "needs SPIRV-Tools' assembler")
    def test_program_scope_variables_have_names(self):
        text = "\n".join([
            "OpCapability Addresses", "OpCapability Kernel", "OpCapability Linkage", "OpMemoryModel Physical32 OpenCL",
            'OpEntryPoint Kernel %k "k"', "NAMES", "%void = OpTypeVoid", "%uint = OpTypeInt 32 0", "%one = OpConstant %uint 1",
            "%two = OpConstant %uint 2", "%pair = OpTypeArray %uint %two", "%to = OpTypePointer CrossWorkgroup %pair",
            "%element = OpTypePointer CrossWorkgroup %uint", "%type = OpTypeFunction %void", "%first = OpVariable %to CrossWorkgroup",
            "%second = OpVariable %to CrossWorkgroup", "%k = OpFunction %void None %type", "%entry = OpLabel",
            "%a = OpInBoundsPtrAccessChain %element %first %one %one", "OpStore %a %one Aligned 4",
            "%b = OpInBoundsPtrAccessChain %element %second %one %one", "OpStore %b %one Aligned 4", "OpReturn", "OpFunctionEnd"]) + "\n"
        linked = 'OpDecorate %first LinkageAttributes "exported" Export'
        for names, called in [('OpName %first "x"\n' + linked, "x"), (linked, "exported"), ("", "variable0")]:
            self.write("k.spv.txt", text.replace("NAMES", names))
            # Assembled, no id has a name of its own.
            subprocess.run(["spirv-as", "--target-env", "spv1.2", "-o", "k.spv", "k.spv.txt"], cwd=self.folder, check=True)
            error = self.run_("k.spv", "-k", "k", "-g", 1, code=4).stderr
            self.assertEqual(re.findall(r"4-byte store past the end of buffer '(.*)'", error), [called, "variable1"])
            self.assertIn(called, self.call("info", "k.spv").stdout)

    @NEEDS_CLANG
    def test_operands_are_shown(self):
        self.write("ub.cl", """kernel void div(global int* y, int a, int b) { y[0] = a / b; }
kernel void convert(global int* y, float f) { y[0] = (int)f; }
kernel void add(global int* y, int a, int b) { y[0] = a + b; }
kernel void few(global uint* y, uint a, uint b) { y[0] = mul24(a, b); }
kernel void limits(global float* y, float a, float b) { y[0] = clamp(1.0f, a, b); }
kernel void wide(global int2* y, int2 a, int2 b) { y[0] = a / b; }
kernel void order(global int4* y, int4 a, int4 b) { y[0] = clamp((int4)1, a, b); }
kernel void pick(global int* y, int4 a, int b) { y[0] = a[b]; }
""")
        for words, rule, operands in [("div a=7 b=0", "R0060", "7, 0"), ("div a=-2147483648 b=-1", "R0061", "-2147483648, -1"),
                                      ("convert f=1e30", "R0064", "1e+30"),
                                      ("add a=2147483647 b=1", "R0063", "2147483647, 1"), ("few a=33554432 b=3", "R0066", "33554432, 3"),
                                      ("limits a=2 b=1.5", "R0067", "2, 1.5"), ("wide a=3,-5 b=1,0", "R0060", "-5, 0"),
                                      ("order a=1,2,3,-4 b=2,3,4,-5", "R0067", "(1, 2, 3, -4), (2, 3, 4, -5)"),
                                      ("pick a=1,2,3,4 b=-1", "R0069", "-1")]:
            kernel, *arguments = words.split()
            run = ["ub.cl", "-k", kernel, "-g", 1, "-a", "y=zero:4", "--check", "ub", *(x for a in arguments for x in ("-a", a))]
            for more in [[], ["--reference"]]:
                with self.subTest(words, more=more):
                    error = self.run_(*run, *more).stderr
                    self.assertIn(f"[TSP-{rule}]", error)
                    self.assertRegex(error, rf"\n  = operands?: {re.escape(operands)}\n")
        words = ["run", "ub.cl", "-k", "div", "-g", 1, "-a", "y=zero:1", "--check", "ub", "-a", "a=7", "-a", "b=0"]
        self.assertIn("operands: 7, 0", self.json_of(*words)["findings"][0]["notes"])
        result, = json.loads(self.call(*words, "--format=sarif").stdout)["runs"][0]["results"]
        self.assertIn("\noperands: 7, 0", result["message"]["text"])

    def test_refused_parameters_have_a_place(self):
        text = ASSEMBLY.replace("Kernel\n", "Kernel\nOpCapability DeviceEnqueue\n", 1).replace("%to\n%main", "%to %event\n%main")
        text = text.replace("%fn = ", "%event = OpTypeDeviceEvent\n%fn = ").replace("%body = ", "  %p = OpFunctionParameter %event\n%body = ")
        self.write("event.spvasm", text)
        error = self.run_("event.spvasm", "-g", 1, "-a", "y=int:zero:1", "-a", "arg1=null", "--strictness=none", code=5).stderr
        self.assertIn("[TSP-U0003]: parameter 'arg1' of kernel 'main' is of event type, which is not supported\n", error)
        self.assertIn("  --> event.spvasm:18:8\n   |   %p = OpFunctionParameter %event\n", error)

    def test_assembly_is_shown_as_it_was_given(self):
        self.write("k.spvasm", ASSEMBLY)
        error = self.run_("k.spvasm", "-g", 1, "-a", "y=uint:zero:3", code=4).stderr
        self.assertIn("  --> k.spvasm:18:3\n   |   OpStore %at %seven Aligned 4\n   |   ^~~~~~~\n", error)

    def test_words_are_shown_as_an_instruction(self):
        self.write("k.spvasm", ASSEMBLY)
        subprocess.run(["spirv-as", "--target-env", "spv1.2", "k.spvasm", "-o", "k.spv"], cwd=self.folder, check=True)
        error = self.run_("k.spv", "-g", 1, "-a", "y=uint:zero:3", code=4).stderr
        self.assertRegex(error, r"  --> k\.spv: word \d+, OpStore\n   \| OpStore %\d+ %uint_7 Aligned 4\n   \| \^~~~~~~\n")

    @NEEDS_CLANG
    def test_what_validate_says_of_source_is_shown_in_the_source(self):
        """An instruction by its line, in the right file; a declaration by the line that needs it; the module's words, where
        neither is there."""
        header = "void add(global const int* x, int n) { atomic_add((volatile global int*)x, n); }"
        line = "  add(x, (int)(x[1] * 0.5));"
        self.write("add.h", header + "\n")
        self.write("k.cl", f'#include "add.h"\nkernel void k(global const int* x) {{\n{line}\n}}\n')
        self.write("single.json", '{"fp64": false}')
        words = ["k.cl", "--strictness=strict", "--env=opencl1.2", "--device=single.json", "--build-options", "-O0"]
        error = self.call("validate", *words, code=3).stderr
        scope = lines_of(error, "error[TSP-ENV-6.3-06]")
        self.assertEqual(scope[1:4], ["  --> add.h:1:40", f"   | {header}", f"   | {'':39}^~~~~~~~~~"])
        self.assertRegex(scope[4], r"^  = instruction: word \d+ of k\.cl: %call\d* = OpAtomicIAdd ")
        double = lines_of(error, "error[TSP-ENV-DEV-02]")
        self.assertRegex(double[1], r"^  --> k\.cl:3:\d+$")
        self.assertEqual(double[2], f"   | {line}")
        self.assertRegex(double[4], r"^  = instruction: word \d+: OpCapability Float64$")
        self.assertEqual(double[5], "  = the line that is shown needs it")
        self.assertEqual(lines_of(error, "error[TSP-ENV-V-04]")[1], "  --> k.cl: word 1")

        shown = self.json_of("validate", *words, code=3)["diagnostics"]
        scope = next(each for each in shown if each["rule"] == "TSP-ENV-6.3-06")
        self.assertEqual(scope["source"], {"file": "add.h", "line": 1, "column": 40})
        self.assertIn("OpAtomicIAdd", scope["assembly"])
        results = json.loads(self.call("validate", *words, "--format=sarif", code=3).stdout)["runs"][0]["results"]
        places = {each["ruleId"]: each["locations"][0]["physicalLocation"] for each in results}
        self.assertEqual(places["TSP-ENV-6.3-06"], {"artifactLocation": {"uri": "add.h"},
                                                    "region": {"startLine": 1, "startColumn": 40, "endColumn": 50}})
        self.assertEqual(places["TSP-ENV-DEV-02"]["artifactLocation"]["uri"], "k.cl")
        self.call("compile", "k.cl", "-O0", "-o", "k.spv")
        (self.folder / "add.h").unlink()
        error = self.call("validate", "k.spv", *words[1:-2], code=3).stderr
        self.assertRegex(error, r"  --> k\.spv: word \d+, OpAtomicIAdd \(add\.h:1:40\)\n   \| %call\d* = OpAtomicIAdd ")

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
        self.assertRegex(log["runs"][0]["tool"]["driver"]["rules"][0]["helpUri"], "^https://registry.khronos.org/")

    @NEEDS_CLANG
    def test_sarif_columns_are_code_units_of_the_source(self):
        self.write("put.h", "void put(global int* to) { /* \u00e4\U0001d11e */ to[4] = 7; }\n")
        self.write("k.cl", '#include "put.h"\nkernel void k(global int* y) { /* \u00e4 */ put(y); }\n')
        log = json.loads(self.run_("k.cl", "-g", 1, "-a", "y=int:zero:4", "--build-options=-O0", "--format=sarif",
                                   code=4).stdout)["runs"][0]
        self.assertEqual(log["columnKind"], "utf16CodeUnits")
        result, = log["results"]
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], "put.h")
        column = 1 + "void put(global int* to) { /* xyz */ to[4] = 7; }".index("=")
        self.assertEqual(place["region"], {"startLine": 1, "startColumn": column, "endColumn": column + 1})
        caller = result["relatedLocations"][0]
        self.assertEqual(caller["physicalLocation"]["artifactLocation"]["uri"], "k.cl")
        column = 1 + "kernel void k(global int* y) { /* x */ put(y); }".index("put")
        self.assertEqual(caller["physicalLocation"]["region"], {"startLine": 2, "startColumn": column})
        self.assertEqual(caller["message"]["text"], "called by 'k'")


@NEEDS_CLANG
class Causes(Case):
    """The first cause comes first, and says so; what follows from it says that."""

    def setUp(self):
        super().setUp()
        self.write("c.cl", CAUSES)
        self.words = ["c.cl", "-g", 2, "-a", "a=int:zero:8", "-a", "b=int:zero:8", "--check", "ub"]

    def test_in_text(self):
        error = self.run_(*self.words, code=4).stderr
        shown = [line for line in error.splitlines() if "first cause" in line or "follows from" in line or "-->" in line]
        self.assertEqual(shown, ["  --> c.cl:2:11", "  = first cause: 2 findings below follow from this one",
                                 "  --> c.cl:3:11", "  = follows from TSP-R0020 at c.cl:2:11",
                                 "  --> c.cl:4:10", "  = follows from TSP-R0020 at c.cl:3:11"])

    def test_in_json(self):
        findings = self.json_of("run", *self.words, code=4)["findings"]
        self.assertEqual([finding.get("first_cause", False) for finding in findings], [True, False, False])
        self.assertEqual([finding.get("consequences", 0) for finding in findings], [2, 1, 0])
        self.assertNotIn("follows_from", findings[0])
        for before, finding in zip(findings, findings[1:]):
            self.assertEqual(finding["follows_from"], {name: before[name] for name in ["rule", "source", "word_offset"]})

    def test_in_sarif(self):
        log = json.loads(self.call("run", *self.words, "--format=sarif", code=4).stdout)
        first, second, _ = log["runs"][0]["results"]
        self.assertNotIn("relatedLocations", first)
        related = second["relatedLocations"][0]
        self.assertEqual(related["message"]["text"], "follows from TSP-R0020 here")
        self.assertEqual(related["physicalLocation"], {"artifactLocation": {"uri": "c.cl"},
                                                       "region": {"startLine": 2, "startColumn": 11}})

    def test_the_same_everywhere(self):
        texts = {self.run_(*self.words, "--isa", isa, "--threads", threads, "-q", code=4).stderr
                 for isa in self.instruction_sets() for threads in [1, 3]}
        self.assertEqual(len(texts), 1)


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
        function, parameter = "%main = OpFunction %void None %fn\n", "%y = OpFunctionParameter %to\n"
        pointer, model = "%to = OpTypePointer CrossWorkgroup %uint\n", "OpMemoryModel Physical64 OpenCL\n"
        for good, bad, line, message, help_text in [
            ("%at = ", "%seven = ", 17, "expected an id that nothing defines, found '%seven'",
             "Give one of the two an id of its own: '%at' is used, and nothing defines it."),
            (function, "", 14, "expected OpFunction before OpFunctionParameter", "Write OpFunction before it, or delete it."),
            (function, function * 2, 14, "expected OpFunctionEnd", "Write OpFunctionEnd behind the function's last block."),
            (parameter, "", 6, "expected an instruction that defines '%y'", "Add the instruction that defines it"),
            (parameter, parameter * 2, 16, "expected an id that nothing defines", "Give this result an id of its own."),
            ("OpReturn\nOpFunctionEnd", "OpFunctionEnd\nOpReturn", 19, "expected a termination instruction", "End the block with"),
            (pointer, pointer * 2, 13, "'%to' is declared as a type twice", "give the second one an id of its own"),
            ("OpStore %at", "OpStore %uint", 18, "expected a pointer, found '%uint', which is a type", "Name a value here"),
            ("OpStore %at", "OpStore %body", 18, "expected a pointer, found '%body', which is a label", "Name a value here"),
            ("OpTypeFunction %void %to", "OpTypeFunction %void %y", 13, "expected a value of the same function",
             "Name what is declared outside of functions"),
            (model, "", None, "expected OpMemoryModel, found none", "Write `OpMemoryModel Physical64 OpenCL`"),
            (model, model * 2, 5, "expected one OpMemoryModel, found a second one", "Delete one of the two."),
            ("OpCapability Int64\n", "", 8, "expected the capability Int64", "Add `OpCapability Int64`"),
        ]:
            self.write("k.spvasm", ASSEMBLY.replace(good, bad, 1))
            error = self.call("validate", "k.spvasm", code=3).stderr
            with self.subTest(bad=bad, good=good, error=error):
                self.assertEqual(error.count("error["), 1)
                self.assertIn(message, error)
                self.assertIn(f"help: {help_text}", error)
                self.assertIn(f"--> k.spvasm:{line}:" if line else "--> k.spvasm\n", error)


class BeforeTheLaunch(Case):
    """What is known to be wrong before anything runs is said before anything runs."""

    def test_names_files_and_rules(self):
        self.write("k.spvasm", ASSEMBLY)
        words = ["k.spvasm", "-g", 1, "-a", "y=uint:zero:4"]
        for more, said in [(["--print", "z"], "there is no buffer 'z'\n  = in '--print z'\nhelp: the only one is 'y'"),
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
        # It computes, and nothing that came before does for so long. A compiler is another process.
        end = time.monotonic() + PATIENCE
        while len(os.listdir(f"/proc/{process.pid}/task")) < 2 or processor_seconds(process.pid) < 0.8:
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        return process

    def words(self, *more):
        self.write("spin.cl", SPIN)
        return ["spin.cl", "-g", 2, "-l", 1, "-a", "y=int:zero:4", "--print", "y", "--timeout", PATIENCE, "--threads", 2, *more]

    def test_what_was_found_and_printed_is_kept(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            for more in [[], ["--repeat", 3]]:
                with self.subTest(f"{number} {more}"):
                    process = self.begun(*self.words(*more))
                    process.send_signal(number)
                    out, error = process.communicate(timeout=PATIENCE)
                    self.assertEqual(process.returncode, 128 + number)
                    self.assertIn("begun\n", out)
                    self.assertIn("y[0..3] = 0 0 0 0\n", out)
                    self.assertRegex(error, r"note\[TSP-L0008\].*\n  --> spin\.cl:3:\d+\n   \|   for ")

    def test_the_same_signal_to_the_process_and_its_group(self):
        """As `timeout` and service managers send it: that is no second Ctrl-C."""
        process = self.begun(*self.words())
        for _ in range(3):
            process.send_signal(signal.SIGTERM)
            time.sleep(0.01)
        out, error = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 143)
        self.assertIn("begun\n", out)
        self.assertIn("TSP-L0008", error)

    def test_in_json(self):
        process = self.begun(*self.words("--format=json"))
        process.send_signal(signal.SIGINT)
        document = json.loads(process.communicate(timeout=PATIENCE)[0])
        self.assertEqual((document["exit_code"], document["findings"][0]["rule"]), (130, "TSP-L0008"))
        if jsonschema:
            jsonschema.validate(document, schema("output.schema.json"))

    def waiting(self, *more):
        """The notes on where work-items were, of a group in which one never ends."""
        self.write("w.cl", WAITING)
        process = self.begun("w.cl", "-g", 200, "-l", 200, "-a", "y=int:zero:4", *more)
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=PATIENCE)[1]

    def test_work_items_that_wait_are_told_of(self):
        for isa in self.instruction_sets():
            error = self.waiting("--isa", isa, "--timeout", PATIENCE)
            self.assertIn("note[TSP-L0008]", error)
            self.assertIn("  --> w.cl:4:", error)
            self.assertRegex(error, r"1 work-item, the first global \(70,0,0\), was at w\.cl:4:\d+ in 'k'")
            self.assertRegex(error, r"127 work-items, the first global \(0,0,0\), waited at the barrier of w\.cl:6:3 in 'k'")
            self.assertRegex(error, r"72 work-items, the first global \(128,0,0\), had not begun")

    def test_limits_tell_of_them_as_well(self):
        self.write("w.cl", WAITING)
        words = ["w.cl", "-g", 128, "-l", 128, "-a", "y=int:zero:4"]
        waited = r"127 work-items, the first global \(0,0,0\), waited at the barrier of w\.cl:6:3"
        self.assertRegex(self.run_(*words, "--max-steps", "100000", code=6).stderr, waited)
        self.assertTrue(within_growing_limits(
            0.5, lambda seconds: re.search(waited, self.run_(*words, "--timeout", seconds, code=6).stderr)))

    def test_between_short_launches(self):
        self.write("short.cl", "kernel void k(global int* y) { y[0] += 1; }\n")
        process = self.begun("short.cl", "-g", 1, "-a", "y=int:zero:1", "--repeat", 10**9, "--timeout", PATIENCE)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)


@NEEDS_CLANG
class Progress(Case):
    """What a terminal shows while a run takes long."""

    def shown(self, *words, until):
        """Standard error of a run on a terminal, which is ended when it matches."""
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = subprocess.Popen([TRANSPIRE, "run", *map(str, words)], cwd=self.folder, stderr=slave,
                                   stdout=subprocess.DEVNULL)
        os.close(slave)
        text, end = "", time.monotonic() + PATIENCE
        while time.monotonic() < end and process.poll() is None and not re.search(until, text, re.DOTALL):
            if select.select([master], [], [], 0.1)[0]:
                try:
                    text += os.read(master, 65536).decode()
                except OSError:  # the run has ended
                    break
        process.send_signal(signal.SIGINT)
        process.wait(timeout=PATIENCE)
        return text

    def test_steps_of_a_group_that_takes_long(self):
        self.write("spin.cl", SPIN)
        line = r"spin: 0 %, 0 of 2 work-groups, (\d+) s, ([\d.]+) (.) steps so far"
        text = self.shown("spin.cl", "-g", 4, "-l", 2, "-a", "y=int:zero:4", "--threads", 1, until=f"({line}.*){{4}}")
        lines = re.findall(line, text)
        self.assertGreater(len(lines), 2, text)
        self.assertLess(int(lines[0][0]), int(lines[-1][0]))
        self.assertNotEqual(lines[0][1:], lines[-1][1:])

    def test_buffers_that_are_set_up(self):
        self.write("k.cl", "kernel void k(global int* y, global int* z) { y[0] = z[0]; }\n")
        text = self.shown("k.cl", "-g", 1, "-a", "y=int:zero:4", "-a", "z=int:random:1:0:9:80000000", until="setting up .* s")
        self.assertRegex(text, r"setting up argument 'z', \d+ s")


if __name__ == "__main__":
    main()
