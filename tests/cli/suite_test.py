#!/usr/bin/env python3
"""`transpire test` and `--bless` from the outside.

usage: suite_test.py TRANSPIRE REPOSITORY
"""
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import time
import xml.etree.ElementTree as ElementTree

from support import KERNELS, PATIENCE, TRANSPIRE, Case, children_of, expanded, main, wait_until, within_growing_limits

GOOD = f"""module {KERNELS}
kernel saxpy
global 8
arg y = float:range:0:1:8
arg x = float:fill:2:8
arg a = 3
expect y[0..1] = 6 7
"""
WRONG = GOOD.replace("= 6 7", "= 6 8")
FAULTY = GOOD.replace("range:0:1:8", "range:0:1:4")
HANGS = expanded(TRANSPIRE, """;! kernel k
;! global 1
kernel k()
%count = OpVariable %_ptr_Function_uint Function
OpStore %count %uint_1
OpBranch %loop
%loop = OpLabel
%before = OpLoad %uint %count Volatile
%next = OpIAdd %uint %before %uint_1
OpStore %count %next Volatile
OpBranch %loop
""")


class Suites(Case):
    def make(self, **files):
        for name, text in files.items():
            path = self.folder / name.replace("__", "/").replace("_L", ".launch")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def suite(self, *words, code=0):
        return self.call("test", *words, code=code)

    def test_what_is_found(self):
        self.make(a_L=GOOD, b__c_L=GOOD, b___hidden__d_L=GOOD)
        (self.folder / "notes.json").write_text('{"name": "package"}')
        (self.folder / "broken.json").write_text('{"modules": ')
        (self.folder / "plain.cl").write_text("kernel void k() {}\n")
        (self.folder / "own.cl").write_text("//! kernel k\n//! global 1\nkernel void k() {}\n")
        (self.folder / "launch.json").write_text(json.dumps({"modules": [KERNELS], "steps": []}))
        os.symlink("a.launch", self.folder / "z.launch")
        os.symlink(".", self.folder / "b" / "round")
        (self.folder / "b" / ".hidden").mkdir(exist_ok=True)
        (self.folder / "b" / ".hidden" / "d.launch").write_text(GOOD)
        found = self.suite(".", "--list").stdout.split()
        self.assertEqual(found, ["a.launch", "b/_hidden/d.launch", "b/c.launch", "launch.json", "own.cl"])
        self.assertEqual(self.suite("b/c.launch", "b", ".", "--list", "--filter", "c.l").stdout, "b/c.launch\n")
        self.assertEqual(self.suite(".", "--list", "--filter", "?.launch").stdout, "a.launch\n")
        self.assertEqual(self.suite(".", "--list", "--filter", "b/*", "--filter", "own").stdout.split(),
                         ["b/_hidden/d.launch", "b/c.launch", "own.cl"])

    def test_nothing_to_run_is_no_success(self):
        (self.folder / "empty").mkdir()
        self.assertIn("nothing in 'empty' describes a launch", self.suite("empty", code=2).stderr)
        self.assertIn("there is no such file", self.suite("missing", code=2).stderr)
        self.make(a_L=GOOD)
        self.assertIn("none of 1 tests", self.suite(".", "--filter", "b", code=2).stderr)

    def test_shards_are_the_whole(self):
        self.make(**{f"t{i}_L": GOOD for i in range(5)})
        parts = [self.suite(".", "--list", "--shard", f"{i}/3").stdout.split() for i in (1, 2, 3)]
        self.assertEqual(sorted(sum(parts, [])), [f"t{i}.launch" for i in range(5)])
        self.assertEqual([len(part) for part in parts], [2, 2, 1])
        self.assertIn("0 of 0 tests passed", self.suite("t0.launch", "--shard", "2/2").stdout)
        for wrong in ("0/2", "3/2", "2", "a/b", "1/0"):
            self.assertIn("is no shard", self.suite(".", "--shard", wrong, code=2).stderr)

    def test_results_and_places(self):
        self.make(good_L=GOOD, wrong_L=WRONG, faulty_L=FAULTY, nonsense_L="nonsense\n")
        text = self.suite(".", code=1).stdout
        self.has(text, "failed: wrong.launch", "--> wrong.launch:7:8\n",
                 "y[1]: expected 8, found 7 (difference -1, 2097152 ulp)", "failed: faulty.launch", "broken: nonsense.launch")
        self.assertNotIn("passed: good.launch", text)
        self.assertRegex(text, r"1 of 4 tests passed, 2 failed, 1 broken \(\d+\.\d\d s\)\n$")
        self.assertIn("passed: good.launch", self.suite("good.launch", "-v", "-j", "1").stdout)

    def test_the_first_mismatches_are_shown(self):
        self.make(all_L=GOOD.replace(":8", ":100").replace("global 8", "global 100").replace("y[0..1] = 6 7", "y = fill:0"))
        text = self.suite(".", code=1).stdout
        self.assertEqual(text.count(": expected 0, found"), 8)
        self.has(text, "= y[7]: expected 0, found 13", "= and 92 more\n")
        problem = self.json_of("test", ".", code=1)["tests"][0]["problems"][0]
        self.assertEqual((problem["different"], len(problem["mismatches"])), (100, 64))

    def test_json(self):
        self.make(good_L=GOOD, wrong_L=WRONG)
        document = self.json_of("test", ".", code=1)
        outcomes = {test["path"]: test["outcome"] for test in document["tests"]}
        self.assertEqual(outcomes, {"good.launch": "passed", "wrong.launch": "failed"})
        problem = document["tests"][1]["problems"][0]
        self.assertEqual(problem["different"], 1)
        self.assertEqual(problem["mismatches"],
                         [{"buffer": "y", "element": 1, "expected": "8", "found": "7", "ulp": 2097152}])
        run = self.json_of("run", "wrong.launch", code=1)
        self.assertEqual(run["expectations"]["failures"][0]["mismatches"], problem["mismatches"])

    def test_junit(self):
        self.make(good_L=GOOD, wrong_L=WRONG, nonsense_L="non<s>ense & \x01\n")
        self.suite(".", "--junit", "out.xml", code=1)
        root = ElementTree.parse(self.folder / "out.xml").getroot()
        self.assertEqual({key: root.get(key) for key in ("tests", "failures", "errors", "skipped")},
                         {"tests": "3", "failures": "1", "errors": "1", "skipped": "0"})
        cases = {case.get("name"): case for case in root.iter("testcase")}
        self.assertEqual(len(cases["good.launch"]), 0)
        failure = cases["wrong.launch"].find("failure")
        self.assertEqual(failure.get("type"), "TSP-C0023")
        self.assertIn("wrong.launch:7:8: 1 of 2 values", failure.get("message"))
        self.assertIn("y[1]: expected 8, found 7", failure.text)
        self.assertIn("non<s>ense", cases["nonsense.launch"].find("error").get("message"))
        self.assertIn("cannot write", self.suite("good.launch", "--junit", "no/such/out.xml", code=2).stderr)

    def test_tap(self):
        self.make(good_L=GOOD, wrong_L=WRONG)
        lines = self.suite(".", "--format", "tap", code=1).stdout.splitlines()
        self.assertEqual(lines[:4], ["TAP version 14", "1..2", "ok 1 - good.launch", "not ok 2 - wrong.launch"])
        self.assertEqual(lines[4], "  ---")
        self.assertEqual(lines[-1], "  ...")
        self.assertTrue(any('{buffer: "y", element: 1, expected: "8", found: "7", ulp: 2097152}' in line for line in lines))

    def test_github(self):
        self.make(wrong_L=WRONG, faulty_L=FAULTY)
        text = self.suite(".", "--github", code=1).stdout
        self.assertRegex(text, r"(?m)^::error file=wrong\.launch,line=7,col=8,title=TSP-C0023 in wrong\.launch::1 of 2 "
                               r"values of 'y' differ from what was expected exactly%0Ay\[1\]: expected 8, found 7")
        self.assertRegex(text, rf"(?m)^::error file={re.escape(KERNELS)},line=\d+,col=\d+,title=TSP-R0020 in faulty")
        done = self.suite("wrong.launch", "--github", "--format=json", code=1)
        self.assertEqual(json.loads(done.stdout)["exit_code"], 1)
        self.assertTrue(done.stderr.startswith("::error "))

    def test_time_limit_says_where(self):
        self.make(good_L=GOOD)
        (self.folder / "hangs.spvasm").write_text(HANGS)

        def attempt(seconds):
            text = self.suite(".", "--timeout", f"{seconds}s", code=1).stdout
            self.has(text, "time limit: hangs.spvasm", f"the test took more than {seconds} s")
            return "TSP-L0008" in text and "1 of 2 tests passed, 1 beyond the time limit" in text

        self.assertTrue(within_growing_limits(0.5, attempt))

    def test_a_run_that_ends_without_a_report(self):
        (self.folder / "hangs.spvasm").write_text(HANGS)
        with subprocess.Popen([TRANSPIRE, "test", ".", "--timeout", f"{PATIENCE}s", "--format=json"], cwd=self.folder,
                              stdout=subprocess.PIPE, text=True) as suite:
            self.assertTrue(wait_until(lambda: suite.poll() is not None or children_of(suite.pid)))
            time.sleep(0.5)
            os.kill(children_of(suite.pid)[0], signal.SIGKILL)
            document = json.loads(suite.communicate(timeout=PATIENCE)[0])
        self.assertEqual(suite.returncode, 1)
        test = document["tests"][0]
        self.assertEqual(test["outcome"], "crashed")
        self.assertEqual(test["problems"][0]["rule"], "TSP-C0041")
        self.assertIn("ended by signal 9", test["problems"][0]["notes"])

    def test_ctrl_c(self):
        (self.folder / "hangs.spvasm").write_text(HANGS)
        self.make(z_L=GOOD)
        with subprocess.Popen([TRANSPIRE, "test", ".", "-j", "1", "--timeout", "0"], cwd=self.folder,
                              stdout=subprocess.PIPE, text=True) as suite:
            self.assertTrue(wait_until(lambda: suite.poll() is not None or children_of(suite.pid)))
            suite.send_signal(signal.SIGINT)
            text = suite.communicate(timeout=PATIENCE)[0]
        self.assertEqual(suite.returncode, 130)
        self.assertIn("0 of 2 tests passed, 2 not run", text)
        running = subprocess.run(["pgrep", "-f", str(self.folder)], capture_output=True, text=True, check=False)
        self.assertEqual(running.stdout, "")

    def test_run_options(self):
        self.make(good_L=GOOD)
        self.suite(".", "--run-options", "--check bounds --threads 2")
        self.assertIn("broken: good.launch", self.suite(".", "--run-options", "--isa none", code=1).stdout)
        self.assertIn("quote", self.suite(".", "--run-options", "'a", code=2).stderr)


class Blessing(Case):
    def test_values_keep_their_form(self):
        text, shown = self.bless("a.launch", GOOD.replace(
            "expect y[0..1] = 6 7\n",
            "expect y[0..1] ~ 1ulp = 1 2   # both\n  expect y[2..3] = float:data:0,0\nexpect x = fill:7\n"
            "expect y[4..5] = bytes:hex:0000000000000000\nexpect y[6..7] = float:hex:0x0,0x0\n"))
        self.assertIn("expect y[0..1] ~ 1ulp = 6 7   # both\n  expect y[2..3] = float:data:8,9\nexpect x = fill:2\n", text)
        self.assertIn("\na.launch:7\n- expect y[0..1] ~ 1ulp = 1 2   # both\n+ expect y[0..1] ~ 1ulp = 6 7   # both\n", shown)

    def test_a_wrong_number_of_values(self):
        text, _ = self.bless("a.launch", GOOD.replace("y[0..1] = 6 7", "y = 1 2 3"))
        self.assertIn("expect y = 6 7 8 9 10 11 12 13\n", text)

    def test_files_and_long_buffers(self):
        (self.folder / "y.bin").write_bytes(bytes(32))
        self.call("run", *[KERNELS, "-k", "saxpy", "-g", "8", "-a", "y=float:zero:8", "-a", "x=float:zero:8", "-a", "a=3"],
                  "--out", "y=y.npy")
        before = GOOD.replace("y[0..1] = 6 7", "y = file:y.bin\nexpect y = npy:y.npy")
        text, shown = self.bless("a.launch", before)
        self.assertEqual(text, before)
        self.assertIn("y.bin: 32 bytes\n", shown)
        long = GOOD.replace(":8", ":1000").replace("global 8", "global 1000").replace("y[0..1] = 6 7", "y = 1")
        text, _ = self.bless("long.launch", long)
        self.assertIn("expect y = npy:long.y.npy\n", text)

    def test_files_that_are_not_there_yet(self):
        text = GOOD.replace("y[0..1] = 6 7", "y ~ 1e-5 = npy:new.npy\nexpect y[0..3] = file:new.bin\nexpect x = bytes:file:x.bin")
        self.write("a.launch", text)
        self.has(self.call("run", "a.launch", code=2).stderr, "error[TSP-C0001]: cannot read",
                 "'--bless' makes the file of what comes out")
        after, shown = self.bless("a.launch", text)
        self.assertEqual(after, text)
        self.has(shown, "new.npy: ", "new.bin: 16 bytes\n")
        self.assertIn(b"'descr': '<f4', 'fortran_order': False, 'shape': (8,)", (self.folder / "new.npy").read_bytes())
        self.assertEqual((self.folder / "x.bin").read_bytes(), struct.pack("<8f", *[2] * 8))
        (self.folder / "new.npy").unlink()
        self.call("run", "a.launch", "--bless")
        self.call("run", "a.launch")

    def test_wrong_values_are_no_matter_of_blessing(self):
        """Only what rounding may explain is."""
        def advice(expectation):
            self.write("a.launch", GOOD.replace("y[0..1] = 6 7", expectation))
            return self.call("run", "a.launch", code=1).stderr
        for far in ("y[0..1] = 6 8", "y[0..1] = 6 -7", "y[0..1] = 6 nan", "y[0..1] ~ 1e-3 = 6.1 7", "y[0] = uint:data:5", "x = fill:3"):
            self.assertIn("help: rounding does not explain this: 'transpire run --check=all' looks for mistakes", advice(far), far)
            self.assertNotIn("--bless", advice(far))
        for near in ("y[0..1] = 6 7.000001", "y[0..1] ~ 1ulp = 5.9999 7"):
            self.assertIn("'transpire test --bless' takes what came out", advice(near), near)
            self.assertNotIn("--check", advice(near))
        error = self.call("run", "a.launch", "--expect", "y[0] = 9", "--check=all", code=1).stderr
        self.assertIn("rounding does not explain this, and no check found why", error)

    def test_faults_come_and_go(self):
        text, _ = self.bless("a.launch", FAULTY.replace("expect y[0..1] = 6 7\n", "expect fault TSP-R0001 on x\n"))
        self.assertNotIn("TSP-R0001", text)
        self.assertIn("expect fault TSP-R0020 on y at 4,0,0\nexpect fault TSP-R0021 on y at 4,0,0\n", text)

    def test_refusals(self):
        recursion = (self.folder / "k.cl")
        recursion.write_text("kernel void k(global int* p) { p[0] = undeclared; }\n")
        text, _ = self.bless("a.launch", "module k.cl\nglobal 1\narg p = int:zero:1\nexpect refused TSP-U0005\n")
        self.assertIn("expect refused TSP-C0030\n", text)
        self.assertNotIn("U0005", text)

    def test_lines_in_a_source(self):
        text, _ = self.bless("k.cl", """//! kernel k
  //! global 2
//! arg p = int:zero:2
//! expect printf "one\\n"
//! expect printf "two\\n"
//! expect p = 1
kernel void k(global int* p) {
  int i = get_global_id(0);
  p[i] = i + 5;
  if (i == 0) printf("three\\n");
}
""")
        self.assertIn('//! expect printf "three\\n"\n//! expect p = 5 6\nkernel void', text)

    def test_what_cannot_be_blessed(self):
        shutil.copy(KERNELS, self.folder / "k.spv")
        sim = self.write("a.sim", "k.spv saxpy 8 1 1 8 1 1\n<size=4 float fill=1>\n<size=32 float fill=1>\n<size=32 float fill=1>\n")
        self.has(self.call("run", sim, "--bless", code=2).stderr, "has no words for what is expected")
        self.write("bad.launch", GOOD.replace("saxpy", "nothing"))
        self.assertIn("nothing that a launch file can expect", self.call("test", "bad.launch", "--bless", code=1).stdout)
        good = self.write("good.launch", GOOD)
        self.assertIn("stands in no file", self.call("run", good, "--expect", "y[0] = 5", "--bless", code=2).stderr)
        self.assertEqual(good.read_text(), GOOD)
        self.assertIn("nothing to change", self.call("run", good, "--bless").stdout)


if __name__ == "__main__":
    main()
