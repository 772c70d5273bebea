#!/usr/bin/env python3
"""Launch files in JSON: each feature of theirs works, agrees with docs/launch.schema.json, and where it is wrong, both say so.

usage: json_launches_test.py TRANSPIRE REPOSITORY
"""
import json
import struct

from output_files_test import decoded, npy
from support import KERNELS, MEMORY, Case, jsonschema, main, needs_compiler, schema

SAXPY = {"kernel": "saxpy", "global": 8, "arguments": {"y": {"type": "float", "zero": 8}, "x": "float:fill:2:8", "a": 3}}
SOURCE = """kernel void given(queue_t q, global int* out) {
  out[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4), ^{ out[get_global_id(0) + 4] = 7; });
}
kernel void two(queue_t q, queue_t other, global int* out) {
  const ndrange_t one = ndrange_1D(1);
  for (int i = 0; i < 2; ++i) {
    out[i] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ atomic_inc(out + 6); });
    out[i + 2] = enqueue_kernel(other, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ atomic_inc(out + 6); });
    out[i + 4] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ atomic_inc(out + 6); });
  }
}
kernel void put(write_only pipe int4 to, int n) {
  int4 packet = (int4)(get_global_id(0), 1, 2, n);
  write_pipe(to, &packet);
}
typedef struct { float weight; char tag; } Thing;
kernel void weigh(read_only pipe Thing from, global float* y, write_only pipe float to) {
  Thing thing;
  float sum = 0;
  while (read_pipe(from, &thing) == 0) sum += thing.weight * thing.tag;
  y[0] = sum;
  write_pipe(to, &sum);
}
kernel void copy(read_only image2d_t in, sampler_t s, write_only image2d_t img) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(img, p, read_imagef(in, s, p));
}
typedef struct { char tag; double d; float3 v; int n[2]; struct { short a; int b; } in; int end; } Item;
struct Pair { int first; float second; };
kernel void pair(global Item* items, struct Pair p, global struct Pair* out) {
  out->first = items->n[1] + p.first + items->in.a;
  out->second = p.second * items->v.y + (float)items->d;
}
"""
ITEM = {"tag": 1, "d": 0.5, "v": [1, 2, 3], "n": [4, 5], "in": {"a": 6, "b": 7}, "end": 9}


class JsonLaunches(Case):
    #: Free in a process that a sanitizer watches, too: thread sanitizer keeps the default's range to itself.
    BASE = 0x7e8000000000

    def is_valid(self, document):
        return jsonschema.Draft7Validator(schema("launch.schema.json")).is_valid(document)

    def runs(self, document, *words):
        if jsonschema:
            jsonschema.validate(document, schema("launch.schema.json"))
        return self.run_(self.write("f.json", json.dumps(document)), *words)

    def wrong(self, document, place):
        """The schema does not take it, and the message has the place."""
        with self.subTest(place=place, document=document):
            if jsonschema:
                self.assertFalse(self.is_valid(document))
            self.refused([self.write("f.json", json.dumps(document))], place)

    def compiled(self, *steps, **members):
        self.write("k.cl", SOURCE)
        return {"modules": "k.cl", "options": "-cl-std=CL2.0", "steps": list(steps)} | members

    def test_every_kind_of_member_and_value(self):
        good = {"modules": [KERNELS], "steps": [{"launch": SAXPY}, {"print": "y[0..1]"}, {"expect": {"values": "y", "equals": {"fill": 6}}}]}
        self.assertIn("y[0..1] = 6 6\n", self.runs(good).stdout)
        ranged = {"type": "float", "range": [0, 1], "count": 8}
        self.runs(good | {"steps": [{"launch": SAXPY | {"global": [8], "arguments": SAXPY["arguments"] | {"y": ranged}}},
                                    {"expect": {"values": "y[0..1]", "equals": [6, 7]}}]})
        launch = {"launch": {"arguments": {"y": {"type": "float", "zero": 8, "readOnly": True}}}}
        changes = [{"reference": "yes"}, {"threads": "2"}, {"threads": -1}, {"steps": {}}, {"modules": []}, {"isa": "x"},
                   {"bogus": 1}, {"check": [1]}, {"steps": [launch]}, {"steps": [{"expect": {"values": "y", "equals": 6, "swap": 1}}]},
                   {"steps": [{"out": "y"}]}, {"steps": [{"print": "y", "launch": {}}]}]
        values = [True, {"bogus": True}, {"zero": 1, "fill": 1}, {"fill": 1}, {"zero": 1, "count": 1}, {"range": [0]},
                  {"type": "flaot", "zero": 1}, {"hex": [1]}, {"file": None}, {"data": [{}]}, {"zero": "4"}]
        for change in changes + [{"buffers": {"b": value}} for value in values]:
            self.wrong(good | change, "= at /")
        for missing in ("modules", "steps"):
            self.wrong({key: value for key, value in good.items() if key != missing}, f"'{missing}' is missing")

    def test_memory(self):
        launch = {"kernel": "walk", "global": 1, "arguments": {"list": {"shared": "nodes", "offset": 16},
                                                               "sum": {"buffer": "all", "offset": 8, "size": 8}}}
        good = {"modules": [MEMORY],
                "buffers": {"all": {"type": "ulong", "zero": 4}, "a part": {"buffer": "all", "offset": 16, "size": 16}},
                "shared-base": hex(self.BASE), "variables": {"counter": 9, "steps": {"type": "uint", "zero": 2}},
                "shared": {"nodes": {"at": self.BASE, "value": {"type": "ulong", "data": [0, 0, self.BASE, 4]}}},
                "steps": [{"launch": launch}, {"expect": {"values": "all", "equals": [0, 4, 0, 0]}}, {"expect": "counter = 9"}]}
        self.runs(good)
        for change in [{"shared": {"n": {"at": 1}}}, {"shared": {"n": "ulong:zero:1"}}, {"variables": {"counter": None}},
                       {"buffers": {"b": {"buffer": "all", "offset": 1}}}, {"shared-base": 0.5}]:
            self.wrong(good | change, "= at /")

    def test_arrays(self):
        (self.folder / "i.npy").write_bytes(npy("(2,)", "<i4", struct.pack("<2i", 1, 2)))

        def document(value):
            arguments = {"y": "zero:1", "x": "zero:1", "a": 0}
            return {"modules": [KERNELS], "buffers": {"f": {"npy": "i.npy", "as": "float"}},
                    "steps": [{"launch": {"kernel": "saxpy", "global": 1, "arguments": arguments}}, {"expect": {"values": "f", "equals": value}}]}
        self.runs(document([1, 2]))
        self.runs(document({"npy": "i.npy", "as": "float"}))
        self.refused([self.write("f.json", json.dumps(document({"zero": 2, "as": "float"})))], "'zero' takes no 'as'")

    def test_outputs(self):
        launch = {"kernel": "saxpy", "global": 1, "arguments": {"y": {"zero": 4}, "x": {"zero": 4}, "a": 1}}
        out = {"buffer": "m", "file": "m as.png", "type": "uchar2", "cols": 2}
        good = {"modules": [KERNELS], "buffers": {"m": "uchar:range:0:1:8"}, "steps": [{"launch": launch}, {"print": "m cols 2"}, {"out": out}]}
        self.runs(good)
        self.assertEqual(self.json_of("run", "f.json")["prints"][0]["cols"], 2)
        self.assertEqual(decoded((self.folder / "m as.png").read_bytes())[:4], (2, 2, 8, 4))
        for change in [{"cols": 0}, {"cols": "2"}, {"type": "bytes"}, {"type": 1}, {"rows": 2}]:
            self.wrong(good | {"steps": [{"launch": launch}, {"out": out | change}]}, "= at /steps/1/out")

    @needs_compiler
    def test_images(self):
        launch = {"kernel": "copy", "global": [4, 2], "arguments": {
            "in": {"buffer": "in"}, "s": "sampler clamp_to_edge nearest", "img": "image 2d RGBA UNORM_INT8 4x2"}}
        expectation = {"values": "img", "tolerance": [1, 1, "1", 0], "equals": {"fill": [11, 20, 29, 40]}}
        good = self.compiled({"launch": launch}, {"expect": expectation}, {"expect": "img ~ (1, 1, 1, 0) = fill:(9, 21, 30, 40)"},
                             buffers={"in": "image 2d RGBA UNORM_INT8 4x2 uchar4:fill:(10,20,30,40)"})
        self.assertIn("2 expectations met", self.runs(good).stdout)
        for tolerance in [[], [[1]], True, {"R": 1}, [None]]:
            self.wrong(good | {"steps": [{"launch": launch}, {"expect": expectation | {"tolerance": tolerance}}]},
                       "= at /steps/1/expect/tolerance")

    @needs_compiler
    def test_structs(self):
        def document(value):
            arguments = {"items": {"data": [ITEM]}, "p": {"struct": value}, "out": {"zero": 1}}
            return self.compiled({"launch": {"kernel": "pair", "global": 1, "arguments": arguments}},
                                 {"expect": {"values": "out", "equals": {"data": [{"first": -89, "second": 20.5}]}}})
        self.runs(document({"second": 10, "first": -100}))
        for value in [{}, {"first": None, "second": 1}, {"fi rst": 1, "second": 1}]:
            self.refused([self.write("f.json", json.dumps(document(value)))], "= at /steps/0/launch/arguments/p")

    def pipes(self, *expectations):
        launch = {"kernel": "put", "global": 1, "arguments": {"to": {"buffer": "q"}, "n": 5}}
        pipes = {"q": {"pipe": "int4", "capacity": 8, "value": {"data": [[9, 8, 7, 6]]}}, "unused": "pipe 12 3"}
        return self.compiled({"launch": launch}, *({"expect": each} for each in expectations), threads=1, buffers=pipes)

    @needs_compiler
    def test_pipes(self):
        good = self.pipes({"values": "q", "equals": [[9, 8, 7, 6], [0, 1, 2, 5]]}, {"values": "q.packets", "equals": 2}, "q[0] = (9,8,7,6)")
        good["steps"] += [{"launch": {"kernel": "weigh", "global": 1, "arguments": {
            "from": {"pipe": 8, "capacity": 2, "value": "bytes:zero:8"}, "y": "float:zero:1", "to": {"pipe": "float", "capacity": 1}}}},
                          {"expect": {"values": "from", "equals": {"zero": 0}}}]
        self.assertIn("4 expectations met", self.runs(good).stdout)
        for wrong in [{"pipe": "int4"}, {"capacity": 4}, {"pipe": "int4", "capacity": -1}, {"pipe": "int4", "capacity": 4, "zero": 1},
                      {"pipe": "int4", "capacity": 4, "value": [1]}, {"pipe": 1.5, "capacity": 4}]:
            self.wrong(good | {"buffers": {"q": wrong}}, "= at /buffers/q")

    @needs_compiler
    def test_queues(self):
        def document(queue, **more):
            launch = {"kernel": "given", "global": 1, "arguments": {"q": queue, "out": "int:zero:8"}}
            return self.compiled({"launch": launch}, {"expect": {"values": "out", "equals": [0, 0, 0, 0, 7, 7, 7, 7]}}, **more)
        self.assertIn("1 expectation met", self.runs(document("queue", **{"max-children": 1})).stdout)
        for wrong in [1, "sampler nearest", {"zero": 4, "type": "int"}]:
            error = self.refused([self.write("f.json", json.dumps(document(wrong)))], "error[TSP-C0003]")
            self.assertIn("argument 'q': a queue is expected (queue_t), found a", error)
        for wrong in [-1, "many", 1.5]:
            self.wrong(document("queue", **{"max-children": wrong}), "= at /max-children")

    @needs_compiler
    def test_several_queues(self):
        usual = {"small": 100, "large": "1 KiB handle 9", "usual": None}

        def document(queues=None, default="large", q="queue small"):
            launch = {"kernel": "two", "global": 1, "arguments": {"q": q, "other": {"queue": "usual"}, "out": "int:zero:7"}}
            return self.compiled({"launch": launch}, {"expect": {"values": "out", "equals": [0, -161, 0, 0, 0, 0, 5]}},
                                 **{"queues": usual if queues is None else queues, "default-queue": default})
        self.assertIn("1 expectation met", self.runs(document()).stdout)
        for wrong, place in [(document({"small": [100]}), "queues/small"), (document({"small": 1.5}), "queues/small"),
                             (document([]), "queues"), (document(default=1), "default-queue"),
                             (document(q={"queue": 1}), "steps/0/launch/arguments/q/queue"),
                             (document(q={"queue": "small", "size": 1}), "steps/0/launch/arguments/q/size")]:
            self.wrong(wrong, f"= at /{place}")
        size = "queue 'small': expected 1 to 1073741824 bytes as the size of a queue, found "
        for wrong, message in [(document({"small": 0}), f"{size}0\n"), (document({"small": "2GiB"}), f"{size}2147483648\n"),
                               (document({"none": 5}), "a queue cannot be called 'none'\n")]:
            self.assertIn("= at /queues/", self.refused([self.write("f.json", json.dumps(wrong))], message))
        self.refused([self.write("f.json", json.dumps(document(default="larg")))], "error[TSP-C0003]: there is no queue 'larg'\n")
        self.refused([self.write("f.json", json.dumps(document(q="queue smal")))], "error[TSP-C0003]: argument 'q': there is no queue 'smal'\n")


class Blessing(Case):
    """`--bless` writes what came out, in the form that stands there."""

    def document(self, *steps, y="float:range:0:1:8"):
        """A launch file with a step in each line."""
        launch = SAXPY | {"arguments": SAXPY["arguments"] | {"y": y}}
        lines = ",\n    ".join(json.dumps(step) for step in [{"launch": launch}, *({"expect": each} for each in steps)])
        return f'{{"modules": ["{KERNELS}"],\n  "steps": [\n    {lines}\n  ]\n}}\n'

    def test_values_keep_their_form(self):
        before = [{"values": "y[0..1]", "tolerance": "1ulp", "equals": [1, 2]}, {"values": "x", "equals": {"fill": 7}},
                  {"values": "y[2..3]", "equals": {"type": "float", "data": [0, 0]}}, "y[4..5] = 0 0", {"values": "y[6]", "equals": 3},
                  {"values": "y[0..1]", "equals": {"type": "bytes", "hex": "0000000000000000"}}, {"values": "y[7]", "equals": 13}]
        after = [{**before[0], "equals": [6, 7]}, {"values": "x", "equals": {"fill": 2}},
                 {"values": "y[2..3]", "equals": {"type": "float", "data": [8, 9]}}, "y[4..5] = 10 11", {"values": "y[6]", "equals": 12},
                 {"values": "y[0..1]", "equals": {"type": "bytes", "hex": "0000c0400000e040"}}, before[6]]
        text, shown = self.bless("a.json", self.document(*before))
        self.assertEqual(text, self.document(*after))
        self.assertIn(f"a.json:4\n- {json.dumps({'expect': before[0]})},\n+ ".replace("- {", "-     {"), shown)
        # One line, and a name that tells nothing.
        self.write("described", json.dumps(json.loads(self.document(*before))))
        self.call("run", "described", "--bless")
        self.assertEqual((self.folder / "described").read_text(), json.dumps(json.loads(self.document(*after))))

    def test_numbers_that_json_has_not(self):
        document = self.document({"values": "y[0..2]", "equals": [1, 2, 3]}, y="float:data:nan,-inf,-6,0,0,0,0,0")
        text, _ = self.bless("a.json", document.replace("float:fill:2:8", "float:data:0,0,2,0,0,0,0,0"))
        self.assertIn('"equals": ["nan", "-inf", 0]', text)
        text, _ = self.bless("b.json", document.replace("-6,", "-0,").replace("float:fill:2:8", "float:fill:-0:8"))
        self.assertIn('"equals": ["nan", "-inf", "-0"]', text)

    def test_long_buffers(self):
        document = self.document({"values": "y", "equals": 1}).replace(":8", ":1000").replace('"global": 8', '"global": 1000')
        text, shown = self.bless("long.json", document)
        self.assertIn('{"values": "y", "equals": {"npy":"long.y.npy"}}', text)
        self.assertIn("long.y.npy: ", shown)
        (self.folder / "y.bin").write_bytes(bytes(32))
        before = self.document({"values": "y", "equals": {"file": "y.bin"}})
        self.assertEqual(self.bless("a.json", before)[0], before)

    def test_faults_come_and_go(self):
        gone = {"fault": "TSP-R0001", "on": "x"}
        for steps in [[gone], [gone, "y[0] = 6", gone], ["y[0] = 6", gone, gone], [gone, "fault TSP-R0002"]]:
            text, _ = self.bless("a.json", self.document(*steps, y="float:range:0:1:4"))
            kept = [{"expect": "y[0] = 6"}] if "y[0] = 6" in steps else []
            self.assertEqual(json.loads(text)["steps"][1:], kept + [
                {"expect": {"fault": rule, "on": "y", "at": [4, 0, 0]}} for rule in ["TSP-R0020", "TSP-R0021"]])
            self.assertIn(',\n    {"expect": {"fault": "TSP-R0020", "on": "y", "at": [4, 0, 0]}},\n    {"expect":', text)

    @needs_compiler
    def test_printf_and_refusals(self):
        self.write("k.cl", 'kernel void k(global int* p) { if (get_global_id(0) == 0) printf("three\\n"); }\n')
        document = {"modules": "k.cl", "steps": [{"launch": {"global": 2, "arguments": {"p": "int:zero:2"}}},
                                                 {"expect": {"printf": "one\n"}}, {"expect": {"printf": "two\n"}}, {"print": "p"}]}
        text, _ = self.bless("a.json", json.dumps(document, indent=1))
        document["steps"][1:3] = [{"expect": {"printf": "three\n"}}]
        self.assertEqual(json.loads(text), document)
        document["steps"][1] = {"expect": 'printf "one"'}
        text, _ = self.bless("b.json", json.dumps(document, indent=1))
        self.assertEqual(json.loads(text)["steps"][1], {"expect": 'printf "three\\n"'})
        self.write("k.cl", "kernel void k(global int* p) { p[0] = undeclared; }\n")
        document["steps"][1:] = [{"expect": {"refused": "TSP-U0005"}}]
        text, _ = self.bless("c.json", json.dumps(document, indent=1))
        self.assertEqual(json.loads(text)["steps"][1:], [{"expect": {"refused": "TSP-C0030"}}])

    @needs_compiler
    def test_structs_and_pipes(self):
        launches = JsonLaunches()
        launches.folder = self.folder
        pair = {"kernel": "pair", "global": 1, "arguments": {
            "items": {"data": [ITEM]}, "p": {"struct": {"second": 10, "first": -100}}, "out": {"zero": 1}}}
        document = launches.compiled({"launch": pair}, {"expect": {"values": "out", "equals": {"data": [{"first": 0, "second": 0}]}}})
        self.assertIn('"equals": {"data": [{"first": -89, "second": 20.5}]}}', self.bless("a.json", json.dumps(document))[0])
        text, _ = self.bless("b.json", json.dumps(launches.pipes(
            {"values": "q", "equals": [[1, 1, 1, 1]]}, {"values": "q.packets", "equals": 0}, "q = zero:0",
            {"values": "unused", "equals": {"type": "bytes", "hex": "00"}},
            {"values": "unused", "equals": [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]]})))
        self.assertEqual([step["expect"] for step in json.loads(text)["steps"][1:]], [
            {"values": "q", "equals": [[9, 8, 7, 6], [0, 1, 2, 5]]}, {"values": "q.packets", "equals": 2},
            "q = (9, 8, 7, 6) (0, 1, 2, 5)", {"values": "unused", "equals": {"type": "bytes", "zero": 0}},
            {"values": "unused", "equals": {"zero": 0}}])


if __name__ == "__main__":
    main()
