#!/usr/bin/env python3
"""What the command line says about modules, and its JSON against the schemas.

usage: inspection_test.py TRANSPIRE REPOSITORY
"""
import json
import os
import pathlib
import re
import struct
import subprocess

from support import KERNELS, MEMORY, ROOT, SAXPY, TRANSPIRE, Case, main, needs_compiler, within_growing_limits


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
        late = within_growing_limits(0.1, lambda seconds: [document for document in [
            self.json_of(*loop, "--timeout", seconds, code=6)] if document["launches"]])[0]
        for rule, end, document in [("TSP-L0001", "step limit", self.json_of(*loop, "--max-steps", "1000", code=6)),
                                    ("TSP-L0002", "time limit", late)]:
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
        field = self.json_of("validate", KERNELS)
        self.assertEqual((field["strictness"], field["environment"], field["held_back_count"]), ("field", "opencl1.2", 1))
        self.json_of("validate", KERNELS, "--strictness=strict", code=3)
        self.assertIn("OpFMul", self.json_of("dis", KERNELS)["text"])
        self.assertEqual(len(self.json_of("explain", "TSP-R0021")["rules"]), 1)
        self.json_of("explain")
        self.json_of("explain", "TSP-X9999", code=2)
        self.json_of("version")


# A kernel whose parameters have no OpName, and what names them instead.
DEBUG_HEAD = """OpCapability Addresses
OpCapability Kernel
OpCapability Linkage
{extension}
%d = OpExtInstImport "{set}"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %entry "scale"
%file = OpString "scale.cl"
%empty = OpString ""
%scale_name = OpString "scale"
%float_name = OpString "float"
%values = OpString "values"
%factor = OpString "factor"
%count = OpString "count"
%total = OpString "total"
OpDecorate %scale LinkageAttributes "scale" Export
%void = OpTypeVoid
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%pointer = OpTypePointer CrossWorkgroup %float
%type = OpTypeFunction %void %pointer %float %uint
%n0 = OpConstant %uint 0
%n1 = OpConstant %uint 1
%n2 = OpConstant %uint 2
%n3 = OpConstant %uint 3
%n32 = OpConstant %uint 32
"""
DEBUG_BODY = """%scale = OpFunction %void None %type
%s0 = OpFunctionParameter %pointer
%s1 = OpFunctionParameter %float
%s2 = OpFunctionParameter %uint
%s3 = OpLabel
{inside}
OpReturn
OpFunctionEnd
%entry = OpFunction %void None %type
%e0 = OpFunctionParameter %pointer
%e1 = OpFunctionParameter %float
%e2 = OpFunctionParameter %uint
%e3 = OpLabel
%e4 = OpFunctionCall %void %scale %e0 %e1 %e2
OpReturn
OpFunctionEnd
"""
OPENCL_DEBUG = """%none = OpExtInst %void %d DebugInfoNone
%source = OpExtInst %void %d DebugSource %file
%unit = OpExtInst %void %d DebugCompilationUnit 65536 0 %source OpenCL_C
%basic = OpExtInst %void %d DebugTypeBasic %float_name %n32 Float
%ftype = OpExtInst %void %d DebugTypeFunction None %none %basic %basic %basic
%f = OpExtInst %void %d DebugFunction %scale_name %ftype %source 1 0 %unit %empty FlagIsDefinition 1 %scale %none
%l1 = OpExtInst %void %d DebugLocalVariable %values %basic %source 1 0 %f None 1
%l3 = OpExtInst %void %d DebugLocalVariable %count %basic %source 1 0 %f None 3
%l4 = OpExtInst %void %d DebugLocalVariable %total %basic %source 1 0 %f None
%l9 = OpExtInst %void %d DebugLocalVariable %total %basic %source 1 0 %f None 9
"""
SHADER_DEBUG = """%none = OpExtInst %void %d DebugInfoNone
%source = OpExtInst %void %d DebugSource %file
%unit = OpExtInst %void %d DebugCompilationUnit %n1 %n1 %source %n3
%basic = OpExtInst %void %d DebugTypeBasic %float_name %n32 %n3 %n0
%ftype = OpExtInst %void %d DebugTypeFunction %n0 %void %basic %basic %basic
%f = OpExtInst %void %d DebugFunction %scale_name %ftype %source %n1 %n0 %unit %empty %n0 %n1
%l1 = OpExtInst %void %d DebugLocalVariable %values %basic %source %n1 %n0 %f %n0 %n1
%l3 = OpExtInst %void %d DebugLocalVariable %count %basic %source %n1 %n0 %f %n0 %n3
"""


class Inspection(Case):
    def test_second_opinion_of_large_modules(self):
        blocks = "\n".join(f"OpBranch %b{i}\n%b{i} = OpLabel" for i in range(4096))
        text = ("OpCapability Addresses\nOpCapability Kernel\nOpMemoryModel Physical32 OpenCL\nOpEntryPoint Kernel %k \"k\"\n"
                "%void = OpTypeVoid\n%type = OpTypeFunction %void\n%k = OpFunction %void None %type\n%entry = OpLabel\n"
                "BLOCKS\nOpReturn\nOpFunctionEnd\n")
        why = "a function has more than 4096 blocks"
        self.write("large.spvasm", text.replace("BLOCKS", blocks))
        self.write("small.spvasm", text.replace("BLOCKS", blocks[blocks.index("\n", 20) + 1:]))
        large, small = self.call("validate", "large.spvasm").stdout, self.call("validate", "small.spvasm").stdout
        self.assertIn(f", without SPIRV-Tools' second opinion: {why})", large)
        self.assertNotIn("opinion", small)
        self.assertNotIn("opinion", self.call("validate", "large.spvasm", "--second-opinion=no").stdout)
        self.assertEqual(self.json_of("validate", "large.spvasm")["no_second_opinion"], why)
        self.assertNotIn("no_second_opinion", self.json_of("validate", "small.spvasm"))

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
OpCapability DeviceEnqueue
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %f "f"
%void = OpTypeVoid
%event = OpTypeDeviceEvent
%type = OpTypeFunction %void %event
%f = OpFunction %void None %type
%i = OpFunctionParameter %event
%entry = OpLabel
OpReturn
OpFunctionEnd
"""
        text = self.call("info", self.write("event.spvasm", text), "--template").stdout
        self.assertRegex(text, r"\n# does not run: TSP-U\d{4} .*\nkernel f\n")

    def test_arguments_are_called_as_debug_information_calls_them(self):
        """A compiler that discards names leaves none but these."""
        opencl = DEBUG_HEAD.format(extension="", set="OpenCL.DebugInfo.100") + OPENCL_DEBUG + DEBUG_BODY.format(inside="")
        shader = (DEBUG_HEAD.format(extension='OpExtension "SPV_KHR_non_semantic_info"', set="NonSemantic.Shader.DebugInfo.100")
                  + SHADER_DEBUG + DEBUG_BODY.format(inside="%def = OpExtInst %void %d DebugFunctionDefinition %f %scale"))
        for text in (opencl, shader):
            words = self.call("info", self.write("scale.spvasm", text)).stdout
            for line in ("0  global float* values", "1  float arg1", "2  uint count"):
                self.assertIn(line, words)
            error = self.run_("scale.spvasm", "-g", "1", code=2).stderr
            self.assertIn("argument 0 of kernel 'scale' is missing: global float* 'values'", error)
        named = opencl.replace("OpDecorate", 'OpName %s0 "first"\nOpDecorate', 1)
        self.assertIn("0  global float* first", self.call("info", self.write("scale.spvasm", named)).stdout)

    @needs_compiler
    def test_arguments_of_a_source_compiled_without_names(self):
        self.write("k.cl", "kernel void scale(global float *values, float factor) { values[get_global_id(0)] *= factor; }\n")
        text = self.call("info", "k.cl", "--build-options", "-g -fdiscard-value-names").stdout
        self.assertIn("global float* values", text)
        self.assertIn("float factor", text)

    def test_template_of_names_that_no_launch_file_can_say(self):
        text = """OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %f "f"
OpEntryPoint Kernel %g "g\nlaunch"
OpName %p "p = 1\nlaunch"
OpName %q "1"
OpName %u "x[1]"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%one = OpConstant %uint 1
%pointer = OpTypePointer CrossWorkgroup %uint
%type = OpTypeFunction %void %pointer %pointer %pointer
%f = OpFunction %void None %type
%p = OpFunctionParameter %pointer
%q = OpFunctionParameter %pointer
%u = OpFunctionParameter %pointer
%a = OpLabel
OpStore %p %one Aligned 4
OpReturn
OpFunctionEnd
%g = OpFunction %void None %type
%r = OpFunctionParameter %pointer
%s = OpFunctionParameter %pointer
%t = OpFunctionParameter %pointer
%b = OpLabel
OpReturn
OpFunctionEnd
"""
        written = self.call("info", self.write("names.spvasm", text), "--template", "-o", "t.launch")
        self.assertEqual(written.stdout, "")
        template = (self.folder / "t.launch").read_text()
        for index in range(3):
            self.assertIn(f"\narg {index} = uint:zero:1024", template)
        self.assertNotIn("print", template)
        self.assertIn('\n# kernel "g\\nlaunch": no launch file can say this name\n', template)
        self.assertEqual(template.count("\nlaunch\n"), 1)
        self.run_("t.launch")

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
        self.assertIn("valid for opencl1.2 (field, 1 remark held back: --strictness=strict shows it)",
                      self.call("validate", KERNELS).stdout)
        self.assertIn("valid for opencl2.2 (field", self.call(*field, "--env", "opencl2.2").stdout)
        self.call("validate", KERNELS, "--env", "vulkan", code=2)
        # A structure by value is a Function pointer, and a volatile argument is decorated, as llvm-spirv makes them.
        strict = self.call("validate", KERNELS, "--strictness=strict", code=3).stderr
        self.assertEqual(re.findall(r"^(\w+)\[(\S+)\]", strict, re.MULTILINE),
                         [("warning", "TSP-ENV-2.2-01"), ("error", "TSP-ENV-2.9-05"), ("error", "TSP-V0021")])
        self.assertIn("kernels.spvasm:88:26\n   | %p = OpFunctionParameter %_ptr_", strict)
        self.assertIn("^~~", strict)
        self.assertIn("= clause: OpenCL SPIR-V Environment 2.2, 2.9\n", strict)
        for words in [["--strictness=strict", "--suppress", "env-2.9-05", "--suppress", "v0021"], ["--strictness=none"]]:
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
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], bad.as_uri())
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
        # What is wrong in the parameters of another kernel does not stop this one; a decoration is the module's.
        strict = ["--strictness=strict", "--warnings"]
        stopped = self.call("run", KERNELS, *launch, *strict, code=3).stderr
        self.assertIn("error[TSP-V0021]", stopped)
        self.assertIn("warning[TSP-ENV-2.9-05]", stopped)
        other = self.call("run", KERNELS, "-k", "mixed", "-g", "1", *strict, code=3).stderr
        self.assertIn("error[TSP-ENV-2.9-05]", other)

    def test_the_environment_that_is_asked_for(self):
        text = pathlib.Path(KERNELS).read_text()
        for source, version, wanted in [("OpenCL_C 102000", "1.0", "opencl1.2"), ("OpenCL_C 0x00020000", "1.0", "opencl2.0"),
                                        ("OpenCL_C 200000", "1.2", "opencl2.2"), ("OpenCL_C 300000", "1.0", "opencl3.0"),
                                        ("OpenCL_CPP 100000", "1.0", "opencl2.2"), ("ESSL 300", "1.0", "opencl3.0")]:
            with self.subTest(source):
                changed = re.sub(r"OpSource OpenCL_C \d+", f"OpSource {source}", text)
                changed = re.sub(r"; Version: 1\.\d", f"; Version: {version}", changed)
                path = self.write("asked.spvasm", changed)
                self.assertEqual(self.json_of("validate", path)["environment"], wanted)

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
        narrow = self.json_of("ulp", "log", "--mode=libc", "--range=1:0x1.8p0", "--samples=3000",
                              "--isa=" + self.instruction_sets()[0])
        self.assertEqual(narrow["calls"], 3000)

    def test_ulp_of_all(self):
        done = self.call("ulp", "exp", "--mode=all", "--samples=5000")
        self.assertIn("calls whose bits differ between instruction sets: 0", done.stdout)
        sets = self.instruction_sets()
        words = ["rsqrt", "--samples=30000", "--confirm=300"]
        everything = self.json_of("ulp", *words, "--mode=all", "--threads=2")
        self.assertEqual(everything["differing"], 0)
        contenders = everything["contenders"]
        self.assertEqual([(each["mode"], each["instruction_set"]) for each in contenders],
                         [("reference", os.environ.get("TRANSPIRE_ISA", sets[-1]))] + [("fast", name) for name in sets])
        # Each has the figures that a run of its own gives.
        for each in contenders:
            alone = self.json_of("ulp", *words, "--mode=" + each["mode"], "--isa=" + each["instruction_set"])
            for key in ["calls", "decided_by_mpfr", "confirmed", "contradicted", "not_correctly_rounded", "worst", "bound",
                        "outside", "histogram", "checksum"]:
                self.assertEqual(each[key], alone[key], key)
        self.assertGreater(contenders[1]["not_correctly_rounded"], contenders[0]["not_correctly_rounded"])
        one = self.json_of("ulp", "hypot", "--type=half", "--samples=100", "--mode=all", "--isa=" + sets[0])
        self.assertEqual([each["instruction_set"] for each in one["contenders"]], [sets[0], sets[0]])

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
        found = self.call("explain", "specialisation constant").stdout
        self.assertRegex(found, r"(?m)^TSP-C0032 ")
        self.assertNotIn("TSP-R0021", found)

    def test_version_and_help(self):
        for spelling in ["-V", "--version"]:
            self.assertEqual(self.call(spelling).stdout, self.call("version").stdout)
        self.assertRegex(self.call("version").stdout, r"^transpire \d+\.\d+\.\d+\n.*: " + " ".join(self.instruction_sets()) + "\n$")
        self.assertIn("Usage", self.call("--help").stdout)
        for command in ["run", "info", "validate", "dis", "compile", "cl", "ulp", "fuzz", "explain", "version", "help", "completion"]:
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


if __name__ == "__main__":
    main()
