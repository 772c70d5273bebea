#!/usr/bin/env python3
"""Launches that hang in the driver: what Ctrl-C, SIGTERM and limits make of them, and of their program.

usage: interrupts_test.py TRANSPIRE DRIVER HOST-PROGRAMS
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from patience import PATIENCE, children_of, processor_seconds, wait_until, within_growing_limits  # noqa: E402

TRANSPIRE, DRIVER, HOST = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:4])

# The place of the hang, with the launch that it is of.
PLACE = r"""note\[TSP-L0008\]: kernel 'hang' was interrupted
  --> <source 1>:[56]:\d+
   \|     (while \(forever\)|y\[1\] = y\[1\] \+ 1;)
(.*\n)+?  = in clEnqueueNDRangeKernel of kernel 'hang', global \(1\), local \(1\), launch 1 of its queue
"""
FINDING = "error[TSP-R0021]: 4-byte store past the end of buffer 'y'"


class Running:
    """A program in a process group of its own, with its standard error as it comes."""

    def __init__(self, words, environment, reads=True):
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        start_new_session=True, env={**os.environ, **environment})
        self.error, self.out = "", ""
        self.readers = [threading.Thread(target=self.read_error, daemon=True)]
        if reads:
            self.readers.append(threading.Thread(target=self.read_out, daemon=True))
        for reader in self.readers:
            reader.start()

    def read_error(self):
        for line in self.process.stderr:
            self.error += line

    def read_out(self):
        self.out = self.process.stdout.read()

    def wait_until_it_hangs(self):
        assert wait_until(lambda: self.process.poll() is not None or "ready\n" in self.error)
        assert self.process.poll() is None, self.error
        before = self.processor_seconds()
        assert wait_until(lambda: self.processor_seconds() > before + 0.5)

    def processor_seconds(self):
        """Of the program, which may be a child of `transpire cl`."""
        return sum(processor_seconds(pid) for pid in [self.process.pid, *children_of(self.process.pid)])

    def press(self, number):
        """As a terminal does it: the whole group gets it."""
        os.killpg(self.process.pid, number)

    def end(self, seconds=PATIENCE):
        code = self.process.wait(seconds)
        for reader in self.readers:
            reader.join(seconds)
        return code

    def clean_up(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


class Case(unittest.TestCase):
    def start(self, *words, environment=None, **more):
        run = Running([*words], environment or {}, **more)
        self.addCleanup(run.clean_up)
        return run

    def hang(self, *arguments, options=(), **more):
        """`hang` under `transpire cl`, once it does."""
        run = self.start(TRANSPIRE, "cl", "--driver", DRIVER, *options, "--", HOST, "hang", *arguments, **more)
        run.wait_until_it_hangs()
        return run


class Interrupts(Case):
    def test_the_place_of_the_hang_is_told(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            with self.subTest(number):
                run = self.hang("default")
                run.press(number)
                self.assertEqual(run.end(), 128 + number)
                self.assertEqual(run.out, "line 0\n", "what the program would go on with does not happen")
                self.assertIn(FINDING, run.error)
                self.assertRegex(run.error, PLACE)
                self.assertEqual(run.error.count("L0008"), 1, "the launch behind was not begun")

    def test_a_signal_to_the_command_alone_is_passed_on(self):
        run = self.hang("default")
        run.process.send_signal(signal.SIGTERM)
        self.assertEqual(run.end(), 143)
        self.assertRegex(run.error, PLACE)

    def test_the_same_signal_to_the_command_and_its_group(self):
        """As `timeout` and service managers send it: that is no second wish."""
        run = self.hang("default")
        run.process.send_signal(signal.SIGTERM)
        run.press(signal.SIGTERM)
        self.assertEqual(run.end(), 143)
        self.assertRegex(run.error, PLACE)

    def test_a_program_with_a_handler_gets_the_signal_behind_the_report(self):
        run = self.hang("leaves")
        run.press(signal.SIGINT)
        self.assertEqual(run.end(), 7)
        self.assertRegex(run.error, PLACE)

    def test_a_program_that_goes_on_is_told_of_it(self):
        run = self.hang("goes_on")
        run.press(signal.SIGINT)
        self.assertEqual(run.end(), 0)
        self.assertEqual(run.out, "line 0\nclFinish -5, event -5, clWaitForEvents -14, signal 2\nline 0\ny[0] = 5\n")
        self.assertRegex(run.error, PLACE)
        self.assertIn("in 1 later launch: TSP-R0021 at ", run.error)
        self.assertNotIn("launch 2 of its queue", run.error)

    def test_a_signal_that_the_program_ignores_ends_nothing(self):
        run = self.hang("ignores")
        run.press(signal.SIGINT)
        time.sleep(0.5)
        self.assertIsNone(run.process.poll())
        run.press(signal.SIGTERM)
        self.assertEqual(run.end(), 143)
        self.assertRegex(run.error, PLACE)

    def test_launches_of_all_threads_end(self):
        run = self.hang("threads", options=["--threads", "2"])
        run.press(signal.SIGINT)
        self.assertEqual(run.end(), 130)
        self.assertEqual(run.error.count("L0008"), 2, run.error)
        self.assertEqual(run.error.count(FINDING), 1, run.error)

    def test_a_second_one_ends_at_once(self):
        """Nobody reads what the kernel printed: the report of the first one cannot end."""
        if "TSAN_OPTIONS" in os.environ:
            self.skipTest("the thread sanitizer keeps signals back while the C library waits in a write")
        run = self.hang("default", "100000", reads=False)
        run.press(signal.SIGINT)
        time.sleep(1)
        self.assertIsNone(run.process.poll())
        run.press(signal.SIGINT)
        self.assertEqual(run.process.wait(PATIENCE), 130)
        self.assertNotIn("L0008", run.error)

    def test_a_launch_that_begins_while_the_signal_is_given_back(self):
        """The program gets the signal all the same, ten times in a row."""
        for moment, code in [("check", 143), ("delivery", 7)]:
            for _ in range(10):
                with self.subTest(moment):
                    run = self.start(TRANSPIRE, "cl", "--driver", DRIVER, "--", HOST, "overtaken", moment)
                    self.assertTrue(wait_until(lambda: run.process.poll() is not None or "ready\n" in run.error))
                    run.press(signal.SIGTERM)
                    self.assertEqual(run.end(), code, run.error)

    def test_records_are_finished(self):
        with tempfile.TemporaryDirectory() as folder:
            run = self.hang("default", options=["--record", folder])
            run.press(signal.SIGINT)
            self.assertEqual(run.end(), 130)
            record, = pathlib.Path(folder).glob("*.launch")
            self.assertIn("the launch was ended before all of it had run", record.read_text())


class Limits(Case):
    def test_they_end_each_launch(self):
        def rules_with(option):
            with tempfile.TemporaryDirectory() as folder:
                report = pathlib.Path(folder) / "report"
                run = self.start(TRANSPIRE, "cl", "--driver", DRIVER, option, "--report", report, "--", HOST, "hang")
                self.assertEqual(run.end(), 6, run.error)
                self.assertIn("clFinish -5, event -5, clWaitForEvents -14, signal 0\n", run.out)
                self.assertTrue(run.out.endswith("y[0] = 5\n"))
                self.assertEqual(run.error.count(FINDING), 1, "the launches behind had it again")
                self.assertRegex(run.error, "in 2 later launches: TSP-R0021 at ")
                return [json.loads(line)["rule"] for line in report.read_text().splitlines()]

        self.assertEqual(rules_with("--max-steps=100000"), ["TSP-R0021", "TSP-L0001"] * 2 + ["TSP-R0021"])
        # A launch must have come to its fault before the limit ends it.
        self.assertTrue(within_growing_limits(0.3, lambda seconds: rules_with(
            f"--timeout={seconds}s") == ["TSP-R0021", "TSP-L0002"] * 2 + ["TSP-R0021"]))

    def test_what_is_no_limit(self):
        for option, words in [("--timeout=soon", "'soon' is not a time"), ("--max-steps=-1", "number of instructions")]:
            with self.subTest(option):
                run = self.start(TRANSPIRE, "cl", "--driver", DRIVER, option, "--", "true")
                self.assertEqual(run.end(), 2)
                self.assertIn(words, run.error)


class Environment(Case):
    """The driver without `transpire cl`."""

    def program(self, **environment):
        return self.start(HOST, "hang", environment={"OCL_ICD_VENDORS": DRIVER, **environment})

    def test_interrupts_are_asked_for(self):
        run = self.program(TRANSPIRE_CL_INTERRUPT="1")
        run.wait_until_it_hangs()
        run.press(signal.SIGINT)
        self.assertEqual(run.end(), -signal.SIGINT)
        self.assertRegex(run.error, PLACE)

    def test_else_signals_are_the_programs_alone(self):
        run = self.program()
        run.wait_until_it_hangs()
        run.press(signal.SIGINT)
        self.assertEqual(run.end(), -signal.SIGINT)
        self.assertEqual(run.error, "ready\n")

    def test_words_that_mean_nothing(self):
        for name, value in [("INTERRUPT", "yes"), ("TIMEOUT", "-3"), ("TIMEOUT", "long"), ("MAX_STEPS", "1.5"), ("CHECK_MEMORY", "1XB"), ("MEMORY", "1XB"),
                            ("MEMORY", "63MiB"), ("CACHE", "/nowhere")]:
            with self.subTest(name):
                run = self.program(**{f"TRANSPIRE_CL_{name}": value})
                self.assertEqual(run.end(), 9)
                self.assertIn(f"error[TSP-C0033]: '{value}' in TRANSPIRE_CL_{name} means nothing", run.error)
        run = self.program(TRANSPIRE_CL_REPORT="/proc/report")
        self.assertEqual(run.end(), 9)
        self.assertIn("error[TSP-C0033]: '/proc/report' in TRANSPIRE_CL_REPORT cannot be written: ", run.error)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
