#!/usr/bin/env python3
"""`transpire cl` from the outside: host programs run on the driver alone, and every launch that they made runs again
from its record.

usage: command_test.py TRANSPIRE DRIVER HOST-PROGRAMS REPOSITORY
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from patience import PATIENCE  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

TRANSPIRE, DRIVER, HOST, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:5])
MODULES = HOST.parent / "modules"


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *words, code=0):
        done = subprocess.run([TRANSPIRE, *map(str, words)], cwd=self.folder, capture_output=True, timeout=PATIENCE,
                              check=False)
        done.stdout, done.stderr = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        return done

    def cl(self, *words, code=0):
        return self.call("cl", "--driver", DRIVER, *words, code=code)

    def assembled(self, path):
        """The module of a text, in this test's folder."""
        assembler = shutil.which("spirv-as")
        if assembler is None:
            self.skipTest("spirv-as is not installed")
        module = self.folder / "module.spv"
        subprocess.run([assembler, "--target-env", "spv1.2", path, "-o", module], check=True)
        return module


class Records(Case):
    def record(self, program, *arguments, launches, options=(), code=0):
        """Runs the program, then each of its launches alone; gives the records' texts."""
        self.cl("--record", "rec", *options, "--", HOST, program, *arguments, code=code)
        records = sorted((self.folder / "rec").glob("*.launch"))
        numbers = [int(record.name.split("-")[0]) for record in records]
        self.assertEqual(numbers, list(range(1, launches + 1)))
        for record in records:
            if "TSAN_OPTIONS" in os.environ and "\nshared-base " in record.read_text():
                self.skipTest("the thread sanitizer's own memory lies where shared memory would be in every process")
            done = self.call("run", record)
            self.assertRegex(done.stdout, r"(?m)^\d+ expectations? met$", record.name)
        return [record.read_text() for record in records]

    def test_host_memory(self):
        texts = self.record("host_memory", launches=3, options=["--enforce-flags"])
        self.assertIn("\noffset 100\n", texts[0])
        self.assertRegex(texts[0], r"\nbuffer x = .* readonly\n")
        self.assertIn("\nlocal 8\n", texts[1])
        self.assertRegex(texts[2], r"\nbuffer y = .* writeonly\n")
        self.assertEqual(len(list((self.folder / "rec" / "modules").iterdir())), 1)

    def test_sub_buffers(self):
        texts = self.record("sub_buffers", launches=2, options=["--enforce-flags"])
        self.assertIn("\nbuffer from = buffer memory0 offset 1024 size 1024 readonly\n", texts[0])
        self.assertNotIn(" size ", texts[1])

    def test_images(self):
        texts = self.record("images", launches=2, options=["--enforce-flags"])
        self.assertRegex(texts[0], r"\nbuffer in = image 2d RGBA UNORM_INT8 8x8 row_pitch 64 .* readonly\n")
        self.assertRegex(texts[0], r"\nbuffer out = image 2d RGBA UNORM_INT8 4x4 .* writeonly\n")
        self.assertIn("\narg 1 = sampler mirrored_repeat linear normalized  # sampler_t how\n", texts[0])
        self.assertRegex(texts[0], r"\nexpect out .*bytes:(hex|file):")
        self.assertIn("\nbuffer line = image 1d_buffer RGBA UNORM_INT8 64", texts[1])

    def test_pipes(self):
        texts = self.record("pipes", launches=4)
        self.assertIn("\nbuffer to = pipe int 40\n", texts[0])
        self.assertRegex(texts[0], r"\nexpect to = bytes:file:0001-put/to.out.bin\n")
        self.assertEqual((self.folder / "rec" / "0001-put" / "to.out.bin").stat().st_size, 40 * 4)
        self.assertRegex(texts[1], r"\nbuffer from = pipe int 40 bytes:file:")
        self.assertEqual((self.folder / "rec" / "0002-take" / "from.out.bin").stat().st_size, 30 * 4)
        self.assertIn("\nexpect from = bytes:zero:0\n", texts[2])
        self.assertIn("\nbuffer things = pipe 8 3\n", texts[3])  # a struct has no word
        self.assertIn("\nexpect fault TSP-R0082 on empty at 0,0,0\n", texts[3])

    def test_packets_that_are_left(self):
        texts = self.record("packets_left", launches=3)
        self.assertIn("\nbuffer to = pipe int2 20\n", texts[0])
        self.assertIn("\narg 0 = buffer to  # write_only pipe int2 to\n", texts[0])
        self.assertRegex(texts[0], r"\nexpect to = bytes:file:")
        self.assertRegex(texts[1], r"\nbuffer from = pipe int2 20 bytes:file:")
        left = "".join(f"{n:08x}" for i in range(12, 16) for n in (i << 24, 3 * i << 24))
        self.assertIn(f"\nexpect from = bytes:hex:{left}\n", texts[1])
        self.assertIn(f"\nbuffer from = pipe int2 20 bytes:hex:{left}\n", texts[2])
        self.assertIn("\nexpect from = bytes:zero:0\n", texts[2])

    def test_what_kernels_enqueue(self):
        texts = self.record("enqueued", launches=2)
        self.assertIn('\nexpect printf "0 of 2\\n"\nexpect printf "1 of 2\\n"\nexpect printf "0 of 1\\n"\n', texts[0])
        self.assertIn("\nexpect fault TSP-R0021 on y at 8,0,0\n", texts[1])

    def test_a_queue_as_an_argument(self):
        texts = self.record("enqueued", "queue", launches=3)
        self.assertIn("\nqueue queue2 67108864 handle 2\narg 0 = queue queue2  # queue_t q\n", texts[2])
        self.assertNotIn("default-queue", texts[2])
        self.assertNotRegex(texts[0], r"(?m)^(default-)?queue ")

    def test_all_queues(self):
        texts = self.record("device_queues", launches=5)
        none, large, same, usual, keep = ("".join(re.findall(r"(?m)^(?:queue |default-queue |arg \d = queue).*\n", text)) for text in texts)
        names = "arg 0 = queue queue1  # queue_t first\narg 1 = queue queue2  # queue_t second\n"
        self.assertEqual(none, "queue queue1 100 handle 1\nqueue queue2 1024 handle 2\ndefault-queue none\n" + names)
        self.assertEqual(large, "queue queue2 1024 handle 2\nqueue queue1 100 handle 1\ndefault-queue queue2\n" + names)
        self.assertEqual(same, large.replace("queue queue1  #", "queue queue2  #"))
        queues = "queue queue3 67108864 handle 3\nqueue queue1 100 handle 1\ndefault-queue queue3\n"
        self.assertEqual(usual, queues + names.replace("queue queue2", "queue queue3"))
        self.assertEqual(keep, queues + "arg 0 = queue queue1  # queue_t q\n")
        self.assertRegex(texts[4], r"\nexpect y = bytes:hex:01(00){7}03(00){7}")
        # What a record expects depends on its queues.
        for number, change in [(1, "--queue=queue1=200"), (1, "--default-queue=queue1"), (2, "--queue=queue2=100"), (4, "--queue=queue1=1KiB handle 1"),
                               (5, "--queue=queue1=100 handle 9")]:
            with self.subTest(change):
                self.call("run", f"rec/{number:04}-{'keep' if number == 5 else 'fill'}.launch", change, code=1)

    def test_captured_times(self):
        asked, plain, none = self.record("captured_times", launches=3)
        reason = "\n# times are captured, which are others every time: what has changed is not expected\n"
        self.assertIn(reason, asked)
        self.assertEqual(re.findall(r"(?m)^expect .*", asked), ["expect kept = bytes:hex:0700000007000000", "expect no faults"])
        # A kernel of the same program that captures none.
        self.assertNotIn(reason, plain)
        self.assertRegex(plain, r"\nexpect y = bytes:hex:01000000(00){28}\n")
        # One that has its block capture them.
        self.assertIn(reason, none)

    def test_packets_at_program_scope(self):
        self.cl("--record", "rec", "--", HOST, "kept_packets", self.assembled(MODULES / "kept_packets.spvasm"))
        records = sorted((self.folder / "rec").glob("*.launch"))
        self.assertEqual(len(records), 3)
        for record in records:
            self.call("run", record)
        reason = "# what was in pipes at program scope is not recorded: the launch may leave something else\n"
        put, take, plain = (record.read_text() for record in records)
        for text in (put, take):
            self.assertTrue(text.endswith("launch\n" + reason), text)
        self.assertIn("\nexpect y = bytes:hex:0300000003000000\n", plain)

    def test_a_mipmap(self):
        text, = self.record("mipmap", launches=1)
        self.assertRegex(text, r"\nbuffer in = image 2d R FLOAT 4x2 levels 3 .*bytes:")
        self.assertRegex(text, r"\nbuffer out = image 2d R FLOAT 4x2 levels 3 ")
        self.assertIn("\narg 1 = sampler clamp_to_edge linear normalized mip_linear lod_min=0.25 lod_max=1.5", text)
        done = self.cl("--", HOST, "mipmap", "beyond")
        self.assertIn("error[TSP-R0071]", done.stderr)
        self.assertIn("image 'out'", done.stderr)

    def test_an_image_and_its_buffer(self):
        done = self.cl("--record", "rec", "--", HOST, "images", "shared")
        self.assertIn("transpire: launches are not recorded: the image of parameter 'line' shares memory with another "
                      "argument\n", done.stderr)
        self.assertEqual(len(list((self.folder / "rec").glob("*.launch"))), 1)

    def test_an_image_in_shared_memory(self):
        done = self.cl("--record", "rec", "--", HOST, "images", "svm")
        self.assertIn("transpire: launches are not recorded: the image of parameter 'in' lies in shared virtual memory\n",
                      done.stderr)

    def test_shared_memory(self):
        texts = self.record("svm_list", launches=2)
        self.assertRegex(texts[0], r"\narg 0 = shared 0x[0-9a-f]+ ")
        self.assertEqual(texts[0].count("\nshared shared"), 2)

    def test_program_scope_variables(self):
        texts = self.record("variables", launches=4)
        values = [re.search(r"\nvariable counter = bytes:hex:(..)", text).group(1) for text in texts]
        self.assertEqual(values, ["28", "29", "2b", "2e"])

    def test_local_memory(self):
        self.assertIn("\narg 2 = local:256", self.record("local_memory", launches=1)[0])

    def test_values(self):
        self.assertIn("\narg 4 = null", self.record("by_value", launches=1)[0])

    def test_printf(self):
        self.assertIn('expect printf "no end"\n', self.record("print", launches=1)[0])

    def test_two_queues(self):
        self.record("two_queues", launches=21)

    def test_processes(self):
        texts = self.record("forking", launches=15)
        self.assertEqual(len({re.search(r"arg 1 = (\S+)", text).group(1) for text in texts}), 15)

    def test_specialisation(self):
        plain, special = self.record("specialised", self.assembled(TRANSPIRE.parents[1] / "tests/cli/data/specialised.spvasm"), launches=2)
        self.assertNotIn("\nspec ", plain)
        self.assertIn("\nspec 3 = uint:hex:0x1f\n", special)  # the module is the same
        self.assertEqual(*(re.search(r"(?m)^module .*", text).group() for text in (plain, special)))

    def test_findings(self):
        text, = self.record("faulty", launches=1, options=["--enforce-flags"])
        self.assertIn("expect fault TSP-R0027 on w at 3,0,0\nexpect fault TSP-R0021 on y at 10,0,0\nexpect no faults\n", text)
        self.assertIn("# clEnqueueNDRangeKernel of kernel 'beyond', global (12), local (4), launch 1", text)

    def test_more_findings_than_are_shown(self):
        done = self.cl("--record", "rec", "--", HOST, "faulty", "0", "200")
        self.assertRegex(done.stderr, r"(?m)^  = and \d+ more$")
        record, = (self.folder / "rec").glob("*.launch")
        self.assertEqual(len(re.findall(r"expect fault TSP-R0021 on y at \d+,0,0\n", record.read_text())), 12)
        done = self.call("run", record)
        self.assertIn("expectations met\n", done.stdout)
        said = self.run_instead("y[i] = i; if (i == 3) y[0] = w[0];", code=1)
        self.assertIn("TSP-R0021 on 'y' at (4,0,0) was expected and did not happen", said)

    def test_warnings(self):
        text, = self.record("dividing", launches=1, options=["--check=ub", "-Werror"])
        self.assertTrue(text.endswith("\nexpect fault TSP-R0060 at 1,0,0\nexpect no faults\n"), text)
        record, = (self.folder / "rec").glob("*.launch")
        record.write_text(text.replace("expect fault TSP-R0060 at 1,0,0\n", ""))
        self.assertIn("no faults were expected, and one was found: TSP-R0060", self.call("run", record, code=1).stderr)

    def run_instead(self, body, *, code):
        """Runs the record of `faulty` with another kernel than the recorded one; gives what is said."""
        module, = (self.folder / "rec" / "modules").iterdir()
        source = self.folder / "other.cl"
        source.write_text(f"kernel void beyond(global int* y, global int* w) {{ int i = get_global_id(0); {body} }}\n")
        self.call("compile", source, "-o", module)
        record, = (self.folder / "rec").glob("*.launch")
        return self.call("run", record, code=code).stderr

    def test_a_record_fails_when_its_kernel_is_mended(self):
        self.record("faulty", launches=1)
        self.run_instead("y[i] = i; if (i == 3) y[0] = w[0];", code=0)
        said = self.run_instead("if (i < 10) y[i] = i; if (i == 3) y[0] = w[0];", code=1)
        self.assertIn("TSP-R0021 on 'y' at (10,0,0) was expected and did not happen", said)

    def test_a_record_fails_for_another_fault_of_the_same_rule(self):
        self.record("faulty", launches=1)
        said = self.run_instead("if (i < 10) y[i] = i; else w[i] = i; if (i == 3) y[0] = w[0];", code=4)
        self.assertIn("4-byte store past the end of buffer 'w'", said)
        self.assertIn("TSP-R0021 on 'y' at (10,0,0) was expected and did not happen", said)
        self.run_instead("if (i != 10) y[i] = i; if (i == 3) y[0] = w[0];", code=4)

    def test_refusals(self):
        text, = self.record("refused", launches=1)
        self.assertIn("local auto, launch 1", text)
        self.assertTrue(text.endswith("\nlaunch\nexpect refused TSP-L0004\n"))

    def test_checks(self):
        worst = json.loads(self.call("version", "--format=json").stdout)["instruction_sets"][0]
        text, = self.record("local_memory", launches=1, options=["--check=ub", f"--isa={worst}", "--threads=1"])
        self.assertIn("\nthreads 1\ncheck ub\n", text)
        self.assertIn(f" with {worst} and 1 thread\n", text)

    def test_numbers_go_on(self):
        self.cl("--record", "rec", "--", HOST, "by_value")
        self.record("local_memory", launches=2)

    def test_a_folder_that_cannot_be_written(self):
        if os.geteuid() == 0:
            (self.folder / "rec").mkdir()
            (self.folder / "rec" / ".next").mkdir()  # root may write anywhere, but not into a folder
        else:
            (self.folder / "rec").mkdir(mode=0o500)
        error = self.cl("--record", "rec", "--", HOST, "variables").stderr
        self.assertEqual(error.count("transpire: launches are not recorded: cannot open "), 1)


class ForeignIl(Case):
    """Modules by clCreateProgramWithIL. The host has no callback of the context, and asks for no log."""

    def load(self, *words):
        return self.cl("--", HOST, "load_il", *words)

    def module(self):
        return self.assembled(MODULES / "alias_scopes.spvasm")

    def test_alias_scopes_load_and_run(self):
        done = self.load(self.module())
        self.assertEqual((done.stdout, done.stderr), ("found 5\n", ""))

    def test_a_module_that_does_not_decode_says_why(self):
        path = self.module()
        path.write_bytes(path.read_bytes()[:-8])  # without OpReturn and OpFunctionEnd
        done = self.load(path)
        self.assertEqual(done.stdout, "clCreateProgramWithIL: -30\n")
        self.assertIn("clCreateProgramWithIL: error[TSP-D0031]: ", done.stderr)

    def test_bytes_that_are_no_module_say_what_they_are(self):
        for content, said in [(b"BC\xc0\xde and more", "it is LLVM bitcode"), (b"OpCapability Kernel\n", "magic number 0x07230203"),
                              (b"kernel void test(global int *y) {}", "it is OpenCL C")]:
            (self.folder / "x.spv").write_bytes(content)
            done = self.load("x.spv")
            self.assertEqual(done.stdout, "clCreateProgramWithIL: -30\n")
            self.assertIn("clCreateProgramWithIL: error[TSP-D0002]: ", done.stderr)
            self.assertIn(said, done.stderr)

    def test_a_build_that_fails_says_why(self):
        done = self.load(self.module(), hex(1 << 60))
        self.assertEqual(done.stdout, "clBuildProgram: -11\n")
        self.assertIn("clBuildProgram: error[TSP-D0025]: ", done.stderr)


class Command(Case):
    def test_exit_codes(self):
        self.cl("--", "sh", "-c", "exit 7", code=7)
        self.cl("--", "sh", "-c", "kill -TERM $$", code=128 + signal.SIGTERM)
        self.assertEqual(self.cl("--", "echo", "--help", "-x").stdout, "--help -x\n")

    def test_names_of_sources(self):
        """Each place names one text of one program, whatever else there is; and the same in every run."""
        first, again = (self.cl("--", HOST, "linked").stderr for _ in range(2))
        self.assertEqual(first, again)
        places = re.findall(r"(?m)^  --> (.*):(\d+):\d+(?:\n   \| (.*))?", first)
        self.assertEqual([place for place in places if place[0].startswith(("put.h", "<source of"))], [
            ("put.h of <source 2>", "1", "static void put(global int* y) { y[10] = 1; }"),
            ("put.h of <source 4>", "2", "  y[20] = 2;"),
            ("put.h of <source 2 of binary 1>", "2", "  y[20] = 2;"),  # the second part
            ("<source of binary 2>", "2", "  y[30] = 3;")], first)

    def test_what_is_compiled_for_checks(self):
        said = "compiled with -O0 for the checks: <source 1>\n"
        for check in ("sync", "ub", "all"):
            self.assertIn(said, self.cl(f"--check={check}", "--", HOST, "by_value").stderr)
        self.assertNotIn("-O0", self.cl("--", HOST, "by_value").stderr)
        # Binaries of programs that were built for checks say all that the check goes by.
        self.assertNotIn("TSP-L0012", self.cl("--check=ub", "--", HOST, "linked").stderr)

    def test_findings(self):
        done = self.cl("--report", "found", "--enforce-flags", "--", HOST, "faulty", 3, code=3)
        self.assertIn("error[TSP-R0021]: 4-byte store past the end of buffer 'y'", done.stderr)
        self.assertIn("  = in clEnqueueNDRangeKernel of kernel 'beyond', global (12), local (4)", done.stderr)
        self.assertRegex(done.stderr, r"(?m)^  --> <source 1>:\d+:\d+\n   \| .*\n   \| +\^", "the source, quoted")
        strict = self.cl("--fail-on-findings", "--enforce-flags", "--", HOST, "faulty", code=4)
        self.assertIn("transpire: 2 findings\n", strict.stderr)
        self.assertIn("transpire: 1 finding\n", self.cl("--fail-on-findings", "--", HOST, "faulty", code=4).stderr)
        self.cl("--fail-on-findings", "--", HOST, "faulty", 3, code=3)
        self.cl("--", HOST, "faulty")
        self.cl("--fail-on-findings", "--", HOST, "by_value")
        lines = [json.loads(line) for line in (self.folder / "found").read_text().splitlines()]
        self.assertEqual([line["rule"] for line in lines], ["TSP-R0027", "TSP-R0021"])
        self.assertEqual([frame["function"] for frame in lines[1]["frames"]], ["beyond"])
        self.assertEqual((lines[1]["allocation"], lines[1]["offset_bytes"], lines[1]["count"]), ("y", 40, 2))
        self.assertEqual(lines[1]["global_id"], [10, 0, 0])
        if jsonschema:
            whole = json.loads((ROOT / "docs" / "output.schema.json").read_text())
            line_schema = {"$ref": "#/definitions/report_line", "definitions": whole["definitions"]}
            for line in lines:
                jsonschema.validate(line, line_schema)

    def report_of(self, *words, code=0):
        done = self.cl("--report", "found", *words, code=code)
        return done, [json.loads(line) for line in (self.folder / "found").read_text().splitlines()]

    def test_findings_that_come_again(self):
        done, lines = self.report_of("--", HOST, "repeating")
        self.assertEqual(len(lines), 7, "all of them, for programs")
        self.assertEqual(re.findall(r"(?m)^  --> <source 1>:(\d+)", done.stderr), ["3", "4", "6"], "people: once each")
        self.assertEqual(re.findall(r"launch (\d) of its queue", done.stderr), ["1", "3", "5"])
        self.assertTrue(done.stderr.endswith(
            "again, of the findings above, which are told in full once:\n"
            "  in 3 later launches: TSP-R0021 at <source 1>:3:8 in kernel 'beyond'\n"
            "  in 1 later launch: TSP-R0021 at <source 1>:4:28 in kernel 'beyond'\n"), done.stderr)

    def test_findings_of_what_kernels_enqueue(self):
        done, lines = self.report_of("--", HOST, "enqueued")
        self.assertIn("  = enqueued by work-item (0,0,0) of 'halves' at <source 1>:4:3\n", done.stderr)
        self.assertIn("  = in clEnqueueNDRangeKernel of kernel 'halves', global (1), local (1), launch 2", done.stderr)
        self.assertEqual([line["rule"] for line in lines], ["TSP-R0021"])

    def test_suppressions(self):
        (self.folder / "a.supp").write_text('* function=beyond file="<source 1>" line=3  # known\nR0021 buffer=z\n')
        words = ["--suppress", "a.supp", "--fail-on-findings", "--", HOST, "faulty"]
        done, lines = self.report_of(*words)
        self.assertNotIn("error[", done.stderr)
        self.assertIn("transpire: 1 finding suppressed\n", done.stderr)
        self.assertIn("warning[TSP-C0039]: nothing is found that 'R0021 buffer=z' suppresses", done.stderr)
        self.assertEqual(lines[0]["suppressed_by"]["line"], 1)
        self.assertEqual(lines[0]["suppressed_by"]["reason"], "known")
        if jsonschema:
            whole = json.loads((ROOT / "docs" / "output.schema.json").read_text())
            jsonschema.validate(lines[0], {"$ref": "#/definitions/report_line", "definitions": whole["definitions"]})
        self.cl("-Werror", *words, code=2)
        done, lines = self.report_of("--enforce-flags", *words, code=4)
        self.assertIn("error[TSP-R0027]", done.stderr)
        self.assertNotIn("error[TSP-R0021]", done.stderr)
        self.assertIn("transpire: 1 finding\n", done.stderr)
        self.assertEqual(["suppressed_by" in line for line in lines], [False, True])
        self.assertIn("did you mean 'function'?", self.wrong_suppressions("R0021 functoin=f\n"))

    def wrong_suppressions(self, text):
        (self.folder / "wrong.supp").write_text(text)
        return self.cl("--suppress", "wrong.supp", "--", "touch", "begun", code=2).stderr

    def test_warnings_as_errors(self):
        words = ["--check=ub", "--", HOST, "dividing"]
        self.assertIn("warning[TSP-R0060]", self.cl(*words).stderr)
        done, lines = self.report_of("-Werror", *words)
        self.assertIn("error[TSP-R0060]", done.stderr)
        self.assertEqual([line["severity"] for line in lines], ["error"])
        self.assertIn("\n  = operands: 12, 0\n", done.stderr)
        self.assertIn("operands: 12, 0", lines[0]["notes"])
        self.assertIn("warning[TSP-R0060]", self.cl("-Werror=R0061", *words).stderr)

    def test_only_this_driver_is_seen(self):
        done = self.cl("--", sys.executable, "-c", "import os; print(os.environ['OCL_ICD_VENDORS'])")
        folder = pathlib.Path(done.stdout.strip())
        self.assertFalse(folder.exists(), "the folder goes with the command")
        listing = "ls $OCL_ICD_VENDORS; cat $OCL_ICD_VENDORS/*.icd; echo $OCL_ICD_FILENAMES"
        os.environ["OCL_ICD_FILENAMES"] = "libother.so"
        self.addCleanup(os.environ.pop, "OCL_ICD_FILENAMES")
        self.assertEqual(self.cl("--", "sh", "-c", listing).stdout, f"transpire.icd\n{DRIVER}\n\n")

    def end_by(self, number, script, *, setup="", group=False, before=None):
        """Runs a script, sends a signal to `transpire cl` when its setup is done, and gives its exit code."""
        words = [TRANSPIRE, "cl", "--driver", DRIVER, "--", "sh", "-c", f"{setup} echo $OCL_ICD_VENDORS; {script}"]
        with subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, text=True, preexec_fn=before,
                              start_new_session=True) as process:
            folder = pathlib.Path(process.stdout.readline().strip())
            self.assertTrue(folder.parent.exists())
            (os.killpg if group else os.kill)(process.pid, number)
            rest = process.stdout.read()
            code = process.wait(timeout=PATIENCE)
        self.assertFalse(folder.parent.exists(), "the folder goes with the command")
        return code, rest

    def test_signals_reach_the_program(self):
        for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT]:
            self.assertEqual(self.end_by(number, "exec sleep 60"), (128 + number, ""))
            self.assertEqual(self.end_by(number, "exec sleep 60", group=True), (128 + number, ""))

    def test_a_program_may_handle_a_signal(self):
        setup = "sleep 60 >&2 & trap 'kill $!; echo bye; exit 5' TERM;"
        self.assertEqual(self.end_by(signal.SIGTERM, "wait", setup=setup), (5, "bye\n"))

    def test_what_we_ignore_the_program_ignores(self):
        ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
        self.assertEqual(self.end_by(signal.SIGHUP, "sleep 0.3; echo alive", before=ignore), (0, "alive\n"))

    def test_checks(self):
        said = "echo $TRANSPIRE_CL_CHECK"
        for words, expected in [(["--check=none"], "none"), (["--check=ub", "--check=none"], "ub,none"),
                                (["--check=all,race:same-value"], "all,race:same-value")]:
            self.assertEqual(self.cl(*words, "--", "sh", "-c", said).stdout, expected + "\n")
            self.cl(*words, "--report", "report", "--", HOST, "host_memory")

    def test_mistakes(self):
        self.assertIn("error[TSP-C0001]: cannot run './nothing': No such file or directory",
                      self.cl("--", "./nothing", code=2).stderr)
        self.assertIn("there is no driver 'nowhere.so'", self.call("cl", "--driver", "nowhere.so", "--", "true",
                                                                   code=2).stderr)
        self.call("cl", code=2)
        self.assertIn("did you mean '--record'?", self.call("cl", "--recrod", "d", "--", "true", code=2).stderr)
        for option in ["--check=every", "--isa=mmx", "--cl-version=4.0"]:
            self.call("cl", option, "--", "true", code=2)
        self.assertIn("'many' is no number of threads", self.cl("--threads=many", "--", "true", code=2).stderr)
        (self.folder / "file").write_text("")
        self.assertIn("TSP-C0024", self.cl("--record", "file/rec", "--", "true", code=2).stderr)
        self.assertIn("TSP-C0024", self.cl("--report", "no/report", "--", "true", code=2).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
