#!/usr/bin/env python3
"""NumPy arrays as arguments, texels and expectations: their types and shapes, conversions, and files read as bare bytes.

usage: arrays_test.py TRANSPIRE REPOSITORY
"""
import struct

from output_files_test import npy
from support import KERNELS, Case, main, needs_compiler

# y[i] += x[i] * a, of zeros: what a buffer holds before the launch, it holds afterwards.
LAUNCH = f"module {KERNELS}\nkernel saxpy\nglobal 1\narg y = zero:1\narg x = zero:1\narg a = 0\n"
IMAGE = "kernel void look(read_only image2d_t img) {}\n"


class Arrays(Case):
    def array(self, name, descr, form, *numbers, shape=None):
        (self.folder / name).write_bytes(npy(shape or f"({len(numbers)},)", descr, struct.pack(f"<{len(numbers)}{form}", *numbers)))

    def launched(self, *statements, code=0):
        return self.run_(self.write("f.launch", LAUNCH + "\n".join(statements) + "\n"), code=code)

    def test_expectations_are_of_the_buffer_s_type(self):
        self.array("i.npy", "<i4", "i", 0, 1, 2, 3)
        self.array("f.npy", "<f4", "f", 0, 1, 2, 3)
        for tolerance in ("", " ~ 1e-5", " ~ 1ulp", " ~ spec full"):
            self.has(self.launched("buffer f = float:zero:4", f"expect f{tolerance} = npy:i.npy", code=2).stderr,
                     "error[TSP-C0022]: ", "i.npy' holds int, where float is expected", "as float' converts its numbers")
        error = self.launched("buffer i = int:zero:4", "expect i = npy:f.npy", code=2).stderr
        self.assertIn("f.npy' holds float, where int is expected", error)
        self.launched("buffer u = uint:range:0:1:4", "expect u = npy:i.npy", "expect u ~ 0.5 = npy:i.npy")  # signs aside
        self.launched("buffer f = float4:range:0:1:1", "expect f = npy:f.npy", "expect f[0] ~ 1e-5 = npy:f.npy")
        self.launched("buffer f = float:zero:4", "expect f = npy:i.npy:raw", code=1)  # bits, by the user's word

    def test_other_widths(self):
        self.array("d.npy", "<f8", "d", 0, 1)
        self.array("h.npy", "<f2", "e", 0, 1)
        error = self.launched("buffer f = float:zero:4", "expect f ~ 1e-5 = npy:d.npy", code=2).stderr
        self.assertIn("d.npy' holds double, where float is expected", error)
        error = self.launched("buffer s = ushort:zero:2", "expect s = npy:h.npy", code=2).stderr
        self.assertIn("h.npy' holds half, where ushort is expected", error)

    def test_conversion(self):
        self.array("i.npy", "<i4", "i", -1, 16777217, 2, 3)
        self.array("d.npy", "<f8", "d", 0.1, -2.75, 3e9, 4)
        self.array("q.npy", "<i8", "q", -(2**63), 2**53 + 1, 2**62 + 1, 5)
        self.launched("buffer f = npy:i.npy as float", "expect f = -1 16777216 2 3",
                      "expect f ~ 1e-5 = npy:i.npy as float", "expect f = float:data:-1,16777216,2,3")
        self.launched("buffer f = npy:d.npy as float2", "expect f = (0.1, -2.75) (3e9, 4)")
        self.launched("buffer l = npy:d.npy as long", "expect l = 0 -2 3000000000 4")
        self.launched("buffer d = npy:q.npy as double", "expect d = -9223372036854775808 9007199254740992 4611686018427387904 5")
        self.launched("buffer h = npy:i.npy as half", "expect h = -1 inf 2 3")
        self.launched("buffer b = npy:i.npy as bool", "expect b = uchar:data:1,1,1,1")
        for name, to, why in [("i.npy", "uint", "number 0 of "), ("d.npy", "int", "number 2 of "), ("q.npy", "int", "number 0 of ")]:
            self.has(self.launched(f"buffer b = npy:{name} as {to}", code=2).stderr, "error[TSP-C0022]: " + why,
                     f"which {to} does not have")
        self.assertIn("'flaot' is no type", self.launched("buffer b = npy:i.npy as flaot", code=2).stderr)
        (self.folder / "as is.npy").write_bytes((self.folder / "i.npy").read_bytes())
        self.launched("buffer b = npy:as is.npy", "expect b = npy:as is.npy as int")

    def test_arguments(self):
        self.array("i.npy", "<i4", "i", 1)
        self.array("f.npy", "<f4", "f", 1.5)
        error = self.run_(KERNELS, "-k", "saxpy", "-g", "1", "-a", "y=npy:i.npy", "-a", "x=zero:1", "-a", "a=1", code=2).stderr
        self.assertIn("error[TSP-C0003]: argument 'y': the parameter points to float, the data are of type int", error)
        self.assertIn("'npy:i.npy as float' converts its numbers", error)
        error = self.run_(KERNELS, "-k", "saxpy", "-g", "1", "-a", "y=zero:1", "-a", "x=zero:1", "-a", "a=npy:i.npy",
                          code=2).stderr
        self.assertIn("argument 'a': float is expected, found int", error)
        self.run_(KERNELS, "-k", "saxpy", "-g", "1", "-a", "y=npy:i.npy as float", "-a", "x=fill:2:1", "-a", "a=npy:f.npy",
                  "--expect", "y = 4")

    def test_tolerances_are_about_numbers(self):
        """The bits of small floats taken for integers, or the other way round, are close to each other."""
        for value in ("float:zero", "float:data:0,0,0,0", "bytes:zero:16"):
            error = self.launched("buffer i = int:range:0:1:4", f"expect i ~ 1e-5 = {value}", code=2).stderr
            self.assertIn("a tolerance is about numbers: those of 'i' are of type int", error)
        self.launched("buffer i = int:data:0,1065353216", "expect i = float:data:0,1")  # bits
        self.launched("buffer b = bytes:zero:16", "expect b ~ 1e-5 = float:zero")  # which may be anything

    def test_complex_numbers(self):
        self.array("c.npy", "<c8", "f", 1, 2, 3, 4, shape="(2,)")
        self.launched("buffer z = npy:c.npy", "expect z = (1,2) (3,4)", "expect z ~ 1e-5 = npy:c.npy", "out z = z.npy")
        self.assertIn(b"'shape': (2, 2)", (self.folder / "z.npy").read_bytes())
        self.array("d.npy", "<c16", "d", 1, 2, 3, 4, shape="(2,)")
        self.launched("buffer z = npy:d.npy as float2", "expect z = npy:c.npy")

    def test_what_is_no_array_of_numbers(self):
        (self.folder / "f.npy").write_bytes(npy("(2, 3)", "<f4", bytes(24)).replace(b"False", b"True "))
        self.assertIn("f.npy' is no .npy file that can be used: it is in Fortran order",
                      self.launched("buffer f = npy:f.npy", code=2).stderr)
        for descr in ("<U4", "|O", "<f16", "|V16"):
            (self.folder / "t.npy").write_bytes(npy("(1,)", descr, bytes(16)))
            self.assertIn(f"its elements are '{descr}'", self.launched("buffer f = npy:t.npy", code=2).stderr)

    def test_files_read_as_bytes(self):
        self.array("i.npy", "<i4", "i", 1, 2)
        (self.folder / "p.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(8))
        (self.folder / "plain.bin").write_bytes(b"\x93NUMPY" + bytes(10))
        for value, what in [("file:i.npy", "a NumPy array"), ("bytes:file:i.npy", "a NumPy array"), ("float:file:p.png", "a picture")]:
            prefix = "" if value[0] == "b" or value.startswith("float") else "float:"
            error = self.launched(f"buffer f = {prefix}{value}").stderr
            self.has(error, "warning[TSP-C0045]: ", f"is {what}: 'file:' takes its header for data")
        self.assertIn("TSP-C0045", self.launched("buffer f = int:zero:34", "expect f = file:i.npy", code=1).stderr)
        self.assertNotIn("C0045", self.launched("buffer f = bytes:file:plain.bin").stderr)
        self.write("g.launch", LAUNCH + "buffer f = bytes:file:i.npy\n")
        self.assertIn("error[TSP-C0045]", self.run_("g.launch", "-Werror", code=2).stderr)
        self.run_("g.launch", "-Werror", "-Wno-error=C0045")

    @needs_compiler
    def test_images(self):
        self.write("k.cl", IMAGE)
        self.array("flat.npy", "|u1", "B", *range(32))
        for name, shape in [("ok", "(2, 4, 4)"), ("list", "(8, 4)"), ("batch", "(1, 2, 4, 4)"), ("turned", "(4, 2, 4)"), ("other", "(16, 2)")]:
            self.array(f"{name}.npy", "|u1", "B", *range(32), shape=shape)
        self.array("grey.npy", "|u1", "B", *range(8), shape="(4, 2)")
        self.array("i.npy", "<i4", "i", *range(8), shape="(2, 4)")

        def looked(image, *statements, code=0):
            return self.run_(self.write("f.launch", f"module k.cl\nglobal 1\narg img = image 2d {image}\n" + "\n".join(statements) + "\n"),
                             code=code)
        colours = "RGBA UNORM_INT8 4x2"
        for name in ("flat", "ok", "list", "batch"):
            looked(f"{colours} npy:{name}.npy", f"expect img = npy:{name}.npy")
        for name, shape in [("turned", "(4, 2, 4)"), ("other", "(16, 2)")]:
            for statements in ([f"{colours} npy:{name}.npy"], [f"{colours} npy:flat.npy", f"expect img ~ 1 = npy:{name}.npy"]):
                self.assertIn(f"has the shape {shape}, image 'img' has (2, 4, 4)", looked(*statements, code=2).stderr)
        self.assertIn("has the shape (4, 2), image 'img' has (2, 4)", looked("R UNORM_INT8 4x2 npy:grey.npy", code=2).stderr)
        for statements in ([f"{colours} npy:i.npy"], [colours, "expect img ~ 255 = npy:i.npy"]):
            self.assertIn("i.npy' holds int, where uchar4 is expected", looked(*statements, code=2).stderr)
        self.assertIn("the value is float, where uchar4 is expected", looked(f"{colours} float:data:0,0,0,0,0,0,0,0", code=2).stderr)


if __name__ == "__main__":
    main()
