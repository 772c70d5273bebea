#!/usr/bin/env python3
"""`info --template` of every golden program: the launch file that it writes loads, and runs as it is.

usage: template_test.py TRANSPIRE REPOSITORY [EVERY]

EVERY: 4 is one of four programs, chosen by their names. Without it all of them are run.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import zlib

from support import PROGRAMS, TRANSPIRE, Case, has_compiler, main, needs_compiler

EVERY = int(sys.argv[3]) if len(sys.argv) > 3 else 1
NO_USAGE = (0, 3, 4, 5, 6)  # a module that is invalid, what a kernel does wrong with zeros: no faults of the launch file
ENDED_EARLY = ("TSP-L0001", "TSP-R0048")  # buffers of later launches, which are printed, are not made then
EDGE = """kernel void edge(read_only image2d_t in, write_only image2d_t out) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, read_imagef(in, s, p + (int2)(1, 0)) - read_imagef(in, s, p));
}
"""
SHAPES = """typedef struct { float4 at; int n; } Thing;
kernel void plane(global float *y) { y[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 1; }
kernel void cube(global float *y, read_only image3d_t v) {
  y[(get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0)] = get_image_depth(v);
}
kernel void wide(global const float *x, global float *y) { vstore8(vload8(get_global_id(0), x), get_global_id(0), y); }
kernel void halves(global half *y) { vstore_half4((float4)(1), get_global_id(0), y); }
kernel void tile(global float4 *y, local float4 *t) {
  size_t l = get_local_id(0);
  t[l + get_local_size(0)] = y[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = t[l + get_local_size(0)];
}
kernel __attribute__((reqd_work_group_size(10, 3, 1))) void asked(global int *y) { y[get_global_id(0)] = get_group_id(0); }
kernel __attribute__((work_group_size_hint(100, 1, 1))) void hinted(global int *y) { y[get_global_id(0)] = 1; }
kernel void things(global Thing *y, Thing one) { y[get_global_id(0)] = one; }
"""


def options_in(text):
    """What launch lines of the source say, for the compiler."""
    return [word for words in re.findall(r"^ *(?://!|;!) *options +(.*)$", text, re.MULTILINE) for word in ["--build-options", words]]


class Templates(Case):
    def started(self, path, *options):
        """How the template of a module ends when it is run: (exit code, what was said). None: the module has no kernel to launch."""
        launch = self.folder / (re.sub(r"\W", "_", str(path.relative_to(PROGRAMS)) if path.is_relative_to(PROGRAMS) else path.name) + ".launch")
        info = [TRANSPIRE, "info", path, "--template", "-o", launch, *options]
        if subprocess.run(info, capture_output=True, timeout=120, check=False).returncode != 0:
            return None
        text = launch.read_text(encoding="utf-8", errors="replace")
        if "\nlaunch\n" not in text:
            return None
        done = subprocess.run([TRANSPIRE, "run", launch, "-q", "--max-steps", "20000", "--timeout", "60", "--max-printf", "1MiB",
                               "--max-children", "100"], capture_output=True, text=True, errors="replace", timeout=180, check=False)
        return done.returncode, text + done.stdout[-2000:] + done.stderr

    def test_golden_programs(self):
        paths = sorted(path for path in PROGRAMS.rglob("*") if path.suffix == ".spvasm" or (path.suffix == ".cl" and has_compiler()))
        paths = [path for path in paths if zlib.crc32(str(path.relative_to(PROGRAMS)).encode()) % EVERY == 0]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            ends = list(pool.map(lambda path: self.started(path, *options_in(path.read_text(encoding="utf-8"))), paths))
        run = [(path, end) for path, end in zip(paths, ends) if end]
        wrong = [f"{path}: exit code {end[0]}\n{end[1]}" for path, end in run
                 if end[0] not in NO_USAGE and not any(rule in end[1] for rule in ENDED_EARLY)]
        self.assertEqual(wrong, [])
        self.assertGreater(len(run), 200 / EVERY)
        clean = sum(end[0] == 0 for _, end in run)
        print(f"{clean} of {len(run)} templates run without a finding")
        self.assertGreater(clean, 0.6 * len(run))  # many of the programs are there for their faults

    @needs_compiler
    def test_sizes_follow_the_kernel(self):
        for name, text in [("edge", EDGE), ("shapes", SHAPES)]:
            end = self.started(self.write(f"{name}.cl", text))
            self.assertEqual(end[0], 0, end[1])
        text = (self.folder / "shapes_cl.launch").read_text()
        for lines in ("kernel plane\nglobal 64,64\n", "kernel cube\nglobal 16,16,16\n", "image 3d RGBA UNORM_INT8 16x16x16",
                      "kernel wide\nglobal 1024\n", "y = float:zero:8192", "kernel tile\nglobal 1024\nlocal 64\n", "t = local:2048",
                      "kernel asked\nglobal 70,66\nlocal 10,3 ", "kernel hinted\nglobal 1100\nlocal 100\n"):
            self.assertIn(lines, text)
        self.assertIn("global 64,64\n", (self.folder / "edge_cl.launch").read_text())


if __name__ == "__main__":
    main()
