#!/usr/bin/env python3
"""Pipes from the outside: what is in them before and after launches, and what is told of kernels that have some.

usage: pipes_test.py TRANSPIRE REPOSITORY
"""
import json

from support import ROOT, Case, jsonschema, main, needs_compiler, schema

SOURCE = """typedef struct { float weight; char tag; } Thing;
kernel void put(write_only pipe int4 to, int n) {
  int4 packet = (int4)(get_global_id(0), 1, 2, n);
  write_pipe(to, &packet);
}
kernel void take(read_only pipe int4 from, global int4* y) {
  int4 packet = -1;
  read_pipe(from, &packet);
  y[get_global_id(0)] = packet;
}
kernel void weigh(read_only pipe Thing from, global float* y, write_only pipe float to) {
  Thing thing;
  float sum = 0;
  while (read_pipe(from, &thing) == 0) sum += thing.weight * thing.tag;
  y[0] = sum;
  write_pipe(to, &sum);
}
kernel void leave(write_only pipe int4 to) { reserve_write_pipe(to, 1); }
"""
STORAGE = """OpCapability Addresses
OpCapability Kernel
OpCapability Pipes
OpCapability PipeStorage
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %test "test"
%void = OpTypeVoid
%type = OpTypePipeStorage
%reader = OpTypePipe ReadOnly
%fn = OpTypeFunction %void
%storage = OpConstantPipeStorage %type LITERALS
%test = OpFunction %void None %fn
%entry = OpLabel
%pipe = OpCreatePipeFromPipeStorage %reader %storage
OpReturn
OpFunctionEnd
"""
HEAD = "module k.cl\noptions -cl-std=CL2.0\nthreads 1\n"
PUT = HEAD + """buffer q = pipe int4 8 data:(9,8,7,6)
kernel put
global 3
arg to = buffer q
arg n = 5
"""
TAKE = """kernel take
global 2
arg from = buffer q
arg y = int4:zero:2
launch
"""


@needs_compiler
class Pipes(Case):
    def setUp(self):
        super().setUp()
        self.write("k.cl", SOURCE)

    def launched(self, text, *statements, code=0, words=()):
        return self.run_(self.write("f.launch", text + "\n".join(statements) + "\n"), "-q", *words, code=code)

    def failed(self, statement, *messages):
        error = self.launched(PUT, statement, code=1).stderr
        for message in messages:
            self.assertIn(message, error)

    def test_what_goes_through(self):
        out = self.launched(PUT, "launch", "print q", "expect q = (9,8,7,6) (0,1,2,5) (1,1,2,5) (2,1,2,5)", TAKE,
                            "expect y = (9,8,7,6) (0,1,2,5)", "print q", "expect q[0] = (1,1,2,5)", "expect q.packets = 2",
                            "launch", "expect q = zero:0", "expect from.packets = 0", "print from", "launch", "expect y = fill:-1").stdout
        self.assertEqual(out, "q[0..3] = (9, 8, 7, 6) (0, 1, 2, 5) (1, 1, 2, 5) (2, 1, 2, 5)\n"
                         "q[0..1] = (1, 1, 2, 5) (2, 1, 2, 5)\nfrom is empty\n")

    def test_prints_show_what_is_there(self):
        out = self.launched(PUT, "print q[2..7]", "print q[4..]", "print q.packets", "print q[0] as uint hex", "print 0[3]",
                            "print to.packets").stdout
        self.assertEqual(out, "q[2..3] = (1, 1, 2, 5) (2, 1, 2, 5)\nq[4..] is empty\nq.packets[0] = 4\nq[0] = 0x00000009\n"
                         "q[3] = (2, 1, 2, 5)\nto.packets[0] = 4\n")
        prints = self.json_of("run", "f.launch")["prints"]
        self.assertEqual(prints[1], {"buffer": "q", "first": 4, "type": "int4", "values": []})
        self.assertEqual(prints[2], {"buffer": "q.packets", "first": 0, "type": "uint", "values": [4]})

    def test_expectations(self):
        self.launched(PUT, "expect q[1..2] ~ (1, 0, 0, 0) = fill:(1,1,2,5)", "expect q[3] = int:6", "expect q[0..1] = bytes:hex:"
                      "09000000080000000700000006000000" "00000000010000000200000005000000", "expect q[4..] = zero:0",
                      "expect q.packets ~ 1 = 5", "out q = q.npy", "expect q = npy:q.npy")
        self.failed("expect q = (9,8,7,6)", "4 packets are left in pipe 'q', 1 packet was expected",
                    "= left: (9, 8, 7, 6) (0, 1, 2, 5) (1, 1, 2, 5) (2, 1, 2, 5)\n", "'expect q.packets = 4' is about their number alone")
        self.failed("expect q = zero:0", "4 packets are left in pipe 'q', 0 packets were expected")
        self.failed("expect q = fill:0:5", "4 packets are left in pipe 'q', 5 packets were expected")
        self.failed("expect q[2..5] = fill:0", "4 packets are left in pipe 'q', 'q[2..5]' were expected")
        self.failed("expect q[7] = (1,1,1,1)", "4 packets are left in pipe 'q', 'q[7]' was expected")
        self.failed("expect to[0..3] = (1,1,1,1)", "4 elements of 'to' are compared with 1 values")
        self.failed("expect q.packets = 3", "q.packets[0]: expected 3, found 4")
        self.failed("expect q[1] = (0,1,3,5)", "q[1].2: expected 3, found 2")
        self.assertIn("there is no buffer 'p.packets'", self.launched(PUT, "expect p.packets = 3", code=2).stderr)
        self.assertIn("there is no buffer '1.packets'", self.launched(PUT, "expect 1.packets = 3", code=2).stderr)

    def test_structs_are_bytes(self):
        text = HEAD + """kernel weigh
global 1
arg from = pipe 8 4 bytes:hex:0000003f040000000000804002000000
arg y = float:zero:1
arg to = pipe 4 1
expect y = 10
expect to = 10
expect from = zero:0
print to
"""
        self.assertEqual(self.launched(text).stdout, "to[0] = 10\n")
        error = self.launched(text, "expect to ~ spec full = 10", code=1).stderr
        self.assertIn("launches do not note what they write to pipes", error)

    def test_refusals(self):
        for given, rule, message in [
                ("buffer q = pipe int4", "C0021", "a pipe needs its packets' type or size, and how many it has room for"),
                ("buffer q = pipe flaot4 8", "C0022", "'flaot4' is no type"),
                ("buffer q = pipe int4 0", "C0043", "expected a number of packets of 1 to 4294967295, found 0"),
                ("buffer q = pipe int4 1 data:(1,1,1,1),(1,1,1,1)", "C0043", "expected packets of 16 bytes, at most 1 of them, found 32"),
                ("buffer q = pipe int4 8 int:zero:3", "C0043", "expected packets of 16 bytes, at most 8 of them, found 12"),
                ("buffer q = pipe int4 1000000 ", "L0004", "pipe 'q' of 16000000 bytes exceeds the limit of 1048576")]:
            with self.subTest(given):
                text = PUT.replace("buffer q = pipe int4 8 data:(9,8,7,6)", given) + "max-memory 1MiB\n"
                code = 6 if rule == "L0004" else 2
                error = self.launched(text, code=code).stderr
                self.assertIn(f"error[TSP-{rule}]: {message}", error)
                self.assertRegex(error, r"--> \S*f.launch:4:\d+\n   \| buffer q = pipe ")

    def test_arguments_of_other_kinds(self):
        for given, message in [
                ("to=int4:zero:8", "a pipe is expected (write_only pipe int4), found a value"),
                ("to=pipe int 8", "a pipe of packets of 16 bytes is expected (write_only pipe int4), found one of packets of 4 bytes"),
                ("to=buffer b", "a pipe is expected (write_only pipe int4), found buffer 'b'"),
                ("n=pipe int 8", "a value is expected (int), found a pipe of packets of 4 bytes")]:
            with self.subTest(given):
                self.launched(PUT, "buffer b = int:zero:8", words=["-a", given], code=2)
                error = self.run_("f.launch", "-q", "-a", given, code=2).stderr
                self.assertIn(f"error[TSP-C0003]: argument '{given.split('=')[0]}': {message}", error)
                self.assertIn(f"= in '-a {given}'\nhelp: for example", error)
        error = self.launched(PUT, "launch", TAKE, words=["-a", "y=buffer q"], code=2).stderr
        self.assertIn("argument 'y': a buffer is expected (global int4*), 'q' is a pipe", error)
        self.assertIn("'q' is a pipe, which has no slices", self.launched(PUT, "buffer s = buffer q size 4", code=2).stderr)

    def test_the_command_line(self):
        out = self.run_("k.cl", "-q", "--build-options", "-cl-std=CL2.0", "-k", "put", "-g", "1", "--buffer", "b=pipe int4 3", "-a",
                        "to=buffer b", "-a", "n=4", "--print", "b", "--expect", "b.packets = 1").stdout
        self.assertEqual(out, "b[0] = (0, 1, 2, 4)\n")

    def test_findings_name_the_pipe(self):
        text = HEAD + "kernel leave\nglobal 1\narg to = pipe int4 2\n"
        error = self.launched(text, "print to", code=4).stderr
        rule = error.split("error[")[1].split("]")[0]
        self.launched(text, f"expect fault {rule} on to")

    def test_blessing(self):
        self.launched(PUT, "expect q = (9,8,7,6)  # all", "expect q.packets = 1", "expect q[1..2] = 1 2 3 4 5 6 7 8", "launch", TAKE,
                      "expect q = int4:data:(1,2,3,4)", "launch", "expect q = (1,1,1,1)", "expect q = bytes:zero:16",
                      words=["--bless"])
        lines = [line for line in (self.folder / "f.launch").read_text().splitlines() if line.startswith("expect")]
        self.assertEqual(lines, ["expect q = (9, 8, 7, 6) (0, 1, 2, 5) (1, 1, 2, 5) (2, 1, 2, 5)  # all", "expect q.packets = 4",
                                 "expect q[1..2] = (0, 1, 2, 5) (1, 1, 2, 5)", "expect q = int4:data:(1, 1, 2, 5),(2, 1, 2, 5)",
                                 "expect q = zero:0", "expect q = bytes:zero:0"])
        self.run_("f.launch", "-q")
        error = self.launched(PUT, "expect q[2..5] = fill:0", words=["--bless"], code=1).stderr
        self.assertIn("no values mend an expectation of packets that are not there", error)
        self.assertIn("expect q[2..5] = fill:0\n", (self.folder / "f.launch").read_text())

    def document(self, *expectations):
        return {"modules": "k.cl", "options": "-cl-std=CL2.0", "threads": 1,
                "buffers": {"q": {"pipe": "int4", "capacity": 8, "value": {"data": [[9, 8, 7, 6]]}}, "unused": "pipe 12 3"},
                "steps": [{"launch": {"kernel": "put", "global": 1, "arguments": {"to": {"buffer": "q"}, "n": 5}}},
                          *({"expect": each} for each in expectations)]}

    def test_json(self):
        good = self.document({"values": "q", "equals": [[9, 8, 7, 6], [0, 1, 2, 5]]}, {"values": "q.packets", "equals": 2},
                             "q[0] = (9,8,7,6)")
        good["steps"].append({"launch": {"kernel": "weigh", "global": 1, "arguments": {
            "from": {"pipe": 8, "capacity": 2, "value": "bytes:zero:8"}, "y": "float:zero:1", "to": {"pipe": "float", "capacity": 1}}}})
        good["steps"].append({"expect": {"values": "from", "equals": {"zero": 0}}})
        if jsonschema:
            jsonschema.validate(good, schema("launch.schema.json"))
        self.assertIn("4 expectations met", self.run_(self.write("f.json", json.dumps(good))).stdout)
        for wrong in [{"pipe": "int4"}, {"capacity": 4}, {"pipe": "int4", "capacity": -1}, {"pipe": "int4", "capacity": 4, "zero": 1},
                      {"pipe": "int4", "capacity": 4, "value": [1]}, {"pipe": 1.5, "capacity": 4}]:
            with self.subTest(wrong):
                bad = good | {"buffers": {"q": wrong}}
                if jsonschema:
                    self.assertFalse(jsonschema.Draft7Validator(schema("launch.schema.json")).is_valid(bad))
                self.refused([self.write("f.json", json.dumps(bad))], "= at /buffers/q")

    def test_blessing_of_json(self):
        before = self.document({"values": "q", "equals": [[1, 1, 1, 1]]}, {"values": "q.packets", "equals": 0}, "q = zero:0",
                               {"values": "unused", "equals": {"type": "bytes", "hex": "00"}}, {"values": "unused", "equals": [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]]})
        self.run_(self.write("f.json", json.dumps(before)), "-q", "--bless")
        after = [step["expect"] for step in json.loads((self.folder / "f.json").read_text())["steps"][1:]]
        self.assertEqual(after, [{"values": "q", "equals": [[9, 8, 7, 6], [0, 1, 2, 5]]}, {"values": "q.packets", "equals": 2},
                                 "q = (9, 8, 7, 6) (0, 1, 2, 5)", {"values": "unused", "equals": {"type": "bytes", "zero": 0}},
                                 {"values": "unused", "equals": {"zero": 0}}])
        self.run_("f.json", "-q")

    def test_information(self):
        options = ["--build-options", "-cl-std=CL2.0"]
        kernels = {kernel["name"]: kernel for kernel in self.json_of("info", "k.cl", *options)["kernels"]}
        self.assertEqual([p.get("pipe") for p in kernels["weigh"]["parameters"]], [
            {"access": "read_only", "packet_type": "Thing", "packet_bytes": 8, "packet_align": 4}, None,
            {"access": "write_only", "packet_type": "float", "packet_bytes": 4, "packet_align": 4}])
        text = self.call("info", "k.cl", *options).stdout
        self.assertIn("write_only pipe int4 to  (packets of 16 bytes)\n", text)
        template = self.call("info", "k.cl", "--template", *options).stdout
        self.assertIn("arg to = pipe int4 1024 ", template)
        self.assertIn("arg from = pipe 8 1024 zero ", template)
        self.assertIn("launch\nprint to[0..7]\n", template)
        self.run_(self.write("t.launch", template.split("kernel leave")[0]))

    def test_captured_by_blocks(self):
        """What is used within blocks alone is known as well, and templates run as they are."""
        body = "S s = {1, 2}; r[0] = read_imageui(img, (int2)(0, 0)).x; write_pipe(p, &s);"
        arguments = "(read_only image2d_t img, write_only pipe S p, global int* r)"
        enqueue = "enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ "
        self.write("b.cl", "typedef struct { int a; float b; } S;\n"
                   f"kernel void direct{arguments} {{ {body} }}\n"
                   f"kernel void block{arguments} {{ const char c = r[1]; {enqueue} r[2] = c; {body} }}); }}\n"
                   f"kernel void nested{arguments} {{ {enqueue} const long l = r[1]; {enqueue} r[2] = l; {body} }}); }}); }}\n")
        for more in ["-O0", "-O2", "-O2 -target spir-unknown-unknown"]:
            options = ["--build-options", f"-cl-std=CL2.0 {more}"]
            kernels = self.json_of("info", "b.cl", *options)["kernels"]
            told = {kernel["name"]: kernel["parameters"] for kernel in kernels if kernel["name"] in ("direct", "block", "nested")}
            with self.subTest(more=more):
                self.assertEqual(len(told), 3)
                self.assertEqual(told["direct"][1]["pipe"]["packet_bytes"], 8)
                self.assertEqual(told["direct"][0]["image"]["texels"], "integers")
                for name in ["block", "nested"]:
                    self.assertEqual(told[name], told["direct"])
        template = self.call("info", "b.cl", "--template", "--build-options", "-cl-std=CL2.0").stdout
        self.assertEqual(template.count("arg p = pipe 8 1024"), 3)
        self.assertEqual(template.count("arg img = image 2d RGBA UNSIGNED_INT32 1024x64 "), 3)
        self.run_(self.write("b.launch", template), "-g", 1)

    def test_validated_storage(self):
        for literals, rule, message in [
                ("4 4 0", "V0025", "expected a capacity of at least 1, found 0"),
                ("0 4 8", "V0025", "expected a packet size of at least 1, found 0"),
                ("4 0 8", "UNI-43", "expected an alignment that divides the packet's size 4, found 0"),
                ("4 3 8", "UNI-43", "expected an alignment that divides the packet's size 4, found 3"),
                ("4 16 8", "UNI-43", "expected an alignment that divides the packet's size 4, found 16"),
                ("12 4 1", None, None)]:
            self.write("s.spvasm", STORAGE.replace("LITERALS", literals))
            words = "validate", "s.spvasm", "--env=opencl2.2"
            with self.subTest(literals=literals):
                if rule is None:
                    self.call(*words)
                    continue
                error = self.call(*words, code=3).stderr
                self.assertEqual(error.count("error["), 1)
                self.assertIn(f"error[TSP-{rule}]: {message}", error)

    def test_the_example(self):
        self.assertIn("1 of 1 test passed", self.call("test", ROOT / "examples/pipes.launch").stdout)


if __name__ == "__main__":
    main()
