#!/usr/bin/env python3
"""`transpire fuzz` from the outside: what it compares, what it finds, and what it saves."""
import os
import re
import signal
import subprocess
import unittest

from support import (PATIENCE, PROGRAMS, SAXPY, TRANSPIRE, Case, main, needs_compiler, processor_seconds,
                     wait_until, within_growing_limits)

# Each work-item reads what the next one writes.
NEIGHBOUR = """kernel void turn(global uint* x) {
  const uint i = get_global_id(0), next = x[(i + 1) % 64];
  x[i] = next;
}
"""
NEIGHBOUR_LAUNCH = ["-g", "64", "-l", "64", "-a", "x=uint:range:0:1:64"]
# Which work-item is last: everybody stores to one place, in two lines.
LAST = """kernel void last(global int* out, global int* count) {
  const int i = get_global_id(0);
  atomic_add(count, 1);
  if (i < 4)
    out[1] = i;
  else
    atomic_xchg(out + 1, -i);
}
"""
LAST_LAUNCH = ["-g", "8", "-l", "8", "-a", "out=int:zero:2", "-a", "count=int:zero:1"]
# A sum of floats whose order nobody says.
SUM = """kernel void sum(global float* total, global const float* x) {
  volatile global uint* const word = (volatile global uint*)total;
  uint before = 0, now = 0;
  do {
    before = now;
    now = atomic_cmpxchg(word, before, as_uint(as_float(before) + x[get_global_id(0)]));
  } while (now != before);
}
"""
SUM_LAUNCH = ["-g", "64", "-l", "64", "-a", "total=float:zero:1", "-a", "x=float:random:1:0.0:1.0:64"]
QUEUE = """kernel void put(write_only pipe int p) {
  const int i = get_global_id(0);
  write_pipe(p, &i);
}
"""
# No order comes to its end, nor repeats a state.
ENDLESS = """kernel void endless(global volatile int* x) {
  while (x[0] == 0) x[2] += get_global_id(0) + 1;
  x[1] = 1;
}
"""
ENDLESS_LAUNCH = ["-g", "4", "-a", "x=int:zero:4"]
# But for the serial one, whose first work-item comes first.
ENDLESS_BUT_ONE = """kernel void endless(global volatile int* x) {
  if (get_global_id(0) == 0) x[0] = 1;
  if (x[0] == 0) while (x[1] == 0) x[2] += get_global_id(0) + 1;
}
"""
ENQUEUING = """kernel void k(global int* out) {
  const int i = get_global_id(0);
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[0] = out[0] * 3 + i; });
}
"""
TWO_NANS = "kernel void k(global float* s) { s[0] = as_float(get_global_id(0) ? 0x7fc00001 : 0x7fc00000); }\n"
SPIN = """kernel void spin(global volatile int* x) {
  if (get_global_id(0) == 0) while (x[1] == 0) ;
  x[1] = 1;
  x[0] = 1;
}
"""


class FuzzTest(Case):
    def fuzz(self, *words, code=0):
        return self.call("fuzz", *words, code=code)

    def in_time(self, seconds, words, text):
        """What is printed when there is time enough to come to what matches."""
        def attempt(limit):
            done = subprocess.run([TRANSPIRE, "fuzz", *words, "--seconds", str(limit)], cwd=self.folder, text=True,
                                  capture_output=True, timeout=2 * PATIENCE, check=False)
            return [done] if re.search(text, done.stdout + done.stderr) else None

        found = within_growing_limits(seconds, attempt)
        self.assertTrue(found, text)
        return found[0]

    def test_no_difference(self):
        done = self.fuzz(*SAXPY, "--runs", "20")
        self.assertEqual(done.stdout, "22 orders of work-items, 2 buffers compared: no difference\n")
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.fuzz(*SAXPY, "--runs", "3", "-q").stdout, "")

    @needs_compiler
    def test_stores_of_two_work_items(self):
        kernel = self.write("last.cl", LAST)
        document = self.json_of("fuzz", kernel, *LAST_LAUNCH, code=1)
        difference = document["difference"]
        self.assertEqual((difference["buffer"], difference["element"], difference["place"]), ("out", 1, "out[1]"))
        serial, other = difference["serial"], difference["other"]
        self.assertEqual(serial["value"], "-7")
        self.assertEqual(serial["store"]["global_id"], [7, 0, 0])
        self.assertEqual((serial["store"]["source"]["line"], serial["store"]["action"]), (7, "atomic access"))
        self.assertEqual((other["schedule"], other["value"]), ("reverse", "0"))
        self.assertEqual(other["store"]["global_id"], [0, 0, 0])
        self.assertEqual((other["store"]["source"]["line"], other["store"]["action"]), (5, "store"))
        self.assertEqual(document["orders"], 2)
        finding = document["findings"][0]
        self.assertEqual((finding["rule"], finding["allocation"], finding["kernel"]), ("TSP-R0106", "out", "last"))
        self.assertEqual(finding["offset_bytes"], 4)

    @needs_compiler
    def test_one_store_of_two_values(self):
        kernel = self.write("turn.cl", NEIGHBOUR)
        error = self.fuzz(kernel, *NEIGHBOUR_LAUNCH, code=1).stderr
        self.assertIn("error[TSP-R0106]", error)
        self.assertIn("turn.cl:3", error)
        self.assertIn("both are the same store", error)
        self.assertIn("by --schedule=reverse: store at", error)

    @needs_compiler
    def test_jobs_do_not_change_it(self):
        # Neither the serial nor the reverse order: both have neighbours follow each other.
        kernel = self.write("jumps.cl", """kernel void jumps(global int* last, global int* jumped) {
  const int i = get_global_id(0), before = *last;
  if (abs(i - before) > 4) *jumped = 1;
  *last = i;
}
""")
        words = [kernel, "-g", "8", "-l", "8", "-a", "last=int:fill:4:1", "-a", "jumped=int:zero:1", "--ignore", "last"]
        documents = [self.json_of("fuzz", *words, "--jobs", jobs, code=1) for jobs in (1, 4)]
        self.assertEqual(documents[0], documents[1])
        self.assertEqual(documents[0]["difference"]["other"]["schedule"], "random")
        self.assertGreater(documents[0]["orders"], 2)
        seed = documents[0]["difference"]["other"]["seed"]
        self.assertEqual(self.json_of("fuzz", *words, "--seed", seed, code=1)["orders"], 3)

    @needs_compiler
    def test_ignore(self):
        kernel = self.write("last.cl", LAST)
        done = self.fuzz(kernel, *LAST_LAUNCH, "--ignore", "out", "--runs", "10")
        self.assertIn("12 orders of work-items, 1 buffer compared: no difference", done.stdout)
        error = self.fuzz(kernel, *LAST_LAUNCH, "--ignore", "counts", code=2).stderr
        self.assertIn("there is no buffer 'counts' to ignore", error)
        self.assertIn("did you mean 'count'?", error)
        done = self.fuzz(*SAXPY, "--expect", "y = float:zero:8", "--runs", "5", code=1)
        self.assertIn("7 orders of work-items, 2 buffers compared: no difference", done.stdout)
        self.assertIn("error[TSP-C0023]", done.stderr)

    @needs_compiler
    def test_comparisons_that_fail_are_no_stores(self):
        kernel = self.write("first.cl", "kernel void first(global int* x) { atomic_cmpxchg(x, 0, 1 + get_global_id(0)); }\n")
        difference = self.json_of("fuzz", kernel, "-g", "8", "-l", "8", "-a", "x=int:zero:1", code=1)["difference"]
        self.assertEqual((difference["serial"]["value"], difference["serial"]["store"]["global_id"]), ("1", [0, 0, 0]))
        self.assertEqual((difference["other"]["value"], difference["other"]["store"]["global_id"]), ("8", [7, 0, 0]))

    @needs_compiler
    def test_tolerance(self):
        kernel = self.write("sum.cl", SUM)
        self.assertIn("'total[0]' is", self.fuzz(kernel, *SUM_LAUNCH, code=1).stderr)
        total = re.search(r"'total\[0\]' is ([0-9.]+)", self.fuzz(kernel, *SUM_LAUNCH, code=1).stderr).group(1)
        self.fuzz(kernel, *SUM_LAUNCH, "--expect", f"total ~ 0.01 = {total}", "--runs", "20")
        self.fuzz(kernel, *SUM_LAUNCH, "--expect", f"total ~ 1e-9 = {total}", "--runs", "20", code=1)

    @needs_compiler
    def test_pipes(self):
        kernel = self.write("put.cl", QUEUE)
        words = [kernel, "--build-options=-cl-std=CL2.0", "-g", "4", "-a", "p=pipe int 4"]
        document = self.json_of("fuzz", *words, code=1)
        self.assertEqual(document["difference"]["buffer"], "p")
        self.assertIsNone(document["difference"]["serial"]["store"])
        self.fuzz(*words, "--ignore", "p", "--runs", "5")

        done = self.fuzz(*words, code=1)
        self.assertIn(", by --schedule=serial: who wrote the packets is not noted\n", done.stderr)

    @needs_compiler
    def test_enqueued_kernels_have_no_order(self):
        kernel = self.write("enqueuing.cl", ENQUEUING)
        words = [kernel, "--build-options=-cl-std=CL2.0", "-g", "16", "-l", "16", "-a", "out=int:zero:16", "--save", "replay.launch"]
        difference = self.json_of("fuzz", *words, code=1)["difference"]
        self.assertEqual(difference["other"]["schedule"], "reverse")
        self.assertEqual(difference["place"], "out[0]")
        self.json_of("run", "replay.launch", code=1)
        seeds = {self.run_(kernel, "--build-options=-cl-std=CL2.0", "-g", 16, "-l", 16, "-a", "out=int:zero:16", "--schedule=random",
                           f"--seed={seed}", "-q", "--print", "out").stdout for seed in range(4)}
        self.assertEqual(len(seeds), 4)

    @needs_compiler
    def test_nans_show_their_bits(self):
        kernel = self.write("nans.cl", TWO_NANS)
        done = self.fuzz(kernel, "-g", "2", "-l", "1", "-a", "s=float:zero:1", code=1)
        self.assertIn("'s[0]' is nan (0x7fc00001) in one order of work-items, nan (0x7fc00000) in another", done.stderr)

    @needs_compiler
    def test_replay_finds_headers(self):
        (self.folder / "headers").mkdir()
        self.write("headers/which.h", "#define WHICH 0\n")
        self.write("turn.cl", '#include "which.h"\n' + NEIGHBOUR)
        self.fuzz("turn.cl", "--build-options", "-I headers -Iheaders", *NEIGHBOUR_LAUNCH, "--save", "replay.launch", code=1)
        (self.folder / "elsewhere").mkdir()
        self.run_(self.folder / "replay.launch", folder=self.folder / "elsewhere", code=1)

    @needs_compiler
    def test_replay(self):
        kernel = self.write("turn.cl", NEIGHBOUR)
        seeds = ["--seed", "5", "--save", "replay.launch"]
        launch = self.write("turn.launch", "module turn.cl\nglobal 64\nlocal 64\narg x = uint:range:0:1:64\n"
                            "repeat 1\nlaunch\narg x = uint:range:7:1:64\nlaunch\n")
        for words in ([kernel, *NEIGHBOUR_LAUNCH], [launch]):
            document = self.json_of("fuzz", *words, *seeds, code=1)
            difference = document["difference"]
            text = (self.folder / "replay.launch").read_text()
            self.assertIn(f"schedule {difference['other']['schedule']}", text)
            replayed = self.json_of("run", "replay.launch", code=1)
            mismatch = replayed["expectations"]["failures"][0]["mismatches"][0]
            self.assertEqual((mismatch["element"], mismatch["expected"], mismatch["found"]),
                             (difference["element"], difference["serial"]["value"], difference["other"]["value"]))
            self.assertEqual(replayed["errors"], [])
        self.fuzz(*SAXPY, "--runs", "2", "--save", "nothing.launch")
        self.assertFalse((self.folder / "nothing.launch").exists())

    @needs_compiler
    def test_replay_of_what_the_command_line_says(self):
        self.write("turn.cl", NEIGHBOUR)
        launch = self.write("turn.launch", "module turn.cl\nglobal 8\nlocal 8\narg x = uint:zero:64\n")
        document = self.json_of("fuzz", launch, *NEIGHBOUR_LAUNCH, "--save", "replay.launch", code=1)
        found = self.json_of("run", "replay.launch", code=1)["expectations"]["failures"][0]["mismatches"][0]
        self.assertEqual(found["found"], document["difference"]["other"]["value"])

    @needs_compiler
    def test_replay_of_suppressions(self):
        self.write("past.cl", "kernel void f(global int* p) { p[0] = get_global_id(0); p[4] = 1; }\n")
        self.write("known.supp", "TSP-R0021 function=f  # known\n")
        (self.folder / "else").mkdir()
        words = ["-g", "4", "-l", "4", "-a", "p=int:zero:4", "--save", "else/replay.launch"]
        launch = self.write("past.launch", "module past.cl\nsuppress known.supp\n")
        for given in ([launch], ["past.cl", "--suppress", "known.supp"], ["past.cl", "--suppress", "r21"]):
            self.fuzz(*given, *words, code=1)
            replayed = self.json_of("run", "else/replay.launch", code=1)
            self.assertEqual([finding["rule"] for finding in replayed["findings"] if "suppressed_by" not in finding], [])
            self.assertEqual(replayed["errors"], [])
            self.assertEqual(replayed["expectations"]["failures"][0]["mismatches"][0]["found"], "0")

    @needs_compiler
    def test_replay_of_pipes(self):
        self.write("put.cl", QUEUE)
        words = ["put.cl", "--build-options=-cl-std=CL2.0", "-g", "4", "-l", "4", "-a", "p=pipe int 4", "--save",
                 "replay.launch"]
        difference = self.json_of("fuzz", *words, code=1)["difference"]
        mismatch = self.json_of("run", "replay.launch", code=1)["expectations"]["failures"][0]["mismatches"][0]
        self.assertEqual((mismatch["expected"], mismatch["found"]),
                         (difference["serial"]["value"], difference["other"]["value"]))
        # Not the same number of packets.
        self.write("put.cl", QUEUE.replace("(write_only", "(global volatile int* x, write_only").replace(
            "write_pipe", "x[i] = 1; if (x[0] == 1) write_pipe"))
        difference = self.json_of("fuzz", *words, "-a", "x=int:zero:4", code=1)["difference"]
        self.assertEqual((difference["serial"]["value"], difference["other"]["value"]), ("4 packets", "1"))
        self.assertIn("expect p.packets = 4", (self.folder / "replay.launch").read_text())
        self.json_of("run", "replay.launch", code=1)

    @needs_compiler
    def test_replay_of_texels_and_vectors(self):
        self.write("texel.cl", "kernel void texel(write_only image2d_t to) {\n"
                               "  write_imagef(to, (int2)(1, 1), (float4)(get_global_id(0) / 4.0f));\n}\n")
        self.write("vector.cl", "kernel void vector(global float4* p) { p[1] = (float4)(1, get_global_id(0), -2.5f, 0); }\n")
        for kernel, argument, expected, place in (
                ("texel.cl", "to=image 2d RGBA UNORM_INT8 4x4", "expect to[5] = (191,191,191,191)", "to[5].R at (1,1)"),
                ("vector.cl", "p=float4:zero:2", "expect p[1] = (1,3,-2.5,0)", "p[1].1: expected 3, found 0")):
            self.fuzz(kernel, "-g", "4", "-l", "4", "-a", argument, "--save", "replay.launch", code=1)
            self.assertIn(expected, (self.folder / "replay.launch").read_text().replace(", ", ","))
            error = self.call("run", "replay.launch", code=1).stderr
            self.assertIn(place, error)

    @needs_compiler
    def test_padding(self):
        self.write("fourth.cl", "kernel void fourth(global float* p) { p[3] = get_global_id(0); }\n")
        document = self.json_of("fuzz", "fourth.cl", "-g", "4", "-l", "4", "-a", "p=float3:zero:1", "--save",
                                "replay.launch", code=1)
        difference = document["difference"]
        self.assertEqual((difference["place"], difference["element"], difference["offset_bytes"]), ("p, byte 14", 0, 14))
        self.assertEqual((difference["serial"]["value"], difference["other"]["value"]), ("0x40", "0x00"))
        self.assertEqual(difference["serial"]["store"]["global_id"], [3, 0, 0])
        self.json_of("run", "replay.launch", code=1)
        # What a kernel has padding of it may write as it likes.
        self.write("third.cl", "kernel void third(global float3* p) {\n"
                               "  float4 all = (float4)(0, 0, 0, get_global_id(0));\n  p[0] = all.xyz;\n}\n")
        self.fuzz("third.cl", "-g", "4", "-l", "4", "-a", "p=float3:zero:1", "--runs", "5")

    @needs_compiler
    def test_sub_groups(self):
        program = PROGRAMS / "group" / "ballot_of_partial.cl"
        done = self.fuzz(program, "--seed", "1", "--runs", "20", code=1)
        self.assertIn("--subgroup-size=32 keeps it", done.stderr)
        self.fuzz(program, "--subgroup-size", "32", "--runs", "20")

    def test_what_is_wrong_in_every_order(self):
        program = PROGRAMS / "faults" / "load_past_end.spvasm"
        text = "\n".join(line for line in program.read_text().splitlines() if "expect" not in line)
        self.write("past.spvasm", text)
        document = self.json_of("fuzz", "past.spvasm", code=4)
        self.assertNotIn("difference", document)
        self.assertEqual(document["findings"][0]["rule"], "TSP-R0020")

    @needs_compiler
    def test_a_finding_of_some_orders(self):
        self.write("index.cl", "kernel void f(global int* x) {\n  const int i = get_global_id(0);\n"
                               "  if (i == 0 && x[1] == 1) x[7] = 1;\n  if (i == 1) x[1] = 1;\n}\n")
        done = self.fuzz("index.cl", "-g", "2", "-l", "2", "-a", "x=int:zero:2", code=4)
        self.assertIn("the last one is not in order, --schedule=reverse", done.stdout)
        self.assertIn("error[TSP-R0021]", done.stderr)
        self.assertIn("in this order: --schedule=reverse", done.stderr)

    def test_usage(self):
        for words, message in ((["--runs", "0"], "'--runs 0' never ends"), (["--runs", "x"], "'x' is no number"),
                               (["--seed", "4294967296"], "is too large"), (["--jobs", "5000"], "is too large"),
                               (["--schedule", "serial"], "'--schedule' was not expected")):
            error = self.fuzz(*SAXPY, *words, code=2).stderr
            self.assertIn(message, error)
        self.assertIn("TSP-C0020", str(self.json_of("fuzz", *SAXPY, "--runs", "0", code=2)))

    def test_time(self):
        self.in_time(0.5, SAXPY, r"^([3-9]|\d\d+) orders of work-items")

    def test_interrupt(self):
        with subprocess.Popen([TRANSPIRE, "fuzz", *SAXPY, "--seconds", str(PATIENCE)], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            wait_until(lambda: processor_seconds(process.pid) > 0.8)
            os.kill(process.pid, signal.SIGINT)
            out, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted, no difference so far", out)

    @needs_compiler
    def test_time_of_the_serial_order(self):
        self.write("endless.cl", ENDLESS)
        done = self.in_time(1, ["endless.cl", *ENDLESS_LAUNCH],
                            r"error\[TSP-L0002\]: the time of \d+ s was over in the first run, --schedule=serial")
        self.assertEqual(done.returncode, 6)

    @needs_compiler
    def test_time_of_all_other_orders(self):
        self.write("endless.cl", ENDLESS_BUT_ONE)
        done = self.in_time(1, ["endless.cl", *ENDLESS_LAUNCH, "--jobs", "1"],
                            r"the time of \d+ s was over before a run other than --schedule=serial had ended")
        self.assertEqual(done.returncode, 6)
        self.assertNotIn("no difference", done.stdout)

    @needs_compiler
    def test_interrupt_of_the_serial_order(self):
        self.write("endless.cl", ENDLESS)
        with subprocess.Popen([TRANSPIRE, "fuzz", "endless.cl", *ENDLESS_LAUNCH], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            # Another process compiles the source, and takes less.
            wait_until(lambda: processor_seconds(process.pid) > 2)
            os.kill(process.pid, signal.SIGINT)
            _, error = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted in the first run, --schedule=serial", error)

    @needs_compiler
    def test_time_of_earlier_orders(self):
        # The reverse order never ends, the seed's is a different one.
        self.write("late.cl", """kernel void late(global volatile int* x) {
  const int i = get_global_id(0);
  if (i == 0) x[0] = 1;
  const int is_first = x[0] == 0;
  while (i == 7 && is_first) x[2] += 1;
  x[1] = i;
}
""")
        words = ["late.cl", "-g", "8", "-l", "1", "-a", "x=int:zero:4", "--seed", "2"]
        done = self.in_time(3, [*words, "--jobs", "2"],
                            "2 orders of work-items, 1 buffer compared: the last one differs, "
                            "--schedule=random --seed=2; 1 before it did not come to its end")
        self.assertEqual(done.returncode, 1)
        self.assertIn("by --schedule=serial: store at late.cl:6", done.stderr)

    @needs_compiler
    def test_expectations_one_by_one(self):
        self.write("last.cl", "kernel void last(global int* p) { p[0] = get_global_id(0); }\n")
        words = ["last.cl", "-g", "4", "-l", "4", "-a", "p=int:zero:1", "--ignore", "p", "--runs", "3"]
        # The serial order fails the one, the reverse order the other.
        done = self.fuzz(*words, "--expect", "p[0] = 0", "--expect", "p[0] = 3", code=1)
        self.assertIn("the last one is not in order, --schedule=reverse", done.stdout)
        self.assertIn("p[0]: expected 3, found 0", done.stderr)
        # No order fails what the serial one does not.
        done = self.fuzz(*words, "--expect", "p[0] = 9", code=1)
        self.assertIn("no difference", done.stdout)

    @needs_compiler
    def test_steps(self):
        self.write("spin.cl", SPIN)
        done = self.fuzz("spin.cl", "-g", "2", "-l", "2", "-a", "x=int:zero:2", "--max-steps", "10000", code=6)
        self.assertIn("error[TSP-L0001]", done.stderr)


if __name__ == "__main__":
    main()
