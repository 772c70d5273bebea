#!/usr/bin/env python3
"""Images from the outside: tolerances of channels, pictures of what differs, and pictures for people.

usage: images_test.py TRANSPIRE REPOSITORY
"""
from support import Case, main, needs_compiler

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
        tap = self.call("test", "f.launch", "--format=tap", code=1).stdout
        self.assertIn('texel: "(1,1)", channel: "R"', tap)

    def test_what_another_implementation_may_write(self):
        self.launched("expect img[1] ~ spec full = (50, 1, 129, 254)")
        self.assertIn("img[1].R at (1,0): 49 is not 51",
                      self.launched("expect img[1] ~ spec full = (49, 0, 128, 255)", code=1).stderr)
        error = self.launched("expect img[1] ~ (spec full, 1, 1, 1) = (0.2, 0, 0.5, 1)", code=1,
                              image="image 2d RGBA FLOAT 4x2").stderr
        self.assertIn("img[1].R at (1,0): launches do not note what they write to images", error)


if __name__ == "__main__":
    main()
