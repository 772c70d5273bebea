#!/usr/bin/env python3
"""Optimised and unoptimised forms of a source from the outside: which one a run takes, and what it says of that; outputs and memory
that nobody wrote; modules that are kept."""
import os
import pathlib
import shutil
import subprocess

from support import EXAMPLES, PATIENCE, TRANSPIRE, Case, main, needs_compiler

# Wraps in the second element, by a signed sum.
SUMS = """#define ONE 1
kernel void sums(global int* out, global const int* in) {
  const int i = get_global_id(0);
  int several[3] = {in[i], 1, 2};
  out[i] = several[i % 1] + ONE;
}
"""
SUMS_LAUNCH = ["-g", "2", "-a", "out=int:zero:2", "-a", "in=int:data:1,2147483647"]
# Adds up local memory of which one element was forgotten.
FORGOTTEN = """kernel void total(global int* out, local int* part) {
  const int l = get_local_id(0);
  if (l != 3) part[l] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += part[i];
    *out = sum;
  }
}
"""
FORGOTTEN_LAUNCH = ["-g", "8", "-l", "8", "-a", "out=int:zero:1", "-a", "part=local:32"]
POISONED = 7 - 0x5a5a5a5b
UNCOMPILED = "compiled with -O0 for the checks: "


class Forms(Case):
    def setUp(self):
        super().setUp()
        self.write("sums.cl", SUMS)

    def sums(self, *words, file="sums.cl", code=0):
        return self.run_(file, *SUMS_LAUNCH, *words, code=code)

    def findings(self, *words, file="sums.cl"):
        document = self.json_of("run", file, *SUMS_LAUNCH, *words)
        return [finding["rule"] for finding in document["findings"]], document

    @needs_compiler
    def test_summary_names_what_was_compiled_for_a_check(self):
        for check in ("sync", "race", "uninit", "ub", "all"):
            done = self.sums(f"--check={check}")
            self.assertIn(f"\n{UNCOMPILED}sums.cl ('-O2' among the build options keeps clang's optimiser)\n", done.stdout)
            self.assertNotIn(UNCOMPILED, self.sums(f"--check={check}", "-q").stdout)
        self.assertNotIn(UNCOMPILED, self.sums().stdout)
        rules, document = self.findings("--check=ub")
        self.assertEqual((rules, document["compiled_for_checks"]), (["TSP-R0063"], ["sums.cl"]))
        self.assertNotIn("compiled_for_checks", self.findings()[1])
        self.has(self.call("fuzz", "sums.cl", *SUMS_LAUNCH, "--check=race", "--runs", "1").stdout, UNCOMPILED + "sums.cl")

    @needs_compiler
    def test_an_explicit_level_goes_before_the_check(self):
        for level in ("-O0", "-O1", "-O2", "-O3"):
            done = self.sums("--check=race", "--build-options", level)
            self.assertNotIn(UNCOMPILED, done.stdout)
        # The optimiser takes the array away, and with it variables without lifetimes; what wraps is marked by no compiler then.
        optimised = self.sums("--check=ub", "--build-options", "-O2")
        self.assertEqual(optimised.stderr.count("TSP-L0012"), 1)
        self.assertIn("--check=ub cannot see signed overflow in this module: no instruction is decorated NoSignedWrap\n",
                      optimised.stderr)
        # As it is written, with what wraps, but no lifetimes.
        plain = self.sums("--check=ub", "--build-options", "-O0")
        self.assertIn("TSP-R0063", plain.stderr)
        self.assertEqual(plain.stderr.count("TSP-L0012"), 1)
        self.assertIn("it has no OpLifetimeStart\n", plain.stderr)

    @needs_compiler
    def test_a_module_that_is_kept_for_checks(self):
        self.call("compile", "sums.cl", "--for-checks", "-o", "checked.spv")
        own, kept = self.findings("--check=all")[1], self.findings("--check=all", file="checked.spv")[1]
        places = [[(f["rule"], f["source"]) for f in d["findings"]] for d in (own, kept)]
        self.assertEqual(places[0], places[1])
        self.assertNotIn("warnings", kept)  # nothing that a check could not see
        self.assertEqual(self.call("compile", "-", "--for-checks", "-o", "input.spv", text=SUMS).stderr, "")
        for words in (["-O2"], ["--build-options", "-O0"]):
            self.has(self.call("compile", "sums.cl", "--for-checks", *words, "-o", "x.spv", code=2).stderr, "TSP-C0020")

    @needs_compiler
    def test_what_a_check_cannot_see_in_a_module(self):
        self.call("compile", "sums.cl", "-o", "optimised.spv")
        self.call("compile", "sums.cl", "-O0", "-o", "plain.spv")
        for file, notes in (("optimised.spv", ["NoSignedWrap"]), ("plain.spv", ["NoSignedWrap", "OpLifetimeStart"])):
            document = self.json_of("run", file, *SUMS_LAUNCH, "--check=ub")
            said = [warning for warning in document["warnings"] if warning["rule"] == "TSP-L0012"]
            self.assertEqual([warning["severity"] for warning in said], ["note"] * len(notes))
            for warning, word in zip(said, notes, strict=True):
                self.assertIn(word, warning["message"])
            self.assertNotIn("warnings", self.json_of("run", file, *SUMS_LAUNCH, "--check=race"))
            self.assertNotIn("L0012", self.sums("--check=ub", "--suppress", "L0012", file=file).stderr)
        # Unsigned sums may wrap: of a source that was compiled here, nothing is missing.
        self.write("unsigned.cl", "kernel void k(global uint* a) { a[0] += 1; }")
        self.assertEqual(self.run_("unsigned.cl", "-g", "1", "-a", "a=uint:data:4294967295", "--check=ub").stderr, "")

    @needs_compiler
    def test_nothing_is_held_back_of_what_is_compiled_here(self):
        self.write("k.cl", "kernel void k(global int* a, int n) {\n  for (int i = 0; i < n; i++) {\n"
                           "    if (a[i] < 0) break;\n    a[i] = i;\n  }\n}\n")
        launch = ["-g", "1", "-a", "a=int:zero:4", "-a", "n=4"]
        self.assertNotIn("not shown", self.run_("k.cl", *launch).stdout)
        self.assertEqual(self.json_of("run", "k.cl", *launch)["validated"]["held_back_count"], 0)
        self.assertNotIn("held back", self.call("validate", "k.cl").stdout)
        self.assertEqual(self.json_of("validate", "k.cl")["held_back_count"], 0)
        self.assertNotIn("held back", self.call("validate", "-", text=(self.folder / "k.cl").read_text()).stdout)
        # Whoever was given the module is told.
        self.call("compile", EXAMPLES / "parted.cl", "-o", "parted.spv")
        launch = ["-g", "64", "-l", "64", "-a", "in=float:zero:64", "-a", "out=float:zero:64", "-a", "n=1"]
        self.assertIn("not shown", self.run_("parted.spv", *launch).stdout)
        self.assertNotIn("not shown", self.run_(EXAMPLES / "parted.cl", *launch).stdout)


@needs_compiler
class Unwritten(Case):
    def test_expectation_names_what_nobody_wrote(self):
        self.write("k.cl", "kernel void k(global int* best, global int* other, int n) {\n"
                           "  const int i = get_global_id(0);\n  if (i < n) best[i] = other[i] + 5;\n}\n")
        launch = ["k.cl", "-g", "8", "-a", "best=int:zero:8", "-a", "other=int:fill:3:8", "-a"]
        failed = self.run_(*launch, "n=0", "--expect", "best = int:fill:8:8", code=1).stderr
        self.assertIn("  = nobody wrote best[0..7], or only what was there before the launch\n", failed)
        self.has(self.run_(*launch, "n=5", "--expect", "best = int:fill:8:8", code=1).stderr, "  = nobody wrote best[5..7], or")
        # Wrong, but written.
        failed = self.run_(*launch, "n=8", "--expect", "best = int:fill:9:8", code=1).stderr
        self.assertNotIn("nobody", failed)
        failed = self.run_(*launch, "n=8", "--expect", "other[2..3] = 4 4", code=1).stderr
        self.assertIn("  = nobody wrote other[2..3]: kernel 'k' has no store to it", failed)

    def test_print_of_what_nobody_can_have_written(self):
        self.write("k.cl", "kernel void k(global int* best, global int* count) {\n"
                           "  int found;\n  count[0] = 0;\n  best[get_global_id(0)] = found;\n}\n")
        launch = ["k.cl", "-g", "8", "-a", "best=int:zero:8", "-a", "count=int:zero:1"]
        done = self.run_(*launch, "--print", "best", "--print", "count")
        self.assertIn("note[TSP-C0044]: nobody wrote best[0..7]\n", done.stderr)
        self.assertIn("clang removes stores of values that nothing defined, which --check=uninit keeps", done.stderr)
        self.assertEqual(done.stderr.count("nobody wrote"), 1)  # the zero in `count` may be the kernel's
        done = self.run_(*launch, "--print", "best", "--check=uninit", code=4)
        self.assertNotIn("nobody wrote", done.stderr)
        self.assertIn("TSP-R0101", done.stderr)
        document = self.json_of("run", *launch, "--print", "best[2..4]")
        self.assertEqual([(w["rule"], w["severity"], w["message"]) for w in document["warnings"]],
                         [("TSP-C0044", "note", "nobody wrote best[2..4]")])

    def test_print_of_a_pattern_that_is_left(self):
        self.write("k.cl", "kernel void k(global int* out, int n) { if (get_global_id(0) < n) out[get_global_id(0)] = 1; }")
        launch = ["k.cl", "-g", "4", "-a", "out=int:uninit:4", "-a"]
        self.assertIn("nobody wrote out[0..3]", self.run_(*launch, "n=0", "--print", "out").stderr)
        self.assertEqual(self.run_(*launch, "n=4", "--print", "out").stderr, "")


@needs_compiler
class Poison(Case):
    def setUp(self):
        super().setUp()
        self.write("total.cl", FORGOTTEN)

    def total(self, *words, file="total.cl"):
        text = self.run_(file, *FORGOTTEN_LAUNCH, "-q", "--print", "out", *words).stdout
        return int(text.removeprefix("out[0] = "))

    def test_local_memory_is_the_same_everywhere(self):
        self.assertEqual(self.total(), 7)
        self.assertEqual(self.total("--poison=off"), 7)
        for isa in self.instruction_sets():
            for words in ([], ["--reference"], ["--schedule=serial"], ["--threads=2"], ["--check=race"]):
                self.assertEqual(self.total("--poison", "--isa", isa, *words), POISONED)

    def test_private_memory_is_the_same_everywhere(self):
        # An array in memory, a variable that is promoted, a field of a struct, a number that the optimiser leaves undefined.
        self.write("private.cl", """struct pair { int first; uchar second; };
kernel void k(global int* out, int n) {
  int several[4], one;
  struct pair both;
  if (n > 0) several[n] = 1;
  if (n > 100) one = both.first = both.second = 1;
  out[0] = several[n + 1];
  out[1] = one;
  out[2] = both.first;
  out[3] = both.second;
}
""")
        launch = ["private.cl", "-g", "1", "-a", "out=int:zero:4", "-a", "n=2", "-q", "--print", "out"]
        poison = f"out[0..3] = {0xa5a5a5a5 - 2 ** 32} {0xa5a5a5a5 - 2 ** 32} {0xa5a5a5a5 - 2 ** 32} {0xa5}\n"
        for isa in self.instruction_sets():
            for words in ([], ["--reference"], ["--schedule=random", "--seed=3"], ["--check=ub"], ["--check=race"]):
                level = ["--build-options", "-O0"]
                self.assertEqual(self.run_(*launch, *level, "--poison", "--isa", isa, *words).stdout, poison)
                self.assertEqual(self.run_(*launch, *level, "--isa", isa, *words).stdout, "out[0..3] = 0 0 0 0\n")

    def test_launch_files_and_suites(self):
        text = f"""module total.cl
kernel total
global 8
local 8
arg out = int:zero:1
arg part = local:32
launch
expect out = 7
"""
        self.write("as_it_is.launch", text)
        self.write("on.launch", text.replace("= 7", f"= {POISONED}") + "poison on\n")
        self.write("off.launch", text + "poison off\n")
        self.run_("as_it_is.launch")
        self.run_("on.launch")
        self.run_("on.launch", "--poison=off", code=1)
        self.has(self.call("test", "-v", self.folder, code=1).stdout, "2 of 3 tests passed, 1 failed",
                 "memory that nothing has written is poisoned, as by 'transpire run --poison'")
        self.call("test", self.folder / "as_it_is.launch", "--run-options=--poison=off")
        self.refused(["on.launch", "--poison=some"], "TSP-C0020")

    def test_fuzz_tells_of_a_forgotten_initialisation(self):
        fuzz = ["fuzz", "total.cl", *FORGOTTEN_LAUNCH, "--runs", "3"]
        self.has(self.call(*fuzz, code=1).stderr, "'out[0]' is", f"= {POISONED}, by --schedule=serial --poison: store at",
                 "help: the value depends on memory that nothing has written, not on the order. Such memory")
        self.assertIn("no difference", self.call(*fuzz, "--poison=off").stdout)
        self.assertIn("no difference", self.call(*fuzz, "--poison").stdout)
        # A difference of orders is still one.
        self.write("turn.cl", "kernel void turn(global uint* x) { x[get_global_id(0)] = x[(get_global_id(0) + 1) % 64]; }")
        found = self.call("fuzz", "turn.cl", "-g", "64", "-l", "64", "-a", "x=uint:range:0:1:64", "--runs", "1", code=1)
        self.assertNotIn("not on the order", found.stderr)
        # A saved launch gives the same result again.
        self.call(*fuzz, "--save", "again.launch", code=1)
        self.run_("again.launch", code=1)
        # So it does in `transpire test`, where memory is poisoned unless the launch says otherwise.
        self.assertIn("\npoison off\n", (self.folder / "again.launch").read_text())
        self.assertIn("expected -1515870804, found 7", self.call("test", "-v", self.folder / "again.launch", code=1).stdout)


@needs_compiler
class Kept(Case):
    """Modules of sources are kept where the OpenCL driver keeps its own."""

    def setUp(self):
        super().setUp()
        self.calls = self.folder / "calls"
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache"), "TRANSPIRE_CACHE": "",
                            "TRANSPIRE_CL_CACHE": ""}
        named = {name: os.environ.get(name, "") for name in ("TRANSPIRE_CLANG", "TRANSPIRE_LLVM_SPIRV")}
        pair = next(((clang, translator) for clang, translator in (("clang-15", "llvm-spirv-15"), ("clang-14", "llvm-spirv-14"))
                     if shutil.which(clang) and shutil.which(translator)), None)
        clang, translator = (named["TRANSPIRE_CLANG"], named["TRANSPIRE_LLVM_SPIRV"]) if all(named.values()) else pair or (None, None)
        if clang is None:
            self.skipTest("needs clang and llvm-spirv by name")
        wrapper = self.write("counted-clang", f"#!/bin/sh\necho \"$@\" >> {self.calls}\nexec {shutil.which(clang)} \"$@\"\n")
        wrapper.chmod(0o755)
        self.environment |= {"TRANSPIRE_CLANG": str(wrapper), "TRANSPIRE_LLVM_SPIRV": shutil.which(translator)}
        self.write("k.cl", '#include "n.h"\nkernel void k(global int* a) { a[0] = N; }\n')
        self.write("n.h", "#define N 1\n")

    def compiled(self, value, *words, **variables):
        """Runs the kernel, which stores the value. Whether a compiler was run for it."""
        self.calls.unlink(missing_ok=True)
        done = subprocess.run([TRANSPIRE, "run", "k.cl", "-g", "1", "-a", "a=int:zero:1", "-q", "--print", "a", *words],
                              cwd=self.folder, env={**self.environment, **variables}, capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, f"a[0] = {value}\n")
        calls = self.calls.read_text().splitlines() if self.calls.exists() else []
        # With -E a source is only preprocessed, to see whether what it includes is as it was.
        return any(" -c " in f" {call} " and " -E" not in call for call in calls)

    def test_second_run_does_not_compile(self):
        self.assertTrue(self.compiled(1))
        self.assertFalse(self.compiled(1))
        self.assertTrue(any(pathlib.Path(self.folder / "cache" / "transpire").glob("*.spvcache")))
        self.write("n.h", "#define N 2\n")
        self.assertTrue(self.compiled(2))
        self.assertFalse(self.compiled(2))
        self.assertTrue(self.compiled(2, "--build-options", "-DM=1"))
        self.assertTrue(self.compiled(2, "--check=uninit"))
        self.assertFalse(self.compiled(2, "--check=uninit"))
        self.write("n.h", "#define N 1\n")
        self.assertFalse(self.compiled(1))  # as it was before

    def test_environment_decides(self):
        for variables in ({"TRANSPIRE_CL_CACHE": "0"}, {"TRANSPIRE_CACHE": "0"}):
            self.assertTrue(self.compiled(1, **variables))
            self.assertTrue(self.compiled(1, **variables))
        self.assertFalse((self.folder / "cache").exists())
        elsewhere = str(self.folder / "elsewhere")
        self.assertTrue(self.compiled(1, TRANSPIRE_CACHE=elsewhere))
        self.assertFalse(self.compiled(1, TRANSPIRE_CACHE=elsewhere))
        self.assertFalse((self.folder / "cache").exists())
        for variable, value, message in [("TRANSPIRE_CL_CACHE", elsewhere, f"error[TSP-C0033]: '{elsewhere}' in TRANSPIRE_CL_CACHE means nothing"),
                                         ("TRANSPIRE_CACHE", "/proc/cache", "error[TSP-C0024]: '/proc/cache' in TRANSPIRE_CACHE is no folder")]:
            done = subprocess.run([TRANSPIRE, "compile", "k.cl", "-o", "k.spv"], cwd=self.folder, capture_output=True, text=True,
                                  timeout=PATIENCE, check=False, env={**self.environment, variable: value})
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.count(message), 1, done.stderr)

    def test_a_source_alone_runs_no_compiler_at_all(self):
        self.write("k.cl", "kernel void k(global int* a) { a[0] = 3; }\n")
        self.assertTrue(self.compiled(3))
        self.assertFalse(self.compiled(3))
        self.assertFalse(self.calls.exists() and " -c " in self.calls.read_text())


if __name__ == "__main__":
    main()
