#!/usr/bin/env python3
"""What a device would refuse, `run`, launch files and `test` refuse, unless they are lenient.

usage: device_rules_test.py TRANSPIRE REPOSITORY
"""
import json
import shutil
import unittest

from support import Case, main

NUMBERS = "kernel void k(global int* y) { y[get_global_id(0)] = get_local_size(0); }\n"
SHAPED = "__attribute__((reqd_work_group_size(4, 1, 1))) " + NUMBERS
LOCAL = """kernel void k(global int* y, local int* scratch) {
  local int own[8192];
  own[get_local_id(0)] = scratch[0] = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = own[0];
}
"""
CAST = """void put(global int* to, int i) { to[i] = i; }
kernel void k(global const int* x, global int* y) {
  put((global int*)x, get_global_id(0));
  y[get_global_id(0)] = x[0];
}
"""
UNEVEN = "the work-group size (4) does not divide the global size (10)"


@unittest.skipIf(not any(shutil.which(name) for name in ["clang", "clang-15"]), "clang is not installed")
class DeviceRules(Case):
    def kernel(self, text, name="k.cl"):
        return [self.write(name, text), "-a", "y=int:zero:10", "--print", "y"]

    def test_sizes_that_do_not_divide(self):
        words = self.kernel(NUMBERS)
        sizes = ["-g", 10, "-l", 4]
        error = self.run_(*words, *sizes, code=2).stderr
        self.assertIn(f"error[TSP-C0005]: {UNEVEN}", error)
        self.assertIn("'lenient' runs it all the same", error)
        done = self.run_(*words, *sizes, "--lenient")
        self.assertIn("y[0..9] = 4 4 4 4 4 4 4 4 2 2\n", done.stdout)
        self.assertIn(f"warning[TSP-C0005]: {UNEVEN}", done.stderr)
        self.assertIn("= 4 4 4 4 4 4 4 4 2 2\n", self.run_(*words, *sizes, "--build-options=-cl-std=CL2.0").stdout)
        self.refused([*words, *sizes, "--build-options=-cl-std=CL2.0 -cl-uniform-work-group-size"], "TSP-C0005")
        self.assertEqual(self.run_(*words, "-g", 8, "-l", 4).stderr, "")

    def test_the_translated_module_is_judged_alike(self):
        source = self.write("k.cl", NUMBERS)
        self.call("compile", source, "-o", "old.spv")
        self.call("compile", source, "-o", "new.spv", "--build-options=-cl-std=CL2.0")
        rest = ["-g", 10, "-l", 4, "-a", "y=int:zero:10"]
        self.refused(["old.spv", *rest], UNEVEN)
        self.run_("old.spv", *rest, "--lenient")
        self.run_("new.spv", *rest)

    def test_what_is_warned_of_once(self):
        done = self.run_(*self.kernel(NUMBERS), "-g", 10, "-l", 4, "--lenient", "--repeat", 3)
        self.assertEqual(done.stderr.count("C0005"), 1)
        document = self.json_of("run", *self.kernel(NUMBERS), "-g", 10, "-l", 4, "--lenient")
        self.assertEqual([warning["rule"] for warning in document["warnings"]], ["TSP-C0005"])

    def test_required_sizes(self):
        for more in [[], ["--lenient"]]:  # no freedom there
            self.refused([*self.kernel(SHAPED), "-g", 8, "-l", 8, *more],
                         "kernel 'k' requires the work-group size (4,1,1), found (8)")
        self.refused([*self.kernel(SHAPED), "-g", 10], "(4) does not divide the global size (10)")
        self.assertIn("2 2\n", self.run_(*self.kernel(SHAPED), "-g", 10, "--lenient").stdout)
        self.refused([*self.kernel(NUMBERS), "-g", 8192, "-l", 8192], "at most 4096 work-items")

    def test_local_memory(self):
        words = [*self.kernel(LOCAL), "-g", 10, "-l", 5]
        self.assertIn("= 5 5", self.run_(*words, "-a", "scratch=local:32768").stdout)
        self.refused([*words, "-a", "scratch=local:32772"], "a work-group of kernel 'k' has 65540 bytes of local memory")
        done = self.run_(*words, "-a", "scratch=local:32772", "--lenient")
        self.assertIn("= 5 5", done.stdout)
        self.assertIn("warning[TSP-C0005]: a work-group of kernel 'k' has 65540 bytes", done.stderr)

    def test_samplers(self):
        text = ", ".join(f"sampler_t s{i}" for i in range(33))
        words = [*self.kernel(f"kernel void k(global int* y, {text}) {{ y[get_global_id(0)] = 5; }}\n"), "-g", 10]
        for i in range(33):
            words += ["-a", f"s{i}=sampler nearest"]
        self.refused(words, "kernel 'k' has 33 parameters that are samplers")
        done = self.run_(*words, "--lenient")
        self.assertIn("= 5 5", done.stdout)
        self.assertIn("warning[TSP-C0005]: kernel 'k' has 33 parameters that are samplers", done.stderr)

    def test_const_arguments(self):
        words = [*self.kernel(CAST), "-g", 2, "-a", "x=int:fill:7:2"]
        done = self.run_(*words, "--print", "x", code=4)
        self.assertIn("error[TSP-R0025]", done.stderr)
        self.assertRegex(done.stderr, r"k\.cl:1:\d+\n   \| void put")
        self.assertIn("x[0..1] = 7 7\n", done.stdout, "the store is not done")
        done = self.run_(*words, "--print", "x", "--lenient")
        self.assertIn("x[0..1] = 0 1\n", done.stdout)
        self.assertRegex(done.stderr,
                         r"warning\[TSP-R0025\]: store through argument 'x' of kernel 'k', which is const\n  --> .*k\.cl:1:\d+\n   \| void put")
        fine = "kernel void k(global const int* x, global int* y) { y[get_global_id(0)] = x[0]; }\n"
        self.assertEqual(self.run_(*self.kernel(fine), "-g", 2, "-a", "x=int:fill:7:2", "--lenient").stderr, "")

    def test_choices_between_const_arguments(self):
        head = "kernel void k(global const int* x, global const int* z, global int* y, int which) "
        bodies = {"select": "{ global int* p = which ? (global int*)x : (global int*)z; p[get_global_id(0)] = 1; }",
                  "branch": "{ global int* p = (global int*)x; if (which > 1) { y[0] = 3; p = (global int*)z + 1; } *p = 1; }",
                  "loop": "{ for (global int* p = (global int*)x; p != x + which; p++) *p = y[0]; }",
                  "function": "{ *pick(x, z, which) = 1; }"}
        head = "global int* pick(global const int* a, global const int* b, int i) { if (i == 2) return (global int*)a; return (global int*)b; }\n" + head
        words = ["-g", 1, "-a", "x=int:fill:7:2", "-a", "z=int:fill:7:2", "-a", "y=int:zero:2", "-a", "which=2", "--print", "x", "--print", "z"]
        for name, body in bodies.items():
            for more in [[], ["--check", "ub"], ["--reference"]]:
                with self.subTest(name, more=more):
                    path = self.write(f"{name}.cl", head + body + "\n")
                    done = self.run_(path, *words, *more, code=4)
                    self.assertIn("error[TSP-R0025]", done.stderr)
                    self.assertIn("x[0..1] = 7 7\nz[0..1] = 7 7\n", done.stdout)
                    done = self.run_(path, *words, *more, "--lenient")
                    self.assertIn("warning[TSP-R0025]: store through argument", done.stderr)
        # Where another argument may be meant, nobody is refused.
        mixed = "{ global int* p = which ? y : (global int*)x; p[get_global_id(0)] = 1; }\n"
        self.assertEqual(self.run_(self.write("mixed.cl", head + mixed), *words).stderr, "")

    def test_launch_files(self):
        self.write("k.cl", NUMBERS)
        text = "module k.cl\nglobal 10\nlocal 4\narg y = int:zero:10\n"
        self.refused([self.write("strict.launch", text)], "strict.launch:")
        self.assertIn(UNEVEN, self.run_(self.write("lenient.launch", text + "lenient\n")).stderr)
        self.run_(self.write("expected.launch", text + "expect refused TSP-C0005\n"))
        launch = {"kernel": "k", "global": [10], "local": [4], "arguments": {"y": "int:zero:10"}}
        description = {"modules": ["k.cl"], "lenient": True, "steps": [{"launch": launch}]}
        self.assertIn(UNEVEN, self.run_(self.write("k.json", json.dumps(description))).stderr)
        for path in self.folder.glob("*.json"):
            path.unlink()
        done = self.call("test", ".", code=1)
        self.assertIn("strict.launch", done.stdout)
        self.assertIn("2 of 3 tests passed, 1 broken", done.stdout)


if __name__ == "__main__":
    main()
