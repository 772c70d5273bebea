#!/usr/bin/env python3
"""Whatever is wrong in a launch file, in each of its forms, is shown with its line, its column and the line itself.

usage: places_test.py TRANSPIRE REPOSITORY
"""
import json
import pathlib
import re

from support import KERNELS, Case, main

GOOD = ["kernel saxpy", "global 8", "arg y = float:range:0:1:8", "arg x = float:fill:2:8", "arg a = 3"]
#: A wrong line, and what it takes the place of; nothing: it is added. What is marked: a letter, where the message quotes nothing of the line.
WRONG = [
    ("kernal saxpy", None, "kernal"), ("kernel saxpi", 0, "saxpi"), ("kernel", 0, "k"), ("global 8,x", 1, "x"),
    ("global 1,2,3,4", 1, "g"), ("local 3,3", None, "l"), ("local 16384", None, "l"), ("offset 1,", None, "o"),
    ("arg z = 1", 4, "z"), ("arg a", 4, "arg"), ("arg a = ", 4, "a"), ("arg a = flaot:1", 4, "flaot"),
    ("arg a = 1e999", 4, "1e999"), ("arg a = int:3", 4, "a"), ("arg a = float:zero:4", 4, "a"),
    ("arg y = int:zero:8", 2, "y"), ("arg y = float:zeor:8", 2, "zeor"), ("arg y = float:file:none.bin", 2, "none.bin"),
    ("arg y = buffer b", 2, "b"), ("arg y = float:fill:(1,2:8", 2, "(1,2:8"), ("arg a = 3", None, "a"),
    ("buffer b = zero:4", None, "b"), ("buffer b = 3", None, "b"), ("variable v = 3", None, "v"),
    ("spec N = 3", None, "N"), ("shared s = uint:zero:1", None, "s"), ("repeat x", None, "x"),
    ("repeat 2 swap y", None, "swap"), ("repeat 2 swap y b", None, "b"), ("repeat 2 swap y a", None, "a"),
    ("print z", None, "z"), ("print y[9]", None, "y[9]"), ("print y[3..1]", None, "3..1"), ("print y as flaot", None, "flaot"),
    ("print y hxe", None, "hxe"), ("out y = none/y.bin", None, "none/y.bin"), ("out z = y.bin", None, "z"), ("out y = y.pgn", None, "y.pgn"),
    ("expect z = 1", None, "z"), ("expect y = 1", None, "y"), ("expect y ~ 3ulps = 1", None, "3ulps"),
    ("expect y[8] = 1", None, "y[8]"), ("expect fautl TSP-R0021", None, "fautl"), ("expect fault R21", None, "expect fault"),
    ("expect fault TSP-R9999", None, "TSP-R9999"), ("expect fault TSP-R0021 in y", None, "in"),
    ("expect refused TSP-Z0001", None, "TSP-Z0001"), ('expect printf "x', None, '"x'), ("isa avx3", None, "avx3"),
    ("threads many", None, "many"), ("check bouds", None, "bouds"), ("math fats", None, "fats"), ("env opencl9", None, "opencl9"),
    ("timeout soon", None, "soon"), ("max-memory 1Qi", None, "1Qi"),
    ("rounding rtx", None, "rtx"), ("launch now", None, "now"), ("module", None, "m"), ('options -DX="a', None, '-DX="a'),
]
#: In JSON, by the path of what is changed. What is marked where the whole document is one line.
WRONG_MEMBERS = [
    (("kernal",), "saxpy", "kernal"), (("threads",), "2", '"'), (("isa",), "avx3", "avx3"),
    (("buffers",), {"b": {"type": "flaot", "zero": 1}}, "flaot"),
    (("buffers",), {"b": {"type": "float", "fill": [1], "count": 1, "zero": 2}}, "zero"),
    (("steps", 0, "launch", "kernel"), "saxpi", "saxpi"), (("steps", 0, "launch", "arguments", "z"), 1, "z"),
    (("steps", 0, "launch", "arguments", "a"), "int:3", "a"),
    (("steps", 0, "launch", "arguments", "y"), {"type": "float", "zeor": 8}, "zeor"),
    (("steps", 0, "launch", "arguments", "y"), {"buffer": "b"}, "b"), (("steps", 0, "launch", "local"), [3, 3], "["),
    (("steps", 0, "launch", "global"), "8,x", "x"), (("steps", 1, "print"), "z", "z"), (("steps", 1, "print"), "y as flaot", "flaot"),
    (("steps", 2, "expect", "values"), "z", "z"), (("steps", 2, "expect", "tolerance"), "3ulps", "3ulps"),
    (("steps", 2, "expect", "equals"), [1, 2], "y"), (("steps", 3, "out", "file"), "y.pgn", "y.pgn"),
    (("steps", 3, "out", "file"), "none/y.bin", "none/y.bin"), (("steps", 4), {"lunch": {}}, "lunch"),
]


class Places(Case):
    def places(self, error, name):
        """Line, column and the text above the caret's mark, of each error."""
        found = re.findall(r"^error\[TSP-\w+\]: .*\n  --> (?:\S*/)?(\S+?):(\d+):(\d+)\n   \| (.*)\n   \| ( *)(\^~*)$", error, re.M)
        self.assertEqual(len(found), error.count("error["), error)
        for file, *_ in found:
            self.assertEqual(file, name)
        return [(int(line), int(column), text[len(blanks):][:len(mark)]) for _, line, column, text, blanks, mark in found]

    def failing(self, path):
        done = self.call("run", path, code=None)
        self.assertIn(done.returncode, (1, 2, 3, 6), done.stderr)
        return done.stderr

    def test_text(self):
        for wrong, instead, marked in WRONG:
            lines = list(GOOD)
            if instead is None:
                lines.append(wrong)
            else:
                lines[instead] = wrong
            with self.subTest(wrong):
                self.write("f.launch", "\n".join([f"module {KERNELS}", *lines]) + "\n")
                places = self.places(self.failing("f.launch"), "f.launch")
                line = 2 + (len(lines) - 1 if instead is None else instead)
                self.assertTrue(any(place[0] == line and place[2] == marked for place in places), (places, line, marked))

    def test_inside_a_source(self):
        source = pathlib.Path(KERNELS).read_text()
        for wrong in ["kernal saxpy", "arg a = flaot:1", "print z", "expect y = 1", "global 8,x"]:
            with self.subTest(wrong):
                self.write("k.spvasm", "".join(f";! {line}\n" for line in [*GOOD, wrong]) + source)
                self.assertEqual(self.places(self.failing("k.spvasm"), "k.spvasm")[0][0], 6)

    def test_json(self):
        good = {"modules": [KERNELS], "steps": [
            {"launch": {"kernel": "saxpy", "global": 8, "arguments": {"y": "float:range:0:1:8", "x": "float:fill:2:8", "a": 3}}},
            {"print": "y"}, {"expect": {"values": "y[0]", "equals": 6}}, {"out": {"buffer": "y", "file": "y.bin"}}]}
        self.run_(self.write("f.json", json.dumps(good, indent=1)))
        for path, value, marked in WRONG_MEMBERS:
            with self.subTest(path=path, value=value):
                bad = json.loads(json.dumps(good))
                at = bad
                for step in path[:-1]:
                    at = at[step]
                if isinstance(at, list) and path[-1] == len(at):
                    at.append(value)
                else:
                    at[path[-1]] = value
                text = json.dumps(bad, indent=1)
                self.write("f.json", text)
                for line, column, _ in self.places(self.failing("f.json"), "f.json"):
                    self.assertGreater(line, 1)
                    self.assertGreater(column, 1)
                self.write("f.json", json.dumps(bad))
                self.assertIn(marked, [mark for *_, mark in self.places(self.failing("f.json"), "f.json")])
        for text in ["{", "[]", '{"modules": [,]}', '{"steps": [], "steps": []}', "nul"]:
            self.write("f.json", text)
            self.places(self.failing("f.json"), "f.json")

    def test_json_in_one_line(self):
        launch = {"kernel": "saxpy", "global": 8, "arguments": {"y": "float:zero:8", "x": "float:zero:8", "a": 3}}
        for launch["arguments"]["a"], printed, wrong in [(3, "a", '{"print": "a"}'), ("int:3", "y", '"a": "int:3"')]:
            text = json.dumps({"modules": [KERNELS], "steps": [{"launch": launch}, {"print": printed}]})
            self.write("f.json", text)
            self.assertEqual(self.places(self.failing("f.json"), "f.json")[0], (1, text.index(wrong) + wrong.index('"a"') + 2, "a"))
        text = '{"steps": [], "steps": []}'
        self.write("f.json", text)
        self.assertEqual(self.places(self.failing("f.json"), "f.json")[0], (1, text.rindex("steps") + 1, "steps"))
        text = '{"isa": "avx2", "modules": [,]}'
        self.write("f.json", text)
        self.assertEqual(self.places(self.failing("f.json"), "f.json"), [(1, text.index("[,") + 2, ",")])

    def test_sim(self):
        self.write("k.spvasm", pathlib.Path(KERNELS).read_text())
        good = "k.spvasm saxpy\n4 1 1\n2 1 1\n<size=16 fill=0>\n<size=16 fill=2>\n<size=4>\n2\n"
        self.run_(self.write("f.sim", good))
        for before, after in [("saxpy", "saxpi"), ("4 1 1", "4 1 x"), ("2 1 1\n", ""), ("size=16 fill=0", "size=x"),
                              ("<size=16 fill=2>", "<size=16 fil=2>"), ("<size=4>\n2", "<size=4>\nz"), ("<size=4>\n2\n", ""),
                              ("<size=16 fill=2>", "size=16"), ("k.spvasm saxpy", "none.spvasm saxpy")]:
            with self.subTest(after):
                self.write("f.sim", good.replace(before, after))
                error = self.failing("f.sim")
                if "none.spvasm" not in error:
                    self.places(error, "f.sim")


if __name__ == "__main__":
    main()
