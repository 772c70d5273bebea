#!/usr/bin/env python3
"""What `out` writes: arrays with their shape, images, standard output; and matrices as `print` shows them.

usage: output_files_test.py TRANSPIRE REPOSITORY
"""
import json
import shutil
import struct
import subprocess
import zlib

from support import EXAMPLES, KERNELS, PATIENCE, SAXPY, TRANSPIRE, Case, main, needs_compiler


def npy(shape, descr, data):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + data


def decoded(png):
    """(columns, rows, bits, colour type, samples) of a PNG file, whose checksums are looked at."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(png):
        size, name = struct.unpack(">I4s", png[at:at + 8])
        data = png[at + 8:at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size:at + 12 + size])[0] == zlib.crc32(name + data)
        chunks[name] = chunks.get(name, b"") + data
        at += 12 + size
    columns, rows, bits, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    step = {0: 1, 4: 2, 2: 3, 6: 4}[colour] * bits // 8
    raw, lines, before = zlib.decompress(chunks[b"IDAT"]), [], bytes(columns * step)
    for row in range(rows):
        kind, *line = raw[row * (columns * step + 1):(row + 1) * (columns * step + 1)]
        for i, value in enumerate(line):
            a, b, c = line[i - step] if i >= step else 0, before[i], before[i - step] if i >= step else 0
            near = min((a, b, c), key=lambda x: (abs(a + b - c - x), (a, b, c).index(x)))
            line[i] = (value + (0, a, b, (a + b) // 2, near)[kind]) % 256
        lines.append(bytes(line))
        before = lines[-1]
    return columns, rows, bits, colour, b"".join(lines)


class OutputFiles(Case):
    def outputs(self, buffer, *outputs, code=0, size="1", kernel="saxpy"):
        """Writes a buffer 'm', beside a kernel that has nothing to do with it."""
        lines = [f"module {KERNELS}", f"kernel {kernel}", f"global {size}", f"buffer m = {buffer}",
                 "arg 0 = zero:64", *(["arg x = zero:64", "arg a = 1"] if kernel == "saxpy" else []),
                 *(f"out m = {output}" for output in outputs)]
        return self.run_(self.write("f.launch", "\n".join(lines) + "\n"), "-q", code=code)

    def file(self, name):
        return (self.folder / name).read_bytes()

    def test_arrays_keep_their_shape(self):
        numbers = struct.pack("<8f", *range(8))
        for shape in ("(2, 4)", "(8,)", "(2, 2, 2)", "(1, 8, 1)"):
            (self.folder / "in.npy").write_bytes(npy(shape, "<f4", numbers))
            self.run_(KERNELS, "-k", "saxpy", "-g", "8", "-a", "y=npy:in.npy", "-a", "x=float:fill:1:8", "-a", "a=1",
                      "--out", "y=out.npy")
            self.assertEqual(self.file("out.npy"), npy(shape, "<f4", struct.pack("<8f", *range(1, 9))), shape)
        self.outputs("float:range:0:1:8", "a.npy", "b.npy cols 4", "c.npy as float2 cols 2", "d.npy as uchar4")
        for name, shape, descr in [("a", "(8,)", "<f4"), ("b", "(2, 4)", "<f4"), ("c", "(2, 2, 2)", "<f4"),
                                   ("d", "(8, 4)", "|u1")]:
            self.assertEqual(self.file(f"{name}.npy"), npy(shape, descr, numbers))

    def test_a_number_without_dimensions(self):
        for shape in ("()", "(1,)", "(1, 1)"):
            (self.folder / "in.npy").write_bytes(npy(shape, "<f4", bytes(4)))
            self.outputs("npy:in.npy", "out.npy")
            self.assertEqual(self.file("out.npy"), npy(shape, "<f4", bytes(4)))

    def test_arrays_that_end_early(self):
        for shape, why in [("(2, 5)", "its shape has 10 elements, the file 8"), ("(x,)", "is no shape"),
                           ("(4611686018427387904, 4)", "is no shape")]:
            (self.folder / "in.npy").write_bytes(npy(shape, "<f4", bytes(32)))
            self.assertIn(why, self.outputs("npy:in.npy", code=2).stderr)

    @needs_compiler
    def test_the_blur_example(self):
        for name in ("blur.cl", "blur.launch", "picture.png"):
            shutil.copy(EXAMPLES / name, self.folder)
        self.run_("blur.launch")
        columns, rows, bits, colour, source = decoded(self.file("picture.png"))
        self.assertEqual(decoded(self.file("blurred.png"))[:4], (columns, rows, bits, colour))
        # A blur keeps the light, but for what is at the edges, and rounds; neighbours become alike.
        blurred = decoded(self.file("blurred.png"))[4]
        self.assertLess(abs(sum(blurred) - sum(source)) / len(source), 1)
        unlike = [sum(abs(a - b) for a, b in zip(p, p[4:])) for p in (source, blurred)]
        self.assertLess(unlike[1], unlike[0] / 2)

    def test_pgm(self):
        self.outputs("uchar:range:1:1:6", "a.pgm cols 3", '"b c.PGM" cols 2', "w.pgm as ushort cols 1")
        self.assertEqual(self.file("a.pgm"), b"P5\n3 2\n255\n\1\2\3\4\5\6")
        self.assertEqual(self.file("b c.PGM"), b"P5\n2 3\n255\n\1\2\3\4\5\6")
        self.assertEqual(self.file("w.pgm"), b"P5\n1 3\n65535\n\2\1\4\3\6\5")
        self.outputs("float:data:0,0.5,1,0.25", "f.pgm cols 2")
        self.assertEqual(self.file("f.pgm"), b"P5\n2 2\n255\n\x00\x80\xff\x40")

    def test_png(self):
        samples = bytes(range(7, 7 + 24))
        self.outputs("uchar:range:7:1:24", "g.png cols 6", "ga.png as uchar2 cols 4", "rgba.png as uchar4 cols 3",
                     "w.png as ushort cols 4")
        self.assertEqual(decoded(self.file("g.png")), (6, 4, 8, 0, samples))
        self.assertEqual(decoded(self.file("ga.png")), (4, 3, 8, 4, samples))
        self.assertEqual(decoded(self.file("rgba.png")), (3, 2, 8, 6, samples))
        swapped = b"".join(samples[i:i + 2][::-1] for i in range(0, 24, 2))
        self.assertEqual(decoded(self.file("w.png")), (4, 3, 16, 0, swapped))
        # A vector of three takes the room of four.
        self.outputs("uchar3:range:1:1:4", "rgb.png cols 2")
        self.assertEqual(decoded(self.file("rgb.png")), (2, 2, 8, 2, bytes(range(1, 13))))
        (self.folder / "in.npy").write_bytes(npy("(2, 2, 3)", "|u1", bytes(range(12))))
        self.outputs("npy:in.npy", "c.png")
        self.assertEqual(decoded(self.file("c.png")), (2, 2, 8, 2, bytes(range(12))))

    def test_pfm(self):
        self.outputs("float:data:1,inf,-3.5,1e30", "a.pfm cols 2")
        self.assertEqual(self.file("a.pfm"), b"Pf\n2 2\n-1.0\n" + struct.pack("<4f", -3.5, 1e30, 1, float("inf")))
        self.outputs("float:hex:0x7f800001,0xffc12345", "n.pfm cols 2")
        self.assertEqual(self.file("n.pfm"), b"Pf\n2 1\n-1.0\n" + struct.pack("<2I", 0x7f800001, 0xffc12345))
        self.outputs("half3:range:1:1:2", "c.pfm cols 1")
        self.assertEqual(self.file("c.pfm"), b"PF\n1 2\n-1.0\n" + struct.pack("<6f", 4, 5, 6, 1, 2, 3))

    def test_rows_of_the_launch(self):
        self.outputs("uchar:range:1:1:6", "a.pgm", size="3,2")
        self.assertEqual(self.file("a.pgm"), b"P5\n3 2\n255\n\1\2\3\4\5\6")
        self.assertIn("nothing says how the 8 elements of 'm' are rows",
                      self.outputs("uchar:zero:8", "a.pgm", size="3,2", code=2).stderr)

    def test_what_is_known_before_the_launch(self):
        """The kernel never ends, so that what comes after it would not come."""
        for buffer, output, why in [
                ("int:zero:4", "a.png cols 2", "it takes uchar, ushort, or floating-point numbers"),
                ("uchar:zero:4", "a.pfm cols 2", "it takes half or float, one or three for a pixel; 'm' has uchar"),
                ("float4:zero:4", "a.pfm cols 2", "'m' has float4"), ("double:zero:4", "a.pfm cols 2", "'m' has double"),
                ("uchar2:zero:4", "a.pgm cols 2", "'m' has uchar2"), ("uchar8:zero:4", "a.png cols 2", "'m' has uchar8"),
                ("uchar:zero:4", "a.png", "nothing says how the 4 elements of 'm' are rows"),
                ("uchar:zero:4", "a.png cols 3", "the 4 elements of 'm' are not whole rows of 3"),
                ("uchar:zero:4", "a.npy cols 3", "the 4 elements of 'm' are not whole rows of 3"),
                ("uchar:zero:0", "a.png cols 3", "'m' is empty"),
                ("uchar:zero:4", "a.bin cols 2", "raw bytes have no columns"),
                ("uchar:zero:4", "- cols 2", "cannot write '-': raw bytes have no columns"),
                *(("uchar:zero:6", f"{file} as uint4", "the 6 bytes of 'm' are no whole number of uint4, of 16 each")
                  for file in ("a.bin", "-", "a.npy", "a.png")),
                ("uchar:zero:4", "a.png col 4", "did you mean 'cols'?"), ("uchar:zero:4", "a.png cols=4", "did you mean 'cols'?"),
                ("uchar:zero:4", "cols 4", "'cols 4' is no name of a file: it has blanks"),
                ("uchar:zero:4", "my file.bin", "a name with blanks stands in double quotes"),
                ("uchar:zero:4", "a.png cols 0", "a row has at least one column"),
                ("uchar:zero:4", "a.png as uchr4", "did you mean 'uchar4'?"),
                ("uchar:zero:4", "a.pgn cols 2", "did you mean '.pgm'?"), ("uchar:zero:4", "a.npz", "did you mean '.npy'?"),
                ("uchar:zero:4", "a.JPG", "'.jpg' is no form that is known here"),
                ("uchar:zero:4", "none/a.bin", "there is no folder"), ("uchar:zero:4", "/", "it is a folder")]:
            with self.subTest(buffer=buffer, output=output):
                error = self.outputs(buffer, output, kernel="forever", code=2).stderr
                self.assertIn(why, error)
                self.assertRegex(error, r"  --> .*f\.launch:[68]:\d+\n   \| out m = ")
        (self.folder / "in.npy").write_bytes(npy("(1, 1, 5)", "|u1", bytes(5)))
        self.assertIn("5 of uchar for a pixel", self.outputs("npy:in.npy", "a.png", kernel="forever", code=2).stderr)

    def test_numbers_that_no_image_has(self):
        for number, shown in [("nan", "nan"), ("-inf", "-inf"), ("1.25", "1.25"), ("-0.5", "-0.5")]:
            error = self.outputs(f"float:data:0,1,0.5,{number}", "a.png cols 2", code=2).stderr
            self.assertIn(f"m[3] is {shown}, and the numbers of such a file go from 0 to 1", error)
            self.assertFalse((self.folder / "a.png").exists())

    def test_standard_output(self):
        words = [TRANSPIRE, "run", *SAXPY, "--out", "x=-", "--print", "y"]
        done = subprocess.run(words, capture_output=True, timeout=PATIENCE, check=True)
        self.assertEqual(done.stdout, struct.pack("<8f", *[2] * 8))
        self.has(done.stderr, b"8 work-items", b"y[0..7] = 6 7")
        self.assertFalse((self.folder / "-").exists())
        self.assertIn("standard output, which has the json document",
                      self.call(*words[1:], "--format=json", code=2).stdout)

    def test_matrices(self):
        def shown(what, buffer="float:data:1,-2.5,30,4,5,6,7"):
            return self.run_(*SAXPY, "--buffer", f"m={buffer}", "-q", "--print", what).stdout
        self.assertEqual(shown("m cols 3"), "m[0..2] =    1 -2.5   30\nm[3..5] =    4    5    6\nm[6]    =    7\n")
        self.assertEqual(shown("m[4..] cols 9"), "m[4..6] = 5 6 7\n")
        self.assertEqual(shown("m as uchar hex cols 2", "uchar:data:1,2,3"), "m[0..1] = 0x01 0x02\nm[2]    = 0x03\n")
        self.assertEqual(shown("m as uchar2 cols 1", "uchar:data:1,2,3,44"), "m[0] =  (1, 2)\nm[1] = (3, 44)\n")
        for what, why in [("m cols", "number of columns"), ("m cols 0", "at least one column"), ("m cols x", "'x'"),
                          ("m cols 2 ranges full", "'ranges' shows one number"), ("m col 2", "did you mean 'cols'?")]:
            self.refused([*SAXPY, "--print", what.replace("m", "y", 1)], why)
        for what in ("m[0..]", "m[0]"):
            self.refused([*SAXPY, "--buffer", "m=float:zero:0", "--print", what],
                         "'m[0]' lies outside the buffer, which is empty")


if __name__ == "__main__":
    main()
