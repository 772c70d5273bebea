#!/usr/bin/env python3
"""Images from the outside: tolerances of channels, pictures of what differs, and pictures for people.

usage: images_test.py TRANSPIRE REPOSITORY
"""

from output_files_test import decoded
from support import SAXPY, Case, main, needs_compiler

SOURCE = """kernel void fill(write_only image2d_t img, float scale) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(img, p, (float4)(p.x * scale, p.y * scale, 0.5f, 1.0f));
}
"""
LAUNCH = """module k.cl
global 4,2
arg img = image 2d RGBA UNORM_INT8 4x2
arg scale = 0.2
"""
NUMBERS = """kernel void fill(write_only image2d_t img) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(img, p, p.y == 1 ? (float4)(NAN, INFINITY, 0, 1) : (float4)(p.x - 1.5f, 0, 2, 7));
}
"""


@needs_compiler
class Images(Case):
    def setUp(self):
        super().setUp()
        self.write("k.cl", SOURCE)

    def launched(self, *statements, words=(), code=0, image=None):
        text = LAUNCH if image is None else LAUNCH.replace("image 2d RGBA UNORM_INT8 4x2", image)
        return self.run_(self.write("f.launch", text + "\n".join(statements) + "\n"), "-q", *words, code=code)

    def test_tolerances_of_channels(self):
        self.launched("expect img[0..1] ~ (1, 1, 1, 0) = (0,0,127,255) (50,1,128,255)")
        error = self.launched("expect img[5] ~ (1, 1ulp, 1, 0) = (50,49,128,255)", code=1).stderr
        self.assertIn("1 of 4 values of 'img' differ from what was expected within (1, 1ulp, 1, 0)", error)
        self.assertIn("img[5].G at (1,1): expected 49, found 51", error)
        error = self.launched("expect img[5] ~ (1, 1, 1) = (50,49,128,255)", code=2).stderr
        self.assertIn("3 tolerances are given, 'img' has texels of RGBA UNORM_INT8 of 4 numbers each", error)
        self.assertIn("one is for all channels, 4 are for 'R', 'G', 'B' and 'A'", error)
        self.launched("expect img[5] ~ (1ulp, 1e-6, 0, 1e-3rel) = (0.2, 0.2, 0.5, 1)", image="image 2d RGBA FLOAT 4x2")

    def test_mismatches_in_json(self):
        self.write("f.launch", LAUNCH + "expect img[4..5] ~ (0, 0, 0, 0) = (0,51,128,255) (50,51,128,255)\n")
        failure = self.json_of("run", "f.launch", code=1)["expectations"]["failures"][0]
        self.assertEqual(failure["mismatches"], [{"buffer": "img", "element": 5, "component": 0, "texel": [1, 1],
                                                  "channel": "R", "expected": "50", "found": "51"}])
        self.has(self.call("test", "f.launch", "--format=tap", code=1).stdout, 'texel: "(1,1)", channel: "R"')

    def test_what_another_implementation_may_write(self):
        self.launched("expect img[1] ~ spec full = (50, 1, 129, 254)")
        self.assertIn("img[1].R at (1,0): 49 is not 51",
                      self.launched("expect img[1] ~ spec full = (49, 0, 128, 255)", code=1).stderr)
        error = self.launched("expect img[1] ~ (spec full, 1, 1, 1) = (0.2, 0, 0.5, 1)", code=1,
                              image="image 2d RGBA FLOAT 4x2").stderr
        self.assertIn("img[1].R at (1,0): launches do not note what they write to images", error)

    def picture(self, name):
        return decoded((self.folder / name).read_bytes())

    def test_pictures_of_what_differs(self):
        words = ["--difference", "new/folder"]
        self.launched("expect img[0] = (0,0,128,255)", words=words)
        self.assertFalse((self.folder / "new").exists())
        error = self.launched("expect img[0..1] ~ 1 = (0,0,128,255) (51,0,28,155)", "expect img[7] = (153,51,118,255)", code=1,
                              words=words).stderr
        self.assertIn("= pictures: new/folder/img.got.png, new/folder/img.expected.png, new/folder/img.difference.png", error)
        self.assertIn("new/folder/img-2.difference.png", error)
        got = bytes(n for y in (0, 51) for x in (0, 51, 102, 153) for n in (x, y, 128, 255))
        self.assertEqual(self.picture("new/folder/img.got.png"), (4, 2, 8, 6, got))
        self.assertEqual(self.picture("new/folder/img.expected.png"), (4, 2, 8, 6, got[:6] + bytes([28, 155]) + got[8:]))
        # Blue and alpha are off by 100: alpha's is grey.
        self.assertEqual(self.picture("new/folder/img.difference.png"), (4, 2, 8, 2, bytes(3) + bytes([255] * 3) + bytes(18)))
        self.assertEqual(self.picture("new/folder/img-2.difference.png"), (4, 2, 8, 2, bytes(23) + bytes([255])))

    def test_differences_where_nothing_can_be_written(self):
        self.write("file", "")
        for folder in ("file", "file/below"):
            error = self.launched(words=["--difference", folder], code=2).stderr
            self.assertIn(f"cannot write pictures into '{folder}': 'file' is no folder", error)

    def test_differences_of_tests(self):
        text = LAUNCH + "expect img[0] = (1,0,128,255)\n"
        (self.folder / "a").mkdir()
        self.write("f.launch", text)
        self.write("a/f.launch", text.replace("k.cl", "../k.cl"))
        self.call("test", "f.launch", "a", "--difference", "d", code=1)
        self.assertEqual(sorted(str(path.relative_to(self.folder)) for path in self.folder.glob("d/*/img.got.png")),
                         ["d/a_f.launch/img.got.png", "d/f.launch/img.got.png"])
        self.assertEqual(self.call("test", "f.launch", code=1).stderr, "")
        document = self.json_of("run", "f.launch", "--difference", "d", code=1)
        self.assertEqual(document["expectations"]["failures"][0]["pictures"],
                         ["d/img.got.png", "d/img.expected.png", "d/img.difference.png"])

    def test_pictures_to_look_at(self):
        self.assertEqual(self.launched(words=["--show", "img"]).stderr, "show: 'img' (img.png)\n")
        self.assertEqual(self.picture("img.png")[:4], (4, 2, 8, 6))
        document = self.json_of("run", "f.launch", "--show", "img=a.png")
        self.assertEqual(document["shown"], [{"buffer": "img", "file": "a.png"}])

    def test_pictures_of_floats(self):
        self.write("n.cl", NUMBERS)
        shown = [self.run_("n.cl", "-q", "-g", "4,2", "-a", f"img=image 2d {order} FLOAT 4x2", "--show", f"img={order}.png").stderr
                 for order in ("R", "RG", "RGBA")]
        self.assertEqual(shown, ["show: 'img' -1.5 .. 1.5, NaN in magenta (R.png)\n", "show: 'img' -1.5 .. 1.5, NaN in magenta (RG.png)\n",
                                 "show: 'img' -1.5 .. 2, NaN in magenta (RGBA.png)\n"])
        magenta = bytes([255, 0, 255]) * 4
        self.assertEqual(self.picture("R.png"), (4, 2, 8, 2, bytes(x for x in (0, 85, 170, 255) for _ in range(3)) + magenta))
        self.assertEqual(self.picture("RG.png"), (4, 2, 8, 2, bytes(b for x in (0, 85, 170, 255) for b in (x, 128, 0)) + magenta))
        self.assertEqual(self.picture("RGBA.png"), (4, 2, 8, 2, bytes(b for x in (0, 73, 146, 219) for b in (x, 109, 255)) + magenta))

    def test_what_cannot_be_shown(self):
        for words, why in [("img=a.jpg", "cannot write 'a.jpg': what is shown is a '.png' file"),
                           ("img=no/a.png", "there is no folder 'no'"), ("imgg", "there is no buffer 'imgg'"),
                           ("img=-", "what is shown is a '.png' file"), ("img cols 3", "are not whole rows of 3"),
                           ("img as uchar8", "a pixel has one to four numbers of one type, 'img' has uchar8")]:
            error = self.launched(words=["--show", words], code=2).stderr
            self.assertIn(why, error)
            self.assertNotIn("work-items", error)


@needs_compiler
class Coordinates(Case):
    """What findings about coordinates tell."""

    def found(self, rule, kernel, image, coordinates, help):
        kind, body = kernel.split("|", 1)
        self.write("c.cl", f"kernel void c({kind} img, global float4* out) {{ int i = get_global_id(0); {body} }}\n")
        words = ["run", "c.cl", "-q", "-g", 8, "-a", f"img=image {image}", "-a", "out=float4:zero:8", "--build-options",
                 "-cl-std=CL2.0", "-Werror"]
        for more in [[], ["--reference"]]:
            with self.subTest(kernel, more=more):
                error = self.call(*words, *more, code=4).stderr
                self.assertRegex(error, rf"^error\[TSP-{rule}\]: .*'img'\n  --> c.cl:1:\d+\n")
                self.has(error, f"\n  = coordinates: {coordinates}\n", help)
        self.assertIn(f"coordinates: {coordinates}", self.json_of(*words, code=4)["findings"][0]["notes"])

    def test_outside(self):
        sampler = "const sampler_t s = CLK_ADDRESS_NONE | CLK_FILTER_NEAREST; "
        self.found("R0070", f"read_only image2d_t|{sampler}out[i] = read_imagef(img, s, (int2)(i, 2));", "2d R FLOAT 6x3",
                   "(6, 2)", "help: work-item (6,0,0) is at (6, 2), the image has 6 x 3 texels\n")
        self.found("R0070", f"read_only image2d_t|{sampler}out[i] = read_imagef(img, s, (float2)(i * 0.5f + 1, -1.5f));",
                   "2d R FLOAT 6x3", "(1, -1.5)", "work-item (0,0,0) is at (1, -1.5), the image")
        self.found("R0070", "read_only image1d_t|out[i] = read_imagef(img, i - 1);", "1d R FLOAT 7", "-1",
                   "work-item (0,0,0) is at -1, the image has 7 texels\n")
        self.found("R0071", "write_only image2d_array_t|write_imagef(img, (int4)(i, 1, i / 4, 0), (float4)(1));",
                   "2d_array RGBA FLOAT 4x2x2", "(4, 1, 1)", "is at (4, 1, 1), the image has 4 x 2 texels and 2 layers\n")
        self.found("R0071", "write_only image1d_array_t|write_imagef(img, (int2)(0, i), (float4)(1));", "1d_array RGBA FLOAT 1x1",
                   "(0, 1)", "the image has 1 texel and 1 layer\n")

    def test_no_numbers(self):
        sampler = "const sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST; "
        self.found("R0073", f"read_only image2d_t|{sampler}out[i] = read_imagef(img, s, (float2)(i == 3 ? NAN : 0, INFINITY));",
                   "2d R FLOAT 6x3", "(0, inf)", "")


@needs_compiler
class Arguments(Case):
    SOURCE = """kernel void f(read_only image2d_t in, write_only image1d_array_t to, sampler_t s, read_only image2d_depth_t d) {
  write_imagef(to, (int2)(0, 0), read_imagef(in, s, (int2)(0, 0)) + read_imagef(d, s, (int2)(0, 0)));
}
"""
    OPTIONS = ["--build-options", "-cl-std=CL2.0"]

    def setUp(self):
        super().setUp()
        self.write("k.cl", self.SOURCE)

    def test_information(self):
        parameters = self.json_of("info", "k.cl", *self.OPTIONS)["kernels"][0]["parameters"]
        self.assertEqual([(p["name"], p.get("image"), p.get("sampler", False)) for p in parameters], [
            ("in", {"kind": "2d", "access": "read_only", "depth": False, "multisampled": False, "texels": "floats"}, False),
            ("to", {"kind": "1d_array", "access": "write_only", "depth": False, "multisampled": False, "texels": "floats"}, False),
            ("s", None, True),
            ("d", {"kind": "2d", "access": "read_only", "depth": True, "multisampled": False, "texels": "floats"}, False)])
        self.run_(self.write("t.launch", self.call("info", "k.cl", "--template", *self.OPTIONS).stdout), "-g", 1)

    def test_what_texels_are_read_as(self):
        """Through calls, and as several; templates have such images."""
        self.write("t.cl", """__attribute__((noinline)) uint4 get(read_only image2d_t x, int2 p) { return read_imageui(x, p); }
kernel void k(read_only image2d_t a, read_only image2d_t b, write_only image2d_t c, read_only image2d_t d, read_write image2d_t e) {
  int2 p = (int2)(0, 0);
  write_imageui(c, p, get(a, p) + convert_uint4(read_imagef(b, p)) + convert_uint4(read_imagei(b, p)));
  write_imagef(e, p, (float4)(get_image_width(d)));
}
""")
        for level in ["-O0", "-O2"]:
            options = ["--build-options", f"-cl-std=CL2.0 {level}"]
            images = [p["image"] for p in self.json_of("info", "t.cl", *options)["kernels"][0]["parameters"]]
            self.assertEqual([image["texels"] for image in images], ["integers", "", "integers", "", "floats"])
            self.assertEqual([image["access"] for image in images], ["read_only", "read_only", "write_only", "read_only", "read_write"])
            self.assertIn("write_only image2d_t c  (texels are integers)\n", self.call("info", "t.cl", *options).stdout)
        template = self.call("info", "t.cl", "--template", *options).stdout
        self.assertIn("arg a = image 2d RGBA UNSIGNED_INT32 1024x64 ", template)
        self.assertTrue(template.endswith("launch\nprint c[0..7]\n"))
        self.write("u.cl", """kernel void k(read_only image2d_t a, write_only image2d_t b) {
  write_imageui(b, (int2)(0, 0), read_imageui(a, (int2)(0, 0)));
}
""")
        template = self.write("u.launch", self.call("info", "u.cl", "--template", *self.OPTIONS).stdout)
        self.assertIn("b[0..7] = (0, 0, 0, 0)", self.run_(template).stdout)

    def test_of_another_kind(self):
        template = self.write("t.launch", self.call("info", "k.cl", "--template", *self.OPTIONS).stdout)
        for given, wanted in [
                ("in=image 1d R FLOAT 4", "'in': a 2d image is expected (read_only image2d_t), found a 1d image"),
                ("in=image 2d DEPTH FLOAT 4x4", "'in': a 2d image is expected (read_only image2d_t), found a 2d image of DEPTH"),
                ("d=image 2d R FLOAT 4x4", "'d': a 2d image of DEPTH is expected (read_only image2d_depth_t), found a 2d image"),
                ("in=image 2d R FLOAT 4x4 samples 4", "'in': a 2d image is expected (read_only image2d_t), found a multisampled 2d"),
                ("in=float:zero:4", "'in': an image is expected (read_only image2d_t), found a value"),
                ("s=image 2d R FLOAT 4x4", "'s': a sampler is expected (sampler_t), found a 2d image")]:
            with self.subTest(given):
                self.has(self.run_(template, "-a", given, code=2).stderr, f"error[TSP-C0003]: argument {wanted}",
                         f"\n  = in '-a {given}'\nhelp: for example '{given.split('=')[0]} = ")

class Buffers(Case):
    def test_rows_of_buffers(self):
        self.assertEqual(self.run_(*SAXPY, "-q", "--show", "y=y.png cols 4").stderr, "show: 'y' 6 .. 13 (y.png)\n")
        self.assertEqual(decoded((self.folder / "y.png").read_bytes()),
                         (4, 2, 8, 0, bytes(round(x * 255 / 7) for x in range(8))))
        self.has(self.run_(*SAXPY, "--show", "y", code=2).stderr, "nothing says how the 8 elements of 'y' are rows",
                 "write '--show \"y cols N\"', with N elements in a row")
        self.run_(*SAXPY, "-q", "--show", "y as uint2 cols 4")
        self.assertEqual(decoded((self.folder / "y.png").read_bytes())[:4], (4, 1, 8, 2))


if __name__ == "__main__":
    main()
