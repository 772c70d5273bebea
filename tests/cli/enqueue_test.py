#!/usr/bin/env python3
"""Kernels that enqueue kernels, from the outside: queues as arguments, the tree of what was enqueued, its limit.

usage: enqueue_test.py TRANSPIRE REPOSITORY
"""
import json
import re

from support import Case, jsonschema, main, needs_compiler, schema

SOURCE = """kernel void parent(global int* out, int n) {
  queue_t q = get_default_queue();
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(n), ^{ out[get_global_id(0)] = n; });
}
kernel void given(queue_t q, global int* out) {
  out[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4), ^{ out[get_global_id(0) + 4] = 7; });
}
"""
ENDLESS = """kernel void endless(global int* out) {
  atomic_inc(out);
  int error = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ endless(out); });
  if (error != CLK_SUCCESS) out[1] = error;
}
"""
TWO = """kernel void two(queue_t q, queue_t other, global int* out) {
  const ndrange_t one = ndrange_1D(1);
  for (int i = 0; i < 2; ++i) {
    out[i] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ atomic_inc(out + 6); });
    out[i + 2] = enqueue_kernel(other, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ atomic_inc(out + 6); });
    out[i + 4] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ atomic_inc(out + 6); });
  }
}
"""
MANY = """kernel void many(global int* out, int n) {
  for (int i = 0; i < n; ++i)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1 + i % 4), ^{ atomic_inc(out); });
}
"""
EVENTS = """kernel void waits(global int* out, int status) {
  queue_t q = get_default_queue();
  clk_event_t user = create_user_event(), done, marked;
  if (status < 2) set_user_event_status(user, status);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), 1, &user, &done, ^{ out[get_global_id(0)] = 1; });
  enqueue_marker(q, 1, &done, &marked);
  const size_t plane[2] = {4, 2}, tile[2] = {2, 2};
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(plane, tile), 1, &marked, 0,
                 ^{ out[4 + get_global_id(0)] = get_local_size(1); });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8), ^{ out[100 + get_global_id(0)] = 1; });
  release_event(user);
  release_event(done);
  release_event(marked);
}
"""
OPTIONS = ["--build-options", "-cl-std=CL2.0"]
END = (r"[0-9.]+ (us|ms|s)", "TIME"), (r", [0-9.]+ ?[kMG]? work-items/s", "")


def plain(text):
    """Without times and what the validator held back."""
    for pattern, instead in END:
        text = re.sub(pattern, instead, text)
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("validated for"))


@needs_compiler
class Enqueue(Case):
    def setUp(self):
        super().setUp()
        self.write("k.cl", SOURCE)

    def enqueues(self, source, kernel, *words, code=0):
        return self.run_(self.write("e.cl", source), *OPTIONS, "-k", kernel, "-g", "1", *words, code=code)

    def test_queues_as_arguments(self):
        text = """module k.cl
options -cl-std=CL2.0
kernel given
global 1
arg q = queue
arg out = int:zero:8
launch
expect out = 0 0 0 0 7 7 7 7
"""
        self.assertIn("1 expectation met", self.run_(self.write("f.launch", text)).stdout)
        out = self.run_("k.cl", *OPTIONS, "-q", "-k", "given", "-g", "1", "--arg", "q=queue", "-a", "out=int:zero:8", "--print", "out").stdout
        self.assertEqual(out, "out[0..7] = 0 0 0 0 7 7 7 7\n")
        null = self.run_("f.launch", "-a", "q=null", code=1)
        self.assertIn("out[0]: expected 0, found -102", null.stderr)
        self.assertNotIn("enqueued", null.stdout)

    def test_queues_in_json(self):
        def document(queue):
            return {"modules": "k.cl", "options": "-cl-std=CL2.0", "max-children": 1,
                    "steps": [{"launch": {"kernel": "given", "global": 1, "arguments": {"q": queue, "out": "int:zero:8"}}},
                              {"expect": {"values": "out", "equals": [0, 0, 0, 0, 7, 7, 7, 7]}}]}
        if jsonschema:
            jsonschema.validate(document("queue"), schema("launch.schema.json"))
        self.assertIn("1 expectation met", self.run_(self.write("f.json", json.dumps(document("queue")))).stdout)
        for wrong in [1, "sampler nearest", {"zero": 4, "type": "int"}]:
            with self.subTest(wrong):
                error = self.refused([self.write("f.json", json.dumps(document(wrong)))], "error[TSP-C0003]")
                self.assertIn("argument 'q': a queue is expected (queue_t), found a", error)
        for wrong in [-1, "many", 1.5]:
            with self.subTest(wrong):
                bad = document("queue") | {"max-children": wrong}
                if jsonschema:
                    self.assertFalse(jsonschema.Draft7Validator(schema("launch.schema.json")).is_valid(bad))
                self.refused([self.write("f.json", json.dumps(bad))], "= at /max-children")

    def test_refusals(self):
        for given, message in [("q=1", "a queue is expected (queue_t), found a value"),
                               ("q=int:zero:4", "a queue is expected (queue_t), found a value"),
                               ("q=buffer b", "a queue is expected (queue_t), found buffer 'b'"),
                               ("out=queue", "a buffer is expected (global int*), found a queue")]:
            with self.subTest(given):
                words = {"q": "q=queue", "out": "out=int:zero:8"} | {given.split("=")[0]: given}
                error = self.refused(["k.cl", *OPTIONS, "-k", "given", "-g", "1", "--buffer", "b=int:zero:8",
                                      "-a", words["q"], "-a", words["out"]], f"error[TSP-C0003]: argument '{given.split('=')[0]}': {message}")
                self.assertIn(f"= in '-a {given}'\nhelp: for example", error)
        self.refused(["k.cl", *OPTIONS, "-k", "parent", "-g", "1", "-a", "n=queue", "-a", "out=int:zero:8"],
                     "error[TSP-C0003]: argument 'n': a value is expected (int), found a queue")
        self.refused(["k.cl", *OPTIONS, "-k", "given", "-g", "1", "-a", "out=int:zero:8"], "for example 'q = queue'")
        self.refused(["k.cl", *OPTIONS, "-k", "given", "-g", "1", "-a", "out=int:zero:8", "-a", "q=queue 2"],
                     "error[TSP-C0003]: argument 'q': there is no queue '2'")
        self.refused(["k.cl", *OPTIONS, "-k", "given", "-g", "1", "-a", "q=queue a 4"], "'4' was not expected after 'queue a'")
        self.refused(["k.cl", *OPTIONS, "-k", "given", "-g", "1", "--buffer", "q=queue"], "buffer 'q' needs contents, not 'queue'")

    def test_several_queues(self):
        text = """module two.cl
options -cl-std=CL2.0
kernel two
global 1
arg q = queue small
arg other = queue usual
arg out = int:zero:7
queue small 100
queue usual
print out
"""
        self.write("two.cl", TWO)
        self.write("f.launch", text)

        def found(*words):
            return self.run_("f.launch", "-q", *words).stdout.split("= ")[1].strip()
        self.assertEqual(found(), "0 -161 0 0 0 0 5")
        self.assertEqual(found("--default-queue", "none"), "0 -161 0 0 -102 -102 3")
        self.assertEqual(found("--default-queue", "small"), "0 -161 0 0 -161 -161 3")
        self.assertEqual(found("--queue", "small=1KiB", "--queue", "usual=99"), "0 0 0 -161 0 0 5")
        self.assertEqual(found("-a", "q=queue usual", "-a", "other=null"), "0 0 -102 -102 0 0 4")
        self.assertEqual(found("--queue", "third=150", "--default-queue", "third", "-a", "q=queue"), "0 -161 0 0 -161 -161 3")
        words = ["two.cl", *OPTIONS, "-q", "-k", "two", "-g", "1", "-a", "out=int:zero:7"]
        self.run_(*words, "-a", "q=queue a", "-a", "other=queue", "--queue", "a=100", "--expect", "out = 0 -161 0 0 0 0 5")
        self.write("twice.launch", text + "default-queue none\nlaunch\nexpect out = 0 -161 0 0 -102 -102 3\n"
                                          "arg other = queue small\nlaunch\nexpect out = 0 -161 -161 -161 -102 -102 4\n")
        self.run_("twice.launch")

    def test_several_queues_in_json(self):
        self.write("two.cl", TWO)

        def document(queues=None, default="large", q="queue small"):
            if queues is None:
                queues = {"small": 100, "large": "1 KiB handle 9", "usual": None}
            return {"modules": "two.cl", "options": "-cl-std=CL2.0", "queues": queues, "default-queue": default,
                    "steps": [{"launch": {"kernel": "two", "global": 1, "arguments": {"q": q, "other": {"queue": "usual"}, "out": "int:zero:7"}}},
                              {"expect": {"values": "out", "equals": [0, -161, 0, 0, 0, 0, 5]}}]}

        def is_valid(value):
            return not jsonschema or jsonschema.Draft7Validator(schema("launch.schema.json")).is_valid(value)
        good = document()
        self.assertTrue(is_valid(good))
        self.assertIn("1 expectation met", self.run_(self.write("f.json", json.dumps(good))).stdout)
        for wrong, place in [(document({"small": [100]}), "/queues/small"), (document({"small": 1.5}), "/queues/small"),
                             (document([]), "/queues"), (document(default=1), "/default-queue"),
                             (document(q={"queue": 1}), "/steps/0/launch/arguments/q/queue"),
                             (document(q={"queue": "small", "size": 1}), "/steps/0/launch/arguments/q/size")]:
            with self.subTest(place):
                self.assertFalse(is_valid(wrong))
                self.refused([self.write("f.json", json.dumps(wrong))], f"= at {place}")
        for wrong, message in [(document({"small": 0}), "queue 'small': expected 1 to 1073741824 bytes as the size of a queue, found 0\n"),
                               (document({"small": "2GiB"}), "queue 'small': expected 1 to 1073741824 bytes as the size of a queue, found 2147483648\n"),
                               (document({"none": 5}), "a queue cannot be called 'none'\n")]:
            with self.subTest(message):
                error = self.refused([self.write("f.json", json.dumps(wrong))], message)
                self.assertIn("= at /queues/", error)
        self.refused([self.write("f.json", json.dumps(document(default="larg")))], "error[TSP-C0003]: there is no queue 'larg'\n")
        self.refused([self.write("f.json", json.dumps(document(q="queue smal")))], "error[TSP-C0003]: argument 'q': there is no queue 'smal'\n")

    def test_wrong_queues(self):
        head = "module k.cl\noptions -cl-std=CL2.0\nkernel given\nglobal 1\narg out = int:zero:8\narg q = queue\n"
        for line, message in [("queue", "[TSP-C0021]: the name of the queue is missing\n  --> f.launch:7:1\n"),
                              ("queue a 0", "[TSP-C0022]: queue 'a': expected 1 to 1073741824 bytes as the size of a queue, found 0\n  --> f.launch:7:"),
                              ("queue a 1025MiB", "[TSP-C0022]: queue 'a': expected 1 to 1073741824 bytes as the size of a queue, found 1074790400\n  --> f.launch:7:"),
                              ("queue a 4KB", "[TSP-C0022]: '4KB' is no number of bytes: a whole number is expected\n  --> f.launch:7:"),
                              ("queue a\nqueue a", "[TSP-C0021]: queue 'a' is declared twice\n  --> f.launch:8:"),
                              ("queue none", "[TSP-C0021]: a queue cannot be called 'none'\n  --> f.launch:7:"),
                              ("default-queue", "[TSP-C0021]: 'default-queue' takes the name of a queue, or 'none'\n  --> f.launch:7:1\n"),
                              ("default-queue b\nqueue a", "[TSP-C0003]: there is no queue 'b'\n  --> f.launch:7:"),
                              ("default-queue none", "[TSP-C0003]: argument 'q': there is no default queue\n  --> f.launch:6:"),
                              ("kernel given\nlaunch\narg q = queue b", "[TSP-C0003]: argument 'q': there is no queue 'b'\n  --> f.launch:9:")]:
            with self.subTest(line):
                self.write("f.launch", head + line + "\n")
                self.refused(["f.launch"], "error" + message)
        for words, message in [(["--queue", "a=0"], "[TSP-C0022]: queue 'a': expected 1 to 1073741824 bytes as the size of a queue, found 0\n  = in '--queue a=0'\n"),
                               (["--default-queue", "b"], "[TSP-C0003]: there is no queue 'b'\n  --> command line\n  = in '--default-queue b'\n")]:
            with self.subTest(words):
                self.write("f.launch", head)
                self.refused(["f.launch", *words], "error" + message)

    def test_bless_leaves_queues_alone(self):
        self.write("two.cl", TWO)
        text = """module two.cl
options -cl-std=CL2.0
queue small 100  # one block
default-queue none
kernel two
global 1
arg q = queue small
arg other = queue small
arg out = int:zero:7
"""
        self.run_(self.write("f.launch", text + "expect out = 0\n"), "--bless")
        self.assertEqual((self.folder / "f.launch").read_text(), text + "expect out = 0 -161 -161 -161 -102 -102 1\n")
        self.run_("f.launch")

    def test_information(self):
        kernels = {kernel["name"]: kernel for kernel in self.json_of("info", "k.cl", *OPTIONS)["kernels"]}
        self.assertEqual([p.get("queue") for p in kernels["given"]["parameters"]], [True, None])
        self.assertEqual([name for name, kernel in kernels.items() if not kernel.get("enqueued")], ["parent", "given"])
        text = self.call("info", "k.cl", *OPTIONS).stdout
        self.assertIn("    0  queue_t q\n    1  global int* out", text)
        template = self.call("info", "k.cl", "--template", *OPTIONS).stdout
        self.assertEqual([line for line in template.splitlines() if line.startswith("kernel")], ["kernel parent", "kernel given"])
        self.assertIn("arg q = queue ", template)
        self.run_(self.write("t.launch", template))
        # The only kernel but for blocks needs no name.
        self.assertIn("parent: 1 work-item", self.run_(self.write("one.cl", SOURCE.split("kernel void given")[0]), *OPTIONS, "-g", "1",
                                                       "-a", "out=int:zero:4", "-a", "n=4").stdout)

    def test_the_tree(self):
        out = plain(self.run_("k.cl", *OPTIONS, "-k", "parent", "-g", "1", "-a", "out=int:zero:4", "-a", "n=4").stdout)
        self.assertRegex(out, r"^parent: 1 work-item in groups of 1, TIME; enqueued 1 kernel, TIME\n"
                              r"  \S+: 4 work-items in groups of 4, TIME; enqueued at \S*k.cl:3:\d+ by work-item \(0,0,0\)\n$")
        quiet = self.run_("k.cl", *OPTIONS, "-q", "-k", "parent", "-g", "1", "-a", "out=int:zero:4", "-a", "n=4").stdout
        self.assertEqual(quiet, "")

    def test_children_that_are_alike(self):
        out = plain(self.enqueues(MANY, "many", "-a", "out=int:zero:1", "-a", "n=10000", "--expect", "out = 25000").stdout)
        self.assertRegex(out, r"^many: 1 work-item in groups of 1, TIME; enqueued 10000 kernels, TIME\n"
                              r"  \S+ 10000 times: 1 to 4 work-items, 25000 in all, in groups of 1 to 4, TIME; enqueued at "
                              r"\S*e.cl:3:\d+ by work-item \(0,0,0\)\n1 expectation met\n$")
        out = plain(self.enqueues(MANY, "many", "-a", "out=int:zero:1", "-a", "n=10001", "--repeat", "2").stdout)
        self.assertIn("; enqueued 20002 kernels, TIME\n", out)
        self.assertIn("\n  and 10002 more, which were only counted\n", out)

    def test_events_markers_and_outcomes(self):
        good = plain(self.enqueues(EVENTS, "waits", "-a", "out=int:zero:200", "-a", "status=0").stdout)
        self.assertRegex(good, r"; enqueued 3 kernels and 1 marker, TIME\n")
        self.assertRegex(good, r"\n  marker enqueued at \S*e.cl:6:\d+ by work-item \(0,0,0\)\n  \S+: 4x2 work-items in groups of 2x2, TIME; ")
        failed = plain(self.enqueues(EVENTS, "waits", "-a", "out=int:zero:200", "-a", "status=-5").stdout)
        self.assertRegex(failed, r"\n  \S+: 2 work-items; enqueued at \S+ by work-item \(0,0,0\); cancelled: an event that it waited for has an error\n")
        stuck = self.enqueues(EVENTS, "waits", "-a", "out=int:zero:200", "-a", "status=2", code=4)
        self.assertRegex(plain(stuck.stdout), r"\n  \S+: 2 work-items; enqueued at \S+ by work-item \(0,0,0\); 1 finding; never ran: nothing that ")
        self.assertIn("error[TSP-R0095]", stuck.stderr)
        document = self.json_of("run", "e.cl", *OPTIONS, "-k", "waits", "-g", "1", "-a", "out=int:zero:200", "-a", "status=-5")
        enqueued = document["launches"][0]["enqueued"]
        self.assertEqual(enqueued["count"], 4)
        self.assertEqual([(child["kind"], child["end"], child["parent"]) for child in enqueued["children"]],
                         [("kernel", "cancelled", None), ("marker", "cancelled", None), ("kernel", "cancelled", None),
                          ("kernel", "completed", None)])
        last = enqueued["children"][3]
        self.assertEqual((last["global_size"], last["local_size"], last["enqueued_by"], last["source"]["line"], last["finding_count"]),
                         ([8, 1, 1], [8, 1, 1], [0, 0, 0], 10, 0))
        self.assertNotIn("global_size", enqueued["children"][1])

    def test_findings_of_children(self):
        done = self.run_("k.cl", *OPTIONS, "-k", "parent", "-g", "1", "-a", "out=int:zero:2", "-a", "n=4", code=4)
        self.assertRegex(plain(done.stdout), r" by work-item \(0,0,0\); 1 finding\n$")
        self.assertRegex(done.stderr, r"enqueued by work-item \(0,0,0\) of 'parent' at \S*k.cl:3:")

    def test_endless(self):
        done = self.enqueues(ENDLESS, "endless", "-a", "out=int:zero:2", "--max-children", "50", "--print", "out", code=6)
        self.assertTrue(done.stdout.startswith("out[0..1] = 51 -"), done.stdout)
        self.assertRegex(plain(done.stdout), r"; enqueued 50 kernels, TIME\n  \S+ 50 times, nested 50 deep: 1 work-item in groups of 1, TIME; ")
        self.assertRegex(plain(done.stdout), r" by 50 work-items, the first \(0,0,0\); 1 finding\n")
        self.assertIn("error[TSP-L0009]", done.stderr)
        document = self.json_of("run", "e.cl", *OPTIONS, "-k", "endless", "-g", "1", "-a", "out=int:zero:2", "--max-children=50", code=6)
        parents = [child["parent"] for child in document["launches"][0]["enqueued"]["children"]]
        self.assertEqual(parents, [None, *range(49)])

    def test_limits(self):
        words = ["-a", "out=int:zero:4", "-a", "n=4"]
        for wrong in ["-1", "1.5", "many", "18446744073709551616", ""]:
            with self.subTest(wrong):
                error = self.refused(["k.cl", *OPTIONS, "-k", "parent", "-g", "1", *words, f"--max-children={wrong}"], "")
                self.assertIn("max-children", error)
        none = self.run_("k.cl", *OPTIONS, "-k", "parent", "-g", "1", *words, "--max-children", "0", "--expect", "out = 0 0 0 0", code=6)
        self.assertNotIn("; enqueued", none.stdout)
        self.assertIn("error[TSP-L0009]", none.stderr)
        for enough in ["1", "18446744073709551615"]:
            self.run_("k.cl", *OPTIONS, "-k", "parent", "-g", "1", *words, "--max-children", enough)
        text = f"""module e.cl
options -cl-std=CL2.0
kernel endless
global 1
arg out = int:zero:2
max-children 7
expect out[0] = 8
expect fault TSP-L0009
"""
        self.write("e.cl", ENDLESS)
        self.run_(self.write("f.launch", text))
        self.run_("f.launch", "--max-children", "6", code=1)


if __name__ == "__main__":
    main()
