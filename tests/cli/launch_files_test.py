#!/usr/bin/env python3
"""Launch files from the outside, in both forms; slices, shared virtual memory, variables.

usage: launch_files_test.py TRANSPIRE REPOSITORY
"""
import json
import pathlib
import shutil
import struct

from support import EXAMPLES, KERNELS, MEMORY, SAXPY_LAUNCH, TRANSPIRE, Case, expanded, main, needs_compiler


class LaunchFiles(Case):
    def test_text(self):
        path = self.write("f.launch", SAXPY_LAUNCH)
        self.assertIn("y[0..1] = 8 9\n", self.run_(path, "--print", "y[7]").stdout)
        self.assertTrue((self.folder / "result.bin").exists())
        self.assertIn("2 expectations met", self.run_(path).stdout)

    @needs_compiler
    def test_kernels_that_enqueue_themselves(self):
        for threads in (1, 4):
            for more in ([], ["--reference"], ["--build-options", "-O0"], ["-a", "factor=1"], ["-a", "factor=4095"]):
                with self.subTest(threads=threads, more=more):
                    self.run_(EXAMPLES / "quicksort.launch", "--threads", threads, *more)

    @needs_compiler
    def test_endings_of_sources(self):
        lines = "//! kernel k\n//! global 3\n//! arg y = int:zero:3\n//! expect y = 0 2 4\n"
        plain = "kernel void k(global int *y) { size_t i = get_global_id(0); y[i] = 2 * i; }\n"
        cpp = ("template <class T> T twice(T x) { return x + x; }\n"
               "kernel void k(global int *y) { int i = get_global_id(0); y[i] = twice(i); }\n")
        for ending, source in [("cl", plain), ("CL", plain), ("ocl", plain), ("clcpp", cpp)]:
            with self.subTest(ending=ending):
                path = self.write(f"k.{ending}", lines + source)
                self.assertIn("1 expectation met", self.run_(path).stdout)
                self.run_(path, "-k", "k", "-g", "3", "-a", "y=int:zero:3")
                self.assertIn("kernel k", self.call("info", path).stdout)
                self.call("validate", path)
                self.call("compile", path, "-o", "k.spv")
                self.run_("k.spv", "-k", "k", "-g", "3", "-a", "y=int:zero:3")
        self.assertIn("4 of 4 tests passed", self.call("test", ".").stdout)
        self.assertIn("error", self.run_("k.clcpp", "--build-options", "-cl-std=CL2.0", code=3).stderr)
        self.call("compile", self.write("k.c", plain), "-o", "x.spv", code=2)

    def test_a_name_tells_nothing(self):
        self.run_(self.write("file", SAXPY_LAUNCH))

    def test_embedded(self):
        text = pathlib.Path(KERNELS).read_text()
        lines = "".join(f";! {line}\n" for line in SAXPY_LAUNCH.splitlines()[1:])
        self.run_(self.write("k.spvasm", lines + text))
        bad = self.write("bad.spvasm", text + ";! kernal saxpy\n")
        self.assertRegex(self.run_(bad, code=2).stderr, r"bad\.spvasm:\d+:\d")

    def test_sim(self):
        self.write("k.spvasm", pathlib.Path(KERNELS).read_text())
        path = self.write("f.sim", "k.spvasm saxpy\n4 1 1\n2 1 1\n<size=16 range=0:1:3 dump>\n<size=16> 1 2 3 4\n"
                                   "<size=4>\n2\n")
        self.assertEqual(self.run_(path, "-q").stdout,
                         "\nArgument 'y': 16 bytes\n  y[0] = 2\n  y[1] = 5\n  y[2] = 8\n  y[3] = 11\n\n")

    def test_sim_access_and_signs(self):
        text = expanded(TRANSPIRE, """%words = OpString "kernel_arg_type.signs.int*,int*,"
kernel signs(%_ptr_CrossWorkgroup_uint from to)
%pairs = OpBitcast %_ptr_CrossWorkgroup__arr_uint_2 %from
%at = OpAccessChain %_ptr_CrossWorkgroup_uint %pairs %uint_3
%x = OpLoad %uint %at
OpStore %to %x
%y = OpLoad %uint %to
%next = OpPtrAccessChain %_ptr_CrossWorkgroup_uint %to %ulong_1
OpStore %next %y
""")
        self.write("k.spvasm", text)
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

    def test_all_checks(self):
        self.write("k.cl", "kernel void k(global int* a) { a[0] = get_global_id(0); a[2] = 7 / a[1]; }\n")
        words = ["k.cl", "-g", 2, "-a", "a=int:zero:3"]
        self.run_(*words)
        for check in ["all", "ub,race", "none,all"]:
            self.run_(*words, f"--check={check}", "--expect", "fault TSP-R0060", "--expect", "fault TSP-R0100 on a")
        file = self.write("f.launch", "module k.cl\nkernel k\nglobal 2\narg a = int:zero:3\ncheck al\n")
        self.has(self.run_(file, code=2).stderr, "there is no check 'al'", "did you mean 'all'?")
        self.has(self.run_(*words, "--check=ub,rac", code=2).stderr, "did you mean 'race'?")

    def test_mistakes_have_places(self):
        self.assertIn("f.launch:1:1", self.run_(self.write("f.launch", "kernal k\n"), code=2).stderr)
        self.assertIn("f.json:1:", self.run_(self.write("f.json", "{"), code=2).stderr)
        self.assertIn("f.sim:1", self.run_(self.write("f.sim", "a b 1"), code=2).stderr)

    def test_examples(self):
        examples = shutil.copytree(EXAMPLES, self.folder / "examples")
        for path in sorted(examples.glob("*")):
            if path.suffix in {".launch", ".json"} or (path.suffix == ".cl" and "//!" in path.read_text()):
                with self.subTest(path.name):
                    self.run_(path)


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
    # Free in a process that a sanitizer watches, too: thread sanitizer keeps the default's range to itself.
    BASE = 0x7e8000000000
    LIST = f"""module {MEMORY}
kernel walk
global 1
shared nodes at {BASE + 0x300000:#x} = ulong:data:{BASE + 0x900010:#x},3
shared more at {BASE + 0x900000:#x} = ulong:data:0,0,0,4
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
        self.has(self.run_(self.write("f.launch", self.LIST)).stdout, "more[0..7] = 0 0 0 0 0 0 8 0\n")
        self.assertEqual((self.folder / "nodes.bin").read_bytes()[8:], struct.pack("<Q", 6))
        by_name = self.LIST.replace("list = shared", "list = shared nodes offset 0 #")
        self.run_(self.write("f.launch", by_name))
        self.run_(self.write("f.launch", f"shared-base {self.BASE + (1 << 37):#x}\n" + self.LIST), code=6)

    def test_shared_memory_that_cannot_be_had(self):
        taken = hex(self.BASE + 0x300000)
        twice = self.LIST.replace(f"more at {self.BASE + 0x900000:#x}", f"more at {taken}")
        error = self.run_(self.write("f.launch", twice), code=6).stderr
        self.assertIn(f"error[TSP-L0004]: no room for 32 bytes of 'more' at {taken}", error)
        error = self.run_(self.write("f.launch", "shared-base 0x123\n" + self.LIST), code=6).stderr
        self.assertIn("begins at a multiple of 1 MiB, found 0x123", error)
        lines = self.LIST.splitlines()
        asked = ("shared ", "expect ", "print ", "out ")
        without = "\n".join(line for line in lines if not line.startswith(asked)) + "\n"
        self.refused([self.write("f.launch", without)], "is a pointer to shared memory, and there is none")
        for line in ["shared nodes = ulong:zero:1", "shared nodes at = ulong:zero:1", "shared nodes at x = ulong:zero:1",
                     "shared at 0x200000000000 = ulong:zero:1", "shared n at 0x200000000000 = ulong:zero:1:ro"]:
            self.refused([self.write("f.launch", f"module {MEMORY}\n{line}\n")], "f.launch:2:")

    def test_variables(self):
        self.has(self.run_(self.write("f.launch", self.VARIABLES)).stdout, "counter[0] = 27\n", "3 expectations met")
        literal = self.VARIABLES.replace("data:1,10", "{1, 10}") + "variable counter = bytes:hex:05000000\n"
        self.run_(self.write("f.launch", literal))
        self.refused([self.write("f.launch", self.VARIABLES.replace("steps =", "step ="))], "did you mean 'steps'?")
        self.refused([self.write("f.launch", self.VARIABLES.replace("1,10", "1,2,3"))],
                     "variable 'steps' of type uint[2] has 8 bytes, the value has 12")

    @needs_compiler
    def test_a_buffer_of_an_earlier_launch_is_named(self):
        self.write("k.cl", """kernel void keep(global int *y, global ulong *kept) { kept[0] = (ulong)y; }
kernel void use(global ulong *kept) { ((global int *)kept[0])[1] = 5; }
""")
        start = """module k.cl
buffer kept = ulong:zero:1
buffer other = ulong:zero:1
kernel keep
global 1
arg y = int:zero:4
arg kept = buffer kept
launch
"""
        end = "kernel use\nglobal 1\narg kept = buffer kept\nlaunch\n"
        error = self.run_(self.write("f.launch", start + end), code=4).stderr
        self.assertRegex(error, r"error\[TSP-R0002\]: 4-byte store at address 0x[0-9a-f]+ of buffer 'y' of an earlier launch, which is no "
                                "argument of this one")
        self.assertIn("make the buffer one of them, or use shared memory", error)
        keep_old = "global 1\narg y = int:zero:4\narg kept = buffer other\nlaunch\n"
        error = self.run_(self.write("f.launch", start + keep_old + end), code=4).stderr
        self.assertIn("of buffer 'y' of an earlier launch, which is gone", error)
        # Nobody had this address.
        self.write("f.launch", "module k.cl\nkernel use\nglobal 1\narg kept = ulong:data:0x0123456789a00000\n")
        self.assertNotIn("earlier launch", self.run_("f.launch", code=4).stderr)

    @needs_compiler
    def test_modules_that_do_not_fit_each_other(self):
        self.write("a.cl", "float f(global float *p, int n);\nkernel void k(global float *p) { p[0] = f(p, 1); }\n")
        self.write("b.cl", "float f(global float *p) { return p[0]; }\n")
        error = self.run_(self.write("f.launch", "module a.cl\nmodule b.cl\nglobal 1\narg p = zero:1\n"), code=3).stderr
        self.assertRegex(error, r"error\[TSP-D0042\]: 'f' is float \(global float\*, uint\) where '\S*a.cl' declares it, and "
                                r"float \(global float\*\) where '\S*b.cl' defines it")
        self.assertIn("declare it with the type that it is defined with", error)
        self.has(self.run_("a.cl", "b.cl", "-k", "k", "-g", "1", "-a", "p=zero:1", code=3).stderr, "where 'a.cl' declares it")
        self.write("c.cl", "constant int f[4] = {1, 2, 3, 4};\n")
        self.write("d.cl", "extern constant float f[4];\nkernel void k(global float *p) { p[0] = f[1]; }\n")
        error = self.run_("d.cl", "c.cl", "-k", "k", "-g", "1", "-a", "p=zero:1", code=3).stderr
        self.assertIn("'f' is float[4] where 'd.cl' declares it, and uint[4] where 'c.cl' defines it", error)
        error = self.run_("b.cl", "b.cl", "-k", "k", "-g", "1", code=3).stderr
        self.assertIn("expected one definition of 'f', found several", error)
        self.assertIn("it is defined in 'b.cl, module 1 of 2' and in 'b.cl, module 2 of 2'", error)


if __name__ == "__main__":
    main()
