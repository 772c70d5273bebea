#!/usr/bin/env python3
"""What is suppressed, which warnings are errors, and `expect no faults`, for runs, suites and validation.

usage: suppressions_test.py TRANSPIRE REPOSITORY
"""
import json
import shutil
import unittest

from support import KERNELS, Case, main, needs_compiler

# Divides by zero, which --check=ub finds, and stores beyond y.
MODULE = """OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main "main"
OpName %main "main"
OpName %quotient "quotient"
OpName %y "y"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%ulong_3 = OpConstant %ulong 3
%zero = OpConstant %uint 0
%seven = OpConstant %uint 7
%to = OpTypePointer CrossWorkgroup %uint
%fn = OpTypeFunction %void %to
%of = OpTypeFunction %uint %uint
%quotient = OpFunction %uint None %of
%by = OpFunctionParameter %uint
%start = OpLabel
%result = OpUDiv %uint %seven %by
OpReturnValue %result
OpFunctionEnd
%main = OpFunction %void None %fn
%y = OpFunctionParameter %to
%body = OpLabel
%loaded = OpLoad %uint %y Aligned 4
%got = OpFunctionCall %uint %quotient %loaded
%at = OpInBoundsPtrAccessChain %to %y %ulong_3
OpStore %at %got Aligned 4
OpReturn
OpFunctionEnd
"""
DIVISION = 1 + MODULE[:MODULE.index("OpUDiv")].count("\n")
LAUNCH = """module k.spvasm
kernel main
global 1
check ub
arg y = uint:zero:{}
expect {}
"""


class Judged(Case):
    def setUp(self):
        super().setUp()
        self.write("k.spvasm", MODULE)

    def words(self, size=4):
        return ["k.spvasm", "-g", 1, "-a", f"y=uint:zero:{size}", "--check=ub"]

    def rules_of(self, *words, code=0):
        document = self.json_of("run", *words, code=code)
        return [(f["rule"], f["severity"], "suppressed_by" in f) for f in document["findings"]]

    def test_warnings_as_errors(self):
        self.assertEqual(self.rules_of(*self.words()), [("TSP-R0060", "warning", False)])
        for words in [["-Werror"], ["-Werror=R0060"], ["-Werror=r60", "-Wno-error=R0061"]]:
            self.assertEqual(self.rules_of(*self.words(), *words, code=4), [("TSP-R0060", "error", False)])
        for words in [["-Werror=R0061"], ["-Werror", "-Wno-error=R0060"]]:
            self.assertEqual(self.rules_of(*self.words(), *words), [("TSP-R0060", "warning", False)])

    def test_the_validators_warnings(self):
        saxpy = [KERNELS, "-k", "saxpy", "-g", 8, "-a", "y=float:zero:8", "-a", "x=float:zero:8", "-a", "a=3"]
        self.run_(*saxpy, "-Werror")
        done = self.run_(*saxpy, "-Werror", "--warnings", code=3)
        self.assertIn("error[TSP-ENV-2.9-05]", done.stderr)
        self.assertNotIn("work-items in groups", done.stdout)
        self.assertIn("error[TSP-V0021]", self.run_(*saxpy, "-Werror=V0021", code=3).stderr)
        self.run_(*saxpy, "-Werror", "--warnings", "--suppress", "V0021", "--suppress", "env-2.9-05")

    @unittest.skipUnless(shutil.which("clang-15"), "needs clang-15")
    def test_the_compilers_warnings(self):
        self.write("w.cl", "kernel void k(global int* y) { y[0] = y[1] / 0; }\n")
        words = ["w.cl", "-g", 1, "-a", "y=int:zero:4"]
        self.assertIn("warning[TSP-C0036]", self.run_(*words).stderr)
        self.assertIn("error[TSP-C0036]", self.run_(*words, "-Werror", code=3).stderr)
        self.write("a.supp", "C0036 file=w.cl line=1\n")
        self.assertEqual(self.run_(*words, "-Werror", "--suppress", "a.supp").stderr, "")
        suppressed, = self.json_of("run", *words, "--suppress", "a.supp")["suppressed"]
        self.assertEqual((suppressed["rule"], suppressed["source"]["line"]), ("TSP-C0036", 1))

    def test_no_faults_covers_checks(self):
        done = self.run_(*self.words(), "--expect", "no faults", code=1)
        self.assertIn("error[TSP-C0023]: no faults were expected, and one was found: TSP-R0060", done.stderr)
        self.run_(*self.words(), "--expect", "no faults", "--suppress", "R0060")
        self.run_(*self.words(), "--expect", "no faults", "--expect", "fault TSP-R0060")
        self.write("a.launch", LAUNCH.format(2, "no faults"))
        done = self.run_("a.launch", code=4)
        self.assertIn("  --> a.launch:6:1\n   | expect no faults\n", done.stderr)
        self.assertIn("2 were found: TSP-R0060, TSP-R0021", done.stderr)
        self.run_("a.launch", "--bless")
        self.assertIn("expect fault TSP-R0060 at 0,0,0\nexpect fault TSP-R0021 on y at 0,0,0\n",
                      (self.folder / "a.launch").read_text())
        self.assertIn("3 expectations met", self.run_("a.launch").stdout)

    def test_by_rule_file_line_function_and_buffer(self):
        found = [("TSP-R0060", "warning"), ("TSP-R0021", "error")]
        for entry, suppressed in [("R0060", [1, 0]), ("* function=quotient", [1, 0]), ("* function=main", [1, 1]),
                                  ("* buffer=y", [0, 1]), (f"* file=k.spvasm line={DIVISION}", [1, 0]),
                                  (f"* file=k.spvasm line={DIVISION + 1}-99", [1, 1]), ("* file=other", [0, 0]),
                                  ("R0021 file=k.spvasm buffer=y function=main", [0, 1])]:
            self.write("a.supp", entry + "\n")
            code = 0 if suppressed[1] else 4
            self.assertEqual(self.rules_of(*self.words(2), "--suppress", "a.supp", code=code),
                             [(*each, bool(s)) for each, s in zip(found, suppressed)], entry)

    def test_counted_and_told(self):
        self.write("a.supp", "# all of it\n* function=main  # known\n\nR0021 buffer=z\n")
        done = self.run_(*self.words(2), "--suppress", "a.supp")
        self.assertIn("\n2 findings suppressed\n", done.stdout)
        self.assertEqual(done.stderr, "warning[TSP-C0039]: nothing is found that 'R0021 buffer=z' suppresses\n"
                                      "  --> a.supp:4:1\n   | R0021 buffer=z\n   | ^~~~~~~~~~~~~~\n"
                                      "help: delete the entry, or correct it\n")
        self.run_(*self.words(2), "--suppress", "a.supp", "-Werror", code=2)
        self.run_(*self.words(2), "--suppress", "a.supp", "-Werror", "-Wno-error=C0039")
        document = self.json_of("run", *self.words(2), "--suppress", "a.supp")
        self.assertEqual(document["findings"][1]["suppressed_by"],
                         {"entry": "* function=main", "file": "a.supp", "line": 2, "reason": "known"})
        self.assertEqual([(e["line"], e["count"], e["matched"]) for e in document["suppressions"]], [(2, 2, 2), (4, 0, 0)])
        log = json.loads(self.run_(*self.words(2), "--suppress", "a.supp", "--format=sarif").stdout)
        marks = [result.get("suppressions") for result in log["runs"][0]["results"]]
        self.assertEqual([mark and mark[0]["justification"] for mark in marks], ["known", "known", None])
        # Of a run that did not come to its end nobody knows.
        self.assertNotIn("C0039", self.run_(*self.words(2), "--suppress", "a.supp", "--max-memory", 1, code=6).stderr)

    def test_wrong_entries_are_refused(self):
        self.write("a.supp", "R0060 buffer=y\nR006O\n  R0060 functon=f\n")
        error = self.run_(*self.words(), "--suppress", "a.supp", code=2).stderr
        self.assertIn("error[TSP-C0025]: no rule has the id 'R006O'\n  --> a.supp:2:1\n   | R006O\n   | ^~~~~\n"
                      "help: did you mean 'TSP-R0060'?\n", error)
        self.assertIn("  --> a.supp:3:9\n   |   R0060 functon=f\n   |         ^~~~~~~~~\nhelp: did you mean 'function'?",
                      error)
        for command in [["run", *self.words()], ["validate", "k.spvasm"], ["test", "."], ["cl", "--driver", KERNELS]]:
            self.call(*command, "--suppress", "a.supp", *(["--", "true"] if command[0] == "cl" else []), code=2)
        self.assertIn("no rule has the id 'none', nor has a file that name",
                      self.run_(*self.words(), "--suppress", "none", code=2).stderr)
        self.assertIn("did you mean '-Werror'?", self.run_(*self.words(), "-Werorr", code=2).stderr)

    def test_launch_files_name_them(self):
        (self.folder / "sub").mkdir()
        self.write("sub/known.supp", "R0060\n")
        text = LAUNCH.format(4, "no faults")
        self.write("a.launch", text + "suppress sub/known.supp\n")
        self.write("b.launch", text + 'suppress "sub/known.supp"\nsuppress R0021\n')
        self.assertIn("\n1 finding suppressed\n1 expectation met\n", self.run_("a.launch").stdout)
        self.assertIn("nothing is found that 'TSP-R0021' suppresses", self.run_("b.launch").stderr)
        launch = {"kernel": "main", "global": 1, "arguments": {"y": "uint:zero:4"}}
        self.write("c.json", json.dumps({"modules": ["k.spvasm"], "check": "ub", "suppress": ["sub/known.supp"],
                                         "steps": [{"launch": launch}, {"expect": "no faults"}]}))
        self.run_("c.json", "--suppress", "sub/../sub/known.supp", "-Werror")
        self.write("d.launch", text + "suppress nothing.supp\n")
        self.assertIn("  --> d.launch:7:", self.run_("d.launch", code=2).stderr)
        self.write("e.launch", text + "suppress\n")
        self.assertIn("the name of the file of suppressions is missing", self.run_("e.launch", code=2).stderr)


class Suites(Case):
    def setUp(self):
        super().setUp()
        self.write("k.spvasm", MODULE)
        self.write("a.launch", LAUNCH.format(4, "no faults"))
        self.write("b.launch", LAUNCH.format(2, "no faults"))

    def test_entries_that_some_test_needs_are_used(self):
        self.assertIn("0 of 2 tests passed", self.call("test", ".", code=1).stdout)
        self.write("all.supp", "R0060\nR0021 buffer=y\n")
        done = self.call("test", ".", "--suppress", "all.supp", "-Werror")
        self.assertIn("2 of 2 tests passed, 3 findings suppressed", done.stdout)
        self.assertEqual(done.stderr, "")

    def test_entries_that_no_test_needs_are_told(self):
        self.write("all.supp", "R0060\nR0021 buffer=y\nR0061\n")
        done = self.call("test", ".", "--suppress", "all.supp")
        self.assertEqual(done.stderr.count("TSP-C0039"), 1)
        self.assertIn("  --> all.supp:3:1\n   | R0061\n", done.stderr)
        self.call("test", ".", "--suppress", "all.supp", "-Werror", code=2)
        document = self.json_of("test", ".", "--suppress", "all.supp")
        self.assertEqual(document["suppressed"], 3)
        self.assertEqual([warning["rule"] for warning in document["warnings"]], ["TSP-C0039"])
        for part in [["--filter", "a.*"], ["--shard", "1/2"]]:
            self.assertEqual(self.call("test", ".", *part, "--suppress", "all.supp", "-Werror").stderr, "")

    def test_warnings_fail_tests(self):
        self.write("a.launch", LAUNCH.replace("expect {}\n", "").format(4))
        self.call("test", "a.launch")
        self.assertIn("error[TSP-R0060]", self.call("test", "a.launch", "-Werror", code=1).stdout)


class TooMany(Case):
    def test_all_that_are_listed_may_be_expected(self):
        self.write("k.spvasm", MODULE)
        text = LAUNCH.format(1, "fault TSP-R0060") + "max-errors 1\n"
        done = self.run_(self.write("all.launch", text))
        self.assertIn("; ended early: too many findings\n1 expectation met\n", done.stdout)
        self.run_(self.write("other.launch", text.replace("R0060", "R0021")), code=6)
        self.run_(self.write("none.launch", text.replace("expect fault TSP-R0060\n", "")), code=6)
        self.assertIn("did not happen", self.run_(self.write("more.launch", text + "expect fault TSP-R0021\n"), code=1).stderr)


class Validated(Case):
    def test_by_function_and_line(self):
        strict = ["validate", KERNELS, "--strictness=strict"]
        self.write("a.supp", "* function=mixed\nV0021 file=kernels.spvasm\nENV-2.2-01 file=kernels.spvasm line=15\n")
        self.assertIn("(strict, 3 findings suppressed)", self.call(*strict, "--suppress", "a.supp").stdout)
        document = self.json_of(*strict, "--suppress", "a.supp")
        self.assertEqual([(d["rule"], d["suppressed_by"]["line"]) for d in document["suppressed"]],
                         [("TSP-ENV-2.2-01", 3), ("TSP-ENV-2.9-05", 1), ("TSP-V0021", 2)])
        log = json.loads(self.call(*strict, "--suppress", "a.supp", "--format=sarif").stdout)
        self.assertEqual([len(result["suppressions"]) for result in log["runs"][0]["results"]], [1, 1, 1])
        self.write("b.supp", "* function=saxpy\n")
        self.assertIn("nothing is found that '* function=saxpy'",
                      self.call(*strict, "--suppress", "b.supp", code=3).stderr)
        # Warnings are told once for a rule, but each is suppressed by itself.
        self.write("c.supp", "V0021 file=kernels.spvasm line=1\n")
        self.assertIn("error[TSP-V0021]", self.call(*strict, "--suppress", "c.supp", code=3).stderr)

    def test_spirv_tools_says_the_texts_names(self):
        rules = {rule["id"]: rule for rule in self.json_of("explain")["rules"]}
        for rule, said in [("TSP-UNI-05", "'%value' defined in block '%left' does not dominate its use in block '%right'"),
                           ("TSP-UNI-10", "Block '%third' appears in the binary before its dominator '%second'")]:
            self.write("bad.spvasm", rules[rule]["bad_example"])
            error = self.call("validate", "bad.spvasm", "--suppress", rule).stderr
            self.assertIn("warning[TSP-V0001]: SPIRV-Tools' validator says: ", error)
            self.assertIn(said, error)
            self.assertNotRegex(error, r"%\d")
        text = rules["TSP-UNI-10"]["bad_example"].replace('"test"', '"test 100%6 \\"%6"')
        self.write("string.spvasm", text)
        self.assertIn("appears in the binary", self.call("validate", "string.spvasm", "--suppress", "UNI-10").stderr)

    def test_by_rule(self):
        field = ["validate", KERNELS]
        self.assertIn("nothing is found that 'TSP-C0036' suppresses", self.call(*field, "--suppress", "C0036", "-Werror=C0036").stderr)
        self.call(*field, "-Werror=V0021", code=3)
        self.call(*field, "-Werror", "-Wno-error=V0021", "-Wno-error=ENV-2.9-05")
        self.assertEqual(json.loads(self.call("validate", "none.spv", "--format=sarif", code=2).stdout)["runs"][0]
                         ["results"][0]["ruleId"], "TSP-C0001")

    @needs_compiler
    def test_compilers_warnings(self):
        source = "kernel void f(global int* a) { a[0] = 1 / 0; }\n"
        self.write("warned.cl", source)
        for name, shown in [("warned.cl", "warned.cl"), ("-", "<stdin>")]:
            words = ["validate", name]
            done = self.call(*words, text=source)
            self.assertIn(f"warning[TSP-C0036]: division by zero is undefined [-Wdivision-by-zero]\n  --> {shown}:1:41\n", done.stderr)
            self.assertIn("   | kernel void f(global int* a) { a[0] = 1 / 0; }\n", done.stderr)
            self.assertIn(f"{name}: valid for opencl", done.stdout)
            done = self.call(*words, "-Werror=C0036", code=3, text=source)
            self.assertIn("error[TSP-C0036]: division by zero", done.stderr)
            self.assertIn("1 error", done.stderr)
            self.call(*words, "-Werror", code=3, text=source)
            self.assertIn("warning[TSP-C0036]", self.call(*words, "-Werror", "-Wno-error=C0036", text=source).stderr)
            done = self.call(*words, "-Werror", "--suppress", "C0036", text=source)
            self.assertEqual(done.stderr, "")
            self.assertIn("1 finding suppressed", done.stdout)
        document = self.json_of("validate", "warned.cl")
        self.assertEqual([found["rule"] for found in document["diagnostics"]], ["TSP-C0036"])
        self.assertEqual(document["warning_count"], 1)


if __name__ == "__main__":
    main()
