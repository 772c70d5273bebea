#!/usr/bin/env python3
"""Structs by the names of their members: of debug information in OpenCL C, of OpMemberName in modules.

usage: structs_test.py TRANSPIRE REPOSITORY
"""
import json
import pathlib

from support import KERNELS, Case, jsonschema, main, needs_compiler, schema

SOURCE = """typedef struct { char tag; double d; float3 v; int n[2]; struct { short a; int b; } in; int end; } Item;
struct Pair { int first; float second; };
typedef struct { union { int i; float f; } u; int z; } Mixed;
global struct Pair total = {1, 2};
kernel void f(global Item* items, struct Pair p, global struct Pair* out, global Mixed* mixed) {
  size_t i = get_global_id(0);
  out[i].first = items[i].n[1] + p.first + items[i].in.a;
  out[i].second = p.second * items[i].v.y + (float)items[i].d;
  items[i].tag = -7;
  mixed[i].z = total.first++;
}
"""
CL2 = ["--build-options=-cl-std=CL2.0"]
ITEM = "{tag=1, d=0.5, v=(1,2,3), n=(4,5), in={a=6, b=7}, end=9}"
LAUNCH = f"""module k.cl
options -cl-std=CL2.0
global 1
arg items = data:{ITEM}
arg p = {{second=10, first=-100}}
arg out = zero:1
arg mixed = zero:1
print items
print out
expect out[0] = {{first=-89, second=20.5}}
expect items = data:{ITEM.replace("tag=1", "tag=-7")}
"""


@needs_compiler
class Structs(Case):
    def setUp(self):
        super().setUp()
        self.write("k.cl", SOURCE)

    def launched(self, *changes, words=(), code=0):
        text = LAUNCH
        for before, after in changes:
            self.assertIn(before, text)
            text = text.replace(before, after)
        return self.run_(self.write("f.launch", text), "-q", *words, code=code)

    def test_names(self):
        self.assertEqual(self.launched().stdout.splitlines(), [
            "items[0] = {tag=-7, d=0.5, v=(1, 2, 3), n={4, 5}, in={a=6, b=7}, end=9}", "out[0] = {first=-89, second=20.5}"])
        # In their order, and without what fills the struct up.
        self.launched((ITEM, "{1, 0.5, (1,2,3), (4,5), {6, 7}, 9}", ))
        self.launched(("arg p = {second=10, first=-100}", "arg p = struct { .first = -100, .second = 10 }"))
        self.assertEqual(self.launched(words=["--print", "total"]).stdout.splitlines()[2], "total[0] = {first=2, second=2}")
        self.launched(("print items", "variable total = {first=5, second=0}\nexpect total[0] = {6, 0}"))

    def test_json_output(self):
        self.launched()
        prints = self.json_of("run", "f.launch", "--print", "mixed")["prints"]
        self.assertEqual([each["values"] for each in prints], [
            [{"tag": -7, "d": 0.5, "v": [1.0, 2.0, 3.0], "n": [4, 5], "in": {"a": 6, "b": 7}, "end": 9}],
            [{"first": -89, "second": 20.5}], [{"u": {"i": 0}, "z": 1}]])

    def test_unions(self):
        # What clang keeps of a union is its member that is aligned most, filled up to the size of the largest.
        self.write("u.cl", """typedef struct { union { char bytes[12]; double d; struct { float x; float y; } at; } u; uint n; } Tagged;
kernel void f(global Tagged* all) { all[0].u.d += 1; all[0].n++; }
""")
        words = ["u.cl", "-g", "1", "-q"]
        done = self.run_(*words, "-a", "all=data:{u={d=0.5}, n=7}", "--print", "all", "--expect", "all = {u={d=1.5}, n=8}")
        self.assertEqual(done.stdout, "all[0] = {u={d=1.5}, n=8}\n")
        error = self.run_(*words, "-a", "all=data:{u={e=0.5}, n=7}", code=2).stderr
        self.assertIn("has no member 'e'\n", error)
        self.assertIn("help: the only one is 'd'", error)

    def test_what_is_wrong(self):
        for value, why in [("{first=1, secnd=2}", "struct Pair has no member 'secnd'\n"),
                           ("{first=1, secnd=2}", "help: did you mean 'second'? the members are 'first' and 'second'"),
                           ("{first=1}", "member 'second' of struct Pair is missing\n"),
                           ("{first=1}", "help: write it as { first=0, second=0 }"),
                           ("{first=1, 2}", "either all members have their names or none has"),
                           ("{first=1, first=2, second=1}", "member 'first' is given twice"),
                           ("{first=, second=1}", "a name or its value is missing beside '='"),
                           ("{=1, second=1}", "a name or its value is missing beside '='"),
                           ("{first=(x=1), second=1}", "int has no member 'x'"),
                           ("first=1", "the name 'first' is of no struct's member"),
                           ("{1, 2, 3}", "struct Pair has 2 members, 3 given")]:
            with self.subTest(value):
                error = self.launched(("{second=10, first=-100}", value), code=2).stderr
                self.assertIn(why, error)
                self.assertRegex(error, r"  --> \S*f\.launch:5:\d+\n   \| arg p = ")
        self.assertIn("float3 has no members with names",
                      self.launched((ITEM, ITEM.replace("(1,2,3)", "(x=1,y=2,z=3)")), code=2).stderr)

    def test_mismatches(self):
        error = self.launched(("second=20.5", "second=21"), ("tag=-7, d=0.5, v=(1,2,3), n=(4,5), in={a=6, b=7}, end=9}\n",
                               "tag=-7, d=0.5, v=(1,2,4), n=(4,9), in={a=6, b=8}, end=9}\n"), code=1).stderr
        for line in ["out[0].second: expected 21, found 20.5", "items[0].v.2: expected 4, found 3",
                     "items[0].n[1]: expected 9, found 5", "items[0].in.b: expected 8, found 7"]:
            self.assertIn(line, error)

    def test_padding_is_not_asked_for(self):
        text = self.call("info", "k.cl", *CL2).stdout
        self.assertRegex(text, r"0  char tag\n +8  double d\n +16  float3 v\n +32  int\[2\] n\n")
        self.assertIn("(padding)\n", text)
        self.assertIn("arg p = struct { first=0, second=0 }", self.call("info", "--template", "k.cl", *CL2).stdout)
        members = self.json_of("info", "k.cl", *CL2)["kernels"][0]["parameters"][0]["pointee"]["members"]
        self.assertEqual([m["name"] for m in members if not m["type"].get("padding")], ["tag", "d", "v", "n", "in", "end"])
        # Numbers of 'range' are for members of the source.
        done = self.launched((f"data:{ITEM}\narg p", "range:0:1:1\narg p"),
                             ("expect out[0] = {first=-89, second=20.5}\n", ""),
                             (f"expect items = data:{ITEM.replace('tag=1', 'tag=-7')}\n", ""))
        self.assertIn("items[0] = {tag=-7, d=1, v=(2, 3, 4), n={5, 6}, in={a=7, b=8}, end=9}", done.stdout)

    def test_json(self):
        item = {"tag": 1, "d": 0.5, "v": [1, 2, 3], "n": [4, 5], "in": {"a": 6, "b": 7}, "end": 9}
        launch = {"global": 1, "arguments": {"items": {"data": [item]}, "p": {"struct": {"second": 10, "first": -100}},
                                             "out": {"zero": 1}, "mixed": {"zero": 1}}}
        description = {"modules": "k.cl", "options": "-cl-std=CL2.0", "steps": [
            {"launch": launch}, {"expect": {"values": "out", "equals": {"data": [{"first": -89, "second": 20.5}]}}}]}
        if jsonschema:
            jsonschema.validate(description, schema("launch.schema.json"))
        self.run_(self.write("f.json", json.dumps(description)))
        for value in [{}, {"first": None, "second": 1}, {"fi rst": 1, "second": 1}]:
            launch["arguments"]["p"] = {"struct": value}
            self.assertIn("= at /steps/0/launch/arguments/p", self.run_(self.write("f.json", json.dumps(description)), code=2).stderr)

    def test_bless(self):
        path = self.write("f.launch", LAUNCH.replace("second=20.5", "second=21"))
        self.run_(path, "-q", "--bless")
        self.assertIn("expect out[0] = {first=-89, second=20.5}\n", path.read_text())
        launch = {"global": 1, "arguments": {"items": {"data": [{"tag": 1, "d": 0.5, "v": [1, 2, 3], "n": [4, 5],
                                                                  "in": {"a": 6, "b": 7}, "end": 9}]},
                                             "p": {"struct": {"second": 10, "first": -100}}, "out": {"zero": 1}, "mixed": {"zero": 1}}}
        path = self.write("f.json", json.dumps({"modules": "k.cl", "options": "-cl-std=CL2.0", "steps": [
            {"launch": launch}, {"expect": {"values": "out", "equals": {"data": [{"first": 0, "second": 0}]}}}]}))
        self.run_(path, "-q", "--bless")
        self.assertIn('"equals": {"data": [{"first": -89, "second": 20.5}]}}', path.read_text())
        self.run_(path)


class MemberNames(Case):
    def test_names_of_the_module(self):
        text = pathlib.Path(KERNELS).read_text()
        name = 'OpName %struct_Pair "struct.Pair"\n'
        self.assertIn(name, text)
        module = self.write("k.spvasm", text.replace(name, f'{name}OpMemberName %struct_Pair 0 "left"\n'))
        self.assertIn("left", self.call("info", module).stdout)


if __name__ == "__main__":
    main()
