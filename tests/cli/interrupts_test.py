#!/usr/bin/env python3
"""Runs that are interrupted, and what a terminal shows of those that take long. transcripts/findings.txt has where findings are shown.

usage: interrupts_test.py TRANSPIRE REPOSITORY
"""
import json
import os
import pty
import re
import select
import signal
import subprocess
import time

from support import PATIENCE, TRANSPIRE, Case, jsonschema, main, needs_compiler, processor_seconds, schema, within_growing_limits

SPIN = """kernel void spin(global volatile int* y) {
  printf("begun\\n");
  for (volatile uint i = 0; y[0] == 0; ++i) {
  }
}
"""
WAITING = """kernel void k(global volatile int* y) {
  int l = get_local_id(0);
  if (l == 70)
    for (volatile uint i = 0; y[0] == 0; ++i) {
    }
  barrier(CLK_GLOBAL_MEM_FENCE);
  y[1] = l;
}
"""


@needs_compiler
class Interrupts(Case):
    def begun(self, *words):
        """A run that has come to its first launch."""
        process = subprocess.Popen([TRANSPIRE, "run", *map(str, words)], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        # It computes, and nothing that came before does for so long. A compiler is another process.
        end = time.monotonic() + PATIENCE
        while len(os.listdir(f"/proc/{process.pid}/task")) < 2 or processor_seconds(process.pid) < 0.8:
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        return process

    def words(self, *more):
        self.write("spin.cl", SPIN)
        return ["spin.cl", "-g", 2, "-l", 1, "-a", "y=int:zero:4", "--print", "y", "--timeout", PATIENCE, "--threads", 2, *more]

    def test_what_was_found_and_printed_is_kept(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            for more in [[], ["--repeat", 3]]:
                with self.subTest(f"{number} {more}"):
                    process = self.begun(*self.words(*more))
                    process.send_signal(number)
                    out, error = process.communicate(timeout=PATIENCE)
                    self.assertEqual(process.returncode, 128 + number)
                    self.has(out, "begun\n", "y[0..3] = 0 0 0 0\n")
                    self.assertRegex(error, r"note\[TSP-L0008\].*\n  --> spin\.cl:3:\d+\n   \|   for ")

    def test_the_same_signal_to_the_process_and_its_group(self):
        """As `timeout` and service managers send it: that is no second Ctrl-C."""
        process = self.begun(*self.words())
        for _ in range(3):
            process.send_signal(signal.SIGTERM)
            time.sleep(0.01)
        out, error = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 143)
        self.assertIn("begun\n", out)
        self.assertIn("TSP-L0008", error)

    def test_in_json(self):
        process = self.begun(*self.words("--format=json"))
        process.send_signal(signal.SIGINT)
        document = json.loads(process.communicate(timeout=PATIENCE)[0])
        self.assertEqual((document["exit_code"], document["findings"][0]["rule"]), (130, "TSP-L0008"))
        if jsonschema:
            jsonschema.validate(document, schema("output.schema.json"))

    def waiting(self, *more):
        """The notes on where work-items were, of a group in which one never ends."""
        self.write("w.cl", WAITING)
        process = self.begun("w.cl", "-g", 200, "-l", 200, "-a", "y=int:zero:4", *more)
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=PATIENCE)[1]

    def test_work_items_that_wait_are_told_of(self):
        for isa in self.instruction_sets():
            error = self.waiting("--isa", isa, "--timeout", PATIENCE)
            self.has(error, "note[TSP-L0008]", "  --> w.cl:4:")
            self.assertRegex(error, r"1 work-item, the first global \(70,0,0\), was at w\.cl:4:\d+ in 'k'")
            self.assertRegex(error, r"127 work-items, the first global \(0,0,0\), waited at the barrier of w\.cl:6:3 in 'k'")
            self.assertRegex(error, r"72 work-items, the first global \(128,0,0\), had not begun")

    def test_limits_tell_of_them_as_well(self):
        self.write("w.cl", WAITING)
        words = ["w.cl", "-g", 128, "-l", 128, "-a", "y=int:zero:4"]
        waited = r"127 work-items, the first global \(0,0,0\), waited at the barrier of w\.cl:6:3"
        self.assertRegex(self.run_(*words, "--max-steps", "100000", code=6).stderr, waited)
        self.assertTrue(within_growing_limits(
            0.5, lambda seconds: re.search(waited, self.run_(*words, "--timeout", seconds, code=6).stderr)))

    def test_between_short_launches(self):
        self.write("short.cl", "kernel void k(global int* y) { y[0] += 1; }\n")
        process = self.begun("short.cl", "-g", 1, "-a", "y=int:zero:1", "--repeat", 10**9, "--timeout", PATIENCE)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)


@needs_compiler
class Progress(Case):
    """What a terminal shows while a run takes long."""

    def shown(self, *words, until):
        """Standard error of a run on a terminal, which is ended when it matches."""
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = subprocess.Popen([TRANSPIRE, "run", *map(str, words)], cwd=self.folder, stderr=slave,
                                   stdout=subprocess.DEVNULL)
        os.close(slave)
        text, end = "", time.monotonic() + PATIENCE
        while time.monotonic() < end and process.poll() is None and not re.search(until, text, re.DOTALL):
            if select.select([master], [], [], 0.1)[0]:
                try:
                    text += os.read(master, 65536).decode()
                except OSError:  # the run has ended
                    break
        process.send_signal(signal.SIGINT)
        process.wait(timeout=PATIENCE)
        return text

    def test_steps_of_a_group_that_takes_long(self):
        self.write("spin.cl", SPIN)
        line = r"spin: 0 %, 0 of 2 work-groups, (\d+) s, ([\d.]+) (.) steps so far"
        text = self.shown("spin.cl", "-g", 4, "-l", 2, "-a", "y=int:zero:4", "--threads", 1, until=f"({line}.*){{4}}")
        lines = re.findall(line, text)
        self.assertGreater(len(lines), 2, text)
        self.assertLess(int(lines[0][0]), int(lines[-1][0]))
        self.assertNotEqual(lines[0][1:], lines[-1][1:])

    def test_buffers_that_are_set_up(self):
        self.write("k.cl", "kernel void k(global int* y, global int* z) { y[0] = z[0]; }\n")
        text = self.shown("k.cl", "-g", 1, "-a", "y=int:zero:4", "-a", "z=int:random:1:0:9:80000000", until="setting up .* s")
        self.assertRegex(text, r"setting up argument 'z', \d+ s")


if __name__ == "__main__":
    main()
