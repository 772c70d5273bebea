#!/usr/bin/env python3
"""Words that are nearly right, inputs that are something else, and standard input.

usage: hints_test.py TRANSPIRE REPOSITORY
"""
import json
import pathlib

from support import EXAMPLES, KERNELS, SAXPY, Case, main, needs_compiler

SHADER = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main"
OpExecutionMode %main OriginUpperLeft
%void = OpTypeVoid
%type = OpTypeFunction %void
%main = OpFunction %void None %type
%entry = OpLabel
OpReturn
OpFunctionEnd
"""
SOURCE = "//! kernel twice\n//! global 4\n//! arg y = range:1:1:4\n//! print y\nkernel void twice(global int* y) { y[get_global_id(0)] *= 2; }\n"


class Words(Case):
    def test_did_you_mean(self):
        launch = self.write("f.launch", f"module {KERNELS}\n")
        for words, meant in [
                (["rnu"], "run"), (["help", "rum"], "run"), (["run", "--kernl", "x", KERNELS], "--kernel"),
                (["cl", "--mth", "fast", "--", "true"], "--math"), (["run", *SAXPY, "--isa", "avx3"], "avx2"),
                (["run", *SAXPY, "--math", "fats"], "fast"), (["run", *SAXPY, "--check", "bouds"], "bounds"),
                (["run", *SAXPY, "--strictness", "filed"], "field"), (["run", *SAXPY, "--format", "jsn"], "json"),
                (["run", *SAXPY, "--env", "opencl3"], "opencl3.0"), (["run", *SAXPY, "--denorms", "flsh"], "flush"),
                (["run", KERNELS, "-k", "saxpi", "-g", "1"], "saxpy"), (["info", KERNELS, "-k", "saxpi"], "saxpy"),
                (["run", *SAXPY, "--print", "y as flaot"], "float"), (["run", *SAXPY, "--print", "y as flaot4"], "float4"),
                (["run", *SAXPY, "--print", "y hxe"], "hex"), (["run", *SAXPY, "--print", "y ranges ful"], "full"),
                (["run", *SAXPY, "--buffer", "b=flaot:zero:1"], "float"), (["run", *SAXPY, "--buffer", "b=float:zeor:1"], "zero"),
                (["run", *SAXPY, "--buffer", "b=zeor:1"], "zero"), (["run", *SAXPY, "--out", "y=y.pgn"], ".pgm"),
                (["run", *SAXPY, "--expect", "fautl TSP-R0021"], "fault"), (["run", *SAXPY, "--expect", "fault TSP-R0221"], "TSP-R0021"),
                (["run", *SAXPY, "--expect", "refused TSP-R0221"], "TSP-R0021"), (["ulp", "sinn"], "sin"),
                (["ulp", "sin", "--type", "flot"], "float"), (["explain", "R0221"], "TSP-R0021"), (["explain", "recursve"], "recursive"),
                (["validate", KERNELS, "--device", "x", "--scops", "accept"], "--scopes"), (["completion", "bsh"], "bash"),
                (["compile", "k.cl", "--ouput", "x"], "--output"), (["test", "--lst", "."], "--list"),
                (["run", launch, "--print", "z", "-k", "mixd"], "mixed")]:
            with self.subTest(words):
                error = self.call(*words, code=2).stderr
                self.assertIn(f"did you mean '{meant}'?", error)
                self.assertEqual(error.count("error["), 1, error)

    def test_signs_of_other_tools(self):
        """docs/mistakes.md has more of them."""
        launch = self.write("f.launch", f"module {KERNELS}\n")
        for words, meant in [
                (["run", *SAXPY, "--expect", "y[0..1] == 6 7"], "write 'expect y[0..1] = 6 7'"),
                (["run", *SAXPY, "--expect", "y != 5"], "as in 'expect y ~ 1e-5 = 5'"),
                (["run", *SAXPY, "--expect", "y[0] <= 5"], "as in 'expect y[0] = 5'"),
                (["run", *SAXPY, "--print", "y > y.txt"], "write 'out y = y.txt', '--out y=y.txt' on the command line"),
                (["run", *SAXPY, "--print", "y >y.txt"], "write 'out y = y.txt'"),
                (["run", *SAXPY, "--print", "y[0-3]"], "write 'y[0..3]'"), (["run", *SAXPY, "--print", "y[4:]"], "write 'y[4..]'"),
                (["run", *SAXPY, "--print", "y[:4]"], "write 'y[0..4]'"), (["run", *SAXPY, "--print", "y[0,3]"], "write 'y[0..3]'"),
                (["run", KERNELS, "-k", "saxpy", "-g", "4,4", "-l", "2*2"], "sizes have commas between them: '2,2'"),
                (["run", KERNELS, "-k", "saxpy", "-g", "2M"], "write it in digits: '2097152', or '2000000'"),
                (["run", *SAXPY, "--buffer", "b=float:zero:1k"], "write it in digits: '1024', or '1000'"),
                (["run", *SAXPY, "--max-memory", "1k"], "write '4096', '4KiB', '512MiB' or '2GiB'"),
                (["run", *SAXPY, "-D", "N=4"], "--build-options '-D N=4'"),
                (["info", KERNELS, "-I", "include"], "--build-options '-I include'"),
                ([launch], f"did you mean 'transpire run {launch}'?"), (["nothing.launch"], "did you mean 'transpire run nothing.launch'?"),
                ([self.folder], f"did you mean 'transpire test {self.folder}'?"),
                (["run", KERNELS, "-k", "saxpy", "-g", "4", "-a", "y=[1, 2]", "-a", "x=float:zero:4", "-a", "a=1"],
                 "write 'y = float:data:1,2'"),
                (["run", KERNELS, "-k", "saxpy", "-g", "4", "-a", "y=1", "-a", "x=float:zero:4", "-a", "a=1"],
                 "a buffer of one element is 'y = float:data:1', one of 1024 'y = float:fill:1:1024'"),
                (["run", KERNELS, "-k", "saxpy", "-g", "4", "-a", "y=float[32]", "-a", "x=float:zero:4", "-a", "a=1"],
                 "a buffer of 32 zeros is 'y = float:zero:32', one of three numbers 'y = float:data:1,2,3'"),
                (["run", KERNELS, "-k", "saxpy", "-g", "4", "-a", "y=float", "-a", "x=float:zero:4", "-a", "a=1"],
                 "a buffer of 64 zeros is 'y = float:zero:64'"),
                (["run", KERNELS, "-k", "saxpy", "-g", "4", "-a", "y=x", "-a", "x=float:zero:4", "-a", "a=1"],
                 "a buffer of 64 zeros is 'y = float:zero:64'"),
                (["run", *SAXPY, "--mode", "reference"], "help: see 'transpire run --help'"),
                (["explain", "R0999"], "help: 'transpire explain' without a rule lists all of them")]:
            with self.subTest(words):
                error = self.call(*words, code=2).stderr
                self.assertIn(meant, error)
                self.assertEqual(error.count("error["), 1, error)

    def test_all_mistakes_of_a_command_line(self):
        rest = ["-a", "x=float:zero:8", "-a", "a=three", "-a", "y=flaot:zero:8"]
        for words, wrong in [
                (["run", KERNELS, "-k", "saxpy", "-g", "8,x", "--print", "y[0:3]", "--timeout", "soon", *rest],
                 ["'soon' is not a time", "'x' is no size", "'0:3' is no range", "'flaot' is neither"]),
                (["run", KERNELS, "-DN=4", "--golbal", "8", "--isa", "mmx", "--math=fats", "-l", "4x4"],
                 ["'-DN=4' was not expected", "'--golbal' was not expected", "'mmx' is no value of --isa", "'fats' is no value of --math",
                  "'4x4' is no size"]),
                (["run", KERNELS, "-k", "saxpy", "-a", "y=int:zero:8", "-a", "a=three"],
                 ["argument 'y': the parameter points to float", "'three' is no float", "argument 1 of kernel 'saxpy' is missing",
                  "the launch has no global size"]),
                (["run", *SAXPY, "--print", "y[9]", "--expect", "y[8..9] = 1", "--out", "y=y.npy as int64"],
                 ["'int64' is no type"]),
                (["run", *SAXPY, "--print", "y[9]", "--expect", "y[8..10] = 1"], ["'y[9]' lies outside", "'y[10]' lies outside"]),
                (["run", *SAXPY, "--print", "z", "--swap", "y,a"], ["there is no buffer 'z'", "argument 'a' is no buffer"]),
                (["info", KERNELS, "--tmeplate", "--formt=json"], ["'--tmeplate' was not expected", "'--formt' was not expected"])]:
            with self.subTest(words):
                error = self.call(*words, code=2).stderr
                for each in wrong:
                    self.assertIn(each, error)
                self.assertEqual(error.count("error["), len(wrong), error)

    def test_all_mistakes_of_a_launch_file(self):
        self.write("f.launch", f"module {KERNELS}\nkernl saxpy\nglobal 4x4\narg y = zeor:8\nexpect y == 1\nprint y[0:1]\n")
        error = self.run_("f.launch", code=2).stderr
        for number in range(2, 7):
            self.assertIn(f"f.launch:{number}:", error)
        self.assertEqual(error.count("error["), 5, error)

    def test_a_misspelled_argument_is_not_missing_as_well(self):
        words = ["run", KERNELS, "-k", "saxpy", "-g", "8", "-a", "yy=float:zero:8", "-a", "a=1"]
        self.assertEqual(self.call(*words, "-a", "x=float:zero:8", code=2).stderr.count("error["), 1)

    @needs_compiler
    def test_names_of_a_later_version(self):
        for line, what in [("x[0] = work_group_reduce_add(1);", "'work_group_reduce_add' is"),
                           ("atomic_fetch_add_explicit((volatile global atomic_int *)x, 1, memory_order_relaxed);", "'atomic_int' is"),
                           ("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);", "'atomic_work_item_fence' is"),
                           ("generic int *g = x;", "'generic' pointers are"), ("x[0] = get_global_linear_id();", "'get_global_linear_id' is"),
                           ("work_group_barrier(CLK_LOCAL_MEM_FENCE);", "'work_group_barrier' is"), ("queue_t q = get_default_queue();", "'queue_t' is"),
                           ("void (^b)(void) = ^{ };", "blocks, which kernels enqueue, are"), ("x[0] = ctz(x[1]);", "'ctz' is"),
                           ("global int *g = to_global(x);", "'to_global' is"), ("reserve_id_t r;", "'reserve_id_t' is")]:
            with self.subTest(line):
                self.write("k.cl", f"kernel void k(global int *x) {{ {line} }}\n")
                error = self.run_("k.cl", "-g", "1", "-a", "x=zero:2", code=3).stderr
                self.assertIn(f"help: {what} of OpenCL C 2.0: ask for it with --build-options '-cl-std=CL2.0', or "
                              "'options -cl-std=CL2.0' in a launch file", error)
        for text, what in [("int n = 3;\nkernel void k(global int *x) { x[0] = n; }\n", "program-scope variables in global memory are"),
                           ("kernel void k(read_only pipe int p) { }\n", "pipes are"),
                           ("kernel void k(read_write image2d_t i) { }\n", "images that are read and written are")]:
            self.write("k.cl", text)
            self.assertIn(f"help: {what} of OpenCL C 2.0", self.call("info", "k.cl", code=3).stderr)
        self.write("k.cl", "kernel void k(global int *x) { x[0] = work_group_reduce_sum(x[1]) + mystery; }\n")
        error = self.run_("k.cl", "-g", "1", "-a", "x=zero:2", "--build-options", "-cl-std=CL2.0", code=3).stderr
        self.assertNotIn("of OpenCL C 2.0", error)  # which it has been asked for
        self.assertNotIn("'mystery' is of", self.run_("k.cl", "-g", "1", "-a", "x=zero:2", code=3).stderr)

    def test_unknown_options_are_the_reason(self):
        self.assertIn("error[TSP-C0020]: '-z' was not expected\n", self.call("run", "-z", code=2).stderr)
        self.assertIn("error[TSP-C0020]: '--mth' was not expected\n", self.call("cl", "--mth", "fast", "--", "true", code=2).stderr)

    def test_empty_values(self):
        for words, name in [(["-g", ""], "--global"), (["-k", ""], "--kernel"), (["-l", ""], "--local"), (["--offset", ""], "--offset"),
                            (["--repeat", ""], "--repeat"), (["--threads", ""], "--threads"), (["--timeout", ""], "--timeout"),
                            (["--max-steps", ""], "--max-steps")]:
            with self.subTest(words):
                self.assertEqual(self.call("run", KERNELS, *words, code=2).stderr.split("\n")[0],
                                 f"error[TSP-C0020]: '{name}' has an empty value")
        for words, name in [(["-j", ""], "--jobs"), (["--timeout", ""], "--timeout"), (["--shard", ""], "--shard"), (["--junit", ""], "--junit")]:
            with self.subTest(words):
                self.assertIn(f"error[TSP-C0020]: '{name}' has an empty value\n", self.call("test", ".", *words, code=2).stderr)
        self.run_(*SAXPY, "--build-options", "")

    def test_explain_searches(self):
        for words in ("barrier", "BARRIER", "memory barrier"):
            for line in self.call("explain", words).stdout.splitlines():
                self.assertIn("barrier", line.lower())
        self.assertIn("TSP-R0042", self.call("explain", "race").stdout)
        # All words, in any order; in titles first.
        self.assertEqual(self.call("explain", "end past buffer").stdout, self.call("explain", "past buffer end").stdout)
        self.assertIn("TSP-C0025", self.call("explain", "xyzzy plugh", code=2).stderr)


class Inputs(Case):
    def test_shaders(self):
        path = self.write("s.spvasm", SHADER)
        error = self.run_(path, "-g", "1", code=5).stderr
        self.assertIn("error[TSP-U0003]: the module is a shader, for graphics; Transpire runs kernels of OpenCL and compute shaders\n", error)
        self.assertEqual(error.count("error["), 1)
        self.assertIn("no kernels: this is a shader, for graphics\n", self.call("info", path).stdout)

    def test_what_is_no_spirv(self):
        for content, what in [
                (b"BC\xc0\xde1234567890123456", "LLVM bitcode"), (b"\x7fELF\2\1\1\0\0\0\0\0\0\0\0\0", "an ELF file"),
                (b"PK\3\4aaaaaaaaaaaaaaaa", "a zip archive"), (b"\x1f\x8b\x08\0\0\0\0\0\0\0\0\0", "compressed by gzip"),
                (b"DXBC0123456789012345", "a shader for Direct3D"), (b"", "empty"),
                (b"; ModuleID = 'x'\ntarget triple = \"spir64\"\n", "LLVM's assembly text"),
                (b"#version 450\nvoid main() {}\n", "GLSL"), (b".version 7.0\n.target sm_50\n.address_size 64\n", "PTX"),
                (b"// text\n__kernel void f(global int* a) {}\n", "OpenCL C")]:
            (self.folder / "x.spv").write_bytes(content)
            with self.subTest(what):
                for words in (["info"], ["run", "-g", "1"], ["validate"], ["dis"]):
                    error = self.call(words[0], "x.spv", *words[1:], code=3).stderr
                    self.assertEqual(error.split("\n")[0], f"error[TSP-D0002]: this is no SPIR-V module: it is {what}")
                    self.assertIn("  --> x.spv\n", error)


class StandardInput(Case):
    def test_launch_files(self):
        text = f"module {KERNELS}\nkernel saxpy\nglobal 2\narg y = zero:2\narg x = fill:2:2\narg a = 3\nprint y\n"
        self.assertEqual(self.run_("-", "-q", text=text).stdout, "y[0..1] = 6 6\n")
        self.assertEqual(self.run_("-", "-q", "-a", "a=1", text=text).stdout, "y[0..1] = 2 2\n")
        self.assertIn("  --> -:1:1\n   | kernal x\n", self.run_("-", text="kernal x\n" + text, code=2).stderr)
        launch = {"kernel": "saxpy", "global": 2, "arguments": {"y": {"zero": 2}, "x": {"fill": 2, "count": 2}, "a": 3}}
        document = json.dumps({"modules": KERNELS, "steps": [{"launch": launch}, {"print": "y"}]})
        self.assertEqual(self.run_("-", "-q", text=document).stdout, "y[0..1] = 6 6\n")

    def test_columns_of_sarif_are_utf16_units(self):
        lines = [f"module {KERNELS}", "kernel saxpy", "global 2", "arg y = zero:2", "arg x = fill:2:2", "arg a = 3", "out y = \u00e9/y.bin"]
        log = json.loads(self.run_("-", "--format=sarif", text="\n".join(lines) + "\n", code=2).stdout)
        region = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
        self.assertEqual((region["startLine"], region["startColumn"], region["endColumn"]), (7, 9, 16))

    def test_columns_of_validate_are_utf16_units(self):
        text = pathlib.Path(KERNELS).read_text()
        wrong = text.replace('"saxpy"', '"\u00e9\U0001f600" %nowhere', 1)
        line = 1 + wrong[:wrong.index("%nowhere")].count("\n")
        at = wrong.splitlines()[line - 1].index("%nowhere") + 2  # the emoji has two units
        for name in ["-", self.write("wrong.spvasm", wrong)]:
            log = json.loads(self.call("validate", name, "--format=sarif", code=3, text=wrong).stdout)
            region = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
            self.assertEqual((region["startLine"], region["startColumn"], region["endColumn"]), (line, at, at + 8))

    def test_assembly(self):
        text = pathlib.Path(KERNELS).read_text()
        self.assertEqual(self.run_("-", *SAXPY[1:], "-q", "--print", "y[0]", text=text).stdout, "y[0] = 6\n")
        lines = ";! kernel saxpy\n;! global 2\n;! arg y = zero:2\n;! arg x = fill:2:2\n;! arg a = 3\n;! print y\n"
        self.assertEqual(self.run_("-", "-q", text=lines + text).stdout, "y[0..1] = 6 6\n")

    @needs_compiler
    def test_opencl_c(self):
        self.assertEqual(self.run_("-", "-q", text=SOURCE).stdout, "y[0..3] = 2 4 6 8\n")
        words = ["-", "-k", "twice", "-g", "2", "-a", "y=int:fill:5:2"]
        self.assertEqual(self.run_(*words, "-q", "--print", "y", text=SOURCE).stdout, "y[0..1] = 10 10\n")
        self.has(self.run_(*words[:-1], "y=int:fill:5:1", text=SOURCE, code=4).stderr, "  --> <stdin>:5:",
                 "   | kernel void twice(global int* y)")
        self.assertIn("kernel twice\n", self.call("info", "-", text=SOURCE).stdout)
        self.assertIn("OpEntryPoint Kernel", self.call("dis", "-", text=SOURCE).stdout)
        self.assertIn("valid for", self.call("validate", "-", text=SOURCE).stdout)
        self.call("compile", "-", "-o", "k.spv", text=SOURCE)
        self.assertIn("kernel twice\n", self.call("info", "k.spv").stdout)
        self.assertIn("<stdin>:1:", self.run_("-", "-g", "1", text="kernel void f(global int* y) { nope(); }\n", code=3).stderr)
        example = (EXAMPLES / "saxpy.cl").read_text()
        self.assertIn("1 expectation met", self.run_("-", text=example).stdout)


if __name__ == "__main__":
    main()
