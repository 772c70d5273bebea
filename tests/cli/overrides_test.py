#!/usr/bin/env python3
"""Options of the command line beside a launch file that says otherwise.

usage: overrides_test.py TRANSPIRE REPOSITORY
"""
import json
import pathlib

from support import KERNELS, SPECIALISED, Case, main

FILE = f"""module {KERNELS}
kernel saxpy
global 8
local 4
arg y = float:range:0:1:8
arg x = float:fill:2:8
arg a = 3
print y
"""
TWICE = f"""module {KERNELS}
kernel saxpy
global 2
arg y = float:fill:1:2
arg x = float:fill:2:2
arg a = 3
launch
print y
launch
print y
arg 0 = float:fill:10:2
launch
print y
"""


class Overrides(Case):
    def lines(self, text, *words):
        return self.run_(self.write("f.launch", text), *words).stdout.splitlines()

    def wrong(self, text, *words):
        return self.run_(self.write("f.launch", text), *words, code=2).stderr

    def test_sizes(self):
        self.assertEqual(self.lines(FILE, "-g", "4")[0], "y[0..7] = 6 7 8 9 4 5 6 7")
        self.assertIn("4 work-items in groups of 2", self.lines(FILE, "-g", "4", "-l", "2")[1])
        self.assertIn("8 work-items in groups of 8", self.lines(FILE, "-l", "auto")[1])
        self.assertEqual(self.lines(FILE, "-g", "4", "--offset", "4")[0], "y[0..7] = 0 1 2 3 10 11 12 13")

    def test_arguments(self):
        self.assertEqual(self.lines(FILE, "-a", "a=1")[0], "y[0..7] = 2 3 4 5 6 7 8 9")
        self.assertEqual(self.lines(FILE, "-a", "2=1")[0], "y[0..7] = 2 3 4 5 6 7 8 9")
        self.assertEqual(self.lines(FILE.replace("arg a = 3\n", ""), "-a", "a=1")[0], "y[0..7] = 2 3 4 5 6 7 8 9")
        self.assertEqual(self.lines(FILE, "-a", "y=buffer:b", "--buffer", "b=float:zero:8", "--print", "b[0]")[0],
                         "y[0..7] = 6 6 6 6 6 6 6 6")

    def test_an_argument_by_name_and_index(self):
        self.assertIn("argument 'a' is given twice\n  --> command line\n  = in '-a 2=5'\n",
                      self.wrong(FILE, "-a", "a=3", "-a", "2=5"))

    def test_an_argument_counts_where_the_file_gives_it(self):
        self.assertEqual(self.lines(TWICE, "-q"), ["y[0..1] = 7 7", "y[0..1] = 13 13", "y[0..1] = 16 16"])
        self.assertEqual(self.lines(TWICE, "-q", "-a", "y=float:zero:2"),
                         ["y[0..1] = 6 6", "y[0..1] = 12 12", "y[0..1] = 6 6"])
        without = TWICE.replace("arg a = 3\n", "")
        self.assertEqual(self.lines(without, "-q", "-a", "a=1"), ["y[0..1] = 3 3", "y[0..1] = 5 5", "y[0..1] = 12 12"])

    def test_repeats(self):
        self.assertEqual(self.lines(FILE, "--repeat", "2")[0], "y[0..7] = 12 13 14 15 16 17 18 19")
        repeated = FILE + "repeat 2\n"
        self.assertEqual(self.lines(repeated, "--repeat", "1")[0], "y[0..7] = 6 7 8 9 10 11 12 13")
        swapped = self.lines(repeated, "--swap", "y,x", "--print", "x[0]")
        self.assertEqual(swapped[:2], ["y[0..7] = 6 7 8 9 10 11 12 13", "x[0] = 20"])

    def test_kernels(self):
        text = FILE.replace("kernel saxpy", "kernel nothing")
        self.assertEqual(self.lines(text, "-k", "saxpy")[0], "y[0..7] = 6 7 8 9 10 11 12 13")
        error = self.wrong(FILE, "-k", "saxpi")
        self.assertIn("error[TSP-C0002]: the module has no kernel 'saxpi'\n  --> command line\n", error)
        self.assertEqual(error.count("error["), 1)
        two = FILE + "launch\nkernel forever\narg out = uint:zero:1\n"
        self.assertIn("'-k saxpy' cannot stand for the 2 kernels that", self.wrong(two, "-k", "saxpy"))

    def test_constants_and_buffers(self):
        text = FILE.replace("arg a = 3", "arg a = 3\nbuffer b = float:fill:1:8").replace("float:range:0:1:8", "buffer b")
        self.assertEqual(self.lines(text, "--buffer", "b=float:zero:8")[0], "y[0..7] = 6 6 6 6 6 6 6 6")
        names = [constant["name"] for constant in self.json_of("info", SPECIALISED)["module"]["spec_constants"]]
        ids = [constant["spec_id"] for constant in self.json_of("info", SPECIALISED)["module"]["spec_constants"]]
        launch = f"module {SPECIALISED}\nglobal 1\narg out = uint:zero:1\nspec {names[0]} = 2\nprint out\n"
        self.assertEqual(self.lines(launch, "-q"), ["out[0] = 2"])
        for target in (names[0], ids[0]):
            self.assertEqual(self.lines(launch, "-q", "--spec", f"{target}=7"), ["out[0] = 7"])
        self.assertIn("given twice", self.wrong(launch + f"spec {ids[0]} = 3\n"))

    def test_other_forms(self):
        launch = {"kernel": "saxpy", "global": 8, "arguments": {"y": "float:zero:8", "x": "float:fill:2:8", "a": 3}}
        path = self.write("f.json", json.dumps({"modules": [KERNELS], "steps": [{"launch": launch}, {"print": "y"}]}))
        self.assertEqual(self.run_(path, "-q", "-a", "a=1").stdout, "y[0..7] = 2 2 2 2 2 2 2 2\n")
        source = pathlib.Path(KERNELS).read_text()
        lines = "".join(f";! {line}\n" for line in FILE.splitlines()[1:])
        inside = self.write("k.spvasm", lines + source)
        self.assertEqual(self.run_(inside, "-q", "-a", "a=1").stdout, "y[0..7] = 2 3 4 5 6 7 8 9\n")
        # Who names the kernel describes a launch of its own.
        whole = ["-k", "saxpy", "-g", "1", "-a", "y=float:zero:1", "-a", "x=float:fill:2:1", "-a", "a=3", "-q"]
        self.assertEqual(self.run_(inside, *whole).stdout, "")
        self.write("k2.spvasm", source)
        sim = self.write("f.sim", "k2.spvasm saxpy\n4 1 1\n2 1 1\n<size=16 fill=0>\n<size=16 fill=2>\n<size=4>\n2\n")
        self.assertEqual(self.run_(sim, "-q", "-a", "a=5", "--print", "y").stdout, "y[0..3] = 10 10 10 10\n")

    def test_places(self):
        error = self.wrong(FILE, "-a", "b=1")
        self.assertIn("error[TSP-C0003]: kernel 'saxpy' has no argument 'b'\n  --> command line\n  = in '-a b=1'\n", error)
        self.has(self.wrong(FILE, "-a", "a=float:zero:4"), "the value has 16\n  --> command line\n  = in '-a a=float:zero:4'\n")
        self.assertIn("the global size has 1 dimension, the local size has 2\n  --> command line\n",
                      self.wrong(FILE, "-l", "2,2"))
        error = self.wrong(FILE.replace("local 4", "local 4,2"), "-a", "a=1")
        self.assertRegex(error, r"local size has 2\n  --> .*f\.launch:4:1\n   \| local 4,2\n   \| \^")
        self.assertRegex(self.wrong(FILE + "offset 18446744073709551615\n"), r"exceed 64 bits.*\n  --> .*f\.launch:9:1\n")
        self.assertRegex(self.wrong(FILE.replace("arg a = 3\n", "")), r"is missing: float 'a'\n  --> .*f\.launch:2:")
        self.assertRegex(self.wrong(FILE + "repeat 2 swap y z\n"), r"no argument 'z'\n  --> .*f\.launch:9:17\n")

    def test_blessing_is_of_the_file(self):
        self.assertIn("'--bless' writes what", self.wrong(FILE + "expect y[0] = 5\n", "--bless", "-a", "a=2"))


if __name__ == "__main__":
    main()
