#!/usr/bin/env python3
"""`transpire fuzz` when its time is over, and when it is interrupted. transcripts/fuzz.txt has what it finds and saves.

usage: fuzz_test.py TRANSPIRE REPOSITORY
"""
import os
import re
import signal
import subprocess

from support import PATIENCE, SAXPY, TRANSPIRE, Case, main, needs_compiler, processor_seconds, wait_until, within_growing_limits

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
                            "--schedule=random --seed=2 --poison; 1 before it did not come to its end")
        self.assertEqual(done.returncode, 1)
        self.assertIn("by --schedule=serial --poison: store at late.cl:6", done.stderr)


if __name__ == "__main__":
    main()
