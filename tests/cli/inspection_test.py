#!/usr/bin/env python3
"""What the command line says about modules, and its JSON against the schemas.

usage: inspection_test.py TRANSPIRE REPOSITORY
"""
import os

from support import KERNELS, TRANSPIRE, Case, expanded, main, within_growing_limits


class Json(Case):
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

# A kernel whose parameters have no OpName, and what names them instead.
DEBUG_HEAD = """OpCapability Linkage
{extension}
%d = OpExtInstImport "{set}"
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
%type = OpTypeFunction %void %_ptr_CrossWorkgroup_float %float %uint
"""
DEBUG_BODY = """%scale = OpFunction %void None %type
%s0 = OpFunctionParameter %_ptr_CrossWorkgroup_float
%s1 = OpFunctionParameter %float
%s2 = OpFunctionParameter %uint
%s3 = OpLabel
{inside}
OpReturn
OpFunctionEnd
%entry = OpFunction %void None %type
%e0 = OpFunctionParameter %_ptr_CrossWorkgroup_float
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
%basic = OpExtInst %void %d DebugTypeBasic %float_name %uint_32 Float
%ftype = OpExtInst %void %d DebugTypeFunction None %none %basic %basic %basic
%f = OpExtInst %void %d DebugFunction %scale_name %ftype %source 1 0 %unit %empty FlagIsDefinition 1 %scale %none
%l1 = OpExtInst %void %d DebugLocalVariable %values %basic %source 1 0 %f None 1
%l3 = OpExtInst %void %d DebugLocalVariable %count %basic %source 1 0 %f None 3
%l4 = OpExtInst %void %d DebugLocalVariable %total %basic %source 1 0 %f None
%l9 = OpExtInst %void %d DebugLocalVariable %total %basic %source 1 0 %f None 9
"""
SHADER_DEBUG = """%none = OpExtInst %void %d DebugInfoNone
%source = OpExtInst %void %d DebugSource %file
%unit = OpExtInst %void %d DebugCompilationUnit %uint_1 %uint_1 %source %uint_3
%basic = OpExtInst %void %d DebugTypeBasic %float_name %uint_32 %uint_3 %uint_0
%ftype = OpExtInst %void %d DebugTypeFunction %uint_0 %void %basic %basic %basic
%f = OpExtInst %void %d DebugFunction %scale_name %ftype %source %uint_1 %uint_0 %unit %empty %uint_0 %uint_1
%l1 = OpExtInst %void %d DebugLocalVariable %values %basic %source %uint_1 %uint_0 %f %uint_0 %uint_1
%l3 = OpExtInst %void %d DebugLocalVariable %count %basic %source %uint_1 %uint_0 %f %uint_0 %uint_3
"""


class Inspection(Case):
    def test_arguments_are_called_as_debug_information_calls_them(self):
        """A compiler that discards names leaves none but these."""
        opencl = expanded(TRANSPIRE, DEBUG_HEAD.format(extension="", set="OpenCL.DebugInfo.100") + OPENCL_DEBUG
                          + DEBUG_BODY.format(inside=""))
        shader = expanded(TRANSPIRE, DEBUG_HEAD.format(extension='OpExtension "SPV_KHR_non_semantic_info"',
                                                       set="NonSemantic.Shader.DebugInfo.100") + SHADER_DEBUG
                          + DEBUG_BODY.format(inside="%def = OpExtInst %void %d DebugFunctionDefinition %f %scale"))
        for text in (opencl, shader):
            words = self.call("info", self.write("scale.spvasm", text)).stdout
            for line in ("0  global float* values", "1  float arg1", "2  uint count"):
                self.assertIn(line, words)
            error = self.run_("scale.spvasm", "-g", "1", code=2).stderr
            self.assertIn("argument 0 of kernel 'scale' is missing: global float* 'values'", error)
        named = opencl.replace("OpDecorate", 'OpName %s0 "first"\nOpDecorate', 1)
        self.assertIn("0  global float* first", self.call("info", self.write("scale.spvasm", named)).stdout)

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


if __name__ == "__main__":
    main()
